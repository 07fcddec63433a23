// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest_socket.h"

#include "services/api/post_port.h"

#include <memory>

namespace http {

class ApiServer;

/// Resource limits of the listener: per connection, per trial, and in total. Times in milliseconds; tests use smaller values.
struct IngestLimits
{
    qint64 headerBytes = 8 * 1024;
    qint64 bodyBytes = 8 * 1024 * 1024;
    qint64 bodiesInFlight = 128 * 1024 * 1024; ///< of all posts together; beyond it 503
    int connections = 4096;
    int connectionsOfTrial = 16; ///< further ones end with their answer
    int strangers = 256;         ///< that have not shown a token yet; for a further one the oldest is closed
    int strangersOfPeer = 64;    ///< the same for each other computer
    int refusalMs = 500;         ///< before a wrong token in Authorization is answered
    int headerMs = 10'000; ///< from the connection, or the first byte of a further request, to the end of the header
    int idleMs = 60'000;   ///< between requests,
    int pieceMs = 15'000;  ///< and between two pieces of a body
    int bodyMs = 120'000;  ///< for a whole body
    int stallMs = 15'000;  ///< a client that takes nothing of an answer
    int replyMs = 120'000; ///< the engine's answer
    int lingerMs = 2'000;  ///< for a client to read the last answer before the connection is cut
};

struct IngestConfig
{
    QByteArray key; ///< of trial::ingestToken()
    IngestLimits limits;
};

/// Where trials post their metrics: a listener of its own on the thread of the API, with its TLS settings. It knows only the routes of
/// ingest_routes.h and takes no token of the API.
class IngestServer
{
public:
    /// Both outlive it.
    IngestServer(IngestConfig config, ApiServer& api, api::PostPort& port);
    ~IngestServer(); ///< stops

    /// Begins to listen; the API serves already.
    [[nodiscard]] Result<> start(IngestSocket socket);
    /// Closes every connection. Before the API stops.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace http
