// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as dashboards of DLTS 1.6 and its servers gave them, and as they must not give them.
#include "services/platforms/dlts/wire/dlts_facts.h"

#include <QTest>

using namespace platforms;
using namespace platforms::dlts;
using namespace Qt::StringLiterals;

class TestDltsAnswers : public QObject
{
    Q_OBJECT
private slots:
    void detail();
    void detailWithTimes();
    void lists();
    void listsOfAClusterThatIsAway();
    void states_data();
    void states();
    void reasons_data();
    void reasons();
    void failures_data();
    void failures();
    void takenBack();
    void submissions_data();
    void submissions();
    void changes_data();
    void changes();
    void refusals_data();
    void refusals();
    void refusalsHoldNoSecret();
    void logs();
    void endpoints();
    void team();
    void teamWithoutGpus();
    void teams();
    void notDlts_data();
    void notDlts();
};

static const TrialId someTrial{u"t"_s};
static const MachineId share{u"d.platform"_s};

static JobFact fact(const DltsJob& job, bool ranBefore = false)
{
    return factOf(job, someTrial, share, ranBefore);
}

static DltsJob jobIn(const QString& word, const QString& message = {}, const QString& errorText = {})
{
    DltsJob job;
    job.id = u"f376572d"_s;
    job.team = u"platform"_s;
    job.state = jobState(word);
    job.message = message;
    job.errorText = errorText;
    return job;
}

void TestDltsAnswers::detail()
{
    const Result<DltsJob> job = readJob(Json::parse(
        R"({"jobId":"f376572d-1","jobName":"td-s-t","userName":"u@x.com","vcName":"platform","jobStatus":"unapproved","jobStatusDetail":null,
            "jobTime":"Sat, 21 Nov 2026 00:21:37 GMT","jobType":"training","insight":null,
            "jobParams":{"cmd":"x","image":"i","resourcegpu":1,"gpuType":"P40","jobPath":"u/jobs/261121/f3","workPath":"u","preemptionAllowed":false}})"));
    QVERIFY(job);
    QCOMPARE(job->id, u"f376572d-1"_s);
    QCOMPARE(job->name, u"td-s-t"_s);
    QCOMPARE(job->team, u"platform"_s);
    QCOMPARE(job->state, JobState::unapproved);
    QVERIFY(job->message.isEmpty() && !job->startedTime && !job->finishedTime);
    QCOMPARE(fact(*job).handle, u"f376572d-1"_s);
    QCOMPARE(fact(*job).machine, share);
}

void TestDltsAnswers::detailWithTimes()
{
    Json json = {{"jobId", "j"}, {"jobStatus", "finished"},
        {"jobStatusDetail",
            Json::array({{{"startedAt", "2026-11-21T00:21:37.123456+00:00"},
                {"finishedAt", "2026-11-21T01:21:37+01:00"}, {"message", "started at: x\nfinished at y. "}}})}};
    const Result<DltsJob> job = readJob(json);
    QVERIFY(job);
    QCOMPARE(job->startedTime, 1'795'220'497'123);
    QCOMPARE(job->finishedTime, 1'795'220'497'000);
    const JobFact done = fact(*job);
    QCOMPARE(done.startTime, 1'795'220'497'123);
    QCOMPARE(done.endTime, 1'795'220'497'000);
    // Without a zone it is a time of the server's, which nobody knows.
    json["jobStatusDetail"][0]["startedAt"] = "2026-11-21T00:21:37.123456";
    json["jobStatusDetail"][0]["finishedAt"] = 7;
    const Result<DltsJob> local = readJob(json);
    QVERIFY(local && !local->startedTime && !local->finishedTime);
    json["jobStatusDetail"] = Json::array();
    QVERIFY(readJob(json));
}

void TestDltsAnswers::lists()
{
    const Result<QList<DltsJob>> jobs = readJobs(Json::parse(
        R"([{"jobId":"a","jobName":"x","jobStatus":"running"},{"jobName":"without id"},7,
            {"jobId":"b","jobName":"y","jobStatus":"failed","errorMsg":" pod failed ","cluster":"c2"}])"));
    QVERIFY(jobs);
    QCOMPARE(jobs->size(), 2);
    QCOMPARE(jobs->at(0).state, JobState::running);
    QCOMPARE(jobs->at(1).errorText, u"pod failed"_s);
    QCOMPARE(jobs->at(1).cluster, u"c2"_s);
    const Result<QList<DltsJob>> none = readJobs(Json::array());
    QVERIFY(none && none->isEmpty());
}

/// The dashboard puts its four lists together, and makes null of each that its server did not give: that is no empty cluster.
void TestDltsAnswers::listsOfAClusterThatIsAway()
{
    const Result<QList<DltsJob>> jobs = readJobs(Json::parse("[null,null,null,null]"));
    QVERIFY(!jobs);
    QCOMPARE(jobs.error().kind, Kind::network);
    QVERIFY(!readJobs(Json::parse(R"([{"jobId":"a","jobStatus":"running"},null])")));
}

void TestDltsAnswers::states_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<JobFact::Phase>("phase");
    QTest::addColumn<TrialStatus>("end");
    QTest::addColumn<bool>("isDecisive");
    using Phase = JobFact::Phase;
    const TrialStatus none = TrialStatus::failed; // as in a fact that has none
    QTest::newRow("unapproved") << u"unapproved"_s << Phase::waiting << none << false;
    QTest::newRow("queued") << u"queued"_s << Phase::waiting << none << false;
    QTest::newRow("scheduling") << u"scheduling"_s << Phase::waiting << none << false;
    QTest::newRow("running") << u"running"_s << Phase::running << none << false;
    QTest::newRow("finished") << u"finished"_s << Phase::ended << TrialStatus::succeeded << false;
    QTest::newRow("failed") << u"failed"_s << Phase::ended << TrialStatus::failed << false;
    QTest::newRow("error") << u"error"_s << Phase::ended << TrialStatus::failed << true;
    QTest::newRow("pausing") << u"pausing"_s << Phase::unknown << none << false;
    QTest::newRow("paused") << u"paused"_s << Phase::waiting << none << false;
    QTest::newRow("killing") << u"killing"_s << Phase::unknown << none << false;
    QTest::newRow("killed") << u"killed"_s << Phase::ended << TrialStatus::sys_canceled << true;
    QTest::newRow("invented") << u"dreaming"_s << Phase::unknown << none << false;
    QTest::newRow("in capitals") << u"RUNNING"_s << Phase::unknown << none << false;
    QTest::newRow("none") << QString() << Phase::unknown << none << false;
}

void TestDltsAnswers::states()
{
    QFETCH(QString, word);
    QFETCH(JobFact::Phase, phase);
    const JobFact found = fact(jobIn(word));
    QCOMPARE(found.phase, phase);
    QTEST(found.end, "end");
    QTEST(found.isDecisive, "isDecisive");
    QCOMPARE(isEnd(jobState(word)), phase == JobFact::Phase::ended);
    QVERIFY(!isEnd(jobState(word)) || !canBeKilled(jobState(word)));
    QVERIFY(!found.isTakenBack && found.restarts == 0);
}

void TestDltsAnswers::reasons_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("reason");
    QTest::newRow("over quota")
        << u"unapproved"_s
        << u"exceeds the user quota in VC: 4 (used) + 2 (requested) > 5 (user quota). Will need admin approval."_s
        << u"DLTS: exceeds the user quota in VC: 4 (used) + 2 (requested) > 5 (user quota). Will need admin approval."_s;
    QTest::newRow("just submitted") << u"unapproved"_s << QString() << u"it waits for DLTS to approve it"_s;
    QTest::newRow("queued") << u"queued"_s
                            << u"Waiting for resource. Job request {'gpu': 4}. VC schedulable {'gpu': 1}"_s
                            << u"DLTS: Waiting for resource"_s;
    QTest::newRow("queued, no word") << u"queued"_s << QString() << u"it waits for a place in the team \"platform\""_s;
    QTest::newRow("scheduling") << u"scheduling"_s << u"pulling image\nmore"_s << u"DLTS: pulling image"_s;
    QTest::newRow("paused") << u"paused"_s << u"started at: x\npaused at y"_s
                            << u"it was paused in DLTS, and waits for somebody to resume it there"_s;
    QTest::newRow("killed") << u"killed"_s << u"killed at x"_s << u"it was ended in DLTS"_s;
    QTest::newRow("running") << u"running"_s << u"started at: x"_s << QString();
}

void TestDltsAnswers::reasons()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QTEST(fact(jobIn(word, message)).reason.text(), "reason");
}

void TestDltsAnswers::failures_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("failureClass");
    QTest::addColumn<bool>("decisive");
    QTest::newRow("exit code") << u"failed"_s << QString() << QString() << QString() << false;
    QTest::newRow("in words") << u"failed"_s << u"pod failed with exit code 3\nmore"_s
                              << u"DLTS: pod failed with exit code 3"_s << QString() << false;
    QTest::newRow("memory") << u"failed"_s << u"[{'reason': 'OOMKilled'}]"_s
                            << u"it used more memory than its job may"_s << u"outOfMemory"_s << true;
    QTest::newRow("not started") << u"error"_s << u"Cannot submit job!no such image"_s
                                 << u"DLTS: Cannot submit job!no such image"_s << u"platform"_s << true;
    QTest::newRow("no word") << u"error"_s << QString() << u"DLTS could not start its job, and does not say why"_s
                             << u"platform"_s << true;
}

void TestDltsAnswers::failures()
{
    QFETCH(QString, word);
    QFETCH(QString, text);
    const JobFact found = fact(jobIn(word, {}, text));
    QTEST(found.reason.text(), "reason");
    QTEST(found.failureClass.word(), "failureClass");
    QTEST(found.isDecisive, "decisive");
    QVERIFY(!found.exitCode);
}

/// Of a job that ran nothing runs any more when it waits: its node was lost, it was preempted or paused.
void TestDltsAnswers::takenBack()
{
    for (const auto& word : {u"queued"_s, u"unapproved"_s, u"scheduling"_s, u"paused"_s}) {
        QVERIFY(fact(jobIn(word), true).isTakenBack);
        QVERIFY(!fact(jobIn(word), false).isTakenBack);
    }
    for (const auto& word : {u"running"_s, u"pausing"_s, u"killing"_s, u"finished"_s, u"dreaming"_s})
        QVERIFY(!fact(jobIn(word), true).isTakenBack);
}

void TestDltsAnswers::submissions_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("error");
    QTest::addColumn<bool>("mayBeThere");
    QTest::newRow("accepted") << QByteArray(R"({"jobId": "a-b"})") << u"a-b"_s << QString() << false;
    QTest::newRow("no right") << QByteArray(R"({"error": "Cannot create job!Access Denied!"})") << QString()
                              << u"Cannot create job!Access Denied!"_s << false;
    QTest::newRow("twice") << QByteArray(
        R"({"error": "Cannot create job!Cannot schedule job. Cannot add job into database."})")
                           << QString() << u"Cannot create job!Cannot schedule job. Cannot add job into database."_s
                           << true;
    QTest::newRow("nothing") << QByteArray() << QString() << QString() << false;
    QTest::newRow("cut") << QByteArray(R"({"jobId": "a-)") << QString() << QString() << false;
    QTest::newRow("a page") << QByteArray("<html>") << QString() << QString() << false;
    QTest::newRow("odd") << QByteArray(R"({"jobId": 7, "error": ["x"]})") << QString() << QString() << false;
    QTest::newRow("a list") << QByteArray(R"(["jobId"])") << QString() << QString() << false;
}

void TestDltsAnswers::submissions()
{
    QFETCH(QByteArray, body);
    const Submitted said = readSubmitted(body);
    QTEST(said.id, "id");
    QTEST(said.error, "error");
    QTEST(mayBeThere(said.error), "mayBeThere");
}

void TestDltsAnswers::changes_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Change>("change");
    QTest::newRow("done") << QByteArray(R"({"result": "Success, the job is scheduled to be terminated."})")
                          << Change::done;
    QTest::newRow("refused") << QByteArray(R"({"result": "Cannot Kill the job. Job ID:x"})") << Change::refused;
    QTest::newRow("a bare text") << QByteArray(R"("Success")") << Change::done;
    QTest::newRow("nothing") << QByteArray() << Change::unreadable;
    QTest::newRow("a page") << QByteArray("<html>Success</html>") << Change::unreadable;
    QTest::newRow("cut") << QByteArray(R"({"result": "Succ)") << Change::unreadable;
    QTest::newRow("odd") << QByteArray(R"({"result": true})") << Change::unreadable;
}

void TestDltsAnswers::changes()
{
    QFETCH(QByteArray, body);
    QTEST(readChange(body), "change");
}

void TestDltsAnswers::refusals_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("wasAccepted");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("words");
    QTest::newRow("wrong") << 403 << QByteArray("Invalid token") << false << Kind::auth << u"32 digits"_s;
    QTest::newRow("later") << 403 << QByteArray("Forbidden") << true << Kind::auth << u"does not allow this"_s;
    QTest::newRow("a gateway's") << 401 << QByteArray() << false << Kind::auth << u"32 digits"_s;
    QTest::newRow("cluster") << 404 << QByteArray("Cluster is not found") << true << Kind::invalid
                             << u"no such cluster"_s;
    QTest::newRow("team") << 404 << QByteArray("Team is not found") << true << Kind::invalid << u"no such team"_s;
    QTest::newRow("route") << 404 << QByteArray("Not Found") << true << Kind::not_found << u"HTTP 404"_s;
    QTest::newRow("route, a page") << 404 << QByteArray("\n<html>Not Found</html>") << true << Kind::platform
                                   << u"something in front of it answered"_s;
    QTest::newRow("cluster away") << 502 << QByteArray("Bad Gateway") << true << Kind::platform
                                  << u"behind the dashboard"_s;
    QTest::newRow("a page") << 500 << QByteArray("<html>oops</html>") << true << Kind::platform << u"HTTP 500"_s;
    QTest::newRow("too often") << 429 << QByteArray() << true << Kind::resource << u"no more requests"_s;
    QTest::newRow("bad request") << 400 << QByteArray("data should have required property 'team'") << true
                                 << Kind::invalid << u"required property 'team'"_s;
    QTest::newRow("bad request, a page") << 400 << QByteArray("<html>") << true << Kind::invalid << u"HTTP 400"_s;
}

void TestDltsAnswers::refusals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, wasAccepted);
    QFETCH(QString, words);
    const Error error = refusalOf(status, body, {}, wasAccepted);
    QTEST(error.kind, "kind");
    QVERIFY2(error.message.text().contains(words), qPrintable(error.message.text()));
}

void TestDltsAnswers::refusalsHoldNoSecret()
{
    const QByteArray secret("0123456789abcdef0123456789abcdef");
    for (const QByteArray& body : {"no user for " + secret, "bad url /api/jobs?email=u@x.com&password=" + secret,
             "{\"token\": \"" + secret + "\"}"})
        for (const int status : {400, 403, 404, 500}) {
            const Error error = refusalOf(status, body, {secret});
            QVERIFY(!error.message.text().contains(QString::fromUtf8(secret)));
            QVERIFY(!error.detail.contains(QString::fromUtf8(secret)));
        }
}

void TestDltsAnswers::logs()
{
    const auto page = [](const char* text) { return readLogPage(Json::parse(text)); };
    const Result<LogPage> first =
        page(R"({"log":{"pod-1":"a\nb\n","pod-2":"c\n","pod-3":7},"cursor":"1795220235.000000002"})");
    QVERIFY(first);
    QCOMPARE(first->text, QByteArray("a\nb\nc\n"));
    QCOMPARE(first->cursor, u"1795220235.000000002"_s);
    const Result<LogPage> last = page(R"({"log":{},"cursor":"1"})");
    QVERIFY(last && last->text.isEmpty());
    const Result<LogPage> whole = page(R"({"log":"a\n","cursor":null})");
    QVERIFY(whole && whole->cursor.isEmpty());
    QCOMPARE(whole->text, QByteArray("a\n"));
    for (const char* text : {R"({"cursor":"1"})", R"({"log":[]})", R"({"log":null})", "[]", "7"})
        QVERIFY(!page(text));
}

void TestDltsAnswers::endpoints()
{
    const Result<QList<JobEndpoint>> read = readJobEndpoints(Json::parse(R"([
        {"id": "e1", "name": "ssh", "username": "u", "status": "running", "podPort": 22, "port": 31022, "nodeName": "n1", "domain": "d.example"},
        {"name": "port-40001", "username": "u", "status": "running", "podPort": 40001, "port": 31001, "nodeName": "10.0.0.7", "domain": ""},
        {"name": "tensorboard", "status": "pending", "podPort": 6006, "port": null, "nodeName": null, "domain": null},
        {"name": "ipython", "status": "running", "port": 31002, "nodeName": "n1;reboot", "domain": ""},
        {"name": "a", "status": "running", "port": 70000, "nodeName": "n1"}, {"status": "running"}, 7, null])"));
    QVERIFY(read);
    QCOMPARE(read->size(), 5);
    QCOMPARE(read->at(0).address, u"ssh -p 31022 u@n1.d.example"_s);
    QCOMPARE(read->at(1).address, u"http://10.0.0.7:31001"_s);
    QVERIFY(!read->at(2).isOpen && read->at(2).address.isEmpty());
    QVERIFY(read->at(3).isOpen && read->at(3).address.isEmpty()); // it could be pasted into a shell
    QVERIFY(read->at(4).address.isEmpty());
    QVERIFY(readJobEndpoints(
        Json::parse(
            R"([{"name": "ssh", "status": "running", "port": 22, "nodeName": "n1", "username": "-oProxyCommand=x"}])"))
                ->first()
                .address.isEmpty());
    QVERIFY(!readJobEndpoints(Json::parse(R"({"error": "none"})")));
}

void TestDltsAnswers::team()
{
    const Result<Team> team = readTeam(Json::parse(
        R"({"vcName":"platform","quota":"{\"P40\": 8}","metadata":"{\"user_quota\": \"5\", \"P40\": {\"num_gpu_per_node\": 4}, \"M40\": {}}",
            "gpu_capacity":{"P40":8,"M40":4.0,"K80":0},"gpu_used":{"P40":3},"gpu_available":{"P40":4,"M40":9},
            "cpu_capacity":{"P40":24.5,"M40":8},"cpu_used":{"P40":8},"memory_capacity":{"P40":1e12},"memory_used":{"P40":-5},
            "user_status":[],"node_status":[]})"));
    QVERIFY(team);
    QCOMPARE(team->name, u"platform"_s);
    QCOMPARE(team->gpuTypes, QStringList({u"P40"_s, u"M40"_s})); // a limit is no model
    QCOMPARE(team->gpus.size(), 2);
    const PlatformQueue queue = queueOf(*team);
    QCOMPARE(queue.name, u"platform"_s);
    QCOMPARE(queue.gpus.total, 12);
    QCOMPARE(queue.gpus.free, 8); // no more are free than there are
    QCOMPARE(queue.cpus.total, 32);
    QCOMPARE(queue.cpus.free, 24);
    const Machine one = machineOf(*team, PlatformId(u"d"_s), 7);
    QCOMPARE(one.id, share);
    QCOMPARE(one.lastContact, 7);
    QCOMPARE(one.gpus.size(), 12);
    QCOMPARE(one.gpus.at(0).model, u"P40"_s);
    QCOMPARE(one.gpus.at(8).model, u"M40"_s);
    int taken = 0;
    for (const Gpu& gpu : one.gpus)
        taken += int(gpu.processes.size());
    QCOMPARE(taken, 4); // three are used, and one cannot be had
    QCOMPARE(one.memoryTotal, 1'000'000'000'000);
    QCOMPARE(one.memoryUsed, 0);
    QCOMPARE(gpuText(*team).text(), u"platform: free GPUs: P40 4/8, M40 4/4"_s);
}

void TestDltsAnswers::teamWithoutGpus()
{
    for (const char* metadata : {R"("{}")", R"("no JSON")", "null", "{}", R"("[1]")"}) {
        const QByteArray text = R"({"vcName":"platform","metadata":)" + QByteArray(metadata) + "}";
        const Result<Team> team = readTeam(Json::parse(text.toStdString()));
        QVERIFY(team);
        QVERIFY(team->gpuTypes.isEmpty());
        QVERIFY(!machineOf(*team, PlatformId(u"d"_s), 7).gpuMessage.isEmpty());
    }
    const Result<Team> bare = readTeam(Json::parse(R"({"vcName":"p","gpu_capacity":5,"gpu_used":1e300})"));
    QVERIFY(bare);
    QCOMPARE(queueOf(*bare).gpus.total, 5);
}

void TestDltsAnswers::teams()
{
    const Result<QList<TeamClusters>> teams = readTeams(Json::parse(
        R"([{"id":"platform","clusters":[{"id":"c1","admin":false,"gpus":{"P40":{"perNode":4,"quota":8}},"userQuota":null},{"id":7},{"id":"c2"}]},
            {"clusters":[]},5,{"id":"bare"}])"));
    QVERIFY(teams);
    QCOMPARE(teams->size(), 2);
    QCOMPARE(teams->at(0).team, u"platform"_s);
    QCOMPARE(teams->at(0).clusters, QStringList({u"c1"_s, u"c2"_s}));
    QVERIFY(teams->at(1).clusters.isEmpty());
}

void TestDltsAnswers::notDlts_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"null", "5", "\"x\"", "[]", "{}", R"({"jobStatus":5})", R"({"error":"x"})", R"([[]])"})
        QTest::newRow(text) << QByteArray(text);
}

void TestDltsAnswers::notDlts()
{
    QFETCH(QByteArray, text);
    const Json json = Json::parse(text.toStdString());
    const Result<DltsJob> job = readJob(json);
    QVERIFY(!job);
    QCOMPARE(job.error().kind == Kind::not_found, text == "{}"); // which is how an unknown job looks
    QVERIFY(!readStatus(json, u"x"_s));
    QVERIFY(!readTeam(json));
    QVERIFY(!readTeams(json) || json.is_array());
    QVERIFY(!readJobs(json) || json.is_array());
}

QTEST_GUILESS_MAIN(TestDltsAnswers)
#include "tst_dlts_answers.moc"
