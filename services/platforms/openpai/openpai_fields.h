// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms::openpai {

[[nodiscard]] KindDescription openPaiKind();

} // namespace platforms::openpai
