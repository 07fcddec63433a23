// SPDX-License-Identifier: GPL-3.0-or-later
// A dashboard of DLTS that is away for a while, or answers with what is no answer: no job is lost by it.
#include "dlts_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestDltsOutages : public QObject, StandInFixture<DltsSubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void anotherPasswordInTheFile();
    void serverIsGoneForAWhile_data();
    void serverIsGoneForAWhile();
    void answersThatAreNone_data();
    void answersThatAreNone();
    void aDatabaseThatIsAwayKnowsNoJob();
    void aJobThatIsGone();
    void atRandom();
};

void TestDltsOutages::cleanup()
{
    const QString text = said();
    const QString password = m_subject->server.value(u"password"_s);
    end();
    QVERIFY(!password.isEmpty() && !text.contains(password));
}

/// The administrator changed what passwords are made of: the next one is read from the file.
void TestDltsOutages::anotherPasswordInTheFile()
{
    const QString file = m_subject->path(u"password"_s);
    writeFile(file, m_subject->server.value(u"password"_s).toUtf8() + "\n");
    open({{"password", ""}, {"passwordFile", file.toStdString()}});
    start(t1);
    control(u"settings"_s, {{"master", "another"}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), patience);
    QVERIFY2(m_sink->remark.contains(u"another password"_s), qPrintable(m_sink->remark));
    QVERIFY(!cancel(TrialId(u"none"_s)));
    const QByteArray next = QCryptographicHash::hash("u@x.com:another", QCryptographicHash::Md5).toHex();
    writeFile(file, next);
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->states.last(), PlatformState::ready, 60'000);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
    QVERIFY(!said().contains(QString::fromUtf8(next)));
}

void TestDltsOutages::serverIsGoneForAWhile_data()
{
    QTest::addColumn<QString>("down");
    QTest::newRow("cluster behind the dashboard") << u"error"_s;
    QTest::newRow("network behind the dashboard") << u"network"_s;
}

void TestDltsOutages::serverIsGoneForAWhile()
{
    QFETCH(QString, down);
    open();
    start(t1);
    control(u"settings"_s, {{"down", down.toStdString()}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), 90'000);
    QCOMPARE(m_sink->losses.size(), 1);
    // Its log is on the share, and is read all the same.
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    const SubmitOutcome unsure = submit(t2, Job::quick);
    QVERIFY(unsure.unknown);
    control(u"settings"_s, {{"down", nullptr}});
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->states.last(), PlatformState::ready, 90'000);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
    QCOMPARE(last(t2).failureClass, FailureClass::neverStarted);
    const TrialId t3(u"t3"_s);
    QVERIFY(!submit(t3, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t3).status(), TrialStatus::succeeded, patience);
}

void TestDltsOutages::answersThatAreNone_data()
{
    QTest::addColumn<Json>("how");
    const auto json = [](const char* text) {
        return Json{{"kind", "status"}, {"status", 200}, {"body", text}, {"contentType", "application/json"}};
    };
    QTest::newRow("cut") << Json{{"kind", "truncate"}};
    QTest::newRow("half, as if whole") << Json{{"kind", "short"}};
    QTest::newRow("a page") << Json{{"kind", "html"}, {"status", 200}};
    QTest::newRow("of another type") << Json{{"kind", "contentType"}, {"contentType", "text/html"}};
    QTest::newRow("only a head") << Json{{"kind", "closeAfterHeaders"}};
    QTest::newRow("compressed") << Json{{"kind", "gzip"}};
    QTest::newRow("a byte at a time") << Json{{"kind", "drip"}, {"interval", 0.001}};
    QTest::newRow("lists that were not to be had") << json("[null,null,null,null]");
    QTest::newRow("no job known") << json("[]");
    QTest::newRow("nothing") << json("{}");
    QTest::newRow("a text") << json("\"jobs\"");
    QTest::newRow("our address") << json("no route /api%3Fpassword%3DSECRET, SECRET");
    QTest::newRow("a job of others") << json(R"({"jobId":"another","jobStatus":"finished"})");
    QTest::newRow("a list of others") << json(R"([{"jobId":"another","jobName":"td-s1-t1","jobStatus":"failed"}])");
}

/// Whatever the lists and details say: a job that runs is not lost by it.
void TestDltsOutages::answersThatAreNone()
{
    QFETCH(Json, how);
    open();
    start(t1);
    how.update({{"method", "GET"}, {"path", "/v2/"}, {"times", 2}});
    if (how.contains("body"))
        how["body"] = how["body"].get<QString>().replace(u"SECRET"_s, m_subject->server.value(u"password"_s));
    const int before = requests(u"path=/v2/"_s);
    fault(how);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/"_s) >= before + 3, 60'000);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).count(TrialStatus::running) + facts(t1).count(TrialStatus::unknown) + 1,
        int(facts(t1).observations.size()));
    QCOMPARE(jobsThere(), 1);
}

/// DLTS answers with empty lists and objects when it cannot read its database; then it knows no team, either.
void TestDltsOutages::aDatabaseThatIsAwayKnowsNoJob()
{
    open();
    act(u"hold"_s, t1, {{"at", "queued"}});
    QVERIFY(!submit(t1, Job::quick).error);
    fault({{"kind", "status"}, {"status", 404}, {"body", "Team is not found"}, {"path", "/teams/platform/clusters/"}});
    act(u"show"_s, t1, {{"hidden", true}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), patience);
    const int before = requests(u"path=/v2/clusters/.default/jobs/"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/v2/clusters/.default/jobs/"_s) > before, patience);
    QVERIFY(!facts(t1).ended());
    act(u"show"_s, t1);
    clearFaults();
    act(u"release"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, 60'000);
}

void TestDltsOutages::aJobThatIsGone()
{
    open();
    act(u"hold"_s, t1, {{"at", "queued"}});
    QVERIFY(!submit(t1, Job::quick).error);
    start(t2);
    for (const TrialId& trial : {t1, t2})
        act(u"show"_s, trial, {{"hidden", true}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    QCOMPARE(last(t1).failureClass, FailureClass::neverStarted);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::unknown, patience);
    act(u"show"_s, t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::running, patience);
    m_subject->release(t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
}

/// A share of all answers is none, and of submissions the answer alone is lost.
void TestDltsOutages::atRandom()
{
    open();
    control(u"random"_s,
        {{"share", 0.3}, {"seed", 7},
            {"kinds",
                {"drop", "truncate", "short", "closeAfterHeaders",
                    {{"kind", "html"}, {"status", 502}, {"accepted", true}},
                    {{"kind", "status"}, {"status", 500}, {"accepted", true}}}}});
    QList<TrialSpec> specs;
    for (int i = 0; i < 20; ++i)
        specs.append(m_subject->spec(TrialId(u"r%1"_s.arg(i)), Job::quick));
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    QCOMPARE(outcomes.size(), 20);
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY(!outcome.later && (!outcome.error || outcome.unknown));
    for (const TrialSpec& spec : specs) {
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 120'000);
        QCOMPARE(m_subject->starts(spec.id), 1);
    }
    QCOMPARE(jobsThere(), 20);
    int spoiled = 0;
    const Json all = m_subject->server.get(u"requests"_s);
    for (const Json& request : all["requests"])
        spoiled += request["fault"].is_null() ? 0 : 1;
    QVERIFY2(spoiled >= 10, qPrintable(QString::number(spoiled)));
}

QTEST_GUILESS_MAIN(TestDltsOutages)
#include "tst_dlts_outages.moc"
