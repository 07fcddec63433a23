// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/nni/experiment_file.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace nni;

namespace {

const QByteArray jobText = R"(protocolVersion: 2
type: job
taskRoles:
  worker: {dockerImage: i, commands: [" pip install x ", python3 w.py]}
)";

FileOptions disk()
{
    FileOptions options;
    options.folder = u"/w"_s;
    options.readFile = [](const QString& path) -> std::optional<QByteArray> {
        if (path.endsWith(u"search.json"_s))
            return R"({"x": {"_type": "choice", "_value": [1]}})";
        if (path == u"/w/job.yml"_s)
            return jobText;
        if (path == u"/w/list.yml"_s)
            return "[1, 2]";
        return {};
    };
    options.isFolder = [](const QString&) { return true; };
    return options;
}

const QByteArray v1Head = "trialConcurrency: 2\nsearchSpacePath: search.json\ntuner:\n  builtinTunerName: Random\n"
                          "trainingServicePlatform: pai\n";
const QByteArray v2Head = "trialConcurrency: 2\nsearchSpaceFile: search.json\ntuner:\n  name: Random\n";
/// As NNI's examples have it, filled in.
const QByteArray v1Trial =
    "trial:\n  codeDir: .\n  command: python3 mnist.py\n  gpuNum: 1\n  cpuNum: 4\n  memoryMB: 8196\n"
    "  image: msranni/nni:latest\n  virtualCluster: default\n  nniManagerNFSMountPath: /home/me/mnt\n"
    "  containerNFSMountPath: /mnt/data/me\n  paiStorageConfigName: confignfs-data\n";
const QByteArray v1Config = "paiConfig:\n  userName: me\n  token: abc\n  host: 10.1.1.1\n  reuse: true\n";
const QByteArray v2Service = R"(trialCommand: python3 mnist.py
trialCodeDirectory: .
trialGpuNumber: 1
trainingService:
  platform: openpai
  host: http://10.1.1.1
  username: me
  token: abc
  trialCpuNumber: 4
  trialMemorySize: 8 GB
  storageConfigName: confignfs-data
  localStorageMountPoint: mnt
  containerStorageMountPoint: /mnt/data/me
  reuseMode: true
)";

/// With the members in the order of their names.
QByteArray sorted(const Json& json)
{
    return QByteArray::fromStdString(nlohmann::json::parse(json.dump()).dump());
}

} // namespace

class TestNniOpenPaiSections : public QObject
{
    Q_OBJECT
private slots:
    void v1();
    void v2();
    void jobs_data();
    void jobs();
    void refused_data();
    void refused();
};

void TestNniOpenPaiSections::v1()
{
    const Result<ExperimentFile> file = readExperimentFile(v1Head + v1Trial + v1Config, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"openpai"_s);
    QCOMPARE(sorted(file->settings),
        QByteArray(
            R"({"containerStorageMountPoint":"/mnt/data/me","host":"http://10.1.1.1","localStorageMountPoint":"/home/me/mnt",)"
            R"("storageConfigName":"confignfs-data","token":"abc","username":"me"})"));
    QCOMPARE(sorted(file->experiment["platformOptions"]),
        QByteArray(
            R"({"dockerImage":"msranni/nni:latest","trialCpuNumber":4,"trialMemorySize":"8196 MB","virtualCluster":"default"})"));
    QCOMPARE(file->experiment["trialCommand"].get<QString>(), u"python3 mnist.py"_s);
    QCOMPARE(file->experiment["gpuNumber"].get<int>(), 1);
    QCOMPARE(file->notes.size(), 1);
    QCOMPARE(file->notes.front().field, u"paiConfig.reuse"_s);
}

void TestNniOpenPaiSections::v2()
{
    const Result<ExperimentFile> file = readExperimentFile(v2Head + v2Service, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"openpai"_s);
    QCOMPARE(sorted(file->settings),
        QByteArray(
            R"({"containerStorageMountPoint":"/mnt/data/me","host":"http://10.1.1.1","localStorageMountPoint":"/w/mnt",)"
            R"("storageConfigName":"confignfs-data","token":"abc","username":"me"})"));
    QCOMPARE(sorted(file->experiment["platformOptions"]),
        QByteArray(R"({"dockerImage":"msranni/nni:latest","trialCpuNumber":4,"trialMemorySize":"8 GB"})"));
    QCOMPARE(file->notes.size(), 1);
    QCOMPARE(file->notes.front().field, u"trainingService.reuseMode"_s);
    // NNI takes an address without a scheme for one with https in this schema, and with http in the other.
    QByteArray bare = v2Service;
    bare.replace("http://10.1.1.1", "pai.example.org");
    const Result<ExperimentFile> secure = readExperimentFile(v2Head + bare, disk());
    QVERIFY(secure);
    QCOMPARE(secure->settings["host"].get<QString>(), u"https://pai.example.org"_s);
}

void TestNniOpenPaiSections::jobs_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray trial = v1Trial;
    trial.replace("  command: python3 mnist.py\n", "  paiConfigPath: job.yml\n");
    trial.replace("  image: msranni/nni:latest\n", "").replace("  memoryMB: 8196\n", "");
    QTest::newRow("v1, a file") << v1Head + trial + v1Config;
    QByteArray service = v2Service;
    service.replace("trialCommand: python3 mnist.py\n", "");
    QTest::newRow("v2, a file") << v2Head + service + "  openpaiConfigFile: job.yml\n";
    QTest::newRow("v2, here") << v2Head + service
            + "  openpaiConfig: {type: job, taskRoles: {worker: {commands: [' pip install x ', python3 w.py]}}}\n";
    QTest::newRow("v2, beside a command") << v2Head + v2Service + "  openpaiConfigFile: job.yml\n";
}

void TestNniOpenPaiSections::jobs()
{
    QFETCH(QByteArray, text);
    const Result<ExperimentFile> file = readExperimentFile(text, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->experiment["trialCommand"].get<QString>(), u"pip install x\npython3 w.py"_s);
    const Result<YamlDocument> job =
        yaml::parseYaml(file->experiment["platformOptions"]["openpaiConfig"].get<QString>().toUtf8());
    QVERIFY(job);
    QCOMPARE(job->value["taskRoles"]["worker"]["commands"][1].get<QString>(), u"python3 w.py"_s);
    QVERIFY(std::any_of(file->notes.begin(), file->notes.end(),
        [](const FileNote& note) { return note.text.text().contains(u"the trial's own command is not used"_s); }));
}

void TestNniOpenPaiSections::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    QByteArray both = v1Config;
    QTest::newRow("both secrets") << v1Head + v1Trial + both + "  passWord: x\n" << u"paiConfig.token"_s;
    QTest::newRow("no secret") << v1Head + v1Trial + QByteArray(v1Config).replace("  token: abc\n", "")
                               << u"paiConfig.token"_s;
    QTest::newRow("place holder") << v1Head + QByteArray(v1Trial).replace("/home/me/mnt", "{your_mount_path}")
            + v1Config << u"trial.nniManagerNFSMountPath is a place holder"_s;
    QTest::newRow("no image") << v1Head + QByteArray(v1Trial).replace("  image: msranni/nni:latest\n", "") + v1Config
                              << u"trial.image"_s;
    QTest::newRow("a list for a job") << v2Head + v2Service + "  openpaiConfigFile: list.yml\n"
                                      << u"trainingService.openpaiConfigFile"_s;
    QTest::newRow("no file") << v2Head + v2Service + "  openpaiConfigFile: none.yml\n"
                             << u"trainingService.openpaiConfigFile"_s;
    QTest::newRow("two jobs") << v2Head + v2Service + "  openpaiConfigFile: job.yml\n  openpaiConfig: {a: 1}\n"
                              << u"trainingService.openpaiConfig"_s;
    QTest::newRow("misspelt") << v2Head + v2Service + "  virtualClutser: x\n" << u"virtualClutser"_s;
    QTest::newRow("v1's name in v2") << v2Head + QByteArray(v2Service).replace("platform: openpai", "platform: pai")
                                     << u"trainingService.platform"_s;
    QTest::newRow("Hadoop") << QByteArray(v1Head).replace("Platform: pai", "Platform: paiYarn") + v1Trial
                            << u"trainingServicePlatform is paiYarn, which spoke with OpenPAI up to 0.14"_s;
}

void TestNniOpenPaiSections::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, field);
    const Result<ExperimentFile> file = readExperimentFile(text, disk());
    QVERIFY(!file);
    QVERIFY2(file.error().message.text().contains(field), qPrintable(file.error().message.text()));
}

QTEST_GUILESS_MAIN(TestNniOpenPaiSections)
#include "tst_nni_openpai_sections.moc"
