// SPDX-License-Identifier: GPL-3.0-or-later
// ID tokens that are renewed, with a provider of OpenID Connect in this process.
#include "kube_setup.h"
#include "oidc_provider.h"

#include "services/platforms/kubernetes/oidc_token_source.h"
#include "tests/fakes/web/test_certificates.h"

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using fakes::FakeWebServer;

namespace {

struct Lab
{
    explicit Lab(std::optional<QSslConfiguration> tls = {})
        : provider(&setup.clock, std::move(tls))
    {
    }
    [[nodiscard]] std::unique_ptr<OidcTokenSource> source(const OidcLogin& login)
    {
        return std::make_unique<OidcTokenSource>(
            login, setup.environment(), [this](const Message& said) { remarks += said.text(); });
    }
    QString ask(OidcTokenSource& source, const QByteArray& rejected = {}, qint64 stepMs = 0)
    {
        const Pending asking(source.authorization(rejected, {}));
        if (!setup.spin([&] { return asking.isDone(); }, stepMs))
            return u"(no answer)"_s;
        const Result<QByteArray>& given = asking.value();
        return given ? QString::fromUtf8(*given)
                     : kindName(given.error().kind) + u": "_s + given.error().message.text();
    }
    /// What is shown of the token that the provider gave with its answer of this number.
    [[nodiscard]] QString shown(int number, qint64 expiresMs) const
    {
        return u"Bearer "_s + QString::fromLatin1(idToken(expiresMs, number));
    }

    KubeSetup setup{QUrl{}};
    FakeOidcProvider provider;
    QStringList remarks;
};

QString withRemedy(const QString& cause)
{
    return cause + u" Log in to the cluster again; better, use the exec plugin kubelogin (kubectl oidc-login)."_s;
}

} // namespace

class TestOidcTokenSource : public QObject
{
    Q_OBJECT
private slots:
    void renewsWhenExpired();
    void renewsWhenRefused();
    void firstToken();
    void anotherProgramRenewed();
    void twoAtOnce();
    void waitsForAnothersLock();
    void kubectlWasFaster();
    void secretInTheBody();
    void faults_data();
    void faults();
    void slowProvider();
    void providerIsNotThere();
    void refusedTokenIsNotSentAgain();
    void sameTokenAgain();
    void lockFileStays();
    void cannotBeWrittenInPlace();
    void stoppedWhileItWaits();
    void lacksSomething();
    void certificates();
    void throughAClient();
    void noSecretInErrors();
};

void TestOidcTokenSource::renewsWhenExpired()
{
    Lab lab;
    const qint64 start = lab.setup.clock.nowMs();
    const auto source = lab.source(lab.provider.login());
    QCOMPARE(lab.ask(*source), lab.shown(0, start + hourMs));
    lab.setup.clock.advance(hourMs - 10'001);
    QCOMPARE(lab.ask(*source), lab.shown(0, start + hourMs));
    QVERIFY(lab.provider.server.requests().isEmpty());
    lab.setup.clock.advance(1);
    const QString renewed = lab.shown(1, lab.setup.clock.nowMs() + hourMs);
    QCOMPARE(lab.ask(*source), renewed);
    QCOMPARE(lab.provider.forms, (QByteArrayList{"grant_type=refresh_token&refresh_token=r0"}));
    QCOMPARE(lab.provider.proofs, (QByteArrayList{"Basic " + "k:geheim"_ba.toBase64()}));
    QCOMPARE(lab.provider.saved(), (OidcTokens{renewed.mid(7).toLatin1(), "r1"}));
    QVERIFY(readKubeFile(lab.provider.path())->startsWith("# mine\n"));
    QCOMPARE(lab.ask(*source), renewed);
    // With the refresh token that came with the last one.
    lab.setup.clock.advance(hourMs);
    QCOMPARE(lab.ask(*source), lab.shown(2, lab.setup.clock.nowMs() + hourMs));
    QCOMPARE(lab.provider.forms.last(), "grant_type=refresh_token&refresh_token=r1"_ba);
    QCOMPARE(lab.remarks, QStringList());
}

void TestOidcTokenSource::renewsWhenRefused()
{
    Lab lab;
    const qint64 end = lab.setup.clock.nowMs() + hourMs;
    const auto source = lab.source(lab.provider.login());
    const QString first = lab.ask(*source);
    const QString second = lab.ask(*source, first.toLatin1());
    QCOMPARE(second, lab.shown(1, end));
    QCOMPARE(lab.ask(*source), second);
    QCOMPARE(lab.provider.asked, 1);
}

void TestOidcTokenSource::firstToken()
{
    Lab lab;
    lab.provider.save("users:\n- name: ada\n  user:\n    auth-provider:\n      name: oidc\n      config:\n"
                      "        refresh-token: r0\n");
    const auto source = lab.source(lab.provider.login());
    const QString given = lab.shown(1, lab.setup.clock.nowMs() + hourMs);
    QCOMPARE(lab.ask(*source), given);
    QCOMPARE(lab.provider.saved(), (OidcTokens{given.mid(7).toLatin1(), "r1"}));
}

void TestOidcTokenSource::anotherProgramRenewed()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    const QByteArray theirs = idToken(lab.setup.clock.nowMs() + hourMs, 7);
    lab.provider.saveTokens({theirs, "r7"});
    QCOMPARE(lab.ask(*source), u"Bearer "_s + QString::fromLatin1(theirs));
    QVERIFY(lab.provider.server.requests().isEmpty());
    // It has expired as well: their refresh token is the one that is good.
    lab.setup.clock.advance(hourMs);
    lab.provider.good = "r7";
    QCOMPARE(lab.ask(*source), lab.shown(1, lab.setup.clock.nowMs() + hourMs));
}

void TestOidcTokenSource::twoAtOnce()
{
    Lab lab;
    const auto one = lab.source(lab.provider.login());
    const auto other = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    const qint64 end = lab.setup.clock.nowMs() + hourMs;
    const Pending first(one->authorization({}, {}));
    const Pending second(other->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return first.isDone() || second.isDone(); }));
    QVERIFY(lab.setup.spin([&] { return first.isDone() && second.isDone(); }, 10));
    QCOMPARE(*first.value(), lab.shown(1, end).toLatin1());
    QCOMPARE(*second.value(), *first.value());
    QCOMPARE(lab.provider.asked, 1);
}

void TestOidcTokenSource::waitsForAnothersLock()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    auto another = RenewalLock::tryTake(lab.provider.path());
    QVERIFY(another);
    const Pending asking(source->authorization({}, {}));
    const qint64 start = lab.setup.clock.steadyMs();
    QVERIFY(lab.setup.spin([&] { return lab.setup.clock.steadyMs() - start >= 20'000; }, 200));
    QVERIFY(!asking.isDone());
    QCOMPARE(lab.provider.asked, 0);
    another.reset();
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }, 10));
    QVERIFY(asking.value());
    QCOMPARE(lab.provider.asked, 1);
    // One that is never let go does not keep it from renewing for ever.
    another = RenewalLock::tryTake(lab.provider.path());
    lab.setup.clock.advance(hourMs);
    QVERIFY(lab.ask(*source, {}, 100).startsWith(u"Bearer"_s));
    QCOMPARE(lab.provider.asked, 2);
}

void TestOidcTokenSource::kubectlWasFaster()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    lab.provider.good = "r7"; // it has them, and has not written them yet
    const Pending asking(source->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return lab.provider.asked == 1; }));
    const QByteArray theirs = idToken(lab.setup.clock.nowMs() + hourMs, 7);
    lab.provider.saveTokens({theirs, "r7"});
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }, 50));
    QCOMPARE(*asking.value(), "Bearer " + theirs);
    QCOMPARE(lab.provider.asked, 1);
    QCOMPARE(lab.provider.saved(), (OidcTokens{theirs, "r7"}));
}

void TestOidcTokenSource::secretInTheBody()
{
    Lab lab;
    lab.setup.clock.advance(hourMs);
    lab.provider.methods = R"(,"token_endpoint_auth_methods_supported":["client_secret_post"])";
    QVERIFY(lab.ask(*lab.source(lab.provider.login())).startsWith(u"Bearer"_s));
    QCOMPARE(lab.provider.proofs, (QByteArrayList{QByteArray()}));
    QVERIFY(lab.provider.forms.first().endsWith("&client_id=k&client_secret=geheim"));
    // Where it does not say, both are tried.
    lab.setup.clock.advance(hourMs);
    lab.provider.methods.clear();
    lab.provider.tokenStatus = 401;
    lab.provider.tokens = R"({"error":"invalid_client"})";
    const auto source = lab.source(lab.provider.login());
    QCOMPARE(lab.ask(*source),
        u"auth: The ID token of the user \"ada\" expired at 2025-06-15T17:06:40Z, and it cannot be renewed: "_s
            + withRemedy(
                u"127.0.0.1 does not accept the client-id and client-secret of the kubeconfig (invalid_client)."_s));
    QCOMPARE(lab.provider.asked, 3);
    // A client without a secret has nothing to try.
    OidcLogin open = lab.provider.login();
    open.clientSecret.clear();
    QVERIFY(lab.ask(*lab.source(open)).startsWith(u"auth"_s));
    QCOMPARE(lab.provider.asked, 4);
    QVERIFY(lab.provider.forms.last().endsWith("&client_id=k"));
}

void TestOidcTokenSource::faults_data()
{
    QTest::addColumn<int>("discoveryStatus");
    QTest::addColumn<QByteArray>("discovery");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("tokens");
    QTest::addColumn<QString>("cause");
    const auto token = [](const char* name, int status, const QByteArray& body, const QString& cause) {
        QTest::newRow(name) << 200 << QByteArray() << status << body << cause;
    };
    token("no ID token", 200, R"({"access_token":"a","refresh_token":"r1"})",
        u"127.0.0.1 gave no id_token. Some providers give none with a refresh-token, or only to a login with the scope openid."_s);
    token("expired", 200, "{\"id_token\":\"" + idToken(1'000'000, 1) + "\"}",
        u"The provider gave an ID token that has expired already. Check the clock of this computer."_s);
    token("refused", 400, R"({"error":"invalid_grant"})",
        u"127.0.0.1 does not accept the refresh-token any more (invalid_grant)."_s);
    token("refused without a word", 403, "<p>no</p>",
        u"127.0.0.1 answered with status 403 to the request for a token."_s);
    QTest::newRow("another issuer")
        << 200 << R"({"issuer":"https://evil.lab","token_endpoint":"https://evil.lab/t"})"_ba << 200 << QByteArray()
        << u"URL/dex answers for the issuer \"https://evil.lab\". Write the right one into idp-issuer-url."_s;
    QTest::newRow("no configuration")
        << 404 << "no"_ba << 200 << QByteArray()
        << u"URL/dex answered with status 404 where it should say how tokens are renewed. Check the idp-issuer-url."_s;
}

void TestOidcTokenSource::faults()
{
    QFETCH(int, discoveryStatus);
    QFETCH(QByteArray, discovery);
    QFETCH(int, status);
    QFETCH(QByteArray, tokens);
    QFETCH(QString, cause);
    Lab lab;
    lab.provider.discoveryStatus = discoveryStatus;
    lab.provider.discovery = discovery;
    lab.provider.tokenStatus = status;
    lab.provider.tokens = tokens;
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    const QString head = u"auth: The ID token of the user \"ada\" expired at %1, and it cannot be renewed: "_s;
    const bool isNew = tokens.contains("id_token\":\"ey");
    QCOMPARE(lab.ask(*source, {}, 20),
        head.arg(isNew ? u"1970-01-01T00:16:40Z"_s : u"2025-06-15T16:06:40Z"_s)
            + withRemedy(cause.replace(u"URL"_s, lab.provider.server.url().toString())));
    // It is kept for a while, and then all is asked anew.
    const auto requests = lab.provider.server.requests().size();
    for (int i = 0; i < 5; ++i)
        QVERIFY(lab.ask(*source).startsWith(u"auth"_s));
    QCOMPARE(lab.provider.server.requests().size(), requests);
    lab.setup.clock.advance(OidcTokenSource::pauseMs);
    lab.provider.discoveryStatus = 200;
    lab.provider.discovery.clear();
    lab.provider.tokens.clear();
    lab.provider.saveTokens({lab.provider.saved().id, "r9"});
    lab.provider.good = "r9";
    QVERIFY(lab.ask(*source).startsWith(u"Bearer"_s));
}

void TestOidcTokenSource::slowProvider()
{
    Lab lab;
    lab.provider.answersDiscovery = false;
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    const Pending asking(source->authorization({}, {}));
    for (int attempt = 1; attempt <= 2; ++attempt) {
        QVERIFY(lab.setup.spin([&] { return lab.provider.server.requests().size() == attempt; }));
        lab.setup.clock.advance(9'000);
        QVERIFY(!asking.isDone());
        lab.setup.clock.advance(1'000);
        QCoreApplication::processEvents();
        lab.setup.clock.advance(attempt == 1 ? 500 : 0); // half of a second, as `random` says
    }
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(asking.value().error().kind, Kind::timeout);
    QCOMPARE(asking.value().error().message.text(),
        u"The ID token of the user \"ada\" expired at 2025-06-15T16:06:40Z, and it cannot be renewed now: 127.0.0.1:%1 did not answer in time."_s
            .arg(lab.provider.server.port()));
    lab.provider.answersDiscovery = true;
    lab.setup.clock.advance(OidcTokenSource::pauseMs);
    QVERIFY(lab.ask(*source).startsWith(u"Bearer"_s));
    // The other answer, after which the refresh token may be used up: it is asked for once.
    lab.provider.answersTokens = false;
    lab.setup.clock.advance(hourMs);
    const Pending again(source->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return lab.provider.asked == 2; }));
    lab.setup.clock.advance(10'000);
    QVERIFY(lab.setup.spin([&] { return again.isDone(); }));
    QCOMPARE(again.value().error().kind, Kind::timeout);
    QCOMPARE(lab.provider.asked, 2);
}

void TestOidcTokenSource::providerIsNotThere()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    lab.provider.server.stopListening();
    lab.setup.clock.advance(hourMs);
    const QString said = lab.ask(*source, {}, 20);
    QVERIFY2(said.startsWith(u"network: The ID token of the user \"ada\" expired at "_s), qPrintable(said));
    QVERIFY(!said.contains(u"Log in"_s));
}

void TestOidcTokenSource::refusedTokenIsNotSentAgain()
{
    Lab lab;
    lab.provider.good = "another";
    const auto source = lab.source(lab.provider.login());
    lab.setup.clock.advance(hourMs);
    const QString refused = lab.ask(*source, {}, 50);
    QVERIFY2(refused.contains(u"(invalid_grant: Unknown token)"_s), qPrintable(refused));
    for (int i = 0; i < 3; ++i) {
        lab.setup.clock.advance(OidcTokenSource::pauseMs);
        QCOMPARE(lab.ask(*source), refused);
    }
    QCOMPARE(lab.provider.asked, 1);
    // A person logs in again.
    lab.provider.saveTokens({idToken(lab.setup.clock.nowMs() + hourMs, 9), "r9"});
    lab.setup.clock.advance(OidcTokenSource::pauseMs);
    QVERIFY(lab.ask(*source).startsWith(u"Bearer"_s));
}

void TestOidcTokenSource::sameTokenAgain()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    const QString first = lab.ask(*source);
    lab.provider.tokens = "{\"id_token\":\"" + first.mid(7).toLatin1() + "\"}";
    QCOMPARE(lab.ask(*source, first.toLatin1()),
        u"auth: The cluster does not accept the ID token of the user \"ada\" (401), and it cannot be renewed: "_s
            + withRemedy(u"The provider gave the same ID token again."_s));
}

void TestOidcTokenSource::lockFileStays()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    QFile lock(lab.provider.path() + u".lock"_s);
    QVERIFY(lock.open(QIODevice::WriteOnly));
    lab.setup.clock.advance(hourMs);
    QVERIFY(lab.ask(*source, {}, 100).startsWith(u"Bearer"_s));
    QCOMPARE(lab.provider.saved().refresh, "r0"_ba);
    lab.setup.clock.advance(hourMs);
    QVERIFY(lab.ask(*source, {}, 100).startsWith(u"Bearer"_s)); // with what is kept
    QCOMPARE(lab.provider.forms.last(), "grant_type=refresh_token&refresh_token=r1"_ba);
    const QString said =
        u"The renewed login of the user \"ada\" cannot be written into %1: The file %1.lock is there. Remove it, unless a kubectl is at work. It is good until this service ends; kubectl may ask for a login before."_s
            .arg(lab.provider.path());
    QCOMPARE(lab.remarks, (QStringList{said})); // once
    QVERIFY(lock.remove());
    lab.setup.clock.advance(hourMs);
    QVERIFY(lab.ask(*source).startsWith(u"Bearer"_s));
    QCOMPARE(lab.provider.saved().refresh, "r3"_ba);
    QCOMPARE(lab.remarks, (QStringList{said, QString()}));
}

void TestOidcTokenSource::cannotBeWrittenInPlace()
{
    Lab lab;
    const QByteArray text = "users:\n- name: ada\n  user:\n    auth-provider:\n      name: oidc\n      config:\n"
                            "        id-token: x\n        refresh-token: >-\n          r0\n";
    lab.provider.save(text);
    const auto source = lab.source(lab.provider.login());
    QVERIFY(lab.ask(*source, "Bearer x").startsWith(u"Bearer ey"_s));
    QCOMPARE(*readKubeFile(lab.provider.path()), text);
    QCOMPARE(lab.remarks.size(), 1);
    QVERIFY2(
        lab.remarks.first().contains(u"in a way that cannot be changed in place"_s), qPrintable(lab.remarks.first()));
}

void TestOidcTokenSource::stoppedWhileItWaits()
{
    Lab lab;
    const auto source = lab.source(lab.provider.login());
    lab.provider.answersTokens = false;
    lab.setup.clock.advance(hourMs);
    std::stop_source stop;
    const Pending asking(source->authorization({}, stop.get_token()));
    QVERIFY(lab.setup.spin([&] { return lab.provider.asked == 1; }));
    stop.request_stop();
    QVERIFY(!asking.isDone());
    lab.provider.release();
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(lab.provider.saved().refresh, "r1"_ba); // not lost
    // Before the refresh token is sent it ends at once.
    lab.provider.answersDiscovery = false;
    lab.setup.clock.advance(hourMs);
    std::stop_source earlier;
    const Pending waiting(source->authorization({}, earlier.get_token()));
    const auto requests = lab.provider.server.requests().size();
    QVERIFY(lab.setup.spin([&] { return lab.provider.server.requests().size() > requests; }));
    earlier.request_stop();
    QVERIFY(lab.setup.spin([&] { return waiting.isDone(); }));
    QCOMPARE(waiting.value().error().kind, Kind::cancelled);
    QCOMPARE(lab.provider.asked, 1);
}

void TestOidcTokenSource::lacksSomething()
{
    Lab lab;
    lab.setup.clock.advance(hourMs);
    const QString head =
        u"auth: The ID token of the user \"ada\" expired at 2025-06-15T16:06:40Z, and it cannot be renewed: "_s;
    OidcLogin login = lab.provider.login();
    login.issuer.clear();
    QCOMPARE(lab.ask(*lab.source(login)), head + withRemedy(u"the kubeconfig holds no idp-issuer-url."_s));
    login.issuer = u"http://idp.lab"_s;
    QCOMPARE(lab.ask(*lab.source(login)),
        head + withRemedy(u"the idp-issuer-url must be an address that begins with https://."_s));
    login = lab.provider.login();
    login.clientId.clear();
    QCOMPARE(lab.ask(*lab.source(login)), head + withRemedy(u"the kubeconfig holds no client-id."_s));
    lab.provider.saveTokens({lab.provider.saved().id, "''"});
    QCOMPARE(
        lab.ask(*lab.source(lab.provider.login())), head + withRemedy(u"the kubeconfig holds no refresh-token."_s));
    QVERIFY(lab.provider.server.requests().isEmpty());
    // One that does not say when it ends is the server's to judge.
    lab.provider.saveTokens({"opaque", "''"});
    const auto source = lab.source(lab.provider.login());
    QCOMPARE(lab.ask(*source), u"Bearer opaque"_s);
    QCOMPARE(lab.ask(*source, "Bearer opaque"),
        u"auth: The cluster does not accept the ID token of the user \"ada\" (401), and it cannot be renewed: "_s
            + withRemedy(u"the kubeconfig holds no refresh-token."_s));
}

void TestOidcTokenSource::certificates()
{
    TestCertificates certificates;
    if (!certificates.make())
        QSKIP("there is no openssl here");
    Lab lab(certificates.server());
    lab.setup.clock.advance(hourMs);
    OidcLogin login = lab.provider.login();
    const QString refused = lab.ask(*lab.source(login), {}, 20);
    QVERIFY2(refused.startsWith(u"auth"_s), qPrintable(refused));
    QCOMPARE(lab.provider.server.requests().size(), 0);
    login.authorities = certificates.file(u"ca.pem"_s);
    QVERIFY(lab.ask(*lab.source(login)).startsWith(u"Bearer"_s));
}

void TestOidcTokenSource::throughAClient()
{
    Lab lab;
    QByteArrayList values;
    FakeWebServer cluster;
    cluster.on([&](const FakeWebServer::Peer& peer, const FakeWebServer::Request& request) {
        values += request.headers.value("authorization");
        peer.answer(lab.provider.asked > 0 ? 200 : 401, "{}");
    });
    KubeSetup setup(cluster.url(), lab.provider.login());
    setup.clock.advance(lab.setup.clock.nowMs() - setup.clock.nowMs());
    setup.open();
    const auto reply = setup.get();
    QCOMPARE(shown(reply), u"200"_s);
    QCOMPARE(values.size(), 2);
    QCOMPARE(values[1], "Bearer " + lab.provider.saved().id);
    QCOMPARE(lab.provider.asked, 1);
}

void TestOidcTokenSource::noSecretInErrors()
{
    for (const QByteArray& body :
        {R"({"error":"invalid_grant","error_description":"hunter2hunter2 by geheim1geheim2"})"_ba,
            R"({"error":"hunter2hunter2"})"_ba, "{\"id_token\": \"hunter2hunter2\"x"_ba,
            R"({"id_token":"hunter2hunter2\nb","refresh_token":"hunter2hunter2"})"_ba, R"(["hunter2hunter2"])"_ba}) {
        for (const int status : {200, 400, 500}) {
            Lab lab;
            lab.provider.saveTokens({lab.provider.saved().id, "hunter2hunter2"});
            lab.provider.tokens = body;
            lab.provider.tokenStatus = status;
            lab.setup.clock.advance(hourMs);
            OidcLogin login = lab.provider.login();
            login.clientSecret = "geheim1geheim2";
            const auto source = lab.source(login);
            const Pending asking(source->authorization({}, {}));
            QVERIFY(lab.setup.spin([&] { return asking.isDone(); }, 50));
            QVERIFY(!asking.value());
            const QString all = asking.value().error().message + asking.value().error().detail;
            QVERIFY2(!all.contains(u"hunter2"_s) && !all.contains(u"geheim1"_s), qPrintable(all));
        }
    }
}

QTEST_GUILESS_MAIN(TestOidcTokenSource)
#include "tst_oidc_token_source.moc"
