// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_answer.h"
#include "request_head.h"
#include "waiters.h"

#include <map>

struct nghttp2_session;

namespace transport {

/// Requests without a body, side by side on one connection of HTTP/2 (RFC 9113). Held by shared_ptr: an answer that is not read to its end
/// holds it, too. An answer that is not read takes 64 KiB, and its server waits; the others go on.
///
/// A connection on which nothing came for 30 s is asked for a sign of life and taken for broken 15 s later, or closed where it has
/// no requests.
class Http2Session : public std::enable_shared_from_this<Http2Session>
{
public:
    static constexpr int mostStreams = 100;
    static constexpr int quietMs = 30'000;
    static constexpr int pingMs = 15'000;

    /// `connection` is open, and its server chose HTTP/2.
    Http2Session(Clock* clock, std::shared_ptr<HttpConnection> connection);
    ~Http2Session();
    Http2Session(const Http2Session&) = delete;
    Http2Session& operator=(const Http2Session&) = delete;

    [[nodiscard]] const HttpConnection::Plan& plan() const { return m_connection->plan(); }
    /// Waits for what the server lets us do.
    [[nodiscard]] Task<Result<>> open(Patience patience);
    /// Reads until the connection ends, or `stop`. After open(); no answer comes without it.
    [[nodiscard]] Task<> run(std::stop_token stop);

    /// Another request may be sent.
    [[nodiscard]] bool hasRoom() const;
    /// Keeps room for the next get().
    void reserve() { ++m_reserved; }
    /// Sends a GET and waits for the head of its answer. Takes a reserved place. Kind::network also when the server did not take it.
    [[nodiscard]] Task<Result<std::shared_ptr<HttpAnswer>>> get(RequestHead head, Patience patience);

private:
    class Answer;
    struct Stream;
    struct Callbacks;

    [[nodiscard]] bool take(const QByteArray& bytes);
    void flush();
    void end(const Error& error);
    void drop(Stream& stream);
    void consumed(const Stream& stream, qsizetype bytes);
    [[nodiscard]] Stream* streamOf(int id) const;
    [[nodiscard]] Error brokenError() const;

    Clock* m_clock;
    std::shared_ptr<HttpConnection> m_connection;
    nghttp2_session* m_session = nullptr;
    std::map<int, std::shared_ptr<Stream>> m_streams;
    std::vector<std::shared_ptr<Stream>> m_changed; ///< while bytes are taken: whose readers are woken after it
    int m_reserved = 0;
    bool m_hasSettings = false; ///< of the server
    bool m_isGoingAway = false; ///< the server takes no more requests
    bool m_isOver = false;
};

} // namespace transport
