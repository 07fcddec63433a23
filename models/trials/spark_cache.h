// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/series_loader.h"

#include <QHash>
#include <QTimer>

namespace models {

/// One row's curve as a sparkline: points in the order of x; a NaN interrupts the line.
struct Spark
{
    std::vector<std::pair<double, double>> points;
    std::optional<std::pair<double, double>> best;
    qint64 values = -1; ///< the trial's number of values when the curve was requested
    qint64 used = 0;    ///< counter of the last use, for eviction
};

/// Curves of the visible rows, requested in batches when they are first needed and when the trial has more values. GUI thread.
class SparkCache : public QObject
{
    Q_OBJECT
public:
    /// `client` is not owned and must outlive the cache.
    explicit SparkCache(client::EngineClient& client, QObject* parent = nullptr);

    void setObjective(const core::Objective& objective);
    /// The trial's curve, or null if it was not read yet; requests it if it is missing or out of date. The pointer is valid until
    /// control returns to the event loop.
    [[nodiscard]] const Spark* spark(const core::Trial& trial);
    /// Ranges shared by all rows, so that curves are comparable: x from 0 to longest(), y over all curves read.
    [[nodiscard]] double longest() const { return m_longest; }
    [[nodiscard]] double low() const { return m_low; }
    [[nodiscard]] double high() const { return m_high; }
    /// Changes whenever a curve or a range changes.
    [[nodiscard]] quint64 version() const { return m_version; }
    void clear();

signals:
    void changed();

private:
    void ask();
    void take(const SeriesData& data);

    SeriesLoader m_loader;
    core::Objective m_objective;
    QHash<core::TrialId, Spark> m_sparks;
    QHash<core::TrialId, qint64> m_wanted; ///< trial to the number of its values
    QHash<core::TrialId, qint64> m_asked;
    QTimer m_soon;
    qint64 m_uses = 0;
    quint64 m_version = 0;
    double m_longest = 1;
    double m_low = 0;
    double m_high = 0;
    bool m_hasRange = false;
};

} // namespace models
