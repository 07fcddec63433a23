// SPDX-License-Identifier: GPL-3.0-or-later
// What a REST cluster and the network between do to a platform of kind openpai.
#include "openpai_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestOpenPaiFaults : public QObject, StandInFixture<OpenPaiSubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void submissionWithoutAnAnswer_data();
    void submissionWithoutAnAnswer();
    void refusedForGood_data();
    void refusedForGood();
    void laterForNow_data();
    void laterForNow();
    void wrongCredentials_data();
    void wrongCredentials();
    void oneLoginForManyRequests();
    void revokedTokenAndANewOneInTheFile();
    void serverIsGoneForAWhile();
    void answersThatAreNone_data();
    void answersThatAreNone();
    void oneJobThatCannotBeAskedFor();
    void manyJobsThatCannotBeAskedFor();
    void manyJobs();
    void cancels();
    void stoppedBySomebodyElse();
    void outOfMemory();
    void runsAgainAfterALostNode();
    void jobOfSomebodyElse();
    void failsBeforeItsKeeper_data();
    void failsBeforeItsKeeper();
    void logsThatHang();
    void followsTheLogOfItsJob();
    void invalidSettings_data();
    void invalidSettings();
    void checks();
    void trialsAfterACheck();
    void trialsWhoseStorageIsGone();
    void choicesOfTheForm();
};

void TestOpenPaiFaults::cleanup()
{
    const QString text = said();
    const QString token = m_subject->server.value(u"token"_s);
    end();
    QVERIFY(!token.isEmpty() && !text.contains(token));
    QVERIFY(!text.contains(u"secret6"_s));
}

void TestOpenPaiFaults::submissionWithoutAnAnswer_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<bool>("done");
    QTest::newRow("cut after it was done") << Json{{"kind", "drop"}} << true;
    QTest::newRow("cut before it was done") << Json{{"kind", "refuse"}} << false;
    QTest::newRow("500, and done") << Json{{"kind", "status"}, {"status", 500}, {"accepted", true}} << true;
    QTest::newRow("a gateway's page, and done") << Json{{"kind", "html"}, {"status", 502}, {"accepted", true}} << true;
    QTest::newRow("a page as if all were well") << Json{{"kind", "html"}, {"status", 200}} << false;
    QTest::newRow("a page as if all were well, and done")
        << Json{{"kind", "html"}, {"status", 200}, {"accepted", true}} << true;
    QTest::newRow("answer cut") << Json{{"kind", "truncate"}} << true;
}

/// Found by its name, or never started; never twice.
void TestOpenPaiFaults::submissionWithoutAnAnswer()
{
    QFETCH(Json, how);
    QFETCH(bool, done);
    open();
    how.update({{"method", "POST"}, {"path", "/api/v2/jobs$"}, {"times", 1}});
    fault(how);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(!outcome.later);
    QCOMPARE(outcome.unknown, !done);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    if (done) {
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    } else {
        QCOMPARE(facts(t1).observations.last().failureClass, FailureClass::neverStarted);
    }
    QCOMPARE(
        facts(t1).observations.last().url, m_subject->server.url() + u"/job-detail.html?username=u&jobName=td-s1-t1"_s);
    QCOMPARE(m_subject->starts(t1), done ? 1 : 0);
    QCOMPARE(jobsThere(), done ? 1 : 0);
}

void TestOpenPaiFaults::refusedForGood_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("words");
    QTest::newRow("virtual cluster of others") << Json{{"virtualCluster", "private"}} << u"private"_s;
    QTest::newRow("storage that is none") << Json{{"storageConfigName", "none"}} << u"none"_s;
    QTest::newRow("storage of others") << Json{{"storageConfigName", "privatestorage"}} << u"privatestorage"_s;
}

void TestOpenPaiFaults::refusedForGood()
{
    QFETCH(Json, settings);
    QFETCH(QString, words);
    open(settings);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(outcome.error && !outcome.unknown && !outcome.later);
    QVERIFY2(outcome.error->message.text().contains(words), qPrintable(outcome.error->message.text()));
    QCOMPARE(jobsThere(), 0);
}

void TestOpenPaiFaults::laterForNow_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<qint64>("afterMs");
    QTest::newRow("429 in seconds") << Json{{"kind", "status"}, {"status", 429}, {"retryAfter", 7}} << qint64(7'000);
    QTest::newRow("429 as a date") << Json{{"kind", "status"}, {"status", 429}, {"retryAfter", 9}, {"date", true}}
                                   << qint64(8'000);
    QTest::newRow("503") << Json{{"kind", "status"}, {"status", 503}} << qint64(0);
}

void TestOpenPaiFaults::laterForNow()
{
    QFETCH(Json, how);
    QFETCH(qint64, afterMs);
    open();
    how.update({{"method", "POST"}, {"path", "/api/v2/jobs$"}, {"times", 1}});
    fault(how);
    const SubmitOutcome refused = submit(t1, Job::quick);
    QVERIFY(refused.later && !refused.error && !refused.unknown);
    QVERIFY2(
        refused.later->retryAfterMs.value_or(0) >= afterMs, qPrintable(QString::number(*refused.later->retryAfterMs)));
    QCOMPARE(jobsThere(), 0);
    QVERIFY(!submit(t1, Job::quick).later);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestOpenPaiFaults::wrongCredentials_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("words");
    QTest::newRow("token") << Json{{"token", "wrong"}} << u"token"_s;
    QTest::newRow("password") << Json{{"token", ""}, {"password", "wrong-one"}} << u"password"_s;
    QTest::newRow("user") << Json{{"token", ""}, {"password", "secret6"}, {"username", "nobody"}} << u"password"_s;
    QTest::newRow("file that is none") << Json{{"tokenFile", "/nowhere/token"}} << u"/nowhere/token"_s;
}

void TestOpenPaiFaults::wrongCredentials()
{
    QFETCH(Json, settings);
    QFETCH(QString, words);
    const Result<> opened = tryOpen(settings);
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Kind::auth);
    QVERIFY2(opened.error().message.text().contains(words), qPrintable(opened.error().message.text()));
}

/// Tokens that live as long as it takes to blink: 50 requests under way share each new one.
void TestOpenPaiFaults::oneLoginForManyRequests()
{
    open({{"token", ""}, {"password", "secret6"}});
    QCOMPARE(requests(u"path=login"_s), 1);
    // A token of the same second would be the same one.
    control(u"settings"_s, {{"skew", 5}});
    control(u"tokens"_s, {{"revoke", true}});
    QList<TrialSpec> specs;
    for (int i = 0; i < 50; ++i)
        specs.append(m_subject->spec(TrialId(u"m%1"_s.arg(i)), Job::quick));
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY2(!outcome.error && !outcome.later && !outcome.unknown,
            outcome.error ? qPrintable(outcome.error->message.text()) : "later");
    QCOMPARE(requests(u"path=login"_s), 2);
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 120'000);
    QCOMPARE(jobsThere(), 50);
}

void TestOpenPaiFaults::revokedTokenAndANewOneInTheFile()
{
    const QString file = m_subject->path(u"token"_s);
    writeFile(file, m_subject->server.value(u"token"_s).toUtf8() + "\n");
    open({{"token", ""}, {"tokenFile", file.toStdString()}});
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    control(u"tokens"_s, {{"revoke", true}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), patience);
    QVERIFY2(m_sink->remark.contains(file), qPrintable(m_sink->remark));
    control(u"tokens"_s, {{"allow", true}});
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->states.last(), PlatformState::ready, 60'000);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
}

void TestOpenPaiFaults::serverIsGoneForAWhile()
{
    open();
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    fault({{"kind", "status"}, {"status", 500}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), 90'000);
    QCOMPARE(m_sink->losses.size(), 1);
    // Its log is on the storage, and is read all the same.
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    clearFaults();
    QVERIFY(!submit(t2, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, 90'000);
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->states.last(), PlatformState::ready, 90'000);
}

void TestOpenPaiFaults::answersThatAreNone_data()
{
    QTest::addColumn<Json>("how");
    QTest::newRow("cut") << Json{{"kind", "truncate"}};
    QTest::newRow("half, as if whole") << Json{{"kind", "short"}};
    QTest::newRow("a page") << Json{{"kind", "html"}, {"status", 200}};
    QTest::newRow("of another type") << Json{{"kind", "contentType"}, {"contentType", "text/html"}};
    QTest::newRow("only a head") << Json{{"kind", "closeAfterHeaders"}};
    QTest::newRow("compressed") << Json{{"kind", "gzip"}};
    QTest::newRow("a byte at a time") << Json{{"kind", "drip"}, {"interval", 0.001}};
    QTest::newRow("no job known") << Json{{"kind", "status"}, {"status", 404}};
}

/// Whatever the lists say: a job that runs is not lost by it.
void TestOpenPaiFaults::answersThatAreNone()
{
    QFETCH(Json, how);
    open();
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    how.update({{"method", "GET"}, {"path", "/api/v2/jobs"}, {"times", 3}});
    const int before = requests(u"path=/api/v2/jobs"_s);
    fault(how);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/api/v2/jobs"_s) >= before + 4, 60'000);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).count(TrialStatus::running) + facts(t1).count(TrialStatus::unknown) + 1,
        int(facts(t1).observations.size()));
}

/// The end of one job is never told: the others' are, and the platform stays ready.
void TestOpenPaiFaults::oneJobThatCannotBeAskedFor()
{
    open();
    fault({{"kind", "status"}, {"status", 403}, {"method", "GET"},
        {"path", OpenPaiSubject::job(t1).toStdString() + "$"}});
    start(t1);
    start(t2);
    act(u"stop"_s, t1);
    act(u"stop"_s, t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::sys_canceled, patience);
    const int before = requests(u"path=/api/v2/jobs$"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/api/v2/jobs$"_s) >= before + 4, patience);
    QVERIFY(!m_sink->states.contains(PlatformState::silent));
}

/// More than are asked for in one turn: they hold up none that can be answered.
void TestOpenPaiFaults::manyJobsThatCannotBeAskedFor()
{
    constexpr int count = 60;
    control(u"fill"_s, {{"name", "td-s1-old"}, {"count", count}, {"state", "FAILED"}});
    fault({{"kind", "status"}, {"status", 403}, {"method", "GET"}, {"path", "td-s1-old-(?!9$)[0-9]+$"}});
    open();
    QList<TrialRef> refs;
    for (int i = 1; i <= count; ++i)
        refs.append(
            {TrialRef{.trial = TrialId(u"old-%1"_s.arg(i)), .experiment = ExperimentId(u"e1"_s), .handle = u"x"_s}});
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    QTRY_COMPARE_WITH_TIMEOUT(facts(TrialId(u"old-9"_s)).status(), TrialStatus::failed, patience); // the last by its id
    QVERIFY(!facts(TrialId(u"old-1"_s)).ended());
}

void TestOpenPaiFaults::manyJobs()
{
    control(u"fill"_s, {{"name", "td-s1-old"}, {"count", 1'200}});
    control(u"fill"_s, {{"name", "td-s1-waits"}, {"count", 1'200}, {"state", "WAITING"}});
    open();
    QList<TrialRef> refs;
    for (int i = 1; i <= 1'200; ++i)
        refs.append(
            {TrialRef{.trial = TrialId(u"waits-%1"_s.arg(i)), .experiment = ExperimentId(u"e1"_s), .handle = u"x"_s}});
    for (int i = 1; i <= 20; ++i)
        refs.append(
            {TrialRef{.trial = TrialId(u"old-%1"_s.arg(i)), .experiment = ExperimentId(u"e1"_s), .handle = u"x"_s}});
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    for (int i = 1; i <= 20; ++i)
        QTRY_COMPARE_WITH_TIMEOUT(facts(TrialId(u"old-%1"_s.arg(i))).status(), TrialStatus::succeeded, patience);
    // The live ones in pages, the ended ones in one more or by themselves; and the one of open().
    const Json lists = m_subject->server.get(u"requests?path=/api/v2/jobs$"_s)["requests"];
    const auto turns = std::count_if(lists.begin(), lists.end(), [](const Json& list) {
        const auto query = list["query"].get<QString>();
        return query.contains(u"&offset=0&"_s) && query.contains(u"&state="_s);
    });
    QVERIFY2(turns > 0 && qsizetype(lists.size()) <= 1 + 4 * turns, lists.dump().c_str());
    for (int i = 1; i <= 1'200; ++i)
        QVERIFY(!facts(TrialId(u"waits-%1"_s.arg(i))).ended());
}

void TestOpenPaiFaults::cancels()
{
    open();
    const TrialId waiting{u"held"_s};
    QVERIFY(!m_subject->server
                 .post(u"job"_s,
                     {{"action", "hold"}, {"job", OpenPaiSubject::job(waiting).toStdString()},
                         {"diagnostics", "no GPU is free"}})
                 .is_null());
    QVERIFY(!submit(waiting, Job::quick).error);
    QVERIFY(!submit(t1, Job::waits).error);
    QVERIFY(!submit(t2, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    QVERIFY(cancel(waiting));
    QVERIFY(cancel(t1, CancelIntent::early));
    QVERIFY(cancel(t2)); // it stays what it was
    QTRY_COMPARE_WITH_TIMEOUT(facts(waiting).status(), TrialStatus::user_canceled, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::early_stopped, patience);
    QVERIFY(!m_subject->lives(t1));
    QCOMPARE(m_subject->starts(waiting), 0);
    QCOMPARE(facts(t2).observations.last().status, TrialStatus::succeeded);
    // One that OpenPAI never heard of, and one whose stop is not answered at first.
    QVERIFY(cancel(TrialId(u"none"_s)));
    QVERIFY(!submit(TrialId(u"t3"_s), Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(TrialId(u"t3"_s)).status(), TrialStatus::running, patience);
    fault({{"method", "PUT"}, {"kind", "refuse"}, {"times", 2}});
    QVERIFY(cancel(TrialId(u"t3"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(facts(TrialId(u"t3"_s)).status(), TrialStatus::user_canceled, patience);
}

void TestOpenPaiFaults::stoppedBySomebodyElse()
{
    open();
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    act(u"stop"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::sys_canceled, patience);
    QVERIFY(facts(t1).observations.last().reason.text().contains(u"stopped in OpenPAI"_s));
}

void TestOpenPaiFaults::outOfMemory()
{
    open();
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    act(u"fail"_s, t1,
        {{"code", 137}, {"diagnostics", "container killed"}, {"spec", {{"phrase", "ContainerOOMKilled"}}}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    QCOMPARE(facts(t1).observations.last().failureClass, FailureClass::outOfMemory);
}

/// OpenPAI starts it again by itself: another attempt, whose metrics begin anew.
void TestOpenPaiFaults::runsAgainAfterALostNode()
{
    open();
    start(t1);
    m_sink->contiguous = false;
    act(u"lose"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(m_subject->starts(t1), 2, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).observations.last().attempt, 2);
    QCOMPARE(jobsThere(), 1);
}

/// A list that names a job of ours as another user's, and a detail of another job.
void TestOpenPaiFaults::jobOfSomebodyElse()
{
    open();
    QVERIFY(!m_subject->server
                 .post(u"fill"_s, {{"name", "td-s1-theirs"}, {"count", 3}, {"state", "WAITING"}, {"user", "other"}})
                 .is_null());
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    const int before = requests(u"path=/api/v2/jobs"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/api/v2/jobs"_s) >= before + 3, patience);
    QCOMPARE(m_sink->trials.size(), size_t(1));
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestOpenPaiFaults::failsBeforeItsKeeper_data()
{
    QTest::addColumn<QString>("logs");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("isLogThere");
    const QString none;
    QTest::newRow("on the node") << u"log_manager"_s << none << true;
    QTest::newRow("in Azure's storage") << u"azure_storage"_s << none << true;
    QTest::newRow("node is away") << u"unreachable"_s << none << false;
    QTest::newRow("at somebody else's") << u"log_manager"_s
                                        << uR"({"locations": [{"name": "all", "uri": "https://elsewhere.invalid/"}]})"_s
                                        << false;
    QTest::newRow("nowhere") << u"log_manager"_s << uR"({"locations": [{"name": "all", "uri": "/none"}]})"_s << false;
    QTest::newRow("something else") << u"log_manager"_s << u"[]"_s << false;
}

/// What its job printed says why; it fails as well where that cannot be read.
void TestOpenPaiFaults::failsBeforeItsKeeper()
{
    QFETCH(QString, logs);
    QFETCH(QString, answer);
    QFETCH(bool, isLogThere);
    control(u"settings"_s, {{"logs", logs.toStdString()}});
    if (!answer.isEmpty())
        fault({{"kind", "status"}, {"status", 200}, {"body", answer.toStdString()}, {"path", "/attempts/0/logs$"}});
    failBeforeTheKeeper(m_subject->path(u"others"_s), isLogThere);
    QCOMPARE(last(t1).exitCode, 127);
}

void TestOpenPaiFaults::logsThatHang()
{
    failManyWhoseLogsHang(m_subject->path(u"others"_s), u"/attempts/0/logs"_s, u"/api/v2/jobs"_s);
}

/// Three requests each: OpenPAI limits them, and a person who follows a log asks each second.
void TestOpenPaiFaults::followsTheLogOfItsJob()
{
    open({{"pollInterval", 60}});
    start(t1);
    const TrialRef ref{.trial = t1, .experiment = ExperimentId(u"e1"_s)};
    const auto read = [&] { return QCoro::waitFor(m_platform->readLog(ref, u"job"_s, {})); };
    for (int i = 0; i < 3; ++i) {
        const Result<Bytes> log = read();
        QVERIFY2(log, log ? "" : qPrintable(log.error().message));
        QVERIFY2(log->bytes.startsWith("Trialdeck: the output of the trial is in "), log->bytes.constData());
        QVERIFY(!log->end);
    }
    QCOMPARE(requests(u"path=/attempts/0/logs"_s), 1);
}

void TestOpenPaiFaults::invalidSettings_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("field");
    QTest::newRow("address") << Json{{"host", "http://"}} << u"host"_s;
    QTest::newRow("scheme") << Json{{"host", "ftp://a"}} << u"host"_s;
    QTest::newRow("no secret") << Json{{"token", ""}} << u"token"_s;
    QTest::newRow("relative here") << Json{{"localStorageMountPoint", "mnt"}} << u"localStorageMountPoint"_s;
    QTest::newRow("relative there") << Json{{"containerStorageMountPoint", "mnt"}} << u"containerStorageMountPoint"_s;
}

void TestOpenPaiFaults::invalidSettings()
{
    QFETCH(Json, settings);
    QFETCH(QString, field);
    Json all = m_subject->settings();
    all.update(settings);
    const Result<Json> completed = m_subject->make()->completed(all, Json::object());
    QVERIFY(!completed);
    QCOMPARE(completed.error().kind, Kind::invalid);
    QVERIFY2(completed.error().message.text().startsWith(field), qPrintable(completed.error().message.text()));
}

void TestOpenPaiFaults::checks()
{
    const auto check = [&](const Json& more, CheckExtent extent = CheckExtent::whole) {
        m_sink->findings.clear();
        Json settings = m_subject->settings();
        settings.update(more);
        const auto platform = m_subject->make();
        return QCoro::waitFor(
            platform->check(OperationId(u"r"_s), settings, {}, extent, m_subject->context(m_sink.get())));
    };
    const auto failed = [&] {
        QStringList names;
        for (const CheckStep& step : m_sink->findings)
            if (step.state == CheckState::fail)
                names.append(step.id);
        return names.join(u' ');
    };
    const Result<> good = check(Json::object());
    QVERIFY2(good, good ? "" : qPrintable(good.error().message));
    QStringList steps;
    for (const CheckStep& step : m_sink->findings)
        steps.append(step.id);
    QCOMPARE(steps.join(u' '), u"address login virtualCluster storage folder job"_s);
    QVERIFY(!QFileInfo::exists(m_subject->root() + u"/trials/check"_s));
    QVERIFY(!check({{"token", "wrong"}}));
    QCOMPARE(failed(), u"login"_s);
    QVERIFY(!check({{"virtualCluster", "none"}, {"storageConfigName", "privatestorage"}}));
    QCOMPARE(failed(), u"virtualCluster storage"_s);
    for (const CheckStep& step : m_sink->findings)
        QCOMPARE(step.remedy.isEmpty(), step.state == CheckState::ok);
    QVERIFY(!check({{"localStorageMountPoint", "/proc/nowhere"}}));
    QCOMPARE(failed(), u"folder"_s);
    QVERIFY(!check({{"host", "http://127.0.0.1:1"}}));
    QCOMPARE(failed(), u"address"_s);
    // What is mounted here is not that storage.
    QVERIFY(QDir(m_subject->path({})).mkdir(u"elsewhere"_s));
    QVERIFY(!check({{"localStorageMountPoint", m_subject->path(u"elsewhere"_s).toStdString()}}));
    QCOMPARE(failed(), u"job"_s);
    QVERIFY2(m_sink->findings.last().detail.text().contains(u"same path"_s),
        qPrintable(m_sink->findings.last().detail.text()));
}

/// A check has a storage of its own: what an open platform has put there stays.
void TestOpenPaiFaults::trialsAfterACheck()
{
    open();
    const Result<> checked = QCoro::waitFor(m_subject->make()->check(
        OperationId(u"r"_s), m_subject->settings(), {}, CheckExtent::whole, m_subject->context(m_sink.get())));
    QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message));
    QVERIFY(!QFileInfo::exists(m_subject->root() + u"/trials/check"_s));
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
}

void TestOpenPaiFaults::trialsWhoseStorageIsGone()
{
    open();
    QVERIFY(QDir(m_subject->root() + u"/bin"_s).removeRecursively());
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    // As where it is not mounted any more: nothing is written to the folder below, and no trial fails.
    QVERIFY(QDir(m_subject->path(u"storage"_s)).removeRecursively());
    const SubmitOutcome outcome = submit(t2, Job::quick);
    QVERIFY(outcome.later && !outcome.error);
    QVERIFY2(
        outcome.later->reason.text().contains(m_subject->path(u"storage"_s)), qPrintable(outcome.later->reason.text()));
    QVERIFY(!QFileInfo::exists(m_subject->path(u"storage"_s)));
    QCOMPARE(jobsThere(), 1);
}

void TestOpenPaiFaults::choicesOfTheForm()
{
    const auto platform = m_subject->make();
    const auto choices = [&](const QString& field) {
        return QCoro::waitFor(platform->choices(field, m_subject->settings(), m_subject->context(m_sink.get())))
            .value_or(QStringList{u"failed"_s});
    };
    QCOMPARE(choices(u"virtualCluster"_s).join(u' '), u"default private"_s);
    QVERIFY(choices(u"storageConfigName"_s).contains(u"confignfs"_s));
    QVERIFY(!choices(u"skuType"_s).contains(u"failed"_s));
    QVERIFY(choices(u"dockerImage"_s).isEmpty());
}

QTEST_GUILESS_MAIN(TestOpenPaiFaults)
#include "tst_openpai_faults.moc"
