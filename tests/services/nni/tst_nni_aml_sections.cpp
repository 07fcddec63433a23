// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/nni/experiment_file.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace nni;

namespace {

FileOptions disk()
{
    FileOptions options;
    options.folder = u"/home/me/examples"_s;
    options.home = u"/home/me"_s;
    options.readFile = [](const QString&) -> std::optional<QByteArray> {
        return R"({"x": {"_type": "choice", "_value": [1]}})";
    };
    options.isFolder = [](const QString&) { return true; };
    return options;
}

/// NNI's example for Azure ML, filled in.
const QByteArray v1 = R"(authorName: default
experimentName: example_mnist_pytorch
trialConcurrency: 1
maxExecDuration: 1h
maxTrialNum: 10
trainingServicePlatform: aml
nniManagerIp: 10.10.10.10
searchSpacePath: search_space.json
useAnnotation: false
tuner:
  builtinTunerName: Random
trial:
  command: python3 mnist.py
  codeDir: .
  gpuNum: 1
  image: msranni/nni
amlConfig:
  subscriptionId: 0b1d-55
  resourceGroup: lab
  workspaceName: trials
  computeTarget: gpu
  useActiveGpu: True
  maxTrialNumPerGpu: 2
)";
const QByteArray v2 = R"(trialConcurrency: 2
searchSpaceFile: search_space.json
trialCommand: python3 mnist.py
trialCodeDirectory: .
tuner:
  name: Random
trainingService:
  platform: aml
  dockerImage: msranni/nni
  subscriptionId: 0b1d-55
  resourceGroup: lab
  workspaceName: trials
  computeTarget: gpu
)";

QByteArray sorted(const Json& json)
{
    return QByteArray::fromStdString(nlohmann::json::parse(json.dump()).dump());
}

const QByteArray workspace(
    R"({"computeTarget":"gpu","resourceGroup":"lab","subscriptionId":"0b1d-55","workspaceName":"trials"})");

QStringList noted(const ExperimentFile& file)
{
    QStringList fields;
    for (const FileNote& note : file.notes)
        fields.append(note.field);
    return fields;
}

} // namespace

class TestNniAmlSections : public QObject
{
    Q_OBJECT
private slots:
    void theExampleOfV1();
    void theExampleOfV2();
    void ofOurOwn();
    void refused_data();
    void refused();
};

void TestNniAmlSections::theExampleOfV1()
{
    const Result<ExperimentFile> file = readExperimentFile(v1, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"aml"_s);
    QCOMPARE(sorted(file->settings), workspace);
    QCOMPARE(sorted(file->experiment["platformOptions"]), QByteArray(R"({"dockerImage":"msranni/nni"})"));
    QCOMPARE(file->experiment["trialCommand"].get<QString>(), u"python3 mnist.py"_s);
    QCOMPARE(file->experiment["gpuNumber"].get<int>(), 1);
    QVERIFY(!file->experiment.contains("codeMode"));
    QVERIFY(noted(*file).contains(u"amlConfig.useActiveGpu"_s));
    QVERIFY(noted(*file).contains(u"amlConfig.maxTrialNumPerGpu"_s));
}

void TestNniAmlSections::theExampleOfV2()
{
    const Result<ExperimentFile> file = readExperimentFile(v2, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"aml"_s);
    QCOMPARE(sorted(file->settings), workspace);
    QCOMPARE(sorted(file->experiment["platformOptions"]), QByteArray(R"({"dockerImage":"msranni/nni"})"));
    QVERIFY(file->notes.empty());
    QByteArray bare = v2;
    bare.replace("  dockerImage: msranni/nni\n", "  maxTrialNumberPerGpu: 3\n");
    const Result<ExperimentFile> usual = readExperimentFile(bare, disk());
    QVERIFY2(usual, usual ? "" : qPrintable(usual.error().message.text()));
    QCOMPARE(sorted(usual->experiment["platformOptions"]), QByteArray(R"({"dockerImage":"msranni/nni:latest"})"));
    QCOMPARE(noted(*usual), QStringList{u"trainingService.maxTrialNumberPerGpu"_s});
}

void TestNniAmlSections::ofOurOwn()
{
    QByteArray own = v2;
    own.replace("  dockerImage: msranni/nni\n",
        "  auth: devicecode\n  tenantId: contoso.com\n  environment: azureml:torch:3\n  timeLimit: 3600\n");
    const Result<ExperimentFile> file = readExperimentFile(own, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->settings["auth"].get<QString>(), u"devicecode"_s);
    QCOMPARE(file->settings["tenantId"].get<QString>(), u"contoso.com"_s);
    QCOMPARE(sorted(file->experiment["platformOptions"]),
        QByteArray(R"({"environment":"azureml:torch:3","timeLimit":3600})"));
}

void TestNniAmlSections::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    const auto without = [](QByteArray text, const char* line) {
        const qsizetype at = text.indexOf(line);
        return text.remove(at, text.indexOf('\n', at) + 1 - at);
    };
    QTest::newRow("no workspace") << without(v1, "  workspaceName") << u"amlConfig.workspaceName"_s;
    QTest::newRow("no image") << without(v1, "  image") << u"trial.image"_s;
    QTest::newRow("no compute") << without(v2, "  computeTarget") << u"trainingService.computeTarget"_s;
    QTest::newRow("unknown") << v1 + "  tenant: x\n" << u"amlConfig.tenant"_s;
    QTest::newRow("a number") << v2 + "  tenantId: 5\n" << u"trainingService.tenantId"_s;
}

void TestNniAmlSections::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, field);
    const Result<ExperimentFile> file = readExperimentFile(text, disk());
    QVERIFY(!file);
    QCOMPARE(file.error().kind, Kind::invalid);
    QVERIFY2(file.error().message.text().contains(field), qPrintable(file.error().message.text()));
}

QTEST_GUILESS_MAIN(TestNniAmlSections)
#include "tst_nni_aml_sections.moc"
