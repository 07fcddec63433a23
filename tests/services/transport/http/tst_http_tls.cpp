// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a client trusts with TLS, and what it shows of itself.
#include "client_setup.h"

#include "tests/fakes/web/test_certificates.h"

#include <QProcess>

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeWebServer;
using Peer = FakeWebServer::Peer;

class TestHttpTls : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void trust_data();
    void trust();
    void clientCertificate();
    void missingClientCertificate();
    void unreadableSettings_data();
    void unreadableSettings();
    void redirectsAreStrict();
    void backPressure();
    void cutOff();

private:
    [[nodiscard]] HttpSettings settings(const FakeWebServer& server) const
    {
        HttpSettings settings;
        settings.base = server.url();
        settings.tls.authorities = m_ours.file(u"ca.pem"_s);
        return settings;
    }

    TestCertificates m_ours;
    TestCertificates m_others;
};

void TestHttpTls::initTestCase()
{
    if (!m_ours.make() || !m_others.make())
        QSKIP("the program openssl is not here to make a certificate");
}

void TestHttpTls::trust_data()
{
    QTest::addColumn<QString>("trusting");
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("the system's authorities") << u""_s << u"127.0.0.1"_s << false;
    QTest::newRow("its authority") << u"authority"_s << u"127.0.0.1"_s << true;
    QTest::newRow("its authority, by name") << u"authority"_s << u"localhost"_s << true;
    QTest::newRow("its authority, another name") << u"authority name"_s << u"127.0.0.1"_s << false;
    QTest::newRow("another authority") << u"other"_s << u"127.0.0.1"_s << false;
    QTest::newRow("its fingerprint") << u"fingerprint"_s << u"127.0.0.1"_s << true;
    QTest::newRow("its fingerprint, another name") << u"fingerprint name"_s << u"127.0.0.1"_s << true;
    QTest::newRow("another fingerprint") << u"otherfingerprint"_s << u"127.0.0.1"_s << false;
    QTest::newRow("its authority, another fingerprint") << u"authority otherfingerprint"_s << u"127.0.0.1"_s << false;
    QTest::newRow("anyone") << u"insecure"_s << u"127.0.0.1"_s << true;
    QTest::newRow("anyone, another fingerprint") << u"insecure otherfingerprint"_s << u"127.0.0.1"_s << false;
}

void TestHttpTls::trust()
{
    QFETCH(QString, trusting);
    QFETCH(QString, host);
    QFETCH(bool, isGood);
    FakeWebServer server(m_ours.server());
    HttpSettings settings;
    settings.base = server.url(host);
    const QStringList words = trusting.split(u' ');
    if (words.contains(u"authority"_s))
        settings.tls.authorities = m_ours.file(u"ca.pem"_s);
    if (words.contains(u"other"_s))
        settings.tls.authorities = m_others.file(u"ca.pem"_s);
    if (words.contains(u"fingerprint"_s))
        settings.tls.fingerprint = m_ours.fingerprint().toUpper();
    if (words.contains(u"otherfingerprint"_s))
        settings.tls.fingerprint = m_others.fingerprint();
    if (words.contains(u"name"_s))
        settings.tls.serverName = u"cluster.invalid"_s;
    settings.tls.isInsecure = words.contains(u"insecure"_s);
    CountedTokens tokens;
    ClientSetup setup(settings, &tokens);
    QVERIFY2(setup.client, qPrintable(setup.problem.message));
    const auto reply = setup.get("/x", 4);
    QCOMPARE(reply.has_value(), isGood);
    QCOMPARE(server.requests().size(), isGood ? 1 : 0); // no token is sent to a stranger
    if (isGood)
        return;
    QCOMPARE(reply.error().kind, Kind::auth);
    QVERIFY2(reply.error().message.contains(u"certificate"_s), qPrintable(reply.error().message));
    QCOMPARE(server.connections() <= 1, true); // and it is not tried again
}

void TestHttpTls::clientCertificate()
{
    FakeWebServer server(m_ours.server(true));
    HttpSettings with = settings(server);
    with.tls.certificate = m_ours.file(u"client.pem"_s);
    with.tls.key = m_ours.file(u"client.key"_s);
    {
        ClientSetup setup(with);
        QCOMPARE(shown(setup.get("/x")), u"200"_s);
    }
    {
        ClientSetup setup(settings(server));
        QVERIFY(!setup.get("/x"));
    }
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpTls::missingClientCertificate()
{
    // Qt's server hangs up without the alert that others send.
    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(u"openssl"_s,
        {u"s_server"_s, u"-accept"_s, u"127.0.0.1:0"_s, u"-cert"_s, m_ours.path(u"server.pem"_s), u"-key"_s,
            m_ours.path(u"server.key"_s), u"-CAfile"_s, m_ours.path(u"ca.pem"_s), u"-Verify"_s, u"1"_s,
            u"-verify_return_error"_s, u"-www"_s});
    QByteArray said;
    const QRegularExpression accepting(u"ACCEPT 127\\.0\\.0\\.1:(\\d+)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(accepting.match(QString::fromLatin1(said += server.readAll())).hasMatch(), 30'000);
    HttpSettings settings;
    settings.base = QUrl(u"https://127.0.0.1:"_s + accepting.match(QString::fromLatin1(said)).captured(1));
    settings.tls.authorities = m_ours.file(u"ca.pem"_s);
    {
        ClientSetup setup(settings);
        const auto reply = setup.get("/", 4);
        QVERIFY(!reply);
        QVERIFY2(reply.error().kind == Kind::auth, qPrintable(shown(reply) + reply.error().detail));
        QVERIFY(reply.error().message.contains(u"client certificate"_s));
    }
    settings.tls.certificate = m_ours.file(u"client.pem"_s);
    settings.tls.key = m_ours.file(u"client.key"_s);
    {
        ClientSetup setup(settings);
        QCOMPARE(shown(setup.get("/")), u"200"_s);
    }
    server.kill();
    server.waitForFinished();
}

void TestHttpTls::unreadableSettings_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("words");
    QTest::newRow("authority") << u"authority"_s << u"authority"_s;
    QTest::newRow("certificate without key") << u"certificate"_s << u"needs its key"_s;
    QTest::newRow("key") << u"key"_s << u"key of the client certificate"_s;
    QTest::newRow("fingerprint") << u"fingerprint"_s << u"64 hexadecimal digits"_s;
}

void TestHttpTls::unreadableSettings()
{
    QFETCH(QString, member);
    QFETCH(QString, words);
    HttpSettings settings;
    settings.base = QUrl(u"https://h"_s);
    if (member == u"authority")
        settings.tls.authorities = "no PEM";
    if (member == u"certificate" || member == u"key")
        settings.tls.certificate = m_ours.file(u"client.pem"_s);
    if (member == u"key")
        settings.tls.key = "no PEM";
    if (member == u"fingerprint")
        settings.tls.fingerprint = "ab:cd";
    const ClientSetup setup(settings);
    QVERIFY(!setup.client);
    QCOMPARE(setup.problem.kind, Kind::invalid);
    QVERIFY2(setup.problem.message.contains(words), qPrintable(setup.problem.message));
}

void TestHttpTls::redirectsAreStrict()
{
    // That the platform's server may have any certificate says nothing about others, and our certificate is for it alone.
    FakeWebServer stranger(m_others.server());
    FakeWebServer curious(m_ours.server(true));
    FakeWebServer server(m_ours.server());
    QByteArray location;
    server.on([&](const Peer& peer, const auto&) { peer.answer(302, "", "Location: " + location + "\r\n"); });
    HttpSettings any = settings(server);
    any.tls.isInsecure = true;
    any.tls.certificate = m_ours.file(u"client.pem"_s);
    any.tls.key = m_ours.file(u"client.key"_s);
    ClientSetup setup(any);
    for (const FakeWebServer* one : {&stranger, &curious}) {
        location = one->url().toEncoded() + "/x";
        const auto reply = setup.get("/a");
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind == Kind::auth, one == &stranger);
        QCOMPARE(one->requests().size(), 0);
    }
}

void TestHttpTls::backPressure()
{
    // Decrypted and encrypted bytes are both bounded, and none is lost at the end of the connection.
    FakeWebServer server(m_ours.server());
    Peer peer;
    server.on([&](const Peer& one, const auto&) {
        peer = one;
        one.send("HTTP/1.1 200 OK\r\n\r\n");
        for (int i = 0; i < 20; ++i)
            one.send(QByteArray(1'000'000, char('a' + i)));
        one.close();
    });
    ClientSetup setup(settings(server));
    const auto opened = setup.wait(setup.client->stream(ClientSetup::request("/x"), setup.stop.get_token()));
    QVERIFY(opened);
    QTest::qWait(100);
    qint64 got = 0;
    for (;;) {
        const auto bytes = setup.wait((*opened)->read());
        QVERIFY(bytes);
        if (bytes->isEmpty())
            break;
        QCOMPARE(bytes->front(), char('a' + got / 1'000'000));
        got += bytes->size();
    }
    QCOMPARE(got, qint64(20'000'000));
}

void TestHttpTls::cutOff()
{
    FakeWebServer server(m_ours.server());
    server.on([](const Peer& peer, const auto&) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        peer.close();
    });
    ClientSetup setup(settings(server));
    const auto reply = setup.get("/x", 2);
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, Kind::network);
    QCOMPARE(server.requests().size(), 2);
}

QTEST_GUILESS_MAIN(TestHttpTls)
#include "tst_http_tls.moc"
