// SPDX-License-Identifier: GPL-3.0-or-later
// Credentials of each kind, asked for as a client asks.
#include "kube_fixtures.h"
#include "kube_setup.h"

#include "services/platforms/kubernetes/exec_token_source.h"
#include "services/platforms/kubernetes/token_sources.h"

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

QString shownToken(const Result<QByteArray>& given)
{
    return given ? QString::fromUtf8(*given) : kindName(given.error().kind) + u": "_s + given.error().message.text();
}

/// A program that answers what stands in a file, and notes that and how it was run.
class Plugin
{
public:
    Plugin() { answer(R"({"token":"t1"})"); }

    [[nodiscard]] PluginLogin login() const
    {
        PluginLogin login;
        login.plugin.command = write(u"plugin"_s,
            "#!/bin/sh\ncd '" + m_folder.path().toUtf8()
                + "'\necho \"$*|$A|$KUBERNETES_EXEC_INFO|$(cat | wc -c)|$(test -t 0 && echo terminal)\" >> runs\n. "
                  "./body\n");
        login.plugin.arguments = QStringList{u"a b"_s, u"$HOME;exit"_s};
        login.plugin.environment = {{u"A"_s, u"b"_s}};
        login.plugin.apiVersion = u"client.authentication.k8s.io/v1"_s;
        return login;
    }
    /// What its shell does.
    void body(const QByteArray& script) const { write(u"body"_s, script); }
    void answer(const QByteArray& status) const
    {
        write(u"answer"_s,
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" + status + "}");
        body("cat answer\n");
    }
    [[nodiscard]] QByteArrayList runs() const
    {
        QFile file(m_folder.filePath(u"runs"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n') : QByteArrayList();
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

private:
    QString write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

} // namespace

class TestTokenSources : public QObject
{
    Q_OBJECT
private slots:
    void fixed();
    void file();
    void fileFaults();
    void fileWithAFirstToken();
    void plugin();
    void pluginExpires();
    void pluginRefused();
    void pluginGivesTheSameAgain();
    void pluginFails();
    void pluginTakesTooLong();
    void pluginPrintsTooMuch();
    void pluginIsNotThere();
    void pluginStopped();
    void oneRunForAll();
    void noSecretInErrors();
};

void TestTokenSources::fixed()
{
    KubeSetup setup(QUrl{});
    FixedAuthorization token(StaticToken{"abc"});
    QCOMPARE(shownToken(setup.wait(token.authorization({}, {}))), u"Bearer abc"_s);
    QCOMPARE(shownToken(setup.wait(token.authorization("Bearer abc", {}))),
        u"auth: The cluster does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_s);
    FixedAuthorization login(BasicLogin{"ada", "p:w ü"});
    QCOMPARE(shownToken(setup.wait(login.authorization({}, {}))),
        u"Basic "_s + QString::fromLatin1(QByteArray("ada:p:w ü").toBase64()));
}

void TestTokenSources::file()
{
    KubeSetup setup(QUrl{});
    auto files = std::make_shared<QByteArray>(" one\n");
    auto reads = std::make_shared<int>(0);
    TokenFileSource source(
        {u"/t"_s, {}}, &setup.clock, &setup.strand, [files, reads](const QString&) -> Result<QByteArray> {
            ++*reads;
            return *files;
        });
    const auto ask = [&](const QByteArray& rejected) {
        return shownToken(setup.wait(source.authorization(rejected, {})));
    };
    QCOMPARE(ask({}), u"Bearer one"_s);
    *files = "two";
    setup.clock.advance(59'999);
    QCOMPARE(ask({}), u"Bearer one"_s);
    QCOMPARE(*reads, 1);
    setup.clock.advance(1);
    QCOMPARE(ask({}), u"Bearer two"_s); // once a minute
    *files = "three";
    QCOMPARE(ask("Bearer two"), u"Bearer three"_s); // and after a refusal
    QCOMPARE(ask("Bearer three"),
        u"auth: The cluster does not accept the token in /t (401), and there is no newer one yet. It is read again with the next request."_s);
    *files = "four";
    QCOMPARE(ask("Bearer three"), u"Bearer four"_s);
    QCOMPARE(*reads, 5);
}

void TestTokenSources::fileFaults()
{
    KubeSetup setup(QUrl{});
    KubeFiles files;
    const auto ask = [&] {
        TokenFileSource source({u"/t"_s, {}}, &setup.clock, &setup.strand, files.reader());
        return shownToken(setup.wait(source.authorization({}, {})));
    };
    QCOMPARE(ask(), u"auth: The token of the kubeconfig cannot be read: The file /t is not there."_s);
    files.files.insert(u"/t"_s, " \n");
    QCOMPARE(ask(), u"auth: The file of the token, /t, is empty."_s);
    files.files.insert(u"/t"_s, "a\nb");
    QCOMPARE(ask(), u"auth: The file of the token, /t, holds something else than a token."_s);
}

void TestTokenSources::fileWithAFirstToken()
{
    KubeSetup setup(QUrl{});
    auto token = std::make_shared<std::optional<QByteArray>>();
    TokenFileSource source(
        {u"/t"_s, "first"}, &setup.clock, &setup.strand, [token](const QString&) -> Result<QByteArray> {
            if (!*token)
                return fail(Kind::not_found, u"gone"_s);
            return **token;
        });
    const auto ask = [&] { return shownToken(setup.wait(source.authorization({}, {}))); };
    QCOMPARE(ask(), u"Bearer first"_s);
    *token = "second";
    QCOMPARE(ask(), u"Bearer second"_s);
    setup.clock.advance(60'000);
    *token = ""; // as it is written anew
    QCOMPARE(ask(), u"Bearer second"_s);
    token->reset();
    QCOMPARE(ask(), u"Bearer second"_s);
}

void TestTokenSources::plugin()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    PluginLogin login = plugin.login();
    login.cluster = Json{{"server", "h:6443"}};
    ExecTokenSource source(login, &setup.commands, &setup.clock);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), u"Bearer t1"_s);
    // Once; no shell read its arguments; nothing came on standard input, which is no terminal.
    QCOMPARE(plugin.runs(),
        (QByteArrayList{
            R"(a b $HOME;exit|b|{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false,"cluster":{"server":"h:6443"}}}|0|)"}));
}

void TestTokenSources::pluginExpires()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    const auto answer = [&](const char* token, qint64 inMs) {
        plugin.answer(R"({"token":")" + QByteArray(token) + R"(","expirationTimestamp":")"
            + QDateTime::fromMSecsSinceEpoch(setup.clock.nowMs() + inMs, Qt::UTC).toString(Qt::ISODate).toUtf8()
            + "\"}");
    };
    answer("t1", 60'000);
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    const auto ask = [&] { return shownToken(setup.wait(source.authorization({}, {}))); };
    QCOMPARE(ask(), u"Bearer t1"_s);
    answer("t2", 3'600'000);
    setup.clock.advance(49'999);
    QCOMPARE(ask(), u"Bearer t1"_s);
    setup.clock.advance(1);
    QCOMPARE(ask(), u"Bearer t2"_s);
    setup.clock.advance(3'600'000);
    answer("t3", -1'000);
    QCOMPARE(ask(),
        u"auth: The program %1 gave credentials of the cluster that have expired already. Log in with it again."_s.arg(
            plugin.path(u"plugin"_s)));
    QCOMPARE(plugin.runs().size(), 3);
}

void TestTokenSources::pluginRefused()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), u"Bearer t1"_s);
    plugin.answer(R"({"token":"t2"})");
    QCOMPARE(shownToken(setup.wait(source.authorization("Bearer t1", {}))), u"Bearer t2"_s);
    QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), u"Bearer t2"_s);
    QCOMPARE(plugin.runs().size(), 2);
}

void TestTokenSources::pluginGivesTheSameAgain()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    QVERIFY(setup.wait(source.authorization({}, {})));
    const QString refused =
        u"auth: The cluster does not accept what the program %1 gives (401), and it gave the same again. Log in with it anew."_s
            .arg(plugin.path(u"plugin"_s));
    QCOMPARE(shownToken(setup.wait(source.authorization("Bearer t1", {}))), refused);
    // It is not run for every request now.
    for (int i = 0; i < 5; ++i)
        QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), refused);
    QCOMPARE(plugin.runs().size(), 2);
    setup.clock.advance(30'000);
    QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), u"Bearer t1"_s);
}

void TestTokenSources::pluginFails()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    plugin.body("echo hunter2hunter2; echo 'token=hunter2hunter2 is bad' >&2; echo 'Please log in' >&2; exit 3\n");
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    const auto ask = [&] { return shownToken(setup.wait(source.authorization({}, {}))); };
    QCOMPARE(ask(),
        u"auth: The program %1, which gives the cluster's credentials, failed (exit code 3): token=… is bad / Please log in"_s
            .arg(plugin.path(u"plugin"_s)));
    plugin.answer(R"({"token":"t2"})");
    setup.clock.advance(29'999);
    QVERIFY(ask().startsWith(u"auth"_s));
    setup.clock.advance(1);
    QCOMPARE(ask(), u"Bearer t2"_s);
    QCOMPARE(plugin.runs().size(), 2);
}

void TestTokenSources::pluginTakesTooLong()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    plugin.body("echo 'Open https://login in a browser' >&2\nsleep 1000\n");
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    const Pending asking(source.authorization({}, {}));
    QVERIFY(setup.spin([&] { return plugin.runs().size() == 1; }));
    setup.clock.advance(59'000);
    QVERIFY(!asking.isDone());
    setup.clock.advance(1'000);
    QVERIFY(setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(shownToken(asking.value()),
        u"timeout: The program %1, which gives the cluster's credentials, did not end in time. Run it by hand: it may want a login."_s
            .arg(plugin.path(u"plugin"_s)));
}

void TestTokenSources::pluginPrintsTooMuch()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    plugin.body("exec cat /dev/zero\n");
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    const QString shown = shownToken(setup.wait(source.authorization({}, {})));
    QVERIFY2(shown.endsWith(u"printed more than any credentials."_s), qPrintable(shown));
}

void TestTokenSources::pluginIsNotThere()
{
    KubeSetup setup(QUrl{});
    PluginLogin login = Plugin().login();
    login.plugin.command = u"trialdeck-no-such-plugin"_s;
    login.plugin.installHint = u"Get it at x.\n\x1b[31m"_s;
    ExecTokenSource source(login, &setup.commands, &setup.clock);
    QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))),
        u"auth: The program trialdeck-no-such-plugin, which gives the cluster's credentials, is not there. Install it, or give its path in the kubeconfig. The kubeconfig says: Get it at x.⏎␛[31m"_s);
}

void TestTokenSources::pluginStopped()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    plugin.body("sleep 1000\n");
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    std::stop_source stop;
    const Pending asking(source.authorization({}, stop.get_token()));
    QVERIFY(setup.spin([&] { return plugin.runs().size() == 1; }));
    stop.request_stop();
    QVERIFY(setup.spin([&] { return asking.isDone(); }));
    QCOMPARE(asking.value().error().kind, Kind::cancelled);
    // That is no failure of the program.
    plugin.answer(R"({"token":"t2"})");
    QCOMPARE(shownToken(setup.wait(source.authorization({}, {}))), u"Bearer t2"_s);
}

void TestTokenSources::oneRunForAll()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
    std::vector<Pending<Result<ExecCredential>>> asking;
    for (int i = 0; i < 10; ++i)
        asking.emplace_back(source.credential({}));
    QVERIFY(setup.spin(
        [&] { return std::all_of(asking.begin(), asking.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : asking)
        QCOMPARE(one.value()->token, "t1"_ba);
    QCOMPARE(plugin.runs().size(), 1);
}

void TestTokenSources::noSecretInErrors()
{
    KubeSetup setup(QUrl{});
    const Plugin plugin;
    for (const QByteArray& script :
        {"echo hunter2hunter2"_ba, "echo 'hunter2hunter2' '{' ; exit 0"_ba,
            "echo 'Bearer hunter2hunter2' >&2; exit 1"_ba, "echo '{\"token\": \"hunter2hunter2\"}' >&2; exit 1"_ba,
            R"(echo '{"kind":"ExecCredential","status":{"token":"hunter2hunter2"}}')"_ba,
            R"(echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"hunter2hunter2\n"x}}')"_ba}) {
        plugin.body(script + "\n");
        ExecTokenSource source(plugin.login(), &setup.commands, &setup.clock);
        const auto given = setup.wait(source.authorization({}, {}));
        QVERIFY(!given);
        const QString all = given.error().message + given.error().detail;
        QVERIFY2(!all.contains(u"hunter2"_s), qPrintable(all));
    }
}

QTEST_GUILESS_MAIN(TestTokenSources)
#include "tst_token_sources.moc"
