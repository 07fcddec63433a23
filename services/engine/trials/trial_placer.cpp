// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_placer.h"

#include "queue_places.h"

#include "services/trial/ingest_token.h"
#include "services/trial/trial_command.h"
#include "services/trial/trial_state.h"

using namespace Qt::StringLiterals;

namespace engine {

/// How many of a class get the reason why they wait at once; the rest follow within a second, so that a long queue costs little.
static constexpr int toldAtOnce = 64;

TrialPlacer::TrialPlacer(
    EngineState& state, PlatformManager& platforms, MachineRegistry& machines, Scope& scope, Owner owner)
    : m_state(state)
    , m_platforms(platforms)
    , m_machines(machines)
    , m_scope(scope)
    , m_owner(std::move(owner))
{
}

qint64 TrialPlacer::nextOrder()
{
    return m_lastOrder += queueSpacing;
}

void TrialPlacer::enqueue(TrialEntry& entry)
{
    const Trial& trial = *entry.trial;
    noteOrder(trial.queueOrder);
    const ExperimentPtr experiment = m_state.experiment(trial.experimentId);
    if (isClosed(experiment->state)) {
        trial::TrialStep ending =
            trial::applyCancel(trial, CancelIntent::system, entry.state.submitted, m_state.clock().nowMs());
        ending.trial.reason = experiment->state == ExperimentState::error
            ? u"The experiment failed before this trial started."_m
            : u"The experiment was stopped before this trial started."_m;
        ending.journal = ending.trial.reason;
        m_owner.take(entry, ending);
        return;
    }
    m_queue.put({trial.id, trial.experimentId, trial.platformId, trial.priority, trial.queueOrder, trial.hold,
        trial.gpuNumber, trial.wantedMachine});
}

void TrialPlacer::count(const TrialEntry& entry, int by)
{
    m_live[entry.trial->experimentId] += by;
    m_onMachine[entry.trial->machineId] += by;
}

void TrialPlacer::occupy(const TrialEntry& entry)
{
    count(entry, +1);
    m_machines.hold(*entry.trial);
}

void TrialPlacer::leave(const TrialEntry& entry)
{
    if (entry.state.submitted) {
        count(entry, -1);
        m_machines.release(*entry.trial);
    }
    m_queue.remove(entry.trial->id);
    m_setbacks.remove(entry.trial->id);
    m_placings.remove(entry.trial->id);
}

void TrialPlacer::passSoon()
{
    if (m_passTimer)
        return;
    m_passTimer = m_state.clock().after(0, [this] {
        m_passTimer.reset();
        pass();
    });
}

void TrialPlacer::pass()
{
    const qint64 now = m_state.clock().steadyMs();
    if (m_queue.size() == 0 || m_scope.stopToken().stop_requested() || m_backoff.whyResting({}, now))
        return;
    const schedule::Plan plan = schedule::planPlacements(schedulerState(), m_queue);
    if (!plan.placements.isEmpty())
        place(plan.placements);
    explain(plan);
}

schedule::SchedulerState TrialPlacer::schedulerState()
{
    schedule::SchedulerState state;
    state.machines = m_state.machines.values();
    state.platforms = m_state.platforms.values();
    state.trialsOnMachine = m_onMachine;
    state.computers = m_machines.computers();
    for (const auto& [number, kind] : m_queue.classes()) {
        const ExperimentId& id = kind.what.experiment;
        if (state.experiments.contains(id))
            continue;
        if (const ExperimentPtr experiment = m_state.experiment(id))
            state.experiments.insert(id, {experiment->state, experiment->spec.trialConcurrency, int(m_live.value(id))});
    }
    if (m_backoff.isEmpty())
        return state;
    // Machines in backoff take no trials for now, with the reason; the records of clients are unchanged.
    const qint64 now = m_state.clock().steadyMs();
    for (MachinePtr& machine : state.machines) {
        const StartBackoff::Place place{machine->platformId, machine->id};
        if (machine->state != MachineState::ready)
            m_backoff.over(place.platform, place.machine);
        if (const auto why = m_backoff.whyResting(place, now)) {
            auto resting = std::make_shared<Machine>(*machine);
            resting->state = MachineState::failed;
            resting->message = *why;
            machine = resting;
        } else if (const MachinePtr resting = withRestingGpus(*machine, now)) {
            machine = resting;
        }
    }
    for (const PlatformPtr& platform : std::as_const(state.platforms))
        if (const auto why = m_backoff.whyResting({platform->id, {}}, now))
            state.resting.insert(platform->id, *why);
    return state;
}

MachinePtr TrialPlacer::withRestingGpus(const Machine& machine, qint64 now) const
{
    std::shared_ptr<Machine> resting;
    for (qsizetype i = 0; i < machine.gpus.size(); ++i) {
        const QString& uuid = machine.gpus[i].uuid;
        const auto why =
            uuid.isEmpty() ? std::nullopt : m_backoff.whyResting({machine.platformId, machine.id, uuid}, now);
        if (!why)
            continue;
        if (!resting)
            resting = std::make_shared<Machine>(machine);
        resting->gpus[i].reservations.append({GpuHolder::service, {}, 0, why->text()});
    }
    return resting;
}

void TrialPlacer::rest(const StartBackoff::Place& place, const Message& why, qint64 atLeastMs)
{
    m_backoff.failed(place, why, m_state.clock().steadyMs(), atLeastMs);
    passWhenRestEnds();
}

void TrialPlacer::passWhenRestEnds()
{
    const qint64 now = m_state.clock().steadyMs();
    const std::optional<qint64> end = m_backoff.nextEnd(now);
    m_retryTimer.reset();
    if (end)
        m_retryTimer = m_state.clock().after(*end - now, [this] {
            passWhenRestEnds(); // of the others
            passSoon();
        });
}

void TrialPlacer::explain(const schedule::Plan& plan)
{
    bool tails = false;
    for (auto it = plan.waiting.begin(); it != plan.waiting.end(); ++it) {
        const auto kind = m_queue.classes().find(it.key());
        if (kind == m_queue.classes().end() || !it.value())
            continue;
        int told = 0;
        for (const schedule::QueuePosition& position : kind->second.waiting) {
            if (++told > toldAtOnce)
                break;
            setReason(*m_state.trial(position.trial), it.value()->sentence);
        }
        if (told > toldAtOnce && m_sentences.value(it.key()) != it.value()->sentence) {
            m_sentences[it.key()] = it.value()->sentence;
            tails = true;
        }
    }
    if (!tails || m_tailTimer)
        return;
    m_tailTimer = m_state.clock().after(1'000, [this] {
        m_tailTimer.reset();
        for (auto it = m_sentences.begin(); it != m_sentences.end();) {
            const auto kind = m_queue.classes().find(it.key());
            if (kind == m_queue.classes().end()) {
                it = m_sentences.erase(it);
                continue;
            }
            for (const schedule::QueuePosition& position : kind->second.waiting)
                setReason(*m_state.trial(position.trial), *it);
            ++it;
        }
    });
}

void TrialPlacer::setReason(TrialEntry& entry, const Message& reason)
{
    if (entry.trial->reason != reason)
        m_state.change(entry, [&](Trial& trial) { trial.reason = reason; });
}

void TrialPlacer::place(const QList<schedule::Placement>& placements)
{
    QList<TrialId> placed;
    QHash<TrialId, qint64> placings;
    for (const schedule::Placement& placement : placements) {
        TrialEntry* entry = m_state.trial(placement.trial);
        m_queue.remove(placement.trial);
        if (!entry || entry->state.submitted || isFinal(entry->trial->status))
            continue;
        const MachinePtr machine = m_state.machines.value(placement.machine);
        const QString where = machine ? machine->address : entry->trial->platformId.value;
        m_state.change(*entry, [&](Trial& trial) {
            trial.machineId = placement.machine;
            trial.gpuIndices = placement.gpuIndices;
            trial.reason = u"It is being started on %1."_m.arg(where);
        });
        m_state.changeState(*entry, [](store::TrialPrivate& state) {
            state.submitted = true;
            state.started = false;
        });
        m_placings[placement.trial] = ++m_lastPlacing;
        placings.insert(placement.trial, m_lastPlacing);
        occupy(*entry);
        placed.append(placement.trial);
    }
    // Where each went is on disk before anything starts: after a kill we know whom to ask, and never start a second one.
    m_state.save(store::Durability::normal, [this, placed, placings](Result<> saved) mutable {
        // One whose machine was removed meanwhile waits again, or is placed elsewhere by now.
        placed.removeIf([&](const TrialId& id) { return m_placings.value(id) != placings.value(id); });
        if (saved) {
            m_backoff.over(StartBackoff::Place());
            submit(placed);
            return;
        }
        // No placing is kept, so there is none: all placing backs off.
        rest({}, saved.error().message);
        for (const TrialId& id : placed)
            if (TrialEntry* entry = m_state.trial(id))
                backToQueue(*entry, u"It cannot be placed: %1"_m.arg(saved.error().message));
    });
}

void TrialPlacer::submit(const QList<TrialId>& trials)
{
    QMap<PlatformId, QList<platforms::TrialSpec>> specs;
    for (const TrialId& id : trials) {
        TrialEntry* entry = m_state.trial(id);
        if (!entry || isFinal(entry->trial->status))
            continue;
        if (entry->trial->cancelIntent) {
            m_owner.take(
                *entry, trial::applyCancel(*entry->trial, *entry->trial->cancelIntent, false, m_state.clock().nowMs()));
            continue;
        }
        const Result<platforms::TrialSpec> spec = specOf(*entry);
        if (spec)
            specs[entry->trial->platformId].append(*spec);
        else
            settle({id, {}, spec.error(), false}, m_placings.value(id));
    }
    for (auto it = specs.begin(); it != specs.end(); ++it)
        m_scope.spawn([this, platform = it.key(), list = it.value()] { return submitNow(platform, list); });
}

Result<platforms::TrialSpec> TrialPlacer::specOf(const TrialEntry& entry) const
{
    const Trial& trial = *entry.trial;
    const ExperimentSpec& of = m_state.experiment(trial.experimentId)->spec;
    const Result<QString> command =
        trial::renderCommand(trial::withInterpreter(of.trialCommand, of.interpreter), trial.parameters);
    if (!command)
        return fail(command, u"The command cannot be made"_m);
    if (const Result<> fits = trial::checkArgumentSize(
            u"The command with the trial's parameters"_m, command->toUtf8().size() + of.setup.toUtf8().size());
        !fits)
        return fail(fits);
    platforms::TrialSpec spec;
    spec.id = trial.id;
    spec.jobId = trial.jobId();
    spec.experimentId = trial.experimentId;
    spec.sequenceId = trial.formSequenceId;
    spec.command = *command;
    spec.setup = of.setup;
    spec.loginShell = of.loginShell;
    spec.environment = of.environment;
    // NNI's SDK requests further parameters only where MULTI_PHASE is true.
    const PlatformPtr platform = m_state.platforms.value(trial.platformId);
    if (platform && platform->capabilities.parameters && m_platforms.metadata().isMultiPhase(trial.platformId)
        && !of.environment.contains(u"MULTI_PHASE"_s))
        spec.environment.insert(u"MULTI_PHASE"_s, u"true"_s);
    if (const IngestAccess& ingest = m_platforms.config().ingest; !ingest.url.isEmpty()) {
        spec.environment.insert(trial::ingestUrlVariable, ingest.url + u"/ingest/v1/"_s + trial.id.value);
        spec.environment.insert(
            trial::ingestTokenVariable, QString::fromLatin1(trial::ingestToken(ingest.key, trial.id)));
    }
    spec.parameterCfg = trial.parameterCfg;
    spec.parameters = trial.parameters;
    if (of.codeInPlace && !of.codeDir.isEmpty()) {
        spec.code.kind = platforms::CodeSource::Kind::inPlace;
        spec.code.folder = of.codeDir;
    } else if (!of.codeHash.isEmpty()) {
        spec.code.kind = platforms::CodeSource::Kind::snapshot;
        spec.code.sha = of.codeHash;
        spec.code.folder = m_platforms.codeFolder(of.codeHash);
    }
    spec.gpuNumber = trial.gpuNumber;
    spec.machineId = trial.machineId;
    spec.gpuIndices = trial.gpuIndices;
    spec.stdoutWatch = of.metricPattern.isEmpty() ? platforms::StdoutWatch::sdk : platforms::StdoutWatch::all;
    spec.platformOptions = of.platformOptions;
    return spec;
}

Task<> TrialPlacer::submitNow(PlatformId id, QList<platforms::TrialSpec> specs)
{
    platforms::Platform* platform = m_platforms.ready(id);
    QHash<TrialId, qint64> placings;
    for (const platforms::TrialSpec& spec : specs)
        placings.insert(spec.id, m_placings.value(spec.id));
    QList<platforms::SubmitOutcome> outcomes;
    if (platform) {
        outcomes = co_await platform->submit(specs);
    } else {
        // Closed between placing and now: nothing was handed over.
        for (const platforms::TrialSpec& spec : specs)
            outcomes.append(
                {spec.id, {}, Error{Kind::resource, u"The platform %1 is not open."_m.arg(id.value), {}}, false});
    }
    for (const platforms::SubmitOutcome& outcome : std::as_const(outcomes))
        settle(outcome, placings.value(outcome.trial));
}

void TrialPlacer::settle(const platforms::SubmitOutcome& outcome, qint64 placing)
{
    TrialEntry* entry = m_state.trial(outcome.trial);
    if (!entry || isFinal(entry->trial->status) || m_placings.value(outcome.trial) != placing)
        return;
    // A submit to several machines answers when the last of them has. Its trial may have been adopted before that, and be observed.
    if ((outcome.error || outcome.unknown || outcome.later) && entry->state.started)
        return;
    if (outcome.later) {
        rest({entry->trial->platformId, {}}, outcome.later->reason, outcome.later->retryAfterMs.value_or(0));
        backToQueue(*entry, outcome.later->reason);
        return;
    }
    if (outcome.unknown) {
        m_owner.take(*entry, trial::applySubmitOutcome(*entry->trial, outcome, m_state.clock().nowMs()));
        return;
    }
    StartBackoff::Place place{entry->trial->platformId, entry->trial->machineId};
    // Of what it was given: by the machine's record, whatever its agent says.
    QStringList gpus;
    if (const MachinePtr machine = m_state.machines.value(place.machine)) {
        for (const Gpu& gpu : machine->gpus)
            if (entry->trial->gpuIndices.contains(gpu.index))
                gpus.append(gpu.uuid);
    }
    if (!outcome.error) {
        m_backoff.over(place);
        m_backoff.over({place.platform, {}});
        for (const QString& gpu : std::as_const(gpus))
            m_backoff.over({place.platform, place.machine, gpu});
        m_setbacks.remove(outcome.trial);
        m_state.changeState(*entry, [&](store::TrialPrivate& state) {
            state.handle = outcome.handle;
            state.started = true;
        });
        if (entry->trial->cancelIntent)
            m_owner.sendCancel(*entry);
        m_state.saveSoon(store::Durability::normal);
        return;
    }
    if (outcome.error->kind == Kind::cancelled || (retryable(outcome.error->kind) && !entry->trial->cancelIntent)) {
        if (gpus.contains(outcome.gpu))
            place.gpu = outcome.gpu;
        rest(place, outcome.error->message);
        backToQueue(*entry, outcome.error->message);
        return;
    }
    m_owner.take(*entry, trial::applySubmitOutcome(*entry->trial, outcome, m_state.clock().nowMs()));
}

void TrialPlacer::backToQueue(TrialEntry& entry, const Message& reason)
{
    if (isFinal(entry.trial->status))
        return;
    m_placings.remove(entry.trial->id);
    count(entry, -1);
    m_machines.release(*entry.trial);
    m_state.change(entry, [&](Trial& trial) {
        trial.status = TrialStatus::waiting;
        trial.machineId = MachineId();
        trial.gpuIndices.clear();
        trial.reason = reason;
    });
    m_state.changeState(entry, [](store::TrialPrivate& state) { state.submitted = state.started = false; });
    if (Message& told = m_setbacks[entry.trial->id]; told != reason) {
        told = reason;
        m_state.event(entry, TrialEventKind::placed, u"Back to the queue: %1"_m.arg(reason));
    }
    m_state.saveSoon(store::Durability::normal);
    if (entry.trial->cancelIntent)
        m_owner.take(
            entry, trial::applyCancel(*entry.trial, *entry.trial->cancelIntent, false, m_state.clock().nowMs()));
    else
        enqueue(entry);
}

} // namespace engine
