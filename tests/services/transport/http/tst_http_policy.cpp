// SPDX-License-Identifier: GPL-3.0-or-later
// What is done about each failure of a cluster's HTTP interface: the table of the README, row by row.
#include "client_setup.h"

#include "tests/fakes/held_port.h"

#include <QLoggingCategory>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeWebServer;
using Peer = FakeWebServer::Peer;

/// A way in which a server, or the network before it, fails.
using Fault = std::function<void(const Peer&)>;
Q_DECLARE_METATYPE(Fault)

class TestHttpPolicy : public QObject
{
    Q_OBJECT
private slots:
    void transportFailures_data();
    void transportFailures();
    void submitsAreSentOnce_data();
    void submitsAreSentOnce();
    void refusedConnection();
    void unknownHost();
    void backsOff();
    void untilStopped();
    void health();
    void unauthorizedOnce();
    void unauthorizedTwice();
    void unauthorizedSubmit();
    void forbiddenIsNotRenewed();
    void statusesThatAreAnswers_data();
    void statusesThatAreAnswers();
    void retryAfter_data();
    void retryAfter();
    void serverErrors();
    void unreadableJson_data();
    void unreadableJson();
    void secretsOfARequest();
    void redirectKeepsTheToken();
    void redirectElsewhere();
    void redirectOfASubmit();
    void redirectsWithoutEnd();
    void deadlineForConnecting();
    void deadlineForAll();
    void deadlineForSilence();
    void uploadsHaveNoDeadline();
};

static void faultRows()
{
    QTest::addColumn<Fault>("fault");
    const auto row = [](const char* name, Fault fault) { QTest::newRow(name) << fault; };
    row("closed without an answer", [](const Peer& peer) { peer.close(); });
    row("reset", [](const Peer& peer) { peer.reset(); });
    row("cut in the head", [](const Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nConte");
        peer.close();
    });
    row("cut in the body", [](const Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"a\"");
        peer.close();
    });
    row("cut between chunks", [](const Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n");
        peer.close();
    });
    row("no HTTP", [](const Peer& peer) { peer.send("SSH-2.0-OpenSSH_9.2\r\n"); });
    row("malformed chunks", [](const Peer& peer) {
        peer.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n");
    });
    row("two lengths",
        [](const Peer& peer) { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"); });
}

void TestHttpPolicy::transportFailures_data()
{
    faultRows();
}

void TestHttpPolicy::transportFailures()
{
    QFETCH(Fault, fault);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) {
        if (server.requests().size() < 4)
            fault(peer);
        else
            peer.answer(200, R"({"a":1})");
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 4);
    request.accept = "application/json";
    const auto reply = setup.send(request);
    QVERIFY2(reply, qPrintable(shown(reply)));
    QCOMPARE(reply->json["a"].get<int>(), 1);
    QCOMPARE(server.requests().size(), 4);
    // As many attempts as were asked for, and then the error.
    FakeWebServer broken;
    broken.on([&](const Peer& peer, const auto&) { fault(peer); });
    ClientSetup other(broken.url());
    const auto failed = other.get("/x", 2);
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, Kind::network);
    QVERIFY(failed.error().message.contains(u"127.0.0.1:%1"_s.arg(broken.port())));
    QCOMPARE(broken.requests().size(), 2);
}

void TestHttpPolicy::submitsAreSentOnce_data()
{
    faultRows();
}

void TestHttpPolicy::submitsAreSentOnce()
{
    QFETCH(Fault, fault);
    FakeWebServer server;
    ClientSetup setup(server.url());
    QVERIFY(setup.get("/warm")); // leaves a connection that is kept
    server.on([&](const Peer& peer, const auto&) { fault(peer); });
    HttpRequest request = ClientSetup::request("/jobs", 4);
    for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
        const qsizetype before = server.requests().size();
        request.method = method;
        request.body = "{}";
        const auto reply = setup.send(request);
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Kind::network);
        QCOMPARE(server.requests().size(), before + 1);
    }
    // Unless the caller says that it does no harm.
    const qsizetype before = server.requests().size();
    request.isRepeatable = true;
    QVERIFY(!setup.send(request));
    QCOMPARE(server.requests().size(), before + 4);
}

void TestHttpPolicy::refusedConnection()
{
    const HeldPort silent;
    ClientSetup setup(QUrl(u"http://127.0.0.1:%1"_s.arg(silent.number())));
    const auto reply = setup.get("/x", 3);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
    QVERIFY2(reply.error().message.contains(u"cannot be reached"_s), qPrintable(reply.error().message));
    QVERIFY(!setup.client->isHealthy());
}

void TestHttpPolicy::unknownHost()
{
    ClientSetup setup(QUrl(u"http://no-such-host.invalid/"_s));
    const auto reply = setup.get("/x");
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
}

void TestHttpPolicy::backsOff()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.answer(500, "x", "Connection: close\r\n"); });
    ClientSetup setup(server.url());
    setup.random = 1;
    const Pending sending(setup.client->send(ClientSetup::request("/x", 4), setup.stop.get_token()));
    qsizetype requests = 1;
    for (const qint64 delay : {1'000, 2'000, 4'000}) {
        QVERIFY(setup.spin(
            [&] { return server.requests().size() == requests && server.open() == 0 && setup.clock.pending() == 1; }));
        setup.clock.advance(delay - 1);
        QTest::qWait(1);
        QCOMPARE(server.requests().size(), requests);
        setup.clock.advance(1);
        ++requests;
    }
    QVERIFY(setup.spin([&] { return sending.isDone(); }));
    QCOMPARE(server.requests().size(), 4);
    QCOMPARE(sending.value()->status, 500);
}

void TestHttpPolicy::untilStopped()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.reset(); });
    ClientSetup setup(server.url());
    std::stop_source stop;
    const Pending sending(setup.client->send(ClientSetup::request("/x", 0), stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 30; }));
    QVERIFY(!sending.isDone());
    setup.random = 1; // the next wait is a long one
    QVERIFY(setup.spin([&] { return setup.clock.pending() == 1 && server.open() == 0; }));
    stop.request_stop();
    QVERIFY(setup.spin([&] { return sending.isDone(); }));
    QCOMPARE(sending.value().error().kind, Kind::cancelled);
}

void TestHttpPolicy::health()
{
    FakeWebServer server;
    int status = 200;
    server.on([&](const Peer& peer, const auto&) { peer.answer(status, "x"); });
    ClientSetup setup(server.url());
    QSignalSpy changes(setup.client.get(), &HttpClient::healthChanged);
    QVERIFY(setup.get("/x"));
    for (const int one : {503, 500, 404, 502, 429}) { // the 404 is an answer
        status = one;
        QVERIFY(setup.get("/x"));
        QVERIFY(setup.client->isHealthy());
    }
    status = 500;
    QVERIFY(setup.get("/x"));
    QVERIFY(!setup.client->isHealthy());
    QCOMPARE(changes.size(), 1);
    QVERIFY(setup.get("/x"));
    status = 200;
    QVERIFY(setup.get("/x"));
    QVERIFY(setup.client->isHealthy());
    QCOMPARE(changes, (QList<QVariantList>{{false}, {true}}));
}

void TestHttpPolicy::unauthorizedOnce()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        peer.answer(request.headers.value("authorization") == "Bearer t2" ? 200 : 401, "{}");
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    QCOMPARE(shown(setup.get("/x")), u"200"_s);
    QCOMPARE(tokens.calls, 2);
    QCOMPARE(tokens.rejectedOnes, (QByteArrayList{"", "Bearer t1"}));
    QCOMPARE(server.requests().size(), 2);
    QCOMPARE(shown(setup.get("/x")), u"200"_s);
    QCOMPARE(tokens.calls, 2);
}

void TestHttpPolicy::unauthorizedTwice()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.answer(401, "{}"); });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    const auto reply = setup.get("/x", 4);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::auth);
    QVERIFY(reply.error().message.contains(u"credentials"_s));
    QCOMPARE(server.requests().size(), 2); // not repeated
    tokens.error = u"The password is wrong."_s;
    const auto failed = setup.get("/x", 4);
    QCOMPARE(shown(failed), u"auth: The password is wrong."_s);
    // A login itself carries no token, and its 401 is its answer.
    HttpRequest login = ClientSetup::request("/login");
    login.isAuthorized = false;
    QCOMPARE(shown(setup.send(login)), u"401"_s);
    QVERIFY(!server.requests().last().headers.contains("authorization"));
}

void TestHttpPolicy::unauthorizedSubmit()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        peer.answer(request.headers.value("authorization") == "Bearer t2" ? 201 : 401, "{}");
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    HttpRequest request = ClientSetup::request("/jobs");
    request.method = "POST";
    request.body = "{\"name\":\"j\"}";
    request.contentType = "application/json";
    QCOMPARE(shown(setup.send(request)), u"201"_s);
    QCOMPARE(server.requests().last().body, request.body);
    QCOMPARE(server.requests().size(), 2);
}

void TestHttpPolicy::forbiddenIsNotRenewed()
{
    FakeWebServer server;
    server.on(
        [](const Peer& peer, const auto&) { peer.answer(403, "no right on vc1", "Content-Type: text/plain\r\n"); });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    const auto reply = setup.get("/x", 4);
    QCOMPARE(shown(reply), u"403"_s);
    QCOMPARE(errorOf(*reply).detail, u"no right on vc1"_s);
    QCOMPARE(tokens.calls, 1);
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpPolicy::statusesThatAreAnswers_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 404, 409, 410, 413, 422})
        QTest::addRow("%d", status) << status;
}

void TestHttpPolicy::statusesThatAreAnswers()
{
    QFETCH(int, status);
    FakeWebServer server;
    server.on(
        [&](const Peer& peer, const auto&) { peer.answer(status, "<html>no JSON", "Content-Type: text/html\r\n"); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 4);
    request.accept = "application/json";
    QCOMPARE(shown(setup.send(request)), QString::number(status));
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpPolicy::retryAfter_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<qint64>("delay");
    for (const int status : {408, 429, 503}) {
        QTest::addRow("%d, seconds", status) << status << QByteArray("Retry-After: 7\r\n") << qint64(7'000);
        QTest::addRow("%d, date", status)
            << status
            << QByteArray("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:57 GMT\r\n")
            << qint64(20'000);
    }
}

void TestHttpPolicy::retryAfter()
{
    QFETCH(int, status);
    QFETCH(QByteArray, header);
    QFETCH(qint64, delay);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) {
        if (server.requests().size() % 2 == 1)
            peer.answer(status, "Too many requests, please try again later.", "Connection: close\r\n" + header);
        else
            peer.answer(200, "{}");
    });
    ClientSetup setup(server.url());
    for (const char* method : {"GET", "POST"}) {
        const qsizetype before = server.requests().size();
        HttpRequest request = ClientSetup::request("/x", 2);
        request.method = method;
        const Pending sending(setup.client->send(request, setup.stop.get_token()));
        QVERIFY(setup.spin([&] {
            return server.requests().size() == before + 1 && server.open() == 0 && setup.clock.pending() == 1;
        }));
        setup.clock.advance(delay - 1);
        QTest::qWait(1);
        QCOMPARE(server.requests().size(), before + 1);
        setup.clock.advance(1);
        QVERIFY(setup.spin([&] { return sending.isDone(); }));
        QCOMPARE(shown(sending.value()), u"200"_s);
        setup.clock.advance(60'000); // the pool forgets
    }
}

void TestHttpPolicy::serverErrors()
{
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) {
        if (server.requests().size() < 3)
            peer.answer(502, "<html>Bad Gateway", "Content-Type: text/html\r\n");
        else
            peer.answer(200, "[]");
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 4);
    request.accept = "application/json";
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    QCOMPARE(server.requests().size(), 3);
    // A submit's 5xx says nothing about what became of it.
    server.on([](const Peer& peer, const auto&) { peer.answer(502, "<html>"); });
    request.method = "POST";
    QCOMPARE(shown(setup.send(request)), u"502"_s);
    QCOMPARE(server.requests().size(), 4);
}

void TestHttpPolicy::unreadableJson_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("cut, with a length that fits") << QByteArray(R"({"token":"geheim","jobs":[{"a")");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("token=geheim");
    QTest::newRow("deep") << QByteArray(200, '[') + QByteArray(200, ']');
    QTest::newRow("large and cut") << QByteArray("{\"token\":\"geheim\",\"a\":[" + QByteArray("1,").repeated(100'000));
}

void TestHttpPolicy::unreadableJson()
{
    QFETCH(QByteArray, body);
    FakeWebServer server;
    server.on([&](const Peer& peer, const auto&) { peer.answer(200, body); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x", 3);
    request.accept = "application/json";
    const auto reply = setup.send(request);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
    QCOMPARE(server.requests().size(), 3);
    QVERIFY(reply.error().detail.size() <= 512);
    QVERIFY(!reply.error().detail.contains(u"geheim"_s));
}

static QString logged;

/// A server may repeat an address in any spelling: what stands in it is in no error and no log.
void TestHttpPolicy::secretsOfARequest()
{
    FakeWebServer server;
    server.on([&](const Peer& peer, const FakeWebServer::Request& request) {
        peer.answer(200, "no route " + request.target.toPercentEncoding() + ' ' + request.target);
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x?key=geheim", 2);
    request.accept = "application/json";
    request.secrets = {"geheim"};
    logged.clear();
    QLoggingCategory::setFilterRules(u"app.*=true"_s);
    const QtMessageHandler earlier = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { logged += text + u'\n'; });
    const auto reply = setup.send(request);
    qInstallMessageHandler(earlier);
    QLoggingCategory::setFilterRules({});
    QVERIFY(!reply);
    QVERIFY2(reply.error().detail.contains(u"no route"_s), qPrintable(reply.error().detail));
    QVERIFY2(!reply.error().detail.contains(u"geheim"_s), qPrintable(reply.error().detail));
    QVERIFY(logged.contains(u"again in"_s));
    QVERIFY2(!logged.contains(u"geheim"_s), qPrintable(logged));
}

void TestHttpPolicy::redirectKeepsTheToken()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.target == "/a")
            peer.answer(302, "", "Location: /b?c=d\r\n");
        else
            peer.answer(200, "{}");
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    const auto reply = setup.get("/a");
    QCOMPARE(shown(reply), u"200"_s);
    QCOMPARE(reply->url.toString(), server.url().toString() + u"/b?c=d"_s);
    QCOMPARE(server.requests().last().headers.value("authorization"), QByteArray("Bearer t1"));
}

void TestHttpPolicy::redirectElsewhere()
{
    // Another port of the same host is another place, and so is another name of the same computer.
    FakeWebServer other;
    FakeWebServer server;
    QByteArray location;
    server.on([&](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.target == "/a")
            peer.answer(302, "", "Location: " + location + "\r\n");
        else
            peer.answer(200, "{}");
    });
    CountedTokens tokens;
    ClientSetup setup(server.url(), &tokens);
    HttpRequest request = ClientSetup::request("/a");
    request.headers = {{"X-Api-Key", "geheim"}};
    for (const auto& [there, asked] :
        {std::pair(other.url().toEncoded() + "/b", &other), {server.url(u"localhost"_s).toEncoded() + "/b", &server}}) {
        location = there;
        QCOMPARE(shown(setup.send(request)), u"200"_s);
        QCOMPARE(asked->requests().last().target, QByteArray("/b"));
        QVERIFY(!asked->requests().last().headers.contains("authorization"));
        QVERIFY(!asked->requests().last().headers.contains("x-api-key"));
    }
    // An absolute target is no way around it.
    request.target = other.url().toEncoded() + "/c";
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    QVERIFY(!other.requests().last().headers.contains("authorization"));
}

void TestHttpPolicy::redirectOfASubmit()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const FakeWebServer::Request& request) {
        if (request.target == "/jobs")
            peer.answer(301, "", "Location: /v2/jobs\r\n");
        else
            peer.answer(202, "{}");
    });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/jobs");
    request.method = "POST";
    request.body = "abc";
    const auto kept = setup.send(request);
    QCOMPARE(shown(kept), u"301"_s);
    QCOMPARE(errorOf(*kept).kind, Kind::platform);
    QCOMPARE(server.requests().size(), 1);
    request.followsRedirects = true;
    QCOMPARE(shown(setup.send(request)), u"202"_s);
    QCOMPARE(server.requests().last().method, QByteArray("POST"));
    QCOMPARE(server.requests().last().body, QByteArray("abc"));
}

void TestHttpPolicy::redirectsWithoutEnd()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.answer(302, "", "Location: /again\r\n"); });
    ClientSetup setup(server.url());
    const auto reply = setup.get("/a", 4);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::platform);
    QCOMPARE(server.requests().size(), 6);
}

void TestHttpPolicy::deadlineForConnecting()
{
    // A TLS server that says nothing: the connection is there, and never good for anything.
    FakeWebServer server;
    server.onConnection([](const Peer&) {});
    QUrl url = server.url();
    url.setScheme(u"https"_s);
    ClientSetup setup(url);
    const Pending sending(setup.client->send(ClientSetup::request("/x"), setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return server.connections() == 1; }));
    setup.clock.advance(9'999);
    QVERIFY(!sending.isDone());
    setup.clock.advance(1);
    QVERIFY(sending.isDone());
    QCOMPARE(sending.value().error().kind, Kind::timeout);
}

void TestHttpPolicy::deadlineForAll()
{
    // A byte every ten seconds is no silence, and no answer.
    FakeWebServer server;
    Peer slow;
    server.on([&](const Peer& peer, const auto&) { slow = peer; });
    ClientSetup setup(server.url());
    const Pending sending(setup.client->send(ClientSetup::request("/x"), setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 1; }));
    for (const char c : QByteArray("HT")) {
        slow.send(QByteArray(1, c));
        QTest::qWait(20);
        setup.clock.advance(10'000);
        QVERIFY(!sending.isDone());
    }
    setup.clock.advance(9'999);
    QVERIFY(!sending.isDone());
    setup.clock.advance(1);
    QVERIFY(sending.isDone());
    QCOMPARE(sending.value().error().kind, Kind::timeout);
    QVERIFY(setup.spin([&] { return server.open() == 0; }));
}

void TestHttpPolicy::deadlineForSilence()
{
    FakeWebServer server;
    server.on([](const Peer& peer, const auto&) { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"); });
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/x");
    request.timeoutMs = 0;
    request.silenceMs = 5'000;
    const Pending sending(setup.client->send(request, setup.stop.get_token()));
    QVERIFY(setup.spin([&] { return server.requests().size() == 1; }));
    QTest::qWait(20);
    setup.clock.advance(5'000);
    QVERIFY(sending.isDone());
    QCOMPARE(sending.value().error().kind, Kind::timeout);
    QVERIFY(sending.value().error().message.contains(u"nothing for 5 seconds"_s));
}

void TestHttpPolicy::uploadsHaveNoDeadline()
{
    FakeWebServer server;
    ClientSetup setup(server.url());
    HttpRequest request = ClientSetup::request("/blob");
    request.method = "PUT";
    request.body = QByteArray(8 * 1024 * 1024, 'x');
    request.timeoutMs = 0;
    QCOMPARE(shown(setup.send(request)), u"200"_s);
    QCOMPARE(server.requests().last().body.size(), request.body.size());
}

QTEST_GUILESS_MAIN(TestHttpPolicy)
#include "tst_http_policy.moc"
