// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of operators' objects share. Pure.
#pragma once

#include "workload.h"

namespace platforms::kubernetes {

/// Kind and metadata. False: the object has no name.
bool readHead(WorkloadKind kind, const Json& object, WorkloadView& view);
/// A number of pods, at most mostReplicas; 1 where none is said.
[[nodiscard]] int replicasOf(const Json& spec, const char* member);

} // namespace platforms::kubernetes
