// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/trial_state.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace trial;
using trial::Observation;
using S = TrialStatus;

namespace {

constexpr qint64 noon = 12 * 3'600'000;

Trial trialIn(S status)
{
    Trial trial;
    trial.id = TrialId(u"t1"_s);
    trial.platformId = PlatformId(u"lab"_s);
    trial.machineId = MachineId(u"lab3"_s);
    trial.status = status;
    trial.submitTime = noon;
    if (status != S::waiting) {
        trial.startTime = noon + 1000;
        trial.lastContact = noon + 3 * 60'000;
    }
    return trial;
}

Observation seen(S status, std::optional<int> exitCode = std::nullopt, std::optional<int> signal = std::nullopt)
{
    Observation o;
    o.trial = TrialId(u"t1"_s);
    o.status = status;
    o.exitCode = exitCode;
    o.signal = signal;
    o.time = noon + 10'000;
    return o;
}

} // namespace

class TestTrialMachine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("TZ", "UTC"); }

    void legalTable()
    {
        // Rows: from; columns: to, in the order of the enumeration: ? W R S F u s e
        const QList<std::pair<S, QByteArray>> table{{S::unknown, "-xxxxxxx"}, {S::waiting, "x-xxxxxx"},
            {S::running, "x--xxxxx"}, {S::succeeded, "--------"}, {S::failed, "--------"},
            {S::user_canceled, "--------"}, {S::sys_canceled, "--------"}, {S::early_stopped, "--------"}};
        for (const auto& [from, row] : table) {
            for (const S to : allTrialStatuses) {
                const bool legal = row[qsizetype(to)] == 'x';
                QCOMPARE(isLegalTransition(from, to), legal);
                const TrialStep step = applyObservation(trialIn(from), seen(to), noon + 20'000);
                QCOMPARE(step.statusChanged, legal);
                QCOMPARE(step.trial.status, legal ? to : from);
                if (isFinal(from))
                    QCOMPARE(step.trial, trialIn(from));
            }
        }
    }

    void cancelIntents_data()
    {
        QTest::addColumn<int>("intent"); // -1: none
        QTest::addColumn<int>("seenStatus");
        QTest::addColumn<QString>("failureClass");
        QTest::addColumn<int>("becomes");
        const auto row = [](const char* name, int intent, S status, const char* failureClass, S becomes) {
            QTest::newRow(name) << intent << int(status) << QString::fromLatin1(failureClass) << int(becomes);
        };
        const int user = int(CancelIntent::user);
        const int early = int(CancelIntent::early);
        const int system = int(CancelIntent::system);
        row("failed", -1, S::failed, "", S::failed);
        row("failed, user", user, S::failed, "", S::user_canceled);
        row("failed, early", early, S::failed, "signal", S::early_stopped);
        row("failed, system", system, S::failed, "exitCode", S::sys_canceled);
        row("keeper lost, user", user, S::failed, "keeperLost", S::user_canceled);
        row("failed by itself before", user, S::failed, "itself", S::failed);
        row("succeeded", user, S::succeeded, "", S::succeeded);
        row("platform says user", early, S::user_canceled, "", S::early_stopped);
        row("platform says system", user, S::sys_canceled, "", S::user_canceled);
        row("preempted", -1, S::sys_canceled, "", S::sys_canceled);
        row("cancelled elsewhere", -1, S::user_canceled, "", S::user_canceled);
        row("still runs", user, S::running, "", S::running);
    }
    void cancelIntents()
    {
        QFETCH(int, intent);
        QFETCH(int, seenStatus);
        QFETCH(QString, failureClass);
        QFETCH(int, becomes);
        Trial trial = trialIn(S::running);
        if (intent >= 0)
            trial.cancelIntent = CancelIntent(intent);
        Observation o = seen(S(seenStatus), 1);
        if (failureClass == u"itself")
            o.endedByItself = true;
        else
            o.failureClass = OpenWord<FailureClass>::fromWord(failureClass);
        const TrialStep step = applyObservation(trial, o, noon + 20'000);
        QCOMPARE(int(step.trial.status), becomes);
        if (step.trial.status == S::failed) {
            QCOMPARE(step.trial.failureClass.word(), u"exitCode"_s);
            QCOMPARE(step.trial.exitCode, 1);
        }
        QCOMPARE(step.trial.reason.isEmpty(), step.trial.status == S::succeeded || step.trial.status == S::running);
    }

    void reasons_data()
    {
        QTest::addColumn<QString>("failureClass");
        QTest::addColumn<QString>("told");
        QTest::addColumn<int>("exitCode"); // -1: absent
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("becomes");
        const auto row = [](const char* failureClass, const QString& told, int exitCode, int signal,
                             const QString& reason, const char* becomes) {
            QTest::newRow(qPrintable(reason)) << QString::fromLatin1(failureClass) << told << exitCode << signal
                                              << reason << QString::fromLatin1(becomes);
        };
        row("", {}, 2, -1, u"exit code 2"_s, "exitCode");
        row("", {}, -1, 9, u"killed by signal 9 (KILL)"_s, "signal");
        row("", {}, -1, 64, u"killed by signal 64"_s, "signal");
        row("exitCode", {}, 127, 0, u"exit code 127: a command in it was not found"_s, "exitCode");
        row("", {}, 126, 0, u"exit code 126: a command in it cannot be executed"_s, "exitCode");
        row("", {}, 139, 0, u"exit code 139: a process in it was killed by signal 11 (SEGV)"_s, "exitCode");
        row("", {}, 255, 0, u"exit code 255"_s, "exitCode");
        row("commandNotFound", u"command not found: trian"_s, 127, 0, u"command not found: trian"_s, "commandNotFound");
        row("outOfMemory", {}, -1, 9, u"out of memory: the machine ended its processes"_s, "outOfMemory");
        row("keeperLost", {}, -1, -1, u"its keeper was lost, and no trace of how it ended was found"_s, "keeperLost");
        row("machineRestarted", {}, -1, -1, u"the machine restarted while it ran"_s, "machineRestarted");
        row("", u"ImagePullBackOff: no such image"_s, -1, -1, u"ImagePullBackOff: no such image"_s, "platform");
        row("preempted", u"Its node was taken away."_s, -1, -1, u"Its node was taken away."_s, "preempted");
        row("trialFolderLost", u"Its folder is gone."_s, -1, -1, u"Its folder is gone."_s, "trialFolderLost");
        row("", {}, 0, 0, u"the platform reports a failure and gives no reason"_s, "platform");
    }
    void reasons()
    {
        QFETCH(QString, failureClass);
        QFETCH(QString, told);
        QFETCH(int, exitCode);
        QFETCH(int, signal);
        QFETCH(QString, reason);
        QFETCH(QString, becomes);
        Observation o = seen(S::failed, exitCode < 0 ? std::nullopt : std::optional(exitCode),
            signal < 0 ? std::nullopt : std::optional(signal));
        o.failureClass = OpenWord<FailureClass>::fromWord(failureClass);
        o.reason = told;
        const TrialStep step = applyObservation(trialIn(S::running), o, noon + 20'000);
        QCOMPARE(step.trial.reason, reason);
        QCOMPARE(step.trial.failureClass.word(), becomes);
        QCOMPARE(step.trial.signal.has_value(), signal > 0);
        QVERIFY(step.journal.startsWith(u"Failed after 9.0 s: "_s + reason));
    }

    void silenceIsUnknown()
    {
        Trial trial = trialIn(S::running);
        const TrialStep lost = applyLost(trial, u"lab3"_s, noon + 3 * 60'000);
        QCOMPARE(lost.trial.status, S::unknown);
        QCOMPARE(lost.trial.reason, u"no contact with lab3 since 12:03"_s);
        QCOMPARE(lost.trial.lastContact, noon + 3 * 60'000);
        QVERIFY(lost.statusChanged);
        QCOMPARE(lost.journal, u"State unknown: no contact with lab3 since 12:03."_s);
        const TrialStep again = applyLost(lost.trial, u"lab3"_s, noon + 3 * 60'000);
        QVERIFY(!again.statusChanged && !again.changed && again.journal.isEmpty());
        const TrialStep back = applyObservation(lost.trial, seen(S::running), noon + 600'000);
        QCOMPARE(back.trial.status, S::running);
        QCOMPARE(back.trial.lastContact, noon + 600'000);
        QVERIFY(back.trial.reason.isEmpty());
        QCOMPARE(back.journal, u"In contact again: it is running."_s);
        // The platform itself may say that it does not know.
        const TrialStep told = applyObservation(trial, seen(S::unknown), noon + 600'000);
        QCOMPARE(told.trial.reason, u"no contact with lab3 since 12:03"_s);
        QCOMPARE(told.trial.lastContact, trial.lastContact);
        QCOMPARE(applyLost(trialIn(S::succeeded), u"lab3"_s, noon).trial, trialIn(S::succeeded));
    }

    void times_data()
    {
        QTest::addColumn<qint64>("start");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<qint64>("expectedStart");
        QTest::addColumn<qint64>("expectedEnd");
        const auto row = [](const char* name, qint64 start, qint64 end, qint64 expectedStart, qint64 expectedEnd) {
            QTest::newRow(name) << start << end << expectedStart << expectedEnd;
        };
        // Relative to the submission; the service hears of it at 60 s.
        row("fine", 1000, 9000, 1000, 9000);
        row("clock behind", -100'000, -90'000, 0, 10'000);
        row("clock ahead", 500'000, 500'700, 60'000, 60'000);
        row("end before start", 5000, 4000, 5000, 5000);
        row("end in the future", 5000, 70'000, 5000, 60'000);
    }
    void times()
    {
        QFETCH(qint64, start);
        QFETCH(qint64, end);
        QFETCH(qint64, expectedStart);
        QFETCH(qint64, expectedEnd);
        Observation o = seen(S::succeeded, 0);
        o.startTime = noon + start;
        o.endTime = noon + end;
        const TrialStep step = applyObservation(trialIn(S::waiting), o, noon + 60'000);
        QCOMPARE(*step.trial.startTime - noon, expectedStart);
        QCOMPARE(*step.trial.endTime - noon, expectedEnd);
        // The same in two observations: the end moves by as much as the start did.
        Observation begin = seen(S::running);
        begin.startTime = o.startTime;
        const TrialStep first = applyObservation(trialIn(S::waiting), begin, noon + 60'000);
        QCOMPARE(*first.trial.startTime - noon, expectedStart);
        const TrialStep second = applyObservation(first.trial, o, noon + 60'000);
        QCOMPARE(*second.trial.startTime - noon, expectedStart);
        QCOMPARE(*second.trial.endTime - noon, expectedEnd);
    }

    void factsAreCarried()
    {
        Observation o = seen(S::running);
        o.workingDirectory = u"/scratch/t1"_s;
        o.url = u"https://x/y"_s;
        o.usage = ResourceUsage{1, 2, 3};
        o.machine = MachineId(u"node7"_s);
        const TrialStep step = applyObservation(trialIn(S::waiting), o, noon + 20'000);
        QVERIFY(step.changed);
        QCOMPARE(step.trial.workingDirectory, o.workingDirectory);
        QCOMPARE(step.trial.url, o.url);
        QCOMPARE(step.trial.usage, *o.usage);
        QCOMPARE(step.trial.machineId, o.machine);
        QCOMPARE(step.journal, u"Started on node7."_s);
        QCOMPARE(*step.trial.startTime, o.time);
        // Absent members change nothing, and neither does a repeat.
        const TrialStep repeat = applyObservation(step.trial, seen(S::running), noon + 30'000);
        QVERIFY(!repeat.changed && !repeat.statusChanged);
        QCOMPARE(repeat.trial.url, o.url);
        QCOMPARE(repeat.trial.lastContact, noon + 30'000);
        // WAITING may change its reason without changing.
        Trial waiting = trialIn(S::waiting);
        Observation pending = seen(S::waiting);
        pending.reason = u"0/3 nodes have a free GPU"_s;
        const TrialStep held = applyObservation(waiting, pending, noon + 30'000);
        QVERIFY(held.changed && !held.statusChanged);
        QCOMPARE(held.trial.reason, pending.reason);
    }

    void theProcessIsKnownWhileItRuns()
    {
        Observation started = seen(S::running);
        started.pid = 4'711;
        const Trial running = applyObservation(trialIn(S::waiting), started, noon).trial;
        QCOMPARE(running.pid, 4'711);
        const Trial again = applyObservation(running, seen(S::running), noon + 10).trial; // which does not say it
        QCOMPARE(again.pid, 4'711);
        QCOMPARE(applyLost(again, u"node7"_s, noon).trial.pid, 4'711);
        QCOMPARE(applyRequeue(again, {}, noon + 20).trial.pid, 0);
        QCOMPARE(applyObservation(again, seen(S::succeeded), noon + 20).trial.pid, 0);
    }

    void cancelling()
    {
        const TrialStep queued = applyCancel(trialIn(S::waiting), CancelIntent::early, false, noon + 500);
        QCOMPARE(queued.trial.status, S::early_stopped);
        QCOMPARE(*queued.trial.endTime, noon + 500);
        QVERIFY(!queued.trial.startTime);
        QVERIFY(queued.statusChanged);
        const TrialStep placed = applyCancel(trialIn(S::waiting), CancelIntent::user, true, noon + 500);
        QCOMPARE(placed.trial.status, S::waiting);
        QCOMPARE(placed.trial.cancelIntent, CancelIntent::user);
        const TrialStep second = applyCancel(placed.trial, CancelIntent::system, true, noon + 600);
        QVERIFY(!second.changed);
        QCOMPARE(second.trial.cancelIntent, CancelIntent::user);
        QVERIFY(!applyCancel(trialIn(S::failed), CancelIntent::user, true, noon).changed);
    }

    void theReasonOfACancelIsKept()
    {
        const TrialStep asked = applyCancel(trialIn(S::running), CancelIntent::early, true, noon, u"over its limit"_s);
        const TrialStep seenAgain = applyObservation(asked.trial, seen(S::running), noon + 10);
        const TrialStep ended = applyObservation(seenAgain.trial, seen(S::failed), noon + 20);
        QCOMPARE(ended.trial.status, S::early_stopped);
        QCOMPARE(ended.trial.reason, u"stopped early: over its limit"_s);
        QCOMPARE(applyCancel(trialIn(S::waiting), CancelIntent::system, false, noon, u"its experiment has ended"_s)
                     .trial.reason,
            u"cancelled by the system: its experiment has ended"_s);
        const TrialStep plain = applyCancel(trialIn(S::running), CancelIntent::user, true, noon);
        QCOMPARE(applyObservation(plain.trial, seen(S::failed), noon + 20).trial.reason, u"cancelled on request"_s);
        // The reason of UNKNOWN is not kept as the reason of the end.
        const TrialStep lost = applyLost(asked.trial, u"lab"_s, noon);
        QCOMPARE(applyObservation(lost.trial, seen(S::failed), noon + 30).trial.reason, u"stopped early"_s);
    }

    void submitting()
    {
        trial::SubmitOutcome outcome;
        outcome.trial = TrialId(u"t1"_s);
        QVERIFY(!applySubmitOutcome(trialIn(S::waiting), outcome, noon).changed);
        outcome.error = Error{Kind::invalid, u"the queue batch is not there"_s, {}};
        const TrialStep refused = applySubmitOutcome(trialIn(S::waiting), outcome, noon + 5);
        QCOMPARE(refused.trial.status, S::failed);
        QCOMPARE(refused.trial.failureClass.word(), u"startFailed"_s);
        QCOMPARE(refused.trial.reason, u"could not be started: the queue batch is not there"_s);
        QCOMPARE(*refused.trial.endTime, noon + 5);
        outcome.unknown = true;
        const TrialStep unknown = applySubmitOutcome(trialIn(S::waiting), outcome, noon + 5);
        QCOMPARE(unknown.trial.status, S::unknown);
        QVERIFY(unknown.trial.reason.startsWith(u"it is not known whether it was started: "_s));
    }

    void randomHistories()
    {
        std::mt19937 random(11);
        const auto below = [&](int n) { return int(random() % quint32(n)); };
        int ended = 0;
        for (int history = 0; history < 5'000; ++history) {
            Trial trial = trialIn(S::waiting);
            qint64 now = noon;
            for (int i = 0; i < 12; ++i) {
                now += below(5000);
                const Trial before = trial;
                TrialStep step;
                switch (below(8)) {
                case 0:
                    step = applyLost(trial, u"lab3"_s, now - below(1000));
                    break;
                case 1:
                    step = applyCancel(trial, CancelIntent(below(3)), below(2), now);
                    break;
                default: {
                    Observation o = seen(allTrialStatuses[size_t(below(8))]);
                    if (below(2))
                        o.exitCode = below(200);
                    if (below(4) == 0)
                        o.signal = below(70);
                    if (below(2))
                        o.startTime = noon - 50'000 + below(100'000);
                    if (below(2))
                        o.endTime = noon - 50'000 + below(100'000);
                    if (below(3) == 0)
                        o.reason = u"told"_s;
                    o.time = below(2) ? 0 : now + below(100'000) - 50'000;
                    step = applyObservation(trial, o, now);
                }
                }
                trial = step.trial;
                QCOMPARE(step.statusChanged, before.status != trial.status);
                QVERIFY(before.status == trial.status || isLegalTransition(before.status, trial.status));
                QCOMPARE(step.statusChanged, step.statusChanged && !step.journal.isEmpty());
                if (isFinal(before.status))
                    QCOMPARE(trial, before);
                if (trial.status == S::failed || trial.status == S::unknown)
                    QVERIFY(!trial.reason.isEmpty());
                QCOMPARE(trial.endTime.has_value(), isFinal(trial.status));
                if (trial.startTime)
                    QVERIFY(*trial.startTime >= trial.submitTime && *trial.startTime <= now);
                if (trial.endTime)
                    QVERIFY(*trial.endTime <= now && *trial.endTime >= trial.startTime.value_or(trial.submitTime));
                if (before.startTime)
                    QCOMPARE(trial.startTime, before.startTime);
                if (trial.cancelIntent && isFinal(trial.status) && !isFinal(before.status))
                    QVERIFY(trial.status == S::succeeded || trial.status == cancelledStatus(*trial.cancelIntent));
            }
            ended += isFinal(trial.status);
        }
        QVERIFY(ended > 3'000);
    }
};

QTEST_GUILESS_MAIN(TestTrialMachine)
#include "tst_trial_state.moc"
