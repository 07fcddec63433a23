// SPDX-License-Identifier: GPL-3.0-or-later
// Commands as requests of the HTTP interface (resources/api/openapi.yaml), for clients in other programs. Pure.
#pragma once

#include "services/api/command.h"

namespace client {

using namespace api;

struct HttpRequest
{
    QByteArray method;
    QByteArray target; ///< path and query, percent-encoded
    QByteArray body;
    QByteArray contentType = "application/json"; ///< of the body
    QList<std::pair<QByteArray, QByteArray>> headers;
    QString file;          ///< the body is this file's content instead
    bool isBytes = false;  ///< the answer is bytes with X-Offset and the like, not JSON
    bool isStream = false; ///< the answer goes on; its first bytes answer the command
};

/// The request that makes the service execute `command`.
[[nodiscard]] HttpRequest httpRequestOf(const Command& command);

/// An error as a problem document tells it; `status` and `reason` help where the body is none.
[[nodiscard]] Error errorFromProblem(int status, const QByteArray& body);

} // namespace client
