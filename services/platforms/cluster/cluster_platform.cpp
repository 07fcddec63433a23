// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_platform.h"

#include "cluster_pace.h"

#include "services/core/logging.h"

#include <QPointer>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms {

static constexpr qint64 togetherMs = 100;
/// Least time between two lists of machines; 5 ms more for each machine.
static constexpr qint64 machinesTogetherMs = 1'000;
static constexpr qint64 longestRead = 8 * 1024 * 1024; ///< bytes of a log at once
static constexpr qsizetype mostReported = 10'000;      ///< trials whose end was reported, as far as they are remembered

/// One that was handed over, until its end was reported.
struct ClusterPlatform::Job
{
    Job(const TrialRef& given, StdoutWatch watch, bool isKept)
        : ref(given)
        , log(given.trial, given.cursors, watch, isKept)
    {
        course.runs = log.runs();
    }

    TrialRef ref;
    JobCourse course;
    TrialLog log;
    bool saidNotKept = false;          ///< that its log cannot be kept
    bool saidUnreadable = false;       ///< that it cannot be read
    bool hasRun = false;               ///< as far as is known: its log is wanted
    std::optional<qint64> lookAgainAt; ///< CourseStep
};

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
            m_scope->spawn([this, intent, refs]() -> Task<> {
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

Task<Result<>> ClusterPlatform::adopt(QList<TrialRef> trials)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    for (const TrialRef& ref : trials) {
        // Whether it was ever accepted is not known where there is no handle.
        take(ref, ref.stdoutWatch, !ref.handle.isEmpty()).hasRun = true;
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

// ---------------------------------------------------------------------------------------------------------------- lists

void ClusterPlatform::listSoon(qint64 delayMs)
{
    if (!m_isOpen || m_isListing)
        return; // the end of a turn calls this
    // Whoever wants to hear sooner: sites ban tighter loops. What is known here costs them nothing.
    constexpr qint64 changesTogetherMs = 50; // changes that are taken in one turn
    const qint64 interval = m_wire->hearsOfChanges() && m_failures == 0 ? changesTogetherMs : m_wire->listIntervalMs();
    const qint64 earliest = m_listedAt ? *m_listedAt + nextAskMs(interval, m_failures, 0) - now() : 0;
    delayMs = std::clamp<qint64>(std::max(delayMs, earliest), 0, 150'000);
    m_listTimer = m_context.clock->after(delayMs, [this] {
        m_listTimer.reset();
        m_scope->spawn([this] { return listJobs(); });
    });
}

void ClusterPlatform::reached()
{
    m_failures = 0;
    if (m_silentSince == 0)
        return;
    m_silentSince = 0;
    m_context.sink->state(PlatformState::ready, m_wire->remark());
}

void ClusterPlatform::failed(const Error& error)
{
    ++m_failures;
    m_wholeAt.reset();
    if (m_silentSince != 0 || m_failures < 3)
        return;
    m_silentSince = m_context.clock->nowMs();
    m_context.sink->state(PlatformState::silent, error.message);
    m_context.sink->lost({}, m_silentSince);
    for (const auto& [id, job] : m_jobs)
        job->course.status = TrialStatus::unknown; // as lost() made them
}

/// The engine knows whether it should run.
void ClusterPlatform::reportStranger(const JobFact& fact)
{
    Observation running;
    running.trial = fact.trial;
    running.status = TrialStatus::running;
    running.startTime = fact.startTime;
    running.machine = fact.machine;
    running.time = m_context.clock->nowMs();
    m_context.sink->observed(running);
}

Task<> ClusterPlatform::askMachines()
{
    auto asking = m_wire->machines();
    const Result<QList<Machine>> machines = co_await asking;
    if (!m_isOpen)
        co_return;
    m_machinesAt = now();
    m_machineCount = machines ? machines->size() : m_machineCount;
    if (!machines) {
        failed(machines.error());
        co_return;
    }
    if (!m_wire->hearsOfChanges()) // else they are those that were heard of last
        reached();
    m_context.sink->machines(*machines);
    m_context.sink->queues(m_wire->queues());
}

void ClusterPlatform::takeFact(const JobFact& fact)
{
    Job* job = jobOf(fact.trial);
    if (!job)
        return;
    if (!fact.handle.isEmpty())
        job->ref.handle = fact.handle;
    job->hasRun = job->hasRun || fact.phase == JobFact::Phase::running || fact.phase == JobFact::Phase::ended;
    apply(*job, listed(job->course, fact, now(), m_patience));
}

Task<> ClusterPlatform::takeUpParts(QList<TrialId> ended)
{
    for (const TrialId& trial : ended) {
        const QStringList parts = m_kept ? m_wire->logParts(trial) : QStringList();
        if (parts.isEmpty())
            continue;
        auto looking = m_kept->names(trial);
        const QStringList kept = co_await looking;
        if (!m_isOpen)
            co_return;
        if (kept.isEmpty())
            continue; // it was deleted here
        m_parts.see(TrialRef{.trial = trial}, parts);
        m_parts.ended(trial, now());
    }
}

Task<Result<>> ClusterPlatform::askChanges()
{
    m_isStale = false;
    auto asking = m_wire->changedJobs();
    const Result<QList<JobFact>> facts = co_await asking;
    if (!facts)
        co_return fail(facts);
    if (!m_isOpen)
        co_return Result<>{};
    for (const JobFact& fact : *facts)
        takeFact(fact);
    co_return Result<>{};
}

Task<Result<>> ClusterPlatform::askJobs()
{
    QList<TrialId> asked; // those that were handed over before the question
    for (const auto& [id, job] : m_jobs)
        asked.append(id);
    const qint64 askedAt = now();
    m_isStale = false;
    auto listing = m_wire->jobs();
    const Result<QList<JobFact>> facts = co_await listing;
    if (!facts)
        co_return fail(facts);
    if (!m_isOpen)
        co_return Result<>{};
    const bool looksForStrangers = std::exchange(m_looksForStrangers, false);
    QSet<TrialId> seen;
    QList<TrialId> justEnded;
    for (const JobFact& fact : *facts) {
        seen.insert(fact.trial);
        if (looksForStrangers && !jobOf(fact.trial) && !m_submitting.contains(fact.trial)) {
            if (fact.phase == JobFact::Phase::running && !m_reported.contains(fact.trial))
                reportStranger(fact); // else its log told its end before the cluster noticed it
            if (std::abs(m_context.clock->nowMs() - fact.endTime.value_or(m_context.clock->nowMs()))
                < PartLogs::afterEndMs)
                justEnded.append(fact.trial);
        }
        takeFact(fact);
    }
    m_wholeAt = askedAt;
    auto takingUp = takeUpParts(std::move(justEnded));
    co_await takingUp;
    if (!m_isOpen)
        co_return Result<>{};
    QList<TrialRef> gone;
    for (const TrialId& id : asked)
        if (const Job* job = jobOf(id); job && !seen.contains(id) && job->course.submittedAt < askedAt)
            gone.append(job->ref);
    if (gone.isEmpty())
        co_return Result<>{};
    auto asking = m_wire->endedJobs(gone);
    const Result<QList<JobFact>> ends = co_await asking;
    if (!ends)
        co_return fail(ends);
    if (!m_isOpen)
        co_return Result<>{};
    QSet<TrialId> known;
    for (const JobFact& fact : *ends) {
        known.insert(fact.trial);
        if (fact.phase == JobFact::Phase::unknown && fact.handle.isEmpty())
            continue; // not answered
        if (Job* job = jobOf(fact.trial))
            job->hasRun = true;
        takeFact(fact);
    }
    for (const TrialRef& ref : gone)
        if (Job* job = jobOf(ref.trial); job && !known.contains(ref.trial))
            apply(*job, missing(job->course, ref.trial, m_wire->name(), now(), m_patience));
    co_return Result<>{};
}

/// One question for each turn, so that the cluster hears of us at most once in an interval.
Task<> ClusterPlatform::listJobs()
{
    constexpr qint64 machinesEveryMs = 60'000;
    m_isListing = true;
    if (!std::exchange(m_isFirstTurn, false))
        m_listedAt = now();
    const qint64 machinesAgainMs = m_areMachinesStale ? machinesTogetherMs + 5 * m_machineCount : machinesEveryMs;
    const bool forMachines = !m_machinesAt || now() - *m_machinesAt >= machinesAgainMs;
    const bool isUnheard = m_wire->hearsOfChanges() && m_silentSince != 0; // its machines would not tell
    if (forMachines && !isUnheard) {
        m_areMachinesStale = false;
        auto asking = askMachines();
        co_await asking;
    } else if (!m_jobs.empty() || m_looksForStrangers || isUnheard) {
        // After a push the whole list says nothing more.
        const bool isWhole = !m_wire->hearsOfChanges() || !m_isStale || m_looksForStrangers || !m_wholeAt
            || now() - *m_wholeAt >= m_wire->listIntervalMs();
        auto asking = isWhole ? askJobs() : askChanges();
        const Result<> asked = co_await asking;
        if (m_isOpen && asked)
            reached();
        else if (m_isOpen)
            failed(asked.error());
    }
    m_isListing = false;
    if (!m_isOpen)
        co_return;
    settleAll();
    readSoon(0);
    if (!m_listedAt || m_isStale)
        listSoon(0);
    else if (m_areMachinesStale)
        listSoon(machinesTogetherMs + 5 * m_machineCount);
    else
        listSoon(nextAskMs(m_jobs.empty() ? machinesEveryMs : m_wire->listIntervalMs(), m_failures,
            QRandomGenerator::global()->generateDouble()));
}

void ClusterPlatform::settleAll()
{
    std::optional<qint64> next;
    QList<TrialId> due;
    for (const auto& [id, job] : m_jobs)
        if (job->lookAgainAt && *job->lookAgainAt <= now())
            due.append(id);
    for (const TrialId& id : due)
        if (Job* job = jobOf(id))
            apply(*job, settle(job->course, now(), m_patience));
    for (const auto& [id, job] : m_jobs)
        if (job->lookAgainAt)
            next = std::min(next.value_or(*job->lookAgainAt), *job->lookAgainAt);
    m_settleTimer.reset();
    if (next)
        m_settleTimer = m_context.clock->after(std::max<qint64>(*next - now(), 100), [this] { settleAll(); });
}

// ----------------------------------------------------------------------------------------------------------------- logs

void ClusterPlatform::readSoon(qint64 delayMs)
{
    if (!m_isOpen || m_isReading || (m_readTimer && m_readAt <= now() + delayMs))
        return;
    m_readAt = now() + delayMs;
    m_readTimer = m_context.clock->after(delayMs, [this] {
        m_readTimer.reset();
        m_scope->spawn([this] { return readLogs(); });
    });
}

Task<> ClusterPlatform::readLogs()
{
    QList<LogWish> wishes;
    QSet<TrialId> ending;
    constexpr qsizetype mostWaiting = 200; // a file system is asked for each
    const bool looksForStarts = m_wire->looksForLogs() && std::ssize(m_jobs) <= mostWaiting;
    for (const auto& [id, job] : m_jobs) {
        if (!job->hasRun && !looksForStarts)
            continue;
        wishes.append({job->ref, job->log.offset(), job->log.identity(), {}});
        if (job->course.ended)
            ending.insert(id);
        if (m_kept)
            m_parts.see(job->ref, m_wire->logParts(id));
    }
    wishes += m_parts.wishes(now());
    if (wishes.isEmpty() && !m_readsLogs)
        co_return;                   // a list, or a submission, begins it again
    m_readsLogs = !wishes.isEmpty(); // an empty list of wishes lets the wire end what it follows
    m_isReading = true;
    m_hasGrown = false;
    auto reading = m_wire->readLogs(wishes);
    const Result<QList<LogPart>> parts = co_await reading;
    if (!m_isOpen)
        co_return;
    bool isMore = false;
    if (parts) {
        for (const LogPart& part : *parts) {
            isMore = isMore || (part.state == LogPart::State::read && !part.isEnd && !part.bytes.isEmpty())
                || part.state == LogPart::State::another;
            auto taking = takePart(part);
            co_await taking;
            if (!m_isOpen)
                co_return;
            Job* job = part.part.isEmpty() ? jobOf(part.trial) : nullptr;
            if (job && ending.contains(part.trial) && part.state != LogPart::State::another
                && (part.isEnd || part.state == LogPart::State::missing)) {
                job->course.isLogRead = true;
                apply(*job, settle(job->course, now(), m_patience));
            }
        }
        settleAll();
    }
    // Not before all of it was reported: what is read next must not overtake what waits to be kept.
    m_isReading = false;
    readSoon(isMore ? 0 : m_hasGrown ? togetherMs : m_wire->logIntervalMs());
}

Task<> ClusterPlatform::keep(TrialId trial, QList<KeptPiece> pieces)
{
    auto keeping = m_kept->append(trial, std::move(pieces));
    const Result<> kept = co_await keeping;
    Job* job = jobOf(trial);
    if (kept || !m_isOpen || !job || job->saidNotKept)
        co_return; // what is kept later says how much is missing before it
    job->saidNotKept = true;
    m_context.sink->note(trial, TrialEventKind::finding, kept.error().message);
}

Task<> ClusterPlatform::takePart(LogPart part)
{
    if (!part.part.isEmpty()) {
        QList<KeptPiece> pieces = m_parts.take(part, now());
        if (pieces.isEmpty())
            co_return;
        auto keeping = keep(part.trial, std::move(pieces));
        co_await keeping;
        co_return;
    }
    Job* job = jobOf(part.trial);
    if (!job)
        co_return;
    if (part.state == LogPart::State::another) {
        job->log.restart();
        co_return;
    }
    if (part.state == LogPart::State::unreadable && !std::exchange(job->saidUnreadable, true))
        m_context.sink->note(part.trial, TrialEventKind::finding, part.message);
    if (part.state != LogPart::State::read || part.bytes.isEmpty())
        co_return;
    job->saidUnreadable = false;
    const TrialLog::Taken taken = job->log.take(part.bytes, part.identity, m_context.clock->nowMs(), job->course.runs);
    if (!taken.kept.isEmpty()) { // before the cursor behind it is stored
        auto keeping = keep(part.trial, taken.kept);
        co_await keeping;
        if (!m_isOpen)
            co_return;
    }
    for (const Message& note : taken.notes)
        m_context.sink->note(part.trial, TrialEventKind::finding, note);
    for (const RecordBytes& record : taken.records)
        m_context.sink->records(record);
    for (Observation event : taken.events) {
        job = jobOf(part.trial);
        if (!job)
            co_return;
        if (event.status == TrialStatus::running && !job->log.node().isEmpty())
            event.machine = m_wire->machineOf(job->log.node());
        if (event.status == TrialStatus::running)
            apply(*job, runsByLog(job->course, event));
        else
            apply(*job, endsByLog(job->course, event, now(), m_patience));
    }
}

Task<Result<QStringList>> ClusterPlatform::logNames(TrialRef trial)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    auto asking = m_wire->logNames(trial);
    Result<QStringList> names = co_await asking;
    if (!m_kept || !m_isOpen)
        co_return names;
    auto looking = m_kept->names(trial.trial);
    const QStringList kept = co_await looking;
    if (!names && kept.isEmpty() && !jobOf(trial.trial)) // else the cluster may have forgotten the job
        co_return names;
    QStringList all{u"stdout"_s, u"stderr"_s};
    for (const QString& name : kept + names.value_or(QStringList()))
        if (!all.contains(name))
            all.append(name);
    co_return all;
}

bool ClusterPlatform::isLive(const TrialId& trial, const QString& log) const
{
    const bool isOwn = log == "stdout"_L1 || log == "stderr"_L1;
    return jobOf(trial) || (!isOwn && m_parts.has(trial));
}

Task<Result<Bytes>> ClusterPlatform::readFollowing(TrialId trial, QString name, ReadRange range, ReadPiece read)
{
    qint64 offset = range.offset;
    for (bool isFirst = true;; isFirst = false) {
        if (!m_isOpen)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
        const bool wasLive = isLive(trial, name);
        auto reading = read(offset, isFirst ? range.tail : std::nullopt, wasLive);
        Result<Bytes> bytes = co_await reading;
        if (!m_isOpen)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
        const bool isLater = !bytes && bytes.error().kind == Kind::not_found && range.follow && wasLive;
        if (!bytes && !isLater)
            co_return fail(bytes);
        if (bytes) {
            const bool atEnd = bytes->offset + bytes->bytes.size() >= bytes->size;
            bytes->end = atEnd && !wasLive;
            if (!range.follow || !bytes->bytes.isEmpty() || bytes->end)
                co_return bytes;
            offset = bytes->offset;
        }
        OneShot<bool> later;
        const auto timer = m_context.clock->after(m_wire->logIntervalMs(), [later]() mutable { later.set(true); });
        const QPointer<ClusterPlatform> alive(this);
        co_await later.wait();
        if (!alive)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
    }
}

Task<Result<Bytes>> ClusterPlatform::readLog(TrialRef trial, QString name, ReadRange range)
{
    if (range.limit < 1 || range.offset < 0 || (range.tail && *range.tail < 0))
        co_return fail(Kind::invalid, u"A log is read from an offset of at least 0, at least one byte at a time."_m);
    range.limit = std::min(range.limit, longestRead);
    bool isKept = m_kept && (name == "stdout"_L1 || name == "stderr"_L1);
    if (m_kept && m_isOpen) {
        auto asking = logNames(trial);
        const Result<QStringList> names = co_await asking;
        if (!names)
            co_return fail(names);
        auto looking = m_kept->names(trial.trial);
        const QStringList kept = co_await looking;
        isKept = isKept || kept.contains(name);
    }
    ReadPiece read = [this, trial, name, limit = range.limit](qint64 offset, std::optional<qint64> tail, bool) {
        return m_wire->readFile(trial, name, tail ? -std::min(*tail, longestRead) : offset, limit);
    };
    if (isKept)
        read = [this, id = trial.trial, name, limit = range.limit](
                   qint64 offset, std::optional<qint64> tail, bool mayGrow) {
            ReadRange piece;
            piece.offset = offset;
            piece.limit = limit;
            piece.tail = tail;
            return m_kept->read(id, name, piece, !mayGrow);
        };
    auto reading = readFollowing(trial.trial, name, range, read);
    co_return co_await reading;
}

Task<Result<FileList>> ClusterPlatform::listFiles(TrialRef trial, QString after, qint64 limit)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    auto listing = m_wire->listFiles(trial, after, limit);
    co_return co_await listing;
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
