// SPDX-License-Identifier: GPL-3.0-or-later
// The server over loopback with raw sockets: what it answers, whom, and how it begins and ends.
#include "raw_client.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestApiServer : public QObject
{
    Q_OBJECT
private slots:
    void answers();
    void saysProblems_data();
    void saysProblems();
    void token();
    void hostAndOrigin();
    void head();
    void keepAliveAndPipelining();
    void closesWhenAsked();
    void chunkedBody();
    void continue100();
    void engineErrors();
    void records();
    void prometheus();
    void startRefuses();
    void takenPort();
    void tls();
    void notReadyYet();
    void stopsWithWorkUnderWay();
};

void TestApiServer::answers()
{
    ServerFixture server;
    RawResponse response = server.exchange("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QCOMPARE(response.status, 200);
    QCOMPARE(response.json()["status"].get<QString>(), u"ok"_s);
    response = server.get("/api/v1/version");
    QCOMPARE(response.json()["name"].get<QString>(), u"trialdeck"_s);
    QCOMPARE(response.headers["content-type"], QByteArray("application/json"));
    QVERIFY(response.headers["date"].endsWith(" GMT"));
    response = server.get("/api/v1/openapi.yaml");
    QVERIFY(response.body.contains("openapi: 3.1.0"));

    response =
        server.post("/api/v1/experiments/e00000000000001/trials", R"({"clientId":"abc","parameters":{"lr": 1e-4}})");
    QCOMPARE(response.status, 201);
    const QString id = response.json()["trials"][0]["id"].get<QString>();
    QVERIFY(response.json()["revision"].get<int>() > 1);
    QVERIFY(response.headers["x-revision"].toInt() > 1);
    // The mirror has it already.
    response = server.get("/api/v1/trials/" + id.toUtf8());
    QCOMPARE(response.status, 200);
    QVERIFY(response.body.contains("\"lr\": 1e-4"));
    QCOMPARE(server.get("/api/v1/trials/abc").json()["id"].get<QString>(), id);
}

void TestApiServer::saysProblems_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& text, int status, const QString& says) {
        QTest::newRow(name) << text << status << says;
    };
    const QByteArray trials = "/api/v1/experiments/e00000000000001/trials";
    row("malformed JSON", request("POST", trials, "{\"a\":"), 400, u"line 1, column 6"_s);
    row("unknown field", request("POST", trials, "{\"nonsense\":1}"), 400, u"nonsense"_s);
    row("wrong type", request("POST", trials, "{\"hold\":\"yes\"}"), 400, u"hold must be true or false"_s);
    row("no such thing", request("GET", "/api/v1/nothing"), 404, u"openapi.yaml"_s);
    row("root", request("GET", "/"), 404, u"openapi.yaml"_s);
    row("no such trial", request("GET", "/api/v1/trials/nope"), 404, u"nope"_s);
    row("wrong method", request("DELETE", "/api/v1/trials"), 405, u"DELETE"_s);
    row("unknown method", request("BREW", "/api/v1/trials"), 405, u"BREW"_s);
    row("limit", request("GET", "/api/v1/trials?limit=10001"), 400, u"from 1 to 10000"_s);
    row("garbage", "hello\r\n\r\n", 400, u"HTTP"_s);
    row("binary", QByteArray("\x16\x03\x01\x02\x00\x01\xfc\r\n\r\n", 11), 400, u"HTTP"_s);
    row("version", "GET / HTTP/3.7\r\n\r\n", 400, u"HTTP"_s);
    row("two hosts", request("GET", "/api/v1/trials", {}, "Host: localhost\r\n"), 400, u"Host"_s);
    row("no host", "GET /api/v1/trials HTTP/1.1\r\n\r\n", 400, u"Host"_s);
    row("negative length", request("GET", "/api/v1/trials", {}, "Content-Length: -5\r\n"), 400, u"HTTP"_s);
    row("two lengths", request("POST", trials, "{}", "Content-Length: 3\r\n"), 400, u"HTTP"_s);
    row("length and chunks", request("POST", trials, "{}", "Transfer-Encoding: chunked\r\n"), 400, u"HTTP"_s);
    row("encoding", request("POST", trials, {}, "Transfer-Encoding: gzip\r\n"), 400, u"chunked"_s);
    row("two encodings", request("POST", trials, {}, "Transfer-Encoding: gzip, chunked\r\n"), 400, u"chunked"_s);
    row("bad chunk", request("POST", trials, {}, "Transfer-Encoding: chunked\r\n") + "zz\r\n", 400, u"malformed"_s);
    row("bad escape", request("GET", "/api/v1/trials/%zz"), 400, u"malformed"_s);
    row("traversal", request("GET", "/api/v1/trials/t00000000000001/files/../../x"), 400, u"malformed"_s);
    row("absolute form", request("GET", "http://localhost/api/v1/trials"), 400, u"malformed"_s);
    row("empty key", request("POST", trials, "{}", "Idempotency-Key: \r\n"), 400, u"Idempotency-Key"_s);
    row("events without a way", request("GET", "/api/v1/events"), 426, u"WebSocket"_s);
    row("no upload folder", request("PUT", "/api/v1/code/" + QByteArray(64, 'a'), "x"), 503, u"uploads"_s);
}

void TestApiServer::saysProblems()
{
    QFETCH(QByteArray, text);
    QFETCH(int, status);
    QFETCH(QString, says);
    ServerFixture server;
    const RawResponse response = server.exchange(text);
    QCOMPARE(response.status, status);
    QCOMPARE(response.headers["content-type"], QByteArray("application/problem+json"));
    const Json json = response.json();
    QCOMPARE(json["status"].get<int>(), status);
    QVERIFY2(json["detail"].get<QString>().contains(says), response.body.constData());
    for (const char* member : {"type", "title", "kind"})
        QVERIFY(json[member].is_string());
    if (status == 405)
        QCOMPARE(response.headers["allow"], QByteArray("GET, HEAD, PATCH"));
    // It lives on.
    QCOMPARE(server.get("/api/v1/version").status, 200);
}

void TestApiServer::token()
{
    ServerFixture server;
    const auto status = [&](const QByteArray& header, const QByteArray& target = "/api/v1/version") {
        return server.exchange("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").status;
    };
    QCOMPARE(status({}), 401);
    QCOMPARE(status("Authorization: Bearer wrong\r\n"), 401);
    QCOMPARE(status("Authorization: Bearer secret-token2\r\n"), 401);
    QCOMPARE(status("Authorization: Basic secret-token\r\n"), 401);
    QCOMPARE(status("Authorization: Bearer secret-token\r\nAuthorization: Bearer secret-token\r\n"), 401);
    QCOMPARE(status({}, "/api/v1/version?token=secret-token"), 401);
    QCOMPARE(status({}, "/metrics"), 401);
    QCOMPARE(status({}, "/api/v1/nothing"), 401); // does not reveal which addresses exist
    QCOMPARE(status({}, "/api/v1/health"), 200);
    QCOMPARE(status("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                    "dGhlIHNhbXBsZSBub25jZQ==\r\n",
                 "/api/v1/events"),
        401);
    QCOMPARE(status("Authorization: bearer secret-token\r\n"), 200);
    const RawResponse refused = server.exchange("GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QVERIFY(refused.headers["www-authenticate"].startsWith("Bearer"));
    QVERIFY(!refused.body.contains("secret"));
}

void TestApiServer::hostAndOrigin()
{
    http::ApiConfig config;
    config.hostNames = {u"lab.example"_s};
    ServerFixture server(config);
    const auto status = [&](const QByteArray& host, const QByteArray& origin = {}) {
        return server
            .exchange("GET /api/v1/version HTTP/1.1\r\nAuthorization: Bearer secret-token\r\nHost: " + host + "\r\n"
                + (origin.isEmpty() ? QByteArray() : "Origin: " + origin + "\r\n") + "\r\n")
            .status;
    };
    QCOMPARE(status("localhost:1234"), 200);
    QCOMPARE(status("lab.example"), 200);
    QCOMPARE(status("evil.example"), 403);
    QCOMPARE(status("10.0.0.1"), 403);
    QCOMPARE(status("localhost", "http://localhost"), 200);
    QCOMPARE(status("localhost", "http://evil.example"), 403);
    QCOMPARE(status("localhost", "null"), 403);
    // Also without a token: health reveals nothing to a page.
    QCOMPARE(server.exchange("GET /api/v1/health HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
}

void TestApiServer::head()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send(request("HEAD", "/api/v1/trials") + request("GET", "/api/v1/version"));
    const RawResponse first = client.response(true);
    QCOMPARE(first.status, 200);
    QVERIFY(first.headers["content-length"].toInt() > 100);
    // Nothing of a body stands between the two answers.
    QCOMPARE(client.response().json()["name"].get<QString>(), u"trialdeck"_s);
}

void TestApiServer::keepAliveAndPipelining()
{
    ServerFixture server;
    RawClient client(server.port());
    QByteArray text;
    for (int i = 0; i < 100; ++i)
        text += i % 2 ? request("GET", "/api/v1/trials?limit=1")
                      : request("POST", "/api/v1/experiments/e00000000000001/trials", "{}");
    QVERIFY(client.send(text));
    for (int i = 0; i < 100; ++i)
        QCOMPARE(client.response().status, i % 2 ? 200 : 201);
    // A byte at a time.
    for (const char c : request("GET", "/api/v1/version"))
        client.send(QByteArray(1, c));
    QCOMPARE(client.response().status, 200);
}

void TestApiServer::closesWhenAsked()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/version", {}, "Connection: close\r\n"));
    const RawResponse response = client.response();
    QCOMPARE(response.status, 200);
    QCOMPARE(response.headers["connection"], QByteArray("close"));
    QVERIFY(client.closesWithin(2000));
    RawClient old(server.port());
    old.send("GET /api/v1/health HTTP/1.0\r\nHost: localhost\r\n\r\n");
    QCOMPARE(old.response().status, 200);
    QVERIFY(old.closesWithin(2000));
}

void TestApiServer::chunkedBody()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send(request("POST", "/api/v1/experiments/e00000000000001/trials", {}, "Transfer-Encoding: chunked\r\n"));
    for (const QByteArray& piece : {QByteArray("{\"para"), QByteArray("meters\":{"), QByteArray("\"a\":1}}")})
        client.send(QByteArray::number(piece.size(), 16) + "\r\n" + piece + "\r\n");
    client.send("0\r\n\r\n");
    QCOMPARE(client.response().status, 201);
    client.send(request("GET", "/api/v1/version"));
    QCOMPARE(client.response().status, 200);
}

void TestApiServer::continue100()
{
    ServerFixture server;
    RawClient client(server.port());
    const QByteArray body = "{\"clientId\":\"c\"}";
    QByteArray text = request("POST", "/api/v1/experiments/e00000000000001/trials", body, "Expect: 100-continue\r\n");
    client.send(text.chopped(body.size()));
    QCOMPARE(client.head().status, 100);
    client.send(body);
    QCOMPARE(client.response().status, 201);
}

void TestApiServer::engineErrors()
{
    ServerFixture server;
    const QList<std::pair<Kind, int>> wanted = {{Kind::invalid, 422}, {Kind::auth, 403}, {Kind::not_found, 404},
        {Kind::conflict, 409}, {Kind::resource, 503}, {Kind::timeout, 504}, {Kind::network, 502}, {Kind::platform, 502},
        {Kind::cancelled, 503}, {Kind::internal, 500}};
    for (const auto& [kind, status] : wanted) {
        server.engine.setHandler([kind = kind](const api::Command&, const auto& done) {
            done(fail(kind, u"It did not work: %1."_s.arg(kindName(kind)), u"raw detail"_s));
            return true;
        });
        const RawResponse response = server.post("/api/v1/experiments/e00000000000001/trials", "{}");
        QCOMPARE(response.status, status);
        QCOMPARE(response.json()["kind"].get<QString>(), kindName(kind));
        QVERIFY(!response.body.contains("raw detail"));
        QCOMPARE(response.headers.contains("retry-after"), status == 503);
    }
}

void TestApiServer::records()
{
    ServerFixture server;
    RawResponse response = server.get("/api/v1/platforms/local");
    QCOMPARE(response.headers["etag"], QByteArray("\"1\""));
    QCOMPARE(
        server.exchange(request("PUT", "/api/v1/platforms/local", R"({"kind":"local"})", "If-Match: \"7\"\r\n")).status,
        412);
    response = server.exchange(
        request("PUT", "/api/v1/platforms/local", R"({"kind":"local","settings":{}})", "If-Match: \"1\"\r\n"));
    QCOMPARE(response.status, 200);
    QCOMPARE(response.json()["version"].get<int>(), 2);
    QCOMPARE(server.exchange(request("PUT", "/api/v1/platforms/lab", R"({"kind":"remote"})")).status, 201);
    response = server.get("/api/v1/platforms");
    QCOMPARE(response.json()["platforms"].size(), size_t(2));
    const QByteArray tag = response.headers["etag"];
    QVERIFY(tag.startsWith("\"epoch1."));
    response = server.exchange(request("GET", "/api/v1/platforms", {}, "If-None-Match: " + tag + "\r\n"));
    QCOMPARE(response.status, 304);
    QVERIFY(response.body.isEmpty());
    // Actions on one trial answer with the trial as it is then.
    response = server.post("/api/v1/trials/t00000000000001/cancel", R"({"isEarlyStopped":true})");
    QCOMPARE(response.json()["status"].get<QString>(), u"EARLY_STOPPED"_s);
    response = server.post("/api/v1/trials/cancel", R"({"ids":["t00000000000001"]})");
    QCOMPARE(response.json()["count"].get<int>(), 1);
    QVERIFY(response.json()["revision"].is_number());
    response = server.post("/api/v1/platforms/local/check", {});
    QCOMPARE(response.status, 202);
    QCOMPARE(server.post("/api/v1/platforms/local/check", R"({"testTrial":false})").status, 202);
    QCOMPARE(server.post("/api/v1/platforms/local/check", R"({"testTrial":"no"})").status, 400);
    const QByteArray id = response.json()["requestId"].get<QString>().toUtf8();
    QCOMPARE(server.get("/api/v1/requests/" + id).json()["state"].get<QString>(), u"running"_s);
    QCOMPARE(server.exchange(request("DELETE", "/api/v1/platforms/lab")).status, 200);
    QCOMPARE(server.get("/api/v1/platforms/lab").status, 404);
    QCOMPARE(server.exchange(request("HEAD", "/api/v1/code/" + QByteArray(64, 'a')), true).status, 200);
    server.engine.setHandler([](const api::Command&, const auto& done) {
        done(fail(Kind::not_found, u"no"_s));
        return true;
    });
    QCOMPARE(server.exchange(request("HEAD", "/api/v1/code/" + QByteArray(64, 'a')), true).status, 404);
}

void TestApiServer::prometheus()
{
    ServerFixture server;
    (void)server.get("/api/v1/trials");
    const RawResponse response = server.get("/metrics");
    QCOMPARE(response.headers["content-type"], QByteArray("text/plain; version=0.0.4; charset=utf-8"));
    for (const char* line : {"trialdeck_trials{status=\"WAITING\"} 1\n", "trialdeck_trials{status=\"RUNNING\"} 0\n",
             "trialdeck_gpus{state=\"trial\"} 1\n", "trialdeck_queue_length 1\n",
             "trialdeck_event_lag_seconds_count 0\n",
             "trialdeck_http_request_seconds_count{method=\"GET\",route=\"/api/v1/trials\"} 1\n",
             "trialdeck_http_request_seconds_bucket{method=\"GET\",route=\"/api/v1/trials\",le=\"+Inf\"} 1\n"})
        QVERIFY2(response.body.contains(line), line);
    // Every line is a comment or `name{labels} number`.
    static const QRegularExpression shape(u"^(#.*|[a-z_]+(\\{[^{}]*\\})? [0-9.e+-]+)$"_s);
    for (const QByteArray& line : response.body.trimmed().split('\n'))
        QVERIFY2(shape.match(QString::fromUtf8(line)).hasMatch() || line.contains("{id}"), line.constData());
}

void TestApiServer::startRefuses()
{
    fakes::FakeEnginePort engine;
    const auto refused = [&](const http::ApiConfig& config) {
        http::ApiServer server(config, engine);
        const auto url = server.start();
        return url ? Error{} : url.error();
    };
    http::ApiConfig config;
    QCOMPARE(refused(config).kind, Kind::invalid); // no token
    config.token = "x";
    config.address = u"0.0.0.0"_s;
    const Error open = refused(config);
    QCOMPARE(open.kind, Kind::invalid);
    QVERIFY2(
        open.message.contains(u"--insecure"_s) && open.message.contains(u"--tls-cert"_s), qPrintable(open.message));
    config.address = u"nonsense"_s;
    QVERIFY(refused(config).message.contains(u"nonsense"_s));
    config.address = u"192.0.2.1"_s;
    config.insecure = true;
    QCOMPARE(refused(config).kind, Kind::resource); // not an address of ours
    config.address = u"127.0.0.1"_s;
    config.tlsCert = u"/nowhere"_s;
    QCOMPARE(refused(config).kind, Kind::invalid);
    config.tlsKey = u"/nowhere"_s;
    QCOMPARE(refused(config).kind, Kind::resource);
    QCOMPARE(engine.listeners(), 0);

    // Beyond loopback, when that is wanted.
    config = {};
    config.token = testToken;
    config.address = u"0.0.0.0"_s;
    config.insecure = true;
    http::ApiServer server(config, engine);
    const auto url = server.start();
    QVERIFY(url);
    QVERIFY(!url->host().isEmpty() && url->host() != u"0.0.0.0"_s);
    RawClient client(url->port());
    client.send("GET /api/v1/health HTTP/1.1\r\nHost: 10.1.2.3\r\n\r\n");
    QCOMPARE(client.response().status, 200);
}

void TestApiServer::takenPort()
{
    ServerFixture first;
    http::ApiConfig config;
    config.token = "x";
    config.port = quint16(first.port());
    http::ApiServer second(config, first.engine);
    const auto refused = second.start();
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::conflict);
    QVERIFY(refused.error().message.contains(QString::number(first.port())));
    config.fallBackToFreePort = true;
    http::ApiServer third(config, first.engine);
    const auto url = third.start();
    QVERIFY(url);
    QVERIFY(url->port() != first.port());
}

void TestApiServer::tls()
{
    QTemporaryDir folder;
    const QString key = folder.filePath(u"key.pem"_s);
    const QString cert = folder.filePath(u"cert.pem"_s);
    QProcess openssl;
    openssl.start(u"openssl"_s,
        {u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s, u"-nodes"_s,
            u"-keyout"_s, key, u"-out"_s, cert, u"-days"_s, u"2"_s, u"-subj"_s, u"/CN=localhost"_s});
    if (!openssl.waitForFinished() || openssl.exitCode() != 0)
        QSKIP("the program openssl is not here to make a certificate");
    http::ApiConfig config;
    config.token = testToken;
    config.tlsCert = cert;
    config.tlsKey = key;
    config.limits.headerMs = 1000;
    fakes::FakeEnginePort engine;
    http::ApiServer server(config, engine);
    const auto url = server.start();
    QVERIFY2(url, url ? "" : qPrintable(url.error().message));
    QCOMPARE(url->scheme(), u"https"_s);
    engine.settle();
    QProcess client;
    client.start(u"openssl"_s,
        {u"s_client"_s, u"-quiet"_s, u"-connect"_s, u"127.0.0.1:%1"_s.arg(url->port()), u"-CAfile"_s, cert,
            u"-verify_return_error"_s});
    QVERIFY(client.waitForStarted());
    client.write(request("GET", "/api/v1/version", {}, "Connection: close\r\n"));
    QVERIFY(client.waitForFinished(10'000));
    const QByteArray answer = client.readAllStandardOutput();
    QVERIFY2(answer.startsWith("HTTP/1.1 200 OK") && answer.contains("trialdeck"),
        (answer + client.readAllStandardError()).constData());
    // One that does not speak TLS, and one that sends nothing, are closed.
    RawClient plain(url->port());
    plain.send(request("GET", "/api/v1/version"));
    QVERIFY(plain.closesWithin(4000));
    RawClient silent(url->port());
    QVERIFY(silent.closesWithin(4000));
}

void TestApiServer::notReadyYet()
{
    // An engine that has not sent its state yet.
    class Silent : public api::EnginePort
    {
    public:
        void execute(api::Command, std::function<void(Result<api::Reply>)>) override { }
        int listen(std::function<void(api::ChangePtr)> changed) override
        {
            tell = std::move(changed);
            return 1;
        }
        void stopListening(int) override { }
        std::function<void(api::ChangePtr)> tell;
    } engine;
    http::ApiConfig config;
    config.token = testToken;
    config.limits.readyMs = 300;
    http::ApiServer server(config, engine);
    const int port = server.start()->port();
    RawClient client(port);
    client.send(request("GET", "/api/v1/trials"));
    const RawResponse response = client.response();
    QCOMPARE(response.status, 503);
    QCOMPARE(response.headers["retry-after"], QByteArray("1"));
    client.close();
    client.open(port);
    client.send("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QCOMPARE(client.response().json()["status"].get<QString>(), u"starting"_s);
    // One that came a little too early is answered when the state is there, its body with it.
    RawClient early(port);
    early.send(request("POST", "/api/v1/trials/cancel", "{}"));
    client.send("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QCOMPARE(client.response().status, 200);
    api::Change state;
    state.full = true;
    engine.tell(std::make_shared<const api::Change>(state));
    QCOMPARE(early.response().status, 400); // ids or filter
}

void TestApiServer::stopsWithWorkUnderWay()
{
    ServerFixture server;
    std::vector<fakes::FakeEnginePort::Done> held;
    server.engine.setHandler([&](const api::Command&, const auto& done) {
        held.push_back(done);
        return true;
    });
    std::vector<RawClient> clients;
    for (int i = 0; i < 20; ++i) {
        clients.emplace_back(server.port());
        clients.back().send(i % 2 ? request("GET", "/api/v1/trials/t00000000000001/logs")
                                  : request("GET", "/api/v1/events", {}, "Accept: application/x-ndjson\r\n"));
    }
    QTRY_COMPARE(server.engine.commands().size(), 10);
    server.stop();
    for (RawClient& client : clients)
        QVERIFY(client.closesWithin(2000));
    server.engine.publish(api::Change{.trials = {fakes::shared(fakes::sampleTrial(5))}});
    server.engine.settle();
    for (const auto& done : held)
        done(api::Reply{});
    QCOMPARE(server.engine.listeners(), 0);
}

QTEST_GUILESS_MAIN(TestApiServer)
#include "tst_api_server.moc"
