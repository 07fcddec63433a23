// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_model.h"

#include "printable.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

QString needsText(const Trial& trial)
{
    if (!trial.gpuNumber)
        return QCoreApplication::translate("models::QueueModel", "no GPU of its own");
    if (*trial.gpuNumber == 0)
        return QCoreApplication::translate("models::QueueModel", "CPU only");
    return QCoreApplication::translate("models::QueueModel", "%n GPU(s)", nullptr, *trial.gpuNumber);
}

QueueModel::QueueModel(EngineMirror& mirror, QObject* parent)
    : RecordTableModel(parent)
    , m_mirror(mirror)
{
    m_later.setSingleShot(true);
    m_later.setInterval(100);
    connect(&m_later, &QTimer::timeout, this, &QueueModel::refresh);
    connect(&mirror, &EngineMirror::changed, this, [this](const engine::ChangePtr& change) {
        if (change->full || !change->trials.isEmpty() || !change->removed.trials.isEmpty())
            refreshSoon();
    });
    refresh();
}

void QueueModel::refreshSoon()
{
    if (!m_later.isActive())
        m_later.start();
}

void QueueModel::setExperiment(const ExperimentId& experiment)
{
    m_experiment = experiment;
    refresh();
}

void QueueModel::refresh()
{
    QList<TrialPtr> waiting;
    for (const TrialPtr& trial : m_mirror.state().trials())
        if (trial->status == TrialStatus::waiting && (m_experiment.isEmpty() || trial->experimentId == m_experiment))
            waiting.append(trial);
    std::sort(waiting.begin(), waiting.end(), [](const TrialPtr& a, const TrialPtr& b) {
        if (a->priority != b->priority)
            return a->priority > b->priority;
        return a->id < b->id;
    });
    setRecords(waiting);
    if (!waiting.isEmpty()) // Places are counted, so they change with every row before them.
        emit dataChanged(index(0, PlaceColumn), index(rowCount() - 1, PlaceColumn));
}

int QueueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter
            | (section == PlaceColumn || section == NumberColumn || section == PriorityColumn || section == WaitedColumn
                    ? Qt::AlignRight
                    : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case PlaceColumn:
        return tr("Place");
    case NumberColumn:
        return tr("#");
    case ExperimentColumn:
        return tr("Experiment");
    case NeedsColumn:
        return tr("Needs");
    case PriorityColumn:
        return tr("Priority");
    case WaitedColumn:
        return tr("Submitted");
    case ReasonColumn:
        return tr("Why it waits");
    default:
        return {};
    }
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    const TrialPtr trial = record(index);
    if (!trial)
        return {};
    if (role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    if (role == Qt::ToolTipRole)
        return printable(trial->reason, 2000);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case PlaceColumn:
        return QLocale().toString(index.row() + 1);
    case NumberColumn:
        return QString::number(trial->sequenceId);
    case ExperimentColumn: {
        const ExperimentPtr experiment = m_mirror.state().experiments().find(trial->experimentId);
        return experiment ? printable(experiment->spec.name, 200) : trial->experimentId.value;
    }
    case NeedsColumn:
        return needsText(*trial);
    case PriorityColumn:
        return QString::number(trial->priority);
    case WaitedColumn:
        return QDateTime::fromMSecsSinceEpoch(trial->submitTime).toString(u"HH:mm:ss"_s);
    case ReasonColumn:
        return trial->hold ? tr("Held by you.") : printable(trial->reason);
    default:
        return {};
    }
}

} // namespace models
