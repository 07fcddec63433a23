// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_model.h"

#include "models/printable.h"

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

/// With more changes than this the whole table is refreshed, which is cheaper.
static constexpr int singly = 256;

static bool isWaiting(const Trial& trial, const ExperimentId& experiment)
{
    return trial.status == TrialStatus::waiting && (experiment.isEmpty() || trial.experimentId == experiment);
}

/// The service's order.
static bool servedBefore(const TrialPtr& a, const TrialPtr& b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->queueOrder != b->queueOrder ? a->queueOrder < b->queueOrder : a->id < b->id;
}

QueueModel::QueueModel(EngineMirror& mirror, QObject* parent)
    : RecordTableModel(parent)
    , m_mirror(mirror)
{
    m_later.setSingleShot(true);
    m_later.setInterval(100);
    connect(&m_later, &QTimer::timeout, this, &QueueModel::refresh);
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) { note(*change); });
    refreshAll();
}

void QueueModel::note(const api::Change& change)
{
    m_allChanged =
        m_allChanged || change.full || !change.removed.trials.isEmpty() || !change.removed.experiments.isEmpty();
    for (const TrialPtr& trial : change.trials)
        m_changed.insert(trial->id);
    if ((m_allChanged || !m_changed.isEmpty()) && !m_later.isActive())
        m_later.start();
}

void QueueModel::setExperiment(const ExperimentId& experiment)
{
    m_experiment = experiment;
    refreshAll();
}

void QueueModel::refresh()
{
    if (m_allChanged || m_changed.size() > singly) {
        refreshAll();
        return;
    }
    for (const TrialId& id : std::exchange(m_changed, {}))
        refreshOne(id);
}

void QueueModel::refreshOne(const TrialId& id)
{
    const TrialPtr now = m_mirror.state().trial(id);
    const bool waits = now && isWaiting(*now, m_experiment);
    const TrialPtr before = m_rows.value(id);
    if (!before && !waits)
        return;
    const auto placeOf = [this](const TrialPtr& trial) {
        return int(std::lower_bound(records().begin(), records().end(), trial, servedBefore) - records().begin());
    };
    if (!waits) {
        const int row = placeOf(before);
        m_rows.remove(id);
        removeRecord(row);
        placesChanged(row);
        return;
    }
    m_rows.insert(id, now);
    if (!before) {
        const int row = placeOf(now);
        insertRecord(row, now);
        placesChanged(row + 1);
        return;
    }
    const int row = placeOf(before);
    int to = placeOf(now);
    if (to > row) // placeOf() counted the moved row itself
        --to;
    moveRecord(row, to);
    changeRecord(to, now);
    if (row != to)
        placesChanged(std::min(row, to));
}

void QueueModel::refreshAll()
{
    m_allChanged = false;
    m_changed.clear();
    m_rows.clear();
    QList<TrialPtr> waiting;
    for (const TrialPtr& trial : m_mirror.state().trials())
        if (isWaiting(*trial, m_experiment)) {
            waiting.append(trial);
            m_rows.insert(trial->id, trial);
        }
    std::sort(waiting.begin(), waiting.end(), servedBefore);
    setRecords(waiting);
    placesChanged(0);
}

/// A place is the row's number, so it changes for all rows from `from` on.
void QueueModel::placesChanged(int from)
{
    if (from < rowCount())
        emit dataChanged(index(from, PlaceColumn), index(rowCount() - 1, PlaceColumn));
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
        return experiment ? printable(experiment->spec.name, 200) : printable(trial->experimentId.value, 80);
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
