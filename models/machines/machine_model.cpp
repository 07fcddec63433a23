// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_model.h"

#include "running_trials.h"

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

void MachineModel::countTrials(const RunningTrials& running)
{
    m_running = &running;
    connect(&running, &RunningTrials::changed, this, [this](const QSet<MachineId>& machines) {
        for (int row = 0; row < rowCount(); ++row)
            if (machines.contains(records()[row]->id))
                emit dataChanged(index(row, TrialsColumn), index(row, TrialsColumn));
    });
    repaint();
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
    if (m_filter.isEmpty())
        return true;
    static const QRegularExpression freeMoreThan(u"^free>(\\d+)$"_s);
    QStringList words{machineName(machine, m_mirror.state()), machine.id.value, machine.platformId.value,
        platformName(machine.platformId), machine.address, machineStateName(machine.state)};
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
    case GpusColumn:
        return tr("GPUs");
    case FreeColumn:
        return tr("Free");
    case UseColumn:
        return tr("GPU use");
    case MemoryColumn:
        return tr("Memory");
    case TrialsColumn:
        return tr("Trials");
    case LoadColumn:
        return tr("CPU");
    case DiskColumn:
        return tr("Disk free");
    case PlatformColumn:
        return tr("Platform");
    case ModelColumn:
        return tr("Model");
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
    if (role == SortRole)
        return sortKeyOf(*m, index.column());
    if (role == Qt::AccessibleTextRole && index.column() == GpusColumn) {
        const GpuCounts counts = gpuCounts(*m);
        return tr("%1 GPUs: %2 ours, %3 of others, %4 free")
            .arg(counts.gpus)
            .arg(counts.ours)
            .arg(counts.foreign)
            .arg(counts.free);
    }
    return role == Qt::DisplayRole ? textOf(*m, index.column()) : QVariant();
}

int MachineModel::freeGpus(const Machine& machine) const
{
    return gpuCounts(machine).free;
}

/// Percent, on average; absent: none of its GPUs reports it.
static std::optional<double> useOf(const Machine& machine)
{
    int sum = 0;
    int number = 0;
    for (const Gpu& gpu : machine.gpus)
        if (gpu.utilization) {
            sum += *gpu.utilization;
            ++number;
        }
    return number > 0 ? std::optional(double(sum) / number) : std::nullopt;
}

QString MachineModel::textOf(const Machine& machine, int column) const
{
    switch (column) {
    case NameColumn:
        return machineName(machine, m_mirror.state());
    case StateColumn:
        return machineStateName(machine.state);
    case FreeColumn:
        return machine.gpus.isEmpty() ? QString() : QLocale().toString(freeGpus(machine));
    case UseColumn: {
        const std::optional<double> use = useOf(machine);
        return use ? tr("%1 %").arg(qRound(*use)) : QString();
    }
    case MemoryColumn:
        return machine.memoryTotal > 0 ? tr("%1 of %2")
                                             .arg(QLocale().formattedDataSize(machine.memoryUsed, 0),
                                                 QLocale().formattedDataSize(machine.memoryTotal, 0))
                                       : QString();
    case TrialsColumn:
        return m_running ? QLocale().toString(m_running->count(machine.id)) : QString();
    case LoadColumn:
        return machine.cpuPercent ? tr("%1 %").arg(qRound(*machine.cpuPercent)) : QString();
    case DiskColumn:
        return machine.diskFree > 0 ? QLocale().formattedDataSize(machine.diskFree, 0) : QString();
    case PlatformColumn:
        return platformName(machine.platformId);
    case ModelColumn:
        return modelLine(machine);
    case ContactColumn:
        return machine.lastContact > 0 ? QDateTime::fromMSecsSinceEpoch(machine.lastContact).toString(u"HH:mm:ss"_s)
                                       : QString();
    default:
        return {};
    }
}

QVariant MachineModel::sortKeyOf(const Machine& machine, int column) const
{
    switch (column) {
    case StateColumn:
        return int(machine.state);
    case GpusColumn:
        return qint64(machine.gpus.size());
    case FreeColumn:
        return machine.gpus.isEmpty() ? -1 : freeGpus(machine);
    case UseColumn:
        return useOf(machine).value_or(-1);
    case MemoryColumn:
        return machine.memoryTotal > 0 ? double(machine.memoryUsed) / double(machine.memoryTotal) : -1.0;
    case TrialsColumn:
        return m_running ? m_running->count(machine.id) : 0;
    case LoadColumn:
        return machine.cpuPercent.value_or(-1);
    case DiskColumn:
        return machine.diskFree;
    case ContactColumn:
        return machine.lastContact;
    default:
        return textOf(machine, column);
    }
}

} // namespace models
