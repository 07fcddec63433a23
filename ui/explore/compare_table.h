// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between a few trials, and which of them to compare. Pure functions.
#pragma once

#include "models/trials/trial_table.h"

#include <QSet>

namespace api {
class Mirror;
}

namespace ui {

struct CompareRow
{
    QString name;
    QStringList cells; ///< one per trial, as the trials table shows it; exact where that would look the same
    QStringList
        deltas; ///< one per trial: how its number differs from the first one's; empty where it does not, or is none

    bool operator==(const CompareRow&) const = default;
};

struct CompareRows
{
    std::vector<CompareRow> parameters; ///< that differ
    std::vector<CompareRow> results;    ///< that differ: values, state, machine, times
    std::vector<CompareRow> equal;
};

/// The rows of all trials of the table, in its order. Running durations end at `now` (milliseconds since the epoch).
/// The first trial is the baseline of the deltas: a factor (`×0.53`) for parameters of `logNames`, else a difference (`−0.05`).
[[nodiscard]] CompareRows compareRows(const models::TrialTable& table, qint64 now, const QSet<QString>& logNames = {});
/// The parameters that the search space of the experiment (may be null) samples on a logarithmic scale.
[[nodiscard]] QSet<QString> logParameters(const core::ExperimentPtr& experiment);

/// The trials with the best values, the best first; those without a finite value come last, in order of their ids. At most `most`.
[[nodiscard]] QList<core::TrialPtr> bestOf(QList<core::TrialPtr> trials, bool maximize, qsizetype most);
/// The trials of an experiment that have a finite best value.
[[nodiscard]] QList<core::TrialPtr> trialsWithValues(const api::Mirror& state, const core::ExperimentId& experiment);

} // namespace ui
