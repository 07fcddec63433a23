// SPDX-License-Identifier: GPL-3.0-or-later
// What a dashboard and the network between do to a platform of kind dlts.
#include "dlts_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestDltsFaults : public QObject, StandInFixture<DltsSubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void submissionWithoutAnAnswer_data();
    void submissionWithoutAnAnswer();
    void refusedForGood_data();
    void refusedForGood();
    void anotherIdIsEnded();
    void laterForNow_data();
    void laterForNow();
    void wrongCredentials_data();
    void wrongCredentials();
    void manyJobs();
    void cancels();
    void cancelThatIsNotDone_data();
    void cancelThatIsNotDone();
    void failsBeforeItsKeeper_data();
    void failsBeforeItsKeeper();
    void logsThatHang();
    void endpoints();
    void endpointsAfterARestart();
    void endpointsThatAreRefused();
    void invalidSettings_data();
    void invalidSettings();
    void settingsOfAJobOfDlts();
    void checks();
    void choicesOfTheForm();
};

void TestDltsFaults::cleanup()
{
    const QString text = said();
    const QString password = m_subject->server.value(u"password"_s);
    end();
    QVERIFY(!password.isEmpty() && !text.contains(password));
}

static const Json submission = {{"method", "POST"}, {"path", "/clusters/[^/]+/jobs$"}, {"times", 1}};

void TestDltsFaults::submissionWithoutAnAnswer_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<bool>("done");
    QTest::newRow("cut after it was done") << Json{{"kind", "drop"}} << true;
    QTest::newRow("cut before it was done") << Json{{"kind", "refuse"}} << false;
    QTest::newRow("500, and done") << Json{{"kind", "status"}, {"status", 500}, {"accepted", true}} << true;
    QTest::newRow("500, not done") << Json{{"kind", "status"}, {"status", 500}} << false;
    QTest::newRow("a gateway's page, and done") << Json{{"kind", "html"}, {"status", 502}, {"accepted", true}} << true;
    QTest::newRow("a page as if all were well") << Json{{"kind", "html"}, {"status", 200}, {"accepted", true}} << true;
    QTest::newRow("answer cut") << Json{{"kind", "truncate"}} << true;
    QTest::newRow("half, as if whole") << Json{{"kind", "short"}} << true;
    QTest::newRow("only a head") << Json{{"kind", "closeAfterHeaders"}} << true;
}

/// Found by its id, or never started; never twice.
void TestDltsFaults::submissionWithoutAnAnswer()
{
    QFETCH(Json, how);
    QFETCH(bool, done);
    open();
    how.update(submission);
    fault(how);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(!outcome.later);
    QCOMPARE(outcome.unknown, !done);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    if (done)
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    else
        QCOMPARE(last(t1).failureClass, FailureClass::neverStarted);
    QCOMPARE(m_subject->starts(t1), done ? 1 : 0);
    QCOMPARE(jobsThere(), done ? 1 : 0);
}

void TestDltsFaults::refusedForGood_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<QString>("words");
    QTest::newRow("no right") << Json{{"status", 200}, {"body", R"({"error": "Cannot create job!Access Denied!"})"}}
                              << u"DLTS: Cannot create job!Access Denied!"_s;
    QTest::newRow("bad request") << Json{{"status", 400}, {"body", "team is missing"}} << u"team is missing"_s;
    QTest::newRow("cluster is gone") << Json{{"status", 404}, {"body", "Cluster is not found"}} << u"no such cluster"_s;
}

void TestDltsFaults::refusedForGood()
{
    QFETCH(Json, how);
    QFETCH(QString, words);
    open();
    how.update(submission);
    how["kind"] = "status";
    fault(how);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(outcome.error && !outcome.unknown && !outcome.later);
    QVERIFY2(outcome.error->message.text().contains(words), qPrintable(outcome.error->message.text()));
    QCOMPARE(jobsThere(), 0);
}

/// A server that keeps no id of ours: the job could not be found again.
void TestDltsFaults::anotherIdIsEnded()
{
    open();
    Json how = {{"kind", "status"}, {"status", 200}, {"body", R"({"jobId": "another"})"}};
    how.update(submission);
    fault(how);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(outcome.error && !outcome.unknown && !outcome.later);
    QCOMPARE(requests(u"path=/jobs/another/status&method=PUT"_s), 1);
}

void TestDltsFaults::laterForNow_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<qint64>("afterMs");
    QTest::newRow("429 in seconds") << Json{{"status", 429}, {"retryAfter", 7}} << qint64(7'000);
    QTest::newRow("429 as a date") << Json{{"status", 429}, {"retryAfter", 9}, {"date", true}} << qint64(8'000);
    QTest::newRow("503") << Json{{"status", 503}} << qint64(0);
    QTest::newRow("password refused meanwhile") << Json{{"status", 403}, {"body", "Invalid token"}} << qint64(-1);
    QTest::newRow("its database is away") << Json{{"status", 200},
        {"body", R"({"error": "Cannot create job!Cannot schedule job. Cannot add job into database."})"}}
                                          << qint64(-1);
}

void TestDltsFaults::laterForNow()
{
    QFETCH(Json, how);
    QFETCH(qint64, afterMs);
    open();
    how.update(submission);
    how["kind"] = "status";
    fault(how);
    const SubmitOutcome refused = submit(t1, Job::quick);
    QVERIFY(refused.later && !refused.error && !refused.unknown);
    QVERIFY2(refused.later->retryAfterMs.value_or(-1) >= afterMs, qPrintable(refused.later->reason.text()));
    QCOMPARE(jobsThere(), 0);
    QVERIFY(!submit(t1, Job::quick).later);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestDltsFaults::wrongCredentials_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("words");
    const char* wrong = "00112233445566778899aabbccddeeff";
    QTest::newRow("password") << Json{{"password", wrong}} << Kind::auth << u"user page"_s;
    QTest::newRow("somebody else") << Json{{"email", "other@x.com"}} << Kind::auth << u"user page"_s;
    QTest::newRow("file that is none") << Json{{"passwordFile", "/nowhere/password"}} << Kind::auth
                                       << u"/nowhere/password"_s;
    QTest::newRow("file of something else")
        << Json{{"passwordFile", "/etc/hostname"}} << Kind::invalid << u"passwordFile"_s;
    QTest::newRow("team of others") << Json{{"team", "private"}} << Kind::invalid << u"no such team"_s;
    QTest::newRow("cluster that is none") << Json{{"cluster", "c9"}} << Kind::invalid << u"no such cluster"_s;
}

void TestDltsFaults::wrongCredentials()
{
    QFETCH(Json, settings);
    QFETCH(QString, words);
    const Result<> opened = tryOpen(settings);
    QVERIFY(!opened);
    QTEST(opened.error().kind, "kind");
    QVERIFY2(opened.error().message.text().contains(words), qPrintable(opened.error().message.text()));
}

/// Among many jobs of others; more end than a list has. Without a process there is no log: the cluster's word alone counts.
void TestDltsFaults::manyJobs()
{
    control(u"fill"_s, {{"name", "td-s1-old"}, {"count", 1'000}});
    control(u"fill"_s, {{"name", "td-s1-waits"}, {"count", 1'000}, {"status", "queued"}});
    control(u"settings"_s, {{"pretend", 1.0}});
    open();
    QList<TrialSpec> specs;
    for (int i = 0; i < 250; ++i)
        specs.append(m_subject->spec(TrialId(u"m%1"_s.arg(i)), Job::quick));
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY(!outcome.error && !outcome.later && !outcome.unknown);
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 120'000);
    QCOMPARE(m_sink->trials.size(), size_t(250)); // and none of the others
    QCOMPARE(requests(u"path=/jobs$&method=POST"_s), 250);
}

void TestDltsFaults::cancels()
{
    open();
    const TrialId waiting{u"held"_s};
    const TrialId t3{u"t3"_s};
    act(u"hold"_s, waiting, {{"at", "queued"}});
    QVERIFY(!submit(waiting, Job::quick).error);
    start(t1);
    QVERIFY(!submit(t2, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    QVERIFY(cancel(waiting));
    QVERIFY(cancel(t1, CancelIntent::early));
    QVERIFY(cancel(t2)); // it stays what it was
    QTRY_COMPARE_WITH_TIMEOUT(facts(waiting).status(), TrialStatus::user_canceled, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::early_stopped, patience);
    QVERIFY(!m_subject->lives(t1));
    QCOMPARE(m_subject->starts(waiting), 0);
    QCOMPARE(facts(t2).status(), TrialStatus::succeeded);
    // One that DLTS never heard of, and one whose request is not answered at first.
    QVERIFY(cancel(TrialId(u"none"_s)));
    start(t3);
    fault({{"method", "PUT"}, {"kind", "refuse"}, {"times", 2}});
    QVERIFY(cancel(t3));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t3).status(), TrialStatus::user_canceled, patience);
    const auto nothingLivesOn = [&] {
        const Json jobs = m_subject->server.get(u"jobs"_s);
        return !jobs.empty() && std::all_of(jobs.begin(), jobs.end(), [](const Json& job) {
            return job["status"] == "killed" || job["status"] == "finished";
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(nothingLivesOn(), patience);
}

void TestDltsFaults::cancelThatIsNotDone_data()
{
    QTest::addColumn<Json>("how");
    QTest::newRow("refused, though it runs")
        << Json{{"kind", "status"}, {"status", 200}, {"body", R"({"result": "Cannot Kill the job. Job ID:x"})"}};
    QTest::newRow("a page") << Json{{"kind", "html"}, {"status", 200}};
    QTest::newRow("no right") << Json{{"kind", "status"}, {"status", 403}};
}

void TestDltsFaults::cancelThatIsNotDone()
{
    QFETCH(Json, how);
    open();
    start(t1);
    how.update({{"method", "PUT"}, {"times", 1}});
    fault(how);
    QVERIFY(!cancel(t1)); // so that the engine repeats it
    QVERIFY(m_subject->lives(t1));
    QVERIFY(cancel(t1));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::user_canceled, patience);
}

void TestDltsFaults::failsBeforeItsKeeper_data()
{
    QTest::addColumn<QString>("logs");
    QTest::addColumn<int>("status");
    QTest::newRow("in pages") << u"elasticsearch"_s << 0;
    QTest::newRow("whole") << u"legacy"_s << 0;
    QTest::newRow("there is none") << u"legacy"_s << 404;
    QTest::newRow("cluster is away") << u"legacy"_s << 502;
}

/// What its job printed says why; it fails as well where that cannot be read.
void TestDltsFaults::failsBeforeItsKeeper()
{
    QFETCH(QString, logs);
    QFETCH(int, status);
    control(u"settings"_s, {{"logs", logs.toStdString()}});
    if (status != 0)
        fault({{"kind", "status"}, {"status", status}, {"path", "/log$"}});
    failBeforeTheKeeper(m_subject->path(u"others"_s), status == 0);
}

void TestDltsFaults::logsThatHang()
{
    failManyWhoseLogsHang(m_subject->path(u"others"_s), u"/log"_s, u"/teams/platform/jobs"_s);
}

/// Those that the stand-in opens are on its own host.
static QString reached(const QString& port)
{
    return u"Its job can be reached: port-%1 http://127.0.0.1:%1"_s.arg(port);
}

void TestDltsFaults::endpoints()
{
    open();
    TrialSpec spec = m_subject->spec(t1, Job::waits);
    spec.platformOptions = {{"endpoints", "ssh 40001"}};
    QVERIFY(!submit(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(!m_sink->notes.isEmpty(), patience);
    QCOMPARE(m_sink->notes,
        QStringList{u"Its job can be reached: ssh -p 22 u@127.0.0.1, port-40001 http://127.0.0.1:40001"_s});
    QCOMPARE(requests(u"path=/endpoints&method=POST"_s), 1);
    const int before = requests(u"path=/endpoints"_s);
    const int lists = requests(u"path=/teams/platform/jobs"_s);
    start(t2); // one without
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/teams/platform/jobs"_s) >= lists + 3, patience);
    QCOMPARE(requests(u"path=/endpoints"_s), before);
    spec.id = TrialId(u"t3"_s);
    spec.platformOptions = {{"endpoints", "ssh, vnc"}};
    const SubmitOutcome refused = submit(spec);
    QVERIFY(refused.error && refused.error->kind == Kind::invalid);
    QVERIFY2(refused.error->message.text().contains(u"\"vnc\""_s), qPrintable(refused.error->message));
}

/// What is to be opened stands in the job. Those that were open before it are known already.
void TestDltsFaults::endpointsAfterARestart()
{
    open();
    control(u"settings"_s, {{"delays", {{"endpoint", 3600}}}});
    TrialSpec spec = m_subject->spec(t1, Job::waits);
    spec.platformOptions = {{"endpoints", "40001"}};
    QVERIFY(!submit(spec).error);
    QTRY_COMPARE_WITH_TIMEOUT(requests(u"path=/endpoints&method=POST"_s), 1, patience);
    const auto restart = [this] {
        QCoro::waitFor(m_platform->close());
        m_sink->contiguous = false; // the log is read from its beginning
        open();
        const QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = ExperimentId(u"e1"_s)}};
        QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    };
    const int closed = requests(u"path=/endpoints"_s);
    restart();
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/endpoints"_s) > closed, patience);
    QVERIFY(m_sink->notes.isEmpty());
    act(u"open"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->notes, QStringList{reached(u"40001"_s)}, patience);
    const int before = requests(u"path=/endpoints"_s);
    restart();
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"path=/endpoints"_s) > before, patience);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).status() == TrialStatus::running, patience);
    QCOMPARE(m_sink->notes.size(), 1);
    QCOMPARE(requests(u"path=/endpoints&method=POST"_s), 1);
}

void TestDltsFaults::endpointsThatAreRefused()
{
    open();
    fault({{"kind", "status"}, {"status", 502}, {"method", "POST"}, {"path", "/endpoints$"}});
    TrialSpec spec = m_subject->spec(t1, Job::waits);
    spec.platformOptions = {{"endpoints", "tensorboard"}};
    QVERIFY(!submit(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(!m_sink->notes.isEmpty(), patience);
    QVERIFY2(m_sink->notes.first().startsWith(u"The endpoints of the job could not be opened: "_s),
        qPrintable(m_sink->notes.first()));
    QCOMPARE(requests(u"path=/endpoints&method=POST"_s), 3);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_sink->notes.size(), 1);
}

void TestDltsFaults::invalidSettings_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("field");
    QTest::newRow("address") << Json{{"dashboard", "http://"}} << u"dashboard"_s;
    QTest::newRow("scheme") << Json{{"dashboard", "ftp://a"}} << u"dashboard"_s;
    QTest::newRow("no team") << Json{{"team", ""}} << u"team"_s;
    QTest::newRow("no email") << Json{{"email", ""}} << u"email"_s;
    QTest::newRow("no password") << Json{{"password", ""}} << u"password"_s;
    QTest::newRow("password of one's account") << Json{{"password", "hunter2"}} << u"password"_s;
    QTest::newRow("relative here") << Json{{"localStorageMountPoint", "mnt"}} << u"localStorageMountPoint"_s;
    QTest::newRow("relative there") << Json{{"containerStorageMountPoint", "mnt"}} << u"containerStorageMountPoint"_s;
}

void TestDltsFaults::invalidSettings()
{
    QFETCH(Json, settings);
    QFETCH(QString, field);
    Json all = m_subject->settings();
    QVERIFY(m_subject->make()->completed(all, Json::object()));
    all.update(settings);
    const Result<Json> completed = m_subject->make()->completed(all, Json::object());
    QVERIFY(!completed);
    QCOMPARE(completed.error().kind, Kind::invalid);
    QVERIFY2(completed.error().message.text().startsWith(field), qPrintable(completed.error().message.text()));
    QVERIFY(!completed.error().message.text().contains(u"hunter2"_s));
}

/// What DLTS tells its own jobs is enough for a service that runs in one.
void TestDltsFaults::settingsOfAJobOfDlts()
{
    const QList<std::pair<const char*, QByteArray>> variables{{"DLWS_VC_NAME", "platform"},
        {"DLWS_USER_EMAIL", "u@x.com"}, {"DLTS_JOB_TOKEN", m_subject->server.value(u"password"_s).toUtf8()}};
    for (const auto& [name, value] : variables)
        qputenv(name, value);
    const Json bare = {{"team", ""}, {"email", ""}, {"password", ""}};
    Json all = m_subject->settings();
    all.update(bare);
    const Result<Json> completed = m_subject->make()->completed(all, Json::object());
    const Result<> opened = tryOpen(bare);
    for (const auto& [name, value] : variables)
        qunsetenv(name);
    QVERIFY(completed);
    QVERIFY((*completed)["password"].get<QString>().isEmpty()); // it is not stored
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message.text()));
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestDltsFaults::checks()
{
    const auto check = [&](const Json& more, CheckExtent extent = CheckExtent::whole) {
        m_sink->findings.clear();
        Json settings = m_subject->settings();
        settings.update(more);
        const auto platform = m_subject->make();
        return QCoro::waitFor(
            platform->check(OperationId(u"r"_s), settings, {}, extent, m_subject->context(m_sink.get())));
    };
    const auto stepsOf = [&](std::optional<CheckState> state) {
        QStringList names;
        for (const CheckStep& step : m_sink->findings)
            if (!state || step.state == *state)
                names.append(step.id);
        return names.join(u' ');
    };
    const Result<> good = check(Json::object());
    QVERIFY2(good, good ? "" : qPrintable(good.error().message));
    QCOMPARE(stepsOf({}), u"address login team gpuType folder job"_s);
    QCOMPARE(stepsOf(CheckState::ok), u"address login team gpuType folder job"_s);
    QVERIFY(!QFileInfo::exists(m_subject->root() + u"/trials/check"_s));
    QVERIFY(!check({{"password", "00112233445566778899aabbccddeeff"}}));
    QCOMPARE(stepsOf(CheckState::fail), u"login"_s);
    QVERIFY(!check({{"team", "private"}}));
    QCOMPARE(stepsOf(CheckState::fail), u"team"_s);
    for (const CheckStep& step : m_sink->findings) {
        QCOMPARE(step.remedy.isEmpty(), step.state == CheckState::ok);
        QVERIFY(step.id != u"team"_s || step.remedy.text().contains(u"platform (c1)"_s));
    }
    QVERIFY(!check({{"cluster", "c9"}}));
    QCOMPARE(stepsOf(CheckState::fail), u"team"_s);
    QVERIFY(check({{"gpuType", "V100"}}, CheckExtent::look));
    QCOMPARE(stepsOf(CheckState::warn), u"gpuType"_s);
    QVERIFY(!check({{"localStorageMountPoint", "/proc/nowhere"}}));
    QCOMPARE(stepsOf(CheckState::fail), u"folder"_s);
    QVERIFY(!check({{"dashboard", "http://127.0.0.1:1"}}));
    QCOMPARE(stepsOf(CheckState::fail), u"address"_s);
    control(u"settings"_s, {{"metadata", "{}"}});
    QVERIFY(check({{"dockerImage", ""}}));
    QCOMPARE(stepsOf(CheckState::warn), u"gpuType job"_s);
    control(u"settings"_s, {{"metadata", R"({"P40": {"num_gpu_per_node": 4}})"}});
    fault({{"kind", "html"}, {"status", 200}, {"path", "/teams"}});
    QVERIFY(!check(Json::object()));
    QCOMPARE(stepsOf(CheckState::fail), u"address"_s);
    clearFaults();
    // The share of the containers is another folder.
    QVERIFY(QDir(m_subject->path(u"root"_s)).mkdir(u"elsewhere"_s));
    QVERIFY(!check({{"containerStorageMountPoint", m_subject->path(u"root/elsewhere"_s).toStdString()}}));
    QCOMPARE(stepsOf(CheckState::fail), u"job"_s);
}

void TestDltsFaults::choicesOfTheForm()
{
    const auto platform = m_subject->make();
    const auto choices = [&](const QString& field, const Json& more = Json::object()) {
        Json settings = m_subject->settings();
        settings.update(more);
        return QCoro::waitFor(platform->choices(field, settings, m_subject->context(m_sink.get())))
            .value_or(QStringList{u"failed"_s})
            .join(u' ');
    };
    QCOMPARE(choices(u"team"_s), u"platform"_s);
    QCOMPARE(choices(u"team"_s, {{"team", ""}}), u"platform"_s);
    QCOMPARE(choices(u"cluster"_s), u"c1"_s);
    QCOMPARE(choices(u"gpuType"_s), u"P40"_s);
    QCOMPARE(choices(u"dockerImage"_s), QString());
    QCOMPARE(choices(u"gpuType"_s, {{"team", "private"}}), u"failed"_s);
    QCOMPARE(choices(u"team"_s, {{"password", "00112233445566778899aabbccddeeff"}}), u"failed"_s);
}

QTEST_GUILESS_MAIN(TestDltsFaults)
#include "tst_dlts_faults.moc"
