// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms::dlts {

[[nodiscard]] KindDescription dltsKind();

} // namespace platforms::dlts
