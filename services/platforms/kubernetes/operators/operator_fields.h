// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds `kubeflow` and `frameworkcontroller`: settings of a platform, and options of an experiment. Both are those of `kubernetes` (but
// for what the operator cannot do), and what the operator needs besides.
#pragma once

#include "services/platforms/platform.h"

namespace platforms::kubernetes {

[[nodiscard]] KindDescription kubeflowKind();
[[nodiscard]] KindDescription frameworkControllerKind();

} // namespace platforms::kubernetes
