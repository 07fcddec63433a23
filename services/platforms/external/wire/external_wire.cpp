// SPDX-License-Identifier: GPL-3.0-or-later
#include "external_wire.h"

#include "external_check.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/job_name.h"
#include "services/platforms/external/program_answers.h"
#include "services/platforms/json_members.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr qint64 openMs = 120'000;
constexpr qint64 beginAgainMs = 2'000; ///< after a start that failed
constexpr int forgetAtOnce = 8;

/// Where a program may keep what it likes.
QString programFolder(const Context& context)
{
    return u"%1/platforms/%2"_s.arg(context.dataDir, context.id.value);
}

} // namespace

Json storageSettings(const Json& settings, const Context& context)
{
    Json whole = settings;
    QString here = textOf(settings, folderSetting);
    if (here.isEmpty())
        here = programFolder(context);
    const QString there = textOf(settings, nodeFolderSetting);
    whole["localStorageMountPoint"] = here;
    whole["containerStorageMountPoint"] = there.isEmpty() ? here : there;
    return whole;
}

ExternalWire::ExternalWire(
    Json settings, const Context& context, ProgramDescription description, QStringList command, qint64 callTimeoutMs)
    : StorageWire(storageSettings(settings, context), context)
    , m_description(std::move(description))
    , m_ownSettings(programSettings(std::move(settings)))
    , m_callMs(callTimeoutMs)
    , m_program({std::move(command), context.clock})
{
    connect(&m_program, &ProgramCalls::changed, this, &ClusterWire::jobsChanged);
}

ExternalWire::~ExternalWire() = default;

// ------------------------------------------------------------------------------------------------------------- the program

Task<Result<>> ExternalWire::begin()
{
    m_isProgramOpen = false;
    if (!m_program.isRunning()) {
        auto starting = m_program.start();
        const Result<> started = co_await starting;
        if (!started)
            co_return fail(started);
    }
    Json members = Json::object({{"settings", m_ownSettings}, {"service", context().serviceId},
        {"platform", context().id.value}, {"folder", programFolder(context())}});
    QDir().mkpath(programFolder(context()));
    auto opening = m_program.call(u"open"_s, std::move(members), openMs);
    const Result<Json> opened = co_await opening;
    if (!opened)
        co_return fail(opened);
    m_isProgramOpen = true;
    co_return Result<>{};
}

Task<Result<>> ExternalWire::makeReady()
{
    if (m_isClosed)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    if (m_isBeginning) {
        const OneShot<Result<>> shot;
        m_waiting.push_back(shot);
        co_return co_await shot.wait();
    }
    if (m_isProgramOpen && m_program.isRunning())
        co_return Result<>{};
    if (m_refusal && context().clock->steadyMs() - m_refusedAt < beginAgainMs)
        co_return tl::unexpected(Error(*m_refusal));
    m_isBeginning = true;
    auto beginning = begin();
    const Result<> begun = co_await beginning;
    m_isBeginning = false;
    m_refusal = begun ? std::nullopt : std::optional(begun.error());
    m_refusedAt = context().clock->steadyMs();
    for (OneShot<Result<>>& shot : std::exchange(m_waiting, {}))
        shot.set(begun);
    co_return begun;
}

Task<Result<Json>> ExternalWire::ask(QString call, Json members, qint64 timeoutMs)
{
    auto readying = makeReady();
    const Result<> ready = co_await readying;
    if (!ready)
        co_return fail(ready); // nothing was asked
    auto asking = m_program.call(std::move(call), std::move(members), timeoutMs);
    co_return co_await asking;
}

Task<Result<Json>> ExternalWire::askUnopened(QString call, Json members, qint64 timeoutMs)
{
    if (m_isBeginning) {
        auto readying = makeReady();
        const Result<> ready = co_await readying;
        if (!ready)
            co_return fail(ready);
    } else if (!m_program.isRunning()) {
        auto starting = m_program.start();
        const Result<> started = co_await starting;
        if (!started)
            co_return fail(started);
    }
    auto asking = m_program.call(std::move(call), std::move(members), timeoutMs);
    co_return co_await asking;
}

Task<Result<>> ExternalWire::open()
{
    auto readying = makeReady();
    const Result<> ready = co_await readying;
    if (!ready)
        co_return fail(ready);
    auto opening = openStorage();
    co_return co_await opening;
}

Task<> ExternalWire::close()
{
    m_isClosed = true;
    co_await m_program.close();
    co_await closeStorage();
}

// -------------------------------------------------------------------------------------------------------------- submission

QString ExternalWire::handleOf(const TrialId& trial) const
{
    return jobName(context().serviceId, trial);
}

Result<StorageWire::JobDocument> ExternalWire::documentOf(const TrialSpec& spec, const QString& script) const
{
    Json members = Json::object({{"name", handleOf(spec.id)}, {"trial", spec.id.value},
        {"experiment", spec.experimentId.value}, {"script", script}, {"folder", script.section(u'/', 0, -2)}});
    if (spec.gpuNumber)
        members["gpus"] = *spec.gpuNumber;
    members["options"] = spec.platformOptions.is_object() ? spec.platformOptions : Json::object();
    return JobDocument{dumpJson(members), {}};
}

Task<SubmitReply> ExternalWire::handOver(TrialId trial, QByteArray document)
{
    Q_UNUSED(trial)
    auto asking = ask(u"submit"_s, parseJson(document).value_or(Json::object()), m_callMs);
    const Result<Json> answer = co_await asking;
    co_return submitAnswer(answer).reply;
}

Task<bool> ExternalWire::has(TrialId trial)
{
    auto asking = endOf(trial);
    const Result<QList<JobFact>> found = co_await asking;
    co_return found && !found->isEmpty();
}

Task<Result<>> ExternalWire::cancelOne(TrialRef ref)
{
    auto asking = ask(u"cancel"_s, Json::object({{"name", handleOf(ref.trial)}, {"job", ref.handle}}), m_callMs);
    const Result<Json> answer = co_await asking;
    co_return answer || answer.error().kind == Kind::not_found ? Result<>{} : Result<>(fail(answer));
}

// --------------------------------------------------------------------------------------------------------------- questions

Task<Result<QList<JobFact>>> ExternalWire::askJobs()
{
    auto asking = ask(u"jobs"_s, Json::object(), m_callMs);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return jobsIn(*answer, context().serviceId, context().id);
}

Task<Result<QList<JobFact>>> ExternalWire::jobs()
{
    auto asking = askJobs();
    Result<QList<JobFact>> facts = co_await asking;
    for (const JobFact& fact : facts.value_or(QList<JobFact>()))
        if (fact.phase != JobFact::Phase::ended)
            setAccepted(fact.trial);
    if (facts)
        forgetEnded(*facts);
    co_return facts;
}

Task<Result<QList<JobFact>>> ExternalWire::endOf(TrialId trial)
{
    auto asking = askJobs();
    Result<QList<JobFact>> facts = co_await asking;
    if (facts)
        facts->removeIf([&](const JobFact& fact) { return fact.trial != trial; });
    co_return facts;
}

/// jobs() has those that ended, too: one that is not among them is not known.
Task<Result<QList<JobFact>>> ExternalWire::endedJobs(QList<TrialRef> trials)
{
    Q_UNUSED(trials)
    co_return QList<JobFact>();
}

Task<Result<QList<Machine>>> ExternalWire::machines()
{
    if (!m_description.calls.contains(OptionalCall::machines))
        co_return QList<Machine>();
    auto asking = ask(u"machines"_s, Json::object(), m_callMs);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return machinesIn(*answer, context().id, context().clock->nowMs());
}

Task<Result<>> ExternalWire::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    if (m_description.calls.contains(OptionalCall::forget)) {
        const std::function<Task<Result<Json>>(TrialRef)> one = [this](TrialRef ref) {
            return ask(u"forget"_s, Json::object({{"name", handleOf(ref.trial)}, {"job", ref.handle}}), m_callMs);
        };
        auto forgetting = inTurns<Result<Json>>(trials, forgetAtOnce, one);
        co_await forgetting; // errors are ignored: the queue keeps a record of an ended job, no more
    }
    auto removing = StorageWire::remove(experiment, trials);
    co_return co_await removing;
}

Task<Result<>> ExternalWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    return checkProgram(this, request, extent, sink);
}

} // namespace platforms::external
