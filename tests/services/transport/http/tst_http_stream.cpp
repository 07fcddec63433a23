// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that are read as they come, and WebSockets.
#include "client_setup.h"

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeWebServer;
using Peer = FakeWebServer::Peer;
using StreamPtr = std::shared_ptr<HttpStream>;
using SocketPtr = std::shared_ptr<WebSocket>;

static const QByteArray chunkedHead =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

class TestHttpStream : public QObject
{
    Q_OBJECT
private slots:
    void bytesAsTheyCome();
    void twoHundredAtOnce();
    void backPressure();
    void endsAndBreaks_data();
    void endsAndBreaks();
    void silence();
    void noAnswer();
    void cancelled();
    void abandoned();
    void otherStatuses();
    void newToken();
    void endsWithTheClient();
    void exec();
    void earlyBytesOfASocket();
    void refusedSockets_data();
    void refusedSockets();
    void brokenSockets_data();
    void brokenSockets();
    void socketBackPressure();

private:
    static StreamPtr open(ClientSetup& setup, HttpRequest request = ClientSetup::request("/watch"))
    {
        Result<StreamPtr> stream = setup.wait(setup.client->stream(std::move(request), setup.stop.get_token()));
        return stream ? *stream : nullptr;
    }
    static Result<SocketPtr> connectTo(ClientSetup& setup, const QList<QByteArray>& protocols)
    {
        const Result<WebSocketAnswer> answer = setup.wait(
            setup.client->webSocket(ClientSetup::request("/exec?command=sh"), protocols, setup.stop.get_token()));
        if (!answer)
            return tl::unexpected(answer.error());
        if (!answer->socket)
            return tl::unexpected(errorOf(answer->refusal));
        return answer->socket;
    }
};

void TestHttpStream::bytesAsTheyCome()
{
    FakeWebServer server;
    Peer peer;
    server.on([&](const Peer& one, const auto&) {
        peer = one;
        one.send(chunkedHead);
    });
    ClientSetup setup(server.url());
    const StreamPtr stream = open(setup);
    QVERIFY(stream);
    QCOMPARE(stream->status(), 200);
    QCOMPARE(stream->header("content-type"), QByteArray("application/json"));
    QCOMPARE(server.requests().first().headers.value("accept-encoding"), QByteArray("identity"));
    for (int i = 0; i < 20; ++i) {
        const QByteArray line = "line " + QByteArray::number(i) + "\n";
        peer.chunk(line);
        QCOMPARE(setup.wait(stream->read()).value_or("failed"), line);
    }
    peer.chunk({});
    QCOMPARE(setup.wait(stream->read()).value_or("failed"), QByteArray());
}

void TestHttpStream::twoHundredAtOnce()
{
    FakeWebServer server;
    QList<Peer> peers;
    server.on([&](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.target == "/x") {
            peer.answer(200, "{}");
            return;
        }
        peers += peer;
        peer.send(chunkedHead);
        peer.chunk(request.target);
    });
    ClientSetup setup(server.url());
    std::vector<Pending<Result<StreamPtr>>> opening;
    for (int i = 0; i < 200; ++i)
        opening.emplace_back(
            setup.client->stream(ClientSetup::request("/" + QByteArray::number(i)), setup.stop.get_token()));
    QVERIFY(setup.spin(
        [&] { return std::all_of(opening.begin(), opening.end(), [](const auto& one) { return one.isDone(); }); }));
    QCOMPARE(server.open(), 200);
    QCOMPARE(shown(setup.get("/x")), u"200"_s); // requests go beside them
    for (int round = 0; round < 3; ++round) {
        std::vector<Pending<Result<QByteArray>>> reading;
        for (const auto& one : opening)
            reading.emplace_back((*one.value())->read());
        QVERIFY(setup.spin(
            [&] { return std::all_of(reading.begin(), reading.end(), [](const auto& one) { return one.isDone(); }); }));
        for (int i = 0; i < 200; ++i)
            QCOMPARE(reading[size_t(i)].value().value_or("failed"),
                round == 0 ? "/" + QByteArray::number(i) : QByteArray("again"));
        for (const Peer& peer : std::as_const(peers))
            peer.chunk("again");
    }
    opening.clear();
    QVERIFY(setup.spin([&] { return server.open() <= 1; })); // but the request's, which is kept
}

void TestHttpStream::backPressure()
{
    FakeWebServer server;
    Peer peer;
    const QByteArray piece(1'000'000, 'x');
    server.on([&](const Peer& one, const auto&) {
        peer = one;
        one.send("HTTP/1.1 200 OK\r\n\r\n");
        for (int i = 0; i < 100; ++i)
            one.send(piece);
        one.close();
    });
    ClientSetup setup(server.url());
    const StreamPtr stream = open(setup);
    QVERIFY(stream);
    qint64 before = 0;
    QVERIFY(setup.spin([&] { return std::exchange(before, peer.queued()) == peer.queued() && before < 100'000'000; }));
    QTest::qWait(50);
    QVERIFY2(peer.queued() > 80'000'000,
        qPrintable(QString::number(peer.queued()))); // what is not read stays there, but for buffers of the system
    qint64 got = 0;
    for (;;) {
        const auto bytes = setup.wait(stream->read());
        QVERIFY(bytes);
        QVERIFY(bytes->size() <= HttpConnection::readAheadBytes);
        if (bytes->isEmpty())
            break;
        got += bytes->size();
    }
    QCOMPARE(got, qint64(100'000'000));
}

void TestHttpStream::endsAndBreaks_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::addColumn<QString>("end");
    QTest::newRow("in order") << chunkedHead + "3\r\nabc\r\n0\r\n\r\n" << u"end"_s;
    QTest::newRow("cut in a chunk") << chunkedHead + "5\r\nabc" << u"network"_s;
    QTest::newRow("cut between chunks") << chunkedHead + "3\r\nabc\r\n" << u"network"_s;
    QTest::newRow("of a length") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc") << u"end"_s;
    QTest::newRow("shorter than its length")
        << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc") << u"network"_s;
    QTest::newRow("until the end") << QByteArray("HTTP/1.0 200 OK\r\n\r\nabc") << u"end"_s;
}

void TestHttpStream::endsAndBreaks()
{
    QFETCH(QByteArray, wire);
    QFETCH(QString, end);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) {
        peer.send(wire);
        peer.close();
    });
    ClientSetup setup(server.url());
    const StreamPtr stream = open(setup);
    QVERIFY(stream);
    QCOMPARE(setup.wait(stream->read()).value_or("failed"), QByteArray("abc"));
    const auto last = setup.wait(stream->read());
    QCOMPARE(last ? (last->isEmpty() ? u"end"_s : u"more"_s) : kindName(last.error().kind), end);
}

void TestHttpStream::silence()
{
    FakeWebServer server;
    Peer peer;
    server.on([&](const Peer& one, const auto&) {
        peer = one;
        one.send(chunkedHead);
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/watch");
    request.silenceMs = 180'000;
    const StreamPtr stream = open(setup, request);
    QVERIFY(stream);
    setup.clock.advance(3'600'000); // not while nothing is awaited
    {
        const Pending reading(stream->read());
        setup.clock.advance(179'999);
        peer.chunk("x");
        QVERIFY(setup.spin([&] { return reading.isDone(); }));
        QCOMPARE(reading.value().value_or("failed"), QByteArray("x"));
    }
    const Pending reading(stream->read());
    setup.clock.advance(179'999);
    QVERIFY(!reading.isDone());
    setup.clock.advance(1);
    QVERIFY(reading.isDone());
    QCOMPARE(reading.value().error().kind, Kind::timeout);
}

void TestHttpStream::noAnswer()
{
    FakeWebServer server;
    server.on([](const Peer&, const auto&) {});
    ClientSetup setup(server.url());
    const Pending opening(setup.client->stream(ClientSetup::request("/watch"), setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 1; }));
    setup.clock.advance(30'000);
    QVERIFY(opening.isDone());
    QCOMPARE(opening.value().error().kind, Kind::timeout);
}

void TestHttpStream::cancelled()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.send(chunkedHead); });
    ClientSetup setup(server.url());
    std::stop_source stop;
    const auto opened = setup.wait(setup.client->stream(ClientSetup::request("/watch"), stop.get_token()));
    QVERIFY(opened);
    const Pending reading((*opened)->read());
    stop.request_stop();
    QVERIFY(reading.isDone());
    QCOMPARE(reading.value().error().kind, Kind::cancelled);
    const StreamPtr other = open(setup);
    const Pending waiting(other->read());
    other->abort();
    QVERIFY(waiting.isDone());
    QCOMPARE(waiting.value().error().kind, Kind::cancelled);
    QCOMPARE(setup.wait(other->read()).error().kind, Kind::cancelled);
}

void TestHttpStream::abandoned()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.send(chunkedHead); });
    ClientSetup setup(server.url());
    StreamPtr stream = open(setup);
    QCOMPARE(server.open(), 1);
    stream.reset();
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
}

void TestHttpStream::otherStatuses()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.answer(410, R"({"reason":"Expired"})"); });
    ClientSetup setup(server.url());
    const StreamPtr stream = open(setup);
    QVERIFY(stream);
    QCOMPARE(stream->status(), 410);
    const auto rest = setup.wait(stream->rest());
    QVERIFY(rest);
    QCOMPARE(rest->body, QByteArray(R"({"reason":"Expired"})"));
    QCOMPARE(errorOf(*rest).kind, Kind::not_found);
}

void TestHttpStream::newToken()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.headers.value("authorization") == "Bearer t2")
            peer.send(chunkedHead);
        else
            peer.answer(401, "{}");
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    const StreamPtr stream = open(setup);
    QVERIFY(stream);
    QCOMPARE(stream->status(), 200);
    QCOMPARE(tokens.calls, 2);
}

void TestHttpStream::endsWithTheClient()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.send(chunkedHead); });
    StreamPtr stream;
    std::optional<Pending<Result<QByteArray>>> reading;
    {
        ClientSetup setup(server.url());
        stream = open(setup);
        QVERIFY(stream);
        reading.emplace(stream->read());
        const auto closing = [](HttpClient* client) -> Task<bool> {
            auto task = client->close();
            co_await task;
            co_return true;
        };
        QVERIFY(setup.wait(closing(setup.client.get())));
        QVERIFY(reading->isDone());
        QCOMPARE(reading->value().error().kind, Kind::cancelled);
        stream.reset();
    }
}

/// The payload of the one masked frame that `bytes` are, or nothing.
static std::optional<QByteArray> unmasked(const QByteArray& bytes)
{
    if (bytes.size() < 6 || !(bytes[1] & 0x80) || (bytes[1] & 0x7f) > 125 || bytes.size() != 6 + (bytes[1] & 0x7f))
        return std::nullopt;
    QByteArray payload = bytes.mid(6);
    for (qsizetype i = 0; i < payload.size(); ++i)
        payload[i] = char(payload[i] ^ bytes[2 + i % 4]);
    return payload;
}

void TestHttpStream::exec()
{
    FakeWebServer server;
    Peer peer;
    server.on([&](const Peer& one, const FakeWebServer::Request& request) {
        peer = one;
        one.send(fakes::upgradeAnswer(request, "v4.channel.k8s.io"));
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    const auto connected = connectTo(setup, {"v5.channel.k8s.io", "v4.channel.k8s.io"});
    QVERIFY2(connected, qPrintable(connected ? QString() : connected.error().message.text()));
    const SocketPtr socket = *connected;
    QCOMPARE(socket->protocol(), QByteArray("v4.channel.k8s.io"));
    const FakeWebServer::Request& request = server.requests().first();
    QCOMPARE(request.headers.value("authorization"), QByteArray("Bearer t1"));
    QCOMPARE(request.headers.value("sec-websocket-protocol"), QByteArray("v5.channel.k8s.io, v4.channel.k8s.io"));
    QCOMPARE(request.headers.value("sec-websocket-version"), QByteArray("13"));

    QVERIFY(setup.wait(socket->send(WebSocketOpcode::binary, QByteArray("\0echo", 5))));
    QByteArray sent;
    QVERIFY(setup.spin([&] { return !(sent += peer.take()).isEmpty(); }));
    QCOMPARE(unmasked(sent).value_or("no frame"), QByteArray("\0echo", 5));

    peer.send(fakes::serverFrame(0x89, "p") + fakes::serverFrame(0x02, "\1he") + fakes::serverFrame(0x80, "llo"));
    const auto message = setup.wait(socket->read());
    QVERIFY(message);
    QCOMPARE(message->payload, QByteArray("\1hello"));
    sent.clear();
    QVERIFY(setup.spin([&] { return !(sent += peer.take()).isEmpty(); }));
    QCOMPARE(sent[0], char(0x8a)); // the ping was answered
    QCOMPARE(unmasked(sent).value_or("no frame"), QByteArray("p"));

    peer.send(fakes::serverFrame(0x82, "\3{\"status\":\"Success\"}") + fakes::serverFrame(0x88, "\x03\xe8"));
    QCOMPARE(setup.wait(socket->read())->payload, QByteArray("\3{\"status\":\"Success\"}"));
    const auto last = setup.wait(socket->read());
    QVERIFY(last);
    QVERIFY(last->opcode == WebSocketOpcode::close);
    QCOMPARE(closeCode(last->payload), quint16(1000));
    sent.clear();
    QVERIFY(setup.spin([&] { return !(sent += peer.take()).isEmpty(); }));
    QCOMPARE(unmasked(sent).value_or("no frame"), QByteArray("\x03\xe8"));
    QCOMPARE(setup.wait(socket->send(WebSocketOpcode::binary, "x")).error().kind, Kind::conflict);
}

void TestHttpStream::earlyBytesOfASocket()
{
    // The first message in the same packet as the answer.
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        peer.send(fakes::upgradeAnswer(request, "v4.channel.k8s.io") + fakes::serverFrame(0x82, "\1"));
    });
    ClientSetup setup(server.url());
    const auto connected = connectTo(setup, {"v4.channel.k8s.io"});
    QVERIFY(connected);
    QCOMPARE(setup.wait((*connected)->read())->payload, QByteArray("\1"));
}

void TestHttpStream::refusedSockets_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::addColumn<QString>("kind");
    QTest::newRow("forbidden") << QByteArray("HTTP/1.1 403 X\r\nContent-Length: 5\r\n\r\nno VC") << u"auth"_s;
    QTest::newRow("not found") << QByteArray("HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n") << u"not_found"_s;
    QTest::newRow("redirected") << QByteArray("HTTP/1.1 302 X\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n")
                                << u"platform"_s;
    QTest::newRow("a page") << QByteArray("HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello") << u"platform"_s;
    QTest::newRow("a wrong proof") << QByteArray(
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n")
                                   << u"platform"_s;
}

void TestHttpStream::refusedSockets()
{
    QFETCH(QByteArray, wire);
    QFETCH(QString, kind);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) { peer.send(wire); });
    ClientSetup setup(server.url());
    const auto connected = connectTo(setup, {"v4.channel.k8s.io"});
    QVERIFY(!connected);
    QCOMPARE(kindName(connected.error().kind), kind);
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpStream::brokenSockets_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("kind");
    QTest::newRow("ended without a close frame") << QByteArray() << u"network"_s;
    QTest::newRow("ended in a frame") << fakes::serverFrame(0x82, "abc").chopped(1) << u"network"_s;
    QTest::newRow("reserved bits") << fakes::serverFrame(0xf2, "abc") << u"platform"_s;
    QTest::newRow("larger than the limit") << QByteArray("\x82\x7f\0\0\0\x40\0\0\0\0", 10) << u"platform"_s;
}

void TestHttpStream::brokenSockets()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, kind);
    FakeWebServer server;
    server.on([&](const Peer& peer, const FakeWebServer::Request& request) {
        peer.send(fakes::upgradeAnswer(request, "v4") + bytes);
        peer.close();
    });
    ClientSetup setup(server.url());
    const auto connected = connectTo(setup, {"v4"});
    QVERIFY(connected);
    const auto message = setup.wait((*connected)->read());
    QVERIFY(!message);
    QCOMPARE(kindName(message.error().kind), kind);
}

void TestHttpStream::socketBackPressure()
{
    // A far side that does not read: sending waits, and a stop ends the wait.
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        peer.send(fakes::upgradeAnswer(request, "v4"));
    });
    ClientSetup setup(server.url());
    const auto connected = connectTo(setup, {"v4"});
    QVERIFY(connected);
    const SocketPtr socket = *connected;
    // The fake reads into its memory what is not taken, so time must stand still for it: nothing is processed between these.
    std::vector<Pending<Result<>>> sending;
    for (int i = 0; i < 100; ++i)
        sending.emplace_back(socket->send(WebSocketOpcode::binary, QByteArray(100'000, 'x')));
    QVERIFY(!sending.back().isDone());
    QVERIFY(setup.spin(
        [&] { return std::all_of(sending.begin(), sending.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sending)
        QVERIFY(one.value());
    const Pending stopped(socket->send(WebSocketOpcode::binary, QByteArray(10'000'000, 'x')));
    QVERIFY(!stopped.isDone());
    socket->abort();
    QVERIFY(stopped.isDone());
    QCOMPARE(stopped.value().error().kind, Kind::cancelled);
}

QTEST_GUILESS_MAIN(TestHttpStream)
#include "tst_http_stream.moc"
