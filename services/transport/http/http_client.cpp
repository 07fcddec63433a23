// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_client.h"

#include "http_sender.h"
#include "http_stream.h"
#include "redaction.h"
#include "retry_policy.h"
#include "web_socket.h"

#include "services/core/logging.h"
#include "services/core/printable.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr int failuresUntilUnhealthy = 3;
constexpr qsizetype parsedHereBytes = 64 * 1024; ///< JSON over this is parsed on the strand
constexpr qsizetype excerptBytes = 512;

/// `application/json; charset=utf-8` is of application/json; so is `application/merge-patch+json`.
bool isOfType(QByteArray contentType, const QByteArray& wanted)
{
    if (const qsizetype parameters = contentType.indexOf(';'); parameters >= 0)
        contentType.truncate(parameters);
    contentType = contentType.trimmed().toLower();
    return contentType == wanted || (wanted == "application/json" && contentType.endsWith("+json"));
}

AttemptEnd endOf(const Result<HttpReply>& result)
{
    AttemptEnd end;
    if (result)
        return {std::nullopt, result->status, result->header("retry-after"), result->header("date")};
    end.error = result.error().kind;
    return end;
}

} // namespace

struct HttpClient::Parts
{
    HttpEnvironment environment;
    std::unique_ptr<HttpSender> sender;
    RequestPlaces places;
    int failures = 0;
    int underWay = 0;

    [[nodiscard]] Task<Result<HttpReply>> receive(HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<Result<HttpReply>> read(HttpRequest request, HttpReply reply);
    [[nodiscard]] Patience patienceFor(const HttpRequest& request, std::stop_token stop) const;
    /// What must be neither shown nor logged.
    [[nodiscard]] QList<QByteArray> secrets(const HttpRequest& request) const
    {
        return sender->secrets() + request.secrets;
    }
    [[nodiscard]] Error clean(Error error, const HttpRequest& request) const;
    [[nodiscard]] QString excerpt(const QByteArray& body, const HttpRequest& request) const;
};

Patience HttpClient::Parts::patienceFor(const HttpRequest& request, std::stop_token stop) const
{
    const qint64 end = request.timeoutMs > 0 ? environment.clock->steadyMs() + request.timeoutMs : never;
    return {std::move(stop), end, request.silenceMs};
}

Error HttpClient::Parts::clean(Error error, const HttpRequest& request) const
{
    const QList<QByteArray> known = secrets(request);
    error.message = error.message.withWords([&](const QString& words) { return redacted(words, known); });
    error.detail = redacted(error.detail, known);
    return error;
}

QString HttpClient::Parts::excerpt(const QByteArray& body, const HttpRequest& request) const
{
    // Redacted before it is cut: half a secret is no secret that is known.
    const QString text =
        redacted(QString::fromUtf8(body.first(std::min<qsizetype>(body.size(), 4 * excerptBytes))), secrets(request));
    return printable(text, excerptBytes - 1);
}

/// One attempt.
Task<Result<HttpReply>> HttpClient::Parts::receive(HttpRequest request, std::stop_token stop)
{
    auto queueing = places.take(stop);
    Result<std::shared_ptr<RequestPlaces::Place>> place = co_await queueing;
    if (!place)
        co_return fail(place);
    const Patience patience = patienceFor(request, stop);
    auto sending = sender->send(request, HttpSender::Use::request, patience);
    const Result<HttpSender::Answer> sent = co_await sending;
    if (!sent)
        co_return fail(sent);
    auto reading = sent->answer->readAll(request.maxBytes, patience);
    const Result<QByteArray> body = co_await reading;
    if (!body)
        co_return fail(body);
    sender->finish(*sent->answer);
    place->reset();
    HttpReply reply;
    reply.status = sent->answer->head().status;
    reply.headers = sent->answer->head().headers;
    reply.body = *body;
    reply.url = sent->url;
    auto checking = read(request, reply);
    co_return co_await checking;
}

/// Checks the type of a success, and parses JSON.
Task<Result<HttpReply>> HttpClient::Parts::read(HttpRequest request, HttpReply reply)
{
    const bool hasBody = reply.isOk() && reply.status != 204 && reply.status != 205 && request.method != "HEAD";
    const bool changes = request.method != "GET" && request.method != "HEAD";
    const bool isPage = isOfType(reply.header("content-type"), "text/html");
    if (!hasBody || (request.accept.isEmpty() && !(changes && isPage)))
        co_return reply;
    const QString host = reply.url.host();
    if (request.accept.isEmpty())
        co_return fail(Kind::platform,
            u"%1 answered with a page (text/html), which does not say that it did what it was asked for. Check the address: something else may answer there."_m
                .arg(host),
            excerpt(reply.body, request));
    if (!isOfType(reply.header("content-type"), request.accept))
        co_return fail(Kind::platform,
            u"%1 answered with %2 where %3 is expected. Check the address: something else may answer there."_m.arg(host,
                printable(QString::fromLatin1(reply.header("content-type")), 100), QString::fromLatin1(request.accept)),
            excerpt(reply.body, request));
    if (request.accept != "application/json")
        co_return reply;
    Result<Json> json;
    if (reply.body.size() > parsedHereBytes) {
        auto parsing = environment.strand->run([body = reply.body] { return parseJson(body); });
        json = co_await parsing;
    } else {
        json = parseJson(reply.body);
    }
    if (!json)
        co_return fail(Kind::network, u"The answer of %1 is damaged: it is no valid JSON."_m.arg(host),
            excerpt(reply.body, request));
    reply.json = std::move(*json);
    co_return reply;
}

Result<std::unique_ptr<HttpClient>> HttpClient::make(
    HttpSettings settings, HttpEnvironment environment, TokenSource* tokens)
{
    if (!environment.random)
        environment.random = [] { return QRandomGenerator::global()->generateDouble(); };
    const int most = std::max(1, settings.maxParallel);
    Result<std::unique_ptr<HttpSender>> sender = HttpSender::make(std::move(settings), environment, tokens);
    if (!sender)
        return fail(sender);
    auto parts =
        std::unique_ptr<Parts>(new Parts{environment, std::move(*sender), RequestPlaces(environment.clock, most)});
    return std::unique_ptr<HttpClient>(new HttpClient(std::move(parts)));
}

HttpClient::HttpClient(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

HttpClient::~HttpClient()
{
    Q_ASSERT_X(
        m_parts->underWay == 0, "HttpClient", "destroyed while requests are under way: await close() and them first");
}

bool HttpClient::isHealthy() const
{
    return m_parts->failures < failuresUntilUnhealthy;
}

void HttpClient::noteHealth(bool isGood)
{
    const bool wasHealthy = isHealthy();
    m_parts->failures = isGood ? 0 : m_parts->failures + 1;
    if (isHealthy() != wasHealthy)
        emit healthChanged(isHealthy());
}

Task<Result<HttpReply>> HttpClient::send(HttpRequest request, std::stop_token stop)
{
    Parts& parts = *m_parts;
    const JoinedStop joined(stop, parts.sender->stopToken());
    const bool repeats = isRepeatable(request);
    ++parts.underWay;
    Result<HttpReply> result = fail(Kind::internal, QString());
    for (int failures = 1;; ++failures) {
        auto receiving = parts.receive(request, joined.token());
        result = co_await receiving;
        if (!result)
            result = tl::unexpected(parts.clean(result.error(), request));
        const AttemptEnd end = endOf(result);
        const bool isFault =
            end.error ? retryable(*end.error) : end.status == 408 || end.status == 429 || end.status >= 500;
        if (!end.error || isFault)
            noteHealth(!isFault);
        const bool mayRepeat = request.attempts == 0 || failures < request.attempts;
        if (!mayRepeat || !isWorthRepeating(end, repeats))
            break;
        const qint64 delay = retryDelayMs(end, failures, parts.environment.random(), parts.environment.clock->nowMs());
        qCDebug(lcPlatform).noquote() << "HTTP" << request.method
                                      << redacted(
                                             redactedUrl(QUrl::fromEncoded(request.target)), parts.secrets(request))
                                      << "failed"
                                      << (result ? QString::number(end.status)
                                                 : result.error().message.text() + u' ' + result.error().detail)
                                      << "again in" << delay << "ms";
        auto waiting = pause(parts.environment.clock, delay, joined.token());
        const bool waited = co_await waiting;
        if (!waited) {
            result = tl::unexpected(cancelledError());
            break;
        }
    }
    --parts.underWay;
    co_return result;
}

Task<Result<std::shared_ptr<HttpStream>>> HttpClient::stream(HttpRequest request, std::stop_token stop)
{
    Parts& parts = *m_parts;
    auto joined = std::make_unique<JoinedStop>(stop, parts.sender->stopToken());
    ++parts.underWay;
    auto sending = parts.sender->send(request, HttpSender::Use::stream, parts.patienceFor(request, joined->token()));
    const Result<HttpSender::Answer> sent = co_await sending;
    --parts.underWay;
    if (!sent)
        co_return tl::unexpected(parts.clean(sent.error(), request));
    co_return std::make_shared<HttpStream>(sent->answer, std::move(joined), request.silenceMs, sent->url);
}

Task<Result<WebSocketAnswer>> HttpClient::webSocket(
    HttpRequest request, QList<QByteArray> protocols, std::stop_token stop)
{
    Parts& parts = *m_parts;
    auto joined = std::make_unique<JoinedStop>(stop, parts.sender->stopToken());
    const Patience patience = parts.patienceFor(request, joined->token());
    const QByteArray key = webSocketKey();
    ++parts.underWay;
    auto sending = parts.sender->upgrade(request, key, protocols, patience);
    const Result<HttpSender::Answer> sent = co_await sending;
    --parts.underWay;
    if (!sent)
        co_return tl::unexpected(parts.clean(sent.error(), request));
    const ResponseHead head = sent->answer->head();
    if (head.status != 101) {
        const auto rest = std::make_shared<HttpStream>(sent->answer, std::move(joined), request.silenceMs, sent->url);
        auto reading = rest->rest();
        const Result<HttpReply> reply = co_await reading;
        if (!reply)
            co_return fail(reply);
        co_return WebSocketAnswer{nullptr, *reply};
    }
    if (const QString problem = upgradeProblem(head, key, protocols); !problem.isEmpty())
        co_return fail(
            Kind::platform, u"%1 does not speak WebSocket as it was asked to."_m.arg(sent->url.host()), problem);
    co_return WebSocketAnswer{
        std::make_shared<WebSocket>(sent->answer->connection(), std::move(joined), request.maxBytes, request.silenceMs,
            headerValue(head.headers, "sec-websocket-protocol")),
        {}};
}

Task<> HttpClient::close()
{
    auto closing = m_parts->sender->close();
    co_await closing;
}

} // namespace transport
