// SPDX-License-Identifier: GPL-3.0-or-later
// What DLTS itself does to jobs: it holds, pauses, kills and restarts them; and what old dashboards do not have.
#include "dlts_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestDltsCourse : public QObject, StandInFixture<DltsSubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void waitsForApproval();
    void reasonsToWait();
    void killedBySomebodyElse();
    void killingTakesAWhile();
    void failures_data();
    void failures();
    void runsAgainAfterALostNode();
    void pausedAndResumed();
    void cancelledWhilePaused();
    void inventedWords();
    void jobsOfOthers();
    void gpuModels();
    void machine();
    void oldDashboards();
    void severalClusters();
    void theEnvironmentOfATrial();
};

void TestDltsCourse::cleanup()
{
    const QString text = said();
    const QString password = m_subject->server.value(u"password"_s);
    end();
    QVERIFY(!password.isEmpty() && !text.contains(password));
}

void TestDltsCourse::waitsForApproval()
{
    control(u"settings"_s, {{"userQuota", 1}});
    open();
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.gpuNumber = 2;
    const SubmitOutcome outcome = submit(spec);
    QVERIFY(!outcome.error && outcome.handle == DltsSubject::job(t1));
    QTRY_VERIFY_WITH_TIMEOUT(
        m_sink->progresses[t1].join(u' ').contains(u"Waiting for approval: more than 1 GPUs of u@x.com"_s), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::waiting);
    act(u"approve"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestDltsCourse::reasonsToWait()
{
    open();
    act(u"hold"_s, t1, {{"at", "queued"}, {"message", "Waiting for resource. Job request 4. VC schedulable 1"}});
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->progresses[t1].contains(u"DLTS: Waiting for resource"_s), patience);
    act(u"release"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestDltsCourse::killedBySomebodyElse()
{
    open();
    start(t1);
    act(u"kill"_s, t1, {{"message", "it was idle"}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::sys_canceled, patience);
    QCOMPARE(last(t1).reason.text(), u"it was ended in DLTS"_s);
}

/// Its own words do not count while a cancel is under way.
void TestDltsCourse::killingTakesAWhile()
{
    control(u"settings"_s, {{"delays", {{"kill", 15.0}}}});
    open();
    act(u"hold"_s, t1, {{"at", "queued"}});
    QVERIFY(!submit(t1, Job::quick).error);
    QVERIFY(cancel(t1));
    const int before = requests(u"path=/v2/"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/"_s) >= before + 2, patience);
    const bool hasEnded = facts(t1).ended(); // looked at first: what is being killed still was it then
    if (m_subject->server.get(u"jobs"_s)[0]["status"] == "killing")
        QVERIFY(!hasEnded);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::user_canceled, patience);
    QCOMPARE(facts(t1).count(TrialStatus::running), 0);
}

void TestDltsCourse::failures_data()
{
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("message");
    QTest::addColumn<FailureClass>("failureClass");
    QTest::addColumn<QString>("words");
    QTest::newRow("not launched") << u"error"_s << u"Cannot submit job!no such image"_s << FailureClass::platform
                                  << u"DLTS: Cannot submit job!no such image"_s;
    QTest::newRow("memory") << u"failed"_s << u"pod failed: OOMKilled"_s << FailureClass::outOfMemory
                            << u"more memory"_s;
}

void TestDltsCourse::failures()
{
    QFETCH(QString, status);
    QFETCH(QString, message);
    QFETCH(FailureClass, failureClass);
    QFETCH(QString, words);
    open();
    start(t1);
    act(u"fail"_s, t1, {{"status", status.toStdString()}, {"message", message.toStdString()}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    QCOMPARE(last(t1).failureClass, failureClass);
    QVERIFY2(last(t1).reason.text().contains(words), qPrintable(last(t1).reason.text()));
}

/// DLTS queues it again by itself: another attempt, whose metrics begin anew.
void TestDltsCourse::runsAgainAfterALostNode()
{
    open();
    start(t1);
    act(u"hold"_s, t1, {{"at", "queued"}});
    act(u"lose"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::waiting, patience);
    m_sink->contiguous = false;
    act(u"release"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(m_subject->starts(t1), 2, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(last(t1).attempt, 2);
    QCOMPARE(jobsThere(), 1);
}

/// A paused job has no process any more; it is begun anew when somebody resumes it.
void TestDltsCourse::pausedAndResumed()
{
    open();
    start(t1);
    act(u"pause"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::waiting, patience);
    QVERIFY(last(t1).reason.text().contains(u"paused in DLTS"_s));
    QVERIFY(!m_subject->lives(t1));
    // It is left alone.
    const int before = requests(u"path=/v2/"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/"_s) >= before + 5, patience);
    QCOMPARE(facts(t1).status(), TrialStatus::waiting);
    QCOMPARE(requests(u"method=PUT&path=/"_s), 0);
    m_sink->contiguous = false;
    act(u"resume"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 2);
}

void TestDltsCourse::cancelledWhilePaused()
{
    open();
    start(t1);
    act(u"pause"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::waiting, patience);
    QVERIFY(cancel(t1));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::user_canceled, patience);
}

void TestDltsCourse::inventedWords()
{
    open();
    start(t1);
    act(u"show"_s, t1, {{"status", "dreaming"}});
    const int before = requests(u"path=/v2/"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/"_s) >= before + 6, patience);
    QCOMPARE(facts(t1).status(), TrialStatus::running);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

/// A name like ours is not enough: ids tell whose a job is.
void TestDltsCourse::jobsOfOthers()
{
    control(u"fill"_s, {{"name", "td-s1-theirs"}, {"count", 3}, {"status", "running"}});
    open();
    QVERIFY(QCoro::waitFor(m_platform->adopt({})));
    start(t1);
    const int before = requests(u"path=/v2/"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/"_s) >= before + 2, patience);
    QCOMPARE(m_sink->trials.size(), size_t(1));
}

void TestDltsCourse::gpuModels()
{
    control(u"settings"_s, {{"metadata", "{}"}});
    open();
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.gpuNumber = 1;
    const SubmitOutcome refused = submit(spec);
    QVERIFY(refused.error && refused.error->kind == Kind::invalid);
    QVERIFY(refused.error->message.text().startsWith(u"gpuType"_s));
    QVERIFY(!submit(t2, Job::quick).error); // one without GPUs needs none
    spec.platformOptions = {{"gpuType", "V100"}};
    QVERIFY(!submit(spec).error);
    for (const TrialId& trial : {t1, t2})
        QTRY_COMPARE_WITH_TIMEOUT(facts(trial).status(), TrialStatus::succeeded, patience);
    QStringList models;
    for (const Json& job : m_subject->server.get(u"jobs"_s))
        models.append(job["spec"]["gpuType"].get<QString>());
    models.sort();
    QCOMPARE(models, QStringList({QString(), u"V100"_s}));
}

void TestDltsCourse::machine()
{
    open();
    QTRY_VERIFY_WITH_TIMEOUT(!m_sink->machineLists.isEmpty(), patience);
    QCOMPARE(m_sink->machineLists.first().size(), 1);
    const Machine share = m_sink->machineLists.first().first();
    QCOMPARE(share.id.value, u"d.platform"_s);
    QCOMPARE(share.gpus.size(), 8);
    QCOMPARE(share.gpus.first().model, u"P40"_s);
    int taken = 0;
    for (const Gpu& gpu : share.gpus)
        taken += int(gpu.processes.size());
    QCOMPARE(taken, 2);
}

/// They have no /api/v2.
void TestDltsCourse::oldDashboards()
{
    control(u"settings"_s, {{"v2", false}});
    open();
    start(t1);
    QVERIFY(!submit(t2, Job::failing).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::failed, patience);
    QCOMPARE(last(t2).exitCode, 3);
    const TrialId t3(u"t3"_s);
    start(t3);
    act(u"fail"_s, t3, {{"status", "error"}, {"message", "Cannot submit job!x"}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t3).status(), TrialStatus::failed, patience);
    QCOMPARE(last(t3).reason.text(), u"DLTS: Cannot submit job!x"_s);
    QVERIFY(cancel(TrialId(u"none"_s)));
    QVERIFY(cancel(t1));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::user_canceled, patience);
    // One whose submission got no answer is found there, too.
    fault({{"kind", "drop"}, {"method", "POST"}, {"times", 1}});
    const TrialId t4(u"t4"_s);
    QVERIFY(!submit(t4, Job::quick).unknown);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t4).status(), TrialStatus::succeeded, patience);
}

/// Of a dashboard of two clusters; an old list has the jobs of both.
void TestDltsCourse::severalClusters()
{
    m_subject = std::make_unique<DltsSubject>(QStringList{u"--cluster"_s, u"c1"_s, u"--cluster"_s, u"c2"_s});
    for (const bool isOld : {false, true}) {
        control(u"settings"_s, {{"v2", !isOld}});
        open({{"cluster", "c2"}});
        const TrialId trial(isOld ? u"old"_s : u"new"_s);
        start(trial);
        m_subject->release(trial);
        QTRY_COMPARE_WITH_TIMEOUT(facts(trial).status(), TrialStatus::succeeded, patience);
        QCoro::waitFor(m_platform->close());
    }
    for (const Json& job : m_subject->server.get(u"jobs"_s))
        QCOMPARE(job["cluster"].get<QString>(), u"c2"_s);
}

/// The token of DLTS in a job's environment is the person's password; nothing of ours is in its document.
void TestDltsCourse::theEnvironmentOfATrial()
{
    open();
    TrialSpec spec = m_subject->command(t1, u"echo \"$NNI_PLATFORM $DLTS_JOB_ID\" > \"$DIR/seen\""_s);
    spec.graceMs = 1'000;
    QVERIFY(!submit(spec).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(contents(m_subject->path(u"seen"_s)), "local " + DltsSubject::job(t1).toUtf8() + "\n");
    const std::string document = m_subject->server.get(u"jobs"_s)[0]["spec"].dump();
    QVERIFY(document.find(m_subject->server.value(u"password"_s).toStdString()) == std::string::npos);
}

QTEST_GUILESS_MAIN(TestDltsCourse)
#include "tst_dlts_course.moc"
