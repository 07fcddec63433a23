// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the server share, all on the http thread (but execute()'s way back).
#pragma once

#include "api_routes.h"
#include "api_server.h"
#include "audit_log.h"
#include "event_hub.h"
#include "stats.h"
#include "strangers.h"

#include "services/http/net/access.h"
#include "services/http/net/link.h"

#include <QThreadPool>

#include <chrono>
#include <unordered_set>

namespace http {

using Time = std::chrono::steady_clock::time_point;
[[nodiscard]] inline Time now()
{
    return std::chrono::steady_clock::now();
}
[[nodiscard]] inline std::chrono::milliseconds ms(int count)
{
    return std::chrono::milliseconds(count);
}

/// Something that holds a connection. The core owns it until it has closed itself.
class Connection
{
public:
    explicit Connection(LinkPtr link)
        : m_link(std::move(link))
    {
    }
    virtual ~Connection() = default;
    [[nodiscard]] const Peer& peer() const { return m_link->peer(); }
    [[nodiscard]] const QString& caller() const { return m_caller; }
    /// Called several times a second: ends what has taken too long.
    virtual void tick(Time time) = 0;
    /// Closes the connection and leaves the core.
    virtual void close() = 0;
    /// Its token is valid no more: closes, after an answer that is being sent.
    virtual void disown() { close(); }

protected:
    LinkPtr m_link;
    QString m_caller; ///< name of the token that it showed last
};

class ServerCore : public std::enable_shared_from_this<ServerCore>
{
public:
    ServerCore(ApiConfig config, api::EnginePort& port, Access access);

    /// Hands a command to the engine; `done` is called on the http thread, unless the server has stopped.
    void execute(api::Command command, std::function<void(Result<api::Reply>)> done);
    void apply(const api::ChangePtr& change);
    /// Stores the change, then applies it and ends the connections of a token that is valid no more. `done` gets the answer's JSON.
    void changeTokens(const ChangeTokens& change, std::function<void(Result<QByteArray>)> done);
    void dropExpiredTokens(qint64 nowMs);
    /// Calls `resume` once the engine's first state has come.
    void whenReady(std::function<void()> resume) { m_waiting.push_back(std::move(resume)); }
    [[nodiscard]] View view();
    /// `Date: …` as a header line, made once a second.
    [[nodiscard]] const QByteArray& dateLine();

    void add(const std::shared_ptr<Connection>& connection);
    void remove(const std::shared_ptr<Connection>& connection);

    net::io_context io{1};
    const ApiConfig config;
    api::EnginePort& port;
    Access access;
    AuditLog audit;
    api::Mirror mirror;
    EventHub hub;
    Stats stats;
    QThreadPool uploads; ///< one thread
    qint64 bodiesInFlight = 0;
    std::unordered_set<std::shared_ptr<Connection>> connections;
    int localConnections = 0; ///< of these, over the Unix socket
    Strangers strangers;
    net::ssl::context* tls = nullptr; ///< of connections over TCP, which outlives them; null: they are plain

private:
    void endConnectionsOf(const QString& tokenName);

    bool m_isChangingTokens = false;
    std::vector<std::function<void()>> m_waiting;
    Time m_started = now();
    qint64 m_dateSecond = 0;
    QByteArray m_dateLine;
};

} // namespace http
