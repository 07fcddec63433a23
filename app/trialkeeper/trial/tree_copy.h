// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trialkeeper {

inline constexpr std::uint64_t maxCopiedBytes = 64 * 1024 * 1024; ///< a larger folder of code is hard-linked, read-only

/// Makes the existing, empty folder `target` a copy of the folder `source` with its files, folders and links: sharing
/// blocks where the file system can, else copying, or hard-linking (files lose write permission, which the source
/// shares) where it is larger than maxCopiedBytes. A link that leads outside is refused. False, with a sentence in
/// `message`, and errno.
[[nodiscard]] bool copyTree(int source, int target, std::string& message);

} // namespace trialkeeper
