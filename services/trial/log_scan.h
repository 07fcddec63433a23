// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the numbers that a program's output repeats, and the metric pattern that would read each. Pure; any bytes may be given.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <vector>

namespace trial {

/// A number that stands behind the same words in several lines.
struct PatternCandidate
{
    QString name;               ///< the word before it: `val_acc`
    QString pattern;            ///< as checkMetricPattern() accepts it
    int lines = 0;              ///< of the output that was looked at
    std::vector<double> values; ///< in the order of the output, the first 10,000
};

/// The best `most` of them: those named as the metric first, then those with names of results rather than of counters, times and
/// settings. Numbers that only count the lines are left out. `metric` may be empty. Looks at the first MiB.
[[nodiscard]] QList<PatternCandidate> proposePatterns(QByteArrayView output, const QString& metric, int most = 3);

/// The same of the numbers of one line of the output, of which the person says that it has the value.
[[nodiscard]] QList<PatternCandidate> proposePatternsOfLine(
    QByteArrayView output, QByteArrayView line, const QString& metric, int most = 3);

/// Whether a metric of this name is better when it is less, as a loss is.
[[nodiscard]] bool soundsLikeLoss(const QString& name);

} // namespace trial
