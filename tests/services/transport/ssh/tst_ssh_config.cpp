// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/ssh/ssh_config.h"

#include "services/transport/ssh/ssh_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

SshConfigQuery queryFor(const QString& host)
{
    SshConfigQuery query;
    query.host = host;
    query.localUser = u"me"_s;
    query.localHost = u"desk.lab.example"_s;
    query.home = u"/home/me"_s;
    query.environment = {{u"KEYS"_s, u"/keys"_s}};
    return query;
}

SshHostConfig read(const QByteArray& text, const QString& host, const SshIncludes& includes = {})
{
    return evaluateSshConfig({text}, queryFor(host), includes);
}

} // namespace

class TestSshConfig : public QObject
{
    Q_OBJECT
private slots:
    void defaults();
    void firstValueWins();
    void systemFileComesSecond();
    void askedForWins();
    void patterns_data();
    void patterns();
    void spelling();
    void tokens();
    void proxies();
    void match_data();
    void match();
    void includes();
    void includesThatNameThemselves();
    void listsHosts();
    void answerOfTheProgram();
    void addresses_data();
    void addresses();
    void addressesRefused_data();
    void addressesRefused();
    void namesRefused_data();
    void namesRefused();
    void portsRefused();
    void portThatIsNone_data();
    void portThatIsNone();
    void tokensForAShell_data();
    void tokensForAShell();
    void namesReachNoShell_data();
    void namesReachNoShell();
};

void TestSshConfig::defaults()
{
    const SshHostConfig config = read("", u"lab1"_s);
    QCOMPARE(config.hostName, u"lab1"_s);
    QCOMPARE(config.port, 22);
    QCOMPARE(config.user, u"me"_s);
    QCOMPARE(config.identityFiles.size(), 3);
    QVERIFY(config.identityFiles.contains(u"/home/me/.ssh/id_ed25519"_s));
    QCOMPARE(config.userKnownHosts.first(), u"/home/me/.ssh/known_hosts"_s);
    QCOMPARE(config.globalKnownHosts.first(), u"/etc/ssh/ssh_known_hosts"_s);
    QVERIFY(!config.needsProgram && config.proxyJump.isEmpty() && config.proxyCommand.isEmpty());
}

void TestSshConfig::firstValueWins()
{
    const QByteArray text = "Host lab*\n  User anna\n  IdentityFile ~/.ssh/lab\n"
                            "Host lab1\n  User berta\n  Port 2222\n  IdentityFile /other/key\n"
                            "Host *\n  Port 99\n  User zoe\n";
    const SshHostConfig config = read(text, u"lab1"_s);
    QCOMPARE(config.user, u"anna"_s);
    QCOMPARE(config.port, 2222);
    QCOMPARE(config.identityFiles, (QStringList{u"/home/me/.ssh/lab"_s, u"/other/key"_s}));
    QCOMPARE(read(text, u"elsewhere"_s).user, u"zoe"_s);
}

void TestSshConfig::systemFileComesSecond()
{
    const auto config = evaluateSshConfig({"Host a\n  User one\n", "User two\nPort 7\n"}, queryFor(u"a"_s), {});
    QCOMPARE(config.user, u"one"_s);
    QCOMPARE(config.port, 7);
}

void TestSshConfig::askedForWins()
{
    SshConfigQuery query = queryFor(u"a"_s);
    query.user = u"asked"_s;
    query.port = 4;
    const auto config = evaluateSshConfig({"User file\nPort 5\nIdentityFile %r.%p\n"}, query, {});
    QCOMPARE(config.user, u"asked"_s);
    QCOMPARE(config.port, 4);
    QCOMPARE(config.identityFiles, QStringList{u"/home/me/asked.4"_s});
}

void TestSshConfig::patterns_data()
{
    QTest::addColumn<QString>("patterns");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("matches");
    QTest::newRow("same") << u"lab1"_s << u"lab1"_s << true;
    QTest::newRow("case") << u"Lab1"_s << u"lAB1"_s << true;
    QTest::newRow("star") << u"*.example"_s << u"a.b.example"_s << true;
    QTest::newRow("star in the middle") << u"a*z"_s << u"az"_s << true;
    QTest::newRow("question mark") << u"lab?"_s << u"lab12"_s << false;
    QTest::newRow("refused") << u"lab*,!lab3"_s << u"lab3"_s << false;
    QTest::newRow("only a refusal") << u"!lab3"_s << u"lab1"_s << false;
    QTest::newRow("nothing") << QString() << u"lab1"_s << false;
    QTest::newRow("many stars") << u"*a*a*a*a*a*a*a*a*b"_s << QString(200, u'a') << false;
}

void TestSshConfig::patterns()
{
    QFETCH(QString, patterns);
    QFETCH(QString, text);
    QFETCH(bool, matches);
    QCOMPARE(matchesSshPatterns({patterns}, text), matches);
}

void TestSshConfig::spelling()
{
    const SshHostConfig config = read("# words\n\n  hOST=\"lab1\"   other\r\n\tHostName = host.example # note\n  "
                                      "Port=17\n  IdentityFile \"/a b/key\"\n"
                                      "  IdentitiesOnly YES\n  Port 18\n  Unknown thing\n  User\n",
        u"lab1"_s);
    QCOMPARE(config.hostName, u"host.example"_s);
    QCOMPARE(config.port, 17);
    QCOMPARE(config.identityFiles, QStringList{u"/a b/key"_s});
    QVERIFY(config.identitiesOnly);
    QCOMPARE(config.user, u"me"_s);
    QCOMPARE(read("Port 70000\nPort 3\n", u"a"_s).port, 22); // the first value stood there, and is none
}

void TestSshConfig::tokens()
{
    const SshHostConfig config =
        read("Host lab1\n  HostName %h.example\n  User anna\n  IdentityFile %d/%n/%h/%L/%u/%%/${KEYS}\n"
             "  ProxyCommand nc --user %r %h %p\n  IdentityAgent ~/agent\n",
            u"lab1"_s);
    QCOMPARE(config.hostName, u"lab1.example"_s);
    QCOMPARE(config.identityFiles, QStringList{u"/home/me/lab1/lab1.example/desk/me/%//keys"_s});
    QCOMPARE(config.proxyCommand, u"nc --user anna lab1.example 22"_s);
    QCOMPARE(config.identityAgent, u"/home/me/agent"_s);
}

void TestSshConfig::proxies()
{
    QCOMPARE(read("ProxyJump a,b@c:2\nProxyCommand x\n", u"h"_s).proxyJump, u"a,b@c:2"_s);
    QCOMPARE(read("ProxyJump a\nProxyCommand x\n", u"h"_s).proxyCommand, QString());
    QCOMPARE(read("ProxyCommand x\nProxyJump a\n", u"h"_s).proxyJump, QString());
    QCOMPARE(read("ProxyJump none\n", u"h"_s).proxyJump, QString());
    QCOMPARE(read("Host h\n  ProxyJump none\nHost *\n  ProxyJump gate\n", u"h"_s).proxyJump, QString());
}

void TestSshConfig::match_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("applies");
    QTest::addColumn<bool>("needsProgram");
    QTest::newRow("all") << QByteArray("Match all") << true << false;
    QTest::newRow("host") << QByteArray("Match host *.example,other") << true << false;
    QTest::newRow("original") << QByteArray("Match originalhost lab1") << true << false;
    QTest::newRow("original, other") << QByteArray("Match originalhost *.example") << false << false;
    QTest::newRow("refused") << QByteArray("Match !host other") << true << false;
    QTest::newRow("user") << QByteArray("Match user anna localuser me") << true << false;
    QTest::newRow("both must hold") << QByteArray("Match user anna localuser you") << false << false;
    QTest::newRow("exec") << QByteArray("Match exec \"test -e /x\"") << false << true;
    QTest::newRow("final") << QByteArray("Match final") << false << true;
    QTest::newRow("empty") << QByteArray("Match") << false << false;
}

void TestSshConfig::match()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, applies);
    QFETCH(bool, needsProgram);
    const SshHostConfig config =
        read("Host lab1\n  HostName %h.example\n  User anna\n" + line + "\n  Port 9\n", u"lab1"_s);
    QCOMPARE(config.port == 9, applies);
    QCOMPARE(config.needsProgram, needsProgram);
}

void TestSshConfig::includes()
{
    QStringList asked;
    const SshIncludes files = [&asked](const QString& pattern) -> QList<QByteArray> {
        asked += pattern;
        if (pattern.endsWith(u"one"_s))
            return {"User included\nHost other\n  Port 1\n"};
        return {};
    };
    const SshHostConfig config =
        read("Host lab1\n  Include one ~/two /three/*\n  Port 5\nHost nobody\n  Include one\n", u"lab1"_s, files);
    QCOMPARE(config.user, u"included"_s);
    QCOMPARE(config.port, 5); // the included file's Host ended with it
    QCOMPARE(asked, (QStringList{u"/home/me/.ssh/one"_s, u"/home/me/two"_s, u"/three/*"_s}));
}

void TestSshConfig::includesThatNameThemselves()
{
    int reads = 0;
    const SshIncludes files = [&reads](const QString&) -> QList<QByteArray> {
        ++reads;
        return {"Include self\nUser x\n"};
    };
    QCOMPARE(read("Include self\n", u"a"_s, files).user, u"x"_s);
    QVERIFY(reads < 20);
}

void TestSshConfig::listsHosts()
{
    const SshIncludes files = [](const QString&) -> QList<QByteArray> { return {"Host three\n"}; };
    const QByteArray text = "Host one two *.example !no ?\n  Port 1\nInclude more\nHost one\nMatch host four\n";
    QCOMPARE(sshConfigHosts({text}, u"/home/me"_s, files), (QStringList{u"one"_s, u"two"_s, u"three"_s}));
}

void TestSshConfig::answerOfTheProgram()
{
    // As `ssh -G lab1` prints it.
    const SshHostConfig config = read("host lab1\nuser anna\nhostname 10.0.0.4\nport 2200\nidentitiesonly no\n"
                                      "identityfile ~/.ssh/id_x\nuserknownhostsfile /home/me/.ssh/known_hosts\n"
                                      "proxyjump gate\ncanonicalizehostname false\n",
        u"lab1"_s);
    QCOMPARE(config.hostName, u"10.0.0.4"_s);
    QCOMPARE(config.port, 2200);
    QCOMPARE(config.user, u"anna"_s);
    QCOMPARE(config.proxyJump, u"gate"_s);
    QVERIFY(!config.needsProgram);
}

void TestSshConfig::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("host") << u"lab1"_s << QString() << u"lab1"_s << 0;
    QTest::newRow("user") << u"anna@lab1.example"_s << u"anna"_s << u"lab1.example"_s << 0;
    QTest::newRow("port") << u"anna@lab1:2222"_s << u"anna"_s << u"lab1"_s << 2222;
    QTest::newRow("url") << u"ssh://anna@lab1:22/"_s << u"anna"_s << u"lab1"_s << 22;
    QTest::newRow("IPv6") << u"::1"_s << QString() << u"::1"_s << 0;
    QTest::newRow("IPv6 and port") << u"a@[fe80::1%eth0]:5"_s << u"a"_s << u"fe80::1%eth0"_s << 5;
    QTest::newRow("domain") << u"LAB\\anna@lab1"_s << u"LAB\\anna"_s << u"lab1"_s << 0;
    QTest::newRow("letters of the world") << u"änne+x@rechner-ä"_s << u"änne+x"_s << u"rechner-ä"_s << 0;
    QTest::newRow("realm") << u"anna@realm@lab1"_s << u"anna@realm"_s << u"lab1"_s << 0;
}

void TestSshConfig::addresses()
{
    QFETCH(QString, text);
    QFETCH(QString, user);
    QFETCH(QString, host);
    QFETCH(int, port);
    const auto address = parseSshAddress(text);
    QVERIFY(address);
    QCOMPARE(address->user, user);
    QCOMPARE(address->host, host);
    QCOMPARE(address->port, port);
    QCOMPARE(*parseSshAddress(addressText(*address)), *address);
    QCOMPARE(*addressOfEntry(machineEntry(*address)), *address);
}

void TestSshConfig::addressesRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "@lab1", "lab1:", "lab1:0", "lab1:70000", "lab1:x", "[::1", "[::1]x",
             "[::1]:", "-oProxyCommand=x", "a@-x", "-a@x", "la b", "a;b", "a`b", "a$(b)", "a\nb", "x@"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestSshConfig::addressesRefused()
{
    QFETCH(QString, text);
    const auto address = parseSshAddress(text);
    QVERIFY(!address);
    QCOMPARE(address.error().kind, Kind::invalid);
}

void TestSshConfig::namesRefused_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named"); // in the sentence
    for (const char c : QByteArray("'\"$`<>|&;(){}*?[]!~#"))
        for (const char* field : {"user", "host"})
            QTest::addRow("%s with %c", field, c) << QString::fromLatin1(field) << u"x"_s + QLatin1Char(c) + u'y'
                                                  << u'`' + QString(QLatin1Char(c)) + u'`';
    QTest::newRow("a command as user") << u"user"_s << u"x$(id)"_s << u"`$`"_s;
    QTest::newRow("line break in a user") << u"user"_s << u"x\ny"_s << u"U+000A"_s;
    QTest::newRow("a format character in a user") << u"user"_s << u"x\u202ey"_s << u"U+202E"_s;
    QTest::newRow("blank before a user") << u"user"_s << u" x"_s << u"blanks at its ends"_s;
    QTest::newRow("blank behind a user") << u"user"_s << u"x "_s << u"blanks at its ends"_s;
    QTest::newRow("user as an option") << u"user"_s << u"-oProxyCommand=x"_s << u"must not begin with `-`"_s;
    QTest::newRow("no user") << u"user"_s << QString() << u"is empty"_s;
    QTest::newRow("user ends with \\") << u"user"_s << u"x\\"_s << u"`\\`"_s;
    QTest::newRow("user begins with \\") << u"user"_s << u"\\x"_s << u"`\\`"_s;
    QTest::newRow("two \\ in a user") << u"user"_s << u"a\\b\\c"_s << u"`\\`"_s;
    QTest::newRow("\\ in a host") << u"host"_s << u"a\\b"_s << u"`\\`"_s;
    QTest::newRow("blank in a host") << u"host"_s << u"a b"_s << u"` `"_s;
    QTest::newRow("null in a host") << u"host"_s << u"a"_s + QChar(0) + u'b' << u"U+0000"_s;
    QTest::newRow("% in a name") << u"host"_s << u"a%h"_s << u"`%`"_s;
    QTest::newRow("host as an option") << u"host"_s << u"-F/tmp/x"_s << u"must not begin with `-`"_s;
    QTest::newRow("no host") << u"host"_s << QString() << u"is empty"_s;
}

void TestSshConfig::namesRefused()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(QString, named);
    const Result<> checked = field == u"user" ? checkSshUser(text) : checkSshHost(text);
    QVERIFY(!checked);
    QCOMPARE(checked.error().kind, Kind::invalid);
    QVERIFY2(checked.error().message.startsWith(u"The "_s + field), qPrintable(checked.error().message));
    QVERIFY2(checked.error().message.contains(named), qPrintable(checked.error().message));
    for (const QChar c : checked.error().message.text())
        QVERIFY(c.isPrint());
    if (field == u"user" && !text.isEmpty())
        QVERIFY(!addressOfEntry({{"host", "lab1"}, {"user", text}}));
}

void TestSshConfig::portThatIsNone_data()
{
    QTest::addColumn<QByteArray>("port");
    for (const char* port : {"0", "65536", "-1", "22x", "2222222222222", "ssh", "\"\""})
        QTest::newRow(port) << QByteArray(port);
}

void TestSshConfig::portThatIsNone()
{
    QFETCH(QByteArray, port);
    const QByteArray file = "Host lab1\n  Port " + port + "\nHost *\n  Port 99\n";
    const auto config = evaluateSshConfig({file}, queryFor(u"lab1"_s), {});
    for (const QString& word : {u"lab1"_s, u"1 to 65535"_s, u"~/.ssh/config"_s})
        QVERIFY2(config.refusal.contains(word), qPrintable(config.refusal));
    SshConfigQuery asked = queryFor(u"lab1"_s);
    asked.port = 2222; // a machine with a port of its own does not need it
    const auto other = evaluateSshConfig({file}, asked, {});
    QVERIFY(other.refusal.isEmpty());
    QCOMPARE(other.port, 2222);
}

void TestSshConfig::portsRefused()
{
    for (const qint64 port : {qint64(0), qint64(-1), qint64(65'536), qint64(4'294'967'318)}) {
        QVERIFY(!checkSshPort(port));
        QVERIFY(checkSshPort(port).error().message.contains(u"The port %1"_s.arg(port)));
        QVERIFY(!addressOfEntry({{"host", "lab1"}, {"port", port}}));
    }
    QVERIFY(checkSshPort(1) && checkSshPort(65'535));
}

void TestSshConfig::tokensForAShell_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QString>("command"); // empty: refused
    QTest::newRow("plain") << u"anna@realm"_s << QByteArray("ProxyCommand nc %r %h %p %%")
                           << u"nc anna@realm lab1 22 %"_s;
    QTest::newRow("left to the shell") << u"anna"_s << QByteArray("ProxyCommand ~/nc ${GATE} %x %")
                                       << u"~/nc ${GATE} %x %"_s;
    QTest::newRow("a command as user") << u"x$(id)"_s << QByteArray("ProxyCommand nc %r") << QString();
    QTest::newRow("not used") << u"x$(id)"_s << QByteArray("ProxyCommand nc %h") << u"nc lab1"_s;
    QTest::newRow("quoted") << u"x'y"_s << QByteArray("ProxyCommand nc '%r'") << QString();
    QTest::newRow("an option") << u"-x"_s << QByteArray("ProxyCommand nc %r") << QString();
    QTest::newRow("a blank") << u"x y"_s << QByteArray("ProxyCommand nc %r") << QString();
    QTest::newRow("a domain") << u"LAB\\x"_s << QByteArray("ProxyCommand nc %r") << QString();
    QTest::newRow("in HostName") << u"x"_s << QByteArray("HostName a`b`\nProxyCommand nc %h") << QString();
    QTest::newRow("in HostKeyAlias") << u"x"_s << QByteArray("HostKeyAlias a;b\nProxyCommand nc %k") << QString();
}

void TestSshConfig::tokensForAShell()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, settings);
    QFETCH(QString, command);
    SshConfigQuery query = queryFor(u"lab1"_s);
    query.user = user;
    const SshHostConfig config = evaluateSshConfig({settings + '\n'}, query, {});
    QCOMPARE(config.proxyCommand, command);
    QCOMPARE(config.refusal.isEmpty(), !command.isEmpty());
    if (command.isEmpty())
        QVERIFY2(config.refusal.contains(u"ProxyCommand of your SSH settings for lab1"_s), qPrintable(config.refusal));
}

void TestSshConfig::namesReachNoShell_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("settings"); // TOUCH makes the file that must not be there
    QTest::addColumn<QString>("says");
    QTest::newRow("ProxyCommand") << u"x$(TOUCH)"_s << QByteArray("ProxyCommand nc %r") << u"The user"_s;
    QTest::newRow("Match exec") << u"x$(TOUCH)"_s << QByteArray("Match exec \"echo %r\"\n  Port 9") << u"The user"_s;
    QTest::newRow("a blank in Match exec")
        << u"x y"_s << QByteArray("Match exec \"echo %r\"\n  Port 9") << u"program `ssh`"_s;
    QTest::newRow("User of the settings")
        << QString() << QByteArray("User x;TOUCH\nProxyCommand nc %h") << u"Your SSH settings for lab1"_s;
    QTest::newRow("HostName of the settings") << QString() << QByteArray("HostName a;TOUCH") << u"The host"_s;
}

void TestSshConfig::namesReachNoShell()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, settings);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const QString trace = folder.filePath(u"trace"_s);
    const QString touch = u"touch${IFS}"_s + trace;
    QFile file(folder.filePath(u"config"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(settings.replace("TOUCH", touch.toUtf8()) + '\n');
    file.close();
    SshWish wish;
    wish.host = u"lab1"_s;
    if (!user.isEmpty())
        wish.user = user.replace(u"TOUCH"_s, touch);
    const Result<SshTarget> target = resolveSshTarget(wish, {file.fileName()}, folder.path());
    QVERIFY(!target);
    QCOMPARE(target.error().kind, Kind::invalid);
    QVERIFY2(target.error().message.contains(says), qPrintable(target.error().message));
    QVERIFY(!QFile::exists(trace));
    if (wish.user) {
        const auto opened = openBySshProgram(wish, "true");
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Kind::invalid);
    }
}

QTEST_GUILESS_MAIN(TestSshConfig)
#include "tst_ssh_config.moc"
