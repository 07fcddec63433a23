// SPDX-License-Identifier: GPL-3.0-or-later
// What goes over the wire, and what a hostile or broken server cannot do to it.
#include "client_setup.h"

#include "tests/fakes/gzip_text.h"

#include <QFile>

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeWebServer;
using Peer = FakeWebServer::Peer;

class TestHttpClient : public QObject
{
    Q_OBJECT
private slots:
    void whatIsSent();
    void namesBelowLocalhost();
    void connectionsAreKept();
    void keptConnectionThatClosed();
    void parallelRequestsAreBounded();
    void oneRenewalForFifty();
    void renewalOutlivesItsRequest();
    void noSecretInErrors();
    void cutAtEachByte();
    void headBombs_data();
    void headBombs();
    void slowLoris();
    void interimAnswers();
    void answerBeforeTheEndOfAnUpload();
    void gzip();
    void wrongGzip_data();
    void wrongGzip();
    void largerThanTheLimit_data();
    void largerThanTheLimit();
    void wrongTypes();
    void jsonOfAList();
    void cancelled();
    void closed();
    void badRequests();
    void forwardingProxy();
    void tunnellingProxy();
    void systemProxy();
};

void TestHttpClient::whatIsSent()
{
    FakeWebServer server;
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    HttpRequest request = ClientSetup::request("/api/v1/pods?limit=500&labelSelector=a%3Db");
    request.accept = "application/json";
    request.headers = {{"X-Ms-Version", "1"}};
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    const FakeWebServer::Request& got = server.requests().first();
    QCOMPARE(got.method + ' ' + got.target, QByteArray("GET /api/v1/pods?limit=500&labelSelector=a%3Db"));
    QCOMPARE(got.headers.value("host"), "127.0.0.1:" + QByteArray::number(server.port()));
    QCOMPARE(got.headers.value("authorization"), QByteArray("Bearer t1"));
    QCOMPARE(got.headers.value("accept"), QByteArray("application/json"));
    QCOMPARE(got.headers.value("accept-encoding"), QByteArray("gzip"));
    QCOMPARE(got.headers.value("x-ms-version"), QByteArray("1"));
    QVERIFY(got.headers.value("user-agent").startsWith("Trialdeck/"));
    QVERIFY(!got.headers.contains("content-length"));
    request.method = "POST";
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    QCOMPARE(server.requests().last().headers.value("content-length"), QByteArray("0"));
}

void TestHttpClient::connectionsAreKept()
{
    FakeWebServer server;
    ClientSetup setup(server.url());
    for (int i = 0; i < 20; ++i)
        QCOMPARE(shown(setup.get("/x")), u"200"_s);
    QCOMPARE(server.connections(), 1);
    setup.clock.advance(30'000);
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
    // What must not be sent twice takes none that may be closing.
    QVERIFY(setup.get("/x"));
    QCOMPARE(server.connections(), 2);
    HttpRequest post = ClientSetup::request("/x");
    post.method = "POST";
    QVERIFY(setup.send(post));
    QCOMPARE(server.connections(), 2);
    setup.clock.advance(1'000);
    QVERIFY(setup.send(post));
    QCOMPARE(server.connections(), 3);
    // One whose answer says so is not kept.
    server.on([](const Peer& peer, const auto&) { peer.answer(200, "{}", "Connection: close\r\n"); });
    for (int i = 0; i < 3; ++i)
        QVERIFY(setup.get("/x"));
    QVERIFY(server.connections() >= 4);
}

/// Of Azurite's accounts, for example.
void TestHttpClient::namesBelowLocalhost()
{
    FakeWebServer server;
    QUrl url = server.url();
    url.setHost(u"account.blob.localhost"_s);
    ClientSetup setup(url);
    QCOMPARE(shown(setup.get("/x", 1)), u"200"_s);
    QCOMPARE(server.requests().size(), 1);
    QVERIFY(server.requests()[0].headers.value("host").startsWith("account.blob.localhost"));
}

void TestHttpClient::keptConnectionThatClosed()
{
    FakeWebServer server;
    int answers = 0;
    server.on([&](const Peer& peer, const auto&) {
        if (++answers == 2)
            peer.close(); // the second request on the connection: it was closing already
        else
            peer.answer(200, "{}");
    });
    ClientSetup setup(server.url());
    QVERIFY(setup.get("/x"));
    QCOMPARE(shown(setup.get("/x", 1)), u"200"_s); // no attempt is spent on that
    QCOMPARE(server.connections(), 2);
    QCOMPARE(server.requests().size(), 3);
}

void TestHttpClient::parallelRequestsAreBounded()
{
    FakeWebServer server;
    QList<Peer> peers;
    server.on([&](const Peer& peer, const auto&) { peers += peer; });
    HttpSettings settings;
    settings.base = server.url();
    settings.maxParallel = 5;
    ClientSetup setup(settings);
    std::vector<Pending<Result<HttpReply>>> sent;
    for (int i = 0; i < 20; ++i)
        sent.emplace_back(
            setup.client->send(ClientSetup::request("/" + QByteArray::number(i)), setup.stop.get_token()));
    for (int done = 0; done < 20; done += 5) {
        QVERIFY(setup.spin([&] { return peers.size() == 5; }));
        QTest::qWait(5);
        QCOMPARE(server.requests().size(), done + 5);
        QCOMPARE(server.requests().last().target.size() > 2, done + 4 > 9); // in their order
        setup.clock.advance(29'999);                                        // waiting for a place costs no time
        for (const Peer& peer : std::exchange(peers, {}))
            peer.answer(200, "{}");
    }
    QVERIFY(setup.spin(
        [&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QCOMPARE(shown(one.value()), u"200"_s);
    QCOMPARE(server.connections(), 5);
}

void TestHttpClient::oneRenewalForFifty()
{
    FakeWebServer server;
    QByteArray good = "Bearer t1";
    QList<Peer> held;
    server.on([&](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.headers.value("authorization") == good)
            peer.answer(200, "{}");
        else if (held.size() < 49)
            held += peer; // all fifty are under way before any learns that the token expired
        else {
            held += peer;
            for (const Peer& one : std::exchange(held, {}))
                one.answer(401, "{}");
        }
    });
    CountedTokens tokens;
    HttpSettings settings;
    settings.base = server.url();
    settings.maxParallel = 50;
    ClientSetup setup(settings, &tokens);
    QVERIFY(setup.get("/warm"));
    QCOMPARE(tokens.calls, 1);
    good = "Bearer t2";
    std::vector<Pending<Result<HttpReply>>> sent;
    for (int i = 0; i < 50; ++i)
        sent.emplace_back(setup.client->send(ClientSetup::request("/x"), setup.stop.get_token()));
    QVERIFY(setup.spin(
        [&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QCOMPARE(shown(one.value()), u"200"_s);
    QCOMPARE(tokens.calls, 2);
    QCOMPARE(server.requests().size(), 1 + 50 + 50);
}

void TestHttpClient::renewalOutlivesItsRequest()
{
    FakeWebServer server;
    CountedTokens tokens;
    tokens.isHeld = true;
    ClientSetup setup(server.url(), &tokens);
    std::stop_source first;
    const Pending one(setup.client->send(ClientSetup::request("/1"), first.get_token()));
    const Pending two(setup.client->send(ClientSetup::request("/2"), setup.stop.get_token()));
    first.request_stop();
    QVERIFY(one.isDone());
    QCOMPARE(one.value().error().kind, Kind::cancelled);
    tokens.release();
    QVERIFY(setup.spin([&] { return two.isDone(); }));
    QCOMPARE(shown(two.value()), u"200"_s);
    QCOMPARE(tokens.calls, 1);
}

void TestHttpClient::noSecretInErrors()
{
    // A server that says everything again.
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        const QByteArray all = "<p>" + request.target + " came with " + request.headers.value("authorization")
            + " and secret=" + request.body;
        peer.answer(200, all, "Content-Type: application/json\r\n");
    });
    class Words : public TokenSource
    {
        Task<Result<QByteArray>> authorization(QByteArray, std::stop_token) override
        {
            co_return QByteArray("Custom opensesame");
        }
    } tokens;
    ClientSetup setup(server.url(), &tokens);
    HttpRequest request = ClientSetup::request("/submit?userName=u&password=hunter2&sig=hunter2");
    request.accept = "application/json";
    request.body = "hunter2";
    request.method = "POST";
    const auto reply = setup.send(request);
    QVERIFY(!reply);
    const QString all = reply.error().message + reply.error().detail;
    QVERIFY(all.contains(u"userName=u"_s));
    QVERIFY2(!all.contains(u"hunter2"_s) && !all.contains(u"opensesame"_s), qPrintable(all));
}

void TestHttpClient::cutAtEachByte()
{
    const QByteArray json = "Content-Type: application/json\r\n";
    const QByteArray packed = gzipText(R"({"a":[1,2,3]})");
    for (const QByteArray& whole : {"HTTP/1.1 200 OK\r\n" + json + "Content-Length: 13\r\n\r\n{\"a\":[1,2,3]}",
             "HTTP/1.1 200 OK\r\n" + json
                 + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n8\r\n[1,2,3]}\r\n0\r\n\r\n",
             "HTTP/1.1 200 OK\r\n" + json + "Content-Encoding: gzip\r\nContent-Length: "
                 + QByteArray::number(packed.size()) + "\r\n\r\n" + packed}) {
        FakeWebServer server;
        qsizetype end = 0;
        server.on([&](const Peer& peer, const auto&) {
            peer.send(whole.first(end));
            peer.close();
        });
        ClientSetup setup(server.url());
        HttpRequest request = ClientSetup::request("/x");
        request.accept = "application/json";
        for (; end < whole.size(); ++end) {
            const auto reply = setup.send(request);
            QVERIFY2(!reply, qPrintable(QString::number(end)));
            QCOMPARE(reply.error().kind, Kind::network);
        }
        const auto reply = setup.send(request);
        QVERIFY2(reply, qPrintable(shown(reply)));
        QCOMPARE(dumpJson(reply->json), QByteArray(R"({"a":[1,2,3]})"));
    }
}

void TestHttpClient::headBombs_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("fields without end") << "X: " + QByteArray(1'000, 'a') + "\r\n";
    QTest::newRow("a field without end") << QByteArray(4'000, 'a');
    QTest::newRow("small fields without end") << QByteArray("a:\r\n");
}

void TestHttpClient::headBombs()
{
    QFETCH(QByteArray, line);
    FakeWebServer server;
    Peer peer;
    server.on([&](const Peer& one, const auto&) {
        peer = one;
        one.send("HTTP/1.1 200 OK\r\nX: ");
        one.send(line.repeated(int(32'000'000 / line.size())));
    });
    ClientSetup setup(server.url());
    const auto reply = setup.get("/x");
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
    QVERIFY(reply.error().message.contains(u"head"_s));
    QVERIFY(setup.spin([&] { return !peer.isOpen(); }));
}

void TestHttpClient::slowLoris()
{
    // A head that comes byte by byte, for ever: the deadline ends it, though the server is never silent.
    FakeWebServer server;
    Peer slow;
    server.on([&](const Peer& peer, const auto&) {
        slow = peer;
        peer.send("HTTP/1.1 200 OK\r\nX: ");
    });
    ClientSetup setup(server.url());
    const Pending sending(setup.client->send(ClientSetup::request("/x"), setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return slow.isOpen(); }));
    int bytes = 0;
    while (!sending.isDone() && bytes < 1'000) {
        slow.send("x");
        ++bytes;
        QTest::qWait(1);
        setup.clock.advance(100);
    }
    QVERIFY2(bytes >= 295 && bytes <= 305, qPrintable(QString::number(bytes)));
    QCOMPARE(sending.value().error().kind, Kind::timeout);
}

void TestHttpClient::interimAnswers()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        const int times = request.target == "/few" ? 3 : 1'000;
        peer.send(QByteArray("HTTP/1.1 100 Continue\r\n\r\n").repeated(times));
        peer.answer(200, "{}");
    });
    ClientSetup setup(server.url());
    QCOMPARE(shown(setup.get("/few")), u"200"_s);
    QCOMPARE(setup.get("/many").error().kind, Kind::network);
}

void TestHttpClient::answerBeforeTheEndOfAnUpload()
{
    FakeWebServer server;
    server.onConnection([](const Peer& peer) { peer.answer(413, "too large", "Connection: close\r\n"); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x");
    request.method = "POST";
    request.body = QByteArray(20'000'000, 'x');
    QCOMPARE(shown(setup.send(request)), u"413"_s);
}

void TestHttpClient::gzip()
{
    const QByteArray list = "[" + QByteArray("{\"a\":1},").repeated(20'000).chopped(1) + "]";
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) {
        peer.answer(200, gzipText(list), "Content-Type: application/json\r\nContent-Encoding: gzip\r\n");
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x");
    request.accept = "application/json";
    const auto reply = setup.send(request);
    QVERIFY2(reply, qPrintable(shown(reply)));
    QCOMPARE(reply->body, list);
    QCOMPARE(reply->json.size(), size_t(20'000));
    QVERIFY(setup.send(request));
    QCOMPARE(server.connections(), 1);
}

void TestHttpClient::wrongGzip_data()
{
    QTest::addColumn<QByteArray>("body");
    const QByteArray good = gzipText(QByteArray("some text ").repeated(100));
    QByteArray checksum = good;
    checksum[checksum.size() - 6] = char(checksum[checksum.size() - 6] ^ 1);
    QTest::newRow("no gzip") << QByteArray("{\"a\":1}");
    QTest::newRow("cut") << good.chopped(9);
    QTest::newRow("checksum") << checksum;
    QTest::newRow("rubbish behind") << good + "rubbish";
}

void TestHttpClient::wrongGzip()
{
    QFETCH(QByteArray, body);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) { peer.answer(200, body, "Content-Encoding: gzip\r\n"); });
    ClientSetup setup(server.url());
    const auto reply = setup.get("/x", 2);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
    QCOMPARE(server.requests().size(), 2);
}

void TestHttpClient::largerThanTheLimit_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("length") << QByteArray() << QByteArray(100'001, 'x');
    QTest::newRow("gzip") << QByteArray("Content-Encoding: gzip\r\n") << gzipText(QByteArray(100'000'000, 'x'));
}

void TestHttpClient::largerThanTheLimit()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) { peer.answer(200, body, headers); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 4);
    request.maxBytes = 100'000;
    const auto reply = setup.send(request);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::platform);
    QCOMPARE(server.requests().size(), 1); // it would be as large again
}

void TestHttpClient::wrongTypes()
{
    FakeWebServer server;
    QByteArray type;
    QByteArray body = "{}";
    int status = 200;
    server.on([&](const Peer& peer, const auto&) {
        peer.answer(status, body, type.isEmpty() ? QByteArray() : "Content-Type: " + type + "\r\n");
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 4);
    request.accept = "application/json";
    for (const char* good : {"application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"}) {
        type = good;
        QCOMPARE(shown(setup.send(request)), u"200"_s);
    }
    const qsizetype before = server.requests().size();
    for (const char* bad : {"text/html", "", "application/jsonx", "text/plain; x=application/json"}) {
        type = bad;
        QCOMPARE(setup.send(request).error().kind, Kind::platform);
    }
    QCOMPARE(server.requests().size(), before + 4);
    request.accept = "text/yaml";
    type = "text/yaml; charset=utf-8";
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    // A gateway's page is no answer to what changes something, whatever it may answer with.
    request.accept.clear();
    for (const char* method : {"POST", "PUT", "DELETE"}) {
        request.method = method;
        type = "text/html; charset=utf-8";
        QCOMPARE(setup.send(request).error().kind, Kind::platform);
        type = "text/plain";
        QCOMPARE(shown(setup.send(request)), u"200"_s);
    }
    request.method = "GET";
    type = "text/html";
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    request.accept = "application/json";
    type.clear();
    body.clear();
    status = 204;
    QCOMPARE(shown(setup.send(request)), u"204"_s);
}

void TestHttpClient::jsonOfAList()
{
    // Over 64 KiB: parsed on the strand.
    QByteArray list = "[";
    for (int i = 0; i < 10'000; ++i)
        list += R"({"name":"job","state":"RUNNING","n":)" + QByteArray::number(i) + "},";
    list.back() = ']';
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) { peer.answer(200, list); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x");
    request.accept = "application/json";
    const auto reply = setup.send(request);
    QVERIFY2(reply, qPrintable(shown(reply)));
    QCOMPARE(reply->json.size(), size_t(10'000));
    QCOMPARE(reply->json.back()["n"].get<int>(), 9'999);
}

void TestHttpClient::cancelled()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"); });
    ClientSetup setup(server.url());
    std::stop_source stop;
    const Pending sending(setup.client->send(ClientSetup::request("/x"), stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 1; }));
    stop.request_stop();
    QVERIFY(sending.isDone());
    QCOMPARE(sending.value().error().kind, Kind::cancelled);
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
    const Pending late(setup.client->send(ClientSetup::request("/x"), stop.get_token()));
    QVERIFY(setup.spin([&] { return late.isDone(); }));
    QCOMPARE(late.value().error().kind, Kind::cancelled);
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpClient::closed()
{
    FakeWebServer server;
    server.on([](const Peer&, const auto&) {});
    ClientSetup setup(server.url());
    std::vector<Pending<Result<HttpReply>>> sent;
    for (int i = 0; i < 20; ++i) // of which some wait for a place
        sent.emplace_back(setup.client->send(ClientSetup::request("/x", 0), setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 8; }));
    const auto closing = [](HttpClient* client) -> Task<bool> {
        auto task = client->close();
        co_await task;
        co_return true;
    };
    QVERIFY(setup.wait(closing(setup.client.get())));
    QVERIFY(setup.spin(
        [&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QCOMPARE(one.value().error().kind, Kind::cancelled);
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
}

void TestHttpClient::badRequests()
{
    FakeWebServer server;
    ClientSetup setup(server.url());
    QCOMPARE(setup.get("/a b", 4).error().kind, Kind::invalid);
    HttpRequest request = ClientSetup::request("/x", 4);
    request.headers = {{"Host", "elsewhere"}};
    QCOMPARE(setup.send(request).error().kind, Kind::invalid);
    request.headers = {{"X-A", "b\r\nHost: elsewhere"}};
    QCOMPARE(setup.send(request).error().kind, Kind::invalid);
    QCOMPARE(server.requests().size(), 0);
    for (const char* base : {"", "ftp://h", "https://", "h:8080"}) {
        const ClientSetup none{QUrl(QString::fromLatin1(base))};
        QCOMPARE(none.problem.kind, Kind::invalid);
    }
    HttpSettings settings;
    settings.base = server.url();
    settings.proxy = {ProxySettings::Mode::url, QUrl(u"gopher://p"_s)};
    QCOMPARE(ClientSetup(settings).problem.kind, Kind::invalid);
}

void TestHttpClient::forwardingProxy()
{
    FakeWebServer proxy;
    HttpSettings settings;
    settings.base = QUrl(u"http://cluster.invalid:9186/rest-server"_s);
    settings.proxy = {ProxySettings::Mode::url, proxy.url()};
    settings.proxy.url.setUserInfo(u"me:pw"_s);
    ClientSetup setup(settings);
    QCOMPARE(shown(setup.get("/api/v2/info")), u"200"_s);
    const FakeWebServer::Request& got = proxy.requests().first();
    QCOMPARE(got.target, QByteArray("http://cluster.invalid:9186/rest-server/api/v2/info"));
    QCOMPARE(got.headers.value("host"), QByteArray("cluster.invalid:9186"));
    QCOMPARE(got.headers.value("proxy-authorization"), QByteArray("Basic bWU6cHc="));
}

void TestHttpClient::tunnellingProxy()
{
    // https goes through CONNECT; that no TLS server is behind it is enough to see what was asked for.
    FakeWebServer proxy;
    proxy.on([](const Peer& peer, const auto&) { peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"); });
    HttpSettings settings;
    settings.base = QUrl(u"https://cluster.invalid:6443"_s);
    settings.proxy = {ProxySettings::Mode::url, proxy.url()};
    ClientSetup setup(settings);
    const auto reply = setup.get("/x");
    QVERIFY(!reply);
    QCOMPARE(proxy.requests().size(), 1);
    QCOMPARE(proxy.requests().first().method, QByteArray("CONNECT"));
    QCOMPARE(proxy.requests().first().target, QByteArray("cluster.invalid:6443"));
}

void TestHttpClient::systemProxy()
{
    FakeWebServer proxy;
    qputenv("http_proxy", proxy.url().toEncoded());
    HttpSettings settings;
    settings.base = QUrl(u"http://cluster.invalid"_s);
    settings.proxy.mode = ProxySettings::Mode::system;
    {
        ClientSetup setup(settings);
        QCOMPARE(shown(setup.get("/x")), u"200"_s);
        QCOMPARE(proxy.requests().size(), 1);
    }
    settings.proxy.mode = ProxySettings::Mode::none;
    {
        ClientSetup setup(settings);
        QCOMPARE(setup.get("/x").error().kind, Kind::network);
        QCOMPARE(proxy.requests().size(), 1);
    }
    qunsetenv("http_proxy");
}

QTEST_GUILESS_MAIN(TestHttpClient)
#include "tst_http_client.moc"
