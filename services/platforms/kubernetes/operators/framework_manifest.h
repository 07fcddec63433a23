// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a Framework of FrameworkController: one attempt of it and of each task, since what is tried again is decided here. Pure.
#pragma once

#include "role_values.h"

namespace platforms::kubernetes {

struct FrameworkValues : WorkloadValues
{
    /// The image of FrameworkBarrier, which holds back each pod until all have an address, and tells them; only with several tasks. Its
    /// account (PodValues::serviceAccount) must be allowed to get frameworks. Empty: none.
    QString barrierImage;
};

/// Kind::invalid, with a sentence that names the value, for what no Framework can express. A Framework has no deadline: each of its pods has
/// it instead, from its own start.
[[nodiscard]] Result<Json> frameworkManifest(const FrameworkValues& values);

/// What roles end a framework with where nothing is said of it: of a single role the failure of any task; with several the first one's
/// success ends it, and the failure of any task of any role.
[[nodiscard]] QList<CompletionPolicy> defaultPolicies(const QList<RoleSize>& roles);

} // namespace platforms::kubernetes
