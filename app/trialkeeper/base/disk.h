// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <sys/statvfs.h>

namespace trialkeeper {

/// Bytes that an ordinary user may still write.
[[nodiscard]] inline std::uint64_t freeBytes(const struct statvfs& disk)
{
    return std::uint64_t(disk.f_bavail) * disk.f_frsize;
}

/// Whether less than `bytes` can be written, or no further file made. File systems without a count of files have f_files 0.
[[nodiscard]] inline bool isFull(const struct statvfs& disk, std::uint64_t bytes)
{
    return disk.f_blocks > 0 && (freeBytes(disk) < bytes || (disk.f_files > 0 && disk.f_favail == 0));
}

} // namespace trialkeeper
