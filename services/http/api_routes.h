// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of routes: from a request to a command for the engine, to an answer from the mirror, or to a stream. Pure:
// nothing is sent or waited for here, so every route can be tested without a socket.
#pragma once

#include "api_json.h"
#include "event_hub.h"

#include "services/http/net/access.h"
#include "services/http/net/url.h"

#include <functional>
#include <span>

namespace http {

enum class Method { get, head, put, post, patch, del };
[[nodiscard]] QByteArray methodName(Method method);
[[nodiscard]] std::optional<Method> methodFromName(QByteArrayView name);

/// What a handler needs of a request.
struct Call
{
    Method method = Method::get;
    QStringList captures; ///< what the braces of the pattern stand for, in order
    Query query;
    QByteArrayView body;
    std::optional<QByteArray> ifMatch;
    std::optional<QByteArray> ifNoneMatch;
    QString idempotencyKey;
    Caller caller; ///< empty name: a route that needs no token
};

/// What a handler may look at.
struct View
{
    const api::Mirror& mirror;
    QStringList platformKinds;
    qint64 uptimeSeconds = 0;
    const QList<TokenRecord>& tokens;
    std::function<QByteArray()> prometheus;
    QString ingestUrl = {}; ///< where trials post their metrics; empty: nowhere
};

/// A command whose reply is the answer; a reply without a body is answered by `fallback`, called when it has come.
struct Execute
{
    api::Command command;
    std::function<QByteArray(const api::Mirror&)> fallback;
    bool ifMatch = false;
    /// What the answer is: the reply's document; that with the revision added; `fallback` whatever the reply holds; whether
    /// something exists (HEAD); bytes of a log or a file, with X-Offset and the like.
    enum class Shape { document, revised, record, exists, log, file } shape = Shape::document;
};

/// Bytes in pieces: a followed log (until its end), or a whole file.
struct StreamBytes
{
    api::ReadLog read;
    QByteArray contentType;
};

struct FollowEvents
{
    EventFilter filter;
    std::optional<EventPlace> since; ///< of a text that is no place: one that is not kept, so a reset
};

/// The body is an upload: streamed to a file, then stored under its hash.
struct ReceiveCode
{
    QString sha;
};

/// A change of the tokens that this service accepts. The answer holds a new token, which is shown this once.
struct ChangeTokens
{
    enum class What { rotate, create, revoke } what = What::rotate;
    TokenRecord record; ///< create: without its hash; revoke: its name
};

using Outcome = std::variant<Answer, Execute, StreamBytes, FollowEvents, ReceiveCode, ChangeTokens>;

struct Route
{
    Method method;
    const char* pattern; ///< `/api/v1/trials/{id}`; a last `{path...}` takes the rest
    Result<Outcome> (*handle)(Call& call, const View& view);
    std::optional<Scope> scope = Scope::read; ///< of the token that it takes; nothing: none is needed
    bool isRoutine = false; ///< programs repeat it every few seconds: the audit log has those that were refused

    [[nodiscard]] bool needsToken() const { return scope.has_value(); }
};

[[nodiscard]] std::span<const Route> routes();

struct Match
{
    const Route* route = nullptr;
    int index = -1; ///< of the route in routes()
    QStringList captures;
};
/// HEAD is served by GET's route unless it has its own. Without a method, or where the path has no such method: no route.
[[nodiscard]] Match findRoute(std::optional<Method> method, const QStringList& segments);
/// What the path allows, for 405: `GET, HEAD, PUT`; empty when no pattern fits it.
[[nodiscard]] QByteArray allowedMethods(const QStringList& segments);

/// The reply as an answer; adds what a log's bytes need.
[[nodiscard]] Answer answerOf(const Execute& execute, const Result<api::Reply>& reply, const api::Mirror& mirror);

} // namespace http
