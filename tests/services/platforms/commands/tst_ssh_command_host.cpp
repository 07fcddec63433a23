// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of a login node: a real sshd on loopback, with the shells, the noise and the faults of login nodes.
#include "services/platforms/commands/ssh_command_host.h"
#include "tests/fakes/fake_clock.h"
#include "tests/services/transport/ssh/ssh_fixture.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace platforms;
using transport::SshFixture;

namespace {

CommandLine shLine(const QString& script)
{
    CommandLine line;
    line.words = {u"sh"_s, u"-c"_s, script};
    return line;
}

bool isRunning(qint64 pid)
{
    const QByteArray stat = TestSshd::readFile(u"/proc/%1/stat"_s.arg(pid));
    return pid > 0 && !stat.isEmpty() && !stat.contains(") Z ");
}

} // namespace

class TestSshCommandHost : public QObject, private SshFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup()
    {
        if (m_host)
            QCoro::waitFor(m_host->close());
        m_host.reset();
        end();
    }

    void commands();
    void noisyShells_data();
    void noisyShells();
    void hugeOutput();
    void inputInPieces();
    void hangingCommand();
    void backgroundChild();
    void hangingStartup();
    void cutInTheMiddle();
    void reconnects();
    void refusedForGood();
    void questionIsAskedOnce();
    void unknownHostKey();
    void restrictedAccount();
    void byTheProgram();
    void programThatHangs();
    void closeWhileBusy();

private:
    void connectTo(const TestSshd& sshd, const CommandPlace& place = {}, SshCommandReconnect reconnect = {})
    {
        know(sshd);
        m_host = std::make_unique<SshCommandHost>(m_hub.get(), SshCommandPlan{wish(sshd), place, m_ask}, reconnect);
    }
    Result<CommandOutput> execute(CommandLine line, std::stop_token stop = {})
    {
        return QCoro::waitFor(m_host->run(std::move(line), stop));
    }
    static qint64 pidIn(const QString& path)
    {
        qint64 pid = 0;
        (void)QTest::qWaitFor(
            [&] {
                pid = TestSshd::readFile(path).trimmed().toLongLong();
                return pid > 0;
            },
            30'000);
        return pid;
    }

    fakes::FakeClock m_still; ///< of a hub whose time the test moves
    std::unique_ptr<SshCommandHost> m_host;
};

void TestSshCommandHost::commands()
{
    TestSshd sshd({}, "SQUEUE_FORMAT=%i");
    QVERIFY(sshd.start());
    connectTo(sshd);
    QSignalSpy connected(m_host.get(), &CommandHost::connected);
    CommandLine line = shLine(u"cat; echo \"$SQUEUE_FORMAT|$LC_ALL|$GIVEN\"; echo oops >&2; exit 5"_s);
    line.input = QByteArray(1'000'000, '\n') + QByteArray(1, '\0');
    line.set[u"GIVEN"_s] = u"it's\na"_s;
    const auto output = execute(line);
    QVERIFY2(output, output ? "" : qPrintable(output.error().message));
    QCOMPARE(output->output, line.input + "|C|it's\na\n");
    QCOMPARE(output->errors, QByteArray("oops\n"));
    QCOMPARE(output->exitCode, 5);
    // All by one session.
    for (int i = 0; i < 3; ++i)
        QCOMPARE(execute(shLine(u"echo %1"_s.arg(i)))->output, QByteArray::number(i) + '\n');
    CommandLine missing;
    missing.words = {u"no-such-program"_s};
    QCOMPARE(execute(missing)->exitCode, 127);
    QCOMPARE(execute(shLine(u"kill -SEGV $$"_s))->signal, SIGSEGV);
    QCOMPARE(connected.size(), 1);
    QVERIFY(m_host->isConnected());
    QVERIFY(m_host->report().has_value());
    QCOMPARE(m_host->noise(), QByteArray());
    QCOMPARE(sshd.log().count("Accepted publickey"), 1);
}

void TestSshCommandHost::noisyShells_data()
{
    QTest::addColumn<QByteArray>("shell");
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("bash") << "/bin/bash"_ba
                          << ".bashrc"_ba
                          << "echo hello; echo oops >&2; printf 'no end'\n"_ba;
    QTest::newRow("bash -vx") << "/bin/bash"_ba
                              << ".bashrc"_ba
                              << "export SHELLOPTS; set -vx\n"_ba;
    QTest::newRow("tcsh") << "/bin/tcsh"_ba
                          << ".tcshrc"_ba
                          << "echo hello\nset noclobber\nalias cd 'cd \\!*; pwd'\n"_ba;
    QTest::newRow("csh") << "/bin/csh"_ba
                         << ".cshrc"_ba
                         << "echo hello\n"_ba;
    QTest::newRow("fish") << "/usr/bin/fish"_ba
                          << ".config/fish/config.fish"_ba
                          << "echo hello\n"_ba;
    QTest::newRow("zsh") << "/bin/zsh"_ba
                         << ".zshenv"_ba
                         << "echo hello\n"_ba;
    QTest::newRow("busybox") << "/usr/bin/busybox sh"_ba
                             << ".profile"_ba
                             << "echo hello\n"_ba;
    QTest::newRow("ksh") << "/bin/ksh"_ba
                         << ".profile"_ba
                         << "echo hello\n"_ba;
}

void TestSshCommandHost::noisyShells()
{
    QFETCH(QByteArray, shell);
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, text);
    if (!QFile::exists(QString::fromUtf8(shell.split(' ').first())))
        QSKIP("not installed");
    // The account's shell is what sshd runs; ForceCommand puts another one between.
    TestSshd sshd("ForceCommand exec " + shell + " -c \"$SSH_ORIGINAL_COMMAND\"");
    const QString path = sshd.home() + u'/' + QString::fromUtf8(file);
    QDir().mkpath(QFileInfo(path).path());
    TestSshd::writeFile(path, text);
    if (shell == "/bin/bash") // which reads its startup file only for a shell of its own
        TestSshd::writeFile(path, text),
            sshd.setOptions(
                "ForceCommand exec env BASH_ENV=" + path.toUtf8() + " " + shell + " -c \"$SSH_ORIGINAL_COMMAND\"");
    QVERIFY(sshd.start());
    connectTo(sshd);
    CommandLine line = shLine(u"cat; echo err >&2; exit 3"_s);
    line.input = "it's ! \\ in\n";
    const auto output = execute(line);
    QVERIFY2(output, output ? "" : qPrintable(output.error().message + output.error().detail));
    QCOMPARE(output->output, line.input);
    QCOMPARE(output->exitCode, 3);
    if (!text.contains("-vx"))
        QCOMPARE(output->errors, QByteArray("err\n"));
    if (shell == "/bin/bash" && text.contains("hello"))
        QVERIFY2(m_host->noise().startsWith("hello\nno end"), m_host->noise().constData());
}

void TestSshCommandHost::hugeOutput()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd);
    CommandLine line = shLine(u"echo $$ >%1/pid; head -c 1000000000 /dev/zero && : >%1/whole"_s.arg(sshd.home()));
    line.outputLimit = 3'000'000;
    const auto output = execute(line);
    QVERIFY(output);
    QVERIFY(output->cut);
    QCOMPARE(output->output.size(), 3'000'000);
    const qint64 pid = pidIn(sshd.home() + u"/pid"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(pid), 30'000);
    QVERIFY(!QFile::exists(sshd.home() + u"/whole"_s));
    QCOMPARE(execute(shLine(u"echo on"_s))->output, QByteArray("on\n"));
}

void TestSshCommandHost::inputInPieces()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd);
    int pieces = 0;
    CommandLine line = shLine(u"wc -c"_s);
    line.moreInput = [&pieces]() -> Task<Result<QByteArray>> {
        co_return ++pieces <= 100 ? QByteArray(100'000, '\n') : QByteArray();
    };
    auto output = execute(line);
    QVERIFY2(output, output ? "" : qPrintable(output.error().message));
    QCOMPARE(output->output.trimmed(), QByteArray("10000000"));
    pieces = 0;
    line.words = {u"sh"_s, u"-c"_s, u"exec 0<&-; echo enough"_s};
    output = execute(line);
    QVERIFY2(output, output ? "" : qPrintable(output.error().message));
    QCOMPARE(output->output, QByteArray("enough\n"));
}

void TestSshCommandHost::hangingCommand()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    m_hub = std::make_unique<transport::SshHub>(&m_still);
    connectTo(sshd);
    // No time passes before the commands run.
    const auto passesUntil = [this](const std::function<bool()>& isReached) {
        return QTest::qWaitFor(
            [&] {
                m_still.advance(10);
                return isReached();
            },
            60'000);
    };
    CommandLine line = shLine(u"echo begun; (trap '' TERM; sleep 600) & echo $! >%1/pid; wait"_s.arg(sshd.home()));
    line.timeoutMs = 5'000;
    Scope scope;
    std::optional<Result<CommandOutput>> output;
    scope.spawn([&, this]() -> Task<> {
        auto running = m_host->run(line);
        output = co_await running;
    });
    const qint64 child = pidIn(sshd.home() + u"/pid"_s);
    QVERIFY(passesUntil([&] { return output.has_value(); }));
    QVERIFY2(*output, *output ? "" : qPrintable(output->error().message));
    QVERIFY((*output)->timedOut);
    QCOMPARE((*output)->output, QByteArray("begun\n"));
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(child), 30'000);
    QVERIFY(m_host->isConnected());
    // Cancelled instead.
    QFile::remove(sshd.home() + u"/pid"_s);
    std::stop_source stop;
    std::optional<Result<CommandOutput>> cancelled;
    scope.spawn([&, this]() -> Task<> {
        auto running = m_host->run(shLine(u"echo $$ >%1/pid; exec sleep 600"_s.arg(sshd.home())), stop.get_token());
        cancelled = co_await running;
    });
    const qint64 pid = pidIn(sshd.home() + u"/pid"_s);
    stop.request_stop();
    QVERIFY(passesUntil([&] { return cancelled.has_value(); }));
    QCOMPARE(cancelled->error().kind, Kind::cancelled);
    QVERIFY(isOutcomeUnknown(cancelled->error()));
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(pid), 30'000);
    QCoro::waitFor(scope.drain());
}

void TestSshCommandHost::backgroundChild()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd);
    const auto output = execute(shLine(u"sleep 600 & echo $! >%1/pid; echo done"_s.arg(sshd.home())));
    QVERIFY(output);
    QVERIFY(output->succeeded());
    QCOMPARE(output->output, QByteArray("done\n"));
    QVERIFY(isRunning(pidIn(sshd.home() + u"/pid"_s))); // its end was not waited for
}

void TestSshCommandHost::hangingStartup()
{
    TestSshd sshd("ForceCommand echo please wait; exec sleep 600");
    QVERIFY(sshd.start());
    connectTo(sshd);
    CommandLine line = shLine(u"true"_s);
    line.timeoutMs = 10'000;
    const auto output = execute(line);
    QVERIFY(!output);
    QCOMPARE(output.error().kind, Kind::timeout);
    QVERIFY2(output.error().message.contains(u"please wait"_s), qPrintable(output.error().message));
}

void TestSshCommandHost::cutInTheMiddle()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd, {}, {50, 200, 0});
    QVERIFY(execute(shLine(u"true"_s)));
    QSignalSpy lost(m_host.get(), &CommandHost::lost);
    QSignalSpy connected(m_host.get(), &CommandHost::connected);
    Scope scope;
    std::optional<Result<CommandOutput>> broken;
    scope.spawn([&, this]() -> Task<> {
        auto running = m_host->run(shLine(u"echo $$ >%1/pid; exec sleep 600"_s.arg(sshd.home())));
        broken = co_await running;
    });
    QVERIFY(isRunning(pidIn(sshd.home() + u"/pid"_s)));
    sshd.cut();
    QTRY_VERIFY_WITH_TIMEOUT(broken.has_value(), 30'000);
    QVERIFY(!*broken);
    QCOMPARE(broken->error().kind, Kind::network);
    QVERIFY(isOutcomeUnknown(broken->error()));
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 30'000);
    // By itself, in the background.
    QTRY_COMPARE_WITH_TIMEOUT(connected.size(), 1, 60'000);
    QCOMPARE(execute(shLine(u"echo back"_s))->output, QByteArray("back\n"));
    QCoro::waitFor(scope.drain());
}

void TestSshCommandHost::reconnects()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd, {}, {100, 400, 0.3});
    QVERIFY(QCoro::waitFor(m_host->open()));
    QSignalSpy lost(m_host.get(), &CommandHost::lost);
    QSignalSpy connected(m_host.get(), &CommandHost::connected);
    sshd.stopListening();
    sshd.cut();
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 30'000);
    QVERIFY(!m_host->isConnected());
    // A command does not wait for the next attempt: it fails, and did not run.
    Result<CommandOutput> failed = execute(shLine(u"true"_s));
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, Kind::network);
    QVERIFY(!isOutcomeUnknown(failed.error()));
    QVERIFY(sshd.start());
    QTRY_COMPARE_WITH_TIMEOUT(connected.size(), 1, 60'000);
    QCOMPARE(execute(shLine(u"echo back"_s))->output, QByteArray("back\n"));
    QCOMPARE(lost.size(), 1);
}

void TestSshCommandHost::refusedForGood()
{
    TestSshd sshd("AuthorizedKeysFile none");
    QVERIFY(sshd.start());
    connectTo(sshd, {}, {10, 20, 0});
    QSignalSpy refused(m_host.get(), &SshCommandHost::refused);
    const Result<> opened = QCoro::waitFor(m_host->open());
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Kind::auth);
    QCOMPARE(refused.size(), 1);
    const auto logins = [&] { return sshd.log().count("Connection from"); };
    const auto before = logins();
    for (int i = 0; i < 5; ++i)
        QCOMPARE(execute(shLine(u"true"_s)).error().kind, Kind::auth);
    // No attempt of its own: many times the longest wait has passed.
    QTest::qWait(500);
    QCOMPARE(logins(), before);
    sshd.stopListening();
    sshd.setOptions({});
    QVERIFY(sshd.start());
    QVERIFY(QCoro::waitFor(m_host->open()));
    QCOMPARE(execute(shLine(u"echo in"_s))->output, QByteArray("in\n"));
}

void TestSshCommandHost::questionIsAskedOnce()
{
    // A question is open: commands wait for its answer, and no second login begins.
    TestSshd sshd;
    QVERIFY(sshd.start());
    OneShot<PromptAnswer> answer;
    int asked = 0;
    const transport::SshAsk ask = [&](Prompt) -> Task<PromptAnswer> {
        ++asked;
        co_return co_await answer.wait();
    };
    m_host = std::make_unique<SshCommandHost>(
        m_hub.get(), SshCommandPlan{wish(sshd), {}, ask}, SshCommandReconnect{10, 20, 0});
    Scope scope;
    int done = 0;
    for (int i = 0; i < 3; ++i) {
        scope.spawn([&, this]() -> Task<> {
            auto running = m_host->run(shLine(u"echo in"_s));
            const Result<CommandOutput> output = co_await running;
            done += output && output->output == "in\n" ? 1 : 0;
        });
    }
    QTRY_COMPARE_WITH_TIMEOUT(asked, 1, 30'000);
    QTest::qWait(300);
    QCOMPARE(asked, 1);
    QCOMPARE(done, 0);
    PromptAnswer yes;
    yes.accept = true;
    answer.set(yes);
    QTRY_COMPARE_WITH_TIMEOUT(done, 3, 60'000);
    QCOMPARE(asked, 1);
    QCoro::waitFor(scope.drain());
}

void TestSshCommandHost::unknownHostKey()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    m_host = std::make_unique<SshCommandHost>(
        m_hub.get(), SshCommandPlan{wish(sshd), {}, m_ask}, SshCommandReconnect{10, 20, 0});
    const Result<> refused = QCoro::waitFor(m_host->open()); // m_ask cancels
    QVERIFY(!refused);
    QCOMPARE(m_asked.size(), 1);
    QVERIFY(!m_host->isConnected());
    QTest::qWait(300);
    QCOMPARE(m_asked.size(), 1);
    QVERIFY(!QCoro::waitFor(m_host->trust(u"SHA256:wrong"_s)));
    const QString fingerprint = QRegularExpression(u"SHA256:[A-Za-z0-9+/]+"_s).match(m_asked.first().text).captured();
    QVERIFY(QCoro::waitFor(m_host->trust(fingerprint)));
    QVERIFY(QCoro::waitFor(m_host->open()));
    QCOMPARE(m_asked.size(), 1);
}

void TestSshCommandHost::restrictedAccount()
{
    TestSshd sshd("ForceCommand echo This account is only for files.; exit 1");
    QVERIFY(sshd.start());
    connectTo(sshd);
    const auto output = execute(shLine(u"true"_s));
    QVERIFY(!output);
    QCOMPARE(output.error().kind, Kind::platform);
    QVERIFY(!isOutcomeUnknown(output.error()));
    QVERIFY2(output.error().message.contains(u"This account is only for files."_s), qPrintable(output.error().message));
}

void TestSshCommandHost::byTheProgram()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    const QByteArray config = m_home->filePath(u".ssh/config"_s).toUtf8();
    transport::SshWish byProgram = wish(sshd);
    byProgram.byProgram = true;
    byProgram.host = u"there"_s;
    know(sshd);
    configure("Host there\n  HostName 127.0.0.1\n  UserKnownHostsFile "
        + m_home->filePath(u".ssh/known_hosts"_s).toUtf8() + "\n");
    // `ssh` takes the home folder of the account, not HOME: a wrapper names our file.
    QTemporaryDir bin;
    TestSshd::writeFile(bin.filePath(u"ssh"_s), "#!/bin/sh\nexec /usr/bin/ssh -F " + config + " \"$@\"\n");
    QFile::setPermissions(bin.filePath(u"ssh"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", bin.path().toUtf8() + ':' + path);
    m_host = std::make_unique<SshCommandHost>(
        m_hub.get(), SshCommandPlan{byProgram, {}, m_ask}, SshCommandReconnect{100, 200, 0});
    const auto output = execute(shLine(u"echo by the program; exit 4"_s));
    QVERIFY2(output, output ? "" : qPrintable(output.error().message));
    QCOMPARE(output->output, QByteArray("by the program\n"));
    QCOMPARE(output->exitCode, 4);
    QVERIFY(m_host->isConnected());
    QSignalSpy lost(m_host.get(), &CommandHost::lost);
    sshd.stopListening();
    const auto failed = execute(shLine(u"true"_s));
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, Kind::network);
    QCOMPARE(lost.size(), 1);
    QVERIFY(sshd.start());
    QTRY_VERIFY_WITH_TIMEOUT(m_host->isConnected(), 60'000);
    qputenv("PATH", path);
}

void TestSshCommandHost::programThatHangs()
{
    // Closed while `ssh` still tries to get in.
    QTemporaryDir bin;
    TestSshd::writeFile(
        bin.filePath(u"ssh"_s), "#!/bin/sh\necho $$ >" + bin.path().toUtf8() + "/pid\nexec sleep 600\n");
    QFile::setPermissions(bin.filePath(u"ssh"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", bin.path().toUtf8() + ':' + path);
    transport::SshWish byProgram;
    byProgram.host = u"there"_s;
    byProgram.byProgram = true;
    m_host = std::make_unique<SshCommandHost>(m_hub.get(), SshCommandPlan{byProgram, {}, m_ask});
    Scope scope;
    std::optional<Result<>> opened;
    scope.spawn([&, this]() -> Task<> {
        auto opening = m_host->open();
        opened = co_await opening;
    });
    const qint64 pid = pidIn(bin.filePath(u"pid"_s));
    QVERIFY(isRunning(pid));
    QCoro::waitFor(m_host->close());
    m_host.reset();
    qputenv("PATH", path);
    QVERIFY(opened && !*opened);
    QCOMPARE(opened->error().kind, Kind::cancelled);
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(pid), 30'000);
    QCoro::waitFor(scope.drain());
}

void TestSshCommandHost::closeWhileBusy()
{
    TestSshd sshd;
    QVERIFY(sshd.start());
    connectTo(sshd);
    Scope scope;
    int ended = 0;
    for (int i = 0; i < 6; ++i) {
        scope.spawn([&, this]() -> Task<> {
            auto running = m_host->run(shLine(u"sleep 600"_s));
            const Result<CommandOutput> output = co_await running;
            ended += !output && output.error().kind == Kind::cancelled ? 1 : 0;
        });
    }
    QTest::qWait(50); // during the login, or later: both must end
    QCoro::waitFor(m_host->close());
    QCOMPARE(ended, 6);
    QCOMPARE(QCoro::waitFor(m_host->open()).error().kind, Kind::cancelled);
    QCoro::waitFor(scope.drain());
}

QTEST_GUILESS_MAIN(TestSshCommandHost)
#include "tst_ssh_command_host.moc"
