// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http2_session.h"

#include "services/core/scope.h"

namespace transport {

/// Connections to one origin that streams share, where its server speaks HTTP/2: as many as the streams take. On one thread.
class Http2Sessions
{
public:
    /// Where a stream may be: in a session with a place reserved, or, where the server speaks HTTP/1.1, on a connection of its own.
    struct Place
    {
        std::shared_ptr<Http2Session> session;
        bool isOld = false; ///< the session was there before: its server may be about to close it
        std::shared_ptr<HttpConnection> connection;
    };

    /// Sessions run in `scope`, which must end before this object.
    Http2Sessions(Clock* clock, HttpTls tls, Scope* scope);

    /// Opens a connection where none has room; those who ask meanwhile wait for it. Errors are those of HttpConnection::open().
    [[nodiscard]] Task<Result<Place>> take(HttpConnection::Plan plan, Patience patience);

private:
    [[nodiscard]] Task<Result<Place>> open(HttpConnection::Plan plan, Patience patience);
    [[nodiscard]] Task<> keep(std::shared_ptr<Http2Session> session);
    [[nodiscard]] std::shared_ptr<Http2Session> withRoom(const HttpConnection::Plan& plan) const;

    Clock* m_clock;
    HttpTls m_tls;
    Scope* m_scope;
    std::vector<std::shared_ptr<Http2Session>> m_sessions;
    Waiters m_waiters; ///< for the connection that is being opened
    bool m_isOpening = false;
    bool m_isPlain = false; ///< the server chose HTTP/1.1 when it was asked last
};

} // namespace transport
