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

/// Like NNI 1.9's example for DLTS.
const QByteArray example = R"(debug: false
authorName: default
experimentName: example_mnist
trialConcurrency: 1
maxExecDuration: 1h
maxTrialNum: 10
#choice: local, remote, pai
trainingServicePlatform: dlts
searchSpacePath: search_space.json
#choice: true, false
useAnnotation: false
tuner:
  builtinTunerName: Random
trial:
  command: python3 mnist.py
  codeDir: .
  gpuNum: 1
  image: msranni/nni
dltsConfig:
  dashboard: http://azure-eastus-p40-dev1-infra01.eastus.cloudapp.azure.com/
)";
const QByteArray share = "  localStorageMountPoint: ~/mnt\n  containerStorageMountPoint: /work\n";
const QByteArray v2 = R"(trialConcurrency: 2
searchSpaceFile: search.json
trialCommand: python3 mnist.py
trialGpuNumber: 2
tuner:
  name: Random
trainingService:
  platform: dlts
  dashboard: https://dlts.example.com
  team: platform
  email: me@example.com
  passwordFile: ~/.dlts
  localStorageMountPoint: /mnt/home
  containerStorageMountPoint: /home/me
  dockerImage: "own:1"
  gpuType: V100
  preemptionAllowed: true
  workPath: nni
)";

QByteArray sorted(const Json& json)
{
    return QByteArray::fromStdString(nlohmann::json::parse(json.dump()).dump());
}

} // namespace

class TestNniDltsSections : public QObject
{
    Q_OBJECT
private slots:
    void theExampleOfNni();
    void v1();
    void ofOurOwn();
    void refused_data();
    void refused();
};

void TestNniDltsSections::theExampleOfNni()
{
    const Result<ExperimentFile> file = readExperimentFile(example, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"dlts"_s);
    // Team, email and password come from the environment of a job of DLTS, and the home is the same there.
    QCOMPARE(sorted(file->settings),
        QByteArray(R"({"containerStorageMountPoint":"/home/me",)"
                   R"("dashboard":"http://azure-eastus-p40-dev1-infra01.eastus.cloudapp.azure.com/",)"
                   R"("localStorageMountPoint":"/home/me"})"));
    QCOMPARE(sorted(file->experiment["platformOptions"]), QByteArray(R"({"dockerImage":"msranni/nni"})"));
    QCOMPARE(file->experiment["trialCommand"].get<QString>(), u"python3 mnist.py"_s);
    QCOMPARE(file->experiment["gpuNumber"].get<int>(), 1);
    QCOMPARE(file->experiment["codeDir"].get<QString>(), u"/home/me/examples"_s);
    QVERIFY(!file->experiment.contains("codeMode"));
    QStringList noted;
    for (const FileNote& note : file->notes)
        noted.append(note.field);
    QVERIFY2(noted.contains(u"dltsConfig.localStorageMountPoint"_s), qPrintable(noted.join(u' ')));
}

void TestNniDltsSections::v1()
{
    const Result<ExperimentFile> file = readExperimentFile(example
            + "  cluster: c2\n  team: platform\n  email: me@example.com\n  password: 0123456789abcdef0123456789abcdef\n"
            + share,
        disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(sorted(file->settings),
        QByteArray(
            R"({"cluster":"c2","containerStorageMountPoint":"/work",)"
            R"("dashboard":"http://azure-eastus-p40-dev1-infra01.eastus.cloudapp.azure.com/","email":"me@example.com",)"
            R"("localStorageMountPoint":"/home/me/mnt","password":"0123456789abcdef0123456789abcdef","team":"platform"})"));
    for (const FileNote& note : file->notes)
        QVERIFY2(!note.field.startsWith(u"dltsConfig"_s), qPrintable(note.field));
}

void TestNniDltsSections::ofOurOwn()
{
    const Result<ExperimentFile> file = readExperimentFile(v2, disk());
    QVERIFY2(file, file ? "" : qPrintable(file.error().message.text()));
    QCOMPARE(file->kind, u"dlts"_s);
    QCOMPARE(sorted(file->settings),
        QByteArray(
            R"({"containerStorageMountPoint":"/home/me","dashboard":"https://dlts.example.com","email":"me@example.com",)"
            R"("localStorageMountPoint":"/mnt/home","passwordFile":"/home/me/.dlts","team":"platform"})"));
    QCOMPARE(sorted(file->experiment["platformOptions"]),
        QByteArray(R"({"dockerImage":"own:1","gpuType":"V100","preemptionAllowed":true,"workPath":"nni"})"));
    QVERIFY(file->notes.empty());
}

void TestNniDltsSections::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    const auto without = [](const char* line) {
        QByteArray text = example;
        const qsizetype at = text.indexOf(line);
        return text.remove(at, text.indexOf('\n', at) + 1 - at);
    };
    QTest::newRow("no dashboard") << without("  dashboard") + "  team: platform\n" << u"dltsConfig.dashboard"_s;
    QTest::newRow("no image") << without("  image") << u"trial.image"_s;
    QTest::newRow("no command") << without("  command") << u"trial.command"_s;
    QTest::newRow("half a share") << example + "  localStorageMountPoint: /mnt\n"
                                  << u"dltsConfig.containerStorageMountPoint"_s;
    QTest::newRow("unknown") << example + "  vc: platform\n" << u"dltsConfig.vc"_s;
    QTest::newRow("a number") << example + "  team: 5\n" << u"dltsConfig.team"_s;
    QByteArray memory = example;
    memory.replace("  gpuNum: 1\n", "  gpuNum: 1\n  memoryMB: 8\n");
    QTest::newRow("of other platforms") << memory << u"trial.memoryMB"_s;
}

void TestNniDltsSections::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, field);
    const Result<ExperimentFile> file = readExperimentFile(text, disk());
    QVERIFY(!file);
    QCOMPARE(file.error().kind, Kind::invalid);
    QVERIFY2(file.error().message.text().contains(field), qPrintable(file.error().message.text()));
}

QTEST_GUILESS_MAIN(TestNniDltsSections)
#include "tst_nni_dlts_sections.moc"
