// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_model.h"

#include "models/machine_cells.h"
#include "models/printable.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

MachineModel::MachineModel(EngineMirror& mirror, QObject* parent)
    : RecordTableModel(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->machines.isEmpty() || !change->removed.machines.isEmpty())
            refresh();
    });
    refresh();
}

void MachineModel::refresh()
{
    QList<MachinePtr> list;
    for (const MachinePtr& machine : m_mirror.state().machines().list())
        if (fits(*machine))
            list.append(machine);
    setRecords(list);
}

void MachineModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    m_filter = text;
    refresh();
}

bool MachineModel::fits(const Machine& machine) const
{
    static const QRegularExpression freeMoreThan(u"^free>(\\d+)$"_s);
    QStringList words{machineName(machine, m_mirror.state()), machine.id.value, machine.platformId.value,
        machine.address, machineStateName(machine.state)};
    int free = 0;
    for (const Gpu& gpu : machine.gpus) {
        const GpuCell cell = gpuCell(machine, gpu, m_mirror.state());
        free += cell.kind == CellKind::free ? 1 : 0;
        words += cell.holder;
        words += gpu.model;
    }
    const QString text = words.join(u'\n');
    for (QString word : m_filter.split(u' ', Qt::SkipEmptyParts)) {
        const bool inverted = word.startsWith(u'!');
        if (inverted)
            word.remove(0, 1);
        bool found = false;
        if (const auto match = freeMoreThan.match(word); match.hasMatch())
            found = free > match.captured(1).toInt();
        else if (word.startsWith(u"state:"_s))
            found = machineStateName(machine.state).compare(word.mid(6), Qt::CaseInsensitive) == 0;
        else
            found = text.contains(word, Qt::CaseInsensitive);
        if (found == inverted)
            return false;
    }
    return true;
}

int MachineModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

QVariant MachineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(
            Qt::AlignVCenter | (section >= FreeColumn && section <= DiskColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Machine");
    case StateColumn:
        return tr("State");
    case PlatformColumn:
        return tr("Platform");
    case ModelColumn:
        return tr("GPUs");
    case FreeColumn:
        return tr("Free");
    case OursColumn:
        return tr("Ours");
    case OthersColumn:
        return tr("Others");
    case LoadColumn:
        return tr("CPU");
    case MemoryColumn:
        return tr("Memory");
    case DiskColumn:
        return tr("Disk free");
    case ContactColumn:
        return tr("Last contact");
    default:
        return {};
    }
}

QVariant MachineModel::data(const QModelIndex& index, int role) const
{
    const MachinePtr m = record(index);
    if (!m)
        return {};
    if (role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    if (role == Qt::ToolTipRole)
        return m->message.isEmpty() ? QVariant() : printable(m->message);
    if (role != Qt::DisplayRole)
        return {};
    const auto count = [&](CellKind kind) {
        int number = 0;
        for (const GpuCell& cell : gpuCells(*m, m_mirror.state()))
            number += cell.kind == kind ? 1 : 0;
        return QString::number(number);
    };
    switch (index.column()) {
    case NameColumn:
        return machineName(*m, m_mirror.state());
    case StateColumn:
        return machineStateName(m->state);
    case PlatformColumn:
        return printable(m->platformId.value, 80);
    case ModelColumn:
        return modelLine(*m);
    case FreeColumn:
        return count(CellKind::free);
    case OursColumn:
        return count(CellKind::ours);
    case OthersColumn:
        return count(CellKind::foreign);
    case LoadColumn:
        return m->cpuPercent ? tr("%1 %").arg(qRound(*m->cpuPercent)) : QString();
    case MemoryColumn:
        return m->memoryTotal > 0
            ? tr("%1 of %2")
                  .arg(QLocale().formattedDataSize(m->memoryUsed, 0), QLocale().formattedDataSize(m->memoryTotal, 0))
            : QString();
    case DiskColumn:
        return m->diskFree > 0 ? QLocale().formattedDataSize(m->diskFree, 0) : QString();
    case ContactColumn:
        return m->lastContact > 0 ? QDateTime::fromMSecsSinceEpoch(m->lastContact).toString(u"HH:mm:ss"_s) : QString();
    default:
        return {};
    }
}

} // namespace models
