// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/cluster/cluster_pace.h"
#include "services/platforms/cluster/job_course.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

const TrialId t1{u"t1"_s};
constexpr qint64 start = 1'000'000;
constexpr JobPatience patience;

JobFact fact(JobFact::Phase phase, int restarts = 0)
{
    JobFact out;
    out.trial = t1;
    out.phase = phase;
    out.restarts = restarts;
    return out;
}

JobFact endedAs(TrialStatus end, bool isDecisive = false)
{
    JobFact out = fact(JobFact::Phase::ended);
    out.end = end;
    out.isDecisive = isDecisive;
    out.exitCode = end == TrialStatus::succeeded ? 0 : 1;
    out.endTime = start + 900;
    return out;
}

Observation logEnd(TrialStatus status, int exitCode, int signal = 0)
{
    Observation out;
    out.trial = t1;
    out.status = status;
    out.exitCode = exitCode;
    if (signal > 0)
        out.signal = signal;
    out.endTime = start + 800;
    out.usage = ResourceUsage{7, 8, 9};
    return out;
}

Observation runningByLog()
{
    Observation out;
    out.trial = t1;
    out.status = TrialStatus::running;
    out.startTime = start + 10;
    return out;
}

JobCourse submitted(bool isConfirmed = true)
{
    JobCourse course;
    course.isConfirmed = isConfirmed;
    course.submittedAt = start;
    return course;
}

} // namespace

class TestJobCourse : public QObject
{
    Q_OBJECT
private slots:
    void waitsRunsEnds();
    void aReasonIsSaidOnce();
    void theLogsEndComesFirst();
    void anEndBySignalWaitsForTheClustersWord_data();
    void anEndBySignalWaitsForTheClustersWord();
    void ofSeveralPartsTheLogIsOnesAlone();
    void aFailureMayBeAnotherPartsFault();
    void metricsComeBeforeTheEnd();
    void aDecisiveEndStandsOverTheLogs();
    void goneBeforeItStarted_data();
    void goneBeforeItStarted();
    void neverHandedOver_data();
    void neverHandedOver();
    void goneWhileItRan();
    void goneAndBack();
    void requeuedByTheQueue();
    void requeuedByTheLog();
    void aRequeueBeforeTheFirstRunIsNone();
    void takenBackByAClusterThatDoesNotCount();
    void theClusterLosesContactWithIt();
    void finalIsFinal();
    void pace();
};

void TestJobCourse::waitsRunsEnds()
{
    JobCourse course = submitted();
    QVERIFY(!listed(course, fact(JobFact::Phase::waiting), start).observation);
    const CourseStep running = listed(course, fact(JobFact::Phase::running), start + 10'000);
    QVERIFY(running.observation && running.observation->status == TrialStatus::running && !running.isOver);
    QCOMPARE(running.observation->attempt, 1);
    QVERIFY(!listed(course, fact(JobFact::Phase::running), start + 20'000).observation);
    QVERIFY(!listed(course, fact(JobFact::Phase::unknown), start + 25'000).observation); // COMPLETING: the state stays
    course.isLogRead = true;
    const CourseStep ended = listed(course, endedAs(TrialStatus::succeeded), start + 30'000);
    QVERIFY(ended.observation && ended.isOver);
    QCOMPARE(ended.observation->status, TrialStatus::succeeded);
    QCOMPARE(ended.observation->exitCode, 0);
}

void TestJobCourse::aReasonIsSaidOnce()
{
    JobCourse course = submitted();
    JobFact waiting = fact(JobFact::Phase::waiting);
    waiting.reason = u"It waits for GPUs."_s;
    QCOMPARE(listed(course, waiting, start).progress.value_or(Message()), waiting.reason);
    QVERIFY(!listed(course, waiting, start + 1).progress);
    waiting.reason = u"It waits for its turn."_s;
    QCOMPARE(listed(course, waiting, start + 2).progress.value_or(Message()), waiting.reason);
}

void TestJobCourse::theLogsEndComesFirst()
{
    for (const auto& [status, code] : {std::pair(TrialStatus::succeeded, 0), std::pair(TrialStatus::failed, 3)}) {
        JobCourse course = submitted();
        QVERIFY(runsByLog(course, runningByLog()).observation);
        const CourseStep ended = endsByLog(course, logEnd(status, code), start + 1'000);
        QVERIFY(ended.observation && ended.isOver);
        QCOMPARE(ended.observation->status, status);
        QCOMPARE(ended.observation->exitCode, code);
        QVERIFY(ended.observation->usage.has_value());
    }
}

void TestJobCourse::anEndBySignalWaitsForTheClustersWord_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("clusterSays");
    for (const bool says : {true, false}) {
        QTest::addRow("signal, %d", says) << -1 << 9 << says;
        QTest::addRow("a shell's 137, %d", says) << 137 << 0 << says;
    }
}

void TestJobCourse::anEndBySignalWaitsForTheClustersWord()
{
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    QFETCH(bool, clusterSays);
    JobCourse course = submitted();
    std::ignore = runsByLog(course, runningByLog());
    const CourseStep first = endsByLog(course, logEnd(TrialStatus::failed, exitCode, signal), start);
    QVERIFY(!first.observation);
    QCOMPARE(first.lookAgainAt.value_or(0), start + patience.wordMs);
    QVERIFY(!settle(course, start + patience.wordMs - 1).observation);
    if (clusterSays) {
        JobFact killed = endedAs(TrialStatus::failed, true);
        killed.failureClass = FailureClass::outOfMemory;
        killed.exitCode.reset();
        const CourseStep ended = listed(course, killed, start + 5'000);
        QVERIFY(ended.observation && ended.observation->failureClass == FailureClass::outOfMemory);
        QVERIFY(ended.observation->usage.has_value()); // the log's
    } else {
        const CourseStep ended = settle(course, start + patience.wordMs);
        QVERIFY(ended.observation && ended.observation->status == TrialStatus::failed);
        QCOMPARE(ended.observation->exitCode, exitCode);
    }
}

void TestJobCourse::ofSeveralPartsTheLogIsOnesAlone()
{
    // The first worker has ended, the others work on: the cluster decides.
    for (const bool isGood : {true, false}) {
        JobCourse course = submitted();
        JobFact runs = fact(JobFact::Phase::running);
        runs.logEnd = LogEnd::ofPart;
        QCOMPARE(listed(course, runs, start).observation->status, TrialStatus::running);
        QVERIFY(!endsByLog(course, logEnd(TrialStatus::succeeded, 0), start + 1'000).observation);
        QVERIFY(!settle(course, start + 3'600'000).observation);
        JobFact end = endedAs(isGood ? TrialStatus::succeeded : TrialStatus::failed);
        end.logEnd = LogEnd::ofPart;
        const CourseStep last = listed(course, end, start + 3'600'000);
        QVERIFY(last.isOver);
        QCOMPARE(last.observation->status, isGood ? TrialStatus::succeeded : TrialStatus::failed);
    }
}

void TestJobCourse::aFailureMayBeAnotherPartsFault()
{
    JobCourse course = submitted();
    JobFact runs = fact(JobFact::Phase::running);
    runs.logEnd = LogEnd::ofSuccess;
    std::ignore = listed(course, runs, start);
    JobCourse other = course;
    JobCourse silent = course;
    // A success is the trial's at once.
    QVERIFY(endsByLog(other, logEnd(TrialStatus::succeeded, 0), start).isOver);
    // A failure waits for the cluster's word, for a while.
    const CourseStep failed = endsByLog(course, logEnd(TrialStatus::failed, 1), start);
    QVERIFY(!failed.observation);
    QCOMPARE(failed.lookAgainAt.value_or(0), start + JobPatience().wordMs);
    JobFact end = endedAs(TrialStatus::failed, true);
    end.logEnd = LogEnd::ofSuccess;
    end.reason = u"its part worker-1 failed"_m;
    const CourseStep last = listed(course, end, start + 5'000);
    QVERIFY(last.isOver);
    QCOMPARE(last.observation->reason.text(), u"its part worker-1 failed"_s);
    std::ignore = endsByLog(silent, logEnd(TrialStatus::failed, 1), start);
    QCOMPARE(settle(silent, start + JobPatience().wordMs).observation->status, TrialStatus::failed);
}

void TestJobCourse::metricsComeBeforeTheEnd()
{
    for (const bool isRead : {true, false}) {
        JobCourse course = submitted();
        std::ignore = listed(course, fact(JobFact::Phase::running), start);
        const CourseStep first = listed(course, endedAs(TrialStatus::succeeded), start);
        QVERIFY(!first.observation);
        QCOMPARE(first.lookAgainAt.value_or(0), start + patience.drainMs);
        course.isLogRead = isRead;
        const CourseStep second = settle(course, isRead ? start + 1 : start + patience.drainMs);
        QVERIFY(second.observation && second.isOver);
    }
}

void TestJobCourse::aDecisiveEndStandsOverTheLogs()
{
    for (const bool isDecisive : {true, false}) {
        JobCourse course = submitted();
        std::ignore = runsByLog(course, runningByLog());
        std::ignore = listed(course, endedAs(TrialStatus::sys_canceled, isDecisive), start);
        const CourseStep ended = endsByLog(course, logEnd(TrialStatus::failed, 143), start + 10);
        QVERIFY(ended.observation);
        QCOMPARE(ended.observation->status, isDecisive ? TrialStatus::sys_canceled : TrialStatus::failed);
    }
}

void TestJobCourse::goneBeforeItStarted_data()
{
    QTest::addColumn<bool>("isConfirmed");
    QTest::newRow("submit without an answer") << false;
    QTest::newRow("accepted, then purged") << true;
}

void TestJobCourse::goneBeforeItStarted()
{
    QFETCH(bool, isConfirmed);
    JobCourse course = submitted(isConfirmed);
    QVERIFY(!missing(course, t1, u"lab"_s, start + 1'000).observation);
    QVERIFY(!missing(course, t1, u"lab"_s, start + patience.missingMs).observation);
    const CourseStep ended = missing(course, t1, u"lab"_s, start + 1'000 + patience.missingMs);
    QVERIFY(ended.observation && ended.isOver);
    QCOMPARE(ended.observation->status, TrialStatus::failed);
    QVERIFY(ended.observation->failureClass == FailureClass::neverStarted);
    QVERIFY(ended.observation->reason.contains(u"lab"));
}

/// An earlier life of the service was killed about when it handed the job over.
void TestJobCourse::neverHandedOver_data()
{
    QTest::addColumn<std::function<void(JobCourse&)>>("change");
    QTest::addColumn<bool>("isSoon");
    const auto row = [](const char* name, bool isSoon, const std::function<void(JobCourse&)>& change) {
        QTest::newRow(name) << change << isSoon;
    };
    row("not known", true, [](JobCourse&) {});
    row("of this life: its answer may come late", false, [](JobCourse& course) { course.isAdopted = false; });
    row("accepted, then gone", false, [](JobCourse& course) { course.isConfirmed = true; });
    row("its log was read", false, [](JobCourse& course) { course.runs.hasRun = true; });
    row("nobody would look for it again", false, [](JobCourse& course) { course.cancel = CancelIntent::user; });
}

void TestJobCourse::neverHandedOver()
{
    QFETCH(std::function<void(JobCourse&)>, change);
    QFETCH(bool, isSoon);
    const JobPatience hasty{.adoptedMs = 3'000};
    JobCourse course = submitted(false);
    course.isAdopted = true;
    change(course);
    const CourseStep first = missing(course, t1, u"lab"_s, start + 1, hasty);
    QVERIFY(!first.observation);
    const qint64 due = start + 1 + (isSoon ? 3'000 : hasty.missingMs);
    QCOMPARE(first.lookAgainAt, std::optional(due));
    QVERIFY(!missing(course, t1, u"lab"_s, due - 1, hasty).observation);
    QVERIFY(missing(course, t1, u"lab"_s, due, hasty).observation);
}

void TestJobCourse::goneWhileItRan()
{
    JobCourse course = submitted();
    std::ignore = listed(course, fact(JobFact::Phase::running), start);
    QVERIFY(!missing(course, t1, u"lab"_s, start + 1).observation);
    const CourseStep unknown = missing(course, t1, u"lab"_s, start + 1 + patience.missingMs);
    QVERIFY(unknown.observation && unknown.observation->status == TrialStatus::unknown && !unknown.isOver);
    QVERIFY(!missing(course, t1, u"lab"_s, start + 2 + patience.missingMs).observation);
    const CourseStep lost = missing(course, t1, u"lab"_s, start + 1 + patience.lostMs);
    QVERIFY(lost.observation && lost.isOver);
    QVERIFY(lost.observation->failureClass == FailureClass::keeperLost);
}

void TestJobCourse::goneAndBack()
{
    JobCourse course = submitted();
    std::ignore = listed(course, fact(JobFact::Phase::running), start);
    std::ignore = missing(course, t1, u"lab"_s, start + 1);
    std::ignore = missing(course, t1, u"lab"_s, start + 1 + patience.missingMs);
    const CourseStep back = listed(course, fact(JobFact::Phase::running), start + 100'000);
    QVERIFY(back.observation && back.observation->status == TrialStatus::running);
    QVERIFY(!missing(course, t1, u"lab"_s, start + 100'001).observation); // the time counts anew
}

void TestJobCourse::requeuedByTheQueue()
{
    JobCourse course = submitted();
    course.runs.runSeen();
    std::ignore = runsByLog(course, runningByLog());
    JobFact waiting = fact(JobFact::Phase::waiting, 1);
    waiting.reason = u"Its node failed."_s;
    const CourseStep again = listed(course, waiting, start + 1);
    QVERIFY(again.observation && again.observation->status == TrialStatus::waiting);
    QCOMPARE(again.observation->attempt, 2);
    QCOMPARE(again.observation->reason, waiting.reason);
    course.runs.runSeen();
    const CourseStep running = runsByLog(course, runningByLog());
    QVERIFY(running.observation && running.observation->attempt == 2);
    QVERIFY(!listed(course, fact(JobFact::Phase::running, 1), start + 3).observation);
}

void TestJobCourse::requeuedByTheLog()
{
    JobCourse course = submitted();
    course.runs.runSeen();
    std::ignore = runsByLog(course, runningByLog());
    QVERIFY(!endsByLog(course, logEnd(TrialStatus::failed, -1, 15), start + 1).observation);
    course.runs.runSeen(); // its keeper runs again before the queue was asked
    const CourseStep running = runsByLog(course, runningByLog());
    QVERIFY(running.observation && running.observation->attempt == 2);
    QVERIFY(!listed(course, fact(JobFact::Phase::running, 1), start + 3).observation);
    QCOMPARE(course.runs.attempt, 2);
    QVERIFY(!settle(course, start + patience.wordMs + 5).observation); // the end was of the run before
}

void TestJobCourse::aRequeueBeforeTheFirstRunIsNone()
{
    JobCourse course = submitted();
    QVERIFY(!listed(course, fact(JobFact::Phase::waiting, 2), start).observation);
    QCOMPARE(course.runs.attempt, 1);
    course.runs.runSeen();
    QCOMPARE(course.runs.attempt, 1);
}

void TestJobCourse::takenBackByAClusterThatDoesNotCount()
{
    JobCourse course = submitted();
    JobFact held = fact(JobFact::Phase::waiting);
    held.isTakenBack = true;
    QVERIFY(!listed(course, held, start).observation); // nothing ran before
    for (int attempt = 1; attempt <= 3; ++attempt) {
        QVERIFY(listed(course, fact(JobFact::Phase::running), start + 1'000).observation);
        if (attempt != 2) { // of that one no log is read
            course.runs.runSeen();
            JobFact ending = fact(JobFact::Phase::running);
            ending.logEnd = LogEnd::ofPart;
            QVERIFY(!listed(course, ending, start + 2'000).observation);
            QVERIFY(!endsByLog(course, logEnd(TrialStatus::failed, 3), start + 2'000).observation);
        }
        const CourseStep waits = listed(course, held, start + 3'000);
        QVERIFY(waits.observation && !waits.isOver);
        QCOMPARE(waits.observation->status, TrialStatus::waiting);
        QCOMPARE(waits.observation->attempt, attempt + 1);
        QVERIFY(!course.logEnd);
        QVERIFY(!listed(course, held, start + 4'000).observation); // once
    }
}

void TestJobCourse::theClusterLosesContactWithIt()
{
    JobFact silent = fact(JobFact::Phase::unknown);
    silent.isSilent = true;
    silent.reason = u"contact is lost"_s;
    JobCourse course = submitted();
    QVERIFY(!listed(course, silent, start).observation); // it never ran
    (void)listed(course, fact(JobFact::Phase::running), start + 1'000);
    const CourseStep lost = listed(course, silent, start + 2'000);
    QVERIFY(lost.observation && !lost.isOver);
    QCOMPARE(lost.observation->status, TrialStatus::unknown);
    QCOMPARE(lost.observation->reason.text(), u"contact is lost"_s);
    QVERIFY(!listed(course, silent, start + 3'000).observation);
    const CourseStep back = listed(course, fact(JobFact::Phase::running), start + 4'000);
    QVERIFY(back.observation);
    QCOMPARE(back.observation->status, TrialStatus::running);
    QCOMPARE(back.observation->attempt, 1);
    // What its log says of its end stands, whatever the cluster hears.
    (void)listed(course, silent, start + 5'000);
    const CourseStep end = endsByLog(course, logEnd(TrialStatus::succeeded, 0), start + 6'000);
    QVERIFY(end.isOver);
    QCOMPARE(end.observation->status, TrialStatus::succeeded);
}

void TestJobCourse::finalIsFinal()
{
    JobCourse course = submitted();
    std::ignore = endsByLog(course, logEnd(TrialStatus::succeeded, 0), start);
    QVERIFY(!listed(course, fact(JobFact::Phase::running), start + 1).observation);
    QVERIFY(!listed(course, endedAs(TrialStatus::failed), start + 1).observation);
    QVERIFY(!missing(course, t1, u"lab"_s, start + patience.lostMs * 2).observation);
    QVERIFY(!runsByLog(course, runningByLog()).observation);
}

void TestJobCourse::pace()
{
    QCOMPARE(nextAskMs(10'000, 0, 0), 10'000);
    QCOMPARE(nextAskMs(10'000, 1, 0), 20'000);
    QCOMPARE(nextAskMs(10'000, 100, 0), 120'000);
    QCOMPARE(nextAskMs(300'000, 100, 0), 300'000); // a person wants it gentler than we would be
    QCOMPARE(nextAskMs(10'000, 0, 1), 11'000);
    QCOMPARE(wordWithinMs(25'000, 5'000), 25'000);
    QCOMPARE(wordWithinMs(25'000, 60'000), 125'000); // a word that comes with the second list is heard
}

QTEST_GUILESS_MAIN(TestJobCourse)
#include "tst_job_course.moc"
