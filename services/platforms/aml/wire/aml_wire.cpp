// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_wire.h"

#include "aml_check.h"
#include "aml_facts.h"
#include "job_removal.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/job_name.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int callsAtOnce = 8;
constexpr qint64 msForAPage = 500;     ///< of a list, between two lists
constexpr int mostListedPages = 1'000; ///< a server that repeats a page must not hold the list up for ever
/// Ends that are asked for in one turn: each is a read of Resource Manager, and one of the run history.
constexpr qsizetype mostEnds = 50;
constexpr qsizetype mostRemembered = 10'000; ///< of trials that have ended

} // namespace

AmlWire::AmlWire(Json settings, std::unique_ptr<AmlSession> session)
    : m_settings(std::move(settings))
    , m_session(std::move(session))
    , m_calls(m_session.get())
    , m_lists(m_session.get())
    , m_history(m_session.get())
    , m_logs(m_session.get(), &m_history)
    , m_submission(m_session.get(), &m_calls, &m_settings)
{
}

AmlWire::~AmlWire() = default;

QString AmlWire::nameOf(const TrialId& trial) const
{
    return jobName(context().serviceId, trial);
}

TrialId AmlWire::trialIn(const AmlJob& job) const
{
    return aml::trialIn(job, context().serviceId);
}

Task<Result<>> AmlWire::open()
{
    auto loggingIn = m_session->logIn();
    const Result<> loggedIn = co_await loggingIn;
    if (!loggedIn)
        co_return loggedIn;
    auto asking = m_lists.workspace();
    const Result<Workspace> workspace = co_await asking;
    if (!workspace)
        co_return fail(workspace);
    m_workspace = *workspace;
    auto opening = m_history.open(m_workspace);
    co_return co_await opening;
}

Task<> AmlWire::close()
{
    auto closing = m_session->close();
    co_await closing;
}

/// Azure allows one account 12,000 reads an hour in a subscription, those of other programs included.
qint64 AmlWire::listIntervalMs() const
{
    const qint64 wanted = std::max<qint64>(1, wholeOf(m_settings, "pollInterval").value_or(10)) * 1'000;
    return std::max(wanted, m_pages * msForAPage);
}

/// Each log is a request of its own to the storage.
qint64 AmlWire::logIntervalMs() const
{
    return std::clamp<qint64>(m_wishes / 50, 1, 10) * 1'000;
}

int AmlWire::mostJobs() const
{
    return int(std::clamp<qint64>(wholeOf(m_settings, "maxJobs").value_or(0), 0, 1'000'000));
}

// -------------------------------------------------------------------------------------------------------------- submission

Task<SubmitOutcome> AmlWire::submitOne(TrialSpec spec)
{
    const TrialId trial = spec.id;
    SubmitOutcome outcome{.trial = trial, .handle = nameOf(trial)};
    if (m_live.contains(trial))
        co_return outcome;
    auto submitting = m_submission.submit(std::move(spec));
    outcome = co_await submitting;
    if (!outcome.error && !outcome.later)
        m_live.insert(trial);
    co_return outcome;
}

Task<QList<SubmitOutcome>> AmlWire::submit(QList<TrialSpec> specs)
{
    const std::function<Task<SubmitOutcome>(TrialSpec)> one = [this](TrialSpec spec) {
        return submitOne(std::move(spec));
    };
    auto submitting = inTurns<SubmitOutcome>(std::move(specs), callsAtOnce, one);
    const std::vector<SubmitOutcome> outcomes = co_await submitting;
    co_return QList<SubmitOutcome>(outcomes.begin(), outcomes.end());
}

Task<Result<>> AmlWire::cancel(QList<TrialRef> trials)
{
    for (const TrialRef& ref : trials)
        if (m_live.contains(ref.trial))
            m_cancelled.insert(ref.trial);
    using Cancel = std::function<Task<Result<>>(TrialRef)>;
    const Cancel one = [this](const TrialRef& ref) { return m_calls.cancel(nameOf(ref.trial)); };
    auto cancelling = inTurns<Result<>>(std::move(trials), callsAtOnce, one);
    const std::vector<Result<>> all = co_await cancelling;
    for (const Result<>& done : all)
        if (!done)
            co_return fail(done);
    co_return Result<>{};
}

// -------------------------------------------------------------------------------------------------------------- questions

bool AmlWire::needsDetails(const AmlJob& job, const TrialId& trial) const
{
    const bool mayBeOutOfTime = job.state == JobState::canceled && job.timeLimitMs && !m_cancelled.contains(trial);
    return job.state == JobState::failed || mayBeOutOfTime;
}

JobFact AmlWire::factOf(const AmlJob& job, const TrialId& trial, const RunDetails* details)
{
    const auto compute = m_computes.constFind(job.compute.toLower());
    const int restarts = m_restarts[trial].see(job.state);
    JobFact fact = aml::factOf(
        job, trial, context().id, compute == m_computes.constEnd() ? nullptr : &*compute, details, restarts);
    if (fact.phase == JobFact::Phase::running && !fact.startTime)
        fact.startTime = m_started.value(trial, context().clock->nowMs());
    if (fact.phase == JobFact::Phase::waiting)
        m_started.remove(trial);
    if (fact.phase != JobFact::Phase::ended) {
        m_live.insert(trial);
        return fact;
    }
    m_live.remove(trial);
    m_restarts.remove(trial);
    m_cancelled.remove(trial);
    m_started.remove(trial);
    if (m_ended.size() >= mostRemembered)
        m_ended.clear();
    m_ended.insert(trial);
    return fact;
}

Task<Result<QList<AmlJob>>> AmlWire::listed(bool isWhole)
{
    QList<AmlJob> all;
    QSet<TrialId> missing = m_live;
    QByteArray next;
    for (int page = 0; page < mostListedPages; ++page) {
        auto asking = m_calls.list(serviceTag(context().serviceId), next);
        const Result<JobPage> jobs = co_await asking;
        if (!jobs)
            co_return fail(jobs);
        bool hasLive = false;
        for (const AmlJob& job : jobs->jobs) {
            const TrialId trial = trialIn(job);
            if (trial.isEmpty())
                continue;
            missing.remove(trial);
            hasLive = hasLive || !hasEnded(job.state);
            all.append(job);
        }
        next = jobs->next;
        m_pages = page + 1;
        // The newest come first: behind a page of ended ones there is nothing that is under way and not known.
        if (next.isEmpty()) { // what is missing in all of it is not there any more
            m_live.subtract(missing);
            m_cancelled.subtract(missing);
        }
        if (next.isEmpty() || (!isWhole && missing.isEmpty() && !hasLive))
            co_return all;
    }
    co_return fail(Kind::platform, u"Azure lists more jobs than there can be."_m);
}

Task<> AmlWire::noteStarts(QList<AmlJob> jobs)
{
    QList<TrialId> begun;
    for (const AmlJob& job : jobs) {
        const TrialId trial = trialIn(job);
        if (job.state == JobState::running && !m_started.contains(trial) && begun.size() < mostEnds)
            begun.append(trial);
    }
    const std::function<Task<std::optional<qint64>>(TrialId)> one = [this](const TrialId& trial) {
        return m_logs.startTime(nameOf(trial));
    };
    auto asking = inTurns<std::optional<qint64>>(begun, callsAtOnce, one);
    const std::vector<std::optional<qint64>> times = co_await asking;
    for (size_t i = 0; i < times.size(); ++i)
        m_started.insert(begun.at(qsizetype(i)), times[i].value_or(context().clock->nowMs()));
}

Task<Result<QList<JobFact>>> AmlWire::jobs()
{
    auto listing = listed(!m_hasListedAll);
    const Result<QList<AmlJob>> jobs = co_await listing;
    if (!jobs)
        co_return fail(jobs);
    m_hasListedAll = true;
    auto asking = noteStarts(*jobs);
    co_await asking;
    m_unexplained.clear();
    QList<JobFact> facts;
    for (const AmlJob& job : *jobs) {
        const TrialId trial = trialIn(job);
        if (needsDetails(job, trial)) { // asked for by endedJobs(), where its trial is wanted
            m_unexplained.insert(trial, job);
            m_live.remove(trial);
        } else {
            facts.append(factOf(job, trial, nullptr));
        }
    }
    co_return facts;
}

Task<Result<QList<JobFact>>> AmlWire::endOf(TrialId trial)
{
    AmlJob job = m_unexplained.value(trial);
    if (job.name.isEmpty()) {
        auto asking = m_calls.job(nameOf(trial));
        const Result<AmlJob> there = co_await asking;
        if (!there && there.error().kind == Kind::not_found)
            co_return QList<JobFact>();
        if (!there)
            co_return fail(there);
        job = *there;
        if (trialIn(job).isEmpty())
            co_return QList<JobFact>(); // another one's, whatever its name is
    }
    std::optional<RunDetails> details;
    if (needsDetails(job, trial)) {
        auto asking = m_history.details(job.name);
        const Result<RunDetails> told = co_await asking;
        if (!told && told.error().kind != Kind::not_found && told.error().kind != Kind::auth)
            co_return fail(told); // in the next turn
        if (told)
            details = *told;
    }
    QList<JobFact> facts;
    facts.append(factOf(job, trial, details ? &*details : nullptr));
    co_return facts;
}

Task<Result<QList<JobFact>>> AmlWire::endedJobs(QList<TrialRef> trials)
{
    QList<TrialId> later;
    for (const TrialRef& ref : trials)
        later.append(ref.trial);
    const QList<TrialId> asked = nextInTurn(later, m_askedLast, mostEnds);
    QList<JobFact> facts;
    for (const TrialId& trial : std::as_const(later))
        facts.append(JobFact{.trial = trial});
    const std::function<Task<Result<QList<JobFact>>>(TrialId)> one = [this](TrialId trial) {
        return endOf(std::move(trial));
    };
    auto asking = inTurns<Result<QList<JobFact>>>(asked, callsAtOnce, one);
    const std::vector<Result<QList<JobFact>>> ends = co_await asking;
    for (size_t i = 0; i < ends.size(); ++i)
        facts += ends[i].value_or(QList<JobFact>{JobFact{.trial = asked.at(qsizetype(i))}});
    co_return facts;
}

Task<Result<QList<Machine>>> AmlWire::machines()
{
    auto asking = m_lists.computes();
    const Result<QList<Compute>> computes = co_await asking;
    if (!computes)
        co_return fail(computes);
    if (m_sizes.isEmpty()) { // also where they could not be read the last time
        auto sizing = m_lists.sizes(m_workspace.location);
        m_sizes = co_await sizing;
    }
    QList<Machine> machines;
    m_queues.clear();
    m_computes.clear();
    for (const Compute& compute : *computes) {
        machines.append(aml::machineOf(compute, m_sizes, context().id, context().clock->nowMs()));
        m_queues.append(queueOf(compute, m_sizes, textOf(m_settings, "computeTarget")));
        m_computes.insert(compute.name.toLower(), compute);
    }
    co_return machines;
}

Task<Result<QList<LogPart>>> AmlWire::readLogs(QList<LogWish> wishes)
{
    m_wishes = wishes.size();
    const std::function<Task<LogPart>(LogWish)> one = [this](const LogWish& wish) {
        return m_logs.read(wish, nameOf(wish.trial.trial), m_ended.contains(wish.trial.trial));
    };
    auto reading = inTurns<LogPart>(std::move(wishes), callsAtOnce, one);
    const std::vector<LogPart> parts = co_await reading;
    co_return QList<LogPart>(parts.begin(), parts.end());
}

// ------------------------------------------------------------------------------------------------------------------- files

Task<Result<QStringList>> AmlWire::logNames(TrialRef trial)
{
    const QStringList own{u"stdout"_s, u"stderr"_s};
    auto asking = m_logs.names(nameOf(trial.trial));
    const Result<QStringList> names = co_await asking;
    if (names)
        co_return own + *names;
    if (m_live.contains(trial.trial) || m_ended.contains(trial.trial))
        co_return own;
    if (names.error().kind != Kind::not_found)
        co_return fail(names);
    co_return fail(Kind::not_found,
        u"The workspace has no job of trial %1, and none of its log was kept."_m.arg(trial.trial.value));
}

Task<Result<Bytes>> AmlWire::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
{
    return m_logs.readFile(nameOf(trial.trial), std::move(name), offset, limit);
}

Task<Result<FileList>> AmlWire::listFiles(TrialRef trial, QString after, qint64 limit)
{
    Q_UNUSED(trial)
    Q_UNUSED(after)
    Q_UNUSED(limit)
    co_return fail(Kind::not_found,
        u"What a trial writes into its output folder lies in the workspace: the studio shows it with the job, under Outputs."_m);
}

MachineId AmlWire::machineOf(const QString&) const
{
    return {}; // nodes are none of the machines
}

QString AmlWire::folderText(const TrialRef& trial) const
{
    return u"%1/%2/outputs/trial"_s.arg(m_session->place().workspace, nameOf(trial.trial));
}

QString AmlWire::pageOf(const TrialRef& trial) const
{
    return u"%1/runs/%2?wsid=%3"_s.arg(m_session->cloud().studio.toString(), nameOf(trial.trial),
        QString::fromLatin1(QUrl::toPercentEncoding(m_session->place().id(), "/()")));
}

Task<std::vector<Result<>>> AmlWire::showResults(QList<TrialResult> results)
{
    const std::function<Task<Result<>>(TrialResult)> one = [this](const TrialResult& result) {
        return m_history.logMetric(nameOf(result.trial.trial), result);
    };
    return inTurns<Result<>>(std::move(results), callsAtOnce, one);
}

// ---------------------------------------------------------------------------------------------------------------- clean-up

Task<Result<>> AmlWire::remove(ExperimentId, QList<TrialRef> trials)
{
    QStringList names;
    for (const TrialRef& ref : trials) {
        names.append(nameOf(ref.trial));
        m_logs.forget(names.last());
        m_ended.remove(ref.trial);
    }
    return removeJobs(&m_calls, names);
}

Task<Result<int>> AmlWire::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    auto listing = listed(true);
    const Result<QList<AmlJob>> jobs = co_await listing;
    if (!jobs)
        co_return fail(jobs);
    QStringList strays;
    for (const AmlJob& job : *jobs)
        if (job.tags.value(QString::fromLatin1(experimentTag)) == experiment.value && !known.contains(trialIn(job)))
            strays.append(job.name);
    auto removing = removeLiveJobs(&m_calls, m_session.get(), strays);
    const Result<> removed = co_await removing;
    if (!removed)
        co_return fail(removed);
    co_return int(strays.size());
}

Task<Result<>> AmlWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    CheckPlan plan;
    plan.wire = this;
    plan.settings = &m_settings;
    return checkAml(plan, std::move(request), extent, sink);
}

} // namespace platforms::aml
