// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_job.h"
#include "cluster_pace.h"
#include "post_probe.h"

using namespace Qt::StringLiterals;

namespace platforms {

static constexpr qsizetype mostReported = 10'000; ///< trials whose end was reported, as far as they are remembered

ClusterPlatform::ClusterPlatform(QObject* parent)
    : Platform(parent)
{
}

ClusterPlatform::~ClusterPlatform() = default;

Task<Result<>> ClusterPlatform::open(Json settings, Context context)
{
    m_context = context;
    m_patience = patience();
    m_scope = std::make_unique<Scope>();
    auto made = makeWire(settings, context);
    if (!made)
        co_return fail(made);
    m_wire = std::move(*made);
    if (!m_wire->hearsOfChanges())
        m_patience.wordMs = wordWithinMs(m_patience.wordMs, m_wire->listIntervalMs());
    connect(m_wire.get(), &ClusterWire::connected, this, [this] {
        m_failures = 0;
        listSoon(0);
    });
    connect(m_wire.get(), &ClusterWire::lost, this, [this](qint64, const Error& error) {
        if (m_isOpen)
            failed(error);
    });
    // Words that come one by one are read together.
    connect(m_wire.get(), &ClusterWire::jobsChanged, this, [this] {
        m_isStale = true;
        listSoon(0);
    });
    connect(m_wire.get(), &ClusterWire::machinesChanged, this, [this] {
        m_areMachinesStale = true;
        listSoon(0);
    });
    connect(m_wire.get(), &ClusterWire::remarkChanged, this, [this] {
        if (m_isOpen && m_silentSince == 0)
            m_context.sink->state(PlatformState::ready, m_wire->remark());
    });
    connect(m_wire.get(), &ClusterWire::logsGrew, this, [this] {
        m_hasGrown = true;
        readSoon(togetherMs);
    });
    const Result<> opened = co_await m_wire->open();
    if (!opened) {
        co_await m_wire->close(); // stops what open() had started: callers close only a platform that opened
        m_wire.reset();
        co_return fail(opened);
    }
    if (m_wire->forgetsLogs())
        m_kept = std::make_unique<KeptLogs>(u"%1/logs/%2"_s.arg(context.dataDir, context.id.value));
    m_isOpen = true;
    m_context.sink->state(PlatformState::ready, {});
    listSoon(0);
    co_return Result<>{};
}

Task<> ClusterPlatform::close()
{
    m_isOpen = false;
    m_results.clear();
    m_listTimer.reset();
    m_readTimer.reset();
    m_settleTimer.reset();
    if (m_wire)
        co_await m_wire->close();
    if (m_scope)
        co_await m_scope->drain();
    m_jobs.clear();
    m_parts.clear();
}

// ----------------------------------------------------------------------------------------------------------------- jobs

ClusterPlatform::Job* ClusterPlatform::jobOf(const TrialId& trial) const
{
    const auto it = m_jobs.find(trial);
    return it == m_jobs.end() ? nullptr : it->second.get();
}

ClusterPlatform::Job& ClusterPlatform::take(const TrialRef& ref, StdoutWatch watch, bool isConfirmed)
{
    std::unique_ptr<Job>& job = m_jobs[ref.trial];
    m_reported.remove(ref.trial);
    if (!job) {
        job = std::make_unique<Job>(ref, watch, m_kept != nullptr);
        job->course.submittedAt = now();
    }
    if (!ref.handle.isEmpty())
        job->ref.handle = ref.handle;
    job->course.isConfirmed = job->course.isConfirmed || isConfirmed;
    return *job;
}

void ClusterPlatform::drop(const TrialId& trial)
{
    if (const Job* job = m_kept ? jobOf(trial) : nullptr)
        m_parts.see(job->ref, m_wire->logParts(trial));
    m_parts.ended(trial, now());
    m_jobs.erase(trial);
}

void ClusterPlatform::apply(Job& job, const CourseStep& step)
{
    const TrialId trial = job.ref.trial;
    job.lookAgainAt = step.lookAgainAt;
    if (step.progress)
        m_context.sink->progress(trial, *step.progress);
    if (!step.observation)
        return;
    job.hasRun = job.hasRun || step.observation->status != TrialStatus::waiting;
    Observation observation = *step.observation;
    if (observation.workingDirectory.isEmpty())
        observation.workingDirectory = m_wire->folderText(job.ref);
    if (observation.url.isEmpty())
        observation.url = m_wire->pageOf(job.ref);
    if (observation.time == 0)
        observation.time = m_context.clock->nowMs();
    if (step.isOver && !observation.endTime)
        observation.endTime = observation.time;
    if (step.isOver) {
        drop(trial); // `job` is gone
        if (m_reported.size() >= mostReported)
            m_reported.clear();
        m_reported.insert(trial);
    }
    m_context.sink->observed(observation);
}

SubmitOutcome ClusterPlatform::knownOutcome(const Job& job) const
{
    return SubmitOutcome{.trial = job.ref.trial, .handle = job.ref.handle, .unknown = !job.course.isConfirmed};
}

void ClusterPlatform::handedOver(const TrialSpec& spec, const SubmitOutcome& outcome)
{
    if (!m_isOpen || outcome.later || (outcome.error && !outcome.unknown))
        return;
    TrialRef ref;
    ref.trial = spec.id;
    ref.experiment = spec.experimentId;
    ref.handle = outcome.handle;
    ref.stdoutWatch = spec.stdoutWatch;
    take(ref, spec.stdoutWatch, !outcome.unknown);
}

Task<QList<SubmitOutcome>> ClusterPlatform::submit(QList<TrialSpec> specs)
{
    std::map<TrialId, SubmitOutcome> known;
    std::vector<std::pair<TrialId, OneShot<SubmitOutcome>>> joined;
    QList<TrialSpec> fresh;
    const int most = m_isOpen ? m_wire->mostJobs() : 0;
    for (const TrialSpec& spec : specs) {
        const Job* job = jobOf(spec.id);
        SubmitOutcome refused{.trial = spec.id};
        if (!m_isOpen) {
            refused.error = Error{Kind::cancelled, u"The platform is closed."_m, {}};
            known[spec.id] = refused;
        } else if (const auto same = m_submitting.find(spec.id); same != m_submitting.end()) {
            joined.emplace_back(spec.id, same->second.others.emplace_back());
        } else if (job) {
            known[spec.id] = knownOutcome(*job);
        } else if (most > 0 && m_jobs.size() + m_submitting.size() >= size_t(most)) {
            refused.later = trial::SubmitLater{
                u"%1 jobs are in the cluster's queue, as many as the settings allow."_m.arg(most), {}};
            known[spec.id] = refused;
        } else {
            m_submitting[spec.id];
            fresh.append(spec);
        }
    }
    if (!fresh.isEmpty()) {
        withholdPosts(PostProbe(&m_context), fresh);
        auto submitting = m_wire->submit(fresh);
        const QList<SubmitOutcome> outcomes = co_await submitting;
        for (const SubmitOutcome& outcome : outcomes)
            known[outcome.trial] = outcome;
        std::map<CancelIntent, QList<TrialRef>> cancels;
        for (const TrialSpec& spec : fresh) {
            const SubmitOutcome& outcome = known[spec.id];
            if (!outcome.error && !outcome.later && !outcome.unknown)
                m_failures = std::min(m_failures, 1); // it answers again: no need to wait long with the next question
            handedOver(spec, outcome);
            auto waiting = m_submitting.extract(spec.id);
            for (OneShot<SubmitOutcome>& other : waiting.mapped().others)
                other.set(outcome);
            if (const Job* job = jobOf(spec.id); job && waiting.mapped().cancel)
                cancels[*waiting.mapped().cancel].append(job->ref);
        }
        for (const auto& [intent, refs] : cancels)
            m_scope->spawn([this, intent = intent, refs = refs]() -> Task<> {
                auto cancelling = cancel(refs, intent);
                co_await cancelling; // the caller of cancel() repeats it
            });
        listSoon(0);
        readSoon(0);
    }
    for (const auto& [id, shot] : joined)
        known[id] = co_await shot.wait();
    QList<SubmitOutcome> inOrder;
    for (const TrialSpec& spec : specs)
        inOrder.append(known[spec.id]);
    co_return inOrder;
}

void ClusterPlatform::showResult(const TrialResult& result)
{
    if (!showsResults())
        return;
    m_results.append(result);
    if (!std::exchange(m_isShowing, true))
        m_scope->spawn([this] { return showResults(); });
}

Task<> ClusterPlatform::showResults()
{
    while (m_isOpen && !m_results.isEmpty()) {
        const QList<TrialResult> results = std::exchange(m_results, {});
        auto showing = m_wire->showResults(results);
        const std::vector<Result<>> outcomes = co_await showing;
        for (size_t i = 0; i < outcomes.size() && m_isOpen; ++i)
            if (!outcomes[i])
                m_context.sink->note(results[qsizetype(i)].trial.trial, TrialEventKind::finding,
                    u"Its page of %1 does not show its final value: %2"_m.arg(
                        m_wire->name(), outcomes[i].error().message));
    }
    m_isShowing = false;
}

Task<Result<>> ClusterPlatform::adopt(QList<TrialRef> trials)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    for (const TrialRef& ref : trials) {
        // Whether it was ever accepted is not known where there is no handle.
        Job& job = take(ref, ref.stdoutWatch, !ref.handle.isEmpty());
        job.hasRun = true;
        job.course.isAdopted = true;
    }
    m_looksForStrangers = true;
    listSoon(0);
    readSoon(0);
    co_return Result<>{};
}

Task<Result<>> ClusterPlatform::cancel(QList<TrialRef> trials, CancelIntent intent)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    QList<TrialRef> wanted;
    for (TrialRef& ref : trials) {
        if (const auto submitting = m_submitting.find(ref.trial); submitting != m_submitting.end()) {
            if (!submitting->second.cancel)
                submitting->second.cancel = intent;
            continue;
        }
        if (!jobOf(ref.trial) && m_reported.contains(ref.trial)) {
            wanted.append(ref); // what is left of it goes, which is no end of its own
            continue;
        }
        // One that is not known here is looked for: that nothing of it is there is reported, too.
        Job& job = take(ref, ref.stdoutWatch, false);
        if (!job.course.cancel)
            job.course.cancel = intent;
        ref.handle = job.ref.handle;
        wanted.append(ref);
    }
    if (wanted.isEmpty())
        co_return Result<>{};
    auto cancelling = m_wire->cancel(wanted);
    const Result<> cancelled = co_await cancelling;
    if (m_isOpen)
        listSoon(0);
    co_return cancelled;
}

Task<Result<>> ClusterPlatform::sendParameter(TrialRef, int, QByteArray)
{
    co_return fail(Kind::invalid, u"Trials of this platform take no further parameters."_m);
}

Task<Result<>> ClusterPlatform::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    for (const TrialRef& ref : trials)
        if (jobOf(ref.trial) || m_submitting.contains(ref.trial))
            co_return fail(Kind::conflict, u"The trial %1 has not ended."_m.arg(ref.trial.value));
    for (const TrialRef& ref : trials)
        m_parts.forget(ref.trial);
    auto removing = m_wire->remove(experiment, trials);
    const Result<> removed = co_await removing;
    if (!removed || !m_kept)
        co_return removed;
    QList<TrialId> ids;
    for (const TrialRef& ref : trials)
        ids.append(ref.trial);
    auto forgetting = m_kept->remove(ids);
    co_return co_await forgetting;
}

Task<Result<int>> ClusterPlatform::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    auto removing = m_wire->removeUnknown(experiment, known);
    co_return co_await removing;
}

Task<Result<>> ClusterPlatform::check(
    OperationId request, Json settings, MachineId, CheckExtent extent, Context context)
{
    if (m_isOpen && extent == CheckExtent::look) {
        auto looking = m_wire->check(request, extent, context.sink);
        co_return co_await looking;
    }
    auto made = makeWire(settings, context);
    if (!made)
        co_return fail(made);
    const std::unique_ptr<ClusterWire> wire = std::move(*made);
    auto checking = wire->check(request, extent, context.sink);
    const Result<> result = co_await checking;
    co_await wire->close();
    co_return result;
}

} // namespace platforms
