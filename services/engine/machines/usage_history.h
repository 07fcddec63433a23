// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/gpu/gpu_usage_json.h"

#include <QMap>

namespace engine {

using namespace core;

/// Whose the GPUs were over the last twelve hours, to the minute: a step where it changed, and one now and then where it did not, so
/// that a time without a service can be distinguished from one without changes. Kept by the hour, as small texts. Pure.
class UsageHistory
{
public:
    static constexpr qint64 spacingMs = 60'000;
    static constexpr qint64 lengthMs = 12 * 3'600'000;

    /// What of `values` (facts of the store) is ours. Damaged hours are left out.
    void restore(const QMap<QString, QByteArray>& values);
    /// Facts to be kept: the hour that changed, and (empty) those that are over; nothing most of the time.
    [[nodiscard]] QMap<QString, QByteArray> note(qint64 now, const GpuCounts& counts);
    /// Those after `since`, and the one that holds then.
    [[nodiscard]] QList<GpuUsageSample> samples(qint64 since) const;

private:
    [[nodiscard]] QByteArray hourText(qint64 hour) const;

    QList<GpuUsageSample> m_samples; ///< ascending by time
};

} // namespace engine
