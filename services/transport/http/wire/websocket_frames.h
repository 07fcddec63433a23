// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a WebSocket (RFC 6455) as a client sends and receives them, without extensions. Pure.
#pragma once

#include "response_head.h"

namespace transport {

enum class WebSocketOpcode : quint8 { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct WebSocketMessage
{
    WebSocketOpcode opcode = WebSocketOpcode::binary; ///< never continuation
    QByteArray payload;

    bool operator==(const WebSocketMessage&) const = default;
};

/// One whole frame, masked with the four bytes of `mask`. Precondition: a control frame's payload has at most 125 bytes.
[[nodiscard]] QByteArray webSocketFrame(WebSocketOpcode opcode, QByteArrayView payload, quint32 mask);

/// The payload of a close frame.
[[nodiscard]] QByteArray closePayload(quint16 code, QByteArrayView reason = {});
/// 1005 when the frame names none.
[[nodiscard]] quint16 closeCode(QByteArrayView payload);

/// A key of sixteen random bytes, as Sec-WebSocket-Key has it, and what Sec-WebSocket-Accept must say to it.
[[nodiscard]] QByteArray webSocketKey();
[[nodiscard]] QByteArray webSocketAccept(QByteArrayView key);

/// Why `head` does not accept the upgrade, in words for a log; empty: it does. `protocols`: the offered ones, of which the server has
/// to choose one where any was offered.
[[nodiscard]] Message upgradeProblem(const ResponseHead& head, QByteArrayView key, const QList<QByteArray>& protocols);

/// Joins the frames of a server into messages. Control frames come between those of a message.
class WebSocketDecoder
{
public:
    explicit WebSocketDecoder(qsizetype maxMessageBytes)
        : m_maxBytes(maxMessageBytes)
    {
    }

    void push(QByteArrayView bytes) { m_in.append(bytes); }
    /// Nothing: more bytes are needed, or problem() says that the protocol is broken and nothing will come any more.
    [[nodiscard]] std::optional<WebSocketMessage> next();
    [[nodiscard]] const QByteArray& problem() const { return m_problem; } ///< empty: none

private:
    struct Header;
    [[nodiscard]] std::optional<Header> header();
    [[nodiscard]] std::optional<WebSocketMessage> refuse(const char* problem);
    [[nodiscard]] std::optional<WebSocketMessage> finished(WebSocketMessage message);

    qsizetype m_maxBytes;
    QByteArray m_in;
    qsizetype m_used = 0;                    ///< of m_in
    std::optional<WebSocketMessage> m_parts; ///< of a message whose last frame did not come yet
    QByteArray m_problem;
};

} // namespace transport
