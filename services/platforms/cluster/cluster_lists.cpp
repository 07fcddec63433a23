// SPDX-License-Identifier: GPL-3.0-or-later
// What the cluster says of jobs and machines, in one question a turn.
#include "cluster_job.h"

#include "cluster_pace.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms {

/// Least time between two lists of machines; 5 ms more for each machine.
static constexpr qint64 machinesTogetherMs = 1'000;

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
    JobFact seen = fact;
    if (fact.phase == JobFact::Phase::running && !fact.startTime && !job->hasRun)
        seen.startTime = m_context.clock->nowMs(); // the cluster does not say when: not long ago
    job->hasRun = job->hasRun || fact.phase == JobFact::Phase::running || fact.phase == JobFact::Phase::ended;
    apply(*job, listed(job->course, seen, now(), m_patience));
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
    const bool isSilent = m_silentSince != 0;
    // Where changes are pushed, machines are those that were pushed last: they do not say whether the cluster answers.
    if (forMachines && !(isSilent && m_wire->hearsOfChanges())) {
        m_areMachinesStale = false;
        auto asking = askMachines();
        co_await asking;
    } else if (const bool isMissing = std::exchange(m_isMissing, false);
               !m_jobs.empty() || m_looksForStrangers || isSilent || m_failures > 0) {
        // After a push the whole list says nothing more.
        const bool isWhole = !m_wire->hearsOfChanges() || !m_isStale || isMissing || m_looksForStrangers || !m_wholeAt
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
    if (!m_listedAt || m_isStale || m_isMissing)
        listSoon(0);
    else if (m_areMachinesStale)
        listSoon(machinesTogetherMs + 5 * m_machineCount);
    else
        listSoon(nextAskMs(m_jobs.empty() && m_failures == 0 ? machinesEveryMs : m_wire->listIntervalMs(), m_failures,
            QRandomGenerator::global()->generateDouble()));
}

void ClusterPlatform::settleAll()
{
    std::optional<qint64> next;
    QList<TrialId> due;
    for (const auto& [id, job] : m_jobs)
        if (job->lookAgainAt && *job->lookAgainAt <= now())
            due.append(id);
    for (const TrialId& id : due) {
        Job* job = jobOf(id);
        m_isMissing = m_isMissing || (job && job->course.missingSince); // time alone does not decide about these
        if (job)
            apply(*job, settle(job->course, now(), m_patience));
    }
    for (const auto& [id, job] : m_jobs)
        if (job->lookAgainAt)
            next = std::min(next.value_or(*job->lookAgainAt), *job->lookAgainAt);
    m_settleTimer.reset();
    if (next)
        m_settleTimer = m_context.clock->after(std::max<qint64>(*next - now(), 100), [this] { settleAll(); });
    if (m_isMissing)
        listSoon(0);
}

} // namespace platforms
