// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares the GPUs' usage history for a chart. Pure functions.
#pragma once

#include "services/core/gpu/gpu_use.h"

#include <QList>

namespace models {

/// A period in which the counts did not change.
struct UsageSpan
{
    qint64 from = 0; ///< milliseconds since the epoch
    qint64 to = 0;
    core::GpuCounts counts;

    bool operator==(const UsageSpan&) const = default;
};

/// Length of the chart in milliseconds: ten minutes, one hour, three or twelve hours; the shortest that shows all samples.
[[nodiscard]] qint64 usageLengthMs(const QList<core::GpuUsageSample>& samples, qint64 now);

/// The known spans from `begin` until `now` (milliseconds since the epoch); a gap between two spans has no data. `counts` are the
/// current ones.
[[nodiscard]] QList<UsageSpan> usageSpans(
    const QList<core::GpuUsageSample>& samples, const core::GpuCounts& counts, qint64 begin, qint64 now);

} // namespace models
