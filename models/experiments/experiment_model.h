// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "models/record_table_model.h"

namespace models {

/// Experiments, the newest first.
class ExperimentModel : public RecordTableModel<core::ExperimentPtr>
{
    Q_OBJECT
public:
    enum Column {
        StateColumn,
        NameColumn,
        ProgressColumn,
        BestColumn,
        RunningColumn,
        WaitingColumn,
        FailedColumn,
        PlatformColumn,
        CreatedColumn,
        columns
    };

    explicit ExperimentModel(EngineMirror& mirror, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    EngineMirror& m_mirror;
};

/// The progress of an experiment in numbers of trials.
struct Progress
{
    qint64 started = 0; ///< not waiting
    qint64 ended = 0;
    qint64 total = 0; ///< maxTrialNumber, or the number of existing trials
    qint64 failed = 0;
    std::optional<std::pair<qint64, qint64>> end; ///< earliest and latest expected end, ms since the epoch
};
/// The end is forecastEnd() of the durations of succeeded trials. `now` is in milliseconds since the epoch.
[[nodiscard]] Progress progressOf(
    const core::Experiment& experiment, const std::vector<core::TrialPtr>& trials, qint64 now);

} // namespace models
