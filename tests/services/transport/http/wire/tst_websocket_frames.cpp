// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/http/wire/websocket_frames.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;
using Opcode = WebSocketOpcode;

/// A frame of a server: opcode with the final bit, length as it is, payload.
static QByteArray frame(int first, const QByteArray& payload)
{
    QByteArray bytes(1, char(first));
    if (payload.size() < 126) {
        bytes += char(payload.size());
    } else if (payload.size() < 65'536) {
        bytes += char(126);
        bytes += char(payload.size() >> 8);
        bytes += char(payload.size());
    } else {
        bytes += char(127);
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes += char(quint64(payload.size()) >> shift);
    }
    return bytes + payload;
}

/// `2:abc 9: problem`, of bytes in pieces.
static QByteArray read(const QByteArray& bytes, qsizetype step, qsizetype most = 100'000)
{
    WebSocketDecoder decoder(most);
    QByteArrayList words;
    for (qsizetype at = 0; at < bytes.size(); at += step) {
        decoder.push(QByteArrayView(bytes).sliced(at, std::min(step, bytes.size() - at)));
        while (const auto message = decoder.next())
            words += QByteArray::number(int(message->opcode)) + ':'
                + (message->payload.size() > 200 ? QByteArray::number(message->payload.size()) : message->payload);
    }
    if (!decoder.problem().isEmpty())
        words += decoder.problem();
    return words.join(' ');
}

class TestWebSocketFrames : public QObject
{
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void writesMasked();
    void acceptsAsTheStandardSays();
    void upgrade();
};

void TestWebSocketFrames::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("messages");
    const auto row = [](const char* name, const QByteArray& bytes, const QByteArray& messages) {
        QTest::newRow(name) << bytes << messages;
    };
    row("binary", frame(0x82, "abc"), "2:abc");
    row("empty", frame(0x82, ""), "2:");
    row("two", frame(0x81, "abc") + frame(0x82, "d"), "1:abc 2:d");
    row("in parts, a ping between", frame(0x02, "ab") + frame(0x89, "p") + frame(0x00, "c") + frame(0x80, "d"),
        "9:p 2:abcd");
    row("of 200 bytes", frame(0x82, QByteArray(200, 'x')), "2:" + QByteArray(200, 'x'));
    row("of 70,000 bytes", frame(0x82, QByteArray(70'000, 'x')), "2:70000");
    row("close", frame(0x88, closePayload(1000, "bye")),
        "8:\x03\xe8"
        "bye");
    row("close without a code", frame(0x88, ""), "8:");
    row("not complete", frame(0x82, "abc").chopped(1), "");
    row("too large", frame(0x82, QByteArray(100'001, 'x')).first(20), "a message is larger than the limit");
    row("too large in parts", frame(0x02, QByteArray(60'000, 'x')) + frame(0x80, QByteArray(60'000, 'x')),
        "a message is larger than the limit");
    row("a length beyond all", QByteArray("\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10),
        "a message is larger than the limit");
    row("masked", QByteArray("\x82\x83xxxxabc"), "a frame of a server is masked");
    row("reserved bits", frame(0xc2, "abc"), "reserved bits are set");
    row("an opcode of later", frame(0x83, "abc"), "unknown opcode");
    row("a continuation of nothing", frame(0x80, "abc"), "the parts of a message are out of order");
    row("a message inside another", frame(0x02, "a") + frame(0x82, "b"), "the parts of a message are out of order");
    row("a long ping", frame(0x89, QByteArray(126, 'x')), "a control frame is too long or in parts");
    row("a ping in parts", frame(0x09, "x"), "a control frame is too long or in parts");
    row("a length that could be shorter",
        QByteArray("\x82\x7e\x00\x05"
                   "abcde",
            9),
        "a length is not written in its shortest form");
    row("a text that is no UTF-8", frame(0x81, "\xff"), "a text is no UTF-8");
    row("a close frame of one byte", frame(0x88, "x"), "a close frame is malformed");
    row("a close frame of code 1005", frame(0x88, closePayload(1005)), "a close frame is malformed");
}

void TestWebSocketFrames::reads()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, messages);
    for (const qsizetype step : {qsizetype(1), qsizetype(3), bytes.size()})
        QCOMPARE(read(bytes, step), messages);
}

void TestWebSocketFrames::writesMasked()
{
    // RFC 6455, 5.7: "Hello", masked with 37 fa 21 3d.
    QCOMPARE(webSocketFrame(Opcode::text, "Hello", 0x37fa213d), QByteArray::fromHex("818537fa213d7f9f4d5158"));
    const QByteArray zero = webSocketFrame(Opcode::binary, QByteArray(70'000, 'x'), 0);
    QCOMPARE(zero.first(14), QByteArray::fromHex("82ff000000000001117000000000"));
    QCOMPARE(zero.size(), qsizetype(70'014));
    QCOMPARE(webSocketFrame(Opcode::binary, QByteArray(300, 'x'), 0).first(4), QByteArray::fromHex("82fe012c"));
    QCOMPARE(closeCode(closePayload(1001)), quint16(1001));
    QCOMPARE(closeCode({}), quint16(1005));
}

void TestWebSocketFrames::acceptsAsTheStandardSays()
{
    QCOMPARE(webSocketAccept("dGhlIHNhbXBsZSBub25jZQ=="), QByteArray("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")); // RFC 6455, 1.3
    QCOMPARE(QByteArray::fromBase64(webSocketKey()).size(), qsizetype(16));
    QVERIFY(webSocketKey() != webSocketKey());
}

void TestWebSocketFrames::upgrade()
{
    const QByteArray key = "dGhlIHNhbXBsZSBub25jZQ==";
    ResponseHead good{1, 101, {},
        {{"upgrade", "WebSocket"}, {"Connection", "keep-alive, Upgrade"},
            {"Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="}, {"Sec-WebSocket-Protocol", "v4"}}};
    QCOMPARE(upgradeProblem(good, key, {"v5", "v4"}), QString());
    QCOMPARE(upgradeProblem(good, key, {"v5"}), u"it chose none of the offered protocols"_s);
    QCOMPARE(upgradeProblem(good, "other", {"v4"}), u"the proof of the key is wrong"_s);
    ResponseHead none = good;
    none.headers.removeLast();
    QCOMPARE(upgradeProblem(none, key, {"v4"}), u"it chose none of the offered protocols"_s);
    QCOMPARE(upgradeProblem(none, key, {}), QString());
    ResponseHead extended = good;
    extended.headers.emplaceBack("Sec-WebSocket-Extensions", "permessage-deflate");
    QCOMPARE(upgradeProblem(extended, key, {"v4"}), u"it uses an extension that was not offered"_s);
    good.headers[1].second = "close";
    QCOMPARE(upgradeProblem(good, key, {"v4"}), u"it upgrades to something else"_s);
    good.status = 200;
    QCOMPARE(upgradeProblem(good, key, {"v4"}), u"status 200 instead of 101"_s);
}

QTEST_APPLESS_MAIN(TestWebSocketFrames)
#include "tst_websocket_frames.moc"
