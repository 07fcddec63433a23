// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event_hub.h"

#include "services/api/engine_port.h"
#include "services/core/result.h"
#include "services/http/net/access.h"

#include <QStringList>
#include <QUrl>

#include <memory>

namespace http {

using namespace core;

/// Bounds that keep one client from hurting the others; times in milliseconds. Tests make them small.
struct ApiLimits
{
    qint64 headerBytes = 16 * 1024;
    qint64 bodyBytes = 16 * 1024 * 1024;
    qint64 uploadBytes = 300 * 1024 * 1024;
    qint64 bodiesInFlight = 256 * 1024 * 1024; ///< of all requests together; beyond it 503
    int connections = 1024;
    int strangers = 256;        ///< of these, that have not shown a token yet; for a further one the oldest is closed
    int strangersOfPeer = 32;   ///< the same for each other computer
    int localConnections = 256; ///< over the Unix socket, beside the others
    int refusalMs = 500;        ///< before a wrong token is answered
    int headerMs = 10'000;   ///< from the connection, or the first byte of a further request, to the end of the header
    int idleMs = 60'000;     ///< between requests, and between two pieces of a body
    int bodyMs = 600'000;    ///< for a whole body
    int stallMs = 30'000;    ///< a client that takes nothing of what we send
    int replyMs = 120'000;   ///< the engine's answer
    int readyMs = 5'000;     ///< a request that came before the engine's first state waits for it
    int lingerMs = 2'000;    ///< for a client to read the last answer before the connection is cut
    int eventIntervalMs = 5; ///< between two messages to a listener
    int eventIdleMs = 15'000;
    EventLimits events;
};

/// How the server is reached, and what it knows beside the engine's records.
struct ApiConfig
{
    QString address = QStringLiteral("127.0.0.1"); ///< an address of this computer, or localhost
    quint16 port = 0;                              ///< 0: a free one
    bool fallBackToFreePort = false;               ///< when `port` is taken
    QByteArray token;                              ///< required: the one of the data directory
    QList<TokenRecord> moreTokens;
    /// Stores changed tokens: all but the data directory's, and that one unless it is empty (unchanged). Called on a worker thread;
    /// absent: tokens cannot be changed.
    std::function<Result<>(const QByteArray& token, const QList<TokenRecord>& others)> saveTokens;
    QString auditFile; ///< absolute; empty: there is no audit log
    QString tlsCert;   ///< files in PEM form; both or none
    QString tlsKey;
    bool insecure = false; ///< may listen beyond loopback without TLS
    QStringList hostNames; ///< names by which clients may call this host, beside localhost and its own name
    QString socket;        ///< absolute path of a Unix socket to listen on, too; its folder must be this user's alone
    QString uploadDir;     ///< received code, inside the data directory; empty: uploads are refused
    QStringList platformKinds;
    QString ingestUrl; ///< where trials post their metrics (services/http/ingest); empty: nowhere
    ApiLimits limits;
};

class ServerCore;

/// The service's HTTP side: one thread of its own, named `http`, that never waits. It keeps a mirror of the engine's records and
/// answers lists from it; what changes something goes to the engine as a command, and is answered when that is done.
class ApiServer
{
public:
    /// The port must outlive the server.
    ApiServer(ApiConfig config, api::EnginePort& port);
    ~ApiServer(); ///< stops

    /// Binds and begins to serve. Kind::invalid: an address beyond loopback with neither TLS nor `insecure`, or a wrong setting;
    /// Kind::conflict: the port is taken; Kind::resource: the certificate cannot be read. Returns the address of the service.
    [[nodiscard]] Result<QUrl> start();
    /// After start(): whether it listens on config.socket, too. A file system without sockets is no reason not to serve.
    [[nodiscard]] bool hasSocket() const;
    /// What a listener beside this one shares, on the same thread; it ends before stop(). Null before start() and after stop().
    [[nodiscard]] std::shared_ptr<ServerCore> core() const;
    /// Closes every connection and ends the thread; waits for it. The engine may go on.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace http
