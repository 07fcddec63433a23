// SPDX-License-Identifier: GPL-3.0-or-later
// Rarer ways to log in, and logins that something hinders, against a real sshd.
#include "ssh_fixture.h"

#include "services/core/one_shot.h"
#include "services/transport/agent_client.h"
#include "tests/fakes/trickle_relay.h"

#include <QElapsedTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QSet>
#include <QSignalSpy>
#include <QUdpSocket>

#include <array>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace transport;

class TestSshLogins : public QObject, private SshFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void certificate();
    void keyOfAnAgent();
    void fullAgent_data();
    void fullAgent();
    void algorithms_data();
    void algorithms();
    void silentAgent();
    void matchExec();
    void hostsOfTheSettings();
    void wrongPassphrase();
    void twoLoginsAskOnce_data();
    void twoLoginsAskOnce();
    void crowdAtTheDoor();
    void slowHostHindersNobody();
    void slowResolver(); // the last one: it changes the name servers of this process

private:
    QByteArray hostSettings(const QByteArray& name, const TestSshd& sshd) const
    {
        return "Host " + name + "\n  HostName 127.0.0.1\n  Port " + QByteArray::number(sshd.port()) + "\n  User "
            + TestSshd::userName().toUtf8() + '\n';
    }
    /// Its socket is there before it listens.
    static bool agentAnswers() { return QProcess::execute(u"ssh-add"_s, {u"-l"_s}) != 2; }
};

void TestSshLogins::certificate()
{
    // The account trusts an authority, not a key.
    TestSshd sshd;
    const QString authority = sshd.folder() + u"/authority"_s;
    QVERIFY(TestSshd::makeKey(authority));
    sshd.setOptions("TrustedUserCAKeys " + authority.toUtf8() + ".pub\nAuthorizedKeysFile none");
    QVERIFY(sshd.start());
    know(sshd);
    const QString key = m_home->filePath(u"key"_s);
    QVERIFY(TestSshd::makeKey(key));
    SshWish certified = wish(sshd);
    certified.keyFile = key;
    const auto bare = login(certified);
    QVERIFY(!bare);
    QCOMPARE(bare.error().kind, Kind::auth);
    QCOMPARE(QProcess::execute(u"ssh-keygen"_s,
                 {u"-q"_s, u"-s"_s, authority, u"-I"_s, u"test"_s, u"-n"_s, TestSshd::userName(), key + u".pub"_s}),
        0);
    const auto session = login(certified);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(run(**session, "echo in").out, QByteArray("in\n"));
    QVERIFY(sshd.log().contains("ED25519-CERT"));
}

void TestSshLogins::keyOfAnAgent()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    const QString socket = m_home->filePath(u"agent"_s);
    QProcess agent;
    agent.start(u"ssh-agent"_s, {u"-D"_s, u"-a"_s, socket});
    const auto ended = qScopeGuard([&agent] {
        agent.kill();
        agent.waitForFinished();
    });
    // The key is in the agent alone.
    qputenv("SSH_AUTH_SOCK", socket.toUtf8());
    QTRY_VERIFY_WITH_TIMEOUT(agentAnswers(), 30'000);
    QCOMPARE(QProcess::execute(u"ssh-add"_s, {u"-q"_s, sshd.userKey()}), 0);
    configure(hostSettings("lab", sshd));
    SshWish there;
    there.host = u"lab"_s;
    const auto session = login(there);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE((*session)->report().method, u"ssh-agent"_s);
    // Named by the settings, it need not be in the environment.
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY(!login(there));
    configure(hostSettings("lab", sshd) + "  IdentityAgent " + socket.toUtf8() + '\n');
    QVERIFY(login(there));
    configure(hostSettings("lab", sshd) + "  IdentityAgent none\n");
    qputenv("SSH_AUTH_SOCK", socket.toUtf8());
    QVERIFY(!login(there));
}

void TestSshLogins::fullAgent_data()
{
    QTest::addColumn<QByteArray>("settings"); ///< %1: the home folder
    QTest::addColumn<bool>("held");      ///< the right key is in the agent, behind others, and its private file is gone
    QTest::addColumn<QString>("method"); ///< empty: the login fails
    QTest::newRow("named by its public key") << QByteArray("IdentityFile %1/right.pub") << true << u"ssh-agent"_s;
    QTest::newRow("named, alone") << QByteArray("IdentityFile %1/right\n  IdentitiesOnly yes") << true
                                  << u"ssh-agent"_s;
    QTest::newRow("named, not in the agent") << QByteArray("IdentityFile %1/right") << false << u"public key right"_s;
    QTest::newRow("named, not in the agent, alone")
        << QByteArray("IdentityFile %1/right\n  IdentitiesOnly yes") << false << u"public key right"_s;
    QTest::newRow("others alone are not offered")
        << QByteArray("IdentityFile %1/none\n  IdentitiesOnly yes") << true << QString();
    QTest::newRow("nothing is named") << QByteArray("IdentityFile %1/none") << true << QString();
}

/// More keys than the server takes tries.
void TestSshLogins::fullAgent()
{
    QFETCH(QByteArray, settings);
    QFETCH(bool, held);
    QFETCH(QString, method);
    TestSshd sshd("MaxAuthTries 3");
    QVERIFY(sshd.start());
    know(sshd);
    const QString socket = m_home->filePath(u"agent"_s);
    QProcess agent;
    agent.start(u"ssh-agent"_s, {u"-D"_s, u"-a"_s, socket});
    const auto ended = qScopeGuard([&agent] {
        agent.kill();
        agent.waitForFinished();
    });
    qputenv("SSH_AUTH_SOCK", socket.toUtf8());
    QTRY_VERIFY_WITH_TIMEOUT(agentAnswers(), 30'000);
    const auto make = [this](const QString& name) {
        return QProcess::execute(u"ssh-keygen"_s,
                   {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-C"_s, name, u"-f"_s, m_home->filePath(name)})
            == 0;
    };
    for (int i = 1; i <= 6; ++i) {
        QVERIFY(make(u"stranger%1"_s.arg(i)));
        QCOMPARE(QProcess::execute(u"ssh-add"_s, {u"-q"_s, m_home->filePath(u"stranger%1"_s.arg(i))}), 0);
    }
    QVERIFY(make(u"right"_s));
    TestSshd::writeFile(sshd.folder() + u"/authorized_keys"_s, TestSshd::readFile(m_home->filePath(u"right.pub"_s)));
    if (held) {
        QCOMPARE(QProcess::execute(u"ssh-add"_s, {u"-q"_s, m_home->filePath(u"right"_s)}), 0);
        QVERIFY(QFile::remove(m_home->filePath(u"right"_s)));
    }
    configure(hostSettings("lab", sshd) + "  " + settings.replace("%1", m_home->path().toUtf8()) + '\n');
    SshWish there;
    there.host = u"lab"_s;
    const auto session = login(there);
    if (!method.isEmpty()) {
        QVERIFY2(session, session ? "" : qPrintable(session.error().message));
        QCOMPARE((*session)->report().method, method);
        return;
    }
    QVERIFY(!session);
    QCOMPARE(session.error().kind, Kind::auth);
    // The message names exactly the keys that were offered.
    const QString message = session.error().message;
    const bool isAlone = settings.contains("IdentitiesOnly");
    for (int i = 1; i <= 6; ++i)
        QVERIFY2(message.contains(u"stranger%1 "_s.arg(i)) == (!isAlone && i <= 3), qPrintable(message));
    QVERIFY2(isAlone || message.contains(u"4 more could not be offered"_s), qPrintable(message));
}

void TestSshLogins::algorithms_data()
{
    QTest::addColumn<QByteArray>("server");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QByteArray>("logged"); ///< by the server, after a login
    QTest::addColumn<QString>("error");
    const QString offer = u"useSshProgram"_s;
    QTest::newRow("ciphers and MACs") << QByteArray() << QByteArray("Ciphers aes192-ctr\n  MACs hmac-sha2-512")
                                      << QByteArray("cipher: aes192-ctr MAC: hmac-sha2-512") << QString();
    QTest::newRow("key exchange") << QByteArray() << QByteArray("KexAlgorithms ecdh-sha2-nistp384")
                                  << QByteArray("kex: algorithm: ecdh-sha2-nistp384") << QString();
    QTest::newRow("one less") << QByteArray("KexAlgorithms curve25519-sha256,ecdh-sha2-nistp521")
                              << QByteArray("KexAlgorithms -curve25519-sha256")
                              << QByteArray("kex: algorithm: ecdh-sha2-nistp521") << QString();
    QTest::newRow("host keys") << QByteArray() << QByteArray("HostKeyAlgorithms ssh-ed25519")
                               << QByteArray("host key algorithm: ssh-ed25519") << QString();
    QTest::newRow("host keys of another kind")
        << QByteArray() << QByteArray("HostKeyAlgorithms rsa-sha2-512") << QByteArray() << offer;
    QTest::newRow("unknown to libssh") << QByteArray() << QByteArray("KexAlgorithms sntrup761x25519-sha512@openssh.com")
                                       << QByteArray() << u"KexAlgorithms only sntrup761x25519-sha512@openssh.com"_s;
    QTest::newRow("server without ours") << QByteArray("KexAlgorithms sntrup761x25519-sha512@openssh.com")
                                         << QByteArray() << QByteArray() << offer;
    QTest::newRow("public keys") << QByteArray() << QByteArray("PubkeyAcceptedAlgorithms rsa-sha2-512") << QByteArray()
                                 << u"not offered: user_key"_s;
}

void TestSshLogins::algorithms()
{
    QFETCH(QByteArray, server);
    QFETCH(QByteArray, settings);
    QFETCH(QByteArray, logged);
    QFETCH(QString, error);
    TestSshd sshd("LogLevel DEBUG1\n" + server);
    QVERIFY(sshd.start());
    know(sshd);
    configure(hostSettings("lab", sshd) + "  IdentityFile " + sshd.userKey().toUtf8() + "\n  " + settings + '\n');
    SshWish there;
    there.host = u"lab"_s;
    const auto session = login(there);
    if (error.isEmpty()) {
        QVERIFY2(session, session ? "" : qPrintable(session.error().message));
        QVERIFY2(sshd.log().contains(logged), sshd.log().constData());
        return;
    }
    QVERIFY(!session);
    QVERIFY2(session.error().message.contains(error), qPrintable(session.error().message));
}

void TestSshLogins::silentAgent()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    QLocalServer silent; // accepts connections, and never sends anything
    QVERIFY(silent.listen(m_home->filePath(u"silent"_s)));
    qputenv("SSH_AUTH_SOCK", silent.fullServerName().toUtf8());
    configure(hostSettings("lab", sshd) + "  IdentityFile " + sshd.userKey().toUtf8() + '\n');
    SshWish there;
    there.host = u"lab"_s;
    const auto session = login(there);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE((*session)->report().method, u"public key user_key"_s);
    configure(hostSettings("lab", sshd));
    const auto refused = login(there);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::auth);
    QVERIFY2(
        refused.error().message.contains(u"ssh-agent (it does not answer)"_s), qPrintable(refused.error().message));
}

void TestSshLogins::matchExec()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    // Only the program `ssh` runs what decides.
    configure("Match host lab exec \"test -e " + m_home->path().toUtf8() + "/inside\"\n  Port "
        + QByteArray::number(sshd.port()) + "\n  IdentityFile " + sshd.userKey().toUtf8()
        + "\nHost lab\n  HostName 127.0.0.1\n  ConnectTimeout 70\n  User " + TestSshd::userName().toUtf8() + '\n');
    SshWish there;
    there.host = u"lab"_s;
    there.ownKnownHosts = m_home->filePath(u".ssh/known_hosts"_s); // that program knows no other home than the real one
    const auto outside = QCoro::waitFor(m_hub->resolve(there));
    QVERIFY2(outside, outside ? "" : qPrintable(outside.error().message));
    QCOMPARE(outside->port, 22);
    QCOMPARE(outside->timeoutMs, 70'000);
    TestSshd::writeFile(m_home->filePath(u"inside"_s), {});
    const auto session = login(there);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(run(**session, "echo $HOME").out.trimmed(), sshd.home().toUtf8());
}

void TestSshLogins::hostsOfTheSettings()
{
    configure(
        "Host lab1\n  HostName 10.4.0.14\n  Port 2222\n  User sam\n  IdentityFile ~/.ssh/id_lab\n  ProxyJump gate\n"
        "Host plain\n  HostName plain.example.org\nHost *\n  User anna\n"
        "Match host odd exec \"true\"\n  Port 7\nHost odd\n  Port 8\n");
    const auto names = QCoro::waitFor(m_hub->configuredHosts());
    QVERIFY(names);
    QCOMPARE(*names, (QStringList{u"lab1"_s, u"plain"_s, u"odd"_s}));
    const auto hosts = QCoro::waitFor(m_hub->describedHosts(*names));
    QVERIFY(hosts);
    QCOMPARE(hosts->keys(), (QStringList{u"lab1"_s, u"plain"_s})); // the program ssh alone knows of the other
    const SshHostConfig lab1 = hosts->value(u"lab1"_s);
    QCOMPARE(lab1.hostName, u"10.4.0.14"_s);
    QCOMPARE(lab1.port, 2222);
    QCOMPARE(lab1.user, u"sam"_s);
    QCOMPARE(lab1.identityFiles, QStringList{m_home->filePath(u".ssh/id_lab"_s)});
    QCOMPARE(lab1.proxyJump, u"gate"_s);
    const SshHostConfig plain = hosts->value(u"plain"_s);
    QCOMPARE(plain.hostName, u"plain.example.org"_s);
    QCOMPARE(plain.user, u"anna"_s);
    QCOMPARE(plain.identityFiles, QStringList());
}

void TestSshLogins::wrongPassphrase()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    SshWish locked = wish(sshd);
    locked.keyFile = m_home->filePath(u"locked"_s);
    QVERIFY(TestSshd::makeKey(locked.keyFile, u"ed25519"_s, u"right"_s));
    TestSshd::writeFile(sshd.folder() + u"/authorized_keys"_s, TestSshd::readFile(locked.keyFile + u".pub"_s));
    // Wrong in the settings, wrong again by a person, then there is no answer any more.
    locked.passphrase = Secret(u"wrong"_s);
    QStringList given{u"also wrong"_s};
    m_answers = [&given](const Prompt&) {
        PromptAnswer answer;
        answer.cancel = given.isEmpty();
        if (!given.isEmpty())
            answer.answers = {given.takeFirst()};
        return answer;
    };
    const auto refused = login(locked);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::auth);
    QVERIFY2(refused.error().message.contains(u"locked"_s), qPrintable(refused.error().message));
    QCOMPARE(m_asked.size(), 2);
    QVERIFY(m_asked.at(1).text.contains(u"was not the passphrase"_s));
    QVERIFY(!sshd.log().contains("Accepted publickey"));
}

void TestSshLogins::twoLoginsAskOnce_data()
{
    QTest::addColumn<bool>("accepts");
    QTest::newRow("answered") << true;
    QTest::newRow("refused") << false;
}

/// A machine and its check log in at once: what both ask is asked once.
void TestSshLogins::twoLoginsAskOnce()
{
    QFETCH(bool, accepts);
    TestSshd sshd("LogLevel DEBUG1");
    QVERIFY(sshd.start());
    SshWish locked = wish(sshd);
    locked.keyFile = m_home->filePath(u"locked"_s);
    QVERIFY(TestSshd::makeKey(locked.keyFile, u"ed25519"_s, u"right"_s));
    TestSshd::writeFile(sshd.folder() + u"/authorized_keys"_s, TestSshd::readFile(locked.keyFile + u".pub"_s));
    const auto target = QCoro::waitFor(m_hub->resolve(locked));
    QVERIFY(target);
    QStringList asked;
    QList<OneShot<PromptAnswer>> open;
    const SshAsk ask = [&](Prompt prompt) -> Task<PromptAnswer> {
        OneShot<PromptAnswer> shot;
        asked += prompt.kind;
        open += shot;
        const PromptAnswer answer = co_await shot.wait();
        co_return answer;
    };
    auto first = m_hub->open(*target, ask);
    auto second = m_hub->open(*target, ask);
    PromptAnswer answer;
    answer.accept = accepts;
    answer.answers = {u"right"_s};
    const QStringList wanted = accepts ? QStringList{u"hostKey"_s, u"secret"_s} : QStringList{u"hostKey"_s};
    for (int question = 1; question <= wanted.size(); ++question) {
        QTRY_VERIFY_WITH_TIMEOUT(asked.size() >= question, 30'000);
        // Both are past the step before it: the host key is shown, the locked key is offered.
        const QByteArray step = question == 1 ? "SSH2_MSG_NEWKEYS received" : "Postponed publickey";
        QTRY_VERIFY_WITH_TIMEOUT(sshd.log().count(step) >= 2, 60'000);
        // Both have come to it, or never ask.
        std::ignore = QTest::qWaitFor([&] { return asked.size() > question; }, 5'000);
        for (OneShot<PromptAnswer> shot : std::exchange(open, {}))
            shot.set(answer);
    }
    QTRY_VERIFY_WITH_TIMEOUT(first.isReady() && second.isReady(), 30'000);
    QCOMPARE(asked, wanted);
    for (auto* task : {&first, &second}) {
        const auto session = QCoro::waitFor(*task);
        QCOMPARE(session.has_value(), accepts);
        if (accepts)
            QCOMPARE(run(**session, "echo in").out, QByteArray("in\n"));
        else
            QCOMPARE(session.error().kind, Kind::conflict);
    }
}

void TestSshLogins::crowdAtTheDoor()
{
    // The server talks to one stranger at a time, and drops the others.
    TestSshd sshd("MaxStartups 1\nMaxSessions 1");
    QVERIFY(sshd.start());
    const SshLinkPlan there = plan(sshd);
    std::vector<std::unique_ptr<AgentClient>> clients;
    QSet<int> up;
    int logins = 0; // one each, and another one where an agent took too long to answer
    int tooMany = 0;
    std::array<QElapsedTimer, 6> sinceLogin;
    for (int i = 0; i < 6; ++i) {
        clients.push_back(std::make_unique<AgentClient>(
            &m_clock, [this, there] { return std::make_unique<SshLink>(m_hub.get(), there); }, u"svc"_s,
            u"m%1"_s.arg(i), 0));
        clients.back()->setReconnect({100, 2'000, 2'000, 0.5});
        connect(clients.back().get(), &AgentClient::up, this, [&up, i] { up += i; });
        connect(clients.back().get(), &AgentClient::examined, this, [&, i](const core::CheckStep& step) {
            if (step.id != u"login"_s || step.state != core::CheckState::ok)
                return;
            ++logins;
            tooMany += sinceLogin[i].isValid() && sinceLogin[i].elapsed() < 8'000 ? 1 : 0;
            sinceLogin[i].start();
        });
        clients.back()->start();
    }
    QTRY_COMPARE_WITH_TIMEOUT(up.size(), 6, 180'000);
    QTRY_COMPARE_WITH_TIMEOUT(sshd.log().count("Accepted publickey"), logins, 30'000);
    QCOMPARE(tooMany, 0);
    for (const auto& client : clients)
        QCoro::waitFor(client->close());
}

void TestSshLogins::slowHostHindersNobody()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    TrickleRelay trickle(sshd.port(), 1); // a byte a second, so that its logins last for ever
    TestSshd::writeFile(m_home->filePath(u".ssh/known_hosts"_s),
        sshd.knownHostsLine()
            + sshd.knownHostsLine().replace(QByteArray::number(sshd.port()), QByteArray::number(trickle.port())));
    SshWish slow = wish(sshd);
    slow.port = trickle.port();
    auto target = QCoro::waitFor(m_hub->resolve(slow));
    QVERIFY(target);
    target->timeoutMs = 4'000;
    // As many as there are login helpers, less one.
    std::vector<Task<Result<std::shared_ptr<SshSession>>>> stuck;
    for (int i = 1; i < SshHub::loginThreads; ++i)
        stuck.push_back(m_hub->open(*target, m_ask));
    QTRY_COMPARE_WITH_TIMEOUT(trickle.connections(), SshHub::loginThreads - 1, 30'000);
    std::vector<std::shared_ptr<SshSession>> good;
    for (int i = 0; i < 10; ++i) {
        const auto session = login(wish(sshd));
        QVERIFY2(session, session ? "" : qPrintable(session.error().message));
        good.push_back(*session);
        QCOMPARE(run(*good.back(), "echo here").out, QByteArray("here\n"));
    }
    // The slow ones are given up by their own time limit.
    for (auto& one : stuck) {
        const auto session = QCoro::waitFor(one);
        QVERIFY(!session);
        QVERIFY(session.error().kind == Kind::timeout || session.error().kind == Kind::network);
    }
}

void TestSshLogins::slowResolver()
{
    // In a plain chroot the root is no mount that could be made private.
    if (getuid() != 0 || ::unshare(CLONE_NEWNS) != 0
        || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        QSKIP("a name server of our own needs root and mount namespaces");
    QUdpSocket silent;
    if (!silent.bind(QHostAddress(u"127.53.53.53"_s), 53))
        QSKIP("there is no port for a name server of our own");
    const QByteArray settings = m_home->filePath(u"resolv.conf"_s).toUtf8();
    TestSshd::writeFile(QString::fromUtf8(settings), "nameserver 127.53.53.53\noptions timeout:40 attempts:1\n");
    QVERIFY(::mount(settings.constData(), "/etc/resolv.conf", nullptr, MS_BIND, nullptr) == 0);
    const auto restore = qScopeGuard([] { ::umount2("/etc/resolv.conf", MNT_DETACH); });

    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    configure("Host slow.test\n  ConnectTimeout 20\n"); // a login takes some seconds on a busy machine
    SshWish slow = wish(sshd);
    slow.host = u"slow.test"_s;
    const auto target = QCoro::waitFor(m_hub->resolve(slow));
    QVERIFY(target);
    auto waiting = m_hub->open(*target, m_ask);
    // Others get in meanwhile.
    QVERIFY(login(wish(sshd)));
    QVERIFY(!waiting.isReady());
    for (int i = 0; i < 2; ++i)
        QVERIFY(login(wish(sshd)));
    const auto session = QCoro::waitFor(waiting);
    QVERIFY(!session);
    QCOMPARE(session.error().kind, Kind::timeout);
    QVERIFY2(session.error().message.contains(u"slow.test"_s), qPrintable(session.error().message));
}

QTEST_GUILESS_MAIN(TestSshLogins)
#include "tst_ssh_logins.moc"
