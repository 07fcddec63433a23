// SPDX-License-Identifier: GPL-3.0-or-later
// From settings to what is asked of Entra ID, and what its answers mean.
#include "services/platforms/azure/token_answers.h"
#include "services/platforms/azure/token_requests.h"

#include <QDateTime>
#include <QTest>
#include <QUrlQuery>

using namespace platforms;
using namespace platforms::azure;
using namespace Qt::StringLiterals;

class TestAzureLogins : public QObject
{
    Q_OBJECT
private slots:
    void clouds();
    void plans_data();
    void plans();
    void identities();
    void impossiblePlans_data();
    void impossiblePlans();
    void requests();
    void secretsAreNamed();
    void tokens_data();
    void tokens();
    void noTokens_data();
    void noTokens();
    void tokensOfAz();
    void deviceCodes();
    void refusals_data();
    void refusals();
    void noSecretInARefusal();
};

static constexpr qint64 now = 1'750'000'000'000;

static QProcessEnvironment environmentOf(const QMap<QString, QString>& values)
{
    QProcessEnvironment environment;
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        environment.insert(it.key(), *it);
    return environment;
}

static TokenPlan planOf(const Json& settings, const QMap<QString, QString>& values = {})
{
    const Result<AzureCloud> cloud = azureCloud(settings);
    const Result<TokenPlan> plan = cloud ? tokenPlan(settings, *cloud, environmentOf(values)) : fail(cloud);
    if (!plan)
        qFatal("%s", qPrintable(plan.error().message.text()));
    return *plan;
}

void TestAzureLogins::clouds()
{
    const Result<AzureCloud> usual = azureCloud(Json::object());
    QVERIFY(usual);
    QCOMPARE(usual->management, QUrl(u"https://management.azure.com"_s));
    QCOMPARE(usual->login, QUrl(u"https://login.microsoftonline.com"_s));
    QCOMPARE(usual->scope(), u"https://management.azure.com/.default"_s);
    const Result<AzureCloud> china = azureCloud({{"cloud", "china"}});
    QVERIFY(china);
    QCOMPARE(china->login, QUrl(u"https://login.chinacloudapi.cn"_s));
    QCOMPARE(china->resource, u"https://management.chinacloudapi.cn/"_s);
    const Result<AzureCloud> own =
        azureCloud({{"armEndpoint", "https://127.0.0.1:8443"}, {"loginEndpoint", "login.example.org"}});
    QVERIFY(own);
    QCOMPARE(own->management, QUrl(u"https://127.0.0.1:8443"_s));
    QCOMPARE(own->login, QUrl(u"https://login.example.org"_s));
    QCOMPARE(own->resource, usual->resource);
    for (const Json& wrong :
        {Json{{"cloud", "moon"}}, Json{{"armEndpoint", "ftp://a"}}, Json{{"loginEndpoint", "http://"}}}) {
        const Result<AzureCloud> none = azureCloud(wrong);
        QVERIFY(!none);
        QCOMPARE(none.error().kind, Kind::invalid);
        QVERIFY(none.error().message.text().startsWith(QString::fromStdString(wrong.items().begin().key())));
    }
}

void TestAzureLogins::plans_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<TokenWay>("way");
    QTest::addColumn<QString>("tenant");
    QTest::addColumn<QString>("client");
    QTest::newRow("by default") << Json::object() << TokenWay::azCli << QString() << QString();
    QTest::newRow("az of a tenant") << Json{{"auth", "azcli"}, {"tenantId", "contoso.com"}} << TokenWay::azCli
                                    << u"contoso.com"_s << QString();
    QTest::newRow("code") << Json{{"auth", "devicecode"}} << TokenWay::deviceCode << u"organizations"_s
                          << u"04b07795-8ddb-461a-bbee-02f9e1bf7b46"_s;
    QTest::newRow("code of ones own") << Json{{"auth", "devicecode"}, {"tenantId", "t"}, {"clientId", "c"}}
                                      << TokenWay::deviceCode << u"t"_s << u"c"_s;
    QTest::newRow("application") << Json{{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientId", "c"},
        {"clientSecret", "s"}} << TokenWay::clientSecret
                                 << u"t"_s << u"c"_s;
    QTest::newRow("identity") << Json{{"auth", "managedidentity"}, {"clientId", "c"}} << TokenWay::managedIdentity
                              << QString() << u"c"_s;
}

void TestAzureLogins::plans()
{
    QFETCH(Json, settings);
    QFETCH(TokenWay, way);
    QFETCH(QString, tenant);
    QFETCH(QString, client);
    const TokenPlan plan = planOf(settings);
    QCOMPARE(plan.way, way);
    QCOMPARE(plan.tenant, tenant);
    QCOMPARE(plan.clientId, client);
    QCOMPARE(plan.scope(), u"https://management.azure.com/.default"_s);
}

void TestAzureLogins::identities()
{
    const Json identity{{"auth", "managedidentity"}};
    QCOMPARE(planOf(identity).identityAddress, QUrl(u"http://169.254.169.254/metadata/identity/oauth2/token"_s));
    const TokenPlan service = planOf(
        identity, {{u"IDENTITY_ENDPOINT"_s, u"http://127.0.0.1:41/msi/token"_s}, {u"IDENTITY_HEADER"_s, u"h"_s}});
    QCOMPARE(service.identityAddress, QUrl(u"http://127.0.0.1:41/msi/token"_s));
    QCOMPARE(service.identityHeader.reveal(), u"h"_s);
    QCOMPARE(planOf(identity, {{u"AZURE_POD_IDENTITY_AUTHORITY_HOST"_s, u"http://127.0.0.1:9"_s}}).identityAddress,
        QUrl(u"http://127.0.0.1:9/metadata/identity/oauth2/token"_s));
    const Json ofService{{"auth", "environment"}};
    const QMap<QString, QString> base{{u"AZURE_TENANT_ID"_s, u"t"_s}, {u"AZURE_CLIENT_ID"_s, u"c"_s}};
    QMap<QString, QString> secret = base;
    secret.insert(u"AZURE_CLIENT_SECRET"_s, u"s"_s);
    secret.insert(u"AZURE_AUTHORITY_HOST"_s, u"https://login.example.org"_s);
    QCOMPARE(planOf(ofService, secret).way, TokenWay::clientSecret);
    QCOMPARE(planOf(ofService, secret).login, QUrl(u"https://login.example.org"_s));
    QMap<QString, QString> file = base;
    file.insert(u"AZURE_FEDERATED_TOKEN_FILE"_s, u"/var/token"_s);
    QCOMPARE(planOf(ofService, file).way, TokenWay::clientAssertion);
    QCOMPARE(planOf(ofService, file).assertionFile, u"/var/token"_s);
}

void TestAzureLogins::impossiblePlans_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("field");
    QTest::newRow("no such way") << Json{{"auth", "magic"}} << u"auth"_s;
    QTest::newRow("no tenant") << Json{{"auth", "serviceprincipal"}, {"clientId", "c"}, {"clientSecret", "s"}}
                               << u"tenantId"_s;
    QTest::newRow("no application") << Json{{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientSecret", "s"}}
                                    << u"clientId"_s;
    QTest::newRow("no secret") << Json{{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientId", "c"}}
                               << u"clientSecret"_s;
    QTest::newRow("nothing in the environment") << Json{{"auth", "environment"}} << u"auth"_s;
    QTest::newRow("tenant with a path") << Json{{"tenantId", "a/../b"}} << u"tenantId"_s;
}

void TestAzureLogins::impossiblePlans()
{
    QFETCH(Json, settings);
    QFETCH(QString, field);
    const Result<TokenPlan> plan = tokenPlan(settings, *azureCloud(settings), QProcessEnvironment());
    QVERIFY(!plan);
    QCOMPARE(plan.error().kind, Kind::invalid);
    QVERIFY2(plan.error().message.text().startsWith(field), qPrintable(plan.error().message.text()));
}

void TestAzureLogins::requests()
{
    const TokenPlan code = planOf({{"auth", "devicecode"}});
    const transport::HttpRequest begin = deviceCodeRequest(code);
    QCOMPARE(begin.method, "POST"_ba);
    QCOMPARE(begin.target, "/organizations/oauth2/v2.0/devicecode"_ba);
    QCOMPARE(begin.contentType, "application/x-www-form-urlencoded"_ba);
    QCOMPARE(QUrlQuery(QString::fromUtf8(begin.body)).queryItemValue(u"scope"_s, QUrl::FullyDecoded),
        u"https://management.azure.com/.default offline_access"_s);
    const transport::HttpRequest poll = devicePollRequest(code, u"d e"_s);
    QCOMPARE(poll.target, "/organizations/oauth2/v2.0/token"_ba);
    QVERIFY(poll.body.contains("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&"));
    QVERIFY(poll.body.endsWith("device_code=d%20e"));
    const TokenPlan application =
        planOf({{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientId", "c"}, {"clientSecret", "a&b=c+d"}});
    QCOMPARE(clientSecretRequest(application).body,
        "grant_type=client_credentials&client_id=c&client_secret=a%26b%3Dc%2Bd&scope=https%3A%2F%2Fmanagement.azure.com%2F.default"_ba);
    const transport::HttpRequest machine = identityRequest(planOf({{"auth", "managedidentity"}}));
    QCOMPARE(machine.target,
        "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com%2F"_ba);
    QCOMPARE(transport::headerValue(machine.headers, "Metadata"), "true"_ba);
    const transport::HttpRequest service = identityRequest(planOf({{"auth", "managedidentity"}, {"clientId", "c"}},
        {{u"IDENTITY_ENDPOINT"_s, u"http://127.0.0.1:41/msi/token"_s}, {u"IDENTITY_HEADER"_s, u"h"_s}}));
    QVERIFY(service.target.startsWith("/msi/token?api-version=2019-08-01&resource="));
    QVERIFY(service.target.endsWith("&client_id=c"));
    QCOMPARE(transport::headerValue(service.headers, "X-IDENTITY-HEADER"), "h"_ba);
    QCOMPARE(azWords(planOf({{"tenantId", "t"}})).join(u' '),
        u"az account get-access-token --resource https://management.azure.com/ --output json --tenant t"_s);
}

void TestAzureLogins::secretsAreNamed()
{
    const TokenPlan application =
        planOf({{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientId", "c"}, {"clientSecret", "se&cret"}});
    QVERIFY(clientSecretRequest(application).secrets.contains("se&cret"));
    QVERIFY(clientSecretRequest(application).secrets.contains("se%26cret"));
    QVERIFY(refreshRequest(application, u"r0"_s).secrets.contains("r0"));
    QVERIFY(devicePollRequest(application, u"d0"_s).secrets.contains("d0"));
    QVERIFY(clientAssertionRequest(application, "a0").secrets.contains("a0"));
}

void TestAzureLogins::tokens_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("livesMs");
    QTest::newRow("numbers") << QByteArray(R"({"token_type":"Bearer","expires_in":3599,"access_token":"abc"})")
                             << qint64(3'599'000);
    QTest::newRow("texts") << QByteArray(R"({"expires_in":"60","expires_on":"1","access_token":"abc"})")
                           << qint64(60'000);
    QTest::newRow("an end alone") << QByteArray(R"({"expires_on":"1750000120","access_token":"abc"})")
                                  << qint64(120'000);
    QTest::newRow("an end that is past") << QByteArray(R"({"expires_on":1749999999,"access_token":"abc"})")
                                         << qint64(0);
    QTest::newRow("nothing said") << QByteArray(R"({"access_token":"abc"})") << qint64(3'600'000);
    QTest::newRow("no number") << QByteArray(R"({"expires_in":-7,"access_token":"abc"})") << qint64(3'600'000);
}

void TestAzureLogins::tokens()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, livesMs);
    const Result<EntraToken> token = readToken(Json::parse(text.toStdString()), now);
    QVERIFY(token);
    QCOMPARE(token->access, "abc"_ba);
    QCOMPARE(token->livesMs, livesMs);
    QCOMPARE(token->expiresMs, now + livesMs);
}

void TestAzureLogins::noTokens_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"{}", "[]", "null", "7", R"({"access_token":7})", R"({"access_token":""})",
             "{\"access_token\":\"a\\r\\nX: y\"}", R"({"access_token":"ä"})"})
        QTest::newRow(text) << QByteArray(text);
}

void TestAzureLogins::noTokens()
{
    QFETCH(QByteArray, text);
    const Result<EntraToken> token = readToken(Json::parse(text.toStdString()), now);
    QVERIFY(!token);
    QCOMPARE(token.error().kind, Kind::platform);
}

void TestAzureLogins::tokensOfAz()
{
    const QByteArray newer =
        R"({"accessToken":"abc","expiresOn":"2020-01-01 00:00:00.000000","expires_on":1750000300,"tokenType":"Bearer"})";
    QCOMPARE(readAzToken(newer, now)->livesMs, 300'000);
    const QByteArray local = QDateTime::fromMSecsSinceEpoch(now + 90'000).toString(u"yyyy-MM-dd HH:mm:ss"_s).toLatin1();
    const QByteArray older = R"({"accessToken":"abc","expiresOn":")" + local + R"(.123456"})";
    QCOMPARE(readAzToken(older, now)->livesMs, 90'000);
    QVERIFY(!readAzToken("Please run 'az login'", now));
    QCOMPARE(azError(127, {}).kind, Kind::auth);
    QVERIFY(azError(127, {}).message.text().contains(u"not there"_s));
    const Error error = azError(1, "ERROR: Please run 'az login' to setup account.\nmore\n");
    QVERIFY(error.message.text().contains(u"Please run 'az login' to setup account."_s));
    QVERIFY(!error.message.text().contains(u"more"_s));
}

void TestAzureLogins::deviceCodes()
{
    const Result<DeviceCode> code = readDeviceCode(Json::parse(
        R"({"device_code":"d","user_code":"ABC-DEF","verification_uri":"https://microsoft.com/devicelogin","expires_in":900,"interval":5,"message":"m"})"));
    QVERIFY(code);
    QCOMPARE(*code, (DeviceCode{u"d"_s, u"ABC-DEF"_s, u"https://microsoft.com/devicelogin"_s, 900'000, 5'000}));
    const Result<DeviceCode> bare =
        readDeviceCode(Json::parse(R"({"device_code":"d","user_code":"A","verification_uri":"https://x"})"));
    QVERIFY(bare);
    QCOMPARE(bare->intervalMs, 5'000);
    QVERIFY(!readDeviceCode(Json::parse(R"({"device_code":"d"})")));
    QVERIFY(!readDeviceCode(Json()));
}

void TestAzureLogins::refusals_data()
{
    using What = TokenRefusal::What;
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<What>("what");
    QTest::addColumn<Kind>("kind");
    const auto body = [](const char* word) { return QByteArray("{\"error\":\"") + word + "\"}"; };
    QTest::newRow("pending") << 400 << body("authorization_pending") << What::pending << Kind::auth;
    QTest::newRow("slow down") << 400 << body("slow_down") << What::slowDown << Kind::auth;
    QTest::newRow("declined") << 400 << body("authorization_declined") << What::declined << Kind::auth;
    QTest::newRow("expired") << 400 << body("expired_token") << What::expired << Kind::auth;
    QTest::newRow("grant") << 400 << body("invalid_grant") << What::grant << Kind::auth;
    QTest::newRow("client") << 401 << body("invalid_client") << What::other << Kind::auth;
    QTest::newRow("a word of tomorrow") << 400 << body("something") << What::other << Kind::auth;
    QTest::newRow("no JSON") << 400 << QByteArray("<html>") << What::other << Kind::auth;
    QTest::newRow("busy") << 429 << QByteArray() << What::other << Kind::resource;
    QTest::newRow("broken") << 500 << QByteArray("oh") << What::other << Kind::network;
}

void TestAzureLogins::refusals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(TokenRefusal::What, what);
    QFETCH(Kind, kind);
    const TokenRefusal refusal = readTokenRefusal(status, body);
    QCOMPARE(refusal.what, what);
    QCOMPARE(refusal.error.kind, kind);
    QVERIFY(!refusal.error.message.isEmpty() && !refusal.error.message.contains(u"\n"_s));
}

void TestAzureLogins::noSecretInARefusal()
{
    const TokenRefusal refusal = readTokenRefusal(401,
        R"({"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided. client_secret=geheim7\r\nTrace ID: x","error_codes":[7000215]})");
    QVERIFY(refusal.error.message.text().contains(u"AADSTS7000215"_s));
    QVERIFY(!refusal.error.message.text().contains(u"geheim7"_s));
    QVERIFY(!refusal.error.message.text().contains(u"Trace"_s));
    QVERIFY(!refusal.error.detail.contains(u"geheim7"_s));
}

QTEST_GUILESS_MAIN(TestAzureLogins)
#include "tst_azure_logins.moc"
