// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_wire.h"

#include "blob_storage.h"
#include "openpai_check.h"
#include "openpai_facts.h"

#include "services/platforms/openpai/openpai_job.h"

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr qint64 pageSize = 500;
constexpr qint64 mostListed = 100'000; ///< a server that repeats a full page must not hold the list up for ever
/// Ends of so many are looked for one by one, of more in the list of the newest jobs first.
constexpr qsizetype fewEnds = 4;

} // namespace

OpenPaiWire::OpenPaiWire(Json settings, Context context, std::unique_ptr<OpenPaiCalls> calls)
    : StorageWire(std::move(settings), std::move(context))
    , m_calls(std::move(calls))
{
}

OpenPaiWire::~OpenPaiWire() = default;

QString OpenPaiWire::handleOf(const TrialId& trial) const
{
    return m_calls->user() + u'~' + nameOf(trial);
}

Task<Result<>> OpenPaiWire::open()
{
    auto asking = m_calls->info();
    const Result<PaiInfo> info = co_await asking;
    if (!info)
        co_return fail(info);
    auto checking = m_calls->checkToken();
    const Result<> accepted = co_await checking;
    if (!accepted)
        co_return fail(accepted);
    if (isStorageElsewhere()) {
        auto choosing = chooseStorage();
        const Result<> chosen = co_await choosing;
        if (!chosen)
            co_return fail(chosen);
    }
    auto opening = openStorage();
    co_return co_await opening;
}

Task<Result<>> OpenPaiWire::chooseStorage()
{
    auto asking = m_calls->storage(textOf(settings(), "storageConfigName").trimmed());
    const Result<StorageDetail> detail = co_await asking;
    if (!detail)
        co_return fail(detail);
    if (!isStorageElsewhere() || storage().folder().isObjectStore())
        co_return Result<>{};
    auto folder = blobFolder(*detail, settings(), context());
    if (!folder)
        co_return fail(folder);
    storage().setFolder(std::move(*folder));
    co_return Result<>{};
}

Task<> OpenPaiWire::close()
{
    co_await m_calls->close();
    co_await closeStorage();
}

// -------------------------------------------------------------------------------------------------------------- submission

Result<StorageWire::JobDocument> OpenPaiWire::documentOf(const TrialSpec& spec, const QString& script) const
{
    const Result<JobWish> wish = jobWish(settings(), spec.platformOptions, spec.gpuNumber);
    if (!wish)
        return fail(wish);
    const Result<QByteArray> document = jobDocument(*wish, nameOf(spec.id), script);
    if (!document)
        return fail(document);
    return JobDocument{*document, ownCommand(*wish)};
}

Task<SubmitReply> OpenPaiWire::handOver(TrialId, QByteArray document)
{
    return m_calls->submit(std::move(document));
}

Task<bool> OpenPaiWire::has(TrialId trial)
{
    auto asking = m_calls->job(nameOf(trial));
    const Result<PaiJob> job = co_await asking;
    co_return job.has_value();
}

Task<Result<>> OpenPaiWire::cancelOne(TrialRef ref)
{
    auto stopping = m_calls->stop(nameOf(ref.trial));
    Result<> stopped = co_await stopping;
    if (!stopped && stopped.error().kind == Kind::not_found)
        co_return Result<>{};
    co_return stopped;
}

// -------------------------------------------------------------------------------------------------------------- questions

QHash<TrialId, PaiJob> OpenPaiWire::ownOf(const QList<PaiJob>& jobs) const
{
    QHash<TrialId, PaiJob> own;
    for (const PaiJob& job : jobs)
        if (const TrialId trial = trialOf(context().serviceId, job.name);
            !trial.isEmpty() && job.user == m_calls->user())
            own.insert(trial, job);
    return own;
}

Task<Result<QList<JobFact>>> OpenPaiWire::jobs()
{
    QHash<TrialId, PaiJob> live;
    for (qint64 offset = 0;; offset += pageSize) {
        auto asking = m_calls->list(nameOf({}), true, offset, pageSize);
        const Result<JobPage> page = co_await asking;
        if (!page)
            co_return fail(page);
        live.insert(ownOf(page->jobs));
        if (page->jobs.size() < pageSize)
            break;
        if (offset > mostListed)
            co_return fail(Kind::platform, u"OpenPAI lists more jobs than there can be."_m);
    }
    QList<JobFact> facts;
    for (auto it = live.cbegin(); it != live.cend(); ++it) {
        setAccepted(it.key());
        facts.append(factOf(*it, it.key(), context().id));
    }
    co_return facts;
}

Task<Result<QHash<TrialId, PaiJob>>> OpenPaiWire::newestJobs()
{
    auto asking = m_calls->list(nameOf({}), false, 0, pageSize);
    const Result<JobPage> page = co_await asking;
    if (!page)
        co_return fail(page);
    co_return ownOf(page->jobs);
}

Task<Result<QList<JobFact>>> OpenPaiWire::endOf(TrialId trial)
{
    auto asking = m_calls->job(nameOf(trial));
    const Result<PaiJob> job = co_await asking;
    if (!job && job.error().kind == Kind::not_found)
        co_return QList<JobFact>();
    if (!job)
        co_return fail(job);
    QList<JobFact> facts;
    facts.append(factOf(*job, trial, context().id));
    co_return facts;
}

Task<Result<QList<JobFact>>> OpenPaiWire::endedJobs(QList<TrialRef> trials)
{
    QHash<TrialId, PaiJob> newest;
    if (trials.size() > fewEnds) {
        auto asking = newestJobs();
        const Result<QHash<TrialId, PaiJob>> jobs = co_await asking;
        if (!jobs)
            co_return fail(jobs);
        newest = *jobs;
    }
    QList<JobFact> facts;
    QList<TrialRef> unclear; // why a job failed is known from it alone
    for (const TrialRef& ref : trials) {
        const auto known = newest.constFind(ref.trial);
        const bool isClear =
            known != newest.constEnd() && (known->state == JobState::succeeded || known->state == JobState::stopped);
        if (isClear)
            facts.append(factOf(*known, ref.trial, context().id));
        else
            unclear.append(ref);
    }
    auto asking = endsOf(std::move(unclear));
    const QList<JobFact> ends = co_await asking;
    facts += ends;
    forgetEnded(facts);
    co_return facts;
}

Task<Result<QList<Machine>>> OpenPaiWire::machines()
{
    auto asking = m_calls->virtualClusters();
    const Result<QList<VirtualCluster>> clusters = co_await asking;
    if (!clusters)
        co_return fail(clusters);
    QList<Machine> machines;
    m_queues.clear();
    for (const VirtualCluster& cluster : *clusters) {
        machines.append(openpai::machineOf(cluster, context().id, context().clock->nowMs()));
        m_queues.append(queueOf(cluster));
    }
    co_return machines;
}

Task<Result<>> OpenPaiWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    return checkOpenPai({this, m_calls.get(), &storage(), &settings(), &context()}, request, extent, sink);
}

} // namespace platforms::openpai
