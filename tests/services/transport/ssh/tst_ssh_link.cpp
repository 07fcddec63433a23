// SPDX-License-Identifier: GPL-3.0-or-later
// Logins, host keys, ways and channels, against a real sshd.
#include "ssh_fixture.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace transport;

class TestSshLink : public QObject, private SshFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void logsInWithAKey();
    void firstContactAsks();
    void firstContactRefused();
    void changedHostKeyBlocks();
    void hashedKnownHosts();
    void wrongKeyIsRefused();
    void lockedKeyAsksItsPassphrase();
    void rsaKey();
    void passwords_data();
    void passwords();
    void keyAndThenACode();
    void nobodyListens();
    void jumpHost();
    void proxyCommand();
    void execAndExitCode();
    void largeOutputAndInput();
    void silenceEndsTheSession();
    void stoppedProcessKeepsItsSession();
    void nothingWaitsForABeat();
    void sessionOutlivesTheHub();

private:
    /// An sshd that knows an account `pw` with a password, in a mount namespace of its own. False where that cannot be had.
    bool startWithPasswords(TestSshd& sshd, const QByteArray& options);
};

void TestSshLink::logsInWithAKey()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    const auto session = login(wish(sshd));
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE((*session)->report().hostKeyState, u"known"_s);
    QCOMPARE((*session)->report().method, u"public key user_key"_s);
    QCOMPARE(m_asked.size(), 0);
}

void TestSshLink::firstContactAsks()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    m_answers = [](const Prompt&) {
        PromptAnswer answer;
        answer.accept = true;
        return answer;
    };
    const auto first = login(wish(sshd));
    QVERIFY2(first, first ? "" : qPrintable(first.error().message));
    QCOMPARE(m_asked.size(), 1);
    QCOMPARE(m_asked[0].kind, u"hostKey"_s);
    QVERIFY(m_asked[0].text.contains((*first)->report().fingerprint));
    // Remembered in our own file, and the person's is as it was.
    QCOMPARE(TestSshd::readFile(m_home->filePath(u"own_known_hosts"_s)), sshd.knownHostsLine());
    QVERIFY(!QFile::exists(m_home->filePath(u".ssh/known_hosts"_s)));
    const auto second = login(wish(sshd));
    QVERIFY(second);
    QCOMPARE(m_asked.size(), 1);
}

void TestSshLink::firstContactRefused()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    m_answers = [](const Prompt&) { return PromptAnswer(); };
    const auto session = login(wish(sshd));
    QVERIFY(!session);
    QCOMPARE(session.error().kind, Kind::conflict);
    QVERIFY(!QFile::exists(m_home->filePath(u"own_known_hosts"_s)));
    QVERIFY(!sshd.log().contains("Accepted"));
}

void TestSshLink::changedHostKeyBlocks()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    sshd.stopListening();
    sshd.newHostKey();
    QVERIFY(sshd.start());
    const auto blocked = login(wish(sshd));
    QVERIFY(!blocked);
    QCOMPARE(blocked.error().kind, Kind::conflict);
    QVERIFY(blocked.error().message.contains(u"changed"_s));
    QVERIFY(blocked.error().message.contains(m_home->filePath(u".ssh/known_hosts:1"_s)));
    QCOMPARE(m_asked.size(), 0);
    QVERIFY(!sshd.log().contains("Accepted"));
    // Trusted by its fingerprint, and by no other.
    const auto target = QCoro::waitFor(m_hub->resolve(wish(sshd)));
    QVERIFY(!QCoro::waitFor(m_hub->trust(*target, u"SHA256:nonsense"_s)));
    QVERIFY(QCoro::waitFor(m_hub->trust(*target, blocked.error().detail)));
    const auto session = login(wish(sshd));
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
}

void TestSshLink::hashedKnownHosts()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    const QString file = m_home->filePath(u".ssh/known_hosts"_s);
    TestSshd::writeFile(file, sshd.knownHostsLine());
    QCOMPARE(QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-H"_s, u"-f"_s, file}), 0);
    QVERIFY(TestSshd::readFile(file).startsWith("|1|"));
    const auto session = login(wish(sshd));
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(m_asked.size(), 0);
}

void TestSshLink::wrongKeyIsRefused()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    SshWish other = wish(sshd);
    other.keyFile = m_home->filePath(u"other_key"_s);
    QVERIFY(TestSshd::makeKey(other.keyFile));
    const auto session = login(other);
    QVERIFY(!session);
    QCOMPARE(session.error().kind, Kind::auth);
    QVERIFY2(session.error().message.contains(u"other_key"_s), qPrintable(session.error().message));
    QCOMPARE(m_asked.size(), 0); // the server takes no passwords: there is nothing to ask
}

void TestSshLink::lockedKeyAsksItsPassphrase()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    SshWish locked = wish(sshd);
    locked.keyFile = m_home->filePath(u"locked"_s);
    QVERIFY(TestSshd::makeKey(locked.keyFile, u"ed25519"_s, u"open sesame"_s));
    TestSshd::writeFile(sshd.folder() + u"/authorized_keys"_s, TestSshd::readFile(locked.keyFile + u".pub"_s));
    QStringList given{u"wrong"_s, u"open sesame"_s};
    m_answers = [&given](const Prompt&) {
        PromptAnswer answer;
        answer.answers = {given.takeFirst()};
        return answer;
    };
    const auto session = login(locked);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(m_asked.size(), 2);
    QCOMPARE(m_asked[0].kind, u"secret"_s);
    QVERIFY(m_asked[0].text.contains(locked.keyFile));
    QVERIFY(!m_asked[0].fields.value(0).echo);
    // Remembered while the service lives.
    QVERIFY(login(locked));
    QCOMPARE(m_asked.size(), 2);
    // Given with the settings, there is no question.
    m_hub = std::make_unique<SshHub>(&m_clock);
    locked.passphrase = Secret(u"open sesame"_s);
    QVERIFY(login(locked));
    QCOMPARE(m_asked.size(), 2);
}

void TestSshLink::rsaKey()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    SshWish rsa = wish(sshd);
    rsa.keyFile = m_home->filePath(u"rsa"_s);
    QVERIFY(TestSshd::makeKey(rsa.keyFile, u"rsa"_s));
    TestSshd::writeFile(sshd.folder() + u"/authorized_keys"_s, TestSshd::readFile(rsa.keyFile + u".pub"_s));
    const auto session = login(rsa);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
}

bool TestSshLink::startWithPasswords(TestSshd& sshd, const QByteArray& options)
{
    QProcess hash;
    hash.start(u"openssl"_s, {u"passwd"_s, u"-6"_s, u"-salt"_s, u"abcdefgh"_s, u"right-pw"_s});
    if (getuid() != 0 || QProcess::execute(u"unshare"_s, {u"-m"_s, u"true"_s}) != 0 || !hash.waitForFinished())
        return false;
    const QString folder = sshd.folder();
    const QByteArray base = folder.toUtf8();
    TestSshd::writeFile(folder + u"/passwd"_s,
        TestSshd::readFile(u"/etc/passwd"_s) + "pw:x:0:0::" + sshd.home().toUtf8() + ":/bin/sh\n");
    TestSshd::writeFile(folder + u"/shadow"_s,
        TestSshd::readFile(u"/etc/shadow"_s) + "pw:" + hash.readAllStandardOutput().trimmed()
            + ":19000:0:99999:7:::\n");
    QFile::setPermissions(folder + u"/passwd"_s, QFile::Permissions(0x6444));
    TestSshd::writeFile(folder + u"/pam"_s,
        "auth required pam_unix.so\naccount required pam_permit.so\nsession required pam_permit.so\n");
    TestSshd::writeFile(folder + u"/inside"_s,
        "mount --make-rprivate / && mount --bind " + base + "/passwd /etc/passwd && mount --bind " + base
            + "/shadow /etc/shadow && mount --bind " + base + "/pam /etc/pam.d/sshd && exec \"$@\"\n");
    sshd.setWrapper({u"unshare"_s, u"-m"_s, u"sh"_s, folder + u"/inside"_s});
    sshd.setOptions(options);
    if (!sshd.start())
        return false;
    know(sshd);
    return true;
}

void TestSshLink::passwords_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("inSettings");
    QTest::addColumn<QStringList>("answers");
    QTest::addColumn<bool>("enters");
    const QByteArray password = "PasswordAuthentication yes\nPubkeyAuthentication no";
    const QByteArray questions = "UsePAM yes\nKbdInteractiveAuthentication yes\nPubkeyAuthentication no";
    QTest::newRow("password, in the settings") << password << u"right-pw"_s << QStringList() << true;
    QTest::newRow("password, asked for") << password << QString() << QStringList{u"right-pw"_s} << true;
    QTest::newRow("password, second try") << password << QString() << QStringList{u"no"_s, u"right-pw"_s} << true;
    QTest::newRow("password, wrong in the settings") << password << u"old"_s << QStringList{u"right-pw"_s} << true;
    QTest::newRow("password, nobody answers") << password << QString() << QStringList() << false;
    QTest::newRow("questions, in the settings") << questions << u"right-pw"_s << QStringList() << true;
    QTest::newRow("questions, asked") << questions << QString() << QStringList{u"right-pw"_s} << true;
    QTest::newRow("questions, second try") << questions << QString() << QStringList{u"no"_s, u"right-pw"_s} << true;
    QTest::newRow("questions, nobody answers") << questions << QString() << QStringList() << false;
}

void TestSshLink::passwords()
{
    QFETCH(QByteArray, options);
    QFETCH(QString, inSettings);
    QFETCH(QStringList, answers);
    QFETCH(bool, enters);
    TestSshd sshd;
    if (!startWithPasswords(sshd, options))
        QSKIP("accounts of our own need root and mount namespaces");
    SshWish there = wish(sshd);
    there.keyFile.clear();
    there.user = u"pw"_s;
    there.password = Secret(inSettings);
    m_answers = [&answers](const Prompt&) {
        PromptAnswer answer;
        answer.cancel = answers.isEmpty();
        if (!answers.isEmpty())
            answer.answers = {answers.takeFirst()};
        return answer;
    };
    const auto session = login(there);
    QCOMPARE(session.has_value(), enters);
    QVERIFY2(answers.isEmpty(), qPrintable(answers.join(u' ')));
    if (!enters) {
        QCOMPARE(session.error().kind, Kind::auth);
        return;
    }
    for (const Prompt& prompt : std::as_const(m_asked)) {
        QCOMPARE(prompt.kind, u"secret"_s);
        QCOMPARE(prompt.fields.size(), 1);
        QVERIFY(!prompt.fields[0].echo);
    }
    QCOMPARE(run(**session, "echo in").out, QByteArray("in\n"));
}

void TestSshLink::keyAndThenACode()
{
    TestSshd sshd;
    if (!startWithPasswords(
            sshd, "UsePAM yes\nKbdInteractiveAuthentication yes\nAuthenticationMethods publickey,keyboard-interactive"))
        QSKIP("accounts of our own need root and mount namespaces");
    SshWish there = wish(sshd);
    there.user = u"pw"_s;
    m_answers = [](const Prompt&) {
        PromptAnswer answer;
        answer.answers = {u"right-pw"_s};
        return answer;
    };
    const auto session = login(there);
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(m_asked.size(), 1);
    QCOMPARE((*session)->report().method, u"keyboard-interactive"_s);
    // A code is good once: the next login asks again.
    QVERIFY(login(there));
    QCOMPARE(m_asked.size(), 2);
}

void TestSshLink::nobodyListens()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    const SshWish there = wish(sshd);
    sshd.stopListening();
    const auto session = login(there);
    QVERIFY(!session);
    QCOMPARE(session.error().kind, Kind::network);
    SshWish nowhere = there;
    nowhere.host = u"no-such-host.invalid"_s;
    const auto lost = login(nowhere);
    QVERIFY(!lost);
    QCOMPARE(lost.error().kind, Kind::network);
    QVERIFY(lost.error().message.contains(u"no-such-host.invalid"_s));
}

void TestSshLink::jumpHost()
{
    TestSshd gate;
    TestSshd inner;
    QVERIFY(gate.start());
    QVERIFY(inner.start());
    const QByteArray user = TestSshd::userName().toUtf8();
    TestSshd::writeFile(m_home->filePath(u".ssh/known_hosts"_s), gate.knownHostsLine() + inner.knownHostsLine());
    configure("Host gate\n  HostName 127.0.0.1\n  Port " + QByteArray::number(gate.port()) + "\n  User " + user
        + "\n  IdentityFile " + gate.userKey().toUtf8() + "\nHost inner\n  HostName 127.0.0.1\n  Port "
        + QByteArray::number(inner.port()) + "\n  User " + user + "\n  IdentityFile " + inner.userKey().toUtf8()
        + "\n  ProxyJump gate\n");
    SshWish through;
    through.host = u"inner"_s;
    const auto one = login(through);
    QVERIFY2(one, one ? "" : qPrintable(one.error().message));
    const auto two = login(through);
    QVERIFY(two);
    QCOMPARE(run(**one, "echo $HOME").out.trimmed(), inner.home().toUtf8());
    const QByteArray large(3'000'000, 'x');
    QCOMPARE(run(**two, "cat", large).out, large);
    QCOMPARE(gate.log().count("Accepted publickey"), 1); // shared
    QCOMPARE(inner.log().count("Accepted publickey"), 2);
    // The way breaks: those behind it end.
    QSignalSpy ended(one->get(), &SshSession::ended);
    gate.cut();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
    // A gate that forwards nothing is named in the error.
    gate.stopListening();
    gate.setOptions("AllowTcpForwarding no");
    QVERIFY(gate.start());
    const auto refused = login(through);
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(u"gate"_s), qPrintable(refused.error().message));
}

void TestSshLink::proxyCommand()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    // bash's own connections are enough of a way.
    TestSshd::writeFile(m_home->filePath(u"way.sh"_s), "exec 3<>/dev/tcp/$1/$2\ncat <&3 &\ncat >&3\nkill $!\n");
    configure("Host *\n  ProxyCommand bash " + m_home->filePath(u"way.sh"_s).toUtf8() + " %h %p\n");
    const auto session = login(wish(sshd));
    QVERIFY2(session, session ? "" : qPrintable(session.error().message));
    QCOMPARE(run(**session, "echo through").out, QByteArray("through\n"));
}

void TestSshLink::execAndExitCode()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    const auto session = login(wish(sshd));
    QVERIFY(session);
    const Ran ran = run(**session, "cat; echo bad >&2; exit 7", "hello");
    QCOMPARE(ran.out, QByteArray("hello"));
    QCOMPARE(ran.err, QByteArray("bad\n"));
    QCOMPARE(ran.code, 7);
    QVERIFY(ran.error.message.isEmpty());
    QSignalSpy ended(session->get(), &SshSession::ended);
    sshd.cut();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
    QVERIFY(!(*session)->isAlive());
    const Ran late = run(**session, "true");
    QCOMPARE(late.error.kind, Kind::network);
}

void TestSshLink::largeOutputAndInput()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    const auto session = login(wish(sshd));
    QVERIFY(session);
    // Beyond every window, both ways at once, while another channel answers.
    QByteArray large(24'000'000, Qt::Uninitialized);
    for (qsizetype i = 0; i < large.size(); ++i)
        large[i] = char(i * 2654435761U >> 24);
    bool over = false;
    QByteArray back;
    const auto channel = (*session)->exec("cat");
    connect(channel.get(), &SshChannel::data, this, [&](const QByteArray& bytes) { back += bytes; });
    connect(channel.get(), &SshChannel::closed, this, [&] { over = true; });
    channel->write(large);
    channel->sendEof();
    QCOMPARE(run(**session, "echo beside").out, QByteArray("beside\n"));
    QTRY_VERIFY_WITH_TIMEOUT(over, 60'000);
    QVERIFY(back == large);
    QCOMPARE(channel->unwritten(), 0);
}

void TestSshLink::silenceEndsTheSession()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    constexpr SshSilence silence{400, 10'000};
    m_hub = std::make_unique<SshHub>(&m_clock, silence);
    const auto session = login(wish(sshd));
    QVERIFY(session);
    QCOMPARE(run(**session, "true").code, 0);
    QSignalSpy ended(session->get(), &SshSession::ended);
    // Idle, but answering: keepalives keep it for longer than silence would.
    QTest::qWait(silence.endMs + 500);
    QCOMPARE(ended.size(), 0);
    QCOMPARE(run(**session, "true").code, 0);
    sshd.freeze(true);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
    QCOMPARE(ended.at(0).at(0).value<Error>().kind, Kind::timeout);
}

/// A process that did not run for longer than silence may last has heard nothing; the server is not to blame.
void TestSshLink::stoppedProcessKeepsItsSession()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    m_hub = std::make_unique<SshHub>(&m_clock, SshSilence{400, 5'000});
    const auto session = login(wish(sshd));
    QVERIFY(session);
    QCOMPARE(run(**session, "true").code, 0);
    QSignalSpy ended(session->get(), &SshSession::ended);
    QProcess stopper;
    stopper.start(u"sh"_s, {u"-c"_s, u"kill -STOP $PPID; sleep 7; kill -CONT $PPID"_s});
    QVERIFY(stopper.waitForFinished(60'000));
    QCOMPARE(stopper.exitCode(), 0);
    QCOMPARE(run(**session, "true").code, 0);
    QCOMPARE(ended.size(), 0);
}

void TestSshLink::nothingWaitsForABeat()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    // No beat comes to the rescue of bytes that were taken from the socket, and not delivered.
    m_hub = std::make_unique<SshHub>(&m_clock, SshSilence{3'600'000, 7'200'000});
    const auto session = login(wish(sshd));
    QVERIFY(session);
    // One that talks alone: no other traffic comes to the rescue either.
    const auto channel = (*session)->exec("cat");
    int answers = 0;
    QElapsedTimer time;
    QTimer missing; // an answer does not come
    missing.setSingleShot(true);
    QEventLoop loop; // QTRY_… would sleep between answers
    connect(&missing, &QTimer::timeout, &loop, &QEventLoop::quit);
    connect(channel.get(), &SshChannel::data, &loop, [&](const QByteArray& bytes) {
        ++answers;
        // A busy machine has no time for all of them.
        if (answers == 1'500 || (answers >= 300 && time.elapsed() > 100'000)) {
            loop.quit();
            return;
        }
        missing.start(60'000);
        channel->write(bytes);
    });
    time.start();
    missing.start(60'000);
    channel->write("x");
    loop.exec();
    QVERIFY2(missing.isActive(), qPrintable(u"%1 answers came"_s.arg(answers)));
}

void TestSshLink::sessionOutlivesTheHub()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    know(sshd);
    auto session = login(wish(sshd));
    QVERIFY(session);
    m_hub.reset();
    QCOMPARE(run(**session, "echo still").out, QByteArray("still\n"));
    session->reset();
    QTRY_COMPARE_WITH_TIMEOUT(sshd.connections(), 0, 30'000); // the server saw the end
}

QTEST_GUILESS_MAIN(TestSshLink)
#include "tst_ssh_link.moc"
