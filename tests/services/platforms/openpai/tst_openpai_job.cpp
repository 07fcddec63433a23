// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/openpai/openpai_job.h"

#include <QTest>

using namespace platforms;
using namespace platforms::openpai;
using namespace Qt::StringLiterals;

class TestOpenPaiJob : public QObject
{
    Q_OBJECT
private slots:
    void theJobThatNniMakes();
    void whatIsAskedFor();
    void anExperimentWins();
    void aJobOfOnesOwn();
    void firstOfSeveralInstances();
    void refused_data();
    void refused();
};

static const Json settings = {{"storageConfigName", "confignfs"}, {"containerStorageMountPoint", "/mnt/confignfs/"},
    {"dockerImage", "msranni/nni:latest"}, {"virtualCluster", "default"}};
static const QString jobSh = u"/mnt/confignfs/trialdeck/s/trials/e/t/job.sh"_s;

static Json made(const Json& options, std::optional<int> gpus = 1)
{
    const Result<JobWish> wish = jobWish(settings, options, gpus);
    if (!wish)
        qFatal("%s", qPrintable(wish.error().message.text()));
    const Result<QByteArray> document = jobDocument(*wish, u"td-s-t"_s, jobSh);
    if (!document)
        qFatal("%s", qPrintable(document.error().message.text()));
    return Json::parse(document->toStdString());
}

/// With the members in the order of their names.
static QString sorted(const Json& json)
{
    return QString::fromStdString(nlohmann::json::parse(json.dump()).dump());
}

/// Field by field what NNI submits for `pai` and `openpai` without reuse. Other are the command, which starts our keeper instead of
/// NNI's, the job's name, and mountPath, which NNI leaves to the cluster.
void TestOpenPaiJob::theJobThatNniMakes()
{
    const Json expected = Json::parse(R"({
        "protocolVersion": 2, "name": "td-s-t", "type": "job", "jobRetryCount": 0,
        "prerequisites": [{"type": "dockerimage", "name": "docker_image_0", "uri": "msranni/nni:latest"}],
        "taskRoles": {"taskrole": {"instances": 1, "completion": {"minFailedInstances": 1, "minSucceededInstances": -1},
            "taskRetryCount": 0, "dockerImage": "docker_image_0",
            "resourcePerInstance": {"gpu": 1, "cpu": 4, "memoryMB": 8192},
            "commands": ["exec bash /mnt/confignfs/trialdeck/s/trials/e/t/job.sh"]}},
        "defaults": {"virtualCluster": "default"},
        "extras": {"storages": [{"name": "confignfs", "mountPath": "/mnt/confignfs"}], "submitFrom": "submit-job-v2"}})");
    QCOMPARE(sorted(made({{"trialCpuNumber", 4}, {"trialMemorySize", "8 gb"}})), sorted(expected));
}

void TestOpenPaiJob::whatIsAskedFor()
{
    const Json job = made(
        {{"trialMemorySize", "1 GB"}, {"sharedMemorySize", "2 GB"}, {"skuType", "V100"}, {"jobPriority", "oppo"}}, 2);
    const Json& role = job["taskRoles"]["taskrole"];
    QCOMPARE(role["extraContainerOptions"]["shmMB"].get<int>(), 2'048);
    QCOMPARE(sorted(role["resourcePerInstance"]), uR"({"cpu":1,"gpu":2,"memoryMB":1024})"_s);
    QCOMPARE(sorted(job["extras"]["hivedScheduler"]),
        uR"({"jobPriorityClass":"oppo","taskRoles":{"taskrole":{"skuNumber":2,"skuType":"V100"}}})"_s);
    QCOMPARE(
        made({{"trialMemorySize", "1 GB"}}, {})["taskRoles"]["taskrole"]["resourcePerInstance"]["gpu"].get<int>(), 0);
}

void TestOpenPaiJob::anExperimentWins()
{
    const Json job = made({{"trialMemorySize", "1 GB"}, {"dockerImage", "own:1"}, {"virtualCluster", "nlp"}});
    QCOMPARE(job["prerequisites"][0]["uri"].get<QString>(), u"own:1"_s);
    QCOMPARE(job["defaults"]["virtualCluster"].get<QString>(), u"nlp"_s);
}

static const char* ownJobText = R"(
protocolVersion: 2
name: mine
type: job
prerequisites: [{type: dockerimage, name: img, uri: "a/b"}]
taskRoles:
  worker: {instances: 2, dockerImage: img, resourcePerInstance: {gpu: 1, cpu: 1, memoryMB: 10}, commands: [" echo 'w' ", "sleep 1"]}
  ps: {instances: 1, dockerImage: img, resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 10}, commands: [ps]}
extras: {storages: [{name: other, mountPath: /o}, {name: confignfs, mountPath: /wrong}], mine: true}
)";

void TestOpenPaiJob::aJobOfOnesOwn()
{
    const Json options = {{"openpaiConfig",
        "protocolVersion: 2\ntype: job\nname: x\ntaskRoles: {taskrole: {dockerImage: i, resourcePerInstance: {gpu: 0, "
        "cpu: 1, "
        "memoryMB: 1}, commands: [a, \" b \"]}}\n"}};
    const Result<JobWish> wish = jobWish(settings, options, {});
    QVERIFY(wish);
    QCOMPARE(ownCommand(*wish), u"a\nb"_s);
    const Json job = made(options);
    QCOMPARE(job["name"].get<QString>(), u"td-s-t"_s);
    QCOMPARE(job["taskRoles"]["taskrole"]["commands"][0].get<QString>(), u"exec bash %1"_s.arg(jobSh));
    QCOMPARE(sorted(job["extras"]["storages"]), uR"([{"mountPath":"/mnt/confignfs","name":"confignfs"}])"_s);
}

void TestOpenPaiJob::firstOfSeveralInstances()
{
    const Json options = {{"openpaiConfig", ownJobText}};
    const Result<JobWish> wish = jobWish(settings, options, {});
    QVERIFY(wish);
    QCOMPARE(ownCommand(*wish), u"echo 'w'\nsleep 1"_s); // of the role that was written first
    const Json job = made(options);
    const Json& commands = job["taskRoles"]["worker"]["commands"];
    QCOMPARE(commands.size(), 2u);
    QCOMPARE(commands[0].get<QString>(),
        u"[ \"${PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX:-0}\" != 0 ] || exec bash %1"_s.arg(jobSh));
    QCOMPARE(commands[1].get<QString>(), u"echo 'w'\nsleep 1"_s);
    QCOMPARE(job["taskRoles"]["ps"]["commands"][0].get<QString>(), u"ps"_s);
    QCOMPARE(sorted(job["extras"]["storages"]),
        uR"([{"mountPath":"/mnt/confignfs","name":"confignfs"},{"mountPath":"/o","name":"other"}])"_s);
    QVERIFY(job["extras"]["mine"].get<bool>());
}

void TestOpenPaiJob::refused_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("name");
    QTest::newRow("memory") << QByteArray(R"({"trialMemorySize": "much"})") << u"trialMemorySize"_s;
    QTest::newRow("no memory") << QByteArray("{}") << u"trialMemorySize"_s;
    QTest::newRow("no YAML") << QByteArray(R"({"openpaiConfig": "a: [b"})") << u"openpaiConfig"_s;
    QTest::newRow("a list") << QByteArray(R"({"openpaiConfig": "[1, 2]"})") << u"openpaiConfig"_s;
    QTest::newRow("no roles") << QByteArray(R"({"openpaiConfig": "type: job"})") << u"taskRoles"_s;
    QTest::newRow("no commands") << QByteArray(R"({"openpaiConfig": "taskRoles: {w: {}}"})") << u"\"w\""_s;
    QTest::newRow("extras") << QByteArray(R"({"openpaiConfig": "{extras: 5, taskRoles: {w: {commands: [a]}}}"})")
                            << u"extras"_s;
    const Json large = {
        {"openpaiConfig", "{taskRoles: {w: {instances: 2, commands: [" + std::string(110'000, 'x') + "]}}}"}};
    QTest::newRow("too large") << QByteArray::fromStdString(large.dump()) << u"100"_s;
}

void TestOpenPaiJob::refused()
{
    QFETCH(QByteArray, options);
    QFETCH(QString, name);
    const Result<JobWish> wish = jobWish(settings, Json::parse(options.toStdString()), {});
    const Result<QByteArray> document = wish ? jobDocument(*wish, u"td-s-t"_s, jobSh) : Result<QByteArray>(fail(wish));
    QVERIFY(!document);
    QCOMPARE(document.error().kind, Kind::invalid);
    QVERIFY2(document.error().message.text().contains(name), qPrintable(document.error().message.text()));
}

QTEST_GUILESS_MAIN(TestOpenPaiJob)
#include "tst_openpai_job.moc"
