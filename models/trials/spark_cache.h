// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/series_loader.h"

#include <QHash>
#include <QTimer>

namespace models {

/// One row's curve as a small line: points in the order of x, NaN between where the line breaks.
struct Spark
{
    std::vector<std::pair<double, double>> points;
    std::optional<std::pair<double, double>> best;
    qint64 values = -1; ///< how many the trial had reported when it was read
    qint64 used = 0;
};

/// Curves of the rows that are looked at, read in bundles when they are first asked for and when they have grown. GUI thread.
class SparkCache : public QObject
{
    Q_OBJECT
public:
    explicit SparkCache(client::EngineClient& client, QObject* parent = nullptr);

    void setObjective(const core::Objective& objective);
    /// What is known of the trial's curve, perhaps nothing yet; asks for it, or for its newest part, when that pays.
    [[nodiscard]] const Spark* spark(const core::Trial& trial);
    /// Ranges that all rows share, so that they compare: x from 0 to the longest, y over all that were read.
    [[nodiscard]] double longest() const { return m_longest; }
    [[nodiscard]] double low() const { return m_low; }
    [[nodiscard]] double high() const { return m_high; }
    /// Another number once any curve or a range has changed.
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
