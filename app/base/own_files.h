// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of owner and mode for files and folders that control what this program does.
#pragma once

#include "services/core/result.h"

#include <QString>

namespace app {

using core::Result;

/// Succeeds if the folder does not exist, or is owned by this user or root and not writable by group or others. Error: Kind::auth; the
/// message names the owner or the mode and the command that mends it.
[[nodiscard]] Result<> requireOwnFolder(const QString& folder);

/// The same for a regular file. With `isSecret`, a file of this user that group or others can access is set to mode 0600, and
/// `*closed` to true.
[[nodiscard]] Result<> requireOwnFile(const QString& file, bool isSecret, bool* closed = nullptr);

} // namespace app
