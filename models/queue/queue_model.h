// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "models/record_table_model.h"

#include <QSet>

namespace models {

/// Waiting trials in the order in which they are served: priority, then place in the queue. What a change costs grows with what
/// changed, not with the queue.
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

    /// Empty: of all experiments.
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
    QHash<core::TrialId, core::TrialPtr> m_rows; ///< as each stands in the table: where it is follows from it
    QSet<core::TrialId> m_changed;               ///< since the last refresh
    bool m_allChanged = false;
};

/// `2 GPUs`, `no GPU`, `any GPU`: what a trial asks for.
[[nodiscard]] QString needsText(const core::Trial& trial);

} // namespace models
