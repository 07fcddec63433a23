// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_calls.h"

#include "services/transport/http/redaction.h"
#include "services/transport/http/retry_policy.h"

#include <QUrl>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

constexpr qint64 mostBytes = qint64(64) * 1024 * 1024;
constexpr int endedListed = 100; ///< ended jobs that a list has besides; the newest

constexpr QLatin1StringView apiPath("/api"); ///< behind the dashboard's address

QByteArray encoded(const QString& text)
{
    return QUrl::toPercentEncoding(text);
}

} // namespace

DltsCalls::DltsCalls(Plan plan)
    : m_plan(std::move(plan))
    , m_password(m_plan.password, m_plan.passwordFile)
    , m_strand(u"dlts"_s, 2)
{
}

QString DltsCalls::pageOf(const QString& id) const
{
    QUrl page = m_plan.http.base;
    QString path = page.path(QUrl::FullyEncoded);
    path.chop(apiPath.size());
    for (const QString& part : {u"job"_s, m_plan.team, m_plan.cluster, id})
        path += u'/' + QString::fromLatin1(encoded(part));
    page.setPath(path, QUrl::TolerantMode);
    return page.toString(QUrl::FullyEncoded | QUrl::RemoveUserInfo);
}

Result<std::unique_ptr<DltsCalls>> DltsCalls::make(Plan plan)
{
    QUrl base = plan.http.base;
    QString path = base.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (!path.endsWith(apiPath))
        path += apiPath;
    base.setPath(path);
    base.setQuery(QString());
    base.setFragment(QString());
    plan.http.base = base;
    std::unique_ptr<DltsCalls> calls(new DltsCalls(std::move(plan)));
    if (const Result<> read = calls->m_password.read(); !read)
        return fail(read);
    auto client =
        transport::HttpClient::make(calls->m_plan.http, {.clock = calls->m_plan.clock, .strand = &calls->m_strand});
    if (!client)
        return fail(client, u"dashboard"_s);
    calls->m_client = std::move(*client);
    return calls;
}

Task<> DltsCalls::close()
{
    auto closing = m_client->close();
    co_await closing;
}

QByteArray DltsCalls::clusterPath() const
{
    return "/clusters/" + encoded(m_plan.cluster);
}

// ----------------------------------------------------------------------------------------------------------------- requests

Task<Result<transport::HttpReply>> DltsCalls::sendOnce(transport::HttpRequest request)
{
    request.target += request.target.contains('?') ? '&' : '?';
    request.target += "email=" + encoded(m_plan.email) + "&password=" + encoded(QString::fromUtf8(m_password.value()));
    request.secrets = secrets();
    auto sending = m_client->send(std::move(request), m_plan.stop);
    co_return co_await sending;
}

Task<Result<transport::HttpReply>> DltsCalls::send(transport::HttpRequest request)
{
    auto sending = sendOnce(request);
    Result<transport::HttpReply> answer = co_await sending;
    if (answer && answer->status == 403 && m_password.mayChange()) { // which says that nothing was done
        const QByteArray before = m_password.value();
        const Result<> read = m_password.read();
        if (!read)
            co_return fail(read);
        if (m_password.value() != before) {
            auto again = sendOnce(request);
            answer = co_await again;
        }
    }
    m_wasAccepted = m_wasAccepted || (answer && answer->isOk());
    co_return answer;
}

Task<Result<Json>> DltsCalls::ask(QByteArray target, int attempts, int timeoutMs)
{
    transport::HttpRequest request;
    request.target = std::move(target);
    request.accept = "application/json";
    request.attempts = attempts;
    request.timeoutMs = timeoutMs;
    request.maxBytes = mostBytes;
    auto sending = send(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(refusalOf(answer->status, answer->body, secrets(), m_wasAccepted));
    co_return answer->json;
}

Task<Result<transport::HttpReply>> DltsCalls::change(QByteArray method, QByteArray target, QByteArray body)
{
    transport::HttpRequest request;
    request.isRepeatable = method == "PUT";
    request.method = std::move(method);
    request.target = std::move(target);
    request.contentType = "application/json";
    request.body = std::move(body);
    request.followsRedirects = true;
    request.attempts = questionAttempts;
    auto sending = send(std::move(request));
    Result<transport::HttpReply> answer = co_await sending;
    if (answer && !answer->isOk())
        co_return tl::unexpected(refusalOf(answer->status, answer->body, secrets(), m_wasAccepted));
    co_return answer;
}

// ---------------------------------------------------------------------------------------------------------------- questions

Task<Result<QList<TeamClusters>>> DltsCalls::teams()
{
    auto asking = ask("/teams");
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readTeams(*answer);
}

Task<Result<Team>> DltsCalls::team()
{
    auto asking = ask("/teams/" + encoded(m_plan.team) + clusterPath());
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    Result<Team> team = readTeam(*answer);
    if (team && team->name != m_plan.team)
        co_return fail(Kind::platform, u"DLTS answered with another team than the one that was asked for."_m);
    co_return team;
}

Task<Result<QList<DltsJob>>> DltsCalls::jobs()
{
    const QByteArray limit = "?limit=" + QByteArray::number(endedListed);
    if (!m_isOld) {
        auto asking = ask("/v2" + clusterPath() + "/teams/" + encoded(m_plan.team) + "/jobs" + limit);
        const Result<Json> answer = co_await asking;
        if (answer)
            co_return readJobs(*answer);
        if (answer.error().kind != Kind::not_found)
            co_return fail(answer);
    }
    auto asking = ask("/teams/" + encoded(m_plan.team) + "/jobs" + limit);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    m_isOld = true;
    Result<QList<DltsJob>> jobs = readJobs(*answer);
    if (jobs && m_plan.cluster != ".default"_L1) // it lists those of all clusters
        jobs->removeIf([this](const DltsJob& job) { return !job.cluster.isEmpty() && job.cluster != m_plan.cluster; });
    co_return jobs;
}

Task<Result<DltsJob>> DltsCalls::status(QString id)
{
    auto asking = ask(clusterPath() + "/jobs/" + encoded(id) + "/status");
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readStatus(*answer, id);
}

Task<Result<DltsJob>> DltsCalls::job(QString id)
{
    if (!m_isOld) {
        auto asking = ask("/v2" + clusterPath() + "/jobs/" + encoded(id));
        const Result<Json> answer = co_await asking;
        Result<DltsJob> job = answer ? readJob(*answer) : Result<DltsJob>(fail(answer));
        if (job && job->id != id)
            co_return fail(Kind::platform, u"DLTS answered with another job than the one that was asked for."_m);
        if (!job && (answer || job.error().kind != Kind::not_found))
            co_return job;
        if (job && job->state != JobState::failed && job->state != JobState::error)
            co_return job;
        if (job) {
            auto telling = status(id);
            const Result<DltsJob> told = co_await telling;
            if (!told)
                co_return fail(told);
            job->errorText = told->errorText;
            co_return job;
        }
    }
    auto telling = status(id);
    co_return co_await telling;
}

Task<Result<QByteArray>> DltsCalls::log(QString id)
{
    constexpr int mostPages = 1'000; // of 100 lines
    constexpr int pageMs = 5'000;
    constexpr qint64 allMs = 10'000;
    constexpr qsizetype mostLog = 1024 * 1024;
    const QByteArray target = clusterPath() + "/jobs/" + encoded(id) + "/log";
    QByteArray text;
    QString cursor;
    const qint64 until = m_plan.clock->steadyMs() + allMs;
    for (int i = 0; i < mostPages && m_plan.clock->steadyMs() < until; ++i) {
        const QByteArray page = cursor.isEmpty() ? target : target + "?cursor=" + encoded(cursor);
        auto asking = ask(page, 1, pageMs);
        const Result<Json> answer = co_await asking;
        if (!answer && answer.error().kind == Kind::not_found && i > 0)
            break;
        const Result<LogPage> read = answer ? readLogPage(*answer) : Result<LogPage>(fail(answer));
        if (!read)
            co_return fail(read);
        text = (text + read->text).right(mostLog);
        if (read->text.isEmpty() || read->cursor.isEmpty() || read->cursor == cursor)
            break;
        cursor = read->cursor;
    }
    co_return text;
}

Task<Result<QList<JobEndpoint>>> DltsCalls::endpoints(QString id)
{
    auto asking = ask(clusterPath() + "/jobs/" + encoded(id) + "/endpoints");
    const Result<Json> answer = co_await asking;
    co_return answer ? readJobEndpoints(*answer) : fail(answer);
}

Task<Result<>> DltsCalls::openEndpoints(QString id, QList<Endpoint> endpoints)
{
    auto changing = change("POST", clusterPath() + "/jobs/" + encoded(id) + "/endpoints", endpointsBody(endpoints));
    const Result<transport::HttpReply> answer = co_await changing;
    co_return answer ? Result<>{} : fail(answer);
}

// -------------------------------------------------------------------------------------------------------------- submission

Task<SubmitReply> DltsCalls::submit(QString id, QByteArray document)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = clusterPath() + "/jobs";
    request.contentType = "application/json";
    request.body = std::move(document); // the answer is text/plain, with JSON in it
    request.attempts = 1;               // what must wait waits in the engine, which says so
    request.timeoutMs = 60'000;
    request.followsRedirects = true;
    auto sending = send(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    using Outcome = SubmitReply::Outcome;
    SubmitReply reply;
    if (!answer) {
        reply.error = answer.error();
        // Without credentials nothing was sent, and an invalid request not at all.
        const bool isUnsent = reply.error.kind == Kind::auth || reply.error.kind == Kind::invalid;
        reply.outcome = isUnsent ? Outcome::later : Outcome::unknown;
        co_return reply;
    }
    const int status = answer->status;
    if (!answer->isOk()) {
        reply.error = refusalOf(status, answer->body, secrets(), m_wasAccepted);
        if (status == 429 || status == 503 || status == 408) {
            reply.outcome = Outcome::later;
            const transport::AttemptEnd end{{}, status, answer->header("Retry-After"), answer->header("Date")};
            reply.retryAfterMs = transport::retryDelayMs(end, 1, 0, m_plan.clock->nowMs());
        } else if (status >= 500) {
            reply.outcome = Outcome::unknown; // it may have been stored before the error
        } else {
            reply.outcome = reply.error.kind == Kind::auth || status < 400 ? Outcome::later : Outcome::refused;
        }
        co_return reply;
    }
    const Submitted said = readSubmitted(answer->body);
    const QString error = transport::redacted(said.error, secrets());
    if (said.id == id) {
        reply.outcome = Outcome::accepted;
    } else if (!said.id.isEmpty()) {
        auto killing = kill(said.id); // nobody would find it again
        co_await killing;
        reply.outcome = Outcome::refused;
        reply.error = Error{Kind::platform,
            u"DLTS gave the job another id than it was told to, so that it could not be found again: it was ended."_m,
            {}};
    } else if (mayBeThere(error)) {
        auto looking = job(id);
        const Result<DltsJob> there = co_await looking;
        const bool isAbsent = !there && there.error().kind == Kind::not_found;
        reply.outcome = there ? Outcome::accepted : isAbsent ? Outcome::later : Outcome::unknown;
        reply.error = Error{Kind::platform, u"DLTS: %1"_m.arg(error), {}};
    } else if (!error.isEmpty()) {
        reply.outcome = Outcome::refused;
        reply.error = Error{Kind::platform, u"DLTS: %1"_m.arg(error), {}};
    } else {
        reply.error = Error{Kind::platform, u"DLTS answered the submission with neither a job nor an error."_m,
            transport::redacted(QString::fromUtf8(answer->body.left(512)), secrets())};
    }
    co_return reply;
}

Task<Result<>> DltsCalls::putKilling(QString id)
{
    auto changing =
        change("PUT", clusterPath() + "/jobs/" + encoded(id) + "/status", QByteArray(R"({"status":"killing"})"));
    const Result<transport::HttpReply> answer = co_await changing;
    if (!answer)
        co_return fail(answer);
    switch (readChange(answer->body)) {
    case Change::done:
        co_return Result<>{};
    case Change::refused:
        co_return fail(Kind::conflict, u"DLTS did not end the job, though it has not ended."_m);
    case Change::unreadable:
        break;
    }
    co_return fail(Kind::platform, u"DLTS did not say whether it ends the job."_m,
        transport::redacted(QString::fromUtf8(answer->body.left(512)), secrets()));
}

Task<Result<>> DltsCalls::kill(QString id)
{
    auto putting = putKilling(id);
    Result<> put = co_await putting;
    if (put || put.error().kind != Kind::conflict)
        co_return put;
    // It has ended, is unknown, or could not be changed: the same words.
    auto looking = job(id);
    const Result<DltsJob> job = co_await looking;
    if (!job && job.error().kind != Kind::not_found)
        co_return fail(job);
    if (job && canBeKilled(job->state))
        co_return put;
    co_return Result<>{};
}

} // namespace platforms::dlts
