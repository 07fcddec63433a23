// SPDX-License-Identifier: GPL-3.0-or-later
// The history of the GPUs as a picture needs it. Pure.
#pragma once

#include "services/core/gpu_use.h"

#include <QList>

namespace models {

/// A time in which the same GPUs were whose they were.
struct UsageSpan
{
    qint64 from = 0; ///< milliseconds since the epoch
    qint64 to = 0;
    core::GpuCounts counts;

    bool operator==(const UsageSpan&) const = default;
};

/// The last ten minutes, hour, three hours or twelve: the shortest that shows everything that is known.
[[nodiscard]] qint64 usageLengthMs(const QList<core::GpuUsageSample>& samples, qint64 now);

/// What is known of the time from `begin` until `now`; between two spans nobody watched. `counts` is how it stands now.
[[nodiscard]] QList<UsageSpan> usageSpans(
    const QList<core::GpuUsageSample>& samples, const core::GpuCounts& counts, qint64 begin, qint64 now);

} // namespace models
