// SPDX-License-Identifier: GPL-3.0-or-later
// What the connections of trials share, all on the http thread.
#pragma once

#include "ingest_server.h"
#include "posts_in_flight.h"

#include "services/http/server_core.h"

#include <unordered_map>

namespace http {

struct IngestCore : std::enable_shared_from_this<IngestCore>
{
    IngestCore(IngestConfig c, ServerCore& s, api::PostPort& p)
        : config(std::move(c))
        , server(s)
        , port(p)
        , strangers(size_t(config.limits.strangers), size_t(config.limits.strangersOfPeer))
    {
    }

    const IngestConfig config;
    ServerCore& server; ///< owns the thread's event loop, in which all of this lives
    api::PostPort& port;
    Strangers strangers;
    PostsInFlight posts{1};
    PostsInFlight keeperPosts{8}; ///< the keeper of NNI sends its own lines beside the trial's
    qint64 bodiesInFlight = 0;    ///< bytes
    std::unordered_set<std::shared_ptr<Connection>> connections;
    std::unordered_map<TrialId, int> ofTrial; ///< connections that have shown its token
};

} // namespace http
