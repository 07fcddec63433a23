// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_usage.h"

namespace models {

namespace {

constexpr qint64 minuteMs = 60'000;

} // namespace

qint64 usageLengthMs(const QList<core::GpuUsageSample>& samples, qint64 now)
{
    const qint64 age = samples.isEmpty() ? 0 : now - samples.first().time;
    for (const qint64 length : {10 * minuteMs, 60 * minuteMs, 180 * minuteMs})
        if (age <= length)
            return length;
    return 720 * minuteMs;
}

QList<UsageSpan> usageSpans(
    const QList<core::GpuUsageSample>& samples, const core::GpuCounts& counts, qint64 begin, qint64 now)
{
    QList<UsageSpan> spans;
    const auto add = [&](qint64 from, qint64 to, const core::GpuCounts& held) {
        from = std::max(from, begin);
        to = std::min(to, now);
        if (from >= to)
            return;
        if (!spans.isEmpty() && spans.last().to == from && spans.last().counts == held)
            spans.last().to = to;
        else
            spans.append(UsageSpan{from, to, held});
    };
    for (qsizetype i = 0; i < samples.size(); ++i) {
        const qint64 next = i + 1 < samples.size() ? samples[i + 1].time : now;
        add(samples[i].time, std::min(next, samples[i].time + core::gpuUsageHoldsMs), samples[i].counts);
    }
    // The service reports samples once a minute; the current counts replace the end of the last span.
    if (!spans.isEmpty() && spans.last().to == now && spans.last().counts != counts) {
        const qint64 changed = std::max(spans.last().from, now - minuteMs);
        spans.last().to = changed;
        if (spans.last().from == changed)
            spans.removeLast();
        add(changed, now, counts);
    }
    return spans;
}

} // namespace models
