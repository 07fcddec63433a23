// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms::aml {

[[nodiscard]] KindDescription amlKind();

} // namespace platforms::aml
