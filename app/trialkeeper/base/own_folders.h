// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "failure.h"

#include <string>
#include <sys/stat.h>

namespace trialkeeper {

// The agent runs what lies in its folders, and writes there: nobody but its account and root may change them (strict.h).

/// A folder that leads to BASE may be a group's, or sticky and for all; BASE and what is below is the account's alone.
enum class FolderPlace { above, own };
/// Whether a folder like this, of an account `self`, can be changed by others; false also for what is no folder. Pure.
[[nodiscard]] bool isOursAlone(const struct stat& info, uid_t self, FolderPlace place);
/// As `ls` prints it, drwxr-xr-x.
[[nodiscard]] std::string modeText(mode_t mode);

/// Makes what is missing on the way to `path` (mode 0700), which is `base` or below it, both absolute. Looks at every folder from /
/// on: those of ours below BASE that others could write to become 0700, what else others could change is refused, with a sentence.
[[nodiscard]] bool makeOwnFolder(const std::string& base, const std::string& path, Failure& failure);

/// Asks the file system to lay the folders in this one far from each other (chattr's T), as those of trials have nothing to do with each
/// other. ext4 otherwise makes new files beside those that were just deleted, and looks at each of these first. No more than a hint.
void spreadFoldersIn(const std::string& path);

} // namespace trialkeeper
