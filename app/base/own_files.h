// SPDX-License-Identifier: GPL-3.0-or-later
// Files that decide what this program does must be this user's: whoever can write them can make it do anything.
#pragma once

#include "services/core/result.h"

#include <QString>

namespace app {

using core::Result;

/// Whether the folder belongs to this user (or to root) and nobody else may write in it. Kind::auth otherwise, with what to do; a
/// folder that does not exist is fine.
[[nodiscard]] Result<> requireOwnFolder(const QString& folder);

/// The same for a regular file. `isSecret`: nobody else may read it either; one of this user's that others may read is closed to them
/// (mode 0600), which `closed` then says.
[[nodiscard]] Result<> requireOwnFile(const QString& file, bool isSecret, bool* closed = nullptr);

} // namespace app
