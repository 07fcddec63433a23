// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of this computer: real processes.
#include "services/platforms/commands/local_command_host.h"
#include "tests/fakes/fake_clock.h"

#include <QCoroTask>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

CommandLine sh(const QString& script)
{
    CommandLine line;
    line.words = {u"sh"_s, u"-c"_s, script};
    return line;
}

bool isAlive(qint64 pid)
{
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    return pid > 0 && stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
}

} // namespace

class TestLocalCommandHost : public QObject
{
    Q_OBJECT
private slots:
    void init() { m_host = std::make_unique<LocalCommandHost>(&m_clock); }
    void cleanup()
    {
        QCoro::waitFor(m_host->close());
        m_host.reset();
    }

    void ends_data();
    void ends();
    void inputAndEnvironment();
    void inputThatIsNotRead();
    void inputInPieces();
    void inputThatFails();
    void timeoutEndsTheGroup();
    void stubborn();
    void aLostSignal();
    void tooMuch_data();
    void tooMuch();
    void backgroundChild();
    void fourAtATime();
    void cancelled();
    void closed();
    void wrongLines();

private:
    Result<CommandOutput> run(CommandLine line, std::stop_token stop = {})
    {
        return QCoro::waitFor(m_host->run(std::move(line), stop));
    }
    qint64 pidIn(const QString& path)
    {
        qint64 pid = 0;
        (void)QTest::qWaitFor(
            [&] {
                QFile file(path);
                pid = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
                return pid > 0;
            },
            30'000);
        return pid;
    }

    SystemClock m_clock;
    fakes::FakeClock m_still; ///< of a host whose time the test moves
    std::unique_ptr<LocalCommandHost> m_host;
};

void TestLocalCommandHost::ends_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("well") << QStringList{u"printf"_s, u"a b"_s} << 0 << 0 << "a b"_ba;
    QTest::newRow("code") << QStringList{u"sh"_s, u"-c"_s, u"echo x; exit 3"_s} << 3 << 0 << "x\n"_ba;
    QTest::newRow("signal") << QStringList{u"sh"_s, u"-c"_s, u"kill -SEGV $$"_s} << -1 << int(SIGSEGV) << ""_ba;
    QTest::newRow("not there") << QStringList{u"no-such-program"_s} << 127 << 0 << ""_ba;
    QTest::newRow("no such path") << QStringList{u"/no/such/program"_s} << 127 << 0 << ""_ba;
    QTest::newRow("no program") << QStringList{u"/etc/passwd"_s} << 126 << 0 << ""_ba;
}

void TestLocalCommandHost::ends()
{
    QFETCH(QStringList, words);
    CommandLine line;
    line.words = words;
    const auto output = run(line);
    QVERIFY(output);
    QTEST(output->exitCode, "code");
    QTEST(output->signal, "signal");
    QTEST(output->output, "output");
    QVERIFY(!output->timedOut && !output->cut);
    QCOMPARE(output->succeeded(), output->exitCode == 0);
}

void TestLocalCommandHost::inputAndEnvironment()
{
    qputenv("SQUEUE_FORMAT", "%i");
    qputenv("TRIALDECK_SECRET_X", "secret");
    qputenv("SLURM_CONF", "/etc/slurm.conf");
    CommandLine line =
        sh(u"cat; echo \"$SQUEUE_FORMAT|$TRIALDECK_SECRET_X|$SLURM_CONF|$LC_ALL|$GIVEN|$HOME\"; ls /proc/self/fd"_s);
    line.input = QByteArray(1'000'000, 'x');
    line.set[u"GIVEN"_s] = u"it's"_s;
    line.unset = {u"HOME"_s};
    const auto output = run(line);
    QVERIFY(output);
    QCOMPARE(output->output, line.input + "||/etc/slurm.conf|C|it's|\n0\n1\n2\n3\n"); // 3: of ls itself
    qunsetenv("SQUEUE_FORMAT");
    qunsetenv("TRIALDECK_SECRET_X");
    qunsetenv("SLURM_CONF");
}

void TestLocalCommandHost::inputThatIsNotRead()
{
    CommandLine line = sh(u"exec 0<&-; echo done"_s);
    line.input = QByteArray(5'000'000, 'x');
    const auto output = run(line);
    QVERIFY(output);
    QVERIFY(output->succeeded());
    QCOMPARE(output->output, QByteArray("done\n"));
}

void TestLocalCommandHost::inputInPieces()
{
    // As many as are asked for: no more than the command takes.
    int pieces = 0;
    CommandLine line = sh(u"wc -c"_s);
    line.input = "first";
    line.moreInput = [&pieces]() -> Task<Result<QByteArray>> {
        co_return ++pieces <= 100 ? QByteArray(100'000, 'x') : QByteArray();
    };
    auto output = run(line);
    QVERIFY(output);
    QCOMPARE(output->output.trimmed(), QByteArray("10000005"));
    pieces = 0;
    line.words = {u"sh"_s, u"-c"_s, u"head -c 10 >/dev/null; echo enough"_s};
    output = run(line);
    QVERIFY(output);
    QCOMPARE(output->output, QByteArray("enough\n"));
    QVERIFY(pieces < 100);
}

void TestLocalCommandHost::inputThatFails()
{
    CommandLine line = sh(u"cat >/dev/null; echo whole"_s);
    line.moreInput = []() -> Task<Result<QByteArray>> { co_return fail(Kind::resource, u"The disk broke."_s); };
    const auto output = run(line);
    QVERIFY(!output);
    QCOMPARE(output.error().kind, Kind::resource);
    QVERIFY(isOutcomeUnknown(output.error()));
}

void TestLocalCommandHost::timeoutEndsTheGroup()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"pid"_s);
    CommandLine line = sh(u"echo begun; (trap '' TERM; sleep 600) & echo $! >%1; wait"_s.arg(file));
    line.timeoutMs = 3'000;
    m_host = std::make_unique<LocalCommandHost>(&m_still);
    Scope scope;
    std::optional<Result<CommandOutput>> output;
    scope.spawn([&, this]() -> Task<> {
        auto running = m_host->run(line);
        output = co_await running;
    });
    const qint64 child = pidIn(file);
    // Its start and what it printed have come, as they were before its number was written: each takes a turn.
    for (int turn = 0; turn < 10; ++turn)
        QCoreApplication::processEvents();
    m_still.advance(line.timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(output.has_value(), 30'000);
    QVERIFY(*output);
    QVERIFY((*output)->timedOut);
    QCOMPARE((*output)->exitCode, -1);
    QCOMPARE((*output)->output, QByteArray("begun\n"));
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(child), 30'000);
    QCoro::waitFor(scope.drain());
}

void TestLocalCommandHost::stubborn()
{
    CommandLine line = sh(u"trap '' TERM; while :; do sleep 0.1; done"_s);
    line.timeoutMs = 300;
    QElapsedTimer time;
    time.start();
    const auto output = run(line);
    QVERIFY(output);
    QVERIFY(output->timedOut);
    QVERIFY(time.elapsed() < 20'000);
}

/// A shell's child may drop a signal between fork and exec.
void TestLocalCommandHost::aLostSignal()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"temporary"_s);
    const QString first = folder.filePath(u"first"_s);
    CommandLine line = sh(u"n=0; trap 'n=$((n+1)); : >%2; [ $n -lt 2 ] || { rm %1; exit 0; }' TERM; echo >%1; "
                          "while :; do sleep 0.1; done"_s.arg(file, first));
    line.timeoutMs = 3'000;
    m_host = std::make_unique<LocalCommandHost>(&m_still);
    Scope scope;
    std::optional<Result<CommandOutput>> output;
    scope.spawn([&, this]() -> Task<> {
        auto running = m_host->run(line);
        output = co_await running;
    });
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 30'000);
    m_still.advance(line.timeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(first), 30'000);
    QVERIFY(!output);
    m_still.advance(500); // it is asked again
    QTRY_VERIFY_WITH_TIMEOUT(output.has_value(), 30'000);
    QVERIFY(*output);
    QVERIFY((*output)->timedOut);
    QVERIFY(!QFile::exists(file)); // it ended by itself
    QCoro::waitFor(scope.drain());
}

void TestLocalCommandHost::tooMuch_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("output") << u"yes"_s;
    QTest::newRow("errors") << u"yes >&2"_s;
}

void TestLocalCommandHost::tooMuch()
{
    QFETCH(QString, script);
    CommandLine line = sh(script);
    line.outputLimit = 100'000;
    const auto output = run(line);
    QVERIFY(output);
    QVERIFY(output->cut && !output->succeeded());
    QCOMPARE(output->output.size() + output->errors.size(), 100'000);
}

void TestLocalCommandHost::backgroundChild()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"pid"_s);
    QElapsedTimer time;
    time.start();
    const auto output = run(sh(u"sleep 600 & echo $! >%1; echo done"_s.arg(file)));
    QVERIFY(output);
    QVERIFY(output->succeeded());
    QCOMPARE(output->output, QByteArray("done\n"));
    QVERIFY(time.elapsed() < 30'000);
    // It was not asked to end.
    const qint64 child = pidIn(file);
    QVERIFY(isAlive(child));
    ::kill(pid_t(child), SIGKILL);
}

void TestLocalCommandHost::fourAtATime()
{
    QTemporaryDir folder;
    m_host = std::make_unique<LocalCommandHost>(&m_still);
    Scope scope;
    int over = 0;
    int most = 0;
    for (int i = 0; i < 10; ++i) {
        scope.spawn([&, this, i]() -> Task<> {
            // How many run now, this one among them; the deadline does not count the time in the queue.
            CommandLine line = sh(u"cd %1; : >runs.%2; ls | grep -c runs; while [ ! -e go.%2 ]; do sleep 0.02; done; "
                                  "rm runs.%2"_s.arg(folder.path(), QString::number(i)));
            line.timeoutMs = 1'000;
            auto running = m_host->run(line);
            const Result<CommandOutput> output = co_await running;
            if (output && output->succeeded())
                ++over;
            most = std::max(most, output ? output->output.trimmed().toInt() : 0);
        });
    }
    while (over < 10) {
        const int next = std::min(over + CommandHost::mostAtOnce, 10);
        const auto running = [&] { return int(QDir(folder.path()).entryList({u"runs.*"_s}).size()); };
        QTRY_COMPARE_WITH_TIMEOUT(running(), next - over, 30'000);
        m_still.advance(900);
        for (int i = over; i < next; ++i)
            QVERIFY(QFile(folder.filePath(u"go.%1"_s.arg(i))).open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(over, next, 30'000);
    }
    QVERIFY2(most <= CommandHost::mostAtOnce, qPrintable(QString::number(most)));
    QCoro::waitFor(scope.drain());
}

void TestLocalCommandHost::cancelled()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"pid"_s);
    std::stop_source stop;
    Scope scope;
    std::vector<Result<CommandOutput>> results;
    for (int i = 0; i < 6; ++i) {
        scope.spawn([&, this]() -> Task<> {
            auto running = m_host->run(sh(u"echo $$ >%1; exec sleep 600"_s.arg(file)), stop.get_token());
            results.push_back(co_await running);
        });
    }
    const qint64 pid = pidIn(file);
    QVERIFY(isAlive(pid));
    stop.request_stop();
    QTRY_COMPARE_WITH_TIMEOUT(results.size(), size_t(6), 20'000);
    int unknown = 0;
    for (const auto& result : results) {
        QVERIFY(!result);
        QCOMPARE(result.error().kind, Kind::cancelled);
        unknown += isOutcomeUnknown(result.error()) ? 1 : 0;
    }
    QCOMPARE(unknown, 4); // the others had not begun
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), 30'000);
    // The host goes on.
    QCOMPARE(run(sh(u"echo on"_s))->output, QByteArray("on\n"));
    QCoro::waitFor(scope.drain());
    QCOMPARE(run(sh(u"echo on"_s), stop.get_token()).error().kind, Kind::cancelled);
}

void TestLocalCommandHost::closed()
{
    Scope scope;
    int ended = 0;
    for (int i = 0; i < 6; ++i) {
        scope.spawn([&, this]() -> Task<> {
            auto running = m_host->run(sh(u"sleep 600"_s));
            const Result<CommandOutput> output = co_await running;
            if (!output && output.error().kind == Kind::cancelled)
                ++ended;
        });
    }
    QCoro::waitFor(m_host->close());
    QCOMPARE(ended, 6);
    QCOMPARE(run(sh(u"true"_s)).error().kind, Kind::cancelled);
    QCoro::waitFor(scope.drain());
}

void TestLocalCommandHost::wrongLines()
{
    QCOMPARE(run({}).error().kind, Kind::invalid);
    CommandLine line = sh(u"true"_s);
    line.set[u"A=B; rm"_s] = u"x"_s;
    QCOMPARE(run(line).error().kind, Kind::invalid);
    line = sh(u"true\0false"_s);
    QCOMPARE(run(line).error().kind, Kind::invalid);
}

QTEST_GUILESS_MAIN(TestLocalCommandHost)
#include "tst_local_command_host.moc"
