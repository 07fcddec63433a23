// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that no trial sends: each is refused or closed, changes nothing, and leaves the server as it was.
#include "ingest_fixture.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestIngestHostile : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        http::IngestLimits limits;
        limits.headerMs = 300;
        limits.idleMs = 300;
        limits.pieceMs = 300;
        limits.lingerMs = 300;
        limits.refusalMs = 10;
        m_server = std::make_unique<IngestFixture>(limits);
    }
    void cleanupTestCase() { m_server.reset(); }

    void shapes_data();
    void shapes();

private:
    std::unique_ptr<IngestFixture> m_server;
    int m_shapes = 0;
};

void TestIngestHostile::shapes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray own = tokenOf(ingestTrial);
    const QByteArray target = "/ingest/v1/t00000000000001";
    const QByteArray good = lineOf(0, "1");
    const QByteArray length = "Content-Length: " + QByteArray::number(good.size()) + "\r\n";
    const auto add = [](const QByteArray& name, const QByteArray& bytes) { QTest::newRow(name.constData()) << bytes; };
    // A head with the right token unless it says otherwise.
    const auto head = [&](const QByteArray& fields, const QByteArray& line = {}) {
        return (line.isEmpty() ? "POST " + target + " HTTP/1.1" : line) + "\r\nHost: x\r\nAuthorization: Bearer " + own
            + "\r\n" + fields + "\r\n";
    };

    // Lines of requests.
    add("garbage", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
    add("zeros", QByteArray(4096, '\0'));
    add("line breaks", QByteArray(4096, '\n'));
    add("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    add("HTTP/0.9", "POST " + target + "\r\n");
    add("HTTP/9", head(length, "POST " + target + " HTTP/9.9") + good);
    add("no target", head(length, "POST HTTP/1.1") + good);
    add("a method of blanks", head(length, "    " + target + " HTTP/1.1") + good);
    add("a long method", QByteArray(9000, 'P'));
    add("a long target", head(length, "POST /ingest/v1/" + QByteArray(9000, 't') + " HTTP/1.1") + good);
    add("CONNECT", head({}, "CONNECT x:1 HTTP/1.1"));
    add("a proxy's target", head(length, "POST http://x" + target + " HTTP/1.1") + good);
    add("an asterisk", head({}, "OPTIONS * HTTP/1.1"));
    add("PUT", head(length, "PUT " + target + " HTTP/1.1") + good);
    add("a small post", head(length, "post " + target + " HTTP/1.1") + good);
    // Targets.
    for (const char* path :
        {"/ingest/v1/../v1/t00000000000001", "/ingest/v1/%2e%2e/t00000000000001", "/ingest/v1/t00000000000001%2f",
            "/ingest/v1/t00000000000001%00", "/ingest/v1/%74%", "/ingest/v1/t00000000000001;x",
            "/ingest/v1/t00000000000001%0d%0aX: y", "/ingest//v1/t00000000000001", "/INGEST/v1/t00000000000001",
            "/ingest/v1/t\xc3\xa9", "/ingest/v1/\xff", "/ingest/v1/t00000000000002", "/ingest/v1/T00000000000001",
            "/api/v1/nni-pai/stdout/x/t00000000000001", "/api/v1/nni-pai/stdout/../t00000000000001"})
        add(QByteArray("target ") + path, head(length, QByteArray("POST ") + path + " HTTP/1.1") + good);
    // Headers.
    add("no host", "POST " + target + " HTTP/1.1\r\nAuthorization: Bearer " + own + "\r\n" + length + "\r\n" + good);
    add("two hosts", head("Host: y\r\n" + length) + good);
    add("many headers", head(QByteArray("X: y\r\n").repeated(3000) + length) + good);
    add("a header without a colon", head("nothing\r\n" + length) + good);
    add("a header with a zero", head(QByteArray("X: a\0b\r\n", 8) + length) + good);
    add("a blank before the colon", head("X : a\r\n" + length) + good);
    add("two lengths", head(length + "Content-Length: 1\r\n") + good);
    add("a negative length", head("Content-Length: -1\r\n") + good);
    add("a signed length", head("Content-Length: +27\r\n") + good);
    add("a length in hex", head("Content-Length: 0x1b\r\n") + good);
    add("no end of lengths", head("Content-Length: 99999999999999999999999\r\n") + good);
    add("the largest length", head("Content-Length: 18446744073709551615\r\n") + good);
    add("length and chunks", head(length + "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n" + good);
    add("compressed", head("Transfer-Encoding: gzip, chunked\r\n") + "0\r\n\r\n");
    add("an unknown encoding", head("Transfer-Encoding: xchunked\r\n" + length) + good);
    add("a basic login",
        "POST " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Basic " + own.toBase64() + "\r\n" + length + "\r\n"
            + good);
    add("a token with a blank",
        "POST " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + own.left(20) + ' ' + own.mid(20) + "\r\n"
            + length + "\r\n" + good);
    add("a long token",
        "POST " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + own + QByteArray(4000, '=') + "\r\n"
            + length + "\r\n" + good);
    add("a token in the query",
        "POST " + target + "?access_token=" + own + " HTTP/1.1\r\nHost: x\r\n" + length + "\r\n" + good);
    add("a token in a cookie",
        "POST " + target + " HTTP/1.1\r\nHost: x\r\nCookie: token=" + own + "\r\n" + length + "\r\n" + good);
    // Bodies.
    const auto chunks = [&](const QByteArray& body) { return head("Transfer-Encoding: chunked\r\n") + body; };
    add("a chunk of no size", chunks("x\r\n" + good));
    add("a chunk of a negative size", chunks("-1\r\n" + good));
    add("a chunk without end", chunks(QByteArray(20'000, '1')));
    add("a chunk larger than said", chunks("2\r\n" + good + "\r\n0\r\n\r\n"));
    add("the largest chunk", chunks("ffffffffffffffff\r\n" + good));
    add("a chunk's extension", chunks("1;" + QByteArray(20'000, 'x')));
    add("a trailer without end", chunks("0\r\nX: " + QByteArray(40'000, 'y')));
    const auto body = [&](const QByteArray& text) { return postText(ingestTrial, text, own); };
    add("half a line", body(good + good.chopped(3)));
    add("zeros in a line", body(QByteArray("{\"offset\":0,\0\"metric\":1}", 24)));
    add("deep", body(lineOf(0, QByteArray(100'000, '['))));
    add("deep in an unknown member", body("{\"x\":" + QByteArray(100'000, '[') + ",\"offset\":0,\"metric\":1}"));
    add("UTF-16", body(QByteArray("\xff\xfe{\0\"\0", 6)));
    add("a byte order mark", body("\xef\xbb\xbf" + good));
    add("bytes", body(lineOf(0, "\"\xc0\xaf\"")));
    add("a list of lines", body('[' + good.trimmed() + ']'));
    add("two in a line", body(good.trimmed() + good));
    add("a gap", body(lineOf(5, "1")));
    add("an offset too far", body(lineOf(9'223'372'036'854'775'807, "1")));
    add("only the next request", "\r\n\r\n" + head({}, "GET /api/v1/trials HTTP/1.1"));
    add("another request in the body",
        head("Content-Length: 5\r\n") + "x\r\n\r\nPOST /ingest/v1/t00000000000002 HTTP/1.1\r\n\r\n");
}

void TestIngestHostile::shapes()
{
    QFETCH(QByteArray, bytes);
    ++m_shapes;
    RawClient client(m_server->port());
    client.send(bytes);
    QElapsedTimer timer;
    timer.start();
    // However many answers come: none of success but to what is no post, and then the end of the connection, in time.
    for (;;) {
        const RawResponse response = client.response(false, 4000);
        if (response.status == 0)
            break;
        QVERIFY2(response.status >= 400 && response.status < 500, response.body.constData());
        QVERIFY(!response.body.contains(tokenOf(ingestTrial)));
    }
    QVERIFY(!client.timedOut());
    QVERIFY(timer.elapsed() < 5'000);
    QVERIFY(m_server->posts.texts(ingestTrial).isEmpty());
    QVERIFY(m_server->posts.texts(otherTrial).isEmpty());
    // A well-behaved trial does not notice.
    QCOMPARE(m_server->post({}).body, QByteArray("{\"offset\":0}"));
    if (QByteArrayView(QTest::currentDataTag()) == "another request in the body")
        QVERIFY2(m_shapes >= 64, qPrintable(QString::number(m_shapes)));
}

QTEST_GUILESS_MAIN(TestIngestHostile)
#include "tst_ingest_hostile.moc"
