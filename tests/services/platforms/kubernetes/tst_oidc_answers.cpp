// SPDX-License-Identifier: GPL-3.0-or-later
// What a provider of OpenID Connect is asked, and what its answers mean.
#include "services/platforms/kubernetes/oidc_answers.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

transport::HttpReply reply(const QByteArray& body, int status = 200)
{
    transport::HttpReply reply;
    reply.status = status;
    reply.body = body;
    reply.json = core::parseJson(body).value_or(core::Json());
    reply.url = QUrl(u"https://idp.lab/token"_s);
    return reply;
}

template <typename T>
QString shownError(const Result<T>& result)
{
    return result ? u"good"_s : kindName(result.error().kind) + u": "_s + result.error().message.text();
}

} // namespace

class TestOidcAnswers : public QObject
{
    Q_OBJECT
private slots:
    void issuers_data();
    void issuers();
    void providers_data();
    void providers();
    void requests();
    void renewals();
    void refusals_data();
    void refusals();
};

void TestOidcAnswers::issuers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("url"); ///< empty: it is none
    QTest::newRow("host") << u"https://idp.lab"_s << u"https://idp.lab"_s;
    QTest::newRow("slash") << u" https://idp.lab/ "_s << u"https://idp.lab"_s;
    QTest::newRow("path") << u"https://idp.lab:8443/realms/ml/"_s << u"https://idp.lab:8443/realms/ml"_s;
    QTest::newRow("this computer") << u"http://127.0.0.1:5556/dex"_s << u"http://127.0.0.1:5556/dex"_s;
    QTest::newRow("this computer by name") << u"http://localhost:5556"_s << u"http://localhost:5556"_s;
    QTest::newRow("http") << u"http://idp.lab"_s << QString();
    QTest::newRow("looks like this computer") << u"http://127.0.0.1.idp.lab"_s << QString();
    QTest::newRow("no scheme") << u"idp.lab"_s << QString();
    QTest::newRow("query") << u"https://idp.lab?a=b"_s << QString();
    QTest::newRow("fragment") << u"https://idp.lab#a"_s << QString();
    QTest::newRow("password") << u"https://ada:x@idp.lab"_s << QString();
    QTest::newRow("file") << u"file:///etc/passwd"_s << QString();
    QTest::newRow("empty") << QString() << QString();
}

void TestOidcAnswers::issuers()
{
    QFETCH(QString, text);
    QFETCH(QString, url);
    const Result<QUrl> read = issuerUrl(text);
    QCOMPARE(read ? read->toString() : QString(), url);
    if (!read)
        QCOMPARE(shownError(read), u"invalid: the idp-issuer-url must be an address that begins with https://."_s);
}

void TestOidcAnswers::providers_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("shown");
    const QByteArray head = R"({"issuer":"https://idp.lab/x","token_endpoint":"https://t.lab/token?a=b")";
    QTest::newRow("methods unknown") << head + "}" << 200 << u"https://t.lab/token?a=b header body"_s;
    QTest::newRow("basic") << head
            + R"(,"token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_basic"]})"
                           << 200 << u"https://t.lab/token?a=b header"_s;
    QTest::newRow("post") << head + R"(,"token_endpoint_auth_methods_supported":["client_secret_post"]})" << 200
                          << u"https://t.lab/token?a=b body"_s;
    QTest::newRow("both, often") << head
            + R"(,"token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic","client_secret_post",7]})"
                                 << 200 << u"https://t.lab/token?a=b header body"_s;
    QTest::newRow("others") << head + R"(,"token_endpoint_auth_methods_supported":["none"]})" << 200
                            << u"https://t.lab/token?a=b header body"_s;
    QTest::newRow("slash") << R"({"issuer":"https://idp.lab/x/","token_endpoint":"https://t.lab/token"})"_ba << 200
                           << u"https://t.lab/token header body"_s;
    QTest::newRow("another issuer")
        << R"({"issuer":"https://evil.lab","token_endpoint":"https://t.lab/token"})"_ba << 200
        << u"auth: https://idp.lab/x answers for the issuer \"https://evil.lab\". Write the right one into idp-issuer-url."_s;
    QTest::newRow("no issuer")
        << R"({"token_endpoint":"https://t.lab/token"})"_ba << 200
        << u"auth: https://idp.lab/x answers for the issuer \"\". Write the right one into idp-issuer-url."_s;
    const QString noEndpoint = u"auth: https://idp.lab/x names no token_endpoint that begins with https://."_s;
    QTest::newRow("no endpoint") << R"({"issuer":"https://idp.lab/x"})"_ba << 200 << noEndpoint;
    QTest::newRow("endpoint without TLS")
        << R"({"issuer":"https://idp.lab/x","token_endpoint":"http://t.lab/token"})"_ba << 200 << noEndpoint;
    QTest::newRow("endpoint of this computer without TLS")
        << R"({"issuer":"https://idp.lab/x","token_endpoint":"http://127.0.0.1/token"})"_ba << 200 << noEndpoint;
    QTest::newRow("endpoint is a number")
        << R"({"issuer":"https://idp.lab/x","token_endpoint":7})"_ba << 200 << noEndpoint;
    QTest::newRow("not there")
        << "no"_ba << 404
        << u"auth: https://idp.lab/x answered with status 404 where it should say how tokens are renewed. Check the idp-issuer-url."_s;
    QTest::newRow("broken")
        << "no"_ba << 503
        << u"resource: https://idp.lab/x answered with status 503 where it should say how tokens are renewed. Check the idp-issuer-url."_s;
}

void TestOidcAnswers::providers()
{
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QString, shown);
    const Result<OidcProvider> provider = readProvider(reply(body, status), QUrl(u"https://idp.lab/x"_s));
    QString said = provider ? provider->tokenEndpoint.toString() : shownError(provider);
    if (provider)
        for (const ClientProof proof : provider->proofs)
            said += proof == ClientProof::header ? u" header"_s : u" body"_s;
    QCOMPARE(said, shown);
}

void TestOidcAnswers::requests()
{
    OidcLogin login;
    login.clientId = u"my app"_s;
    login.clientSecret = "s&c=~ü";
    const OidcProvider provider{QUrl(u"https://t.lab/token?a=b"_s), {}};
    const auto inHeader = renewalRequest(provider, login, "r+1 2", ClientProof::header);
    QCOMPARE(inHeader.method + ' ' + inHeader.target, "POST https://t.lab/token?a=b"_ba);
    QCOMPARE(inHeader.contentType, "application/x-www-form-urlencoded"_ba);
    QCOMPARE(inHeader.body, "grant_type=refresh_token&refresh_token=r%2B1%202"_ba);
    QCOMPARE(inHeader.headers,
        (transport::HttpHeaders{{"Authorization", "Basic " + "my%20app:s%26c%3D%7E%C3%BC"_ba.toBase64()}}));
    const auto inBody = renewalRequest(provider, login, "r", ClientProof::body);
    QCOMPARE(
        inBody.body, "grant_type=refresh_token&refresh_token=r&client_id=my%20app&client_secret=s%26c%3D%7E%C3%BC"_ba);
    QVERIFY(inBody.headers.isEmpty());
    login.clientSecret.clear();
    const auto open = renewalRequest(provider, login, "r", ClientProof::header);
    QCOMPARE(open.body, "grant_type=refresh_token&refresh_token=r&client_id=my%20app"_ba);
    QVERIFY(open.headers.isEmpty());
}

void TestOidcAnswers::renewals()
{
    const auto both = readRenewal(reply(R"({"id_token":" i2 ","refresh_token":"r2","access_token":"a"})"));
    QVERIFY(both);
    QCOMPARE(*both, (OidcTokens{"i2", "r2"}));
    QCOMPARE(*readRenewal(reply(R"({"id_token":"i2","refresh_token":null})")), (OidcTokens{"i2", {}}));
    const QString none =
        u"auth: idp.lab gave no id_token. Some providers give none with a refresh-token, or only to a login with the scope openid."_s;
    QCOMPARE(shownError(readRenewal(reply(R"({"access_token":"a","id_token":7})"))), none);
    QCOMPARE(shownError(readRenewal(reply("[]"))), none);
    QCOMPARE(shownError(readRenewal(reply(R"({"id_token":"a\nb"})"))),
        u"auth: idp.lab gave an id_token with characters that none has."_s);
}

void TestOidcAnswers::refusals_data()
{
    using What = OidcRefusal::What;
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<What>("what");
    QTest::addColumn<QString>("shown");
    QTest::newRow("grant")
        << 400 << R"({"error":"invalid_grant","error_description":"Session\nis gone"})"_ba << What::grant
        << u"auth: idp.lab does not accept the refresh-token any more (invalid_grant: Session⏎is gone)."_s;
    QTest::newRow("client")
        << 401 << R"({"error":"invalid_client"})"_ba << What::client
        << u"auth: idp.lab does not accept the client-id and client-secret of the kubeconfig (invalid_client)."_s;
    QTest::newRow("client, no JSON")
        << 401 << "<p>no"_ba << What::client
        << u"auth: idp.lab does not accept the client-id and client-secret of the kubeconfig (401)."_s;
    QTest::newRow("another word") << 400 << R"({"error":"unsupported_grant_type"})"_ba << What::other
                                  << u"auth: idp.lab refuses to give a token (unsupported_grant_type)."_s;
    QTest::newRow("no JSON") << 404 << "<p>no"_ba << What::other
                             << u"auth: idp.lab answered with status 404 to the request for a token."_s;
    QTest::newRow("busy") << 503 << ""_ba << What::other
                          << u"resource: idp.lab answered with status 503 to the request for a token."_s;
    QTest::newRow("secrets")
        << 400 << R"({"error":"invalid_grant","error_description":"hunter2hunter2 of eyJhbGciOiJub25lIn0.e30.x"})"_ba
        << What::grant << u"auth: idp.lab does not accept the refresh-token any more (invalid_grant: … of …)."_s;
}

void TestOidcAnswers::refusals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(OidcRefusal::What, what);
    QFETCH(QString, shown);
    const OidcRefusal refusal = renewalRefusal(reply(body, status), {"hunter2hunter2"});
    QVERIFY(refusal.what == what);
    QCOMPARE(kindName(refusal.error.kind) + u": "_s + refusal.error.message.text(), shown);
    QCOMPARE(refusal.error.detail, QString());
}

QTEST_GUILESS_MAIN(TestOidcAnswers)
#include "tst_oidc_answers.moc"
