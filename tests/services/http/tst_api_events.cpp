// SPDX-License-Identifier: GPL-3.0-or-later
// Streams of changes over loopback: as lines and over WebSockets, for clients that read and for one that does not.
#include "raw_client.h"

#include <QTest>

#include <thread>

using namespace Qt::StringLiterals;
using namespace core;
using api::Change;
using fakes::sampleMetrics;
using fakes::sampleTrial;
using fakes::shared;

/// A follower of lines.
class Lines
{
public:
    Lines(int port, const QByteArray& query = {})
        : client(port)
    {
        client.send(request("GET", "/api/v1/events" + query, {}, "Accept: application/x-ndjson\r\n"));
        head = client.head();
    }
    Json next(int timeoutMs = 10'000)
    {
        const QByteArray chunk = client.chunk(timeoutMs);
        return chunk.endsWith('\n') && chunk.count('\n') == 1 ? parseJson(chunk).value_or(Json()) : Json();
    }

    RawClient client;
    RawResponse head;
};

/// A WebSocket client that does what RFC 6455 asks, and no more.
class Socket
{
public:
    explicit Socket(int port, const QByteArray& query = {}, int receiveBuffer = 0)
        : client(port)
    {
        if (receiveBuffer)
            client.setReceiveBuffer(receiveBuffer);
        client.send(request("GET", "/api/v1/events" + query, {},
            "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    }
    RawResponse accept() { return client.head(); }

    struct Frame
    {
        int opcode = -1;
        bool last = false;
        QByteArray payload;
    };
    Frame frame(int timeoutMs = 10'000)
    {
        const QByteArray head = client.bytes(2, timeoutMs);
        if (head.size() < 2)
            return {};
        Frame out{head[0] & 0x0f, bool(head[0] & 0x80), {}};
        qint64 size = head[1] & 0x7f;
        if (size >= 126) {
            const QByteArray extended = client.bytes(size == 126 ? 2 : 8);
            size = 0;
            for (const char c : extended)
                size = size * 256 + uchar(c);
        }
        out.payload = client.bytes(size);
        return out;
    }
    /// The next text message, whole.
    Json next()
    {
        QByteArray text;
        for (;;) {
            const Frame one = frame();
            if (one.opcode < 0 || one.opcode == 8)
                return {};
            if (one.opcode > 8)
                continue;
            text += one.payload;
            if (one.last)
                return parseJson(text).value_or(Json());
        }
    }
    void send(int opcode, const QByteArray& payload)
    {
        const QByteArray mask = "abcd";
        QByteArray out;
        out += char(0x80 | opcode);
        out += char(0x80 | payload.size());
        out += mask;
        for (qsizetype i = 0; i < payload.size(); ++i)
            out += char(payload[i] ^ mask[i % 4]);
        client.send(out);
    }

    RawClient client;
};

class TestApiEvents : public QObject
{
    Q_OBJECT
private slots:
    void lines();
    void since();
    void resets();
    void filters();
    void firstAtOnceThenEveryFewMilliseconds();
    void finalStatusComesAfterMetrics();
    void allMetricsArrive();
    void keepsTalking();
    void olderClients();
    void newLife();
    void sockets();
    void socketAnswersPingAndClose();
    void brokenUpgrade();
    void socketThatNeverReads();
    void linesThatAreNeverRead();
    void listenersThatLeave();
    void writtenOnceForAll();
};

void TestApiEvents::lines()
{
    ServerFixture server;
    Lines follower(server.port());
    QCOMPARE(follower.head.status, 200);
    QCOMPARE(follower.head.headers["content-type"], QByteArray("application/x-ndjson"));
    Json message = follower.next();
    QCOMPARE(message["epoch"].get<QString>(), u"epoch1"_s);
    QCOMPARE(message["revision"].get<int>(), 1);
    QVERIFY(message["trials"].empty());

    server.engine.publish(
        Change{.trials = {shared(sampleTrial(2))}, .metrics = {sampleMetrics(sampleTrial(2).id, 0, 2)}});
    message = follower.next();
    QCOMPARE(message["revision"].get<int>(), 2);
    QCOMPARE(message["trials"][0]["id"].get<QString>(), u"t00000000000002"_s);
    QCOMPARE(message["metrics"].size(), size_t(2));
    QCOMPARE(message["metrics"][1]["value"].get<double>(), 1.5);
    QCOMPARE(message["metrics"][1]["trialId"].get<QString>(), u"t00000000000002"_s);

    // Where the tuner counts its parameters in texts, the metrics' numbers are none.
    auto texts = std::make_shared<MetricBatch>(*sampleMetrics(sampleTrial(2).id, 2, 2));
    texts->metrics[0].parameterId = {};
    texts->metrics[1].parameterId = 7;
    texts->parameterIdText = "0-2_0_\"0";
    server.engine.publish(Change{.metrics = {texts}});
    message = follower.next();
    QCOMPARE(message["metrics"][0]["parameterId"].get<QString>(), u"0-2_0_\"0"_s);
    QCOMPARE(message["metrics"][1]["parameterId"].get<int>(), 7);

    // What a client changes comes to it as well, and not later than the reply.
    QCOMPARE(server.post("/api/v1/trials/t00000000000002/cancel", "{}").status, 200);
    QCOMPARE(follower.next()["trials"][0]["status"].get<QString>(), u"USER_CANCELED"_s);
    Change removal;
    removal.removed.experiments = {ExperimentId(u"e00000000000001"_s)};
    server.engine.publish(removal);
    QCOMPARE(follower.next()["removed"]["experiments"][0].get<QString>(), u"e00000000000001"_s);
}

void TestApiEvents::since()
{
    ServerFixture server;
    for (int i = 2; i <= 5; ++i)
        server.engine.publish(Change{.trials = {shared(sampleTrial(i))}});
    server.engine.settle();
    QTRY_COMPARE(server.get("/api/v1/trials").json()["total"].get<int>(), 5);
    Lines follower(server.port(), "?since=epoch1.3");
    Json message = follower.next();
    QVERIFY(!message.contains("reset"));
    QCOMPARE(message["revision"].get<int>(), 5);
    QCOMPARE(message["trials"].size(), size_t(2));
    QCOMPARE(message["trials"][0]["sequenceId"].get<int>(), 4);
    // At the present place: an answer at once, and nothing in it.
    Lines present(server.port(), "?since=epoch1.5");
    message = present.next();
    QVERIFY(!message.contains("reset"));
    QVERIFY(message["trials"].empty());
    server.engine.publish(Change{.trials = {shared(sampleTrial(9))}});
    QCOMPARE(present.next()["trials"].size(), size_t(1));
    QCOMPARE(follower.next()["trials"].size(), size_t(1));
}

void TestApiEvents::resets()
{
    ServerFixture server;
    for (const char* since : {"epoch0.1", "epoch1.99", "epoch1.0", "nonsense"}) {
        Lines follower(server.port(), QByteArray("?since=") + since);
        const Json message = follower.next();
        QVERIFY2(message.value("reset", false), since);
        QCOMPARE(message["epoch"].get<QString>(), u"epoch1"_s);
        QVERIFY(message["removed"].is_object());
    }
}

void TestApiEvents::filters()
{
    ServerFixture server;
    Lines follower(server.port(), "?topics=trials,metrics&metrics=last&experimentId=e2");
    (void)follower.next();
    server.engine.publish(Change{.trials = {shared(sampleTrial(2))}}); // of another experiment: no message
    server.engine.publish(Change{.trials = {shared(sampleTrial(3, u"e2"_s))},
        .metrics = {sampleMetrics(sampleTrial(3).id, 0, 5, u"e2"_s), sampleMetrics(sampleTrial(2).id, 0, 5)},
        .prompts = {shared(Prompt{PromptId(u"p2"_s)})}});
    const Json message = follower.next();
    QCOMPARE(message["trials"].size(), size_t(1));
    QCOMPARE(message["metrics"].size(), size_t(1));
    QCOMPARE(message["metrics"][0]["sequence"].get<int>(), 4);
    QVERIFY(message["prompts"].empty());
    QCOMPARE(server.get("/api/v1/events?metrics=some", "Accept: application/x-ndjson\r\n").status, 400);
    QCOMPARE(server.get("/api/v1/events?topics=weather", "Accept: application/x-ndjson\r\n").status, 400);
}

void TestApiEvents::firstAtOnceThenEveryFewMilliseconds()
{
    http::ApiConfig config;
    config.limits.eventIntervalMs = 200;
    ServerFixture server(config);
    Lines follower(server.port());
    (void)follower.next();
    QTest::qWait(250); // the first message, too, counts as one
    QElapsedTimer timer;
    timer.start();
    server.engine.publish(Change{.trials = {shared(sampleTrial(1))}});
    QCOMPARE(follower.next()["revision"].get<int>(), 2);
    QVERIFY2(timer.elapsed() < 150, qPrintable(QString::number(timer.elapsed())));
    // What follows within the interval is one message at its end.
    for (int i = 0; i < 50; ++i)
        server.engine.publish(Change{.trials = {shared(sampleTrial(1)), shared(sampleTrial(i + 2))}});
    server.engine.settle();
    const Json message = follower.next();
    QVERIFY(timer.elapsed() >= 190);
    QCOMPARE(message["revision"].get<int>(), 52);
    QCOMPARE(message["trials"].size(), size_t(51));
}

void TestApiEvents::finalStatusComesAfterMetrics()
{
    ServerFixture server;
    Lines follower(server.port());
    (void)follower.next();
    constexpr int trials = 200;
    std::thread publisher([&] {
        for (int i = 1; i <= trials; ++i) {
            Trial trial = sampleTrial(i);
            server.engine.publish(Change{.metrics = {sampleMetrics(trial.id, 0, 3)}});
            trial.status = TrialStatus::succeeded;
            server.engine.publish(Change{.trials = {shared(trial)}});
            if (i % 20 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(7));
        }
    });
    QHash<QString, int> metrics;
    int finals = 0;
    while (finals < trials) {
        const Json message = follower.next();
        QVERIFY(message.is_object());
        for (const Json& metric : message["metrics"])
            ++metrics[metric["trialId"].get<QString>()];
        for (const Json& trial : message["trials"]) {
            QCOMPARE(metrics.value(trial["id"].get<QString>()), 3);
            ++finals;
        }
    }
    publisher.join();
}

void TestApiEvents::allMetricsArrive()
{
    ServerFixture server;
    Lines follower(server.port(), "?topics=metrics");
    (void)follower.next();
    constexpr int batches = 200;
    std::thread publisher([&] {
        for (int i = 0; i < batches; ++i) {
            server.engine.publish(Change{.metrics = {sampleMetrics(sampleTrial(1).id, i * 100, 100)}});
            if (i % 10 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    qint64 next = 0;
    while (next < batches * 100) {
        const Json message = follower.next();
        QVERIFY(message.is_object());
        QVERIFY(message["gaps"].empty());
        for (const Json& metric : message["metrics"])
            QCOMPARE(metric["sequence"].get<qint64>(), next++);
    }
    publisher.join();
}

void TestApiEvents::keepsTalking()
{
    http::ApiConfig config;
    config.limits.eventIdleMs = 200;
    ServerFixture server(config);
    Lines follower(server.port());
    (void)follower.next();
    for (int i = 0; i < 3; ++i) {
        const Json message = follower.next(2000);
        QCOMPARE(message["revision"].get<int>(), 1);
        QVERIFY(message["trials"].empty());
    }
}

void TestApiEvents::olderClients()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send("GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\nAccept: application/x-ndjson\r\nAuthorization: "
                "Bearer secret-token\r\n\r\n");
    const RawResponse head = client.head();
    QCOMPARE(head.status, 200);
    QVERIFY(!head.headers.contains("transfer-encoding"));
    QCOMPARE((*parseJson(client.line()))["revision"].get<int>(), 1);
}

void TestApiEvents::newLife()
{
    ServerFixture server;
    Lines follower(server.port());
    (void)follower.next();
    server.engine.restart(u"epoch2"_s);
    const Json message = follower.next();
    QVERIFY(message.value("reset", false));
    QCOMPARE(message["epoch"].get<QString>(), u"epoch2"_s);
    QCOMPARE(message["revision"].get<int>(), 0);
}

void TestApiEvents::sockets()
{
    ServerFixture server;
    Socket socket(server.port(), "?since=epoch1.1&topics=trials");
    const RawResponse head = socket.accept();
    QCOMPARE(head.status, 101);
    QCOMPARE(head.headers["sec-websocket-accept"], QByteArray("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    QCOMPARE(socket.next()["revision"].get<int>(), 1);
    server.engine.publish(Change{.trials = {shared(sampleTrial(2))}});
    QCOMPARE(socket.next()["trials"][0]["sequenceId"].get<int>(), 2);
    // A message larger than a frame's piece.
    QList<TrialPtr> many;
    for (int i = 10; i < 1010; ++i)
        many.append(shared(sampleTrial(i)));
    server.engine.publish(Change{.trials = many});
    QCOMPARE(socket.next()["trials"].size(), size_t(1000));
    // Messages of a client are ignored.
    socket.send(1, "hello");
    server.engine.publish(Change{.trials = {shared(sampleTrial(3))}});
    QCOMPARE(socket.next()["trials"].size(), size_t(1));
}

void TestApiEvents::socketAnswersPingAndClose()
{
    ServerFixture server;
    Socket socket(server.port());
    QCOMPARE(socket.accept().status, 101);
    (void)socket.next();
    socket.send(9, "ping!");
    Socket::Frame frame = socket.frame();
    QCOMPARE(frame.opcode, 10);
    QCOMPARE(frame.payload, QByteArray("ping!"));
    socket.send(8, QByteArray("\x03\xe8", 2));
    frame = socket.frame();
    QCOMPARE(frame.opcode, 8);
    QVERIFY(socket.client.closesWithin(2000));
    server.engine.publish(Change{.trials = {shared(sampleTrial(2))}});
    QCOMPARE(server.get("/api/v1/version").status, 200);
}

void TestApiEvents::brokenUpgrade()
{
    ServerFixture server;
    for (const QByteArray& extra :
        {QByteArray("Sec-WebSocket-Version: 13\r\n"), QByteArray("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"),
            QByteArray("Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")}) {
        const int status = server.get("/api/v1/events", "Upgrade: websocket\r\nConnection: Upgrade\r\n" + extra).status;
        QVERIFY2(status == 400 || status == 426, QByteArray::number(status).constData());
    }
    QCOMPARE(server.get("/api/v1/version", "Upgrade: websocket\r\nConnection: Upgrade\r\n").status,
        200); // elsewhere it means nothing
}

/// State coalesces, metrics become gaps, and after a while it is closed; memory stays where it was.
void TestApiEvents::socketThatNeverReads()
{
    http::ApiConfig config;
    config.limits.stallMs = 3000;
    config.limits.events.keptBytes = 2 * 1024 * 1024;
    config.limits.events.pendingBytes = 1024 * 1024;
    ServerFixture server(config);
    Socket socket(server.port(), {}, 4096);
    QCOMPARE(socket.accept().status, 101);
    QElapsedTimer timer;
    timer.start();
    const auto push = [&](int from, int to) {
        for (int i = from; i < to; ++i) {
            server.engine.publish(Change{
                .trials = {shared(sampleTrial(1))}, .metrics = {sampleMetrics(sampleTrial(1).id, i * 200, 200)}});
            if (i % 50 == 0)
                server.engine.settle();
        }
        server.engine.settle();
        (void)server.get("/api/v1/version");
    };
    push(0, 300);
    const qint64 before = residentBytes();
    push(300, 1800); // 300,000 metrics, about 60 MB of text
    const qint64 grown = residentBytes() - before;
    QVERIFY2(grown < 40 * 1024 * 1024, qPrintable(QString::number(grown)));
    pollfd p{socket.client.fd(), POLLRDHUP, 0};
    QVERIFY(::poll(&p, 1, 15'000) == 1);
    QVERIFY2(timer.elapsed() >= 2500, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(server.get("/api/v1/version").status, 200);
}

/// The same as lines; then it reads after all: what it missed comes as gaps, and then it is live again.
void TestApiEvents::linesThatAreNeverRead()
{
    http::ApiConfig config;
    config.limits.events.pendingBytes = 200'000;
    ServerFixture server(config);
    RawClient client(server.port());
    client.setReceiveBuffer(64 * 1024); // much smaller, and TCP itself would take a minute to deliver the rest
    client.send(request("GET", "/api/v1/events", {}, "Accept: application/x-ndjson\r\n"));
    QCOMPARE(client.head().status, 200);
    constexpr int batches = 600;
    for (int i = 0; i < batches; ++i) {
        Trial trial = sampleTrial(1);
        trial.metricCount = (i + 1) * 100;
        server.engine.publish(Change{.trials = {shared(trial)}, .metrics = {sampleMetrics(trial.id, i * 100, 100)}});
        if (i % 50 == 0)
            server.engine.settle();
    }
    server.engine.settle();
    (void)server.get("/api/v1/version");
    client.setReceiveBuffer(4 * 1024 * 1024);
    qint64 next = 0;
    qint64 missed = 0;
    qint64 count = 0;
    while (next < batches * 100) {
        const QByteArray chunk = client.chunk();
        QVERIFY(!chunk.isEmpty());
        const Json message = *parseJson(chunk);
        // A message has either a gap or metrics of the trial, in order: nothing is lost without a word.
        for (const Json& gap : message["gaps"]) {
            QCOMPARE(gap["from"].get<qint64>(), next);
            missed += gap["to"].get<qint64>() - next + 1;
            next = gap["to"].get<qint64>() + 1;
        }
        for (const Json& metric : message["metrics"])
            QCOMPARE(metric["sequence"].get<qint64>(), next++);
        for (const Json& trial : message["trials"])
            count = trial["metricCount"].get<qint64>();
    }
    QVERIFY(missed > 0);
    QCOMPARE(count, batches * 100);
    server.engine.publish(Change{.metrics = {sampleMetrics(sampleTrial(1).id, next, 1)}});
    Json message;
    do { // there may be an empty one between, when all this took long
        message = *parseJson(client.chunk());
    } while (message["metrics"].empty());
    QCOMPARE(message["metrics"].size(), size_t(1));
    QVERIFY(message["gaps"].empty());
}

void TestApiEvents::listenersThatLeave()
{
    ServerFixture server;
    for (int round = 0; round < 5; ++round) {
        std::vector<std::unique_ptr<Lines>> lines;
        std::vector<std::unique_ptr<Socket>> sockets;
        for (int i = 0; i < 20; ++i) {
            lines.push_back(std::make_unique<Lines>(server.port()));
            sockets.push_back(std::make_unique<Socket>(server.port()));
            QCOMPARE(sockets.back()->accept().status, 101);
        }
        for (int i = 0; i < 20; ++i) {
            server.engine.publish(Change{.trials = {shared(sampleTrial(i))}});
            if (i % 2)
                lines[size_t(i)]->client.reset();
            else
                sockets[size_t(i)]->client.reset();
        }
    }
    const auto listeners = [&] {
        const QByteArray text = server.get("/metrics").body;
        const qsizetype at = text.indexOf("\ntrialdeck_event_listeners ") + 27;
        return text.mid(at, text.indexOf('\n', at) - at).toInt();
    };
    QTRY_COMPARE(listeners(), 0);
}

/// Fifty followers see the same texts.
void TestApiEvents::writtenOnceForAll()
{
    ServerFixture server;
    std::vector<std::unique_ptr<Lines>> all;
    for (int i = 0; i < 50; ++i) {
        all.push_back(std::make_unique<Lines>(server.port()));
        (void)all.back()->next();
    }
    server.engine.publish(
        Change{.trials = {shared(sampleTrial(7))}, .metrics = {sampleMetrics(sampleTrial(7).id, 0, 10)}});
    const Json first = all[0]->next();
    QCOMPARE(first["metrics"].size(), size_t(10));
    for (size_t i = 1; i < all.size(); ++i)
        QVERIFY(all[i]->next() == first);
}

QTEST_GUILESS_MAIN(TestApiEvents)
#include "tst_api_events.moc"
