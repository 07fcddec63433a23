// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_model.h"

#include "models/machine_cells.h"
#include "models/format.h"
#include "models/printable.h"

#include "services/core/message/localized.h"

#include <QDateTime>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

namespace {

constexpr size_t mostEvents = 20'000;
constexpr size_t mostTrialsAtStart = 5'000; ///< of a full state: only the latest ones become events

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

/// How a trial ended.
QString endOf(const Trial& trial)
{
    switch (trial.status) {
    case TrialStatus::succeeded:
        return trial.bestMetric ? EventModel::tr("Succeeded, best %1.").arg(metricText(*trial.bestMetric))
                                : EventModel::tr("Succeeded.");
    case TrialStatus::failed:
        return EventModel::tr("Failed: %1").arg(core::localized(trial.reason));
    case TrialStatus::early_stopped:
        return EventModel::tr("Stopped early.");
    default:
        return EventModel::tr("Cancelled.");
    }
}

/// The event's text for the experiment's current state. `before` is not set for a new experiment.
QString textOf(const Experiment& experiment, std::optional<ExperimentState> before)
{
    switch (experiment.state) {
    case ExperimentState::preparing:
        return EventModel::tr("Created.");
    case ExperimentState::running:
        return before == ExperimentState::paused ? EventModel::tr("Resumed.") : EventModel::tr("Running.");
    case ExperimentState::paused:
        return EventModel::tr("Paused: running trials go on, no new ones are placed.");
    case ExperimentState::stopping:
        return EventModel::tr("Stopping.");
    case ExperimentState::stopped:
        return EventModel::tr("Stopped.");
    case ExperimentState::done:
        return experiment.best ? EventModel::tr("Done. Best %1.").arg(metricText(experiment.best->value))
                               : EventModel::tr("Done.");
    case ExperimentState::error:
        return EventModel::tr("Error: %1").arg(core::localized(experiment.message));
    }
    return {};
}

QString textOf(const Machine& machine)
{
    switch (machine.state) {
    case MachineState::connecting:
        return EventModel::tr("Connecting.");
    case MachineState::ready:
        return EventModel::tr("Ready.");
    case MachineState::question:
        return EventModel::tr("Has a question: %1").arg(core::localized(machine.message));
    case MachineState::silent:
        return EventModel::tr("Silent. Its trials go on; nothing is stopped.");
    case MachineState::drained:
        return EventModel::tr("Drained: takes no new trials.");
    case MachineState::failed:
        return EventModel::tr("Failed: %1").arg(core::localized(machine.message));
    }
    return {};
}

QString textOf(const Platform& platform)
{
    const QString message = core::localized(platform.message);
    switch (platform.state) {
    case PlatformState::opening:
        return EventModel::tr("Connecting.");
    case PlatformState::ready:
        return message.isEmpty() ? EventModel::tr("Ready.") : EventModel::tr("Ready: %1").arg(message);
    case PlatformState::question:
        return EventModel::tr("Has a question: %1").arg(message);
    case PlatformState::silent:
        return EventModel::tr("Silent. Its trials go on; nothing is stopped.");
    case PlatformState::failed:
        return EventModel::tr("Failed: %1").arg(message);
    case PlatformState::closed:
        return EventModel::tr("Closed.");
    }
    return {};
}

} // namespace

EventModel::EventModel(EngineMirror& mirror, QObject* parent)
    : QAbstractTableModel(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full)
            rebuild();
        else
            take(*change);
    });
    rebuild();
}

int EventModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_shown.size());
}

int EventModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn:
        return tr("Time");
    case SubjectColumn:
        return tr("What");
    case TextColumn:
        return tr("Event");
    default:
        return {};
    }
}

QVariant EventModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Event& event = m_shown[size_t(index.row())];
    if (role == Qt::ToolTipRole)
        return printable(event.text, 2000);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case TimeColumn: {
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(event.time);
        return time.toString(time.date() == QDate::currentDate() ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s);
    }
    case SubjectColumn:
        return printable(event.subject, 200);
    case TextColumn:
        return printable(event.text);
    default:
        return {};
    }
}

void EventModel::collect(const Trial& trial, const Trial* before, std::vector<Event>& into) const
{
    const auto put = [&](qint64 time, const QString& text, std::optional<TrialStatus> status) {
        into.push_back({time, Event::Sort::trial, tr("Trial %1").arg(trial.sequenceId), text, trial.id,
            trial.experimentId, trial.machineId, status});
    };
    if (!before)
        put(trial.submitTime, trial.attempt > 1 ? tr("Submitted, attempt %1.").arg(trial.attempt) : tr("Submitted."),
            TrialStatus::waiting);
    if (trial.startTime && (!before || before->startTime != trial.startTime)) {
        QString where;
        const MachinePtr machine = m_mirror.state().machines().find(trial.machineId);
        if (machine)
            where = machineName(*machine, m_mirror.state());
        QStringList gpus;
        for (const int index : trial.gpuIndices)
            gpus += QString::number(index);
        put(*trial.startTime,
            where.isEmpty()      ? tr("Started.")
                : gpus.isEmpty() ? tr("Started on %1.").arg(where)
                                 : tr("Started on %1, GPU %2.").arg(where, gpus.join(u", "_s)),
            TrialStatus::running);
    }
    if (before && trial.status == TrialStatus::unknown && before->status != TrialStatus::unknown)
        put(now(), tr("No contact: %1").arg(core::localized(trial.reason)), TrialStatus::unknown);
    if (before && before->status == TrialStatus::unknown && trial.status == TrialStatus::running)
        put(now(), tr("Contact again."), TrialStatus::running);
    if (!isFinal(trial.status) || (before && isFinal(before->status)))
        return;
    const qint64 end = trial.endTime.value_or(now());
    put(end, endOf(trial), trial.status);
}

void EventModel::rebuild()
{
    const api::Mirror& state = m_mirror.state();
    std::vector<Event> events;
    m_trials.clear();
    const auto& trials = state.trials();
    const size_t first = trials.size() > mostTrialsAtStart ? trials.size() - mostTrialsAtStart : 0;
    m_trials.reserve(qsizetype(trials.size()));
    for (size_t i = 0; i < trials.size(); ++i) {
        m_trials.insert(trials[i]->id, trials[i]);
        if (i >= first)
            collect(*trials[i], nullptr, events);
    }
    m_experiments.clear();
    for (const ExperimentPtr& e : state.experiments().list()) {
        m_experiments.insert(e->id, e->state);
        events.push_back({e->createdTime, Event::Sort::experiment, e->spec.name, tr("Created."), {}, e->id, {}, {}});
        if (e->endTime)
            events.push_back({*e->endTime, Event::Sort::experiment, e->spec.name, tr("Ended."), {}, e->id, {}, {}});
    }
    m_machines.clear();
    for (const MachinePtr& machine : state.machines().list())
        m_machines.insert(machine->id, machine->state);
    m_platforms.clear();
    for (const PlatformPtr& platform : state.platforms().list())
        m_platforms.insert(platform->id, platform->state);

    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time > b.time; });
    if (events.size() > mostEvents)
        events.resize(mostEvents);
    beginResetModel();
    m_all.assign(events.begin(), events.end());
    m_shown.clear();
    for (const Event& event : m_all)
        if (fits(event))
            m_shown.push_back(event);
    endResetModel();
}

void EventModel::take(const api::Change& change)
{
    std::vector<Event> events;
    takeTrials(change, events);
    for (const ExperimentPtr& experiment : change.experiments)
        takeExperiment(*experiment, events);
    for (const MachinePtr& machine : change.machines)
        takeMachine(*machine, events);
    takePlatforms(change, events);
    for (const OperationPtr& request : change.requests)
        if (request->state != core::OperationState::running && request->endTime && now() - *request->endTime < 60'000)
            events.push_back({*request->endTime, Event::Sort::request, request->subject,
                request->state == core::OperationState::succeeded
                    ? tr("Check passed.")
                    : tr("Check failed: %1").arg(core::localized(request->message)),
                {}, {}, {}, {}});
    if (!events.empty()) {
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time > b.time; });
        add(std::move(events));
    }
}

void EventModel::takeTrials(const api::Change& change, std::vector<Event>& into)
{
    for (const TrialPtr& trial : change.trials) {
        const TrialPtr before = m_trials.value(trial->id);
        if (!before || before->status != trial->status || before->startTime != trial->startTime)
            collect(*trial, before.get(), into);
        m_trials.insert(trial->id, trial);
    }
    for (const TrialId& id : change.removed.trials)
        m_trials.remove(id);
}

void EventModel::takeExperiment(const Experiment& experiment, std::vector<Event>& into)
{
    const auto it = m_experiments.constFind(experiment.id);
    const std::optional before = it == m_experiments.cend() ? std::nullopt : std::optional(*it);
    m_experiments.insert(experiment.id, experiment.state);
    if (before == experiment.state)
        return;
    into.push_back(
        {now(), Event::Sort::experiment, experiment.spec.name, textOf(experiment, before), {}, experiment.id, {}, {}});
    if (experiment.state == ExperimentState::done || experiment.state == ExperimentState::error)
        emit noteworthy(into.back());
}

void EventModel::takeMachine(const Machine& machine, std::vector<Event>& into)
{
    const auto it = m_machines.constFind(machine.id);
    const bool isNew = it == m_machines.cend() || *it != machine.state;
    m_machines.insert(machine.id, machine.state);
    if (!isNew)
        return;
    into.push_back(
        {now(), Event::Sort::machine, machineName(machine, m_mirror.state()), textOf(machine), {}, {}, machine.id, {}});
    if (machine.state == MachineState::silent || machine.state == MachineState::question)
        emit noteworthy(into.back());
}

void EventModel::takePlatforms(const api::Change& change, std::vector<Event>& into)
{
    for (const PlatformPtr& platform : change.platforms) {
        const auto it = m_platforms.constFind(platform->id);
        if (it == m_platforms.cend() || *it != platform->state)
            into.push_back(
                {now(), Event::Sort::platform, platformName(platform->id), textOf(*platform), {}, {}, {}, {}});
        m_platforms.insert(platform->id, platform->state);
    }
    for (const PlatformId& id : change.removed.platforms) {
        m_platforms.remove(id);
        into.push_back({now(), Event::Sort::platform, id.value, tr("Removed."), {}, {}, {}, {}});
    }
}

void EventModel::add(std::vector<Event> events)
{
    std::vector<Event> shown;
    std::copy_if(events.begin(), events.end(), std::back_inserter(shown), [this](const Event& e) { return fits(e); });
    m_all.insert(m_all.begin(), events.begin(), events.end());
    if (m_all.size() > mostEvents)
        m_all.resize(mostEvents);
    if (shown.empty())
        return;
    beginInsertRows({}, 0, int(shown.size()) - 1);
    m_shown.insert(m_shown.begin(), shown.begin(), shown.end());
    endInsertRows();
    if (m_shown.size() > mostEvents) {
        beginRemoveRows({}, int(mostEvents), int(m_shown.size()) - 1);
        m_shown.resize(mostEvents);
        endRemoveRows();
    }
}

bool EventModel::fits(const Event& event) const
{
    if (!m_experiment.isEmpty() && !event.experiment.isEmpty() && event.experiment != m_experiment)
        return false;
    for (QString word : m_filter.split(u' ', Qt::SkipEmptyParts)) {
        const bool inverted = word.startsWith(u'!');
        if (inverted)
            word.remove(0, 1);
        const bool found = event.subject.contains(word, Qt::CaseInsensitive)
            || core::localized(event.text).contains(word, Qt::CaseInsensitive) || event.trial.value.contains(word);
        if (found == inverted)
            return false;
    }
    return true;
}

void EventModel::setExperiment(const ExperimentId& experiment)
{
    m_experiment = experiment;
    setFilter(m_filter);
}

void EventModel::setFilter(const QString& text)
{
    m_filter = text;
    beginResetModel();
    m_shown.clear();
    for (const Event& event : m_all)
        if (fits(event))
            m_shown.push_back(event);
    endResetModel();
}

} // namespace models
