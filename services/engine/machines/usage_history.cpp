// SPDX-License-Identifier: GPL-3.0-or-later
#include "usage_history.h"

using namespace Qt::StringLiterals;

namespace engine {

namespace {

constexpr qint64 hourMs = 3'600'000;

QString keyOf(qint64 hour)
{
    return u"gpu-usage/%1"_s.arg(hour);
}

} // namespace

void UsageHistory::restore(const QMap<QString, QByteArray>& values)
{
    for (auto it = values.begin(); it != values.end(); ++it) {
        if (!it.key().startsWith(u"gpu-usage/"))
            continue;
        if (const auto document = parseJson(it.value()))
            m_samples += gpuUsageFromJson(*document);
    }
    std::sort(m_samples.begin(), m_samples.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
}

QMap<QString, QByteArray> UsageHistory::note(qint64 now, const GpuCounts& counts)
{
    if (m_samples.isEmpty() && counts.gpus == 0)
        return {}; // without GPUs there is no history
    QMap<QString, QByteArray> kept;
    if (!m_samples.isEmpty()) {
        GpuUsageSample& last = m_samples.last();
        if (now < last.time) // The clock was set back.
            m_samples.removeIf([now](const GpuUsageSample& sample) { return sample.time > now; });
        else if (now - last.time < spacingMs) {
            last.counts = counts; // written with the next one: trials of a second must not be a write each
            return {};
        } else if (last.counts == counts && now - last.time < gpuUsageHoldsMs / 2)
            return {};
    }
    m_samples.append(GpuUsageSample{now, counts});
    for (const GpuUsageSample& sample : m_samples.last(std::min<qsizetype>(2, m_samples.size())))
        kept.insert(keyOf(sample.time / hourMs), hourText(sample.time / hourMs));
    while (now - m_samples.first().time > lengthMs + hourMs) {
        const qint64 hour = m_samples.first().time / hourMs;
        m_samples.removeIf([hour](const GpuUsageSample& sample) { return sample.time / hourMs == hour; });
        kept.insert(keyOf(hour), {});
    }
    return kept;
}

QList<GpuUsageSample> UsageHistory::samples(qint64 since) const
{
    auto first = std::upper_bound(m_samples.begin(), m_samples.end(), since,
        [](qint64 time, const GpuUsageSample& sample) { return time < sample.time; });
    if (first != m_samples.begin())
        --first;
    return {first, m_samples.end()};
}

QByteArray UsageHistory::hourText(qint64 hour) const
{
    QList<GpuUsageSample> samples;
    for (const GpuUsageSample& sample : m_samples)
        if (sample.time / hourMs == hour)
            samples.append(sample);
    return dumpJson(gpuUsageJson(samples));
}

} // namespace engine
