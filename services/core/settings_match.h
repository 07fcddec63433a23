// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "json.h"

namespace core {

/// Whether a platform's settings, as they are shown, say what is wanted of one. Members that are not wanted may be anything.
/// Secrets cannot be compared: one that is set is taken for the same.
[[nodiscard]] bool settingsSay(const Json& shown, const Json& wanted);

} // namespace core
