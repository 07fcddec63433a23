// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_model.h"

#include "models/machine_cells.h"
#include "models/forecast.h"
#include "models/format.h"
#include "models/printable.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

ExperimentModel::ExperimentModel(EngineMirror& mirror, QObject* parent)
    : RecordTableModel(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->experiments.isEmpty() || !change->removed.experiments.isEmpty())
            refresh();
    });
    refresh();
}

void ExperimentModel::refresh()
{
    QList<ExperimentPtr> list = m_mirror.state().experiments().list();
    std::sort(list.begin(), list.end(), [](const ExperimentPtr& a, const ExperimentPtr& b) { return a->id > b->id; });
    setRecords(list);
}

int ExperimentModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

QVariant ExperimentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter
            | (section == BestColumn || section == RunningColumn || section == WaitingColumn || section == FailedColumn
                    ? Qt::AlignRight
                    : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case StateColumn:
        return tr("State");
    case NameColumn:
        return tr("Name");
    case ProgressColumn:
        return tr("Progress");
    case BestColumn:
        return tr("Best");
    case RunningColumn:
        return tr("Running");
    case WaitingColumn:
        return tr("Waiting");
    case FailedColumn:
        return tr("Failed");
    case PlatformColumn:
        return tr("Platform");
    case CreatedColumn:
        return tr("Created");
    default:
        return {};
    }
}

QVariant ExperimentModel::data(const QModelIndex& index, int role) const
{
    const ExperimentPtr e = record(index);
    if (!e)
        return {};
    if (role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    if (role == Qt::ToolTipRole && index.column() == StateColumn && !e->message.isEmpty())
        return printable(e->message);
    if (role == Qt::ToolTipRole && index.column() == CreatedColumn)
        return QLocale().toString(QDateTime::fromMSecsSinceEpoch(e->createdTime), QLocale::LongFormat);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case StateColumn:
        return experimentStateName(e->state);
    case NameColumn:
        return printable(e->spec.name, 200);
    case ProgressColumn: {
        const Progress progress = progressOf(*e, {}, 0);
        return tr("%1 of %2").arg(QLocale().toString(progress.ended), QLocale().toString(progress.total));
    }
    case BestColumn:
        return e->best ? metricText(e->best->value) : QString();
    case RunningColumn:
        return QLocale().toString(e->count(TrialStatus::running));
    case WaitingColumn:
        return QLocale().toString(e->count(TrialStatus::waiting));
    case FailedColumn:
        return QLocale().toString(e->count(TrialStatus::failed));
    case PlatformColumn:
        return platformName(e->spec.platformId);
    case CreatedColumn:
        return clockText(e->createdTime, QDateTime::currentMSecsSinceEpoch());
    default:
        return {};
    }
}

Progress progressOf(const Experiment& experiment, const std::vector<TrialPtr>& trials, qint64 now)
{
    Progress progress;
    for (const TrialStatus status : allTrialStatuses) {
        const qint64 count = experiment.count(status);
        if (isFinal(status))
            progress.ended += count;
        if (status != TrialStatus::waiting)
            progress.started += count;
    }
    progress.failed = experiment.count(TrialStatus::failed);
    progress.total = plannedTrials(experiment);

    const qint64 left = progress.total - progress.ended;
    if (experiment.state != ExperimentState::running || left <= 0)
        return progress;
    std::vector<qint64> took;
    for (const TrialPtr& trial : trials)
        if (trial->status == TrialStatus::succeeded && trial->startTime && trial->endTime)
            took.push_back(*trial->endTime - *trial->startTime);
    progress.end = forecastEnd(std::move(took), left, experiment.spec.trialConcurrency, now);
    return progress;
}

} // namespace models
