// SPDX-License-Identifier: GPL-3.0-or-later
// Streams that share connections of HTTP/2.
#include "client_setup.h"

#include "services/transport/http/http2_session.h"

#include "tests/fakes/web/fake_http2_server.h"
#include "tests/fakes/web/test_certificates.h"

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeHttp2Server;
using Peer = FakeHttp2Server::Stream;
using StreamPtr = std::shared_ptr<HttpStream>;

class TestHttp2 : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void bytesAsTheyCome();
    void twoHundredOnTwo();
    void asManyAsTheServerAllows();
    void openedTogether();
    void backPressureIsEachOnes();
    void endsAndBreaks_data();
    void endsAndBreaks();
    void goesElsewhereAfterGoAway();
    void anOldOneThatIsGone();
    void refused();
    void silence();
    void aDeadServer();
    void idle();
    void cancelled();
    void abandoned();
    void otherStatuses();
    void newToken();
    void longHeads();
    void forbiddenBytes();
    void compressed();
    void endsWithTheClient();
    void requestsAreOfHttp1();
    void serversOfHttp1();

private:
    [[nodiscard]] HttpSettings settings(const QUrl& url) const
    {
        HttpSettings settings;
        settings.base = url;
        settings.tls.authorities = m_certificates.file(u"ca.pem"_s);
        return settings;
    }
    [[nodiscard]] static Result<StreamPtr> open(ClientSetup& setup, const QByteArray& target = "/watch")
    {
        return setup.wait(setup.client->stream(ClientSetup::request(target), setup.stop.get_token()));
    }
    [[nodiscard]] static QString textOf(const Result<QByteArray>& bytes)
    {
        return bytes ? QString::fromLatin1(*bytes)
                     : kindName(bytes.error().kind) + u": "_s + bytes.error().message.text();
    }
    /// So many streams, all open.
    [[nodiscard]] static std::vector<StreamPtr> openMany(ClientSetup& setup, int count)
    {
        std::vector<Pending<Result<StreamPtr>>> opening;
        for (int i = 0; i < count; ++i)
            opening.emplace_back(
                setup.client->stream(ClientSetup::request("/" + QByteArray::number(i)), setup.stop.get_token()));
        std::vector<StreamPtr> streams;
        if (!setup.spin([&] {
                return std::all_of(opening.begin(), opening.end(), [](const auto& one) { return one.isDone(); });
            }))
            return streams;
        for (const auto& one : opening)
            if (one.value())
                streams.push_back(*one.value());
        return streams;
    }

    TestCertificates m_certificates;
};

void TestHttp2::initTestCase()
{
    QVERIFY2(m_certificates.make(), "the program openssl is not here to make a certificate");
}

void TestHttp2::bytesAsTheyCome()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        peer.interim(103);
        peer.answer(200, {{"content-type", "application/json"}});
    });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup, "/watch?a=b");
    QVERIFY(stream);
    QCOMPARE((*stream)->status(), 200);
    QCOMPARE((*stream)->header("Content-Type"), QByteArray("application/json"));
    const Peer peer = server.streams().front();
    QCOMPARE(peer.field(":path"), QByteArray("/watch?a=b"));
    QCOMPARE(peer.field(":authority"), server.url().authority().toLatin1());
    QCOMPARE(peer.field("accept-encoding"), QByteArray("identity"));
    for (int i = 0; i < 20; ++i) {
        const QByteArray line = "line " + QByteArray::number(i) + "\n";
        peer.send(line);
        QCOMPARE(textOf(setup.wait((*stream)->read())), QString::fromLatin1(line));
    }
    peer.end();
    QCOMPARE(textOf(setup.wait((*stream)->read())), QString());
}

void TestHttp2::twoHundredOnTwo()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    std::vector<StreamPtr> streams = openMany(setup, 200);
    QCOMPARE(int(streams.size()), 200);
    QCOMPARE(server.connections(), 2);
    for (const Peer& peer : server.streams())
        peer.send(peer.field(":path"));
    for (int i = 0; i < 200; ++i)
        QCOMPARE(textOf(setup.wait(streams[size_t(i)]->read())), u'/' + QString::number(i));
    // A place that is free again is used.
    streams.resize(100);
    QVERIFY(setup.spin([&] {
        return std::count_if(server.streams().begin(), server.streams().end(), [](const Peer& peer) {
            return peer.isDropped();
        }) == 100;
    }));
    QCOMPARE(int(openMany(setup, 100).size()), 100);
    QCOMPARE(server.connections(), 2);
}

void TestHttp2::asManyAsTheServerAllows()
{
    FakeHttp2Server server(m_certificates.server(), 2);
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    QCOMPARE(int(openMany(setup, 5).size()), 5);
    QCOMPARE(server.connections(), 3);
}

void TestHttp2::openedTogether()
{
    // Who opens the connection gives up before it is there; the others do not.
    FakeHttp2Server server(m_certificates.server());
    ClientSetup setup(settings(server.url()));
    std::stop_source mine;
    const Pending first(setup.client->stream(ClientSetup::request("/1"), mine.get_token()));
    const Pending second(setup.client->stream(ClientSetup::request("/2"), setup.stop.get_token()));
    const Pending third(setup.client->stream(ClientSetup::request("/3"), setup.stop.get_token()));
    mine.request_stop();
    QVERIFY(setup.spin([&] { return first.isDone() && second.isDone() && third.isDone(); }));
    QCOMPARE(first.value().error().kind, Kind::cancelled);
    QVERIFY(second.value() && third.value());
    QCOMPARE(int(server.streams().size()), 2);
}

void TestHttp2::backPressureIsEachOnes()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> slow = open(setup, "/slow");
    const Result<StreamPtr> quick = open(setup, "/quick");
    QVERIFY(slow && quick);
    constexpr qint64 much = 8 * 1024 * 1024;
    for (const Peer& peer : server.streams())
        peer.send(QByteArray(much, 'x'));
    qint64 got = 0;
    while (got < much) {
        const Result<QByteArray> bytes = setup.wait((*quick)->read());
        QVERIFY2(bytes && !bytes->isEmpty(), qPrintable(textOf(bytes)));
        got += bytes->size();
    }
    QVERIFY(server.streams()[0].queued() >= much - 128 * 1024);
    QCOMPARE(server.streams()[1].queued(), 0);
    server.streams()[0].end();
    got = 0;
    for (;;) {
        const Result<QByteArray> bytes = setup.wait((*slow)->read());
        QVERIFY2(bytes, qPrintable(textOf(bytes)));
        if (bytes->isEmpty())
            break;
        got += bytes->size();
    }
    QCOMPARE(got, much);
}

void TestHttp2::endsAndBreaks_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("last");
    const QString broken = u"network: The connection to 127.0.0.1:%1 broke."_s;
    QTest::newRow("in order") << u"end"_s << QString();
    QTest::newRow("reset") << u"reset"_s << broken;
    QTest::newRow("cut") << u"cut"_s << broken;
    QTest::newRow("no HTTP/2") << u"garbage"_s << broken;
    QTest::newRow("a frame too large") << u"frame"_s << broken;
}

void TestHttp2::endsAndBreaks()
{
    QFETCH(QString, how);
    QFETCH(QString, last);
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        peer.answer(200);
        peer.send("all");
    });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(stream);
    QCOMPARE(textOf(setup.wait((*stream)->read())), u"all"_s);
    const Pending reading((*stream)->read());
    const Peer peer = server.streams().front();
    if (how == u"end")
        peer.end();
    else if (how == u"reset")
        peer.reset();
    else if (how == u"cut")
        server.cut();
    else if (how == u"garbage")
        server.sendRaw("HTTP/1.1 400 Bad Request\r\n\r\n");
    else
        server.sendRaw(QByteArray("\xff\xff\xff\x00\x00\x00\x00\x00\x01", 9));
    QVERIFY(setup.spin([&] { return reading.isDone(); }));
    QCOMPARE(textOf(reading.value()), last.isEmpty() ? last : last.arg(server.url().port()));
    // The next one has a connection that works.
    const Result<StreamPtr> next = open(setup);
    QVERIFY(next);
    QCOMPARE(textOf(setup.wait((*next)->read())), u"all"_s);
}

void TestHttp2::goesElsewhereAfterGoAway()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> before = open(setup);
    QVERIFY(before);
    server.goAway();
    server.streams().front().send("still");
    QCOMPARE(textOf(setup.wait((*before)->read())), u"still"_s);
    const Result<StreamPtr> after = open(setup);
    QVERIFY(after);
    QCOMPARE(server.streams().back().connection(), 2);
    server.streams().front().end();
    QCOMPARE(textOf(setup.wait((*before)->read())), QString());
    QVERIFY(setup.spin([&] { return server.open() == 1; }));
}

void TestHttp2::anOldOneThatIsGone()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    QVERIFY(open(setup));
    server.on([&](const Peer& peer) {
        if (peer.connection() == 1)
            server.cut();
        else
            peer.answer(200);
    });
    const Result<StreamPtr> again = open(setup);
    QVERIFY(again);
    QCOMPARE(server.streams().back().connection(), 2);
}

void TestHttp2::refused()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.refuse(); });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(!stream);
    QCOMPARE(stream.error().kind, Kind::network);
    // A server that refuses each one is not asked for ever.
    QVERIFY(!open(setup));
    QCOMPARE(int(server.streams().size()), 3);
}

void TestHttp2::silence()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    HttpRequest request = ClientSetup::request("/watch");
    request.silenceMs = 5'000;
    const Result<StreamPtr> stream = setup.wait(setup.client->stream(request, setup.stop.get_token()));
    QVERIFY(stream);
    const Pending reading((*stream)->read());
    setup.clock.advance(4'999);
    QVERIFY(!reading.isDone());
    setup.clock.advance(1);
    QVERIFY(setup.spin([&] { return reading.isDone(); }));
    QCOMPARE(textOf(reading.value()), u"timeout: 127.0.0.1:%1 sent nothing for 5 seconds."_s.arg(server.url().port()));
}

void TestHttp2::aDeadServer()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    HttpRequest request = ClientSetup::request("/watch");
    request.silenceMs = 0;
    const Result<StreamPtr> stream = setup.wait(setup.client->stream(request, setup.stop.get_token()));
    QVERIFY(stream);
    const Pending reading((*stream)->read());
    // One that lives says so, however long it has nothing to send.
    for (int pings = 1; pings < 5; ++pings) {
        setup.clock.advance(Http2Session::quietMs);
        QVERIFY(setup.spin([&] { return server.pings() == pings; }));
        QVERIFY(open(setup)); // what the server says to that comes behind its answer to the ping
        QVERIFY(!reading.isDone());
    }
    server.setDeaf(true);
    setup.clock.advance(Http2Session::quietMs);
    QVERIFY(!reading.isDone());
    setup.clock.advance(Http2Session::pingMs);
    QVERIFY(setup.spin([&] { return reading.isDone(); }));
    QCOMPARE(reading.value().error().kind, Kind::timeout);
}

void TestHttp2::idle()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    ClientSetup setup(settings(server.url()));
    QVERIFY(open(setup));
    QVERIFY(setup.spin([&] { return server.streams().front().isDropped(); }));
    QCOMPARE(server.open(), 1);
    QVERIFY(open(setup));
    QCOMPARE(server.connections(), 1);
    setup.clock.advance(2 * Http2Session::quietMs);
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
}

void TestHttp2::cancelled()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer&) {});
    ClientSetup setup(settings(server.url()));
    std::stop_source stop;
    const Pending opening(setup.client->stream(ClientSetup::request("/"), stop.get_token()));
    QVERIFY(setup.spin([&] { return !server.streams().empty(); }));
    stop.request_stop();
    QVERIFY(setup.spin([&] { return opening.isDone(); }));
    QCOMPARE(opening.value().error().kind, Kind::cancelled);
    QVERIFY(setup.spin([&] { return server.streams().front().isDropped(); }));
    QCOMPARE(server.open(), 1);
}

void TestHttp2::abandoned()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        peer.answer(200);
        peer.send(QByteArray(1024 * 1024, 'x'));
    });
    ClientSetup setup(settings(server.url()));
    {
        const Result<StreamPtr> stream = open(setup);
        QVERIFY(stream);
        const Pending reading((*stream)->read());
        (*stream)->abort();
        QVERIFY(setup.spin([&] { return reading.isDone(); }));
    }
    QVERIFY(setup.spin([&] { return server.streams().front().isDropped(); }));
    // What was on its way for it takes nothing from the others.
    for (int i = 0; i < 40; ++i) {
        const Result<StreamPtr> next = open(setup);
        QVERIFY(next);
        QVERIFY(!setup.wait((*next)->read()).value_or("").isEmpty());
    }
    QCOMPARE(server.connections(), 1);
}

void TestHttp2::otherStatuses()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        peer.answer(410, {{"content-type", "application/json"}});
        peer.send("{\"code\":410}");
        peer.end();
    });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(stream);
    QCOMPARE((*stream)->status(), 410);
    QCOMPARE(setup.wait((*stream)->rest())->body, QByteArray("{\"code\":410}"));
}

void TestHttp2::newToken()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        peer.answer(peer.field("authorization") == "Bearer t2" ? 200 : 401);
        peer.end();
    });
    CountedTokens tokens;
    ClientSetup setup(settings(server.url()), &tokens);
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(stream);
    QCOMPARE((*stream)->status(), 200);
    QCOMPARE(tokens.rejectedOnes, (QByteArrayList{"", "Bearer t1"}));
    QCOMPARE(server.connections(), 1);
}

void TestHttp2::longHeads()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) {
        FakeHttp2Server::Headers headers;
        for (int i = 0; i < 20; ++i)
            headers.append({"x-" + QByteArray::number(i), QByteArray(4'000, 'x')});
        peer.answer(200, headers);
    });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(!stream);
    QCOMPARE(stream.error().kind, Kind::network);
}

void TestHttp2::forbiddenBytes()
{
    FakeHttp2Server server(m_certificates.server());
    ClientSetup setup(settings(server.url()));
    HttpRequest request = ClientSetup::request("/");
    request.headers = {{"X-One", "a\r\nb"}};
    const Result<StreamPtr> stream = setup.wait(setup.client->stream(request, setup.stop.get_token()));
    QVERIFY(!stream);
    QCOMPARE(stream.error().kind, Kind::invalid);
    QVERIFY(server.streams().empty());
    QVERIFY(open(setup)); // its place was given back
}

void TestHttp2::compressed()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200, {{"content-encoding", "gzip"}}); });
    ClientSetup setup(settings(server.url()));
    const Result<StreamPtr> stream = open(setup);
    QVERIFY(!stream);
    QVERIFY(stream.error().message.text().contains(u"coding"_s));
}

void TestHttp2::endsWithTheClient()
{
    FakeHttp2Server server(m_certificates.server());
    server.on([](const Peer& peer) { peer.answer(200); });
    std::optional<Result<StreamPtr>> stream;
    std::optional<Pending<Result<QByteArray>>> reading;
    {
        ClientSetup setup(settings(server.url()));
        stream = open(setup);
        QVERIFY(*stream);
        reading.emplace((**stream)->read());
    }
    QVERIFY(reading->isDone());
    QCOMPARE(reading->value().error().kind, Kind::cancelled);
    stream.reset();
}

void TestHttp2::requestsAreOfHttp1()
{
    fakes::FakeWebServer server(m_certificates.server());
    ClientSetup setup(settings(server.url()));
    QCOMPARE(shown(setup.get("/")), u"200"_s);
    QCOMPARE(server.requests().front().headers.value("accept-encoding"), QByteArray("gzip"));
}

void TestHttp2::serversOfHttp1()
{
    QSslConfiguration tls = m_certificates.server();
    tls.setAllowedNextProtocols({"http/1.1"});
    fakes::FakeWebServer server(tls);
    server.on([](const fakes::FakeWebServer::Peer& peer, const auto&) {
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        peer.chunk("all");
    });
    ClientSetup setup(settings(server.url()));
    const std::vector<StreamPtr> streams = openMany(setup, 20);
    QCOMPARE(int(streams.size()), 20);
    QCOMPARE(server.connections(), 20);
    for (const StreamPtr& stream : streams)
        QCOMPARE(textOf(setup.wait(stream->read())), u"all"_s);
}

QTEST_GUILESS_MAIN(TestHttp2)
#include "tst_http2.moc"
