// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of Azure Machine Learning, and what is made of them.
#include "services/platforms/aml/wire/aml_facts.h"
#include "services/platforms/aml/wire/restart_count.h"
#include "services/platforms/aml/wire/run_logs.h"

#include <QTest>

using namespace platforms;
using namespace platforms::aml;
using namespace Qt::StringLiterals;

class TestAmlAnswers : public QObject
{
    Q_OBJECT
private slots:
    void jobs();
    void states_data();
    void states();
    void notAzure_data();
    void notAzure();
    void details();
    void datastores();
    void quotas();
    void exitCodes_data();
    void exitCodes();
    void failures_data();
    void failures();
    void workspaces();
    void regions();
    void uploads();
    void computes();
    void waits_data();
    void waits();
    void machines();
    void restarts();
    void logs();
};

static const char* jobText =
    R"({"id":"/subscriptions/S/resourceGroups/R/providers/Microsoft.MachineLearningServices/workspaces/W/jobs/td-s-t",
 "name":"td-s-t","type":"Microsoft.MachineLearningServices/workspaces/jobs",
 "properties":{"jobType":"Command","status":"Running","experimentName":"e","tags":{"trialdeck-s":"t","trialdeck-experiment":"e1","n":7},
  "computeId":"/subscriptions/S/resourceGroups/R/providers/Microsoft.MachineLearningServices/workspaces/W/computes/GPU",
  "services":{"Studio":{"jobServiceType":"Studio","endpoint":"https://ml.azure.com/runs/td-s-t?wsid=x"}}},
 "systemData":{"createdAt":"2026-01-01T12:34:56.999Z","createdByType":"User"}})";

static const char* computeText =
    R"({"name":"gpu","location":"westus","properties":{"computeType":"AmlCompute","provisioningState":"Succeeded",
 "properties":{"vmSize":"Standard_NC12","vmPriority":"Dedicated","scaleSettings":{"minNodeCount":0,"maxNodeCount":4,"nodeIdleTimeBeforeScaleDown":"PT2M"},
  "allocationState":"Steady","currentNodeCount":3,"targetNodeCount":3,
  "nodeStateCounts":{"preparingNodeCount":0,"runningNodeCount":2,"idleNodeCount":1,"unusableNodeCount":0,"leavingNodeCount":0,"preemptedNodeCount":0},
  "errors":null}}})";

static AmlJob jobOf(JobState state, const QString& word = {})
{
    AmlJob job;
    job.name = u"td-s-t"_s;
    job.state = state;
    job.word = word;
    job.compute = u"gpu"_s;
    return job;
}

static JobFact factFor(const AmlJob& job, const Compute* compute = nullptr, const RunDetails* details = nullptr)
{
    return factOf(job, TrialId(u"t"_s), PlatformId(u"az"_s), compute, details, 0);
}

void TestAmlAnswers::jobs()
{
    const Result<AmlJob> job = readJob(Json::parse(jobText));
    QVERIFY(job);
    QCOMPARE(job->name, u"td-s-t"_s);
    QCOMPARE(job->state, JobState::running);
    QCOMPARE(job->compute, u"GPU"_s);
    QCOMPARE(job->tags.value(u"trialdeck-s"_s), u"t"_s);
    QVERIFY(!job->tags.contains(u"n"_s));
    for (const auto& [text, seconds] : std::initializer_list<std::pair<const char*, qint64>>{{"PT90S", 90},
             {"P1DT2H", 26 * 3'600}, {"PT1H30M0.5S", 5'400}, {"P", 0}, {"PT0S", 0}, {"90", 0}, {"PT-1S", 0}}) {
        Json limited = Json::parse(jobText);
        limited["properties"]["limits"] = {{"timeout", text}};
        QCOMPARE(readJob(limited)->timeLimitMs.value_or(0), seconds * 1'000);
    }
    QCOMPARE(trialIn(*job, u"s"_s), TrialId(u"t"_s));
    QVERIFY(trialIn(*job, u"other"_s).isEmpty());
    AmlJob theirs = *job;
    theirs.tags.insert(u"trialdeck-s"_s, u"u"_s); // the name alone does not make it ours
    QVERIFY(trialIn(theirs, u"s"_s).isEmpty());
    const Json list = {{"value", Json::array({Json::parse(jobText), nullptr, 7, Json::object()})},
        {"nextLink", "https://management.azure.com/subscriptions/S/jobs?$skip=a%20b"}};
    const Result<JobPage> page = readJobPage(list);
    QVERIFY(page);
    QCOMPARE(page->jobs, QList<AmlJob>{*job});
    QCOMPARE(page->next, "https://management.azure.com/subscriptions/S/jobs?$skip=a%20b"_ba);
    QVERIFY(readJobPage({{"value", Json::array()}, {"nextLink", nullptr}})->next.isEmpty());
    QVERIFY(readJobPage({{"value", Json::array()}, {"nextLink", "file:///etc/passwd"}})->next.isEmpty());
}

void TestAmlAnswers::states_data()
{
    using Phase = JobFact::Phase;
    QTest::addColumn<QString>("word");
    QTest::addColumn<Phase>("phase");
    for (const char* word : {"NotStarted", "Starting", "Provisioning", "Preparing", "Queued", "Scheduled", "Paused"})
        QTest::newRow(word) << QString::fromLatin1(word) << Phase::waiting;
    for (const char* word : {"Running", "Finalizing"})
        QTest::newRow(word) << QString::fromLatin1(word) << Phase::running;
    for (const char* word : {"Completed", "Failed", "Canceled"})
        QTest::newRow(word) << QString::fromLatin1(word) << Phase::ended;
    for (const char* word : {"CancelRequested", "NotResponding", "Unknown", "Dreaming"})
        QTest::newRow(word) << QString::fromLatin1(word) << Phase::unknown;
}

void TestAmlAnswers::states()
{
    QFETCH(QString, word);
    QFETCH(JobFact::Phase, phase);
    const JobFact fact = factFor(jobOf(jobState(word), word));
    QCOMPARE(fact.phase, phase);
    QCOMPARE(fact.handle, u"td-s-t"_s); // it is there, whatever it does
    QCOMPARE(fact.isSilent, word == u"NotResponding"_s);
    QCOMPARE(jobState(word.toUpper()), jobState(word));
    if (phase == JobFact::Phase::waiting)
        QVERIFY(!fact.reason.isEmpty());
    if (word == u"Canceled"_s) {
        QCOMPARE(fact.end, TrialStatus::sys_canceled);
        QVERIFY(fact.isDecisive);
    }
}

void TestAmlAnswers::notAzure_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"{}", "[]", "null", "7", "\"x\"", "{\"value\":{}}", "{\"error\":{\"code\":\"a\"}}"})
        QTest::newRow(text) << QByteArray(text);
}

void TestAmlAnswers::notAzure()
{
    QFETCH(QByteArray, text);
    const Json json = Json::parse(text.toStdString());
    QVERIFY(!readJobPage(json) && !readJob(json) && !readWorkspace(json) && !readRegion(json) && !readRunDetails(json));
    QVERIFY(!readDatastore(json) && !readDatastoreSecret(json));
    QVERIFY(!readPendingUpload(json) && !readNames(json, "name") && !readCompute(json) && !readComputes(json));
    QVERIFY(readVmSizes(json).isEmpty() && readCoreQuotas(json).isEmpty());
}

void TestAmlAnswers::datastores()
{
    const auto store = [](const Json& more) {
        Json properties = {{"datastoreType", "AzureBlob"}, {"accountName", "acc1"}, {"containerName", "azureml-blob"},
            {"endpoint", "core.windows.net"}, {"protocol", "https"}};
        properties.update(more);
        return Json{{"name", "workspaceblobstore"}, {"properties", properties}};
    };
    Json list = Json::array({store({{"datastoreType", "AzureFile"}}), store({{"accountName", "evil.example/"}}),
        store({{"containerName", "../x"}}), store({{"endpoint", "a@b"}}), store(Json::object())});
    const Result<Datastore> found = readDatastore({{"value", list}});
    QVERIFY(found);
    QCOMPARE(found->folder, QUrl(u"https://acc1.blob.core.windows.net/azureml-blob"_s));
    QCOMPARE(found->account, u"acc1"_s);
    list.erase(4);
    QVERIFY(!readDatastore({{"value", list}}));
    QCOMPARE(readDatastoreSecret({{"secretsType", "Sas"}, {"sasToken", "?sv=1&sig=x"}})->signature, "sv=1&sig=x"_ba);
    QCOMPARE(readDatastoreSecret({{"secretsType", "AccountKey"}, {"key", "abc="}})->key, "abc="_ba);
}

void TestAmlAnswers::quotas()
{
    const auto row = [](const char* name, int used, int limit) {
        return Json{{"name", {{"value", name}}}, {"currentValue", used}, {"limit", limit}, {"unit", "Count"}};
    };
    const QList<CoreQuota> quotas = readCoreQuotas({{"value",
        Json::array({row("Standard NCSv3 Family Cluster Dedicated vCPUs", 18, 24),
            row("Standard NCSv3 Family Cluster Low Priority vCPUs", 0, 6),
            row("Standard D Family Cluster Dedicated vCPUs", 9, 9),
            row("Total Cluster Dedicated Regional vCPUs", 27, 100),
            row("Total Cluster Low Priority Regional vCPUs", 0, 3), row("Clusters", 1, 1), row("no limit vCPUs", 1, -1),
            Json::object(), 7})}});
    QCOMPARE(quotas.size(), 6);
    Compute compute;
    const VmSize size{1, 6, 112, u"standardNCSv3Family"_s};
    QCOMPARE(tightestQuota(quotas, compute, size)->left(), 6);
    compute.isLowPriority = true;
    QCOMPARE(tightestQuota(quotas, compute, size)->left(), 3); // of all sizes
    compute.isLowPriority = false;
    QCOMPARE(tightestQuota(quotas, compute, VmSize{})->left(), 73);
    QVERIFY(!tightestQuota({}, compute, size));
}

void TestAmlAnswers::details()
{
    const Result<RunDetails> details = readRunDetails(Json::parse(
        R"({"runId":"td-s-t","status":"Failed","startTimeUtc":"2026-01-01T12:40:00Z","endTimeUtc":"2026-01-01T12:41:10.1234567+00:00",
            "error":{"error":{"code":"UserError","message":"{\"NonCompliant\":\"Process 'main' exited with code: 7\"} exit code 7\nmore"}},
            "logFiles":{"user_logs/std_log.txt":"https://acc.blob.core.windows.net/azureml/x/std_log.txt?sv=1&sig=a%2Bb","bad":"file:///x","n":7}})"));
    QVERIFY(details);
    QCOMPARE(details->startTime, 1'767'271'200'000);
    QCOMPARE(details->endTime.value_or(0) / 1'000, 1'767'271'270);
    QCOMPARE(details->errorCode, u"UserError"_s);
    QVERIFY(!details->error.contains(u"more"_s));
    QCOMPARE(details->exitCode, 7);
    QCOMPARE(details->logs.size(), 1);
    QCOMPARE(details->logs.first().query(QUrl::FullyEncoded), u"sv=1&sig=a%2Bb"_s);
    const Result<RunDetails> begun =
        readRunDetails(Json::parse(R"({"runId":"x","status":"Running","endTimeUtc":null})"));
    QVERIFY(begun && !begun->startTime && !begun->endTime && !begun->exitCode && begun->logs.isEmpty());
}

void TestAmlAnswers::exitCodes_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<int>("code"); ///< below 0: none is named
    QTest::newRow("plain") << u"exit code 7"_s << 7;
    QTest::newRow("a member") << u"ExitCode: 137"_s << 137;
    QTest::newRow("of a process") << u"Process 'main' exited with code: 7"_s << 7;
    QTest::newRow("of the user's")
        << u"Execution failed. User process 'python' exited with status code 3. Please check"_s << 3;
    QTest::newRow("too large") << u"exit code 700"_s << -1;
    QTest::newRow("of HTTP") << u"the registry answers with status code 404"_s << -1;
}

void TestAmlAnswers::exitCodes()
{
    QFETCH(QString, message);
    QFETCH(int, code);
    const Json told = {{"runId", "x"}, {"error", {{"error", {{"message", message.toStdString()}}}}}};
    const Result<RunDetails> details = readRunDetails(told);
    QVERIFY(details);
    QCOMPARE(details->exitCode.value_or(-1), code);
}

void TestAmlAnswers::failures_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("error");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<FailureClass>("failureClass");
    QTest::addColumn<bool>("isDecisive");
    QTest::newRow("exit code") << u"UserError"_s << u"exit code 7"_s << 7 << FailureClass::exitCode << false;
    QTest::newRow("memory") << u"UserError"_s << u"ContainerOutOfMemory"_s << 137 << FailureClass::outOfMemory << true;
    QTest::newRow("time") << u"JobTimedOut"_s << u"It ran too long"_s << -1 << FailureClass::platform << true;
    QTest::newRow("image") << u"ImageBuildFailure"_s << u"no such image"_s << -1 << FailureClass::platform << false;
}

void TestAmlAnswers::failures()
{
    QFETCH(QString, code);
    QFETCH(QString, error);
    QFETCH(int, exitCode);
    QFETCH(FailureClass, failureClass);
    QFETCH(bool, isDecisive);
    RunDetails details;
    details.errorCode = code;
    details.error = error;
    details.endTime = 5;
    if (exitCode >= 0)
        details.exitCode = exitCode;
    const JobFact fact = factFor(jobOf(JobState::failed, u"Failed"_s), nullptr, &details);
    QCOMPARE(fact.end, TrialStatus::failed);
    QCOMPARE(fact.failureClass, failureClass);
    QCOMPARE(fact.isDecisive, isDecisive);
    QVERIFY(fact.reason.text().contains(error));
    QCOMPARE(fact.endTime, 5);
}

void TestAmlAnswers::workspaces()
{
    const Result<Workspace> workspace = readWorkspace(Json::parse(
        R"({"name":"W","location":"westus","properties":{"workspaceId":"w","discoveryUrl":"https://westus.api.azureml.ms/discovery",
            "mlFlowTrackingUri":"azureml://westus.api.azureml.ms/mlflow/v1.0/subscriptions/S"}})"));
    QVERIFY(workspace);
    QCOMPARE(workspace->location, u"westus"_s);
    QCOMPARE(workspace->discovery, QUrl(u"https://westus.api.azureml.ms/discovery"_s));
    QCOMPARE(workspace->tracking.host(), u"westus.api.azureml.ms"_s);
    QCOMPARE(workspace->tracking.scheme(), u"https"_s);
    const Json names = Json::parse(R"({"value":[{"name":"b"},{"name":"a"},7,{}]})");
    QCOMPARE(readNames(names, "name")->join(u' '), u"a b"_s);
}

void TestAmlAnswers::regions()
{
    QCOMPARE(*readRegion({{"api", "https://user@westus.api.azureml.ms/x?y"}, {"history", "https://h"}}),
        QUrl(u"https://westus.api.azureml.ms"_s));
    QCOMPARE(*readRegion({{"history", "https://h.example/history"}}), QUrl(u"https://h.example"_s));
    QVERIFY(!readRegion({{"api", "gopher://x"}}));
}

void TestAmlAnswers::uploads()
{
    const Result<PendingUpload> upload = readPendingUpload(Json::parse(
        R"({"pendingUploadId":"p","pendingUploadType":"TemporaryBlobReference","blobReferenceForConsumption":
            {"blobUri":"https://acc.blob.core.windows.net/c/path","storageAccountArmId":"x",
             "credential":{"credentialType":"SAS","sasUri":"https://acc.blob.core.windows.net/c?sv=1&sig=x"}}})"));
    QVERIFY(upload);
    QCOMPARE(upload->folder, QUrl(u"https://acc.blob.core.windows.net/c/path"_s));
    QCOMPARE(upload->signature.query(), u"sv=1&sig=x"_s);
    const Json withoutSignature = Json::parse(
        R"({"blobReferenceForConsumption":{"blobUri":"https://a/c","credential":{"sasUri":"https://a/c"}}})");
    QVERIFY(!readPendingUpload(withoutSignature));
}

void TestAmlAnswers::computes()
{
    const Result<Compute> compute = readCompute(Json::parse(computeText));
    QVERIFY(compute);
    QCOMPARE(compute->name, u"gpu"_s);
    QCOMPARE(compute->maxNodes, 4);
    QCOMPARE(compute->currentNodes, 3);
    QCOMPARE(compute->runningNodes, 2);
    QCOMPARE(compute->idleNodes, 1);
    QVERIFY(!compute->isLowPriority && compute->error.isEmpty());
    Message obstacle;
    QVERIFY(takesJobs(*compute, obstacle));
    QCOMPARE(nodesText(*compute).text(), u"2 of 3 nodes run jobs, it gets up to 4"_s);
    const Result<Compute> full = readCompute(Json::parse(
        R"({"name":"q","properties":{"computeType":"AmlCompute","provisioningState":"Failed","properties":{"scaleSettings":{"maxNodeCount":-3},
            "errors":[{"error":{"code":"ClusterCoreQuotaReached","message":"Not enough quota.\nmore"}}]}}})"));
    QVERIFY(full);
    QCOMPARE(full->maxNodes, 0);
    QCOMPARE(full->error, u"Not enough quota."_s);
    QVERIFY(!takesJobs(*full, obstacle) && obstacle.text().contains(u"Not enough quota."_s));
    const Result<Compute> stopped = readCompute(Json::parse(
        R"({"name":"me","properties":{"computeType":"ComputeInstance","provisioningState":"Succeeded","properties":{"vmSize":"x","state":"Stopped"}}})"));
    QVERIFY(stopped && !takesJobs(*stopped, obstacle));
    QVERIFY(obstacle.text().contains(u"Stopped"_s));
    const Result<QList<Compute>> all = readComputes({{"value",
        Json::array({Json::parse(R"({"name":"z","properties":{"computeType":"VirtualMachine"}})"),
            Json::parse(R"({"name":"z","properties":{"computeType":"Kubernetes"}})"), Json::parse(computeText), 7})}});
    QVERIFY(all);
    QCOMPARE(all->size(), 2);
    QCOMPARE(all->first().name, u"gpu"_s);
}

void TestAmlAnswers::waits_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<Json>("changes"); ///< of the compute's inner properties; null: the compute is not known
    QTest::addColumn<QString>("words");
    QTest::newRow("queued") << u"Queued"_s << Json() << u"waits for a node of \"gpu\""_s;
    QTest::newRow("no nodes") << u"Queued"_s << Json{{"currentNodeCount", 0}} << u"which has none now"_s;
    QTest::newRow("quota") << u"Queued"_s << Json{{"errors", Json::array({{{"error", {{"message", "no cores"}}}}})}}
                           << u"no cores"_s;
    QTest::newRow("nowhere to go") << u"Queued"_s << Json{{"scaleSettings", {{"maxNodeCount", 0}}}} << u"is 0"_s;
    QTest::newRow("image") << u"Preparing"_s << Json() << u"container image"_s;
    QTest::newRow("node") << u"Starting"_s << Json() << u"starts it on a node"_s;
    QTest::newRow("paused") << u"Paused"_s << Json() << u"paused"_s;
}

void TestAmlAnswers::waits()
{
    QFETCH(QString, word);
    QFETCH(Json, changes);
    QFETCH(QString, words);
    Json text = Json::parse(computeText);
    if (!changes.is_null())
        text["properties"]["properties"].update(changes);
    const Result<Compute> compute = readCompute(text);
    QVERIFY(compute);
    const JobFact fact = factFor(jobOf(jobState(word), word), changes.is_null() ? nullptr : &*compute);
    QVERIFY2(fact.reason.text().contains(words), qPrintable(fact.reason.text()));
}

void TestAmlAnswers::machines()
{
    const Result<Compute> compute = readCompute(Json::parse(computeText));
    const VmSizes sizes = readVmSizes(Json::parse(
        R"({"value":[{"name":"STANDARD_NC12","gpus":2,"vCPUs":12,"memoryGB":112},{"name":"x","gpus":-7}]})"));
    QCOMPARE(sizes.size(), 2);
    const Machine machine = machineOf(*compute, sizes, PlatformId(u"az"_s), 5);
    QCOMPARE(machine.id.value, u"az.gpu"_s);
    QCOMPARE(machine.state, MachineState::ready);
    QCOMPARE(machine.gpus.size(), 8);
    int busy = 0;
    for (const Gpu& gpu : machine.gpus)
        busy += int(gpu.processes.size());
    QCOMPARE(busy, 4);
    QCOMPARE(machine.cpuCount, 48);
    const PlatformQueue queue = queueOf(*compute, sizes, u"GPU"_s);
    QVERIFY(queue.isDefault && queue.isOpen);
    QCOMPARE(queue.gpus.total, 8);
    QCOMPARE(queue.gpus.free, 4);
    const Machine unknown = machineOf(*compute, {}, PlatformId(u"az"_s), 5);
    QVERIFY(unknown.gpus.isEmpty() && !unknown.gpuMessage.isEmpty());
}

void TestAmlAnswers::restarts()
{
    RestartCount count;
    QCOMPARE(count.see(JobState::waiting), 0);
    QCOMPARE(count.see(JobState::running), 0);
    QCOMPARE(count.see(JobState::silent), 0);
    QCOMPARE(count.see(JobState::running), 0);
    QCOMPARE(count.see(JobState::waiting), 1);
    QCOMPARE(count.see(JobState::waiting), 1);
    QCOMPARE(count.see(JobState::running), 1);
    QCOMPARE(count.see(JobState::waiting), 2);
}

void TestAmlAnswers::logs()
{
    QMap<QString, QUrl> logs;
    QVERIFY(frameLog(logs).isEmpty());
    logs.insert(u"system_logs/lifecycler/x.log"_s, QUrl(u"https://a/1"_s));
    QVERIFY(frameLog(logs).isEmpty());
    logs.insert(u"azureml-logs/70_driver_log.txt"_s, QUrl(u"https://a/2"_s));
    QCOMPARE(frameLog(logs), QUrl(u"https://a/2"_s));
    logs.insert(u"user_logs/std_log.txt"_s, QUrl(u"https://a/3"_s));
    QCOMPARE(frameLog(logs), QUrl(u"https://a/3"_s));
}

QTEST_GUILESS_MAIN(TestAmlAnswers)
#include "tst_aml_answers.moc"
