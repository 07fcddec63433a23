// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms::kubernetes {

/// Kind `kubernetes`: settings of a platform, and options of an experiment.
[[nodiscard]] KindDescription kubernetesKind();

} // namespace platforms::kubernetes
