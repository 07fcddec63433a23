// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/nni/experiment_file.h"

#include "services/core/record_json.h"
#include "services/nni/unsupported.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace nni;

namespace {

/// A disk on which /w holds search.json, and the folders /w and /w/code are all there is.
FileOptions disk(bool otherPlatform = false)
{
    FileOptions options;
    options.folder = u"/w"_s;
    options.home = u"/home/me"_s;
    options.otherPlatform = otherPlatform;
    options.readFile = [](const QString& path) -> std::optional<QByteArray> {
        if (path == u"/w/search.json")
            return "{\n\t\"x\": {\"_type\": \"uniform\", \"_value\": [0, 1]}\n}";
        if (path == u"/home/me/search.yml")
            return "x: {_type: choice, _value: [1, 2]}";
        if (path == u"/w/broken.json")
            return "{ [";
        return std::nullopt;
    };
    options.isFolder = [](const QString& path) { return path == u"/w" || path == u"/w/code"; };
    return options;
}

/// The order of members has no meaning in an experiment.
std::string sorted(const Json& json)
{
    return nlohmann::json::parse(json.dump()).dump();
}

const QByteArray v1 = "trialConcurrency: 2\nsearchSpacePath: search.json\ntrainingServicePlatform: local\n"
                      "tuner:\n  builtinTunerName: Random\ntrial:\n  command: python3 t.py\n  codeDir: code\n";
const QByteArray v2 = "trialConcurrency: 2\nsearchSpaceFile: search.json\ntrialCommand: python3 t.py\n"
                      "tuner:\n  name: Random\ntrainingService:\n  platform: local\n";
const QByteArray space = R"({"x":{"_type":"uniform","_value":[0,1]}})";

} // namespace

class TestNniExperimentFile : public QObject
{
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("experiment");
        QTest::addColumn<QByteArray>("settings");
        const auto row = [](const char* name, const QByteArray& yaml, const QByteArray& experiment,
                             const QByteArray& settings) { QTest::newRow(name) << yaml << experiment << settings; };
        const QByteArray search = R"("searchSpace":)" + space + R"(,"tuner":{"name":"Random"})";
        row("v1, the least", v1,
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search
                + R"(,"codeDir":"/w/code","codeMode":"inPlace"})",
            "{}");
        row("v2, the least", v2,
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search
                + R"(,"codeDir":"/w","codeMode":"inPlace"})",
            "{}");
        row("v1, limits",
            v1
                + "experimentName: n\nmaxExecDuration: 1h\nmaxTrialNum: 9\n"
                  "localConfig: {gpuIndices: '0,2', maxTrialNumPerGpu: 2, useActiveGpu: true}\n",
            R"({"name":"n","trialCommand":"python3 t.py","trialConcurrency":2,"maxTrialNumber":9,"maxDurationSeconds":3600,)"
                + search + R"(,"codeDir":"/w/code","codeMode":"inPlace"})",
            R"({"maxTrialNumberPerGpu":2,"gpuIndices":[0,2],"useActiveGpu":true})");
        row("v2, limits, other spellings",
            "experiment_name: n\ntrial_concurrency: 1\nmaxTrialNumber: 3\nMAX_experimentDuration: "
            "1.5m\nmaxTrialDuration: 90\n"
            "searchSpace: {x: {_type: uniform, _value: [0, 1]}}\ntuner: {name: random, classArgs: {optimize_mode: "
            "minimize, "
            "seed: 7}}\ntraining_service: {platform: local, trialCommand: run, trialCodeDirectory: code, "
            "trialGpuNumber: 0}\n",
            R"({"name":"n","trialCommand":"run","gpuNumber":0,"trialConcurrency":1,"maxTrialNumber":3,)"
            R"("maxDurationSeconds":90,"maxTrialDurationSeconds":90,)"
            R"("objective":{"metric":"default","direction":"minimize"},)"
            R"("tuner":{"name":"Random","classArgs":{"seed":7}},"searchSpace":)"
                + space + R"(,"codeDir":"/w/code","codeMode":"inPlace"})",
            "{}");
        row("v1, remote",
            QByteArray(v1).replace("Platform: local", "Platform: remote")
                + "machineList:\n  - {ip: 10.0.0.1, username: me, passwd: secret}\n"
                  "  - {ip: h, port: 2222, username: me, sshKeyPath: ~/k, passphrase: p, gpuIndices: 1}\n",
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search + R"(,"codeDir":"/w/code"})",
            R"({"machineList":[{"host":"10.0.0.1","user":"me","password":"secret"},)"
            R"({"host":"h","port":2222,"user":"me","sshKeyFile":"/home/me/k","sshPassphrase":"p","gpuIndices":[1]}]})");
        row("v2, remote",
            QByteArray(v2).replace("platform: local",
                "platform: remote\n  machineList:\n    - {host: h, user: me, ssh_key_file: keys/k, pythonPath: "
                "/opt/bin}"),
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search + R"(,"codeDir":"/w"})",
            R"({"machineList":[{"host":"h","user":"me","sshKeyFile":"/w/keys/k","pythonPath":"/opt/bin"}]})");
        row("v2, Slurm",
            QByteArray(v2).replace("platform: local",
                "platform: slurm\n  transport: ssh\n  host: login\n  workingDirectory: /shared/me\n  sshKeyFile: "
                "keys/k\n"
                "  partition: gpu\n  trialMemorySize: 8 GB\n  trialCpuNumber: 4\n  requeue: true"),
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search
                + R"(,"codeDir":"/w","platformOptions":{"partition":"gpu","trialMemorySize":"8 GB","requeue":true,)"
                  R"("trialCpuNumber":4}})",
            R"({"transport":"ssh","host":"login","workingDirectory":"/shared/me","sshKeyFile":"/w/keys/k"})");
        row("v2, a program of one's own",
            QByteArray(v2).replace("platform: local",
                "platform: external.spooler\n  settings: {socket: /run/ts, slots: 2}\n  options: {priority: 3}"),
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)" + search
                + R"(,"codeDir":"/w","platformOptions":{"priority":3}})",
            R"({"socket":"/run/ts","slots":2})");
        row("grid, from the home folder",
            QByteArray(v2).replace("search.json", "~/search.yml").replace("Random", "GridSearch"),
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,)"
            R"("searchSpace":{"x":{"_type":"choice","_value":[1,2]}},"tuner":{"name":"GridSearch"},"codeDir":"/w","codeMode":"inPlace"})",
            "{}");
        row("another tuner has no search here", QByteArray(v2).replace("Random", "TPE"),
            R"({"trialCommand":"python3 t.py","trialConcurrency":2,"codeDir":"/w","codeMode":"inPlace"})", "{}");
    }

    void reads()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, experiment);
        QFETCH(QByteArray, settings);
        const auto read = readExperimentFile(yaml, disk());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        QCOMPARE(sorted(read->experiment), sorted(*parseJson(experiment)));
        QCOMPARE(dumpJson(read->settings), settings);
        QVERIFY(read->notes.empty());
        // What comes out is what the service takes.
        const auto spec = experimentSpecFromJson(read->experiment);
        QVERIFY2(spec, qPrintable(spec ? QString() : spec.error().message.text()));
    }

    void otherSearchesNeedNni_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("words");
        QTest::newRow("tuner") << QByteArray(v2).replace("Random", "TPE") << u"The tuner TPE"_s;
        QTest::newRow("advisor")
            << QByteArray(v1).replace("tuner", "advisor").replace("TunerName: Random", "AdvisorName: BOHB")
            << u"The advisor BOHB"_s;
        QTest::newRow("assessor") << v2 + "assessor: {name: Medianstop, classArgs: {start_step: 2}}\n"
                                  << u"The assessor Medianstop"_s;
        QTest::newRow("own tuner") << QByteArray(v2).replace("name: Random", "className: a.B\n  codeDirectory: code")
                                   << u"The tuner of your own"_s;
    }

    void otherSearchesNeedNni()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, words);
        const auto read = readExperimentFile(yaml, disk());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        QVERIFY2(read->needsNni.startsWith(words), qPrintable(read->needsNni));
        QVERIFY(read->needsNni.contains(u"trialdeck nni register"_s));
        QVERIFY(!read->experiment.contains("tuner") && !read->experiment.contains("searchSpace"));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& yaml, const char* words) {
            QTest::newRow(name) << yaml << QString::fromUtf8(words);
        };
        const auto with = [](QByteArray text, const char* from, const char* to) { return text.replace(from, to); };
        row("no mapping", "- a\n", "no experiment file");
        row("wrong type", with(v2, "Concurrency: 2", "Concurrency: two"),
            "Line 1, column 1: trialConcurrency must be a whole number");
        row("too small", with(v2, "Concurrency: 2", "Concurrency: 0"), "whole number, 1 or more");
        row("missing", with(v2, "trialConcurrency: 2\n", ""), "trialConcurrency is missing");
        row("number for a text", with(v2, "python3 t.py", "12"), "Line 3, column 1: trialCommand must be a text");
        row("text for a mapping", with(v2, "tuner:\n  name: Random", "tuner: Random"), "tuner must be a mapping");
        row("unknown field", v2 + "colour: red\n", "Line 8, column 1: colour is no field");
        row("unknown inner field", v2 + "  colour: red\n", "trainingService.colour is no field");
        row("misspelt field", with(v2, "trialConcurrency: 2", "trialConcurency: 2"),
            "Line 1, column 1: trialConcurency is no field of NNI's experiment files. Did you mean trialConcurrency?");
        row("misspelt inner field", v2 + "  gpu_indicez: [1]\n", "Did you mean gpuIndices?");
        row("v1 field in a v2 file", v2 + "maxTrialNum: 3\n",
            "maxTrialNum is no field of NNI's experiment files. It is of NNI's v1 "
            "schema; in this file it is maxTrialNumber.");
        row("v2 field in a v1 file", v1 + "maxTrialNumber: 3\n", "maxTrialNumber is no field");
        row("unknown platform", with(v2, "platform: local", "platform: moon"), "trainingService.platform is moon");
        row("platform to come", with(v1, "Platform: local", "Platform: adl"), "trainingServicePlatform is adl");
        row("our own platform", with(v2, "platform: local", "platform: trialdeck"), "nnictl create");
        row("several platforms", with(v2, "\n  platform: local", "\n  - platform: local"), "choose one with --on");
        row("missing code", v2 + "trialCodeDirectory: nowhere\n",
            "Line 8, column 1: trialCodeDirectory is /w/nowhere, which is no folder");
        row("no code in v1", with(v1, "  codeDir: code\n", ""), "trial.codeDir is missing");
        row("no search space", with(v2, "searchSpaceFile: search.json\n", ""), "searchSpaceFile is missing");
        row("two search spaces", v2 + "searchSpace: {}\n", "one is enough");
        row("search space not there", with(v2, "search.json", "none.json"), "/w/none.json, which cannot be read");
        row("search space broken", with(v2, "search.json", "broken.json"), "neither JSON nor YAML");
        row("search space empty", with(v2, "searchSpaceFile: search.json", "searchSpace: {}"), "must map names");
        row("annotations", v2 + "useAnnotation: true\n", "useAnnotation takes the search space out of comments");
        row("no tuner", with(v2, "tuner:\n  name: Random\n", ""), "tuner is missing");
        row("time", v2 + "maxExperimentDuration: soon\n", "maxExperimentDuration must be a time");
        row("GPU twice", v2 + "  gpuIndices: [1, 1]\n", "gpuIndices must be different");
        row("negative GPU", v2 + "  gpuIndices: -1\n", "gpuIndices must be different");
        row("machine without host", with(v2, "platform: local", "platform: remote\n  machineList: [{user: me}]"),
            "trainingService.machineList[0].host is missing");
        row("no machines", with(v2, "platform: local", "platform: remote\n  machineList: []"), "names no machine");
        row("port", with(v2, "platform: local", "platform: remote\n  machineList: [{host: h, user: u, port: 70000}]"),
            "65535 at most");
        row("architecture search", v2 + "experimentType: nas\n", "experimentType must be hpo");
        row("optimize mode", with(v2, "Random", "TPE\n  classArgs: {optimize_mode: up}"), "maximize or minimize");
    }

    void refusesAllAtOnce()
    {
        FileOptions options = disk();
        options.checkSpace = [](const Json& searched) -> Result<> {
            if (searched.contains("x") || searched.contains("z"))
                return fail(
                    Kind::invalid, u"Parameter %1 is no good."_s.arg(QString::fromStdString(searched.begin().key())));
            return {};
        };
        QByteArray yaml = QByteArray(v2).replace("searchSpaceFile: search.json",
            "searchSpace:\n  x: {_type: odd}\n  y: {_type: choice, _value: [1]}\n  z: 1");
        yaml.replace("trialConcurrency: 2", "trialConcurrency: two")
            .replace("trialCommand: python3 t.py", "trialComand: python3 t.py");
        yaml += "colour: red\n";
        const auto read = readExperimentFile(yaml, options);
        QVERIFY(!read);
        QStringList lines = read.error().message.text().split(u'\n');
        QCOMPARE(lines.size(), 6);
        QVERIFY2(
            lines[0].startsWith(u"Line 1, column 1: trialConcurrency must be a whole number"_s), qPrintable(lines[0]));
        const QString all = read.error().message;
        for (const auto& words : {u"trialComand is no field of NNI's experiment files. Did you mean trialCommand?"_s,
                 u"column 3: searchSpace.x: Parameter x is no good."_s,
                 u"column 3: searchSpace.z: Parameter z is no good."_s, u"column 1: colour is no field"_s})
            QVERIFY2(all.contains(words), qPrintable(all));
        QCOMPARE(lines.last(), u"trialCommand is missing."_s); // it has no line
    }

    void refusesASpaceInItsOwnFile()
    {
        FileOptions options = disk();
        options.checkSpace = [](const Json&) -> Result<> { return fail(Kind::invalid, u"Odd."_s); };
        const auto read = readExperimentFile(v2, options);
        QVERIFY(!read);
        QVERIFY2(read.error().message.contains(u"/w/search.json"_s) && read.error().message.contains(u"Odd."_s),
            qPrintable(read.error().message));
    }

    void refuses()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, words);
        const auto read = readExperimentFile(yaml, disk());
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Kind::invalid);
        QVERIFY2(read.error().message.contains(words), qPrintable(read.error().message));
    }

    void fieldsWithoutEffectAreNamed()
    {
        const auto read = readExperimentFile(
            v1 + "authorName: me\nlogLevel: debug\nremoteConfig: {reuse: true}\nmultiPhase: false\n", disk());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        QStringList fields;
        for (const FileNote& note : read->notes)
            fields += u"%1 %2"_s.arg(note.line).arg(note.field);
        QCOMPARE(fields, (QStringList{u"9 authorName"_s, u"10 logLevel"_s, u"11 remoteConfig"_s, u"12 multiPhase"_s}));
        QVERIFY(read->notes[0].text.startsWith(u"authorName is not kept"_s));
    }

    void everyUnsupportedFieldIsOfASchemaAndSaysWhy()
    {
        for (const UnsupportedField& field : unsupportedFields()) {
            QVERIFY(field.schema == 1 || field.schema == 2);
            QVERIFY2(QByteArray(field.why).endsWith('.'), field.path);
        }
    }

    void anotherPlatformIsNamed()
    {
        const auto another = readExperimentFile(
            QByteArray(v2).replace("platform: local", "platform: dlc\n  ecsSpec: pai\n  trialCpuNumber: 1"),
            disk(true));
        QVERIFY2(another, qPrintable(another ? QString() : another.error().message.text()));
        QCOMPARE(another->kind, u"dlc"_s);
        QVERIFY(!another->experiment.contains("codeMode"));
        QCOMPARE(another->notes.size(), 2u);
        // Several platforms are one choice.
        QVERIFY(readExperimentFile(QByteArray(v2).replace("\n  platform: local", "\n  - platform: local"), disk(true)));
    }
};

QTEST_APPLESS_MAIN(TestNniExperimentFile)
#include "tst_nni_experiment_file.moc"
