// SPDX-License-Identifier: GPL-3.0-or-later
#include "websocket_frames.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QtEndian>

#include <array>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr quint8 finalBit = 0x80;
constexpr quint8 maskBit = 0x80;
constexpr qsizetype maxControlBytes = 125;

bool isControl(quint8 opcode)
{
    return opcode >= 8;
}

/// Codes that may stand in a close frame (RFC 6455, 7.4, and the registry of IANA).
bool isCloseCode(quint16 code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006)
        || (code >= 3000 && code <= 4999);
}

bool hasToken(const QByteArray& list, QByteArrayView token)
{
    const QList<QByteArray> entries = list.split(',');
    return std::any_of(entries.begin(), entries.end(),
        [&](const QByteArray& entry) { return entry.trimmed().compare(token, Qt::CaseInsensitive) == 0; });
}

} // namespace

QByteArray webSocketFrame(WebSocketOpcode opcode, QByteArrayView payload, quint32 mask)
{
    Q_ASSERT(!isControl(quint8(opcode)) || payload.size() <= maxControlBytes);
    QByteArray frame;
    frame.reserve(payload.size() + 14);
    frame += char(finalBit | quint8(opcode));
    if (payload.size() <= maxControlBytes) {
        frame += char(maskBit | quint8(payload.size()));
    } else if (payload.size() <= 0xffff) {
        frame += char(maskBit | 126);
        frame += char(payload.size() >> 8);
        frame += char(payload.size());
    } else {
        frame += char(maskBit | 127);
        std::array<char, 8> length{};
        qToBigEndian(quint64(payload.size()), length.data());
        frame.append(length.data(), length.size());
    }
    std::array<char, 4> key{};
    qToBigEndian(mask, key.data());
    frame.append(key.data(), key.size());
    for (qsizetype i = 0; i < payload.size(); ++i)
        frame += char(payload[i] ^ key[size_t(i % 4)]);
    return frame;
}

QByteArray closePayload(quint16 code, QByteArrayView reason)
{
    QByteArray payload;
    payload += char(code >> 8);
    payload += char(code);
    payload.append(reason.first(std::min<qsizetype>(reason.size(), maxControlBytes - 2)));
    return payload;
}

quint16 closeCode(QByteArrayView payload)
{
    return payload.size() < 2 ? quint16(1005) : qFromBigEndian<quint16>(payload.data());
}

QByteArray webSocketKey()
{
    std::array<quint32, 4> random{};
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    return QByteArray(reinterpret_cast<const char*>(random.data()), sizeof random).toBase64();
}

QByteArray webSocketAccept(QByteArrayView key)
{
    return QCryptographicHash::hash(
        key.toByteArray() + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", QCryptographicHash::Sha1)
        .toBase64();
}

Message upgradeProblem(const ResponseHead& head, QByteArrayView key, const QList<QByteArray>& protocols)
{
    if (head.status != 101)
        return u"status %1 instead of 101"_m.arg(head.status);
    if (!hasToken(headerValue(head.headers, "upgrade"), "websocket")
        || !hasToken(headerValue(head.headers, "connection"), "upgrade"))
        return u"it upgrades to something else"_m;
    if (headerValue(head.headers, "sec-websocket-accept") != webSocketAccept(key))
        return u"the proof of the key is wrong"_m;
    if (!headerValue(head.headers, "sec-websocket-extensions").isEmpty())
        return u"it uses an extension that was not offered"_m;
    const QByteArray chosen = headerValue(head.headers, "sec-websocket-protocol");
    if (chosen.isEmpty() ? !protocols.isEmpty() : !protocols.contains(chosen))
        return u"it chose none of the offered protocols"_m;
    return {};
}

struct WebSocketDecoder::Header
{
    bool isFinal = false;
    quint8 opcode = 0;
    qsizetype size = 0; ///< of the header
    quint64 payload = 0;
};

/// Of the frame at m_used, when all of it is there. Sets m_problem when it is not allowed.
std::optional<WebSocketDecoder::Header> WebSocketDecoder::header()
{
    const QByteArrayView in = QByteArrayView(m_in).sliced(m_used);
    if (in.size() < 2)
        return std::nullopt;
    Header header;
    header.isFinal = uchar(in[0]) & finalBit;
    header.opcode = uchar(in[0]) & 0x0f;
    const quint8 length = uchar(in[1]) & 0x7f;
    if (uchar(in[0]) & 0x70)
        m_problem = "reserved bits are set";
    else if (uchar(in[1]) & maskBit)
        m_problem = "a frame of a server is masked";
    else if ((header.opcode > 2 && header.opcode < 8) || header.opcode > 10)
        m_problem = "unknown opcode";
    else if (isControl(header.opcode) && (length > maxControlBytes || !header.isFinal))
        m_problem = "a control frame is too long or in parts";
    else if (!isControl(header.opcode) && (header.opcode == 0) != m_parts.has_value())
        m_problem = "the parts of a message are out of order";
    if (!m_problem.isEmpty())
        return std::nullopt;
    header.size = length < 126 ? 2 : length == 126 ? 4 : 10;
    if (in.size() < header.size)
        return std::nullopt;
    header.payload = length;
    if (length == 126)
        header.payload = qFromBigEndian<quint16>(in.data() + 2);
    else if (length == 127)
        header.payload = qFromBigEndian<quint64>(in.data() + 2);
    const bool isShortest = length < 126 || (length == 126 ? header.payload > 125 : header.payload > 0xffff);
    const quint64 room = quint64(m_maxBytes) - quint64(m_parts ? m_parts->payload.size() : 0);
    if (!isShortest)
        m_problem = "a length is not written in its shortest form";
    else if (!isControl(header.opcode) && header.payload > room)
        m_problem = "a message is larger than the limit";
    if (!m_problem.isEmpty())
        return std::nullopt;
    return header;
}

std::optional<WebSocketMessage> WebSocketDecoder::refuse(const char* problem)
{
    m_problem = problem;
    return std::nullopt;
}

std::optional<WebSocketMessage> WebSocketDecoder::finished(WebSocketMessage message)
{
    if (message.opcode == WebSocketOpcode::text && !QByteArrayView(message.payload).isValidUtf8())
        return refuse("a text is no UTF-8");
    if (message.opcode == WebSocketOpcode::close && !message.payload.isEmpty()
        && (message.payload.size() < 2 || !isCloseCode(closeCode(message.payload))
            || !QByteArrayView(message.payload).sliced(2).isValidUtf8()))
        return refuse("a close frame is malformed");
    return message;
}

std::optional<WebSocketMessage> WebSocketDecoder::next()
{
    for (;;) {
        const std::optional<Header> found = m_problem.isEmpty() ? header() : std::nullopt;
        if (!found || quint64(m_in.size() - m_used - found->size) < found->payload) {
            m_in.remove(0, m_used);
            m_used = 0;
            return std::nullopt;
        }
        const QByteArray payload = m_in.mid(m_used + found->size, qsizetype(found->payload));
        m_used += found->size + payload.size();
        if (isControl(found->opcode))
            return finished({WebSocketOpcode(found->opcode), payload});
        if (!m_parts)
            m_parts = WebSocketMessage{WebSocketOpcode(found->opcode), {}};
        m_parts->payload += payload;
        if (found->isFinal) {
            WebSocketMessage whole = std::move(*m_parts);
            m_parts.reset();
            return finished(std::move(whole));
        }
    }
}

} // namespace transport
