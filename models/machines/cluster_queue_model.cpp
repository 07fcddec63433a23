// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_queue_model.h"

#include "models/format.h"
#include "models/machine_cells.h"
#include "models/printable.h"

namespace models {

namespace {

QString shareText(const core::QueueShare& share)
{
    return share.total == 0 ? ClusterQueueModel::tr("none")
                            : ClusterQueueModel::tr("%1 of %2 free").arg(countText(share.free), countText(share.total));
}

} // namespace

ClusterQueueModel::ClusterQueueModel(EngineMirror& mirror, QObject* parent)
    : QAbstractTableModel(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->platforms.isEmpty() || !change->removed.platforms.isEmpty())
            refresh();
    });
    refresh();
}

void ClusterQueueModel::refresh()
{
    QList<Row> rows;
    for (const core::PlatformPtr& platform : m_mirror.state().platforms().list())
        for (const core::PlatformQueue& queue : platform->queues)
            rows.append({platform->id, queue});
    if (rows == m_rows)
        return;
    beginResetModel(); // nothing is selected in it
    m_rows = std::move(rows);
    endResetModel();
}

int ClusterQueueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ClusterQueueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

QString ClusterQueueModel::text(const Row& row, int column) const
{
    const core::PlatformQueue& queue = row.queue;
    switch (column) {
    case NameColumn:
        return queue.isDefault ? tr("%1 (default)").arg(printable(queue.name, 80)) : printable(queue.name, 80);
    case PlatformColumn:
        return platformName(row.platform);
    case GpusColumn:
        return shareText(queue.gpus);
    case CpusColumn:
        return shareText(queue.cpus);
    case MachinesColumn:
        return countText(queue.machines);
    case LongestColumn:
        return queue.maxSeconds ? durationText(*queue.maxSeconds * 1'000) : tr("no limit");
    case StateColumn:
        return queue.isOpen ? tr("open") : tr("closed");
    default:
        return {};
    }
}

QVariant ClusterQueueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row& row = m_rows[index.row()];
    const bool isExplained = index.column() == StateColumn && !row.queue.message.isEmpty();
    if (isExplained && (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole))
        return printableLines(row.queue.message);
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return text(row, index.column());
    if (role == ShareRole && (index.column() == GpusColumn || index.column() == CpusColumn)) {
        const core::QueueShare& share = index.column() == GpusColumn ? row.queue.gpus : row.queue.cpus;
        if (share.total > 0)
            return 1 - std::clamp(double(share.free) / double(share.total), 0.0, 1.0);
    }
    return {};
}

QVariant ClusterQueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Partition or queue");
    case PlatformColumn:
        return tr("Platform");
    case GpusColumn:
        return tr("GPUs");
    case CpusColumn:
        return tr("CPUs");
    case MachinesColumn:
        return tr("Machines");
    case LongestColumn:
        return tr("Longest run");
    case StateColumn:
        return tr("State");
    default:
        return {};
    }
}

} // namespace models
