// SPDX-License-Identifier: GPL-3.0-or-later
// Requests with the credentials of a context, to a server that wants them.
#include "kube_fixtures.h"
#include "kube_setup.h"

#include "services/platforms/kubernetes/object_watch.h"

#include "fake_api_server.h"
#include "tests/fakes/web/test_certificates.h"

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using fakes::FakeApiServer;
using fakes::FakeWebServer;

class TestKubeClient : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void headers();
    void rotatedToken();
    void staticTokenRefused();
    void errorsNameTheContext();
    void ofAKubeconfig();
    void pluginToken();
    void pluginCertificate();
    void watchOverANewCertificate();
    void pluginFails();
    void closedWhileThePluginRuns();
    void noSecretInErrors();

private:
    [[nodiscard]] PluginLogin plugin(const QByteArray& script) const
    {
        QFile file(m_folder.filePath(u"plugin"_s));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write");
        file.write("#!/bin/sh\ncd '" + m_folder.path().toUtf8() + "'\necho x >> runs\n" + script);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        PluginLogin login;
        login.plugin.command = file.fileName();
        login.plugin.apiVersion = u"client.authentication.k8s.io/v1"_s;
        QFile::remove(m_folder.filePath(u"runs"_s));
        return login;
    }
    void write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    void answer(const Json& status) const
    {
        write(u"answer"_s,
            dumpJson(Json{
                {"kind", "ExecCredential"}, {"apiVersion", "client.authentication.k8s.io/v1"}, {"status", status}}));
    }
    [[nodiscard]] int runs() const { return int(QFileInfo(m_folder.filePath(u"runs"_s)).size() / 2); }

    QTemporaryDir m_folder;
    TestCertificates m_certificates;
};

void TestKubeClient::initTestCase()
{
    if (!m_certificates.make())
        QSKIP("there is no openssl here");
}

void TestKubeClient::headers()
{
    FakeWebServer server;
    KubeSetup setup(server.url(), StaticToken{"abc"});
    setup.access.impersonation = {{"Impersonate-User", "eve"}, {"Impersonate-Group", "g"}};
    setup.open();
    QCOMPARE(shown(setup.get()), u"200"_s);
    const auto got = server.requests().first();
    QCOMPARE(got.headers.value("authorization"), "Bearer abc"_ba);
    QCOMPARE(got.headers.value("impersonate-user") + got.headers.value("impersonate-group"), "eveg"_ba);
    const auto stream = setup.wait(setup.client->stream(ClientSetup::request("/x"), {}));
    QVERIFY(stream);
    QCOMPARE(server.requests().last().headers.value("impersonate-user"), "eve"_ba);
}

void TestKubeClient::rotatedToken()
{
    // Fifty requests are under way when the token of the file is replaced.
    FakeWebServer server;
    QByteArray good = "Bearer one";
    QList<FakeWebServer::Peer> held;
    server.on([&](const FakeWebServer::Peer& peer, const FakeWebServer::Request& request) {
        if (request.headers.value("authorization") == good) {
            peer.answer(200, "{}");
            return;
        }
        held += peer;
        if (held.size() == 50)
            for (const auto& one : std::exchange(held, {}))
                one.answer(401, FakeApiServer::statusBody(401, "Unauthorized", "Unauthorized"));
    });
    write(u"token"_s, "one");
    KubeSetup setup(server.url(), TokenFile{m_folder.filePath(u"token"_s), {}});
    setup.access.http.maxParallel = 50;
    setup.open();
    QCOMPARE(shown(setup.get()), u"200"_s);
    write(u"token"_s, "two\n");
    good = "Bearer two";
    std::vector<Pending<Result<transport::HttpReply>>> sent;
    for (int i = 0; i < 50; ++i)
        sent.emplace_back(setup.client->send(ClientSetup::request("/x"), {}));
    QVERIFY(setup.spin(
        [&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QCOMPARE(shown(one.value()), u"200"_s);
    QCOMPARE(server.requests().size(), 1 + 50 + 50);
}

void TestKubeClient::staticTokenRefused()
{
    FakeApiServer server;
    server.wantAuthorization("Bearer other");
    KubeSetup setup(server.url(), StaticToken{"hunter2hunter2"});
    setup.open();
    QCOMPARE(shown(setup.get()),
        u"auth: The context \"lab\" of /k/config: The cluster does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_s);
    QCOMPARE(server.web().requests().size(), 1);
}

void TestKubeClient::errorsNameTheContext()
{
    KubeSetup setup(QUrl(u"https://127.0.0.1:1"_s));
    setup.open();
    const QString sentence = shown(setup.get());
    QVERIFY2(sentence.startsWith(u"network: The context \"lab\" of /k/config: "_s), qPrintable(sentence));
    KubeAccess odd = setup.access;
    odd.http.tls.authorities = "no PEM";
    const auto made = KubeClient::make(odd, {setup.environment(), &setup.commands});
    QVERIFY(!made);
    QVERIFY(made.error().message.startsWith(u"The context \"lab\" of /k/config: The certificate of the authority"_s));
}

void TestKubeClient::ofAKubeconfig()
{
    // A server that asks for a certificate, behind a path, under another name than its address.
    FakeApiServer server(m_certificates.server(true));
    server.wantAuthorization("Bearer abc");
    const QByteArray text =
        kubeconfigText("server: '" + server.url().toString().toUtf8() + "/k8s/', certificate-authority: "
                + m_certificates.path(u"ca.pem"_s).toUtf8() + ", tls-server-name: localhost",
            "tokenFile: token, client-certificate: " + m_certificates.path(u"client.pem"_s).toUtf8()
                + ", client-key: " + m_certificates.path(u"client.key"_s).toUtf8());
    write(u"config"_s, text);
    write(u"token"_s, "abc\n");
    const auto config = loadKubeconfig(m_folder.filePath(u"config"_s), systemSurroundings(), readKubeFile);
    QVERIFY2(config, config ? "" : qPrintable(config.error().message));
    const auto access = accessOf(*config, {}, systemSurroundings(), readKubeFile);
    QVERIFY2(access, qPrintable(shownAccess(access)));
    KubeSetup setup(QUrl{});
    setup.access = *access;
    setup.open();
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(server.web().requests().first().target, "/k8s/api/v1/pods"_ba);
}

void TestKubeClient::pluginToken()
{
    FakeApiServer server;
    server.wantAuthorization("Bearer t1");
    answer({{"token", "t1"}});
    KubeSetup setup(server.url(), plugin("cat answer\n"));
    setup.open();
    std::vector<Pending<Result<transport::HttpReply>>> sent;
    for (int i = 0; i < 20; ++i)
        sent.emplace_back(setup.client->send(ClientSetup::request("/x"), {}));
    QVERIFY(setup.spin(
        [&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QCOMPARE(shown(one.value()), u"200"_s);
    QCOMPARE(runs(), 1);
    server.wantAuthorization("Bearer t2");
    answer({{"token", "t2"}});
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(runs(), 2);
}

void TestKubeClient::pluginCertificate()
{
    FakeApiServer server(m_certificates.server(true));
    KubeSetup setup(server.url(), plugin("cat answer\n"));
    setup.access.http.tls.authorities = m_certificates.file(u"ca.pem"_s);
    const auto give = [&](const QString& name, qint64 inMs) {
        answer({{"clientCertificateData", QString::fromLatin1(m_certificates.file(name + u".pem"_s)).toStdString()},
            {"clientKeyData", QString::fromLatin1(m_certificates.file(name + u".key"_s)).toStdString()},
            {"expirationTimestamp",
                QDateTime::fromMSecsSinceEpoch(setup.clock.nowMs() + inMs, Qt::UTC)
                    .toString(Qt::ISODate)
                    .toStdString()}});
    };
    give(u"client"_s, 60'000);
    setup.open();
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(runs(), 1);
    QCOMPARE(server.web().connections(), 1);
    QVERIFY(!server.web().requests().first().headers.contains("authorization"));
    // A new one: no connection shows the old one any more, also not that of a watch.
    transport::HttpRequest request = ClientSetup::request("/x?watch=1");
    auto watch = setup.wait(setup.client->stream(request, {}));
    QVERIFY(watch);
    give(u"server"_s, 3'600'000);
    setup.clock.advance(50'001);
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(runs(), 2);
    QCOMPARE(setup.wait((*watch)->read()).error().kind, Kind::cancelled);
    watch->reset();
    QVERIFY(setup.spin([&] { return server.watches() == 0; }));
    // One that the server refuses is asked for again, once.
    server.fault("list", 401, FakeApiServer::statusBody(401, "Unauthorized", "Unauthorized"));
    give(u"client"_s, 3'600'000);
    QCOMPARE(shown(setup.get()), u"200"_s);
    QCOMPARE(runs(), 3);
    server.refuse("list", 401, FakeApiServer::statusBody(401, "Unauthorized", "Unauthorized"));
    QCOMPARE(shown(setup.get()), u"401"_s);
    QCOMPARE(runs(), 4);
}

void TestKubeClient::watchOverANewCertificate()
{
    FakeApiServer server(m_certificates.server(true));
    server.put(u"a"_s);
    KubeSetup setup(server.url(), plugin("cat answer\n"));
    setup.access.http.tls.authorities = m_certificates.file(u"ca.pem"_s);
    const auto give = [&](const QString& name) {
        answer({{"clientCertificateData", QString::fromLatin1(m_certificates.file(name + u".pem"_s)).toStdString()},
            {"clientKeyData", QString::fromLatin1(m_certificates.file(name + u".key"_s)).toStdString()},
            {"expirationTimestamp",
                QDateTime::fromMSecsSinceEpoch(setup.clock.nowMs() + 60'000, Qt::UTC)
                    .toString(Qt::ISODate)
                    .toStdString()}});
    };
    give(u"client"_s);
    setup.open();
    ObjectWatch watch(
        setup.client.get(), setup.environment(), {podsResource(), u"ml"_s, {}, {}}, [](const Json&) { return Json(); });
    QStringList losses;
    connect(&watch, &ObjectWatch::lost, &watch,
        [&](const Error& error) { losses += kindName(error.kind) + u": "_s + error.message; });
    watch.start();
    QVERIFY(setup.spin([&] { return server.watches() == 1 && watch.state() == ObjectWatch::State::current; }));
    server.put(u"early"_s); // so that it is open for the client, too, before time passes
    QVERIFY(setup.spin([&] { return watch.objects().size() == 2; }));
    setup.clock.advance(55'000);
    give(u"server"_s);
    QCOMPARE(shown(setup.get()), u"200"_s);
    QVERIFY(setup.spin([&] { return server.requests("watch").size() == 2 && server.watches() == 1; }));
    server.put(u"b"_s);
    QVERIFY(setup.spin([&] { return watch.objects().size() == 3; }));
    QCOMPARE(losses.join(u"; "_s), QString());
    // The client's end is the watch's, too.
    const auto close = [&]() -> core::Task<bool> {
        auto closing = setup.client->close();
        co_await closing;
        auto ending = watch.close();
        co_await ending;
        co_return true;
    };
    setup.wait(close());
    QCOMPARE(watch.state(), ObjectWatch::State::stopped);
}

void TestKubeClient::pluginFails()
{
    FakeApiServer server;
    KubeSetup setup(server.url(), plugin("echo 'Please log in' >&2\nexit 1\n"));
    setup.open();
    const QString sentence = shown(setup.get());
    QVERIFY2(sentence.startsWith(u"auth: The context \"lab\" of /k/config: The program "_s)
            && sentence.endsWith(u"failed (exit code 1): Please log in"_s),
        qPrintable(sentence));
    QCOMPARE(server.web().requests().size(), 0);
}

void TestKubeClient::closedWhileThePluginRuns()
{
    FakeApiServer server;
    KubeSetup setup(server.url(), plugin("sleep 1000\n"));
    setup.open();
    const Pending sending(setup.client->send(ClientSetup::request("/x"), {}));
    std::stop_source stop;
    const Pending stopped(setup.client->send(ClientSetup::request("/x"), stop.get_token()));
    QVERIFY(setup.spin([&] { return runs() == 1; }));
    stop.request_stop();
    QVERIFY(stopped.isDone());
    QVERIFY(!sending.isDone());
    const auto close = [&]() -> core::Task<bool> {
        auto closing = setup.client->close();
        co_await closing;
        co_return true;
    };
    setup.wait(close());
    QVERIFY(setup.spin([&] { return sending.isDone(); }));
    QCOMPARE(sending.value().error().kind, Kind::cancelled);
    QVERIFY(setup.wait(close())); // again
}

void TestKubeClient::noSecretInErrors()
{
    // A server that says everything again, whatever the credentials are.
    FakeWebServer server;
    server.on([](const FakeWebServer::Peer& peer, const FakeWebServer::Request& request) {
        peer.answer(200, "<p>" + request.headers.value("authorization") + "</p>");
    });
    for (const KubeCredentials& credentials :
        {KubeCredentials(StaticToken{"hunter2hunter2"}), KubeCredentials(BasicLogin{"ada", "hunter2hunter2"}),
            KubeCredentials(OidcLogin{.tokens = {"hunter2hunter2", {}}})}) {
        KubeSetup setup(server.url(), credentials);
        setup.open();
        transport::HttpRequest request = ClientSetup::request("/x");
        request.accept = "application/json";
        const auto reply = setup.wait(setup.client->send(request, {}));
        QVERIFY(!reply);
        const QString all = reply.error().message + reply.error().detail;
        QVERIFY2(!all.contains(u"hunter2"_s)
                && !all.contains(QString::fromLatin1(QByteArray("ada:hunter2hunter2").toBase64())),
            qPrintable(all));
    }
}

QTEST_GUILESS_MAIN(TestKubeClient)
#include "tst_kube_client.moc"
