// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "models/record_table_model.h"

namespace models {

class RunningTrials;

/// Machines of all platforms, in the order of their settings; used by the table and by the machine boxes.
class MachineModel : public RecordTableModel<core::MachinePtr>
{
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        StateColumn,
        GpusColumn, ///< painted as cells; their counts as text
        FreeColumn,
        UseColumn, ///< of its GPUs, on average
        MemoryColumn,
        TrialsColumn,
        LoadColumn,
        DiskColumn,
        PlatformColumn,
        ModelColumn,
        ContactColumn,
        columns
    };
    /// A number or text by which the column is sorted; numbers of what is not known are negative.
    enum Role { SortRole = Qt::UserRole };

    explicit MachineModel(EngineMirror& mirror, QObject* parent = nullptr);

    /// Fills the column of trials; `running` is not owned and must outlive the model.
    void countTrials(const RunningTrials& running);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Words that must all match (name, platform, user, model, state); `free>0` and `state:silent` are also supported. `!`
    /// negates a word.
    void setFilter(const QString& text);
    [[nodiscard]] const QString& filter() const { return m_filter; }

private:
    void refresh();
    [[nodiscard]] bool fits(const core::Machine& machine) const;
    [[nodiscard]] QString textOf(const core::Machine& machine, int column) const;
    [[nodiscard]] QVariant sortKeyOf(const core::Machine& machine, int column) const;
    [[nodiscard]] int freeGpus(const core::Machine& machine) const;

    EngineMirror& m_mirror;
    const RunningTrials* m_running = nullptr;
    QString m_filter;
};

} // namespace models
