// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_wire.h"

#include "dlts_check.h"
#include "dlts_facts.h"

#include "services/platforms/dlts/dlts_job.h"

using namespace Qt::StringLiterals;

namespace platforms::dlts {

DltsWire::DltsWire(Json settings, Context context, std::unique_ptr<DltsCalls> calls)
    : StorageWire(std::move(settings), std::move(context))
    , m_calls(std::move(calls))
    , m_endpoints(m_calls.get(), this->context())
{
}

DltsWire::~DltsWire() = default;

Task<Result<Team>> DltsWire::askTeam()
{
    auto asking = m_calls->team();
    Result<Team> team = co_await asking;
    if (team)
        m_gpuType = team->gpuTypes.value(0);
    co_return team;
}

Task<Result<>> DltsWire::open()
{
    auto asking = askTeam();
    const Result<Team> team = co_await asking;
    if (!team)
        co_return fail(team);
    auto opening = openStorage();
    co_return co_await opening;
}

Task<> DltsWire::close()
{
    co_await m_calls->close();
    co_await m_endpoints.close();
    co_await closeStorage();
}

// -------------------------------------------------------------------------------------------------------------- submission

QString DltsWire::handleOf(const TrialId& trial) const
{
    return jobIdOf(context().serviceId, trial);
}

Result<StorageWire::JobDocument> DltsWire::documentOf(const TrialSpec& spec, const QString& script) const
{
    const Result<JobWish> wish = jobWish(settings(), spec.platformOptions, spec.gpuNumber, m_gpuType);
    if (!wish)
        return fail(wish);
    const Result<QByteArray> document =
        jobDocument(*wish, handleOf(spec.id), jobName(context().serviceId, spec.id), script);
    if (!document)
        return fail(document);
    return JobDocument{*document, {}};
}

Task<SubmitReply> DltsWire::handOver(TrialId trial, QByteArray document)
{
    auto submitting = m_calls->submit(handleOf(trial), std::move(document));
    SubmitReply reply = co_await submitting;
    if (reply.outcome == SubmitReply::Outcome::accepted || reply.outcome == SubmitReply::Outcome::unknown)
        m_endpoints.handedOver(trial);
    co_return reply;
}

Task<bool> DltsWire::has(TrialId trial)
{
    auto asking = m_calls->job(handleOf(trial));
    const Result<DltsJob> job = co_await asking;
    co_return job.has_value();
}

Task<Result<>> DltsWire::cancelOne(TrialRef ref)
{
    auto killing = m_calls->kill(handleOf(ref.trial));
    co_return co_await killing;
}

// --------------------------------------------------------------------------------------------------------------- questions

JobFact DltsWire::take(const DltsJob& job, const TrialId& trial)
{
    const bool ranBefore = m_running.contains(trial);
    JobFact fact = factOf(job, trial, machineIdOf(context().id, m_calls->plan().team), ranBefore);
    if (fact.phase == JobFact::Phase::running) {
        m_running.insert(trial);
        m_endpoints.runs(trial, job);
    } else if (fact.phase != JobFact::Phase::unknown) {
        m_running.remove(trial);
        m_endpoints.rests(trial, fact.phase == JobFact::Phase::ended);
    }
    return fact;
}

Task<Result<QList<JobFact>>> DltsWire::jobs()
{
    auto asking = m_calls->jobs();
    const Result<QList<DltsJob>> jobs = co_await asking;
    if (!jobs)
        co_return fail(jobs);
    QList<JobFact> facts;
    for (const DltsJob& job : *jobs) {
        const TrialId trial = trialOf(context().serviceId, job.name);
        if (trial.isEmpty() || job.id != handleOf(trial))
            continue;
        if (job.state == JobState::failed || job.state == JobState::error)
            continue; // the cause is not in the list: endedJobs() asks for it
        if (!isEnd(job.state))
            setAccepted(trial);
        facts.append(take(job, trial));
    }
    forgetEnded(facts);
    m_endpoints.turn();
    co_return facts;
}

Task<Result<QList<JobFact>>> DltsWire::endOf(TrialId trial)
{
    auto asking = m_calls->job(handleOf(trial));
    const Result<DltsJob> job = co_await asking;
    if (!job && job.error().kind == Kind::not_found)
        co_return QList<JobFact>();
    if (!job)
        co_return fail(job);
    QList<JobFact> facts;
    facts.append(take(*job, trial));
    co_return facts;
}

Task<Result<QList<JobFact>>> DltsWire::endedJobs(QList<TrialRef> trials)
{
    auto asking = endsOf(trials);
    const QList<JobFact> facts = co_await asking;
    if (facts.size() < trials.size()) {
        // A cluster whose database is away knows no job, either; but no team.
        auto probing = askTeam();
        const Result<Team> team = co_await probing;
        if (!team)
            co_return fail(team);
    }
    forgetEnded(facts);
    co_return facts;
}

Task<Result<QList<Machine>>> DltsWire::machines()
{
    auto asking = askTeam();
    const Result<Team> team = co_await asking;
    if (!team)
        co_return fail(team);
    m_queues = {queueOf(*team)};
    QList<Machine> machines;
    machines.append(dlts::machineOf(*team, context().id, context().clock->nowMs()));
    co_return machines;
}

Task<Result<>> DltsWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    return checkDlts({this, m_calls.get(), &storage(), &settings(), &context()}, request, extent, sink);
}

} // namespace platforms::dlts
