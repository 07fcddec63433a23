// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "platform.h"

namespace platforms {

/// What GET /platform-kinds shows: each kind with its fields and capabilities, as forms need them.
[[nodiscard]] Json kindsJson(const QList<KindDescription>& kinds);

} // namespace platforms
