// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of Entra ID, with a provider in this process.
#include "azure_setup.h"

#include "services/platforms/azure/entra_token_source.h"

#include <QDir>
#include <QTemporaryDir>
#include <QUrlQuery>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::azure;
using fakes::FakeWebServer;

namespace {

/// Keeps the questions, and answers as a test says.
class AskedSink : public Sink
{
public:
    void state(PlatformState, const Message&) override { }
    void observed(const Observation&) override { }
    void records(const RecordBytes&) override { }
    void machines(const QList<Machine>&) override { }
    void lost(const MachineId&, qint64) override { }
    void finding(const OperationId&, const CheckStep&) override { }
    void note(const TrialId&, TrialEventKind, const Message&) override { }
    void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> given) override
    {
        prompts.append(prompt);
        answered = std::move(given);
    }
    void withdraw(const PromptId& prompt) override { withdrawn.append(prompt); }

    QList<Prompt> prompts;
    QList<PromptId> withdrawn;
    std::function<void(PromptAnswer)> answered;
};

struct LoginLab
{
    LoginLab()
    {
        server.on([this](const FakeWebServer::Peer& peer, const FakeWebServer::Request& request) {
            if (isHeld) {
                held.append({peer, request});
                return;
            }
            answer(peer, request);
        });
    }
    void answer(const FakeWebServer::Peer& peer, const FakeWebServer::Request& request)
    {
        targets.append(request.target);
        forms.append(request.body);
        if (request.target.endsWith("/devicecode")) {
            peer.answer(200,
                R"({"device_code":"dev1","user_code":"ABC-DEF","verification_uri":"https://microsoft.com/devicelogin","expires_in":60,"interval":5,"message":"m"})");
            return;
        }
        if (!answers.isEmpty()) {
            const auto [status, body] = answers.takeFirst();
            peer.answer(status, body);
            return;
        }
        ++given;
        peer.answer(200,
            "{\"access_token\":\"a" + QByteArray::number(given)
                + "\",\"expires_in\":" + QByteArray::number(livesSeconds)
                + (hasRefresh ? ",\"refresh_token\":\"r" + QByteArray::number(given) + "\"" : QByteArray()) + "}");
    }
    void release()
    {
        isHeld = false;
        for (const auto& [peer, request] : std::exchange(held, {}))
            answer(peer, request);
    }
    void make(Json settings, const QMap<QString, QString>& values = {})
    {
        settings["loginEndpoint"] = server.url().toString().toStdString();
        QProcessEnvironment environment;
        for (auto it = values.cbegin(); it != values.cend(); ++it)
            environment.insert(it.key(), *it);
        const Result<AzureCloud> cloud = azureCloud(settings);
        const Result<TokenPlan> plan = tokenPlan(settings, *cloud, environment);
        if (!plan)
            qFatal("%s", qPrintable(plan.error().message.text()));
        EntraTokenSource::Plan all;
        all.token = *plan;
        all.environment = setup.environment();
        all.commands = &setup.commands;
        all.logins = logins;
        all.sink = &sink;
        all.subject = u"azure"_s;
        all.keep = [this](const QString& token) { kept.append(token); };
        source = std::make_unique<EntraTokenSource>(std::move(all));
    }
    QString ask(const QByteArray& rejected = {}, qint64 stepMs = 0)
    {
        const Result<QByteArray> token = setup.wait(source->authorization(rejected, stop.get_token()), stepMs);
        return token ? QString::fromUtf8(*token)
                     : kindName(token.error().kind) + u": "_s + token.error().message.text();
    }

    AzureSetup setup;
    FakeWebServer server;
    AskedSink sink;
    std::shared_ptr<LoginMemory> logins = std::make_shared<LoginMemory>();
    std::unique_ptr<EntraTokenSource> source;
    std::stop_source stop;
    QStringList kept;
    QList<std::pair<int, QByteArray>> answers; ///< before the good ones
    QByteArrayList targets;
    QByteArrayList forms;
    bool isHeld = false; ///< until release()
    bool hasRefresh = false;
    int livesSeconds = 3'600;
    int given = 0;

private:
    QList<std::pair<FakeWebServer::Peer, FakeWebServer::Request>> held;
};

const Json application{{"auth", "serviceprincipal"}, {"tenantId", "t"}, {"clientId", "c"}, {"clientSecret", "geheim5"}};

QByteArray refusal(const char* word)
{
    return QByteArray("{\"error\":\"") + word + "\"}";
}

} // namespace

class TestEntraTokenSource : public QObject
{
    Q_OBJECT
private slots:
    void keepsATokenUntilItEnds();
    void shortLives();
    void oneForAllThatWait();
    void wrongSecret();
    void sameTokenAgain();
    void managedIdentity();
    void managedIdentityOfAService();
    void assertionOfAFile();
    void programAz();
    void deviceCode();
    void deviceSlowsDown();
    void deviceDeclined_data();
    void deviceDeclined();
    void deviceRefusedByThePerson();
    void deviceExpires();
    void deviceOnceForManyRequests();
    void refreshTokens();
    void refreshTokenIsOver();
    void anotherPlatformWasFaster();
    void stoppedWhileAsking();
};

void TestEntraTokenSource::keepsATokenUntilItEnds()
{
    LoginLab lab;
    lab.make(application);
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    QCOMPARE(lab.forms.size(), 1);
    QCOMPARE(lab.targets.first(), "/t/oauth2/v2.0/token"_ba);
    lab.setup.clock.advance(3'600'000 - EntraTokenSource::leewayMs);
    QCOMPARE(lab.ask(), u"Bearer a2"_s);
    QCOMPARE(lab.ask("Bearer a2"), u"Bearer a3"_s);
    QCOMPARE(lab.ask("Bearer a2"), u"Bearer a3"_s); // of a client that is slow to hear of it
    QCOMPARE(lab.forms.size(), 3);
    QVERIFY(lab.kept.isEmpty());
}

void TestEntraTokenSource::shortLives()
{
    LoginLab lab;
    lab.livesSeconds = 5;
    lab.make(application);
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    lab.setup.clock.advance(4'000);
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    lab.setup.clock.advance(1'000);
    QCOMPARE(lab.ask(), u"Bearer a2"_s);
}

void TestEntraTokenSource::oneForAllThatWait()
{
    LoginLab lab;
    lab.isHeld = true;
    lab.make(application);
    std::vector<Pending<Result<QByteArray>>> asking;
    for (int i = 0; i < 50; ++i)
        asking.emplace_back(lab.source->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return !lab.server.requests().isEmpty(); }));
    lab.release();
    for (const Pending<Result<QByteArray>>& one : asking) {
        QVERIFY(lab.setup.spin([&] { return one.isDone(); }));
        QCOMPARE(one.value().value_or(QByteArray()), "Bearer a1"_ba);
    }
    QCOMPARE(lab.server.requests().size(), 1);
}

void TestEntraTokenSource::wrongSecret()
{
    LoginLab lab;
    lab.make(application);
    lab.answers = {{401,
        R"({"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret geheim5 provided."})"}};
    const QString said = lab.ask();
    QVERIFY2(said.startsWith(u"auth: Entra ID does not accept the application's secret"_s), qPrintable(said));
    QCOMPARE(lab.ask(), said); // not asked again at once
    QCOMPARE(lab.forms.size(), 1);
    lab.setup.clock.advance(EntraTokenSource::pauseMs);
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
}

void TestEntraTokenSource::sameTokenAgain()
{
    LoginLab lab;
    lab.make(application);
    lab.answers = {{200, R"({"access_token":"x"})"}, {200, R"({"access_token":"x"})"}};
    QCOMPARE(lab.ask(), u"Bearer x"_s);
    QVERIFY(lab.ask("Bearer x").startsWith(u"auth: "_s));
}

void TestEntraTokenSource::managedIdentity()
{
    LoginLab lab;
    lab.make({{"auth", "managedidentity"}}, {{u"AZURE_POD_IDENTITY_AUTHORITY_HOST"_s, lab.server.url().toString()}});
    lab.answers = {
        {404, "{}"}, {200, R"({"access_token":"x","expires_in":"3600","expires_on":"1","refresh_token":""})"}};
    QCOMPARE(lab.ask({}, 20), u"Bearer x"_s);
    QCOMPARE(lab.server.requests().size(), 2);
    QCOMPARE(lab.server.requests().first().headers.value("metadata"), "true"_ba);
    QVERIFY(lab.server.requests().first().target.startsWith("/metadata/identity/oauth2/token?"));
}

void TestEntraTokenSource::managedIdentityOfAService()
{
    LoginLab lab;
    lab.make({{"auth", "managedidentity"}},
        {{u"IDENTITY_ENDPOINT"_s, lab.server.url().toString() + u"/msi/token"_s}, {u"IDENTITY_HEADER"_s, u"h7"_s}});
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    QCOMPARE(lab.server.requests().first().headers.value("x-identity-header"), "h7"_ba);
    QVERIFY(lab.targets.first().startsWith("/msi/token?api-version=2019-08-01"));
}

void TestEntraTokenSource::assertionOfAFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"token"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("assert7\n");
    file.close();
    LoginLab lab;
    lab.make({{"auth", "environment"}},
        {{u"AZURE_TENANT_ID"_s, u"t"_s}, {u"AZURE_CLIENT_ID"_s, u"c"_s}, {u"AZURE_FEDERATED_TOKEN_FILE"_s, path}});
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    QVERIFY(lab.forms.first().contains("&client_assertion=assert7&"));
}

/// A program of that name in a folder of the test.
void TestEntraTokenSource::programAz()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"az"_s);
    const auto write = [&](const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", folder.path().toUtf8() + ':' + before);
    write("echo \"$@\" >&2\necho '{\"accessToken\":\"cli1\",\"expires_on\":9999999999}'\n");
    {
        LoginLab lab;
        lab.make({{"auth", "azcli"}});
        QCOMPARE(lab.ask(), u"Bearer cli1"_s);
    }
    write("echo \"ERROR: Please run 'az login' to setup account.\" >&2\nexit 1\n");
    {
        LoginLab lab;
        lab.make({{"auth", "azcli"}});
        const QString said = lab.ask();
        QVERIFY2(said.startsWith(u"auth: "_s) && said.contains(u"Please run 'az login'"_s), qPrintable(said));
    }
    qputenv("PATH", before);
}

void TestEntraTokenSource::deviceCode()
{
    LoginLab lab;
    lab.hasRefresh = true;
    lab.make({{"auth", "devicecode"}});
    lab.answers = {{400, refusal("authorization_pending")}, {400, refusal("authorization_pending")}};
    QCOMPARE(lab.ask({}, 100), u"Bearer a1"_s);
    QCOMPARE(lab.sink.prompts.size(), 1);
    const Prompt prompt = lab.sink.prompts.first();
    QCOMPARE(prompt.kind, u"deviceCode"_s);
    QCOMPARE(prompt.code, u"ABC-DEF"_s);
    QCOMPARE(prompt.url, u"https://microsoft.com/devicelogin"_s);
    QCOMPARE(prompt.subject, u"azure"_s);
    QVERIFY(prompt.expires > 0 && prompt.fields.isEmpty());
    QCOMPARE(lab.sink.withdrawn, QList<PromptId>{prompt.id});
    QCOMPARE(lab.kept, QStringList{u"r1"_s});
    QCOMPARE(lab.targets.first(), "/organizations/oauth2/v2.0/devicecode"_ba);
    QCOMPARE(lab.targets.size(), 4);
}

void TestEntraTokenSource::deviceSlowsDown()
{
    LoginLab lab;
    lab.make({{"auth", "devicecode"}});
    lab.answers = {{400, refusal("slow_down")}, {400, refusal("slow_down")}};
    const qint64 start = lab.setup.clock.steadyMs();
    QCOMPARE(lab.ask({}, 100), u"Bearer a1"_s);
    QVERIFY(lab.setup.clock.steadyMs() - start >= 5'000 + 10'000 + 15'000);
}

void TestEntraTokenSource::deviceDeclined_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<QString>("said");
    QTest::newRow("declined") << QByteArray("authorization_declined") << u"declined"_s;
    QTest::newRow("expired") << QByteArray("expired_token") << u"not entered in time"_s;
    QTest::newRow("none of theirs") << QByteArray("bad_verification_code") << u"not entered in time"_s;
}

void TestEntraTokenSource::deviceDeclined()
{
    QFETCH(QByteArray, word);
    QFETCH(QString, said);
    LoginLab lab;
    lab.make({{"auth", "devicecode"}});
    lab.answers = {{400, refusal(word.constData())}};
    const QString answer = lab.ask({}, 100);
    QVERIFY2(answer.startsWith(u"auth: "_s) && answer.contains(said), qPrintable(answer));
    QCOMPARE(lab.sink.withdrawn.size(), 1);
    QVERIFY(lab.kept.isEmpty());
}

void TestEntraTokenSource::deviceRefusedByThePerson()
{
    LoginLab lab;
    lab.make({{"auth", "devicecode"}});
    const Pending asking(lab.source->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return !lab.sink.prompts.isEmpty(); }));
    PromptAnswer answer;
    answer.cancel = true;
    lab.sink.answered(answer);
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(asking.value().error().kind, Kind::auth);
    QVERIFY(lab.sink.withdrawn.isEmpty()); // it is answered
    lab.sink.answered(answer);             // too late: nothing happens
}

void TestEntraTokenSource::deviceExpires()
{
    LoginLab lab;
    lab.make({{"auth", "devicecode"}});
    for (int i = 0; i < 20; ++i)
        lab.answers.append({400, refusal("authorization_pending")});
    const QString answer = lab.ask({}, 100);
    QVERIFY2(answer.contains(u"not entered in time"_s), qPrintable(answer));
}

void TestEntraTokenSource::deviceOnceForManyRequests()
{
    LoginLab lab;
    lab.make({{"auth", "devicecode"}});
    std::vector<Pending<Result<QByteArray>>> asking;
    for (int i = 0; i < 20; ++i)
        asking.emplace_back(lab.source->authorization({}, {}));
    for (const Pending<Result<QByteArray>>& one : asking) {
        QVERIFY(lab.setup.spin([&] { return one.isDone(); }, 100));
        QCOMPARE(one.value().value_or(QByteArray()), "Bearer a1"_ba);
    }
    QCOMPARE(lab.sink.prompts.size(), 1);
}

void TestEntraTokenSource::refreshTokens()
{
    LoginLab lab;
    lab.hasRefresh = true;
    lab.make({{"auth", "devicecode"}, {"refreshToken", "r0"}});
    QCOMPARE(lab.ask(), u"Bearer a1"_s);
    QVERIFY(lab.sink.prompts.isEmpty());
    QVERIFY(
        lab.forms.first().contains("grant_type=refresh_token&") && lab.forms.first().contains("&refresh_token=r0&"));
    QCOMPARE(lab.kept, QStringList{u"r1"_s});
    QCOMPARE(lab.ask("Bearer a1"), u"Bearer a2"_s);
    QVERIFY(lab.forms.last().contains("&refresh_token=r1&"));
    // Settings that are checked before they are saved, and the platform behind them, are one login.
    lab.make({{"auth", "devicecode"}});
    QCOMPARE(lab.ask(), u"Bearer a3"_s);
    QVERIFY(lab.forms.last().contains("&refresh_token=r2&"));
    QVERIFY(lab.sink.prompts.isEmpty());
}

void TestEntraTokenSource::refreshTokenIsOver()
{
    LoginLab lab;
    lab.make({{"auth", "devicecode"}, {"refreshToken", "r0"}});
    lab.answers = {{400, refusal("invalid_grant")}};
    QCOMPARE(lab.ask({}, 100), u"Bearer a1"_s);
    QCOMPARE(lab.sink.prompts.size(), 1);
}

void TestEntraTokenSource::anotherPlatformWasFaster()
{
    LoginLab lab;
    lab.isHeld = true;
    lab.make({{"auth", "devicecode"}, {"refreshToken", "r0"}});
    const Pending asking(lab.source->authorization({}, {}));
    QVERIFY(lab.setup.spin([&] { return !lab.server.requests().isEmpty(); }));
    const Json same{{"auth", "devicecode"}, {"loginEndpoint", lab.server.url().toString().toStdString()}};
    lab.logins->keep(*tokenPlan(same, *azureCloud(same), QProcessEnvironment()), u"r9"_s);
    lab.answers = {{400, refusal("invalid_grant")}};
    lab.release();
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(asking.value().value_or(QByteArray()), "Bearer a1"_ba);
    QVERIFY(lab.forms.last().contains("&refresh_token=r9&"));
    QVERIFY(lab.sink.prompts.isEmpty());
}

void TestEntraTokenSource::stoppedWhileAsking()
{
    LoginLab lab;
    lab.isHeld = true;
    lab.make(application);
    const Pending asking(lab.source->authorization({}, lab.stop.get_token()));
    QVERIFY(lab.setup.spin([&] { return !lab.server.requests().isEmpty(); }));
    lab.stop.request_stop();
    QVERIFY(lab.setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(asking.value().error().kind, Kind::cancelled);
}

QTEST_GUILESS_MAIN(TestEntraTokenSource)
#include "tst_entra_token_source.moc"
