// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QAbstractTableModel>

namespace models {

/// The partitions, queues and quotas of all clusters, in the order of the platforms. GUI thread.
class ClusterQueueModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        PlatformColumn,
        GpusColumn,
        CpusColumn,
        MachinesColumn,
        LongestColumn,
        StateColumn,
        columns
    };
    enum Role { ShareRole = Qt::UserRole /* the taken part of GPUs or CPUs, 0 to 1; invalid: there are none */ };

    /// `mirror` is not owned and must outlive this.
    explicit ClusterQueueModel(EngineMirror& mirror, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        core::PlatformId platform;
        core::PlatformQueue queue;
        bool operator==(const Row&) const = default;
    };
    void refresh();
    [[nodiscard]] QString text(const Row& row, int column) const;

    EngineMirror& m_mirror;
    QList<Row> m_rows;
};

} // namespace models
