// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens in the text of a kubeconfig, and in its file.
#include "services/platforms/kubernetes/kubeconfig_tokens.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

/// As kubectl writes one, with a comment of a person.
const QByteArray kubectlText = R"(apiVersion: v1
clusters:
- cluster:
    server: https://kube.lab:6443
  name: lab
contexts: # ours
- context: {cluster: lab, user: ada}
  name: lab
current-context: lab
kind: Config
users:
- name: eve
  user:
    auth-provider:
      config:
        id-token: old-id
        refresh-token: old-refresh
      name: oidc
- name: ada
  user:
    auth-provider:
      config:
        client-id: k
        id-token: old-id
        idp-issuer-url: https://idp.lab
        refresh-token: old-refresh # the second one
      name: oidc
)";

class ConfigFile
{
public:
    explicit ConfigFile(const QByteArray& text = kubectlText)
    {
        login.user = u"ada"_s;
        login.file = m_folder.filePath(u"config"_s);
        write(login.file, text);
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    [[nodiscard]] QByteArray text() const
    {
        QFile file(login.file);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] QStringList names() const { return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden); }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    OidcLogin login;

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestKubeconfigTokens : public QObject
{
    Q_OBJECT
private slots:
    void reads();
    void replaces();
    void waysToWrite_data();
    void waysToWrite();
    void refusesWhatItDoesNotUnderstand_data();
    void refusesWhatItDoesNotUnderstand();
    void stores();
    void storesThroughALink();
    void leavesANewerLogin();
    void lockFile();
    void oneRenewalAtATime();
};

void TestKubeconfigTokens::reads()
{
    QCOMPARE(*readOidcTokens(kubectlText, u"/k"_s, u"ada"_s), (OidcTokens{"old-id", "old-refresh"}));
    const auto none = readOidcTokens(kubectlText, u"/k"_s, u"bob"_s);
    QVERIFY(!none && none.error().kind == Kind::not_found);
    QCOMPARE(none.error().message.text(), u"/k has no such user any more."_s);
    QVERIFY(!readOidcTokens("users: [{name: ada, user: {token: a}}]", u"/k"_s, u"ada"_s));
    QVERIFY(!readOidcTokens("{", u"/k"_s, u"ada"_s));
}

void TestKubeconfigTokens::replaces()
{
    const auto written = withOidcTokens(kubectlText, u"ada"_s, {"new.id", "new-refresh"});
    QVERIFY(written);
    QByteArray expected = kubectlText;
    const qsizetype ada = expected.indexOf("- name: ada");
    expected.replace(expected.indexOf("old-id", ada), 6, "new.id");
    expected.replace(expected.indexOf("old-refresh", ada), 11, "new-refresh");
    QCOMPARE(*written, expected);
    // One alone.
    expected = kubectlText;
    expected.replace(expected.indexOf("old-id", ada), 6, "new.id");
    QCOMPARE(*withOidcTokens(kubectlText, u"ada"_s, {"new.id", {}}), expected);
}

void TestKubeconfigTokens::waysToWrite_data()
{
    QTest::addColumn<QByteArray>("config"); ///< below `config:`, of several lines with their indents, or of one
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("double quotes") << " {id-token: \"a\\\"b\", refresh-token: \"c\"}"_ba
                                   << " {id-token: \"I\", refresh-token: \"R\"}"_ba;
    QTest::newRow("single quotes") << " {'id-token': 'it''s', refresh-token: 'c'}"_ba
                                   << " {'id-token': \"I\", refresh-token: \"R\"}"_ba;
    QTest::newRow("JSON") << R"( {"id-token":"a","refresh-token":"c"})"_ba
                          << R"( {"id-token": "I","refresh-token": "R"})"_ba;
    QTest::newRow("JSON without an ID token") << R"( {"refresh-token": "c"})"_ba
                                              << R"( {"id-token": "I", "refresh-token": "R"})"_ba;
    QTest::newRow("no ID token") << "\n        client-id: k\n        refresh-token: c\n"_ba
                                 << "\n        client-id: k\n        id-token: I\n        refresh-token: R\n"_ba;
    QTest::newRow("no ID token, lines of Windows")
        << "\r\n        client-id: k\r\n        refresh-token: c\r\n"_ba
        << "\r\n        client-id: k\r\n        id-token: I\r\n        refresh-token: R\r\n"_ba;
    QTest::newRow("no ID token, first in a list of one line")
        << " {refresh-token: c, client-id: k}"_ba
        << " {\"id-token\": \"I\", refresh-token: R, client-id: k}"_ba;
    QTest::newRow("no refresh token") << "\n        id-token: a\n"_ba
                                      << "\n        refresh-token: R\n        id-token: I\n"_ba;
    QTest::newRow("empty") << "\n        id-token:\n        refresh-token: \"\"\n"_ba
                           << "\n        id-token: I\n        refresh-token: \"R\"\n"_ba;
    QTest::newRow("comment") << "\n        id-token: a # one\n        refresh-token:   c\t# two\n"_ba
                             << "\n        id-token: I # one\n        refresh-token:   R\t# two\n"_ba;
}

void TestKubeconfigTokens::waysToWrite()
{
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, after);
    const auto text = [](const QByteArray& part) {
        return "users:\n- name: ada\n  user:\n    auth-provider:\n      name: oidc\n      config:" + part
            + "\ncurrent-context: \"ü\" # last\n";
    };
    const auto written = withOidcTokens(text(config), u"ada"_s, {"I", "R"});
    QVERIFY2(written, written ? "" : qPrintable(written.error().message));
    QCOMPARE(*written, text(after));
    // What YAML would take for something else is quoted.
    for (const QByteArray& odd : {"1234"_ba, "true"_ba, "a: b"_ba, "a #b"_ba, "*x"_ba, "0x1f"_ba, "\"q\\"_ba, "~"_ba}) {
        const auto changed = withOidcTokens(text(config), u"ada"_s, {"I", odd});
        QVERIFY2(changed, odd.constData());
        QCOMPARE(readOidcTokens(*changed, u"/k"_s, u"ada"_s)->refresh, odd);
    }
}

void TestKubeconfigTokens::refusesWhatItDoesNotUnderstand_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray head = "users:\n- name: ada\n  user:\n    auth-provider:\n      name: oidc\n      config:\n";
    QTest::newRow("a text of lines") << head + "        id-token: >-\n          a\n        refresh-token: c\n";
    QTest::newRow("quoted over lines") << head + "        id-token: \"a\n          b\"\n        refresh-token: c\n";
    QTest::newRow("anchor") << head + "        id-token: &x a\n        refresh-token: *x\n";
    QTest::newRow("from elsewhere") << "x: &d {id-token: a, refresh-token: c}\n" + head
            + "        <<: *d\n        client-id: k\n";
    QTest::newRow("no tokens") << head + "        client-id: k\n";
    QTest::newRow("another login") << "users: [{name: ada, user: {token: a}}]"_ba;
    QTest::newRow("another user") << "users: [{name: eve, user: {auth-provider: {config: {id-token: a}}}}]"_ba;
    QTest::newRow("no list") << "users: {ada: a}"_ba;
    QTest::newRow("no YAML") << "users: ["_ba;
    QTest::newRow("empty") << QByteArray();
}

void TestKubeconfigTokens::refusesWhatItDoesNotUnderstand()
{
    QFETCH(QByteArray, text);
    const auto written = withOidcTokens(text, u"ada"_s, {"I", "R"});
    QVERIFY2(!written, written ? written->constData() : "");
    QCOMPARE(written.error().message.text(), u"Its tokens stand there in a way that cannot be changed in place."_s);
}

void TestKubeconfigTokens::stores()
{
    const ConfigFile file;
    const Result<> stored = storeOidcTokens(file.login, {"old-id", "old-refresh"}, {"new-id", "new-refresh"});
    QVERIFY2(stored, stored ? "" : qPrintable(stored.error().message));
    QCOMPARE(*readOidcTokens(file.text(), file.login.file, u"ada"_s), (OidcTokens{"new-id", "new-refresh"}));
    QCOMPARE(*readOidcTokens(file.text(), file.login.file, u"eve"_s), (OidcTokens{"old-id", "old-refresh"}));
    QCOMPARE(QFile::permissions(file.login.file) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QCOMPARE(file.names(), (QStringList{u"config"_s})); // no lock, nothing temporary
}

void TestKubeconfigTokens::storesThroughALink()
{
    ConfigFile file;
    QVERIFY(QFile::link(file.login.file, file.path(u"link"_s)));
    file.login.file = file.path(u"link"_s);
    QVERIFY(storeOidcTokens(file.login, {"old-id", "old-refresh"}, {"new-id", "new-refresh"}));
    QVERIFY(QFileInfo(file.path(u"link"_s)).isSymLink());
    QCOMPARE(*readOidcTokens(file.text(), file.login.file, u"ada"_s), (OidcTokens{"new-id", "new-refresh"}));
}

void TestKubeconfigTokens::leavesANewerLogin()
{
    const ConfigFile file;
    QVERIFY(storeOidcTokens(file.login, {"old-id", "before"}, {"new-id", "new-refresh"}));
    QCOMPARE(file.text(), kubectlText);
}

void TestKubeconfigTokens::lockFile()
{
    const ConfigFile file;
    ConfigFile::write(file.path(u"config.lock"_s), {});
    const Result<> stored = storeOidcTokens(file.login, {"old-id", "old-refresh"}, {"new-id", "new-refresh"});
    QVERIFY(!stored && stored.error().kind == Kind::conflict);
    QCOMPARE(stored.error().message.text(),
        u"The file %1.lock is there. Remove it, unless a kubectl is at work."_s.arg(file.login.file));
    QCOMPARE(file.text(), kubectlText);
    QCOMPARE(file.names(), (QStringList{u"config"_s, u"config.lock"_s})); // it is another one's
}

void TestKubeconfigTokens::oneRenewalAtATime()
{
    const ConfigFile file;
    QVERIFY(QFile::link(file.login.file, file.path(u"link"_s)));
    auto first = RenewalLock::tryTake(file.login.file);
    QVERIFY(first);
    QVERIFY(!RenewalLock::tryTake(file.login.file));
    QVERIFY(!RenewalLock::tryTake(file.path(u"link"_s)));
    first.reset();
    QVERIFY(RenewalLock::tryTake(file.login.file));
    QVERIFY(RenewalLock::tryTake(u"/no/such/folder/config"_s)); // nothing to keep others out with
    QCOMPARE(file.names(), (QStringList{u"config"_s, u"link"_s}));
}

QTEST_GUILESS_MAIN(TestKubeconfigTokens)
#include "tst_kubeconfig_tokens.moc"
