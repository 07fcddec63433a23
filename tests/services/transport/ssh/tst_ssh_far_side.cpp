// SPDX-License-Identifier: GPL-3.0-or-later
// What is reached through a login: agents, brought there by whatever shell, and whole services; against a real sshd.
#include "ssh_fixture.h"

#include "services/core/json.h"
#include "services/transport/ssh/ssh_tunnel.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/trickle_relay.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <algorithm>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

/// A link that connects, with all its signals.
struct Talk
{
    Talk(SshHub* hub, const SshLinkPlan& plan)
        : link(hub, plan)
    {
        link.start();
    }
    /// Opened or closed.
    [[nodiscard]] bool isDecided() const { return !opened.isEmpty() || !closed.isEmpty(); }
    [[nodiscard]] Error error() const { return closed.value(0).value(0).value<Error>(); }

    SshLink link;
    QSignalSpy opened{&link, &SshLink::opened};
    QSignalSpy closed{&link, &SshLink::closed};
    QSignalSpy frames{&link, &SshLink::frame};
    QSignalSpy examined{&link, &SshLink::examined};
    QSignalSpy waiting{&link, &SshLink::waiting};
};

} // namespace

class TestSshFarSide : public QObject, private SshFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void tunnelToAService();
    void serviceIsBroughtOnRequest();
    void byTheProgram();
    void bringsTheAgentOnce();
    void noisyShell_data();
    void noisyShell();
    void folderThatCannotBeWritten();
    void folderThatOthersCanChange();
    void serverThatForbidsCommands();
    void oneSessionIsEnough();
    void slowLinkBringsTheAgent();
    void silentShellIsQuoted_data();
    void silentShellIsQuoted();
    void preCommandIsQuoted_data();
    void preCommandIsQuoted();
    void refusalRightBehindTheQuestion();
    void removalSparesALoginThatBegins_data();
    void removalSparesALoginThatBegins();

private:
    fakes::FakeClock m_still; ///< of a hub whose time the test moves
};

void TestSshFarSide::tunnelToAService()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    // A service in miniature: it publishes where it is, and answers one line.
    QLocalServer service;
    connect(&service, &QLocalServer::newConnection, this, [&service] {
        QLocalSocket* socket = service.nextPendingConnection();
        connect(socket, &QLocalSocket::readyRead, socket, [socket] { socket->write("heard " + socket->readAll()); });
    });
    // Its port may be another user's by now.
    QTcpServer stranger;
    QVERIFY(stranger.listen(QHostAddress::LocalHost));
    configure("Host there\n  HostName 127.0.0.1\n  Port " + QByteArray::number(sshd.port()) + "\n  User "
        + TestSshd::userName().toUtf8() + "\n  IdentityFile " + sshd.userKey().toUtf8() + "\n");
    SshTunnel tunnel(m_hub.get(), m_ask);
    const QString own = m_home->filePath(u"own"_s);
    const auto none = QCoro::waitFor(tunnel.open(QUrl(u"ssh://there"_s), own, {}));
    QVERIFY(!none);
    QCOMPARE(none.error().kind, Kind::not_found);
    const QString data = sshd.home() + u"/.local/share/trialdeck"_s;
    QDir().mkpath(data);
    TestSshd::writeFile(data + u"/token"_s, "the-token\n");
    Json endpoint{{"url", "http://127.0.0.1:" + std::to_string(stranger.serverPort())},
        {"tokenFile", data + u"/token"_s}, {"pid", qint64(getpid())}};
    for (const QString& useless : {QString(), u"relative"_s, u'/' + QString(107, u'x')}) {
        endpoint["socket"] = useless;
        TestSshd::writeFile(data + u"/endpoint.json"_s, dumpJson(endpoint));
        const auto refused = QCoro::waitFor(tunnel.open(QUrl(u"ssh://there"_s), own, {}));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.contains(u"has no socket"_s), qPrintable(refused.error().message));
    }
    QVERIFY2(service.listen(data + u"/socket"_s), qPrintable(service.errorString()));
    endpoint["socket"] = data + u"/socket"_s;
    TestSshd::writeFile(data + u"/endpoint.json"_s, dumpJson(endpoint));
    const auto end = QCoro::waitFor(tunnel.open(QUrl(u"ssh://there"_s), own, {}));
    QVERIFY2(end, end ? "" : qPrintable(end.error().message));
    QCOMPARE(end->token, QByteArray("the-token"));
    const auto talks = [port = quint16(QUrl(end->url).port())] {
        QTcpSocket socket;
        QByteArray heard;
        socket.connectToHost(u"127.0.0.1"_s, port);
        socket.write("hello");
        const bool over = QTest::qWaitFor(
            [&] {
                heard += socket.readAll();
                return heard == "heard hello" || socket.state() == QAbstractSocket::UnconnectedState;
            },
            30'000);
        return over && heard == "heard hello";
    };
    QVERIFY(talks());
    sshd.cut(); // a laptop that slept: the next connection makes the session anew
    QVERIFY(talks() || talks());
    QVERIFY(!stranger.hasPendingConnections());
}

void TestSshFarSide::serviceIsBroughtOnRequest()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    configure("Host there\n  HostName 127.0.0.1\n  Port " + QByteArray::number(sshd.port()) + "\n  User "
        + TestSshd::userName().toUtf8() + "\n  IdentityFile " + sshd.userKey().toUtf8() + "\n");
    // Trialdeck in miniature: asked for its GPUs it publishes a service, and needs the keeper beside itself for that.
    const QString here = m_home->filePath(u"programs"_s);
    QDir().mkdir(here);
    const auto write = [&](const QByteArray& atVersion) {
        TestSshd::writeFile(here + u"/trialdeckd"_s,
            "#!/bin/sh\ncase $1 in --version) " + atVersion
                + ";; gpus) [ -x \"$(dirname \"$(readlink -f \"$0\")\")/trialkeeper\" ] || exit 1; "
                  "d=$HOME/.local/share/trialdeck; "
                  "mkdir -p $d; echo secret >$d/token; echo \"{\\\"url\\\": \\\"http://127.0.0.1:1\\\", "
                  "\\\"socket\\\": \\\"$d/socket\\\", \\\"tokenFile\\\": \\\"$d/token\\\", \\\"pid\\\": "
                + QByteArray::number(getpid()) + "}\" >$d/endpoint.json;; esac\n");
    };
    TestSshd::writeFile(here + u"/trialkeeper"_s, QByteArray(3'000'000, 'k'));
    const QString own = m_home->filePath(u"own"_s);
    const TunnelHelp help{true, {here + u"/trialdeckd"_s, here + u"/trialkeeper"_s}};
    const QString lib = sshd.home() + u"/.local/lib/trialdeck"_s;
    SshTunnel tunnel(m_hub.get(), m_ask);
    const auto open = [&] { return QCoro::waitFor(tunnel.open(QUrl(u"ssh://there"_s), own, help)); };
    write("echo 'libQt6Core.so.6: cannot open shared object file' >&2; exit 127");

    const auto refused = open(); // by the person
    QVERIFY(!refused);
    QCOMPARE(m_asked.size(), 1);
    QVERIFY(m_asked.first().text.contains(u"not installed on there"_s));
    QVERIFY(!QFile::exists(lib));
    m_answers = [](const Prompt&) {
        PromptAnswer answer;
        answer.accept = true;
        return answer;
    };
    const auto broken = open();
    QVERIFY(!broken);
    QVERIFY2(broken.error().message.contains(u"libQt6Core.so.6"_s), qPrintable(broken.error().message));
    QVERIFY(!QFile::exists(lib));
    write("echo trialdeckd 1");
    const auto end = open();
    QVERIFY2(end, end ? "" : qPrintable(end.error().message));
    QCOMPARE(end->token, QByteArray("secret"));
    QCOMPARE(QFileInfo(lib + u"/trialkeeper"_s).size(), 3'000'000);
    QCOMPARE(m_asked.size(), 3);
    QVERIFY(open()); // it runs: nothing is asked, nothing copied
    QCOMPARE(m_asked.size(), 3);
}

void TestSshFarSide::byTheProgram()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    // It reads its settings from the account's real home: everything is named by this folder's own program before it.
    const QString bin = m_home->filePath(u"bin"_s);
    QDir().mkdir(bin);
    TestSshd::writeFile(bin + u"/ssh"_s,
        "#!/bin/sh\nexec /usr/bin/ssh -F " + m_home->filePath(u".ssh/config"_s).toUtf8() + " \"$@\"\n");
    QFile::setPermissions(bin + u"/ssh"_s, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([path] { qputenv("PATH", path); });
    qputenv("PATH", bin.toUtf8() + ':' + path);
    const auto settings = [&](const QByteArray& host, const QByteArray& key) {
        return "Host " + host + "\n  HostName 127.0.0.1\n  Port " + QByteArray::number(sshd.port())
            + "\n  UserKnownHostsFile " + m_home->filePath(u".ssh/known_hosts"_s).toUtf8() + "\n  IdentityFile " + key
            + "\n  IdentitiesOnly yes\n  ControlMaster auto\n  ControlPath " + m_home->path().toUtf8()
            + "/control-%n\n  ControlPersist yes\n";
    };
    QVERIFY(TestSshd::makeKey(m_home->filePath(u"other"_s)));
    configure(settings("there", sshd.userKey().toUtf8()) + settings("shut", m_home->filePath(u"other"_s).toUtf8()));
    SshLinkPlan there = plan(sshd);
    there.wish = {};
    there.wish.user = TestSshd::userName();
    there.wish.byProgram = true;

    struct Case
    {
        QString host;
        bool known;
        std::optional<Kind> error;
    };
    for (const Case& each : {Case{u"there"_s, false, Kind::conflict}, Case{u"shut"_s, true, Kind::auth},
             Case{u"there"_s, true, {}}, Case{u"there"_s, true, {}}}) {
        there.wish.host = each.host;
        TestSshd::writeFile(m_home->filePath(u".ssh/known_hosts"_s), each.known ? sshd.knownHostsLine() : QByteArray());
        Talk talk(m_hub.get(), there);
        QTRY_VERIFY_WITH_TIMEOUT(talk.isDecided(), 30'000);
        if (each.error) {
            const Error error = talk.error();
            QCOMPARE(talk.closed.size(), 1);
            QVERIFY2(error.kind == *each.error && error.message.contains(each.host), qPrintable(error.message));
            continue;
        }
        QVERIFY2(talk.closed.isEmpty(), qPrintable(talk.error().message));
        QVERIFY(talk.link.send(hello));
        QTRY_COMPARE_WITH_TIMEOUT(talk.frames.size(), 1, 30'000);
        talk.link.close();
        QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
        QCOMPARE(talk.error().kind, Kind::cancelled);
    }
    QCOMPARE(sshd.log().count("Accepted publickey"), 1); // the second one travelled through the first one's connection
}

void TestSshFarSide::bringsTheAgentOnce()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    for (const bool brought : {true, false}) {
        Talk talk(m_hub.get(), plan(sshd));
        QTRY_VERIFY_WITH_TIMEOUT(talk.isDecided(), 30'000);
        QVERIFY2(talk.closed.isEmpty(), qPrintable(talk.error().message));
        QCOMPARE(talk.examined.size(), 3);
        QCOMPARE(talk.examined.at(2).at(0).value<core::CheckStep>().detail.contains(u"brought"_s), brought);
        QVERIFY(talk.link.send(hello));
        QTRY_COMPARE_WITH_TIMEOUT(talk.frames.size(), 1, 30'000);
        QVERIFY(talk.frames.at(0).at(0).toByteArray().contains("\"hostname\""));
        talk.link.close();
        QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
        QCOMPARE(talk.error().kind, Kind::cancelled);
    }
    const QDir bin(sshd.home() + u"/.local/share/trialdeck-agent/bin"_s);
    const QStringList versions = bin.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(versions.size(), 1);
    QCOMPARE(QDir(bin.filePath(versions[0])).entryList(QDir::Files | QDir::Hidden), QStringList{u"trialkeeper"_s});
}

void TestSshFarSide::noisyShell_data()
{
    QTest::addColumn<QByteArray>("shell");
    QTest::addColumn<bool>("noisy");
    QTest::newRow("bash, a banner") << QByteArray("echo 'Welcome to lab'; printf 'no end of line'; bash -c") << true;
    QTest::newRow("dash") << QByteArray("dash -c") << false;
    QTest::newRow("zsh") << QByteArray("zsh -c") << false;
    QTest::newRow("fish") << QByteArray("fish -c") << false;
    QTest::newRow("tcsh") << QByteArray("tcsh -c") << false;
}

void TestSshFarSide::noisyShell()
{
    QFETCH(QByteArray, shell);
    QFETCH(bool, noisy);
    const QByteArray program = shell.split(' ').value(shell.split(' ').size() - 2);
    if (QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty())
        QSKIP("this shell is not installed");
    TestSshd sshd;
    TestSshd::writeFile(sshd.folder() + u"/shell"_s, shell + " \"$SSH_ORIGINAL_COMMAND\"\n");
    sshd.setOptions("ForceCommand sh " + sshd.folder().toUtf8() + "/shell");
    QVERIFY(sshd.start());
    Talk talk(m_hub.get(), plan(sshd));
    QTRY_VERIFY_WITH_TIMEOUT(talk.isDecided(), 30'000);
    QVERIFY2(talk.closed.isEmpty(), qPrintable(talk.error().message));
    const auto step = talk.examined.at(2).at(0).value<core::CheckStep>();
    QCOMPARE(step.state.word(), noisy ? u"warn"_s : u"ok"_s);
    if (noisy)
        QVERIFY(step.detail.contains(u"Welcome to lab"_s));
    QVERIFY(talk.link.send(hello));
    QTRY_COMPARE_WITH_TIMEOUT(talk.frames.size(), 1, 30'000);
}

void TestSshFarSide::folderThatCannotBeWritten()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    SshLinkPlan there = plan(sshd);
    there.place.base = u"/proc/nothing"_s; // also root cannot
    Talk talk(m_hub.get(), there);
    QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
    const Error error = talk.error();
    QCOMPARE(error.kind, Kind::resource);
    QVERIFY2(error.message.contains(u"/proc/nothing"_s) && error.message.contains(u"scratchDir"_s),
        qPrintable(error.message));
}

void TestSshFarSide::folderThatOthersCanChange()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    SshLinkPlan there = plan(sshd);
    there.place.base = u"/tmp"_s; // of root, and sticky: fine above the agent's folder, not as that folder
    Talk talk(m_hub.get(), there);
    QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
    const Error error = talk.error();
    QCOMPARE(error.kind, Kind::invalid);
    QVERIFY2(error.message.startsWith(u"/tmp can be changed by other users (drwxrwxrwt)"_s), qPrintable(error.message));
    QVERIFY(!QFile::exists(u"/tmp/bin"_s));
}

void TestSshFarSide::serverThatForbidsCommands()
{
    TestSshd sshd("ForceCommand echo 'This account is for backups.'; exit 1");
    QVERIFY(sshd.start());
    Talk talk(m_hub.get(), plan(sshd));
    QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
    const Error error = talk.error();
    QVERIFY2(error.message.contains(u"This account is for backups."_s), qPrintable(error.message));
}

void TestSshFarSide::oneSessionIsEnough()
{
    TestSshd sshd("MaxSessions 1\nMaxStartups 1");
    QVERIFY(sshd.start());
    Talk talk(m_hub.get(), plan(sshd));
    QTRY_COMPARE_WITH_TIMEOUT(talk.opened.size(), 1, 30'000);
    QCOMPARE(sshd.log().count("Accepted publickey"), 1);
}

/// Sending it takes longer than a step of the start may, and each byte of it is a sign of life.
void TestSshFarSide::slowLinkBringsTheAgent()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    TrickleRelay thin(sshd.port(), 32 * 1024, 50);
    SshLinkPlan there = plan(sshd);
    there.wish.port = thin.port();
    TestSshd::writeFile(m_home->filePath(u".ssh/known_hosts"_s),
        sshd.knownHostsLine().replace(QByteArray::number(sshd.port()), QByteArray::number(thin.port())));
    there.ownKeeper = m_home->filePath(u"trialkeeper"_s);
    TestSshd::writeFile(there.ownKeeper, "#!/bin/sh\nexit 0\n" + QByteArray(1'000'000, '#'));
    there.startWithinMs = 20'000; // some of it goes by while the last bytes are on their way
    Talk talk(m_hub.get(), there);
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(talk.isDecided(), 150'000);
    QVERIFY2(talk.opened.size() == 1, qPrintable(talk.error().message));
    QVERIFY2(timer.elapsed() > there.startWithinMs, "the link was not slow enough to tell anything");
    QStringList told;
    for (const QList<QVariant>& each : std::as_const(talk.waiting))
        told += each.value(0).value<core::Message>();
    QVERIFY2(told.contains(u"sending the agent: 50 % of 1.0 MB"_s), qPrintable(told.join(u'|')));
}

void TestSshFarSide::silentShellIsQuoted_data()
{
    QTest::addColumn<QByteArray>("shell");
    QTest::addColumn<QString>("says");
    QTest::newRow("a question") << QByteArray("echo Welcome; printf 'Accept the terms? [y/n] '")
                                << u"the last that it printed: Welcome⏎Accept the terms? [y/n]"_s;
    QTest::newRow("on standard error") << QByteArray("printf '\\033[1mCode: ' >&2")
                                       << u"the last that it printed: ␛[1mCode:"_s;
    QTest::newRow("much") << QByteArray("seq 1 9999; printf 'Group: '") << u"9998⏎9999⏎Group:"_s;
    QTest::newRow("nothing") << QByteArray("true") << u"it printed nothing"_s;
}

void TestSshFarSide::silentShellIsQuoted()
{
    QFETCH(QByteArray, shell);
    QFETCH(QString, says);
    TestSshd sshd;
    const QString printed = sshd.folder() + u"/printed"_s;
    TestSshd::writeFile(sshd.folder() + u"/shell"_s, shell + "; : >" + printed.toUtf8() + "; exec sleep 1000\n");
    sshd.setOptions("ForceCommand sh " + sshd.folder().toUtf8() + "/shell");
    QVERIFY(sshd.start());
    m_hub = std::make_unique<SshHub>(&m_still);
    SshLinkPlan there = plan(sshd);
    there.startWithinMs = 8'000;
    Talk talk(m_hub.get(), there);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(printed), 60'000);
    // What it printed has all the time for its way to us.
    QVERIFY(QTest::qWaitFor(
        [&] {
            m_still.advance(10);
            return !talk.closed.isEmpty();
        },
        60'000));
    QCOMPARE(talk.closed.size(), 1);
    const Error error = talk.error();
    QCOMPARE(error.kind, Kind::timeout);
    QVERIFY2(error.message.contains(says), qPrintable(error.message));
    QVERIFY2(error.message.size() < 700, qPrintable(error.message));
}

void TestSshFarSide::preCommandIsQuoted_data()
{
    QTest::addColumn<QString>("setup");
    QTest::addColumn<QString>("says");
    QTest::newRow("fails") << u"echo 'module: not found' >&2; (exit 7)"_s
                           << u"preCommand failed with exit code 7: module: not found"_s;
    QTest::newRow("fails without a word") << u"(exit 7)"_s << u"preCommand failed with exit code 7."_s;
    QTest::newRow("ends the shell") << u"echo 'no licence is free' >&2; exit 5"_s
                                    << u"(exit code 5); it said: no licence is free"_s;
    QTest::newRow("spoils what follows") << u"echo 'few files' >&2; ulimit -n 6"_s << u"few files"_s;
}

void TestSshFarSide::preCommandIsQuoted()
{
    QFETCH(QString, setup);
    QFETCH(QString, says);
    TestSshd sshd;
    QVERIFY(sshd.start());
    SshLinkPlan there = plan(sshd);
    there.place.setup = setup;
    Talk talk(m_hub.get(), there);
    QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
    QVERIFY2(talk.error().message.contains(says), qPrintable(talk.error().message));
}

/// The script asks for the agent and at once says that it cannot take it: both lines come as one.
void TestSshFarSide::refusalRightBehindTheQuestion()
{
    TestSshd sshd;
    TestSshd::writeFile(sshd.folder() + u"/shell"_s,
        R"(n=$(printf %s "$SSH_ORIGINAL_COMMAND" | sed -n 's/.*deck-\([0-9a-z]*\) .*/\1/p'))"
        "\nprintf 'trialdeck-%s send %s\\ntrialdeck-%s fail write cannot fork\\n' $n $(uname -m) $n; exit 3\n");
    sshd.setOptions("ForceCommand sh " + sshd.folder().toUtf8() + "/shell");
    QVERIFY(sshd.start());
    Talk talk(m_hub.get(), plan(sshd));
    QTRY_COMPARE_WITH_TIMEOUT(talk.closed.size(), 1, 30'000);
    QVERIFY2(
        talk.error().message.contains(u"did not arrive whole"_s) && talk.error().message.contains(u"(cannot fork)"_s),
        qPrintable(talk.error().message));
}

void TestSshFarSide::removalSparesALoginThatBegins_data()
{
    QTest::addColumn<bool>("waits");
    QTest::newRow("before its agent") << true;
    QTest::newRow("before its greeting") << false;
}

/// A check removes all that it brought, beside the login of another service that found the agent there and has not started it yet, or not greeted it.
void TestSshFarSide::removalSparesALoginThatBegins()
{
    QFETCH(bool, waits);
    TestSshd sshd;
    QVERIFY(sshd.start());
    const QString base = sshd.home() + u"/.local/share/trialdeck-agent"_s;
    const QString begun = sshd.folder() + u"/begun"_s;
    const QString go = sshd.folder() + u"/go"_s;
    const auto greets = [](Talk& talk, const QByteArray& service) {
        return talk.link.send(QByteArray(hello).replace("svc", service))
            && QTest::qWaitFor([&talk] { return !talk.frames.isEmpty(); }, 30'000);
    };
    const auto removesAll = [](Talk& talk) {
        return talk.link.send(R"({"m":"remove","req":1,"all":true})")
            && QTest::qWaitFor(
                [&talk] {
                    return std::ranges::any_of(talk.frames, [](const QList<QVariant>& frame) {
                        return frame[0].toByteArray().contains(R"("m":"removed")");
                    });
                },
                30'000);
    };
    Talk check(m_hub.get(), plan(sshd));
    QTRY_VERIFY_WITH_TIMEOUT(check.isDecided(), 30'000);
    QVERIFY2(check.closed.isEmpty(), qPrintable(check.error().message));
    QVERIFY(greets(check, "checks"));
    SshLinkPlan slow = plan(sshd);
    if (waits)
        slow.place.setup = u": >'%1'; while [ ! -e '%2' ]; do sleep 0.05; done"_s.arg(begun, go);
    Talk other(m_hub.get(), slow);
    QTRY_VERIFY_WITH_TIMEOUT(waits ? QFileInfo::exists(begun) : other.isDecided(), 30'000);
    QVERIFY(removesAll(check));
    QVERIFY(!QFileInfo::exists(base + u"/checks"_s));
    TestSshd::writeFile(go, {});
    QTRY_VERIFY_WITH_TIMEOUT(other.isDecided(), 30'000);
    QVERIFY2(other.closed.isEmpty(), qPrintable(other.error().message));
    QVERIFY(greets(other, "works"));
    // It is the last one: nothing is left behind it.
    QVERIFY(removesAll(other));
    QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(base), 30'000);
}

QTEST_GUILESS_MAIN(TestSshFarSide)
#include "tst_ssh_far_side.moc"
