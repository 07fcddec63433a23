// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/transport/http/http_settings.h"

#include "services/core/task.h"

#include <stop_token>

namespace platforms::azure {

using namespace core;

/// One request of a login, by a client of its own: requests that wait for a token take the places of other clients. `authorities`: PEM that is
/// trusted alone; empty: those of the system. No proxy, as managed identities demand. What `environment` points to outlives the call.
[[nodiscard]] Task<Result<transport::HttpReply>> loginCall(QUrl server, QByteArray authorities,
    transport::HttpEnvironment environment, transport::HttpRequest request, std::stop_token stop);

} // namespace platforms::azure
