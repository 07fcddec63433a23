// SPDX-License-Identifier: GPL-3.0-or-later
// Posts that are too much, too slow, too many at once, or cut off.
#include "ingest_fixture.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

http::IngestLimits shortTimes()
{
    http::IngestLimits limits;
    limits.headerMs = 400;
    limits.idleMs = 600;
    limits.pieceMs = 400;
    limits.bodyMs = 1'000;
    limits.lingerMs = 500;
    limits.stallMs = 1'000;
    limits.refusalMs = 50;
    return limits;
}

/// What the service says in GET /metrics; -1: nothing.
qint64 counted(const IngestFixture& server, const QByteArray& name)
{
    const QByteArray text = server.get("/metrics").body;
    const qsizetype at = text.indexOf('\n' + name + ' ');
    return at < 0 ? -1 : text.mid(at + name.size() + 2).split('\n').first().toLongLong();
}

} // namespace

class TestIngestLimits : public QObject
{
    Q_OBJECT
private slots:
    void bodyTooLarge()
    {
        IngestFixture server;
        const qint64 before = residentBytes();
        const QByteArray own = tokenOf(ingestTrial);
        {
            // Refused from what is announced.
            RawClient client(server.port());
            const QByteArray text = postText(ingestTrial, QByteArray(9 * 1024 * 1024, '\n'), own);
            client.send(text.left(text.indexOf("\r\n\r\n") + 4));
            QCOMPARE(client.response().status, 413);
            client.send(text.mid(text.indexOf("\r\n\r\n") + 4));
            QVERIFY(client.closesWithin(5000));
        }
        {
            // Or counted.
            RawClient client(server.port());
            client.send("POST /ingest/v1/t00000000000001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + own
                + "\r\nTransfer-Encoding: chunked\r\n\r\n");
            const QByteArray piece = "100000\r\n" + QByteArray(1024 * 1024, '\n') + "\r\n";
            for (int i = 0; i < 9; ++i)
                if (!client.send(piece))
                    break;
            QCOMPARE(client.response().status, 413);
        }
        QVERIFY(residentBytes() - before < 60 * 1024 * 1024);
        QCOMPARE(server.post(lineOf(0, "1") + QByteArray(7 * 1024 * 1024, '\n')).body, QByteArray("{\"offset\":1}"));
        QByteArray many;
        for (qint64 i = 0; i <= trial::maxPostedLines; ++i)
            many += lineOf(i, "1");
        QCOMPARE(server.post(many).status, 413);
        QCOMPARE(server.post(many.left(many.lastIndexOf('{'))).json()["offset"].get<qint64>(),
            qint64(trial::maxPostedLines));
    }

    void nothingOfABodyThatIsCutOff()
    {
        IngestFixture server;
        const QByteArray text = postText(ingestTrial, lineOf(0, "1") + lineOf(1, "2"), tokenOf(ingestTrial));
        for (qsizetype size = text.indexOf("\r\n\r\n"); size < text.size(); ++size) {
            RawClient client(server.port());
            client.send(text.left(size));
            if (size % 2 == 0)
                client.reset();
        }
        RawClient client(server.port());
        client.send("POST /ingest/v1/t00000000000001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + tokenOf(ingestTrial) + "\r\nTransfer-Encoding: chunked\r\n\r\n1b\r\n" + lineOf(0, "1") + "\r\n");
        client.close();
        QCOMPARE(server.post(lineOf(0, "7")).body, QByteArray("{\"offset\":1}"));
        QCOMPARE(server.posts.texts(ingestTrial), QList<QByteArray>{"7"});
        QCOMPARE(server.posts.posts(), 1);
    }

    void slow()
    {
        IngestFixture server(shortTimes());
        RawClient silent(server.port());
        RawClient header(server.port());
        header.send("POST /ingest/v1/t00000000000001 HTTP/1.1\r\nHost:");
        RawClient body(server.port());
        const QByteArray text = postText(ingestTrial, lineOf(0, "1"), tokenOf(ingestTrial));
        body.send(text.chopped(1));
        RawClient drip(server.port());
        drip.send(postText(otherTrial, QByteArray(1000, '\n'), tokenOf(otherTrial)).chopped(1000));
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 5'000 && !drip.receive(100))
            drip.send("\n");
        QVERIFY(timer.elapsed() >= 900 && timer.elapsed() < 4'000);
        QCOMPARE(drip.response().status, 408);
        QVERIFY(silent.closesWithin(2000));
        QCOMPARE(header.response().status, 408);
        QCOMPARE(body.response().status, 408);
        QVERIFY(body.closesWithin(2000));
        QCOMPARE(server.posts.posts(), 0);
        RawClient idle(server.port());
        idle.send(text);
        QCOMPARE(idle.response().status, 200);
        QVERIFY(idle.closesWithin(3000));
    }

    void oneAtATime()
    {
        IngestFixture server;
        server.posts.hold();
        const QByteArray first = postText(ingestTrial, lineOf(0, "1"), tokenOf(ingestTrial));
        RawClient client(server.port());
        client.send(first);
        QTRY_COMPARE(server.posts.posts(), 1);
        // It is being stored: the next one is for later. Another trial's is not held up.
        const RawResponse busy = server.post(lineOf(1, "2"));
        QCOMPARE(busy.status, 429);
        QCOMPARE(busy.headers["retry-after"], QByteArray("1"));
        RawClient other(server.port());
        other.send(postText(otherTrial, lineOf(0, "3"), tokenOf(otherTrial)));
        QTRY_COMPARE(server.posts.posts(), 2);
        server.posts.letGo();
        QCOMPARE(client.response().body, QByteArray("{\"offset\":1}"));
        QCOMPARE(other.response().body, QByteArray("{\"offset\":1}"));
        // Its sender vanished in the middle of a body: the next one does not wait for it.
        RawClient gone(server.port());
        gone.send(first.chopped(5));
        QTRY_COMPARE(server.post(lineOf(1, "2")).body, QByteArray("{\"offset\":2}"));
        QVERIFY(gone.closesWithin(5000));
        QCOMPARE(server.posts.texts(ingestTrial), QList<QByteArray>({"1", "2"}));
    }

    void clientThatLeavesWhileItIsStored()
    {
        IngestFixture server;
        server.posts.hold();
        {
            RawClient client(server.port());
            client.send(postText(ingestTrial, lineOf(0, "1"), tokenOf(ingestTrial)));
            QTRY_COMPARE(server.posts.posts(), 1);
            client.reset();
        }
        server.posts.letGo();
        QTRY_COMPARE(server.post(lineOf(0, "1") + lineOf(1, "2")).body, QByteArray("{\"offset\":2}"));
        QCOMPARE(server.posts.texts(ingestTrial), QList<QByteArray>({"1", "2"}));
        // One that is held when the server stops.
        server.posts.hold();
        const int before = server.posts.posts();
        RawClient client(server.port());
        client.send(postText(ingestTrial, lineOf(2, "3"), tokenOf(ingestTrial)));
        QTRY_COMPARE(server.posts.posts(), before + 1);
        server.stop();
        server.posts.letGo();
        QVERIFY(client.closesWithin(2000));
    }

    void connections()
    {
        http::IngestLimits limits;
        limits.strangers = 4;
        limits.connections = 12;
        limits.connectionsOfTrial = 2;
        IngestFixture server(limits);
        const QByteArray empty = postText(ingestTrial, {}, tokenOf(ingestTrial));
        // Without a token the oldest makes room for the next.
        std::vector<RawClient> strangers;
        for (int i = 0; i < 6; ++i) {
            strangers.emplace_back(server.port());
            strangers.back().send("POST ");
            QTRY_COMPARE(server.post({}).status, 200);
        }
        QVERIFY(strangers.front().closesWithin(2000));
        QVERIFY(!strangers.back().closesWithin(100));
        strangers.clear();
        // Those with one keep theirs, of each trial a few.
        std::vector<RawClient> own;
        for (int i = 0; i < 3; ++i) {
            own.emplace_back(server.port());
            own.back().send(empty);
            const RawResponse response = own.back().response();
            QCOMPARE(response.status, 200);
            QCOMPARE(response.headers.contains("connection"), i == 2);
        }
        QVERIFY(own[2].closesWithin(5000));
        own[0].send(empty);
        QCOMPARE(own[0].response().status, 200);
        own[0].close();
        QTRY_VERIFY(!server.post({}).headers.contains("connection"));
    }

    void manyStrangersHurtNoTrial()
    {
        IngestFixture server(shortTimes());
        std::vector<RawClient> strangers;
        for (int i = 0; i < 300; ++i) {
            strangers.emplace_back(server.port());
            strangers.back().send(i % 3 == 0 ? "POST /ingest/v1/t0000000" : postText(ingestTrial, "x", "wrong"));
        }
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 50; ++i)
            QCOMPARE(server.post(lineOf(i, "1")).status, 200);
        QVERIFY(timer.elapsed() < 10'000);
        QVERIFY(counted(server, "trialdeck_ingest_posts_total") == 50);
        QVERIFY(counted(server, "trialdeck_ingest_refused_total") > 100);
    }
};

QTEST_GUILESS_MAIN(TestIngestLimits)
#include "tst_ingest_limits.moc"
