// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_socket.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace transport {

static constexpr qint64 mostQueuedBytes = 256 * 1024;

WebSocket::WebSocket(std::shared_ptr<HttpConnection> connection, std::unique_ptr<JoinedStop> stop,
    qint64 maxMessageBytes, int silenceMs, QByteArray protocol)
    : m_connection(std::move(connection))
    , m_stop(std::move(stop))
    , m_decoder(qsizetype(maxMessageBytes))
    , m_silenceMs(silenceMs)
    , m_protocol(std::move(protocol))
{
}

WebSocket::~WebSocket() = default;

void WebSocket::post(WebSocketOpcode opcode, const QByteArray& payload)
{
    if (!m_isClosing)
        m_connection->post(webSocketFrame(opcode, payload, QRandomGenerator::system()->generate()));
}

Task<Result<WebSocketMessage>> WebSocket::read()
{
    const auto self = shared_from_this();
    const QString server = originText(m_connection->plan().origin);
    const Patience patience{m_stop->token(), never, m_silenceMs};
    for (;;) {
        while (std::optional<WebSocketMessage> message = m_decoder.next()) {
            if (message->opcode == WebSocketOpcode::ping) {
                post(WebSocketOpcode::pong, message->payload);
                // A server that pings and does not read must not fill our memory.
                auto draining = m_connection->drained(mostQueuedBytes, patience);
                const Result<bool> drained = co_await draining;
                if (!drained)
                    co_return fail(drained);
                continue;
            }
            if (message->opcode == WebSocketOpcode::pong)
                continue;
            if (message->opcode == WebSocketOpcode::close)
                close(message->payload.isEmpty() ? quint16(1000) : closeCode(message->payload));
            co_return std::move(*message);
        }
        if (!m_decoder.problem().isEmpty()) {
            close(1002);
            co_return fail(Kind::platform, u"%1 broke the protocol of WebSockets."_m.arg(server),
                QString::fromLatin1(m_decoder.problem()));
        }
        auto reading = m_connection->read(HttpConnection::readAheadBytes, patience);
        const Result<QByteArray> bytes = co_await reading;
        if (!bytes)
            co_return fail(bytes);
        if (bytes->isEmpty())
            co_return fail(Kind::network, u"%1 ended the connection without closing its WebSocket."_m.arg(server));
        m_decoder.push(*bytes);
    }
}

Task<Result<>> WebSocket::send(WebSocketOpcode opcode, QByteArray payload)
{
    const auto self = shared_from_this();
    const Patience patience{m_stop->token(), never, m_silenceMs};
    const QString server = originText(m_connection->plan().origin);
    if (m_isClosing)
        co_return fail(Kind::conflict, u"The WebSocket to %1 is closed."_m.arg(server));
    post(opcode, payload);
    auto draining = m_connection->drained(mostQueuedBytes, patience);
    const Result<bool> drained = co_await draining;
    if (!drained)
        co_return fail(drained);
    if (!*drained)
        co_return fail(Kind::network, u"The connection to %1 broke."_m.arg(server));
    co_return Result<>();
}

void WebSocket::close(quint16 code)
{
    post(WebSocketOpcode::close, closePayload(code));
    m_isClosing = true;
}

void WebSocket::abort()
{
    const auto self = shared_from_this();
    m_stop->request();
    m_connection->abort();
}

} // namespace transport
