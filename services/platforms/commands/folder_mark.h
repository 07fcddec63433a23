// SPDX-License-Identifier: GPL-3.0-or-later
// Names of what is being written in a shared folder. One service has such a folder, and one process at a time is that service: what
// another process left there is garbage of one that was killed.
#pragma once

#include <QByteArray>

namespace platforms {

/// Names of temporary files and folders in a shared folder are this and a mark.
inline constexpr const char* folderTemporary = ".trialdeck-new-";
/// So many characters at the beginning of a mark are its process' own, see folderOwner().
inline constexpr qsizetype folderOwnerLength = 10;

/// The same for all marks of this process, and another one in each. Letters and digits. Thread-safe.
[[nodiscard]] const QByteArray& folderOwner();
/// folderOwner() and letters and digits that cannot be guessed. Thread-safe.
[[nodiscard]] QByteArray newFolderMark();

} // namespace platforms
