// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connection_pool.h"
#include "http2_sessions.h"
#include "http_exchange.h"
#include "shared_token.h"

namespace transport {

/// Sends one request as often as it takes to get its answer's head: connection, proxy, token, redirects.
class HttpSender
{
public:
    struct Answer
    {
        std::shared_ptr<HttpAnswer> answer;
        QUrl url;
    };
    enum class Use {
        request, ///< whole, on a connection that may be an old one and is kept for another
        stream,  ///< uncompressed, on a connection of its own, or one of HTTP/2 that streams share
        upgrade, ///< uncompressed, on a connection of its own, and redirects are not followed
    };

    /// `tokens` may be null.
    [[nodiscard]] static Result<std::unique_ptr<HttpSender>> make(
        HttpSettings settings, HttpEnvironment environment, TokenSource* tokens);

    /// Kind::auth when the server refuses a new token, too. Otherwise an answer of any status.
    /// `more` are fields that go to any origin.
    [[nodiscard]] Task<Result<Answer>> send(HttpRequest request, Use use, Patience patience, HttpHeaders more = {});
    /// A GET that asks for a WebSocket.
    [[nodiscard]] Task<Result<Answer>> upgrade(
        HttpRequest request, QByteArray key, QList<QByteArray> protocols, Patience patience);
    /// After an answer was read to its end.
    void finish(HttpAnswer& answer);

    [[nodiscard]] const HttpSettings& settings() const { return m_settings; }
    [[nodiscard]] std::stop_token stopToken() const { return m_scope.stopToken(); }
    [[nodiscard]] Task<> close();
    /// Values that must not appear in a text.
    [[nodiscard]] QList<QByteArray> secrets() const;

private:
    HttpSender(HttpSettings settings, HttpEnvironment environment, HttpTls tls, HttpOrigin own, TokenSource* tokens);

    [[nodiscard]] Task<Result<std::shared_ptr<HttpAnswer>>> exchange(
        RequestHead head, QByteArray body, Use use, bool isRepeatable, int connectMs, Patience patience);
    [[nodiscard]] Task<Result<>> start(
        std::shared_ptr<HttpExchange> exchange, RequestHead head, QByteArray body, Patience patience);
    [[nodiscard]] Task<Result<std::shared_ptr<HttpAnswer>>> share(
        HttpConnection::Plan plan, RequestHead head, Patience patience);
    [[nodiscard]] Task<Result<QNetworkProxy>> proxyFor(QUrl url, Patience patience);
    [[nodiscard]] Task<> askSystemProxy(QUrl url, OneShot<QNetworkProxy> shot);

    HttpSettings m_settings;
    HttpEnvironment m_environment;
    HttpTls m_tls;
    HttpOrigin m_own;
    Scope m_scope;
    std::optional<SharedToken> m_token;
    ConnectionPool m_pool;
    Http2Sessions m_sessions;
};

[[nodiscard]] bool isRepeatable(const HttpRequest& request);

} // namespace transport
