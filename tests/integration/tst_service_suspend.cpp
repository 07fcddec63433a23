// SPDX-License-Identifier: GPL-3.0-or-later
// A computer that sleeps stops all of its processes for a while, and wakes them in any order: nothing is lost or begun again.
#include "counting_trials.h"
#include "remote_machines.h"

#include <QElapsedTimer>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace remote_test;

namespace {

enum class Part { service, agents, keepers, trials };

struct Process
{
    pid_t pid = 0;
    Part part = Part::trials;
    char state = '?'; ///< as /proc says it; T: stopped
    bool isStopPending = false;

    /// One that waits in vfork() for a child that was stopped before its exec() stops when the child goes on.
    [[nodiscard]] bool standsStill() const { return state == 'T' || state == 'Z' || (state == 'D' && isStopPending); }
};

/// Whether a SIGSTOP waits for the process, as /proc/PID/status says it.
bool hasPendingStop(const QByteArray& status)
{
    for (const QByteArray& line : status.split('\n'))
        if (line.startsWith("ShdPnd:"))
            return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGSTOP - 1) & 1;
    return false;
}

/// Of every process that has one of the folders in its command line or environment. That of sshd is TestSshd's.
QList<Process> processesOf(const QStringList& folders, qint64 service)
{
    QList<Process> list;
    QList<std::pair<pid_t, Process>> nameless; // with their parents
    for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        bool isPid = false;
        const int pid = name.toInt(&isPid);
        if (!isPid || pid == getpid())
            continue;
        const QByteArray words = TestSshd::readFile(u"/proc/%1/cmdline"_s.arg(pid));
        const QByteArray all = words + TestSshd::readFile(u"/proc/%1/environ"_s.arg(pid));
        const QByteArray stat = TestSshd::readFile(u"/proc/%1/stat"_s.arg(pid));
        const qsizetype nameEnd = stat.lastIndexOf(')');
        const bool isOurs = std::any_of(
            folders.begin(), folders.end(), [&](const QString& folder) { return all.contains(folder.toUtf8() + '/'); });
        if ((!isOurs && !all.isEmpty()) || nameEnd < 0 || stat.contains("(sshd)"))
            continue;
        Process process{
            pid, Part::trials, stat[nameEnd + 2], hasPendingStop(TestSshd::readFile(u"/proc/%1/status"_s.arg(pid)))};
        if (!isOurs) {
            nameless.emplaceBack(stat.mid(nameEnd).split(' ').value(2).toInt(), process);
            continue;
        }
        if (pid == service)
            process.part = Part::service;
        else if (words.contains(QByteArray("trialkeeper\0host\0", 17)))
            process.part = Part::agents;
        else if (words.left(words.indexOf('\0')).endsWith("trialkeeper"))
            process.part = Part::keepers;
        list.append(process);
    }
    // In the middle of exec() one has neither: it is ours where its parent is.
    for (const auto& [parent, process] : std::as_const(nameless))
        if (std::any_of(list.begin(), list.end(), [parent = parent](const Process& one) { return one.pid == parent; }))
            list.append(process);
    return list;
}

} // namespace

class TestServiceSuspend : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { qunsetenv("SSH_AUTH_SOCK"); }
    void wakesInAnyOrder();
};

void TestServiceSuspend::wakesInAnyOrder()
{
    TestSshd host;
    QVERIFY(host.start());
    ServiceFixture service;
    trust(service, {&host});
    QVERIFY2(service.start(), service.output());
    QVERIFY(put(service, u"lab"_s, platformOf(Json::array({machineOf(host)}))));
    QVERIFY(waitReady(service, 1));
    const CountingTrials counting(service.folder() + u"/counting"_s);
    // Each number is a process: at the shortest pause eight trials keep two processors busy, and the service waits behind them.
    constexpr double pause = 0.2;
    const auto counted = [&](const QString& platform) { return counting.experiment(platform, 0, 1'000'000, pause); };
    const QString here = service.createExperiment(counted(u"local"_s));
    const QString there = service.createExperiment(counted(u"lab"_s));
    const QStringList local = service.submit(here, Json(3, Json::object()));
    const QStringList remote = service.submit(there, Json(3, Json::object()));
    const QStringList trials = local + remote;
    QVERIFY(counting.go(trials, 10));
    const auto now = [&] { return processesOf({service.folder(), host.folder()}, service.pid()); };
    const auto areAllThere = [&] {
        QMap<Part, int> parts;
        for (const Process& process : now())
            ++parts[process.part];
        return parts.value(Part::service) == 1 && parts.value(Part::agents) >= 2 && parts.value(Part::keepers) >= 6
            && parts.value(Part::trials) >= 6;
    };
    QVERIFY(QTest::qWaitFor(areAllThere, 60'000));

    const QList<QList<Part>> orders{{Part::trials, Part::keepers, Part::agents, Part::service},
        {Part::service, Part::trials, Part::keepers, Part::agents},
        {Part::agents, Part::service, Part::keepers, Part::trials}};
    for (const QList<Part>& order : orders) {
        // Those that are started meanwhile are found in the next round.
        host.freeze(true);
        QString awake;
        const auto allStopped = [&] {
            awake.clear();
            for (const Process& process : now()) {
                if (process.standsStill())
                    continue;
                ::kill(process.pid, SIGSTOP);
                awake += u"%1 %2 "_s.arg(process.pid).arg(QChar::fromLatin1(process.state));
            }
            return awake.isEmpty();
        };
        // Twice: one that was begun during a look is first seen by the next, and its parent is stopped then.
        QVERIFY2(QTest::qWaitFor([&] { return allStopped() && allStopped(); }, 60'000), qPrintable(awake));
        // Longer than an agent may be away before its machine counts as lost, and than a session over SSH may be quiet.
        QElapsedTimer asleep;
        asleep.start();
        QTRY_VERIFY_WITH_TIMEOUT(asleep.hasExpired(6'000), 60'000);
        QVERIFY2(allStopped(), qPrintable(awake));

        for (const Part part : order) {
            for (const Process& process : now())
                if (process.part == part)
                    ::kill(process.pid, SIGCONT);
            if (part == Part::agents)
                host.freeze(false);
            if (part == Part::trials)
                QVERIFY(counting.go(trials, 10));
            if (part == Part::service)
                QCOMPARE(service.get(u"/api/v1/health"_s).status, 200);
        }
        QVERIFY(counting.go(trials, 10));
        QVERIFY(waitReady(service, 1));
        for (const QString& id : trials)
            QVERIFY(service.waitForStatus(id, "RUNNING"));
    }
    // What comes now runs, too.
    const QStringList more =
        service.submit(here, Json(1, Json::object())) + service.submit(there, Json(1, Json::object()));
    QVERIFY(counting.go(more, 10));
    counting.end();
    for (const QString& id : trials + more) {
        QVERIFY(service.waitForStatus(id, "SUCCEEDED"));
        QCOMPARE(counting.wrong(service, id), QString());
    }
    QVERIFY2(service.terminate(), service.output());
}

QTEST_GUILESS_MAIN(TestServiceSuspend)
#include "tst_service_suspend.moc"
