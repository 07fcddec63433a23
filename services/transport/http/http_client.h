// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_settings.h"
#include "token_source.h"

#include <QObject>

#include <memory>
#include <stop_token>

namespace transport {

class HttpStream;
class WebSocket;

/// Of a request for a WebSocket.
struct WebSocketAnswer
{
    std::shared_ptr<WebSocket> socket; ///< null: the server gave none
    HttpReply refusal;                 ///< then its answer, of any status but 101
};

/// Requests to the HTTP interface of one cluster: one client for each platform. On the thread that made it, which needs an event loop;
/// nothing blocks. Tasks end with Kind::cancelled soon after their stop, or the client's close(). README.md says what is done about
/// each failure.
class HttpClient : public QObject
{
    Q_OBJECT
public:
    /// Kind::invalid for settings that cannot be used. `tokens` may be null.
    [[nodiscard]] static Result<std::unique_ptr<HttpClient>> make(
        HttpSettings settings, HttpEnvironment environment, TokenSource* tokens = nullptr);
    ~HttpClient() override; ///< precondition: close() was awaited, and no task of this client is

    /// An answer of any status, but for a second 401, which is Kind::auth. Repeats what retry_policy.h says, at the most
    /// request.attempts times; then the last answer or error is the result.
    [[nodiscard]] Task<Result<HttpReply>> send(HttpRequest request, std::stop_token stop);

    /// The answer as it comes, of any status; sent once (and once more with a new token).
    [[nodiscard]] Task<Result<std::shared_ptr<HttpStream>>> stream(HttpRequest request, std::stop_token stop);

    /// A GET upgraded to a WebSocket that speaks one of `protocols`.
    [[nodiscard]] Task<Result<WebSocketAnswer>> webSocket(
        HttpRequest request, QList<QByteArray> protocols, std::stop_token stop);

    /// Three attempts in a row failed for a reason that has nothing to do with the request (network, timeout, 429, 5xx), and none
    /// succeeded since.
    [[nodiscard]] bool isHealthy() const;

    /// Ends everything: requests, streams, the renewal of a token.
    [[nodiscard]] Task<> close();

signals:
    void healthChanged(bool isHealthy);

private:
    struct Parts;
    struct Attempt;
    explicit HttpClient(std::unique_ptr<Parts> parts);

    [[nodiscard]] Task<Attempt> attempt(HttpRequest request, std::stop_token stop);
    void noteHealth(bool isGood);

    std::unique_ptr<Parts> m_parts;
};

} // namespace transport
