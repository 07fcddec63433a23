// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/byte_stream.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using http::ByteStream;

namespace {

api::Reply piece(qint64 offset, const QByteArray& bytes, qint64 size, bool end = false)
{
    api::Reply reply;
    reply.bytes = bytes;
    reply.offset = offset;
    reply.size = size;
    reply.end = end;
    return reply;
}

http::StreamBytes wanted(bool follow)
{
    api::ReadLog read;
    read.trial = TrialId(u"t1"_s);
    read.name = u"stdout"_s;
    read.tail = 100;
    read.follow = follow;
    return {read, "text/plain"};
}

} // namespace

class TestByteStream : public QObject
{
    Q_OBJECT

private slots:
    void goesToTheEndOfTheFile()
    {
        ByteStream stream(wanted(false));
        QCOMPARE(stream.next().tail, 100);
        ByteStream::Piece out = stream.take(piece(400, QByteArray(20, 'x'), 500));
        QCOMPARE(out.before, "14\r\n");
        QCOMPARE(out.bytes, QByteArray(20, 'x') + "\r\n");
        QVERIFY(!stream.ends() && !stream.pauses());
        QVERIFY(!stream.next().tail); // from here on by offset
        QCOMPARE(stream.next().offset, 420);
        out = stream.take(piece(420, QByteArray(80, 'y'), 500));
        QCOMPARE(out.bytes, QByteArray(80, 'y') + "\r\n0\r\n\r\n");
        QVERIFY(stream.ends());
    }

    void aFileThatBecameShorterEnds()
    {
        ByteStream stream(wanted(false));
        const ByteStream::Piece out = stream.take(piece(400, {}, 500));
        QCOMPARE(out.before + out.bytes, "0\r\n\r\n");
        QVERIFY(stream.ends());
    }

    void followingPausesAndGoesOn()
    {
        ByteStream stream(wanted(true));
        QVERIFY(stream.take(piece(0, {}, 0)).isEmpty());
        QVERIFY(stream.pauses() && !stream.ends());
        QCOMPARE(stream.take(piece(0, "a", 1)).bytes, "a\r\n");
        QVERIFY(!stream.pauses() && !stream.ends());
        QCOMPARE(stream.take(piece(1, "b", 2, true)).bytes, "b\r\n0\r\n\r\n");
        QVERIFY(stream.ends());
    }

    void anOldClientGetsBytesAlone()
    {
        ByteStream stream(wanted(false), false);
        const ByteStream::Piece out = stream.take(piece(0, "abc", 3));
        QVERIFY(out.before.isEmpty());
        QCOMPARE(out.bytes, "abc");
        QVERIFY(stream.ends());
    }
};

QTEST_GUILESS_MAIN(TestByteStream)
#include "tst_byte_stream.moc"
