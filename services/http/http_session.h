// SPDX-License-Identifier: GPL-3.0-or-later
// One connection that speaks HTTP/1: reads a request within its limits, answers it, then reads the next.
#pragma once

#include "server_core.h"

namespace http {

/// Takes over a connection that was just accepted.
std::shared_ptr<Connection> startSession(ServerCore& core, LinkPtr link);

/// Answers 503 and closes; at most a few at a time, further ones are closed without a word.
std::shared_ptr<Connection> turnAway(ServerCore& core, LinkPtr link);

} // namespace http
