// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_sender.h"

#include <QNetworkProxyFactory>

#include <array>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr int maxRedirects = 5;
/// A request that must not be sent twice takes no connection that the server may be about to close.
constexpr qint64 certainlyOpenMs = 1'000;

/// Fields that the client writes itself.
bool isReserved(const QByteArray& name)
{
    static constexpr std::array reserved = {"host", "content-length", "transfer-encoding", "connection", "upgrade",
        "proxy-authorization", "user-agent", "accept", "accept-encoding", "content-type"};
    return std::any_of(
        reserved.begin(), reserved.end(), [&](const char* one) { return name.compare(one, Qt::CaseInsensitive) == 0; });
}

Result<QNetworkProxy> proxyOf(const ProxySettings& settings)
{
    if (settings.mode != ProxySettings::Mode::url)
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const QString scheme = settings.url.scheme();
    if ((scheme != u"http" && scheme != u"socks5") || settings.url.host().isEmpty())
        return fail(Kind::invalid, u"The proxy must be an address such as http://proxy:3128 or socks5://proxy:1080."_m);
    const bool isHttp = scheme == u"http";
    return QNetworkProxy(isHttp ? QNetworkProxy::HttpProxy : QNetworkProxy::Socks5Proxy, settings.url.host(),
        quint16(settings.url.port(isHttp ? 3128 : 1080)), settings.url.userName(QUrl::FullyDecoded),
        settings.url.password(QUrl::FullyDecoded));
}

/// The head of a request to `url`. One to another origin than our own gets nothing that the caller wrote for ours.
RequestHead headFor(const HttpRequest& request, const QUrl& url, bool isOwn, HttpSender::Use use)
{
    RequestHead head;
    head.method = request.method;
    head.url = url;
    head.headers = {{"User-Agent", "Trialdeck/" TRIALDECK_VERSION},
        {"Accept", request.accept.isEmpty() ? QByteArray("*/*") : request.accept},
        {"Accept-Encoding", use == HttpSender::Use::request ? "gzip" : "identity"}};
    if (!request.contentType.isEmpty())
        head.headers.append({"Content-Type", request.contentType});
    if (isOwn)
        head.headers += request.headers;
    if (!request.body.isEmpty() || (request.method != "GET" && request.method != "HEAD" && request.method != "DELETE"))
        head.length = request.body.size();
    return head;
}

} // namespace

bool isRepeatable(const HttpRequest& request)
{
    return request.isRepeatable.value_or(request.method == "GET" || request.method == "HEAD");
}

Result<std::unique_ptr<HttpSender>> HttpSender::make(
    HttpSettings settings, HttpEnvironment environment, TokenSource* tokens)
{
    const std::optional<HttpOrigin> own = originOf(settings.base);
    if (!own)
        return fail(Kind::invalid, u"The address of the server must begin with http:// or https:// and name a host."_m);
    if (const Result<QNetworkProxy> proxy = proxyOf(settings.proxy); !proxy)
        return fail(proxy);
    Result<HttpTls> tls = HttpTls::make(settings.tls);
    if (!tls)
        return fail(tls);
    return std::unique_ptr<HttpSender>(
        new HttpSender(std::move(settings), std::move(environment), std::move(*tls), *own, tokens));
}

HttpSender::HttpSender(
    HttpSettings settings, HttpEnvironment environment, HttpTls tls, HttpOrigin own, TokenSource* tokens)
    : m_settings(std::move(settings))
    , m_environment(std::move(environment))
    , m_tls(std::move(tls))
    , m_own(std::move(own))
    , m_pool(m_environment.clock, std::max(1, m_settings.maxParallel))
    , m_sessions(m_environment.clock, m_tls, &m_scope)
{
    if (tokens)
        m_token.emplace(tokens, &m_scope, m_environment.clock);
}

QList<QByteArray> HttpSender::secrets() const
{
    QList<QByteArray> secrets = {m_settings.tls.passphrase, m_settings.proxy.url.password(QUrl::FullyDecoded).toUtf8()};
    if (m_token) {
        const QByteArray value = m_token->current();
        secrets += value;
        secrets += value.mid(value.indexOf(' ') + 1);
    }
    return secrets;
}

Task<> HttpSender::askSystemProxy(QUrl url, OneShot<QNetworkProxy> shot)
{
    auto asking = m_environment.strand->run([url] {
        const QList<QNetworkProxy> proxies = QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url));
        return proxies.value(0, QNetworkProxy(QNetworkProxy::NoProxy));
    });
    const QNetworkProxy proxy = co_await asking;
    shot.set(proxy);
}

Task<Result<QNetworkProxy>> HttpSender::proxyFor(QUrl url, Patience patience)
{
    if (m_settings.proxy.mode != ProxySettings::Mode::system)
        co_return proxyOf(m_settings.proxy);
    const OneShot<QNetworkProxy> shot;
    m_scope.spawn([this, url, shot] { return askSystemProxy(url, shot); });
    // DefaultProxy: that it was not to be had.
    const QNetworkProxy none(QNetworkProxy::DefaultProxy);
    auto waiting = patiently(shot, m_environment.clock, patience.endMs, patience.stop, none, none);
    const QNetworkProxy proxy = co_await waiting;
    if (proxy.type() != QNetworkProxy::DefaultProxy)
        co_return proxy;
    if (patience.stop.stop_requested())
        co_return tl::unexpected(cancelledError());
    co_return fail(Kind::timeout, u"The system did not say in time which proxy to use."_m);
}

Task<Result<std::shared_ptr<HttpAnswer>>> HttpSender::exchange(
    RequestHead head, QByteArray body, Use use, bool isRepeatable, int connectMs, Patience patience)
{
    HttpConnection::Plan plan;
    plan.origin = originOf(head.url).value_or(m_own);
    plan.isOwn = plan.origin == m_own;
    plan.connectMs = connectMs;
    auto choosing = proxyFor(head.url, patience);
    const Result<QNetworkProxy> proxy = co_await choosing;
    if (!proxy)
        co_return fail(proxy);
    plan.proxy = *proxy;
    if (use == Use::stream && plan.isOwn && plan.origin.isTls && head.method == "GET" && body.isEmpty()) {
        auto sharing = share(plan, head, patience);
        co_return co_await sharing;
    }
    std::shared_ptr<HttpConnection> connection;
    if (use == Use::request)
        connection = m_pool.take(plan.origin, isRepeatable ? ConnectionPool::keptMs : certainlyOpenMs);
    for (;;) {
        const bool isOld = connection != nullptr;
        if (!isOld) {
            connection = std::make_shared<HttpConnection>(m_environment.clock, m_tls, plan);
            auto opening = connection->open(patience);
            const Result<> opened = co_await opening;
            if (!opened)
                co_return fail(opened);
        }
        const auto exchange = std::make_shared<HttpExchange>(connection, head.method);
        auto starting = start(exchange, head, body, patience);
        const Result<> started = co_await starting;
        if (started)
            co_return exchange;
        // A kept connection that the server closed at the moment of its use.
        if (!isOld || !isRepeatable || exchange->isAnswered() || started.error().kind != Kind::network)
            co_return fail(started);
        connection.reset();
    }
}

Task<Result<>> HttpSender::start(
    std::shared_ptr<HttpExchange> exchange, RequestHead head, QByteArray body, Patience patience)
{
    const HttpConnection& connection = *exchange->connection();
    const Result<QByteArray> bytes =
        requestHeadBytes(head, connection.isForwarded() ? &connection.plan().proxy : nullptr);
    if (!bytes)
        co_return fail(bytes);
    auto starting = exchange->start(*bytes, body, patience);
    co_return co_await starting;
}

/// On a connection that streams share; where the server does not speak HTTP/2, on one of its own.
Task<Result<std::shared_ptr<HttpAnswer>>> HttpSender::share(
    HttpConnection::Plan plan, RequestHead head, Patience patience)
{
    for (bool isFirst = true;; isFirst = false) {
        auto taking = m_sessions.take(plan, patience);
        const Result<Http2Sessions::Place> place = co_await taking;
        if (!place)
            co_return fail(place);
        if (!place->session) {
            const auto exchange = std::make_shared<HttpExchange>(place->connection, head.method);
            auto starting = start(exchange, head, {}, patience);
            const Result<> started = co_await starting;
            if (!started)
                co_return fail(started);
            co_return exchange;
        }
        auto asking = place->session->get(head, patience);
        const Result<std::shared_ptr<HttpAnswer>> answer = co_await asking;
        // An old connection that the server closed at the moment of its use.
        if (answer || !isFirst || !place->isOld || answer.error().kind != Kind::network)
            co_return answer;
    }
}

Task<Result<HttpSender::Answer>> HttpSender::upgrade(
    HttpRequest request, QByteArray key, QList<QByteArray> protocols, Patience patience)
{
    request.method = "GET";
    HttpHeaders more = {{"Connection", "Upgrade"}, {"Upgrade", "websocket"}, {"Sec-WebSocket-Version", "13"},
        {"Sec-WebSocket-Key", key}};
    if (!protocols.isEmpty())
        more.append({"Sec-WebSocket-Protocol", protocols.join(", ")});
    auto sending = send(std::move(request), Use::upgrade, patience, more);
    co_return co_await sending;
}

Task<Result<HttpSender::Answer>> HttpSender::send(HttpRequest request, Use use, Patience patience, HttpHeaders more)
{
    const Result<QUrl> target = resolvedTarget(m_settings.base, request.target);
    if (!target)
        co_return fail(target);
    for (const auto& [name, value] : std::as_const(request.headers))
        if (isReserved(name))
            co_return fail(Kind::invalid, u"The header %1 is the client's to write."_m.arg(QString::fromLatin1(name)));
    QUrl url = *target;
    const bool repeats = isRepeatable(request);
    QByteArray rejected;
    int redirects = 0;
    for (;;) {
        const bool isOwn = originOf(url) == m_own;
        RequestHead head = headFor(request, url, isOwn, use);
        head.headers += more;
        if (isOwn && m_token && request.isAuthorized) {
            auto asking = m_token->get(rejected, patience);
            const Result<QByteArray> given = co_await asking;
            if (!given)
                co_return fail(given);
            head.authorization = *given;
            head.tokenHeader = m_settings.tokenHeader;
        }
        auto exchanging = exchange(head, request.body, use, repeats, request.connectMs, patience);
        const Result<std::shared_ptr<HttpAnswer>> done = co_await exchanging;
        if (!done)
            co_return fail(done);
        const ResponseHead answer = (*done)->head();
        if (answer.status == 401 && !head.authorization.isEmpty()) {
            if (!rejected.isEmpty())
                co_return fail(Kind::auth,
                    u"%1 does not accept the credentials, also not renewed ones. Enter valid ones in the platform's settings."_m
                        .arg(url.host()));
            rejected = head.authorization;
            continue;
        }
        if (use == Use::upgrade)
            co_return Answer{*done, url};
        const Result<std::optional<Redirect>> redirect =
            redirectOf(url, answer.status, headerValue(answer.headers, "location"), request);
        if (!redirect)
            co_return fail(redirect);
        if (!*redirect)
            co_return Answer{*done, url};
        if (++redirects > maxRedirects)
            co_return fail(Kind::platform, u"%1 redirects more than %2 times."_m.arg(url.host()).arg(maxRedirects));
        url = (*redirect)->url;
        request.method = (*redirect)->method;
        if (!(*redirect)->keepsBody) {
            request.body.clear();
            request.contentType.clear();
        }
    }
}

void HttpSender::finish(HttpAnswer& answer)
{
    if (std::shared_ptr<HttpConnection> connection = answer.takeReusable();
        connection && !m_scope.stopToken().stop_requested())
        m_pool.give(std::move(connection));
}

Task<> HttpSender::close()
{
    m_pool.clear();
    auto draining = m_scope.drain();
    co_await draining;
    m_pool.clear();
}

} // namespace transport
