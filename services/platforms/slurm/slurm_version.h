// SPDX-License-Identifier: GPL-3.0-or-later
// Which Slurm a cluster has: what its commands can do depends on it. Pure.
#pragma once

#include "slurm_reply.h"

#include <compare>

namespace platforms::slurm {

struct SlurmVersion
{
    int major = 0; ///< the year: 22
    int minor = 0; ///< the month: 5
    int micro = 0;

    bool operator==(const SlurmVersion&) const = default;
    // NOLINTNEXTLINE(modernize-use-nullptr): taken for a comparison with 0 by clang-tidy 14
    std::strong_ordering operator<=>(const SlurmVersion&) const = default;
    [[nodiscard]] QString text() const; ///< "22.05.8"
};

inline constexpr SlurmVersion oldestVersion{22, 5, 0}; ///< that this was written for; an older one may work
inline constexpr SlurmVersion filteredJson{23, 2, 0};  ///< from here on `squeue --json` obeys its filters

/// `sinfo --version`: "slurm 23.11.4", "slurm-wlm 22.05.8" (Debian), "slurm 24.05.0-0rc1". Kind::platform when it is something else; else
/// as commandError().
[[nodiscard]] Result<SlurmVersion> readVersion(const Reply& reply);

} // namespace platforms::slurm
