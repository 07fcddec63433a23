// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as a real rest-server 1.8 gave them, and as it must not give them.
#include "services/core/gpu/gpu_use.h"
#include "services/platforms/openpai/wire/openpai_facts.h"

#include <QTest>

using namespace platforms;
using namespace platforms::openpai;
using namespace Qt::StringLiterals;

class TestOpenPaiAnswers : public QObject
{
    Q_OBJECT
private slots:
    void storages_data();
    void storages();
    void containers_data();
    void containers();
    void containersThatCannotBe_data();
    void containersThatCannotBe();
    void detail();
    void logPlaces_data();
    void logPlaces();
    void justSubmitted();
    void lists();
    void states_data();
    void states();
    void failures_data();
    void failures();
    void refusals_data();
    void refusals();
    void virtualClusters();
    void notOpenPai_data();
    void notOpenPai();
};

static const char* detailText = R"({"debugId":"c1c3","name":"td-s-t","tags":[],
 "jobStatus":{"username":"u","state":"RUNNING","subState":"AttemptRunning","executionType":"STOP","retries":2,
  "retryDetails":{"user":0,"platform":2,"resource":0},"retryDelayTime":null,"submissionTime":1795220235000,"createdTime":1767225600000,
  "launchedTime":1767225605000,"completedTime":null,"attemptId":2,"attemptState":"RUNNING","appId":"0_abc","appProgress":0,"appTrackingUrl":"",
  "appExitCode":null,"appExitSpec":null,"appExitDiagnostics":null,"appExitMessages":null,"appExitType":null,"virtualCluster":"default"},
 "taskRoles":{"taskrole":{"taskRoleStatus":{"name":"taskrole"},"taskStatuses":[{"taskIndex":0,"taskState":"RUNNING","containerId":"x",
  "containerIp":"10.0.0.7","containerNodeName":"worker1","containerPorts":{},"containerExitCode":null,
  "containerLog":"/api/v2/jobs/u~td-s-t/attempts/2/taskRoles/taskrole/taskIndex/0/attempts/0/logs","attemptId":0}]}}})";

void TestOpenPaiAnswers::detail()
{
    const Result<PaiJob> job = readJob(Json::parse(detailText));
    QVERIFY(job);
    QCOMPARE(job->name, u"td-s-t"_s);
    QCOMPARE(job->user, u"u"_s);
    QCOMPARE(job->state, JobState::running);
    QVERIFY(job->isToStop);
    QCOMPARE(job->retries, 2);
    QCOMPARE(job->launchedTime, 1'767'225'605'000);
    QVERIFY(!job->completedTime && !job->exitCode);
    QCOMPARE(job->node, u"worker1"_s);
    QCOMPARE(job->logPath, u"/api/v2/jobs/u~td-s-t/attempts/2/taskRoles/taskrole/taskIndex/0/attempts/0/logs"_s);
    const JobFact fact = factOf(*job, TrialId(u"t"_s), PlatformId(u"pai"_s));
    QCOMPARE(fact.handle, u"u~td-s-t"_s);
    QCOMPARE(fact.phase, JobFact::Phase::running);
    QCOMPARE(fact.restarts, 2);
    QCOMPARE(fact.machine.value, u"pai.default"_s);
    QCOMPARE(fact.startTime, 1'767'225'605'000);
}

void TestOpenPaiAnswers::logPlaces_data()
{
    QTest::addColumn<QByteArray>("locations");
    QTest::addColumn<QByteArray>("place"); // empty: none
    QTest::newRow("all of it") << QByteArray(
        R"([{"name":"stdout","uri":"/l/a"},{"name":"all","uri":"/l/b?t=1"},{"name":"stderr","uri":"/l/c"}])")
                               << QByteArray("/l/b?t=1");
    QTest::newRow("errors first") << QByteArray(R"([{"name":"stdout","uri":"/l/a"},{"name":"stderr","uri":"/l/c"}])")
                                  << QByteArray("/l/c");
    QTest::newRow("another name") << QByteArray(R"([{"name":"user.pai.all","uri":"/l/a"},{"name":"x","uri":"/l/c"}])")
                                  << QByteArray("/l/a");
    QTest::newRow("rotated ones come last")
        << QByteArray(R"([{"name":"stdout.1","uri":"/l/a"},{"name":"stdout","uri":"/l/c"}])") << QByteArray("/l/c");
    QTest::newRow("other host") << QByteArray(R"([{"name":"all","uri":"https://x.invalid/l"}])") << QByteArray();
    QTest::newRow("other host, short") << QByteArray(R"([{"name":"all","uri":"//x.invalid/l"}])") << QByteArray();
    QTest::newRow("a second header") << QByteArray(R"([{"name":"all","uri":"/l\r\nX-A: b"}])") << QByteArray();
    QTest::newRow("no text") << QByteArray(R"([{"name":"all","uri":7},{"name":"all"},null,"a"])") << QByteArray();
    QTest::newRow("nothing") << QByteArray("[]") << QByteArray();
    QTest::newRow("no list") << QByteArray("{}") << QByteArray();
}

void TestOpenPaiAnswers::logPlaces()
{
    QFETCH(QByteArray, locations);
    QFETCH(QByteArray, place);
    const Result<QByteArray> read = readLogPlace(Json::parse(R"({"locations":)" + locations.toStdString() + "}"));
    QCOMPARE(read.has_value(), !place.isEmpty());
    if (read)
        QCOMPARE(*read, place);
}

void TestOpenPaiAnswers::justSubmitted()
{
    const Result<PaiJob> job = readJob(Json::parse(R"({"name":"n","jobStatus":{"username":"u","state":"WAITING",
        "subState":"AttemptCreationPending","executionType":"START","retries":0,"virtualCluster":"default"},"taskRoles":{}})"));
    QVERIFY(job);
    const JobFact fact = factOf(*job, TrialId(u"t"_s), PlatformId(u"pai"_s));
    QCOMPARE(fact.phase, JobFact::Phase::waiting);
    QVERIFY(fact.reason.text().contains(u"\"default\""_s));
}

void TestOpenPaiAnswers::lists()
{
    const Json items =
        Json::parse(R"([{"name":"a","username":"u","state":"SUCCEEDED","retries":0,"completedTime":5,"appExitCode":0},
        {"state":"RUNNING"}, null, 7, {"name":"b","username":"u","state":"FAILED","appExitCode":-220,"retries":-3}])");
    const Result<JobPage> bare = readJobPage(items);
    QVERIFY(bare);
    QCOMPARE(bare->jobs.size(), 2); // what has no name is passed over
    QVERIFY(!bare->total);
    QCOMPARE(bare->jobs.at(1).exitCode, -220);
    QCOMPARE(bare->jobs.at(1).retries, 0);
    const Result<JobPage> counted = readJobPage({{"totalCount", 7}, {"data", items}});
    QVERIFY(counted);
    QCOMPARE(counted->total, 7);
    QCOMPARE(counted->jobs.size(), 2);
}

void TestOpenPaiAnswers::states_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<JobFact::Phase>("phase");
    QTest::addColumn<TrialStatus>("end");
    using Phase = JobFact::Phase;
    QTest::newRow("waiting") << u"WAITING"_s << Phase::waiting << TrialStatus::failed;
    QTest::newRow("running") << u"RUNNING"_s << Phase::running << TrialStatus::failed;
    QTest::newRow("stopping") << u"STOPPING"_s << Phase::running << TrialStatus::failed;
    QTest::newRow("stopped") << u"STOPPED"_s << Phase::ended << TrialStatus::sys_canceled;
    QTest::newRow("succeeded") << u"SUCCEEDED"_s << Phase::ended << TrialStatus::succeeded;
    QTest::newRow("failed") << u"FAILED"_s << Phase::ended << TrialStatus::failed;
    QTest::newRow("unknown") << u"UNKNOWN"_s << Phase::unknown << TrialStatus::failed;
    QTest::newRow("invented") << u"DREAMING"_s << Phase::unknown << TrialStatus::failed;
    QTest::newRow("none") << QString() << Phase::unknown << TrialStatus::failed;
}

void TestOpenPaiAnswers::states()
{
    QFETCH(QString, word);
    PaiJob job;
    job.state = jobState(word);
    const JobFact fact = factOf(job, TrialId(u"t"_s), PlatformId(u"pai"_s));
    QTEST(fact.phase, "phase");
    if (fact.phase == JobFact::Phase::ended)
        QTEST(fact.end, "end");
}

void TestOpenPaiAnswers::failures_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("phrase");
    QTest::addColumn<QString>("diagnostics");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("failureClass");
    QTest::addColumn<bool>("decisive");
    QTest::newRow("exit code") << 3 << QString() << QString() << QString() << QString() << false;
    QTest::newRow("memory") << 137 << u"ContainerOOMKilled"_s << u"killed"_s << u"more memory"_s << u"outOfMemory"_s
                            << true;
    QTest::newRow("memory in words") << 137 << QString() << u"OOMKilled by the node"_s << u"more memory"_s
                                     << u"outOfMemory"_s << true;
    QTest::newRow("killed") << 137 << QString() << QString() << u"was killed"_s << QString() << false;
    QTest::newRow("its own") << -1 << u"PodImagePullFailed"_s << u"line 1\nline 2"_s << u"PodImagePullFailed"_s
                             << u"platform"_s << true;
    QTest::newRow("its own in words") << -7 << QString() << u"line 1\nline 2"_s << u"line 1"_s << u"platform"_s << true;
}

void TestOpenPaiAnswers::failures()
{
    QFETCH(int, code);
    QFETCH(QString, phrase);
    QFETCH(QString, diagnostics);
    QFETCH(QString, reason);
    PaiJob job;
    job.state = JobState::failed;
    job.isDetail = true;
    job.exitCode = code;
    job.exitPhrase = phrase;
    job.diagnostics = diagnostics;
    const JobFact fact = factOf(job, TrialId(u"t"_s), PlatformId(u"pai"_s));
    QVERIFY2(fact.reason.text().contains(reason), qPrintable(fact.reason.text()));
    QCOMPARE(fact.reason.text().isEmpty(), reason.isEmpty());
    QTEST(fact.failureClass.word(), "failureClass");
    QTEST(fact.isDecisive, "decisive");
    QCOMPARE(fact.exitCode.has_value(), code >= 0);
}

void TestOpenPaiAnswers::refusals_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("words");
    QTest::newRow("token") << 401
                           << QByteArray(R"({"code":"UnauthorizedUserError","message":"Your token is invalid."})")
                           << Kind::auth << u"token"_s;
    QTest::newRow("password") << 400
                              << QByteArray(R"({"code":"IncorrectPasswordError","message":"Password is incorrect."})")
                              << Kind::auth << u"password"_s;
    QTest::newRow("right")
        << 403
        << QByteArray(R"({"code":"ForbiddenUserError","message":"User u is not allowed to do operation in nlp"})")
        << Kind::auth << u"nlp"_s;
    QTest::newRow("schema")
        << 400
        << QByteArray(
               R"({"code":"InvalidProtocolError","message":"[{\"keyword\":\"required\",\"dataPath\":\".taskRoles\",\"message\":\"should have x\"}]"})")
        << Kind::invalid << u".taskRoles should have x"_s;
    QTest::newRow("YAML") << 500 << QByteArray(R"({"message":"missed comma"})") << Kind::platform << u"missed comma"_s;
    QTest::newRow("large") << 413 << QByteArray(R"({"message":"request entity too large"})") << Kind::invalid
                           << u"100 KiB"_s;
    QTest::newRow("often") << 429 << QByteArray("Too many requests, please try again later.") << Kind::platform
                           << u"limit"_s;
    QTest::newRow("storage") << 404 << QByteArray(R"({"code":"NoStorageError","message":"Storage x is not found."})")
                             << Kind::invalid << u"Storage x"_s;
    QTest::newRow("no job") << 404 << QByteArray(R"({"code":"NoJobError","message":"Job u~j is not found."})")
                            << Kind::not_found << u"u~j"_s;
    QTest::newRow("no job, a page") << 404 << QByteArray("<html>Not Found</html>") << Kind::platform
                                    << u"something in front of it answered"_s;
    QTest::newRow("no job, in words") << 404 << QByteArray("Not Found") << Kind::platform
                                      << u"something in front of it answered"_s;
    QTest::newRow("a page") << 502 << QByteArray("<html>bad gateway</html>") << Kind::platform << u"HTTP 502"_s;
    QTest::newRow("cut") << 500 << QByteArray(R"({"code":"Unkn)") << Kind::platform << u"HTTP 500"_s;
    QTest::newRow("odd") << 400 << QByteArray(R"([1,{"code":5}])") << Kind::invalid << u"HTTP 400"_s;
}

void TestOpenPaiAnswers::refusals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, words);
    const PaiRefusal refusal = readRefusal(status, body);
    QVERIFY2(refusal.error.message.text().contains(words), qPrintable(refusal.error.message.text()));
    if (status != 429) // whose kind is that of all clusters
        QTEST(refusal.error.kind, "kind");
}

void TestOpenPaiAnswers::virtualClusters()
{
    const Result<QList<VirtualCluster>> clusters = readVirtualClusters(Json::parse(
        R"({"nlp":{"resourcesTotal":{"cpu":24,"memory":1000,"gpu":4},"resourcesUsed":{"cpu":6,"memory":500,"gpu":1.5}},
            "default":{"resourcesTotal":{"gpu":-3}},"odd":7,"wild":{"resourcesTotal":{"gpu":1e300,"cpu":"x"}}})"));
    QVERIFY(clusters);
    QCOMPARE(clusters->size(), 3);
    const VirtualCluster nlp = clusters->at(1);
    QCOMPARE(nlp.name, u"nlp"_s);
    const PlatformQueue queue = queueOf(nlp);
    QCOMPARE(queue.gpus.total, 4);
    QCOMPARE(queue.gpus.free, 2); // half of one is no free GPU
    QCOMPARE(queue.cpus.free, 18);
    const Machine machine = machineOf(nlp, PlatformId(u"pai"_s), 7);
    QCOMPARE(machine.id.value, u"pai.nlp"_s);
    QCOMPARE(machine.gpus.size(), 4);
    QCOMPARE(core::gpuUse(machine, machine.gpus.at(1)), core::GpuUse::foreign);
    QCOMPARE(core::gpuUse(machine, machine.gpus.at(2)), core::GpuUse::free);
    QVERIFY(!machineOf(clusters->at(0), PlatformId(u"pai"_s), 7).gpuMessage.isEmpty());
}

void TestOpenPaiAnswers::notOpenPai_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
        {"null", "5", "\"x\"", "[]", "{}", R"({"jobStatus":5})", R"({"data":{}})", R"({"storages":"x"})"})
        QTest::newRow(text) << QByteArray(text);
}

void TestOpenPaiAnswers::notOpenPai()
{
    QFETCH(QByteArray, text);
    const Json json = Json::parse(text.toStdString());
    QVERIFY(!readJob(json));
    QVERIFY(!readStorages(json));
    QVERIFY(!readJobPage(json) || json.is_array());
    if (!json.is_object())
        QVERIFY(!readVirtualClusters(json));
    QVERIFY(readSkuTypes(json).isEmpty() || json.is_object());
}

void TestOpenPaiAnswers::storages_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>(
        "said"); ///< type, read-only, account, container, key, signature; or the beginning of the error
    QTest::newRow("NFS")
        << R"({"name": "s", "type": "nfs", "data": {"server": "a", "path": "/b"}, "readOnly": true})"_ba
        << u"nfs 1    "_s;
    QTest::newRow("with a key") << R"({"name": "s", "type": "azureBlob", "readOnly": false,
        "data": {"containerName": "train-data", "accountName": "acc1", "accountKey": "a2V5"}})"_ba
                                << u"azureBlob 0 acc1 train-data a2V5 "_s;
    QTest::newRow("with a signature") << R"({"name": "s", "type": "azureBlob",
        "data": {"containerName": "data", "accountName": "acc1", "accountSASToken": "?sv=1&sig=a%2B"}})"_ba
                                      << u"azureBlob 0 acc1 data  sv=1&sig=a%2B"_s;
    QTest::newRow("another one") << R"({"name": "t", "type": "nfs"})"_ba << u"OpenPAI answered with another storage"_s;
    QTest::newRow("no object") << "[]"_ba << u"OpenPAI answered with another storage"_s;
}

void TestOpenPaiAnswers::storages()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, said);
    const Result<StorageDetail> storage = readStorage(Json::parse(json.constData()), u"s"_s);
    if (!storage) {
        QVERIFY2(storage.error().message.text().startsWith(said), qPrintable(storage.error().message.text()));
        return;
    }
    QCOMPARE(u"%1 %2 %3 %4 %5 %6"_s.arg(storage->type)
                 .arg(int(storage->isReadOnly))
                 .arg(storage->account, storage->container, QString::fromLatin1(storage->key),
                     QString::fromLatin1(storage->signature)),
        said);
}

void TestOpenPaiAnswers::containers_data()
{
    QTest::addColumn<QString>("endpoint");
    QTest::addColumn<QString>("url"); ///< empty: it is none
    QTest::newRow("Azure's") << u""_s << u"https://acc1.blob.core.windows.net/data"_s;
    QTest::newRow("another cloud") << u"https://{account}.blob.core.chinacloudapi.cn/"_s
                                   << u"https://acc1.blob.core.chinacloudapi.cn/data"_s;
    QTest::newRow("the account in the path")
        << u"http://127.0.0.1:10000/{account}"_s << u"http://127.0.0.1:10000/acc1/data"_s;
    QTest::newRow("without https") << u"{account}.blob.example.org"_s << u"https://acc1.blob.example.org/data"_s;
    QTest::newRow("a query") << u"https://{account}.example.org/?sig=1"_s << u""_s;
    QTest::newRow("a password") << u"https://a:b@{account}.example.org"_s << u""_s;
    QTest::newRow("another scheme") << u"ftp://{account}.example.org"_s << u""_s;
    QTest::newRow("no host") << u"https://"_s << u""_s;
}

void TestOpenPaiAnswers::containers()
{
    QFETCH(QString, endpoint);
    QFETCH(QString, url);
    StorageDetail storage;
    storage.account = u"acc1"_s;
    storage.container = u"data"_s;
    storage.key = "a2V5";
    const Result<QUrl> found = containerUrl(storage, endpoint);
    QCOMPARE(found ? found->toString() : QString(), url);
    if (!found)
        QVERIFY(found.error().message.text().startsWith(u"storageEndpoint: "_s));
}

/// What OpenPAI says becomes part of an address, to which a key's signature is sent.
void TestOpenPaiAnswers::containersThatCannotBe_data()
{
    QTest::addColumn<QString>("account");
    QTest::addColumn<QString>("container");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("no key") << u"acc1"_s << u"data"_s << ""_ba;
    QTest::newRow("no account") << u""_s << u"data"_s << "a"_ba;
    QTest::newRow("an account that is an address") << u"evil.com/"_s << u"data"_s << "a"_ba;
    QTest::newRow("with a line end") << u"acc1\n"_s << u"data"_s << "a"_ba;
    QTest::newRow("a container that is a path") << u"acc1"_s << u"../x"_s << "a"_ba;
    QTest::newRow("a container with a query") << u"acc1"_s << u"data?x=1"_s << "a"_ba;
}

void TestOpenPaiAnswers::containersThatCannotBe()
{
    QFETCH(QString, account);
    QFETCH(QString, container);
    QFETCH(QByteArray, key);
    StorageDetail storage;
    storage.name = u"s"_s;
    storage.account = account;
    storage.container = container;
    storage.key = key;
    const Result<QUrl> found = containerUrl(storage, {});
    QVERIFY(!found);
    QVERIFY(found.error().message.text().startsWith(u"OpenPAI does not say how its storage s is reached"_s));
}

QTEST_GUILESS_MAIN(TestOpenPaiAnswers)
#include "tst_openpai_answers.moc"
