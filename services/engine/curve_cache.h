// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "services/series/pyramid.h"

#include <QHash>

#include <map>
#include <span>

namespace engine {

using namespace core;

/// Curves in memory, each complete up to a sequence of its trial. A reader fills one from the store once; from then on what the
/// trial reports extends it. Beyond the limits the curve that was used longest ago is dropped. Used on one thread.
class CurveCache
{
public:
    struct Limits
    {
        size_t curves = 8192;
        size_t points = 12'000'000; ///< of all curves together; a point costs about 25 bytes
    };
    CurveCache() = default;
    explicit CurveCache(Limits limits)
        : m_limits(limits)
    {
    }

    /// The first sequence that the curve lacks; 0 for one that is not kept.
    [[nodiscard]] qint64 next(const TrialId& trial, const QString& metric) const;
    /// Records as the store has them, ascending from next() at that time or before; those that the curve has are skipped.
    void add(const TrialId& trial, const QString& metric, std::span<const Metric> records);
    /// Records that were just reported: extends the trial's curves. One that lacks earlier records is left as it is.
    void extend(const TrialId& trial, std::span<const Metric> records);
    /// Null while the curve is not kept; valid until the next call of anything else here.
    [[nodiscard]] series::Pyramid* find(const TrialId& trial, const QString& metric);
    void remove(const TrialId& trial);

private:
    struct Curve
    {
        series::Pyramid pyramid;
        qint64 next = 0;
        quint64 used = 0; ///< m_uses when it was read last
    };
    using ByMetric = std::map<QString, Curve>;

    void append(Curve& curve, const QString& metric, std::span<const Metric> records);
    void drop();

    Limits m_limits;
    QHash<TrialId, ByMetric> m_curves;
    size_t m_count = 0;
    size_t m_points = 0;
    quint64 m_uses = 0;
};

} // namespace engine
