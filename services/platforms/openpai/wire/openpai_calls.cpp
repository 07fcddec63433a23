// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_calls.h"

#include "services/transport/http/retry_policy.h"

#include <QUrlQuery>

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr qint64 mostBytes = qint64(64) * 1024 * 1024;
constexpr QLatin1StringView apiPath("/rest-server"); ///< behind the portal's address

QByteArray encoded(const QString& text)
{
    return QUrl::toPercentEncoding(text);
}

} // namespace

OpenPaiCalls::OpenPaiCalls(Plan plan)
    : m_plan(std::move(plan))
    , m_strand(u"openpai"_s, 2)
{
}

Result<std::unique_ptr<OpenPaiCalls>> OpenPaiCalls::make(Plan plan)
{
    QUrl base = plan.http.base;
    QString path = base.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (!path.endsWith(apiPath))
        path += apiPath;
    base.setPath(path);
    plan.http.base = base;
    std::unique_ptr<OpenPaiCalls> calls(new OpenPaiCalls(std::move(plan)));
    if (const Result<> made = calls->makeClients(); !made)
        return fail(made);
    return calls;
}

Result<> OpenPaiCalls::makeClients()
{
    const transport::HttpEnvironment environment{.clock = m_plan.clock, .strand = &m_strand, .random = {}};
    std::unique_ptr<transport::HttpClient> login;
    if (!m_plan.token.password.isEmpty()) {
        auto made = transport::HttpClient::make(m_plan.http, environment);
        if (!made)
            return fail(made, u"host"_s);
        login = std::move(*made);
    }
    m_token = std::make_unique<OpenPaiToken>(m_plan.token, std::move(login));
    auto client = transport::HttpClient::make(m_plan.http, environment, m_token.get());
    if (!client)
        return fail(client, u"host"_s);
    m_client = std::move(*client);
    return {};
}

Task<> OpenPaiCalls::close()
{
    auto closing = m_client->close();
    co_await closing;
    auto closingLogin = m_token->close();
    co_await closingLogin;
}

QByteArray OpenPaiCalls::jobPath(const QString& name) const
{
    return "/api/v2/jobs/" + encoded(user()) + '~' + encoded(name);
}

Task<Result<Json>> OpenPaiCalls::ask(QByteArray target, Asking how)
{
    transport::HttpRequest request;
    request.target = std::move(target);
    request.accept = "application/json";
    request.isAuthorized = how.isAuthorized;
    request.attempts = how.attempts;
    request.timeoutMs = how.timeoutMs;
    request.maxBytes = mostBytes;
    auto sending = m_client->send(std::move(request), m_plan.stop);
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(readRefusal(answer->status, answer->body).error);
    co_return answer->json;
}

QUrl OpenPaiCalls::portal() const
{
    QUrl url = m_plan.http.base;
    QString path = url.path();
    path.chop(apiPath.size());
    url.setPath(path);
    return url;
}

QString OpenPaiCalls::pageOf(const QString& name) const
{
    QUrl page = portal();
    page.setPath(page.path() + u"/job-detail.html"_s);
    QUrlQuery query;
    query.addQueryItem(u"username"_s, QString::fromLatin1(encoded(user())));
    query.addQueryItem(u"jobName"_s, QString::fromLatin1(encoded(name)));
    page.setQuery(query);
    return page.toString(QUrl::FullyEncoded | QUrl::RemoveUserInfo);
}

Task<Result<PaiInfo>> OpenPaiCalls::info()
{
    const Asking unauthorized{.isAuthorized = false};
    auto asking = ask("/api/v2/info", unauthorized);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    const QString version = textOf(*answer, "version");
    if (version.isEmpty() || !memberOf(*answer, "launcherType"))
        co_return fail(Kind::platform, u"Something else than OpenPAI answered. Is the address that of its portal?"_m);
    co_return PaiInfo{version, textOf(*answer, "authnMethod") != "OIDC"_L1};
}

Task<Result<>> OpenPaiCalls::checkToken()
{
    // What needs a token, and is there in every version.
    auto asking = list(u"td-"_s, true, 0, 1);
    const Result<JobPage> answer = co_await asking;
    co_return answer ? Result<>{} : fail(answer);
}

Task<SubmitReply> OpenPaiCalls::submit(QByteArray document)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = "/api/v2/jobs";
    request.accept = "application/json"; // a gateway's page is no acceptance
    request.contentType = "text/yaml";   // of another type the server reads nothing
    request.body = std::move(document);
    request.attempts = 1; // a limit of requests is waited for by the engine, which says so
    request.timeoutMs = 60'000;
    request.followsRedirects = true;
    auto sending = m_client->send(std::move(request), m_plan.stop);
    const Result<transport::HttpReply> answer = co_await sending;
    using Outcome = SubmitReply::Outcome;
    SubmitReply reply;
    if (!answer) {
        reply.error = answer.error();
        // Without credentials nothing was sent on, and an invalid request not at all.
        const bool isUnsent = reply.error.kind == Kind::auth || reply.error.kind == Kind::invalid;
        reply.outcome = isUnsent ? Outcome::later : Outcome::unknown;
        co_return reply;
    }
    if (answer->isOk()) {
        reply.outcome = Outcome::accepted;
        co_return reply;
    }
    const PaiRefusal refusal = readRefusal(answer->status, answer->body);
    reply.error = refusal.error;
    const int status = answer->status;
    if (status == 409 && refusal.code == "ConflictJobError"_L1) {
        reply.outcome = Outcome::accepted;
    } else if (status == 429 || status == 503 || status == 408) {
        reply.outcome = Outcome::later;
        const transport::AttemptEnd end{{}, status, answer->header("Retry-After"), answer->header("Date")};
        reply.retryAfterMs = transport::retryDelayMs(end, 1, 0, m_plan.clock->nowMs());
    } else if (status >= 500) {
        reply.outcome = Outcome::unknown; // it may have been stored before the error
    } else if (status == 401) {
        reply.outcome = Outcome::later;
    } else {
        reply.outcome = status >= 400 ? Outcome::refused : Outcome::later;
    }
    co_return reply;
}

Task<Result<JobPage>> OpenPaiCalls::list(QString keyword, bool onlyLive, qint64 offset, qint64 limit)
{
    QByteArray target = "/api/v2/jobs?username=" + encoded(user()) + "&keyword=" + encoded(keyword)
        + "&order=" + encoded(u"submissionTime,DESC"_s) + "&withTotalCount=true&offset=" + QByteArray::number(offset)
        + "&limit=" + QByteArray::number(limit);
    if (onlyLive)
        target += "&state=" + encoded(u"WAITING,RUNNING,STOPPING"_s);
    auto asking = ask(target);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readJobPage(*answer);
}

Task<Result<PaiJob>> OpenPaiCalls::job(QString name)
{
    auto asking = ask(jobPath(name));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    Result<PaiJob> job = readJob(*answer);
    if (job && job->name != name)
        co_return fail(Kind::platform, u"OpenPAI answered with another job than the one that was asked for."_m);
    co_return job;
}

Task<Result<QByteArray>> OpenPaiCalls::log(QString name)
{
    constexpr int logTimeoutMs = 5'000;
    constexpr qint64 mostLog = 1024 * 1024;
    auto asking = job(name);
    const Result<PaiJob> job = co_await asking;
    if (!job)
        co_return fail(job);
    const QString own = u"/api/v2/jobs/%1~%2/attempts/"_s.arg(user(), name); // the server may name no other job's log
    const QString path = QUrl::fromPercentEncoding(job->logPath.toUtf8());
    if (!path.startsWith(own) || path.contains("/.."_L1))
        co_return fail(Kind::not_found, u"OpenPAI names no log of the job."_m);
    const Asking once{.attempts = 1, .timeoutMs = logTimeoutMs};
    auto placing = ask(
        jobPath(name) + "/attempts/" + QUrl::toPercentEncoding(path.mid(own.size()), "/") + "?tail-mode=true", once);
    const Result<Json> places = co_await placing;
    if (!places)
        co_return fail(places);
    const Result<QByteArray> place = readLogPlace(*places);
    if (!place)
        co_return fail(place);
    transport::HttpRequest reading;
    reading.target = portal().toEncoded(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment) + *place;
    reading.isAuthorized = false; // the address has its own right: a signature in its query
    if (const QByteArray query = place->mid(place->indexOf('?') + 1); query.size() < place->size() && !query.isEmpty())
        reading.secrets.append(query);
    reading.attempts = 1;
    reading.timeoutMs = logTimeoutMs;
    reading.maxBytes = mostLog;
    auto sending = m_client->send(std::move(reading), m_plan.stop);
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(transport::errorOf(*answer));
    co_return answer->body;
}

Task<Result<>> OpenPaiCalls::stop(QString name)
{
    transport::HttpRequest request;
    request.method = "PUT";
    request.target = jobPath(name) + "/executionType";
    request.contentType = "application/json";
    request.body = R"({"value":"STOP"})";
    request.isRepeatable = true;
    request.attempts = questionAttempts;
    auto sending = m_client->send(std::move(request), m_plan.stop);
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(readRefusal(answer->status, answer->body).error);
    co_return Result<>{};
}

Task<Result<QList<VirtualCluster>>> OpenPaiCalls::virtualClusters()
{
    auto asking = ask("/api/v2/virtual-clusters");
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readVirtualClusters(*answer);
}

Task<Result<QList<Storage>>> OpenPaiCalls::storages()
{
    auto asking = ask("/api/v2/storages");
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readStorages(*answer);
}

Task<Result<StorageDetail>> OpenPaiCalls::storage(QString name)
{
    auto asking = ask("/api/v2/storages/" + encoded(name));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readStorage(*answer, name);
}

Task<Result<QStringList>> OpenPaiCalls::skuTypes(QString virtualCluster)
{
    auto asking = ask("/api/v2/cluster/sku-types?vc=" + encoded(virtualCluster));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readSkuTypes(*answer);
}

} // namespace platforms::openpai
