// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_rest.h"

#include "slurm_fixtures.h"

#include "services/core/json.h"
#include "services/platforms/slurm/slurm_queue.h"
#include "services/platforms/slurm/slurm_values.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::slurm;

namespace {

Reply recorded(const QString& name, int status = 200)
{
    return restReply(status, slurmFixture(u"22.05/rest_%1.json"_s.arg(name)));
}

ScriptValues trialValues()
{
    ScriptValues values;
    values.name = u"td_s1_t1"_s;
    values.folder = u"/shared/t1"_s;
    values.log = u"/shared/100%/log"_s;
    values.partition = u"debug"_s;
    values.constraint = u"a100|h100"_s;
    values.gpus = 2;
    values.gpuType = u"a100"_s;
    values.cpus = 3;
    values.memoryMb = 2'048;
    values.timeLimitSeconds = 61;
    return values;
}

Json jobOf(const ScriptValues& values, int version)
{
    const auto body = submitBody(values, "#!/bin/bash\necho \"\xc3\xa4\"\n", version);
    if (!body)
        return Json(nullptr);
    const Json json = parseJson(*body).value_or(Json(nullptr));
    return json["script"] == "#!/bin/bash\necho \"\xc3\xa4\"\n" ? json["job"] : Json(nullptr);
}

} // namespace

class TestSlurmRest : public QObject
{
    Q_OBJECT
private slots:
    void recordedAnswers();
    void recordedNode();
    void nodesOfNewerVersions();
    void recordedPartitions();
    void partitionsOfNewerVersions();
    void jobOf22_05();
    void jobsOfNewerVersions();
    void whatCannotBeSaid();
    void submissions_data();
    void submissions();
    void cancels();
    void brokenAnswers_data();
    void brokenAnswers();
    void versionsAreFound();
};

void TestSlurmRest::recordedAnswers()
{
    const auto jobs = readQueueJson(recorded(u"jobs"_s));
    QVERIFY(jobs);
    QCOMPARE(jobs->size(), 2);
    QCOMPARE(jobs->first().name, u"tdx_1"_s);
    QCOMPARE(jobs->first().user, u"root"_s);
    QCOMPARE(readRestVersion(recorded(u"ping"_s)).value_or(SlurmVersion{}).text(), u"22.05.8"_s);
    const auto silent = readRestNodes(recorded(u"no_controller"_s, 500));
    QVERIFY(!silent);
    QCOMPARE(silent.error().kind, Kind::network);
}

void TestSlurmRest::recordedNode()
{
    const auto nodes = readRestNodes(recorded(u"nodes"_s));
    QVERIFY(nodes);
    QCOMPARE(nodes->size(), 1);
    const SlurmNode& node = nodes->first();
    QCOMPARE(node.name, u"vm"_s);
    QCOMPARE(node.states, QStringList{u"ALLOCATED"_s});
    QVERIFY(node.usable);
    QCOMPARE(node.cpus, 2);
    QCOMPARE(node.cpusAllocated, 2);
    QCOMPARE(node.memoryMb, 2'000);
    QCOMPARE(node.memoryAllocatedMb, 100);
    QCOMPARE(node.gres.size(), 1);
    QCOMPARE(node.gres.first().total, 2);
    QCOMPARE(node.gres.first().used, 2);
    QCOMPARE(node.gres.first().usedIndices, (QList<int>{0, 1}));
    QCOMPARE(node.partitions, (QStringList{u"debug"_s, u"long"_s, u"closed"_s}));
    QVERIFY(node.reason.isEmpty());
    QVERIFY(!node.reasonTime);
}

void TestSlurmRest::nodesOfNewerVersions()
{
    const auto nodes = readRestNodes(restReply(200, R"json({"nodes":[
        {"name":"n1","state":["IDLE","DRAIN"],"cpus":64,"alloc_cpus":8,"real_memory":512000,"alloc_memory":1024,
         "gres":"gpu:a100:4(S:0-1)","gres_used":"gpu:a100:2(IDX:0-1)","partitions":["gpu"],"reason":"bad disk\u001b[0m",
         "reason_set_by_user":"ada","reason_changed_at":{
    "set" : true, "infinite" : false, "number" : 1795476450}},
        {"name":"n1","state":["IDLE"]}, {"state":["IDLE"]}, 7],
        "last_update":{"set":true,"infinite":false,"number":1},"errors":[],"warnings":[]
})json"));
    QVERIFY(nodes);
    QCOMPARE(nodes->size(), 1);
    const SlurmNode& node = nodes->first();
    QCOMPARE(node.states, (QStringList{u"IDLE"_s, u"DRAIN"_s}));
    QVERIFY(!node.usable);
    QCOMPARE(node.gres.first().usedIndices, (QList<int>{0, 1}));
    QVERIFY(!node.reason.contains(QChar(0x1b)));
    QCOMPARE(node.reasonBy, u"ada"_s);
    QCOMPARE(node.reasonTime, std::optional<qint64>(1'795'476'450'000));
}

void TestSlurmRest::recordedPartitions()
{
    const auto partitions = readRestPartitions(recorded(u"partitions"_s));
    QVERIFY(partitions);
    QCOMPARE(partitions->size(), 3);
    const SlurmPartition& debug = partitions->first();
    QCOMPARE(debug.name, u"debug"_s);
    QCOMPARE(debug.state, u"UP"_s);
    QVERIFY(debug.isDefault);
    QCOMPARE(debug.maxSeconds, std::optional<qint64>(3'600));
    QVERIFY(!debug.defaultSeconds);
    QCOMPARE(debug.nodes, u"vm"_s);
    QCOMPARE(debug.totalCpus, 2);
    QVERIFY(!partitions->at(1).maxSeconds);
    QCOMPARE(partitions->at(2).state, u"DOWN"_s);
}

void TestSlurmRest::partitionsOfNewerVersions()
{
    const auto partitions = readRestPartitions(restReply(200, R"json({"partitions":[{"name":"gpu",
        "nodes":{"configured":"n[1-2]","total":2},"cpus":{"total":128},"partition":{"state":["DRAIN"]},
        "maximums":{"time":{"set":true,"infinite":false,"number":1440}},
        "defaults":{"time":{"set":false,"infinite":true,"number":0}},
        "tres":{"configured":"cpu=128,mem=1024000M,node=2,billing=128,gres/gpu=8"}}],"errors":[]})json"));
    QVERIFY(partitions);
    const SlurmPartition& gpu = partitions->first();
    QCOMPARE(gpu.state, u"DRAIN"_s);
    QCOMPARE(gpu.maxSeconds, std::optional<qint64>(86'400));
    QVERIFY(!gpu.defaultSeconds);
    QCOMPARE(gpu.nodes, u"n[1-2]"_s);
    QCOMPARE(gpu.totalNodes, 2);
    QCOMPARE(gpu.totalCpus, 128);
    QCOMPARE(gpu.totalGpus, 8);
}

void TestSlurmRest::jobOf22_05()
{
    ScriptValues values = trialValues();
    Json job = jobOf(values, 38);
    QCOMPARE(textOf(job, "name"), u"td_s1_t1"_s);
    QCOMPARE(textOf(job, "gres"), u"gpu:a100:2"_s);
    QCOMPARE(textOf(job, "constraints"), u"a100|h100"_s);
    QCOMPARE(textOf(job, "standard_output"), u"/shared/100%%/log"_s);
    QVERIFY(job["memory_per_node"] == 2'048);
    QVERIFY(job["time_limit"] == 2);
    QVERIFY(job["cpus_per_task"] == 3);
    QVERIFY(job["environment"].is_object());
    // Its `requeue` says yes whatever the value is.
    QVERIFY(!job.contains("requeue"));
    QVERIFY(job.contains("no_requeue"));
    QVERIFY(!job.contains("exclusive"));
    values.requeue = true;
    values.exclusive = true;
    values.gpusOption = true;
    job = jobOf(values, 38);
    QVERIFY(job.contains("requeue"));
    QVERIFY(!job.contains("no_requeue"));
    QCOMPARE(textOf(job, "exclusive"), u"exclusive"_s);
    QCOMPARE(textOf(job, "gpus_per_node"), u"a100:2"_s);
    QVERIFY(!job.contains("gres"));
}

void TestSlurmRest::jobsOfNewerVersions()
{
    ScriptValues values = trialValues();
    values.signalSecondsBefore = 60;
    values.exclusive = true;
    QCOMPARE(textOf(jobOf(values, 39), "tres_per_node"), u"gres:gpu:a100:2"_s);
    for (const int version : {40, 41, 42, 43}) {
        const Json job = jobOf(values, version);
        QCOMPARE(textOf(job, "tres_per_node"), u"gres/gpu:a100:2"_s);
        QVERIFY(job["environment"].is_array());
        QVERIFY(job["requeue"] == false);
        QVERIFY(job["shared"] == Json::array({"none"}));
        QVERIFY(job["kill_warning_flags"] == Json::array({"BATCH_JOB"}));
        QVERIFY(job["kill_warning_delay"] == 60);
    }
    values.gpus = 0;
    QVERIFY(!jobOf(values, 43).contains("tres_per_node"));
}

void TestSlurmRest::whatCannotBeSaid()
{
    ScriptValues values = trialValues();
    values.extraArguments = {u"--nice=5"_s};
    QVERIFY(submitBody(values, "#!/bin/bash\n", 43).error().message.text().contains(u"extraArgs"));
    values = trialValues();
    values.signalSecondsBefore = 30;
    const auto body = submitBody(values, "#!/bin/bash\n", 38);
    QVERIFY(!body);
    QCOMPARE(body.error().kind, Kind::invalid);
    QVERIFY(body.error().message.text().contains(u"signalBeforeEnd"));
}

void TestSlurmRest::submissions_data()
{
    using Outcome = SubmitAnswer::Outcome;
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("outcome");
    const auto row = [](const char* name, int status, const QByteArray& body, Outcome outcome) {
        QTest::newRow(name) << status << body << int(outcome);
    };
    row("recorded", 200, slurmFixture(u"22.05/rest_submitted.json"_s), Outcome::accepted);
    row("recorded refusal", 500, slurmFixture(u"22.05/rest_refused.json"_s), Outcome::refused);
    row("23.11", 200, R"json({"result":{"job_id":7},"job_id":7,"step_id":"batch","errors":[],"warnings":[]})json",
        Outcome::accepted);
    row("no controller", 500,
        R"json({"errors":[{"error_code":1800,"error":"Unable to contact slurm controller (connect failure)"
}]
})json",
        Outcome::none);
    row("too many jobs", 500,
        R"json({"errors":[{"error":"Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
            "description":"QOSMaxSubmitJobPerUserLimit"
}]
})json",
        Outcome::later);
    row("too large", 500, R"json({"errors":[{"error":"Requested node configuration is not available"}]})json",
        Outcome::refused);
    row("an id and an error", 500, R"json({"job_id":7,"errors":[{"error":"Unspecified error"}]})json",
        Outcome::unknown);
    row("no id", 200, R"json({"errors":[]})json", Outcome::unknown);
    row("cut", 200, R"({"job_id":)", Outcome::unknown);
    row("a proxy", 502, "<html>Bad gateway</html>", Outcome::refused);
}

void TestSlurmRest::submissions()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, outcome);
    const SubmitAnswer answer = readRestSubmit(restReply(status, body));
    QCOMPARE(int(answer.outcome), outcome);
    if (answer.outcome == SubmitAnswer::Outcome::accepted)
        QVERIFY(answer.id > 0);
    else
        QVERIFY(!answer.error.message.text().isEmpty());
}

void TestSlurmRest::cancels()
{
    QVERIFY(!restCancelError(restReply(200, R"json({"errors":[]})json")));
    QVERIFY(!restCancelError(recorded(u"unknown_job"_s, 500)));
    QVERIFY(!restCancelError(
        restReply(500, R"json({"errors":[{"error":"Job/step already completing or completed"}]})json")));
    const auto denied = restCancelError(restReply(500, R"json({"errors":[{"error":"Access/permission denied"}]})json"));
    QVERIFY(denied);
    QCOMPARE(denied->kind, Kind::auth);
}

void TestSlurmRest::brokenAnswers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << 200 << QByteArray();
    QTest::newRow("cut") << 200 << slurmFixture(u"22.05/rest_nodes.json"_s).chopped(40);
    QTest::newRow("no list") << 200 << QByteArray(R"json({"errors":[]})json");
    QTest::newRow("another shape") << 200
                                   << QByteArray(R"json({"nodes":{},"partitions":"a","jobs":1,"errors":[]})json");
    QTest::newRow("an array") << 200 << QByteArray("[]");
    QTest::newRow("a page") << 503 << QByteArray("<html>later</html>");
    QTest::newRow("an error beside a list")
        << 200
        << QByteArray(R"json({"nodes":[],"partitions":[],"jobs":[],"errors":[{"error":"Unspecified error"}]})json");
}

/// None of them is an empty cluster.
void TestSlurmRest::brokenAnswers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    const Reply reply = restReply(status, body);
    QVERIFY(!readRestNodes(reply));
    QVERIFY(!readRestPartitions(reply));
    QVERIFY(!readQueueJson(reply));
}

void TestSlurmRest::versionsAreFound()
{
    QCOMPARE(restPath(38, "jobs"), "/slurm/v0.0.38/jobs");
    const auto newer = readRestVersion(restReply(200,
        R"json({"pings":[],"meta":{"slurm":{"version":{"major":"24","micro":"5","minor":"11"},"release":"24.11.5"}},"errors":[]})json"));
    QCOMPARE(newer.value_or(SlurmVersion{}).text(), u"24.11.5"_s);
    QVERIFY(!readRestVersion(restReply(200, R"json({"errors":[]})json")));
}

QTEST_GUILESS_MAIN(TestSlurmRest)
#include "tst_slurm_rest.moc"
