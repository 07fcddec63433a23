// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a GPU is, by one rule for pictures, counts and history. Pure.
#pragma once

#include "services/core/records.h"

namespace core {

/// `service` is another service's lock. A machine that does not answer has silent GPUs: whose they are is not known any more.
enum class GpuUse { free, ours, foreign, reserved, service, silent };

[[nodiscard]] GpuUse gpuUse(const Machine& machine, const Gpu& gpu);
/// The process that is not ours and takes the most memory; null where there is none. A graphics process alone makes no GPU busy.
[[nodiscard]] const GpuProcess* largestForeign(const Gpu& gpu);

/// Numbers of GPUs. Another service's count as foreign.
struct GpuCounts
{
    int gpus = 0, ours = 0, foreign = 0, reserved = 0, silent = 0, free = 0;

    GpuCounts& operator+=(const GpuCounts& other);
    GpuCounts& operator-=(const GpuCounts& other);
    bool operator==(const GpuCounts&) const = default;
};

/// `counted`: uuids of GPUs that are left out, because another name of the same computer has them.
[[nodiscard]] GpuCounts gpuCounts(const Machine& machine, const QSet<QString>& counted = {});

/// Whose the GPUs were from `time` on.
struct GpuUsageSample
{
    qint64 time = 0; ///< milliseconds since the epoch
    GpuCounts counts;

    bool operator==(const GpuUsageSample&) const = default;
};

/// A history says something at least this often; where it does not, nobody watched.
inline constexpr qint64 gpuUsageHoldsMs = 10 * 60 * 1'000;

} // namespace core
