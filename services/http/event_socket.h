// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to a client as they happen: over a WebSocket, or as lines.
#pragma once

#include "server_core.h"

#include <string>

namespace http {

/// Answers with a stream of lines until the client leaves. `caller`: the name of its token; `chunked`: it speaks HTTP/1.1.
void followAsLines(ServerCore& core, LinkPtr link, QString caller, FollowEvents wanted, bool chunked);

/// Accepts the upgrade. `received` is what came of the request and after it: its header as it stood.
void followAsWebSocket(
    ServerCore& core, const LinkPtr& link, QString caller, FollowEvents wanted, std::string received);

} // namespace http
