// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of objects of the API server: what the views read (facts/), and no more. Pure, on any thread.
#pragma once

#include "services/platforms/kubernetes/kube_json.h"

namespace platforms::kubernetes {

[[nodiscard]] Json slimJob(const Json& object);
[[nodiscard]] Json slimPod(const Json& object);
/// Of a pod of anybody: what it holds, and where.
[[nodiscard]] Json slimHolder(const Json& object);
[[nodiscard]] Json slimWorkload(const Json& object);
[[nodiscard]] Json slimNode(const Json& object);
/// Events, quotas: small as they are.
[[nodiscard]] Json slimOther(const Json& object);

} // namespace platforms::kubernetes
