// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's files and NNI's Python from the command line.
#include "command_harness.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace commands;

namespace {

const QByteArray yaml =
    "experimentName: n\ntrialConcurrency: 2\nsearchSpace: {x: {_type: choice, _value: [1, 2]}}\n"
    "trialCommand: python3 t.py\ntrialCodeDirectory: src\ntuner: {name: GridSearch}\nlogLevel: debug\n"
    "trainingService:\n  platform: ";

Json parsed(const QByteArray& text)
{
    return core::parseJson(text).value_or(Json());
}

/// A Python that answers as if it had NNI, and writes down what it is asked.
void writePython(Harness& h, const QByteArray& version, const QByteArray& said)
{
    h.writeFile(u"python"_s,
        "#!/bin/sh\necho \"$@\" >> " + h.path(u"asked"_s).toUtf8() + "\ncase \"$*\" in\n*metadata*) "
            + (version.isEmpty() ? QByteArray("echo none; exit 1") : "echo nni " + version)
            + ";;\n*trainingservice*) echo '" + said + "';;\nesac\n");
    QFile(h.path(u"python"_s)).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace

class TestNniCommands : public QObject
{
    Q_OBJECT

private slots:
    void createsFromYaml()
    {
        Harness h;
        QVERIFY(QDir(h.path({})).mkdir(u"src"_s));
        h.writeFile(u"src/t.py"_s, "print(1)\n");
        h.writeFile(u"e.yml"_s, yaml + "local\n");
        h.fake.json(
            "GET /api/v1/platforms", R"({"platforms":[{"id":"local","kind":"local","settings":{}}],"revision":1})");
        h.fake.json("GET /api/v1/platforms/local", R"({"id":"local","kind":"local"})");
        h.fake.json("POST /api/v1/experiments", R"({"id":"e1","name":"n"})", 201);
        const Outcome made = h.run({u"experiment"_s, u"create"_s, u"e.yml"_s});
        QVERIFY2(made.exit == exits::done, qPrintable(made.err));
        QVERIFY2(made.err.contains(u"Line 7: logLevel concerns NNI's own manager."_s), qPrintable(made.err));
        const Json sent = parsed(h.fake.requests("POST /api/v1/experiments").last().body);
        QCOMPARE(textOf(sent, "platformId"), u"local"_s);
        QCOMPARE(textOf(sent, "codeDir"), h.path(u"src"_s));
        QCOMPARE(textOf(sent, "codeMode"), u"inPlace"_s);
        QCOMPARE(textOf(sent["tuner"], "name"), u"GridSearch"_s);
    }

    void dryRunAndCreateRefuseTheSame()
    {
        Harness h;
        QVERIFY(QDir(h.path({})).mkdir(u"src"_s));
        h.writeFile(u"src/t.py"_s, "print(1)\n");
        const QByteArray space =
            "{x: {_type: odd, _value: [1, 2]}, y: {_type: uniform, _value: [2]}, w: {_type: choice, _value: [1]}}";
        h.writeFile(u"e.yml"_s, QByteArray(yaml + "local\n").replace("{x: {_type: choice, _value: [1, 2]}}", space));
        h.writeFile(u"e.json"_s,
            R"({"trialCommand":"true","searchSpace":{"x":{"_type":"odd","_value":[1,2]},"y":{"_type":"uniform","_value":[2]}}})");
        for (const QString& file : {u"e.yml"_s, u"e.json"_s}) {
            const Outcome tried = h.run({u"experiment"_s, u"create"_s, file, u"--dry-run"_s});
            QCOMPARE(tried.exit, exits::refused);
            QVERIFY2(tried.err.contains(u"odd"_s) && tried.err.contains(u"uniform"_s), qPrintable(tried.err));
            if (file.endsWith(u"yml"_s)) {
                QVERIFY2(tried.err.contains(u"Line 3, column 15: searchSpace.x"_s), qPrintable(tried.err));
                QVERIFY2(tried.err.contains(u"Line 3, column 48: searchSpace.y"_s), qPrintable(tried.err));
            }
            const Outcome made = h.run({u"experiment"_s, u"create"_s, file});
            QCOMPARE(made.exit, exits::refused);
            QCOMPARE(made.err, tried.err);
        }
        QVERIFY(h.fake.requests("POST /api/v1/experiments").isEmpty());
    }

    void filesWithoutAnEndAreNotRead()
    {
        Harness h;
        for (const auto& [name, words] :
            {std::pair(u"endless.yml"_s, u"larger than 1 MiB"_s), {u"endless.json"_s, u"larger than 64 MiB"_s}}) {
            QVERIFY(QFile::link(u"/dev/zero"_s, h.path(name)));
            const Outcome made = h.run({u"experiment"_s, u"create"_s, name, u"--dry-run"_s});
            QCOMPARE(made.exit, exits::refused);
            QVERIFY2(made.err.contains(words), qPrintable(made.err));
        }
    }

    void logsAreWhereTheOutputWent()
    {
        const auto log = [](const QByteArray& text) {
            return FakeService::Reply{200, text,
                {{"X-Next-Offset", QByteArray::number(text.size())}, {"X-Size", QByteArray::number(text.size())}}};
        };
        // NNI's SDK writes what a program prints to trial.log, and nothing to stdout.
        struct Case
        {
            QByteArray out;
            QByteArray trialLog;
            QStringList options;
            QString shown;
        };
        const std::vector<Case> cases = {
            {"", "PRINT one\n", {}, u"PRINT one\n"_s},
            {"", "PRINT one\nPRINT two\n", {u"--tail"_s, u"1"_s}, u"PRINT two\n"_s},
            {"two", "INFO\n", {}, u"==> stdout <==\ntwo\n\n==> trial.log <==\nINFO\n"_s},
            {"one\ntwo\n", "INFO\nPRINT\n", {u"--tail"_s, u"1"_s},
                u"==> stdout <==\ntwo\n\n==> trial.log <==\nPRINT\n"_s},
            {"two\n", "INFO\n", {u"--name"_s, u"stdout"_s}, u"two\n"_s},
            {"", "", {}, QString()},
            {"", "PRINT one\n", {u"--name"_s, u"stdout"_s}, QString()},
        };
        for (const Case& one : cases) {
            Harness h;
            h.fake.json(
                "GET /api/v1/trials/t1", R"({"id":"t1","experimentId":"e1","sequenceId":0,"status":"SUCCEEDED"})");
            h.fake.json("GET /api/v1/trials/t1/logs",
                one.trialLog.isEmpty() ? R"({"logs":["stdout","stderr"],"default":"stdout","output":["stdout"]})"
                    : one.out.isEmpty()
                    ? R"({"logs":["stdout","stderr","trial.log"],"default":"trial.log","output":["trial.log"]})"
                    : R"({"logs":["stdout","stderr","trial.log"],"default":"stdout","output":["stdout","trial.log"]})");
            h.fake.on("GET /api/v1/trials/t1/logs/stdout", log(one.out));
            h.fake.on("GET /api/v1/trials/t1/logs/trial.log", log(one.trialLog));
            const Outcome outcome = h.run(QStringList{u"logs"_s, u"t1"_s} + one.options);
            QVERIFY2(outcome.exit == exits::done, qPrintable(outcome.err));
            QCOMPARE(outcome.out, one.shown);
        }
    }

    void addsThePlatformOnce()
    {
        Harness h;
        QVERIFY(QDir(h.path({})).mkdir(u"src"_s));
        h.writeFile(u"e.yml"_s, yaml + "remote\n  machineList: [{host: h, user: me, password: secret}]\n");
        h.fake.json("GET /api/v1/platforms",
            R"({"platforms":[{"id":"local","kind":"local","settings":{}},
                {"id":"remote","kind":"remote","settings":{"machineList":[{"host":"other","user":"me","port":22}]}}],"revision":1})");
        h.fake.json("PUT /api/v1/platforms/remote-2", R"({"id":"remote-2","kind":"remote"})", 201);
        h.fake.json("GET /api/v1/platforms/remote-2", R"({"id":"remote-2","kind":"remote"})");
        h.fake.json("POST /api/v1/experiments", R"({"id":"e1"})", 201);
        const Outcome made = h.run({u"experiment"_s, u"create"_s, u"e.yml"_s});
        QVERIFY2(made.exit == exits::done, qPrintable(made.err));
        const Json put = parsed(h.fake.requests("PUT /api/v1/platforms/remote-2").last().body);
        QCOMPARE(textOf(put, "kind"), u"remote"_s);
        QCOMPARE(textOf(put["settings"]["machineList"][0], "password"), u"secret"_s);
        QCOMPARE(textOf(parsed(h.fake.requests("POST /api/v1/experiments").last().body), "platformId"), u"remote-2"_s);
        QVERIFY(!made.err.contains(u"secret"_s));

        // The second time it is found; its password reads as set.
        h.fake.json("GET /api/v1/platforms",
            R"({"platforms":[{"id":"lab","kind":"remote","settings":{"machineList":[{"host":"h","user":"me","port":22,
                "password":{"set":true}}]}}],"revision":1})");
        h.fake.json("GET /api/v1/platforms/lab", R"({"id":"lab","kind":"remote"})");
        QCOMPARE(h.run({u"experiment"_s, u"create"_s, u"e.yml"_s}).exit, exits::done);
        QCOMPARE(textOf(parsed(h.fake.requests("POST /api/v1/experiments").last().body), "platformId"), u"lab"_s);
        QCOMPARE(h.fake.requests("PUT /api/v1/platforms/remote-2").size(), 1);
    }

    void showsThePlan()
    {
        Harness h;
        QVERIFY(QDir(h.path({})).mkpath(u"src/__pycache__"_s));
        h.writeFile(u"src/t.py"_s, "print(1)\n");
        h.writeFile(u"src/__pycache__/t.pyc"_s, "x");
        h.writeFile(u"src/server.key"_s, "x");
        h.writeFile(u"e.yaml"_s, yaml + "local\n");
        const Outcome inPlace = h.run({u"experiment"_s, u"create"_s, u"e.yaml"_s, u"--dry-run"_s});
        QVERIFY2(inPlace.exit == exits::done, qPrintable(inPlace.err));
        QVERIFY2(inPlace.err.contains(u"nothing is copied"_s), qPrintable(inPlace.err));
        QVERIFY(h.fake.requests("GET /api/v1/platforms").isEmpty());

        const Outcome elsewhere =
            h.run({u"experiment"_s, u"create"_s, u"e.yaml"_s, u"--on"_s, u"gpu"_s, u"--dry-run"_s});
        QVERIFY2(elsewhere.out.contains(u"t.py"_s) && !elsewhere.out.contains(u"t.pyc"_s), qPrintable(elsewhere.out));
        QVERIFY2(elsewhere.err.contains(u"1 files, 9 B, would be copied."_s), qPrintable(elsewhere.err));
        QVERIFY2(
            elsewhere.err.contains(u"server.key is left out, as it may hold secrets."_s), qPrintable(elsewhere.err));

        const Outcome asJson =
            h.run({u"experiment"_s, u"create"_s, u"e.yaml"_s, u"--on"_s, u"gpu"_s, u"--dry-run"_s, u"--json"_s});
        Json shown = parsed(asJson.out.toUtf8());
        QCOMPARE(textOf(shown, "platformId"), u"gpu"_s);
        Json& upload = shown["upload"];
        QCOMPARE(upload["findings"].size(), 1u);
        QCOMPARE(upload["findings"][0]["path"].get<QString>(), u"server.key"_s);
        QVERIFY(upload["findings"][0]["message"].get<QString>().contains(u"!/server.key"_s));
        upload.erase("findings");
        QCOMPARE(core::dumpJson(upload), R"({"files":[{"path":"t.py","size":9}],"bytes":9})");
        QCOMPARE(shown["notes"].size(), 1u);
    }

    void runsElsewhereThanItsSectionSays()
    {
        Harness h;
        h.fake.json("GET /api/v1/platforms", R"({"platforms":[{"id":"lab","kind":"batch"}],"revision":1})");
        h.fake.json("GET /api/v1/platforms/lab", R"({"id":"lab","kind":"batch"})");
        h.fake.json("GET /api/v1/platform-kinds",
            R"({"kinds":[{"kind":"batch","fields":[],"experimentFields":[{"name":"memory","type":"string"}]}]})");
        h.fake.json("POST /api/v1/experiments", R"({"id":"e1","name":"n"})", 201);
        const QByteArray role =
            "  worker: {replicas: 1, command: python3 one.py, gpuNum: 2, cpuNum: 1, memoryMB: 8, image: i}\n";
        const QByteArray file =
            "experimentName: n\ntrialConcurrency: 1\nmaxTrialNum: 1\nsearchSpacePath: s.json\n"
            "useAnnotation: false\ntrainingServicePlatform: kubeflow\ntuner: {builtinTunerName: Random}\n"
            "kubeflowConfig: {operator: tf-operator, apiVersion: v1, storage: nfs, nfs: {server: h, path: /p}}\n"
            "trial:\n  codeDir: .\n";
        h.writeFile(u"s.json"_s, R"({"x":{"_type":"uniform","_value":[0,1]}})");
        h.writeFile(u"e.yml"_s, file + role);
        const auto create = [&h](const QStringList& more) {
            return h.run(QStringList{u"experiment"_s, u"create"_s, u"e.yml"_s} + more);
        };
        const Outcome made = create({u"--on"_s, u"lab"_s, u"--option"_s, u"memory=1 GB"_s});
        QVERIFY2(made.exit == exits::done, qPrintable(made.err));
        QVERIFY2(made.err.contains(u"roles is left aside: `lab` has no such option."_s), qPrintable(made.err));
        const Json sent = parsed(h.fake.requests("POST /api/v1/experiments").last().body);
        QCOMPARE(textOf(sent, "trialCommand"), u"python3 one.py"_s);
        QCOMPARE(numberOf(sent, "gpuNumber").value_or(0), 2);
        QCOMPARE(core::dumpJson(sent["platformOptions"]), R"({"memory":"1 GB"})");
        QCOMPARE(create({u"--on"_s, u"lab"_s, u"--option"_s, u"queue=x"_s}).exit, exits::usage);

        // Several roles are no single command, also in a plan; other kinds' options are those of the file.
        h.writeFile(u"e.yml"_s, file + role + "  ps: {replicas: 1, command: python3 two.py, image: i}\n");
        const Outcome several = create({u"--on"_s, u"lab"_s, u"--dry-run"_s});
        QCOMPARE(several.exit, exits::refused);
        QVERIFY2(
            several.err.contains(u"2 roles"_s) && several.err.contains(u"trialCommand"_s), qPrintable(several.err));
        QCOMPARE(h.fake.requests("POST /api/v1/experiments").size(), 1);
    }

    void refusesYaml_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("wrong") << yaml + "moon\n" << u"trainingService.platform is moon"_s;
        QTest::newRow("another tuner") << QByteArray(yaml).replace("GridSearch", "TPE") + "local\n"
                                       << u"trialdeck nni register"_s;
        QTest::newRow("no file") << QByteArray() << u"cannot be read"_s;
    }

    void refusesYaml()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        Harness h;
        QVERIFY(QDir(h.path({})).mkdir(u"src"_s));
        if (!text.isEmpty())
            h.writeFile(u"e.yml"_s, text);
        const Outcome refused = h.run({u"experiment"_s, u"create"_s, u"e.yml"_s});
        QCOMPARE(refused.exit, exits::refused);
        QVERIFY2(refused.err.contains(words), qPrintable(refused.err));
        QVERIFY(h.fake.requests("POST /api/v1/experiments").isEmpty());
    }

    void registers()
    {
        Harness h;
        h.surroundings().resources = QStringLiteral(TRIALDECK_SOURCE_DIR "/resources");
        writePython(h, "3.0", "Sucessfully registered trialdeck");
        const Outcome done = h.runAsIs({u"nni"_s, u"register"_s, u"--python"_s, u"./python"_s});
        QVERIFY2(done.exit == exits::done, qPrintable(done.err));
        QVERIFY(done.err.contains(u"nni 3.0"_s));
        const QString asked = QString::fromUtf8(h.readFile(u"asked"_s));
        QVERIFY2(asked.contains(u"-m pip install"_s) && asked.contains(u"resources/nni"_s), qPrintable(asked));
        QVERIFY2(asked.contains(u"'trainingservice', 'register', '--package', 'trialdeck'"_s), qPrintable(asked));
        const Outcome undone = h.runAsIs({u"nni"_s, u"unregister"_s, u"--python"_s, u"./python"_s});
        QCOMPARE(undone.exit, exits::refused); // this NNI still has it registered
        const Outcome asJson = h.runAsIs({u"nni"_s, u"register"_s, u"--python"_s, u"./python"_s, u"--json"_s});
        QVERIFY2(asJson.exit == exits::done, qPrintable(asJson.err));
        const Json said = parsed(asJson.out.toUtf8());
        QCOMPARE(textOf(said, "nni"), u"3.0"_s);
        QCOMPARE(QDir::cleanPath(textOf(said, "python")), h.path(u"python"_s));
        QVERIFY(said["registered"] == true);
        QVERIFY(textOf(said, "message").startsWith(u"Registered Trialdeck with nni 3.0"_s));
        writePython(h, "3.0", "Sucessfully unregistered trialdeck");
        const Outcome out = h.runAsIs({u"nni"_s, u"unregister"_s, u"--python"_s, u"./python"_s, u"--json"_s});
        QVERIFY(parsed(out.out.toUtf8())["registered"] == false);
        QCOMPARE(h.runAsIs({u"nni"_s, u"unregister"_s, u"--python"_s, u"./python"_s}).exit, exits::done);
        QVERIFY(h.readFile(u"asked"_s).contains("-m pip uninstall"));
    }

    void doesNotRegister_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("words");
        QTest::newRow("no NNI") << QByteArray() << QByteArray() << u"has no NNI"_s;
        QTest::newRow("too old") << QByteArray("1.9") << QByteArray() << u"knows no training services but its own"_s;
        QTest::newRow("NNI refuses") << QByteArray("2.10.1") << QByteArray("Cannot import package trialdeck")
                                     << u"Cannot import package trialdeck"_s;
    }

    void doesNotRegister()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, said);
        QFETCH(QString, words);
        Harness h;
        h.surroundings().resources = QStringLiteral(TRIALDECK_SOURCE_DIR "/resources");
        writePython(h, version, said);
        const Outcome refused = h.runAsIs({u"nni"_s, u"register"_s, u"--python"_s, u"./python"_s});
        QCOMPARE(refused.exit, exits::refused);
        QVERIFY2(refused.err.contains(words), qPrintable(refused.err));
    }

    void theRightPythonIsFound()
    {
        Harness h;
        h.surroundings().resources = QStringLiteral(TRIALDECK_SOURCE_DIR "/resources");
        writePython(h, "3.0", "Sucessfully registered trialdeck");
        h.writeFile(u"nnictl"_s, "#!" + h.path(u"python"_s).toUtf8() + "\n");
        QFile(h.path(u"nnictl"_s)).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        h.surroundings().environment.insert(u"PATH"_s, h.path({}) + u":/usr/bin:/bin"_s);
        const Outcome done = h.runAsIs({u"nni"_s, u"register"_s});
        QVERIFY2(done.exit == exits::done, qPrintable(done.err));
        QVERIFY(done.err.contains(h.path(u"python"_s)));
    }

    void showsNothingThatIsNotThere()
    {
        Harness h;
        const Outcome none = h.runAsIs({u"nni"_s, u"show"_s, u"."_s});
        QCOMPARE(none.exit, exits::refused);
        QVERIFY2(none.err.contains(u"no experiment of NNI"_s), qPrintable(none.err));
    }
};

QTEST_GUILESS_MAIN(TestNniCommands)
#include "tst_nni_commands.moc"
