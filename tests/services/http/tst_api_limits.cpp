// SPDX-License-Identifier: GPL-3.0-or-later
// The server against clients that send too much, too slowly, too often, hang up, or do not read.
#include "raw_client.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace core;

static http::ApiConfig shortTimes()
{
    http::ApiConfig config;
    config.limits.headerMs = 400;
    config.limits.idleMs = 600;
    config.limits.lingerMs = 500;
    config.limits.stallMs = 1000;
    return config;
}

class TestApiLimits : public QObject
{
    Q_OBJECT
private slots:
    void headerTooLarge();
    void bodyTooLarge();
    void bodyTooLargeCounted();
    void slowHeader();
    void slowBody();
    void idleConnection();
    void tooManyConnections();
    void repliesAreLate();
    void clientsThatHangUpBeforeTheReply();
    void clientsThatResetInTheMiddle();
    void clientThatDoesNotRead();
    void slowClientsHurtNobody();
};

void TestApiLimits::headerTooLarge()
{
    ServerFixture server;
    RawClient client(server.port());
    QElapsedTimer timer;
    timer.start();
    // 8 MB of header: cut at the limit.
    client.send("GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nX-Filler: " + QByteArray(8 * 1024 * 1024, 'x'));
    QCOMPARE(client.response().status, 431);
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(server.get("/api/v1/version", "X-Filler: " + QByteArray(15'000, 'x') + "\r\n").status, 200);
    QCOMPARE(server.get("/api/v1/version", "X-Filler: " + QByteArray(17'000, 'x') + "\r\n").status, 431);
}

void TestApiLimits::bodyTooLarge()
{
    ServerFixture server;
    const qint64 before = residentBytes();
    RawClient client(server.port());
    // Refused from what is announced, although the client keeps sending.
    QByteArray text = request("POST", "/api/v1/experiments/e00000000000001/trials", QByteArray(17 * 1024 * 1024, ' '));
    client.send(text.left(text.indexOf("\r\n\r\n") + 4));
    QCOMPARE(client.response().status, 413);
    client.send(text.mid(text.indexOf("\r\n\r\n") + 4));
    QVERIFY(client.closesWithin(5000));
    text.clear();
    QVERIFY(residentBytes() - before < 40 * 1024 * 1024);
    QCOMPARE(server.post("/api/v1/experiments/e00000000000001/trials", "{}" + QByteArray(10 * 1024 * 1024, ' ')).status,
        201);
}

void TestApiLimits::bodyTooLargeCounted()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send(request("POST", "/api/v1/experiments/e00000000000001/trials", {}, "Transfer-Encoding: chunked\r\n"));
    const QByteArray piece = "100000\r\n" + QByteArray(1024 * 1024, ' ') + "\r\n";
    for (int i = 0; i < 17; ++i) {
        if (!client.send(piece))
            break;
    }
    QCOMPARE(client.response().status, 413);
    QVERIFY(client.closesWithin(5000));
}

void TestApiLimits::slowHeader()
{
    ServerFixture server(shortTimes());
    RawClient client(server.port());
    QElapsedTimer timer;
    timer.start();
    // Dripping bytes do not help: the header has to be complete.
    client.send("GET /api/v1/version HTTP/1.1\r\n");
    while (timer.elapsed() < 3000 && client.send("X: y\r\n")) {
        if (client.receive(50))
            break;
    }
    QCOMPARE(client.response().status, 408);
    QVERIFY(timer.elapsed() >= 390);
    QVERIFY2(timer.elapsed() < 2500, qPrintable(QString::number(timer.elapsed())));
    // One that sends nothing at all is closed without an answer.
    RawClient silent(server.port());
    QVERIFY(silent.closesWithin(3000));
}

void TestApiLimits::slowBody()
{
    ServerFixture server(shortTimes());
    RawClient client(server.port());
    client.send(request("POST", "/api/v1/experiments/e00000000000001/trials", "{}").chopped(1));
    QCOMPARE(client.response().status, 408);
    QVERIFY(client.closesWithin(3000));
}

void TestApiLimits::idleConnection()
{
    ServerFixture server(shortTimes());
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/version"));
    QCOMPARE(client.response().status, 200);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(client.closesWithin(4000));
    QVERIFY(timer.elapsed() >= 500);
}

void TestApiLimits::tooManyConnections()
{
    http::ApiConfig config;
    config.limits.connections = 20;
    ServerFixture server(config);
    std::vector<RawClient> clients;
    for (int i = 0; i < 20; ++i) {
        clients.emplace_back(server.port());
        clients.back().send(request("GET", "/api/v1/version"));
        QCOMPARE(clients.back().response().status, 200);
    }
    RawClient further(server.port());
    const RawResponse refused = further.response();
    QCOMPARE(refused.status, 503);
    QVERIFY(!refused.headers["retry-after"].isEmpty());
    QVERIFY(further.closesWithin(3000));
    // One that leaves makes room.
    clients.pop_back();
    // (Asked once a try: the question itself takes a place.)
    QVERIFY(QTest::qWaitFor([&] { return server.get("/api/v1/version").status == 200; }));
}

void TestApiLimits::repliesAreLate()
{
    http::ApiConfig config;
    config.limits.replyMs = 300;
    ServerFixture server(config);
    std::vector<fakes::FakeEnginePort::Done> held;
    server.engine.setHandler([&](const api::Command&, const auto& done) {
        held.push_back(done);
        return true;
    });
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/trials/t00000000000001/logs"));
    QCOMPARE(client.response().status, 504);
    QVERIFY(client.closesWithin(3000));
    // The reply of a request that has been answered goes nowhere.
    server.engine.setHandler({});
    held.at(0)(api::Reply{});
    QCOMPARE(server.get("/api/v1/trials/t00000000000001/logs").status, 200);
}

void TestApiLimits::clientsThatHangUpBeforeTheReply()
{
    ServerFixture server;
    QMutex mutex;
    std::vector<fakes::FakeEnginePort::Done> held;
    server.engine.setHandler([&](const api::Command&, const auto& done) {
        const QMutexLocker lock(&mutex);
        held.push_back(done);
        return true;
    });
    for (int i = 0; i < 500; ++i) {
        RawClient client(server.port());
        QVERIFY(client.send(request("GET", "/api/v1/trials/t00000000000001/logs")));
        if (i % 2)
            client.reset();
    }
    const auto count = [&] {
        const QMutexLocker lock(&mutex);
        return held.size();
    };
    // A reset may overtake the request; of those that closed in order all arrive.
    QTRY_VERIFY_WITH_TIMEOUT(count() >= 250, 10'000);
    server.engine.setHandler({});
    for (const auto& done : held) {
        api::Reply reply;
        reply.bytes = QByteArray(100'000, 'x');
        done(reply);
    }
    QCOMPARE(server.get("/api/v1/trials/t00000000000001/logs").status, 200);
}

void TestApiLimits::clientsThatResetInTheMiddle()
{
    ServerFixture server;
    server.engine.setHandler([](const api::Command&, const auto& done) {
        api::Reply reply;
        reply.bytes = QByteArray(1024 * 1024, 'x');
        reply.size = reply.bytes.size();
        done(reply);
        return true;
    });
    const auto one = [&] {
        RawClient client(server.port());
        client.send(request("GET", "/api/v1/trials/t00000000000001/logs/stdout?limit=1048576"));
        client.bytes(1000);
        client.reset();
    };
    for (int i = 0; i < 50; ++i)
        one();
    const qint64 before = residentBytes();
    for (int i = 0; i < 450; ++i)
        one();
    QCOMPARE(server.get("/api/v1/trials/t00000000000001/logs/stdout").body.size(), 1024 * 1024);
    const qint64 grown = residentBytes() - before;
    QVERIFY2(grown < 64 * 1024 * 1024, qPrintable(QString::number(grown)));
}

void TestApiLimits::clientThatDoesNotRead()
{
    ServerFixture server(shortTimes());
    server.engine.setHandler([](const api::Command&, const auto& done) {
        api::Reply reply;
        reply.bytes = QByteArray(16 * 1024 * 1024, 'x');
        done(reply);
        return true;
    });
    RawClient client(server.port());
    client.setReceiveBuffer(4096);
    client.send(request("GET", "/api/v1/trials/t00000000000001/logs/stdout"));
    // It is cut: what was sent ends before the announced length.
    QElapsedTimer timer;
    timer.start();
    pollfd p{client.fd(), POLLRDHUP, 0};
    QVERIFY(::poll(&p, 1, 8000) == 1);
    QVERIFY(timer.elapsed() >= 500);
}

/// 300 clients that drip: the others do not notice. The bound is loose, for a busy machine; it fails where everyone stalls.
void TestApiLimits::slowClientsHurtNobody()
{
    ServerFixture server;
    const auto p99 = [&] {
        std::vector<qint64> times;
        RawClient client(server.port());
        for (int i = 0; i < 500; ++i) {
            QElapsedTimer timer;
            timer.start();
            client.send(request("GET", "/api/v1/trials/t00000000000001"));
            if (client.response().status != 200)
                return qint64(-1);
            times.push_back(timer.nsecsElapsed() / 1000);
        }
        std::sort(times.begin(), times.end());
        return times[times.size() * 99 / 100];
    };
    (void)p99();
    const qint64 alone = p99();
    QVERIFY(alone > 0);
    std::vector<RawClient> slow;
    for (int i = 0; i < 300; ++i) {
        slow.emplace_back(server.port());
        // A third drips a header, a third a body, a third does not read its answer.
        if (i % 3 == 0)
            slow.back().send("GET /api/v1/version HTTP/1.1\r\nHost: loc");
        else if (i % 3 == 1)
            slow.back().send(
                request("POST", "/api/v1/experiments/e00000000000001/trials", QByteArray(1000, ' ')).chopped(500));
        else
            slow.back().send(request("GET", "/api/v1/openapi.yaml"));
    }
    for (RawClient& client : slow)
        client.send("x");
    qint64 beside = p99();
    // A busy machine makes single runs jump: the best of a few counts.
    for (int i = 0; i < 3 && beside > 2 * alone; ++i)
        beside = std::min(beside, p99());
    qInfo("p99 alone %lld us, beside 300 slow clients %lld us", alone, beside);
    QVERIFY2(beside <= 2 * alone + 20'000, qPrintable(u"%1 → %2 µs"_s.arg(alone).arg(beside)));
}

QTEST_GUILESS_MAIN(TestApiLimits)
#include "tst_api_limits.moc"
