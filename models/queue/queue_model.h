// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "models/record_table_model.h"

#include <QSet>

namespace models {

/// Waiting trials in the order in which they are served: by priority, then by place in the queue. The cost of a change depends on
/// its size, not on the length of the queue. GUI thread.
class QueueModel : public RecordTableModel<core::TrialPtr>
{
    Q_OBJECT
public:
    enum Column {
        NumberColumn,
        PlaceColumn,
        ExperimentColumn,
        NeedsColumn,
        PriorityColumn,
        WaitedColumn,
        ReasonColumn,
        columns
    };

    explicit QueueModel(EngineMirror& mirror, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Shows only this experiment's trials; empty: of all.
    void setExperiment(const core::ExperimentId& experiment);

private:
    void note(const api::Change& change);
    void refresh();
    void refreshAll();
    void refreshOne(const core::TrialId& id);
    void placesChanged(int from);

    EngineMirror& m_mirror;
    core::ExperimentId m_experiment;
    QTimer m_later;
    QHash<core::TrialId, core::TrialPtr> m_rows; ///< the record in the table, from which the row is found
    QSet<core::TrialId> m_changed;               ///< since the last refresh
    bool m_allChanged = false;
};

/// The GPUs that a trial requests: `2 GPUs`, `no GPU`, `any GPU`.
[[nodiscard]] QString needsText(const core::Trial& trial);

} // namespace models
