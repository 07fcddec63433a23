// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_supervisor.h"

#include "metric_ingest.h"
#include "output_log.h"

#include "services/api/reply_builders.h"
#include "services/core/logging.h"
#include "services/trial/failure_cause.h"
#include "services/trial/objective.h"
#include "services/trial/trial_state.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace engine {

TrialSupervisor::TrialSupervisor(
    EngineState& state, PlatformManager& platforms, MachineRegistry& registry, LeftBehind& left, Scope& scope)
    : m_state(state)
    , m_platforms(platforms)
    , m_machines(registry)
    , m_left(left)
    , m_scope(scope)
    , m_placer(state, platforms, registry, scope,
          {[this](TrialEntry& entry, const trial::TrialStep& step) { take(entry, step); },
              [this](TrialEntry& entry) { m_cancels.want(entry.trial->id); }})
    , m_cancels(state, platforms, scope)
{
    connect(&platforms, &PlatformManager::opened, this, [this](const PlatformId& id) {
        m_placer.backoffOver(id);
        adopt(id);
        passSoon();
    });
    connect(&platforms, &PlatformManager::reconfigured, this,
        [this](const PlatformId& id, const QList<MachineId>& machines) {
            m_placer.backoffOver(id);
            adopt(id, machines);
            passSoon();
        });
    connect(&platforms, &PlatformManager::leftBehind, this, &TrialSupervisor::leftBehind);
    connect(&platforms, &PlatformManager::observed, this, &TrialSupervisor::observed);
    connect(&platforms, &PlatformManager::records, this, &TrialSupervisor::records);
    connect(&platforms, &PlatformManager::lost, this, &TrialSupervisor::lost);
    connect(&platforms, &PlatformManager::progressed, this, [this](const TrialId& id, const Message& text) {
        TrialEntry* entry = m_state.trial(id);
        if (entry && entry->state.submitted && entry->trial->status == TrialStatus::waiting)
            m_placer.setReason(*entry, text);
    });
    connect(
        &platforms, &PlatformManager::noted, this, [this](const TrialId& id, TrialEventKind kind, const Message& text) {
            if (TrialEntry* entry = m_state.trial(id)) {
                m_state.event(*entry, kind, text);
                m_state.saveSoon(store::Durability::normal);
            }
        });
    connect(&registry, &MachineRegistry::roomMade, this, &TrialSupervisor::passSoon);
}

TrialSupervisor::~TrialSupervisor() = default;

void TrialSupervisor::restore()
{
    for (TrialEntry* entry : m_state.trials()) {
        m_placer.noteOrder(entry->trial->queueOrder);
        if (isFinal(entry->trial->status))
            continue;
        m_machines.follow(*entry->trial);
        if (entry->state.submitted)
            m_placer.occupy(*entry);
        else
            enqueue(*entry);
    }
    passSoon();
}

// ------------------------------------------------------------------------------------------------------------ following

platforms::TrialRef TrialSupervisor::refOf(const TrialEntry& entry, const Experiment& experiment)
{
    platforms::TrialRef ref;
    ref.trial = entry.trial->id;
    ref.experiment = entry.trial->experimentId;
    ref.machine = entry.trial->machineId;
    ref.handle = entry.state.handle;
    ref.cursors = {entry.state.nniCursor, entry.state.fileCursor, entry.state.stdoutCursor, entry.state.journalCursor,
        entry.state.cursorAttempt, entry.state.platformCursor};
    ref.stdoutWatch =
        experiment.spec.metricPattern.isEmpty() ? platforms::StdoutWatch::sdk : platforms::StdoutWatch::all;
    return ref;
}

void TrialSupervisor::adopt(const PlatformId& id, const std::optional<QList<MachineId>>& machines)
{
    QList<platforms::TrialRef> refs;
    for (TrialEntry* entry : m_state.trials())
        if (entry->trial->platformId == id && entry->state.submitted && !isFinal(entry->trial->status)
            && (!machines || machines->contains(entry->trial->machineId)))
            refs.append(refOf(*entry, *m_state.experiment(entry->trial->experimentId)));
    if (!refs.isEmpty())
        qCInfo(lcEngine) << "taking up" << refs.size() << "trials of" << id.value;
    // Also without trials: the platform then looks for running trials of ours that are not in the list.
    m_scope.spawn([this, id, refs]() -> Task<> {
        platforms::Platform* platform = m_platforms.ready(id);
        if (!platform)
            co_return;
        const Result<> adopted = co_await platform->adopt(refs);
        if (!adopted)
            qCWarning(lcEngine) << "trials of" << id.value << "could not be taken up:" << adopted.error().message;
        for (const platforms::TrialRef& ref : refs) {
            TrialEntry* entry = m_state.trial(ref.trial);
            if (entry && entry->trial->cancelIntent && !isFinal(entry->trial->status))
                m_cancels.want(entry->trial->id);
        }
    });
}

bool TrialSupervisor::isFrom(const TrialEntry& entry, const PlatformId& platform, const MachineId& machine) const
{
    const Trial& trial = *entry.trial;
    // One that was not submitted, as far as is known here, has no place yet; its platform answers for where it was found.
    const bool isAnywhere = !entry.state.submitted || machine.isEmpty() || trial.machineId.isEmpty();
    if (trial.platformId == platform && (isAnywhere || trial.machineId == machine || !m_state.placesTrials(platform)))
        return true;
    qCWarning(lcEngine) << "a fact about trial" << trial.id.value << "came from" << platform.value << machine.value
                        << "where it was not placed; it does not count";
    return false;
}

void TrialSupervisor::observed(const PlatformId& platform, const platforms::Observation& observation)
{
    TrialEntry* entry = m_state.trial(observation.trial);
    if (!entry || !isFrom(*entry, platform, observation.machine))
        return; // of an experiment that was deleted here, or of another service
    if (isFinal(entry->trial->status) && entry->trial->cancelIntent && observation.status == TrialStatus::running) {
        m_cancels.wantOnce(entry->trial->id);
        return;
    }
    if (isFinal(entry->trial->status) && !m_ingests.contains(entry->trial->id)) {
        apply(*entry, observation);
        return;
    }
    if (entry->trial->cancelIntent && isFinal(observation.status))
        ingestOf(*entry).hurry();
    // Behind what is still being read of its streams: metrics come before the end.
    ingestOf(*entry).after([this, id = observation.trial, observation] {
        if (TrialEntry* again = m_state.trial(id))
            apply(*again, observation);
    });
}

void TrialSupervisor::apply(TrialEntry& entry, const platforms::Observation& observation)
{
    if (isFinal(entry.trial->status))
        return;
    const bool isLost = observation.failureClass == FailureClass::trialFolderLost;
    if ((isLost || observation.failureClass == FailureClass::neverStarted) && !entry.state.started
        && entry.trial->status != TrialStatus::running) {
        // Placed, but the start never reached the machine or the cluster: it simply waits again.
        const Message why = isLost || observation.reason.isEmpty()
            ? u"It had not been started when the service ended."_m
            : observation.reason;
        m_placer.backToQueue(entry, why);
        passSoon();
        return;
    }
    if (!entry.state.submitted) {
        // Found running where we did not know of it: the start reached the machine, the note of it was lost with the power.
        m_placer.dequeue(entry.trial->id);
        m_state.change(entry, [&](Trial& trial) { trial.machineId = observation.machine; });
        m_state.changeState(entry, [](store::TrialPrivate& state) { state.submitted = true; });
        m_placer.occupy(entry);
    }
    m_state.changeState(entry, [&](store::TrialPrivate& state) {
        state.started = true;
        state.journalCursor = std::max(state.journalCursor, observation.journalCursor);
    });
    if (observation.attempt > 0 && observation.attempt != entry.state.attempt && canRequeue(entry.trial->platformId)) {
        if (observation.attempt < entry.state.attempt)
            return; // of a run that the platform gave up
        takeAttempt(entry, observation);
    }
    if (!observation.platformCursor.isEmpty())
        ingestOf(entry).keepCursor(entry, observation.platformCursor);
    take(entry, trial::applyObservation(*entry.trial, observation, m_state.clock().nowMs()));
    // It was running when the service ended, and nothing changed since.
    if (entry.trial->status == TrialStatus::running && !entry.deadline)
        armDeadline(entry);
}

bool TrialSupervisor::canRequeue(const PlatformId& platform) const
{
    const PlatformPtr record = m_state.platforms.value(platform);
    return record && record->capabilities.requeue;
}

void TrialSupervisor::takeAttempt(TrialEntry& entry, const platforms::Observation& observation)
{
    m_state.changeState(entry, [&](store::TrialPrivate& state) { state.attempt = observation.attempt; });
    if (!entry.trial->startTime)
        return; // the run before had not begun, as far as is known
    const Message why = observation.status == TrialStatus::waiting ? observation.reason : Message();
    take(entry, trial::applyRequeue(*entry.trial, why, m_state.clock().nowMs()));
}

void TrialSupervisor::take(TrialEntry& entry, const trial::TrialStep& step)
{
    m_state.change(entry, [&](Trial& trial) { trial = step.trial; });
    m_machines.follow(*entry.trial);
    if (!step.journal.isEmpty())
        m_state.event(entry, step.statusChanged ? TrialEventKind::status : TrialEventKind::cancel, step.journal);
    if (!step.statusChanged) {
        m_state.saveSoon(store::Durability::normal);
        return;
    }
    if (isFinal(entry.trial->status)) {
        finished(entry);
        return;
    }
    if (entry.trial->status == TrialStatus::running)
        armDeadline(entry);
    else if (entry.trial->status == TrialStatus::waiting)
        entry.deadline.reset(); // the limit counts from its next start
    // Also of one that waits there: a cancel is not sent while it is not known whether the submit was taken.
    if (entry.trial->cancelIntent && entry.state.started && entry.trial->status != TrialStatus::unknown)
        m_cancels.want(entry.trial->id);
    m_state.saveSoon(store::Durability::full);
}

void TrialSupervisor::finished(TrialEntry& entry)
{
    if (const auto ingest = m_ingests.find(entry.trial->id); ingest != m_ingests.end())
        ingest->second->finish(entry);
    if (!entry.trial->finalMetric && entry.trial->latestMetric)
        m_state.change(entry, [](Trial& trial) { trial.finalMetric = trial.latestMetric; });
    m_placer.leave(entry);
    m_cancels.over(entry.trial->id);
    entry.deadline.reset();
    m_state.saveSoon(store::Durability::full);
    if (entry.trial->status == TrialStatus::failed && entry.trial->exitCode)
        explainFailure(entry);
    showResult(entry);
    const ExperimentId experiment = entry.trial->experimentId;
    // Not from inside the ingest, whose callback this may be.
    QMetaObject::invokeMethod(
        this,
        [this, id = entry.trial->id] {
            if (const TrialEntry* ended = m_state.trial(id); !ended || isFinal(ended->trial->status))
                m_ingests.erase(id);
        },
        Qt::QueuedConnection);
    passSoon();
    if (entry.trial->failureClass == FailureClass::startFailed)
        emit startFailed(experiment);
    emit trialEnded(experiment);
}

void TrialSupervisor::showResult(const TrialEntry& entry)
{
    platforms::Platform* platform = m_platforms.ready(entry.trial->platformId);
    const std::optional<MetricSummary>& final = entry.trial->finalMetric;
    if (!final || !platform || !platform->showsResults())
        return;
    const ExperimentPtr experiment = m_state.experiment(entry.trial->experimentId);
    const Objective& objective = experiment->spec.objective;
    const std::optional<double> value = trial::objectiveValue(final->value, objective);
    if (!value || !std::isfinite(*value))
        return;
    platforms::TrialResult result;
    result.trial = refOf(entry, *experiment);
    result.metric = objective.metric;
    result.value = *value;
    result.step = final->step.value_or(final->sequence);
    result.time = final->time;
    platform->showResult(result);
}

void TrialSupervisor::explainFailure(TrialEntry& entry)
{
    // The last words on stderr, or where there are none those of its output, say more than an exit code; read once, when there is time.
    const platforms::TrialRef ref = refOf(entry, *m_state.experiment(entry.trial->experimentId));
    m_scope.spawn([this, ref, platformId = entry.trial->platformId]() -> Task<> {
        platforms::Platform* platform = m_platforms.ready(platformId);
        if (!platform)
            co_return;
        platforms::ReadRange range;
        range.tail = 8 * 1024;
        QString name = u"stderr"_s;
        Result<platforms::Bytes> read = co_await platform->readLog(ref, name, range);
        // A platform may have one log for both.
        const bool isAbsent = !read && read.error().kind == Kind::not_found;
        if (isAbsent || (read && trial::errorLine(read->bytes).isEmpty())) {
            auto looking = outputLogs(&m_platforms, platformId, ref);
            const QStringList names = co_await looking;
            name = names.first();
            platform = m_platforms.ready(platformId);
            if (!platform)
                co_return;
            read = co_await platform->readLog(ref, name, range);
        }
        TrialEntry* failed = m_state.trial(ref.trial);
        if (!read || !failed)
            co_return;
        const QString line = trial::errorLine(read->bytes);
        if (line.isEmpty() || failed->trial->reason.contains(line))
            co_return;
        m_state.change(*failed, [&](Trial& trial) { trial.reason += errorLineMark(name) + line; });
        m_state.saveSoon(store::Durability::normal);
    });
}

void TrialSupervisor::records(const PlatformId& platform, const platforms::RecordBytes& bytes)
{
    TrialEntry* entry = m_state.trial(bytes.trial);
    if (!entry || isFinal(entry->trial->status) || !isFrom(*entry, platform, bytes.machine))
        return;
    ingestOf(*entry).feed(*entry, bytes);
}

Task<Result<api::PostReply>> TrialSupervisor::post(api::PostMetrics post)
{
    using enum api::PostReply::Verdict;
    TrialEntry* entry = m_state.trial(post.trial);
    if (!entry || (!post.jobId.isEmpty() && post.jobId != entry->trial->jobId() && post.jobId != post.trial.value))
        co_return fail(Kind::not_found, u"There is no such trial any more."_m);
    api::PostReply reply{taken, entry->state.postedCursor};
    if (isFinal(entry->trial->status)) {
        reply.verdict = ended;
    } else if (!entry->state.submitted) {
        reply.verdict = notStarted;
    } else if (post.hasOffsets && post.run < entry->state.postedRun) {
        reply.verdict = earlierRun;
    } else if (const std::optional<Error>& failure = m_state.failure()) {
        co_return tl::unexpected(*failure); // what cannot be written is not gathered in memory
    } else {
        // Also of a trial whose start was not observed yet: the word of it travels on another way.
        const MetricIngest::Posted posted = ingestOf(*entry).post(*entry, *post.metrics, post.hasOffsets, post.run);
        reply.offset = posted.next;
        reply.verdict = posted.isGap ? gap : taken;
    }
    // Also where nothing is new: what an earlier post brought may not be written yet.
    const Result<> saved = co_await m_state.saved(store::Durability::normal);
    if (!saved)
        co_return fail(saved);
    co_return reply;
}

MetricIngest& TrialSupervisor::ingestOf(const TrialEntry& entry)
{
    std::unique_ptr<MetricIngest>& ingest = m_ingests[entry.trial->id];
    if (!ingest)
        ingest = std::make_unique<MetricIngest>(m_state, entry, m_scope, m_patterns);
    return *ingest;
}

void TrialSupervisor::lost(const PlatformId& platform, const MachineId& machine, qint64 since)
{
    m_machines.lost(platform, machine, since);
    m_placer.backoffOver(platform, machine); // it is tried at once when it is back
    const MachinePtr record = m_state.machines.value(machine);
    for (TrialEntry* entry : m_state.trials()) {
        const Trial& trial = *entry->trial;
        if (trial.platformId != platform || (!machine.isEmpty() && trial.machineId != machine)
            || !entry->state.submitted || isFinal(trial.status))
            continue;
        take(*entry, trial::applyLost(trial, record ? record->address : platform.value, since));
    }
}

// --------------------------------------------------------------------------------------------------------------- ending

static Message sentenceOf(const Message& clause)
{
    const QString& text = clause.text();
    return Message::fromParts(text.left(1).toUpper() + text.mid(1) + u'.', u"%1."_s, {clause});
}

void TrialSupervisor::cancel(TrialEntry& entry, CancelIntent intent, const Message& why)
{
    if (isFinal(entry.trial->status) || entry.trial->cancelIntent)
        return;
    if (!why.isEmpty())
        m_state.event(entry, TrialEventKind::cancel, sentenceOf(why));
    if (!entry.state.submitted)
        m_placer.dequeue(entry.trial->id);
    take(entry, trial::applyCancel(*entry.trial, intent, entry.state.submitted, m_state.clock().nowMs(), why));
    if (entry.state.submitted && entry.state.started)
        m_cancels.want(entry.trial->id);
    m_state.saveSoon(store::Durability::full);
}

void TrialSupervisor::giveUp(TrialEntry& entry, const Message& reason)
{
    cancel(entry, CancelIntent::user, {});
    if (isFinal(entry.trial->status))
        return;
    // Before its end, so that a kill in between leaves nothing that runs on unknown.
    m_left.add(entry.trial->platformId, {refOf(entry, *m_state.experiment(entry.trial->experimentId))}, false);
    platforms::Observation end;
    end.trial = entry.trial->id;
    end.status = TrialStatus::failed; // what a cancelled trial becomes is the state's to decide
    end.time = m_state.clock().nowMs();
    m_state.event(entry, TrialEventKind::cancel, sentenceOf(reason));
    take(entry, trial::applyObservation(*entry.trial, end, end.time));
    m_state.change(entry, [&](Trial& trial) { trial.reason = reason; });
    m_state.saveSoon(store::Durability::full);
}

void TrialSupervisor::giveUpSilent(TrialEntry& entry)
{
    const Trial& trial = *entry.trial;
    giveUp(entry,
        u"given up: %1 does not answer; it may run on there"_m.arg(
            trial.machineId.isEmpty() ? trial.platformId.value : trial.machineId.value));
}

void TrialSupervisor::leftBehind(const PlatformId& platform, const QList<MachineId>& machines)
{
    for (TrialEntry* entry : m_state.trials()) {
        const Trial& trial = *entry->trial;
        if (trial.platformId == platform && entry->state.submitted && !isFinal(trial.status)
            && machines.contains(trial.machineId))
            giveUp(*entry,
                u"given up: %1 was taken out of the settings or changed while it ran; it may run on there"_m.arg(
                    trial.machineId.isEmpty() ? trial.platformId.value : trial.machineId.value));
    }
}

void TrialSupervisor::armDeadline(TrialEntry& entry)
{
    const std::optional<qint64> limit = m_state.experiment(entry.trial->experimentId)->spec.maxTrialDurationSeconds;
    entry.deadline.reset();
    if (!limit)
        return;
    const qint64 now = m_state.clock().nowMs();
    const qint64 left = entry.trial->startTime.value_or(now) + *limit * 1'000 - now;
    // A clock that was put back must not make it longer than the limit; one put forward ends it at once, as NNI does.
    const qint64 delay = std::clamp<qint64>(left, 0, *limit * 1'000);
    entry.deadline = m_state.clock().after(delay, [this, id = entry.trial->id, seconds = *limit] {
        if (TrialEntry* late = m_state.trial(id))
            cancel(*late, CancelIntent::early, u"over maxTrialDurationSeconds (%1 s)"_m.arg(seconds));
    });
}

void TrialSupervisor::limitsChanged(const ExperimentId& id)
{
    for (TrialEntry* entry : m_state.trialsOf(id))
        if (entry->trial->status == TrialStatus::running)
            armDeadline(*entry);
    passSoon();
}

} // namespace engine
