// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"

#include "wire/websocket_frames.h"

namespace transport {

/// A WebSocket to a server (RFC 6455, no extensions). Dropping the last pointer closes the connection without a close frame. On the client's
/// thread. Pings are answered while read() waits or is called again.
class WebSocket : public std::enable_shared_from_this<WebSocket>
{
public:
    WebSocket(std::shared_ptr<HttpConnection> connection, std::unique_ptr<JoinedStop> stop, qint64 maxMessageBytes,
        int silenceMs, QByteArray protocol);
    ~WebSocket();

    [[nodiscard]] const QByteArray& protocol() const { return m_protocol; } ///< the one that the server chose

    /// The next text or binary message, or the server's close frame (once; it was answered). Kind::network: the connection ended
    /// without one. Kind::platform: the server broke the protocol. Kind::timeout after the request's silenceMs without a byte. One at a time.
    [[nodiscard]] Task<Result<WebSocketMessage>> read();
    /// Returns when less than 256 KiB wait to be sent. Several may wait; messages leave in the order of the calls.
    [[nodiscard]] Task<Result<>> send(WebSocketOpcode opcode, QByteArray payload);
    /// Announces the end; read() then gives what still comes, and the server's close frame.
    void close(quint16 code = 1000);
    /// At once. What waits ends with Kind::cancelled.
    void abort();

private:
    void post(WebSocketOpcode opcode, const QByteArray& payload);

    std::shared_ptr<HttpConnection> m_connection;
    std::unique_ptr<JoinedStop> m_stop;
    WebSocketDecoder m_decoder;
    int m_silenceMs;
    QByteArray m_protocol;
    bool m_isClosing = false; ///< our close frame was sent
};

} // namespace transport
