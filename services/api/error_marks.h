// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

namespace api {

/// In an error's `detail`: the same command with `force` is carried out.
inline const QString forceMark = QStringLiteral("force");

[[nodiscard]] inline bool forceHelps(const core::Error& error)
{
    return error.kind == core::Kind::conflict && error.detail == forceMark;
}

} // namespace api
