// SPDX-License-Identifier: GPL-3.0-or-later
#include "rest_calls.h"

#include "services/platforms/slurm/slurm_queue.h"
#include "services/platforms/slurm/slurm_rest.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr int questionAttempts = 3;
constexpr qint64 mostBytes = qint64(64) * 1024 * 1024; ///< the list of all jobs of a large cluster

} // namespace

RestCalls::RestCalls(Plan plan)
    : m_plan(std::move(plan))
    , m_strand(u"slurmrestd"_s, 2)
{
}

Result<std::unique_ptr<RestCalls>> RestCalls::make(Plan plan)
{
    std::unique_ptr<RestCalls> calls(new RestCalls(std::move(plan)));
    calls->m_plan.http.tokenHeader = "X-SLURM-USER-TOKEN"; // before 23.11 it knows no Authorization
    auto client = transport::HttpClient::make(
        calls->m_plan.http, {.clock = calls->m_plan.clock, .strand = &calls->m_strand}, calls->m_plan.tokens.get());
    if (!client)
        return fail(client, u"restUrl"_s);
    calls->m_client = std::move(*client);
    return calls;
}

Message RestCalls::title() const
{
    return u"slurmrestd"_m;
}

Message RestCalls::remedy() const
{
    return u"Check restUrl, and that slurmrestd runs there with auth/jwt; make a token with `scontrol token`."_m;
}

Task<> RestCalls::close()
{
    auto closing = m_client->close();
    co_await closing;
}

Task<Result<transport::HttpReply>> RestCalls::send(QByteArray method, QByteArray path, QByteArray body, int attempts)
{
    transport::HttpRequest request;
    request.method = std::move(method);
    request.target = std::move(path);
    request.headers = {{"X-SLURM-USER-NAME", m_plan.user}};
    request.body = std::move(body);
    if (!request.body.isEmpty())
        request.contentType = "application/json";
    // A cancel may come twice; a submission may not.
    request.isRepeatable = request.method != "POST";
    request.attempts = attempts;
    request.maxBytes = mostBytes;
    auto sending = m_client->send(std::move(request), m_plan.stop);
    co_return co_await sending;
}

Task<Result<>> RestCalls::findVersion()
{
    if (m_version != 0)
        co_return Result<>{};
    for (const int version : restVersions) {
        auto sending = send("GET", restPath(version, "ping"), {}, 1);
        const Result<transport::HttpReply> answer = co_await sending;
        if (!answer)
            co_return fail(answer);
        if (answer->status == 404)
            continue;
        const Result<SlurmVersion> slurm = readRestVersion(restReply(answer->status, answer->body));
        if (!slurm)
            co_return fail(slurm);
        m_version = version;
        m_slurm = *slurm;
        co_return Result<>{};
    }
    co_return fail(Kind::platform,
        u"There is no slurmrestd of Slurm 22.05 to 26.05 at %1: it serves none of the versions v0.0.%2 to v0.0.%3."_m
            .arg(m_plan.http.base.toDisplayString())
            .arg(restVersions.back())
            .arg(restVersions.front()));
}

Task<Result<Reply>> RestCalls::ask(QByteArray method, QByteArray rest, QByteArray body)
{
    auto finding = findVersion();
    const Result<> found = co_await finding;
    if (!found)
        co_return fail(found);
    auto sending = send(std::move(method), restPath(m_version, rest), std::move(body), questionAttempts);
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    // The cluster was brought to another release, whose slurmrestd serves other versions.
    if (answer->status == 404)
        m_version = 0;
    if (const Result<Json> json = parseJson(answer->body); answer->status >= 400 && (!json || !json->is_object()))
        co_return tl::unexpected(transport::errorOf(*answer));
    co_return restReply(answer->status, answer->body);
}

Task<Result<SlurmVersion>> RestCalls::version()
{
    m_version = 0;
    auto finding = findVersion();
    const Result<> found = co_await finding;
    if (!found)
        co_return fail(found);
    co_return m_slurm;
}

Task<SubmitAnswer> RestCalls::submit(ScriptValues values, QByteArray script)
{
    SubmitAnswer answer;
    auto finding = findVersion();
    const Result<> found = co_await finding;
    if (!found) {
        answer.outcome = SubmitAnswer::Outcome::none;
        answer.error = found.error();
        co_return answer;
    }
    const Result<QByteArray> body = submitBody(values, script, m_version);
    if (!body) {
        answer.outcome = SubmitAnswer::Outcome::refused;
        answer.error = body.error();
        co_return answer;
    }
    auto asking = ask("POST", "job/submit", *body);
    const Result<Reply> reply = co_await asking;
    if (reply)
        co_return readRestSubmit(*reply);
    const Kind kind = reply.error().kind;
    answer.outcome =
        kind == Kind::auth || kind == Kind::invalid ? SubmitAnswer::Outcome::none : SubmitAnswer::Outcome::unknown;
    answer.error = reply.error();
    co_return answer;
}

Task<Result<QList<SlurmJob>>> RestCalls::queue()
{
    auto asking = ask("GET", "jobs");
    Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (const auto error = restError(*reply))
        co_return tl::unexpected(*error);
    Result<QList<SlurmJob>> jobs = readQueueJson(*reply);
    // Another user's job may have any name.
    if (jobs)
        jobs->removeIf([user = QString::fromUtf8(m_plan.user)](
                           const SlurmJob& job) { return !job.user.isEmpty() && job.user != user; });
    co_return jobs;
}

Task<Result<Accounting>> RestCalls::accounting(QList<qint64> ids)
{
    Q_UNUSED(ids)
    co_return Accounting{.kept = false, .jobs = {}};
}

Task<Result<>> RestCalls::cancel(QList<qint64> ids, QStringList names)
{
    Result<> all;
    if (!names.isEmpty()) {
        auto asking = queue();
        const Result<QList<SlurmJob>> jobs = co_await asking;
        if (!jobs)
            all = fail(jobs);
        else
            for (const SlurmJob& job : *jobs)
                if (names.contains(job.name) && !ids.contains(job.id))
                    ids.append(job.id);
    }
    for (const qint64 id : ids) {
        auto asking = ask("DELETE", "job/" + QByteArray::number(id));
        const Result<Reply> reply = co_await asking;
        if (!reply && all)
            all = fail(reply);
        else if (reply)
            if (const auto error = restCancelError(*reply); error && all)
                all = tl::unexpected(*error);
    }
    co_return all;
}

Task<Result<QList<SlurmPartition>>> RestCalls::partitions()
{
    auto asking = ask("GET", "partitions");
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return readRestPartitions(*reply);
}

Task<Result<QList<SlurmNode>>> RestCalls::nodes()
{
    auto asking = ask("GET", "nodes");
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return readRestNodes(*reply);
}

} // namespace platforms::slurm
