// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a WebSocket's server. The first byte says in what pieces they arrive.
#include "fuzz_driver.h"

#include "services/transport/http/wire/websocket_frames.h"

using namespace transport;

namespace {

constexpr qsizetype mostMessage = 4 * 1024;

std::pair<QList<WebSocketMessage>, bool> received(QByteArrayView bytes, qsizetype step)
{
    WebSocketDecoder decoder(mostMessage);
    QList<WebSocketMessage> messages;
    for (qsizetype at = 0; at < bytes.size(); at += step) {
        decoder.push(bytes.sliced(at, std::min(step, bytes.size() - at)));
        while (const auto message = decoder.next()) {
            require(message->payload.size() <= mostMessage, "a message is bounded");
            require(message->opcode != WebSocketOpcode::continuation, "a message is whole");
            require(quint8(message->opcode) < 8 || message->payload.size() <= 125, "a control frame is small");
            require(message->opcode != WebSocketOpcode::text || QByteArrayView(message->payload).isValidUtf8(),
                "a text is UTF-8");
            messages += *message;
        }
        if (!decoder.problem().isEmpty())
            break;
    }
    return {messages, decoder.problem().isEmpty()};
}

} // namespace

void fuzzOne(std::string_view data)
{
    if (data.empty())
        return;
    const QByteArrayView bytes(data.data() + 1, qsizetype(data.size()) - 1);
    const auto whole = received(bytes, std::max<qsizetype>(1, bytes.size()));
    const auto pieces = received(bytes, 1 + uchar(data.front()) % 16);
    require(whole == pieces, "the pieces in which they arrive change nothing");
    // What we send is read back as it was, once the mask is taken off as a server does.
    const QByteArray payload = bytes.first(std::min<qsizetype>(bytes.size(), mostMessage)).toByteArray();
    QByteArray frame = webSocketFrame(WebSocketOpcode::binary, payload, 0);
    const qsizetype head = frame.size() - payload.size();
    frame[1] = char(frame[1] & 0x7f);
    frame.remove(head - 4, 4);
    const auto again = received(frame, frame.size());
    require(again.second && again.first.size() == 1 && again.first.first().payload == payload,
        "a frame holds what was put in");
}
