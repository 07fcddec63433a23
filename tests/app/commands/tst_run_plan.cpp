// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/file_target.h"
#include "app/commands/platform_settings.h"
#include "app/commands/run_plan.h"
#include "app/commands/service_unit.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace commands;

// As text: Qt Test would try its own comparisons with what a document converts to.
#define COMPARE_JSON(actual, expected) QCOMPARE(core::dumpJson(actual), core::dumpJson(expected))

namespace {

Result<RunPlan> plan(const QStringList& arguments, bool isLocal = true)
{
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, u"/venv/bin:/bin"_s);
    environment.insert(u"VIRTUAL_ENV"_s, u"/venv"_s);
    environment.insert(u"SECRET"_s, u"x"_s);
    const Result<CommandLine> line = parseCommandLine(QStringList{u"run"_s} + arguments);
    return line ? planRun(*line, u"/lab"_s, environment, isLocal) : tl::unexpected(line.error());
}

Json expected(const char* text)
{
    return core::parseJson(text).value_or(Json());
}

} // namespace

class TestRunPlan : public QObject
{
    Q_OBJECT
private slots:
    /// What the shell makes of a quoted word is the word.
    void wordsSurviveTheShell_data()
    {
        QTest::addColumn<QString>("word");
        for (const QString& word : {u"plain"_s, u"two words"_s, u"it's"_s, u"a\"b"_s, u"$HOME"_s, u"`id`"_s, u"a\\b"_s,
                 u"*.py"_s, u"a;b|c&d"_s, u""_s, u"{lr}"_s, u"${lr}"_s, u"line\nend"_s, u"~x"_s, u"#x"_s, u"größe"_s,
                 u"--lr=0.1"_s, u"a=b"_s, u"!x"_s, u"[a]"_s, u"\t"_s, u"''"_s})
            QTest::newRow(qPrintable(word)) << word;
    }
    void wordsSurviveTheShell()
    {
        QFETCH(QString, word);
        QProcess shell;
        shell.start(u"sh"_s, {u"-c"_s, u"printf %s "_s + shellLine({word}, {})});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    }

    void placeholdersStayLive_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("line");
        QTest::newRow("alone") << QStringList{u"t"_s, u"--lr"_s, u"{lr}"_s} << u"t --lr {lr}"_s;
        QTest::newRow("behind =") << QStringList{u"t"_s, u"--lr={lr}"_s} << u"t --lr={lr}"_s;
        QTest::newRow("in a text") << QStringList{u"t"_s, u"a b {lr} c"_s} << u"t 'a b '{lr}' c'"_s;
        QTest::newRow("two") << QStringList{u"{lr}{args}"_s} << u"{lr}{args}"_s;
        QTest::newRow("unknown") << QStringList{u"{other}"_s} << u"'{other}'"_s;
        QTest::newRow("shell variable") << QStringList{u"${lr}"_s} << u"'${lr}'"_s;
        QTest::newRow("quote beside") << QStringList{u"it's {lr}"_s} << u"'it'\\''s '{lr}"_s;
        QTest::newRow("open brace") << QStringList{u"{lr"_s} << u"'{lr'"_s;
        QTest::newRow("nested") << QStringList{u"{{lr}}"_s} << u"'{'{lr}'}'"_s;
        QTest::newRow("json") << QStringList{u"{\"lr\": {lr}}"_s} << u"'{\"lr\": '{lr}'}'"_s;
        QTest::newRow("empty word") << QStringList{u"t"_s, QString()} << u"t ''"_s;
    }
    void placeholdersStayLive()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, line);
        QCOMPARE(shellLine(words, {u"lr"_s, u"args"_s}), line);
    }

    void names_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("name");
        QTest::newRow("script") << QStringList{u"python3"_s, u"-u"_s, u"src/train.py"_s, u"--x"_s} << u"train"_s;
        QTest::newRow("shell") << QStringList{u"./run.sh"_s} << u"run"_s;
        QTest::newRow("module") << QStringList{u"python"_s, u"-m"_s, u"pkg.train"_s} << u"pkg.train"_s;
        QTest::newRow("program") << QStringList{u"/bin/true"_s} << u"true"_s;
        QTest::newRow("line") << QStringList{u"python3 a.b.py | tee x"_s} << u"a.b"_s;
        QTest::newRow("none") << QStringList{u"/"_s} << u"run"_s;
    }
    void names()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, name);
        QCOMPARE(nameOfCommand(command), name);
    }

    void oneTrial()
    {
        const Result<RunPlan> made = plan({u"--"_s, u"python3"_s, u"train.py"_s});
        QVERIFY(made);
        QCOMPARE(made->trials, 1);
        COMPARE_JSON(made->experiment,
            expected(R"({"name":"train","platformId":"local","trialCommand":"python3 train.py","codeDir":"/lab",
            "trialConcurrency":1,"objective":{"metric":"default","direction":"maximize"},
            "environment":{"PATH":"/venv/bin:/bin","VIRTUAL_ENV":"/venv"},"maxTrialNumber":1})"));
    }

    void repeats()
    {
        const Result<RunPlan> made =
            plan({u"-n"_s, u"5"_s, u"-c"_s, u"2"_s, u"--no-code"_s, u"--name"_s, u"x"_s, u"--"_s, u"true"_s}, false);
        QCOMPARE(made->trials, 5);
        QCOMPARE(made->how, u"5 trials"_s);
        COMPARE_JSON(
            made->experiment, expected(R"({"name":"x","platformId":"local","trialCommand":"true","trialConcurrency":2,
            "objective":{"metric":"default","direction":"maximize"},"maxTrialNumber":5})"));
    }

    void searches()
    {
        const Result<RunPlan> made = plan({u"lr=log:1e-4..1e-1"_s, u"b=1,2"_s, u"--sample"_s, u"20"_s, u"--minimize"_s,
            u"loss"_s, u"--gpus"_s, u"0"_s, u"--in-place"_s, u"--code"_s, u"src"_s, u"--metric"_s,
            u"loss=(?<value>\\S+)"_s, u"--tag"_s, u"a"_s, u"--max-trial-seconds"_s, u"60"_s, u"--on"_s, u"gpu"_s,
            u"--"_s, u"./t"_s, u"--lr={lr}"_s, u"{b}"_s, u"{other}"_s});
        QVERIFY2(made, made ? "" : qPrintable(made.error().message));
        QCOMPARE(made->trials, 0);
        QCOMPARE(made->how, u"20 random samples"_s);
        const Json& e = made->experiment;
        QCOMPARE(textOf(e, "trialCommand"), u"./t --lr={lr} {b} '{other}'"_s);
        COMPARE_JSON(member(e, "searchSpace"),
            expected(R"({"lr":{"_type":"loguniform","_value":[0.0001,0.1]},"b":{"_type":"choice","_value":[1,2]}})"));
        COMPARE_JSON(member(e, "tuner"), expected(R"({"name":"Random"})"));
        QCOMPARE(numberOf(e, "maxTrialNumber"), std::optional<qint64>(20));
        COMPARE_JSON(member(e, "objective"), expected(R"({"metric":"loss","direction":"minimize"})"));
        QCOMPARE(numberOf(e, "gpuNumber"), std::optional<qint64>(0));
        QCOMPARE(textOf(e, "codeMode"), u"inPlace"_s);
        QCOMPARE(textOf(e, "codeDir"), u"/lab/src"_s);
        QCOMPARE(textOf(e, "metricPattern"), u"loss=(?<value>\\S+)"_s);
        QCOMPARE(numberOf(e, "maxTrialDurationSeconds"), std::optional<qint64>(60));
        QCOMPARE(textOf(e, "platformId"), u"gpu"_s);
        QCOMPARE(wordsOf(e, "tags"), QStringList{u"a"_s});
    }

    void choosesTheSearch_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("tuner");
        QTest::addColumn<int>("limit");
        QTest::newRow("choices alone") << QStringList{u"a=1,2"_s, u"b=x,y"_s} << u"GridSearch"_s << -1;
        QTest::newRow("a range") << QStringList{u"a=1,2"_s, u"b=0..1"_s} << u"Random"_s << 10;
        QTest::newRow("choices sampled") << QStringList{u"a=1,2"_s, u"-n3"_s} << u"Random"_s << 3;
        QTest::newRow("grid of a range") << QStringList{u"a=int:1..3"_s, u"--grid"_s} << u"GridSearch"_s << -1;
    }
    void choosesTheSearch()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, tuner);
        QFETCH(int, limit);
        const Result<RunPlan> made = plan(arguments + QStringList{u"--"_s, u"x"_s});
        QVERIFY2(made, made ? "" : qPrintable(made.error().message));
        QCOMPARE(textOf(member(made->experiment, "tuner"), "name"), tuner);
        QCOMPARE(numberOf(made->experiment, "maxTrialNumber").value_or(-1), limit);
    }

    void aSingleWordWithSpacesIsAShellLine()
    {
        QCOMPARE(textOf(plan({u"--"_s, u"a | b > c"_s})->experiment, "trialCommand"), u"a | b > c"_s);
        QCOMPARE(textOf(plan({u"--"_s, u"a b"_s, u"c"_s})->experiment, "trialCommand"), u"'a b' c"_s);
    }

    void refuses_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("grid of nothing") << QStringList{u"--grid"_s} << u"--grid needs parameters"_s;
        QTest::newRow("no spec") << QStringList{u"lr"_s} << u"lr"_s;
        QTest::newRow("bad spec") << QStringList{u"lr=log:0..1"_s} << u"lr"_s;
        QTest::newRow("bad regex") << QStringList{u"--metric"_s, u"(?<value>"_s} << u"no regular expression"_s;
        QTest::newRow("no group") << QStringList{u"--metric"_s, u"loss=(.*)"_s} << u"group named `value`"_s;
        QTest::newRow("too many") << QStringList{u"-n"_s, u"2000000"_s} << u"more than a million"_s;
    }
    void refuses()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        const Result<RunPlan> made = plan(arguments + QStringList{u"--"_s, u"x"_s});
        QVERIFY(!made);
        QVERIFY2(made.error().message.contains(part), qPrintable(made.error().message));
    }

    void safeFileNames_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("parts"); // empty: refused
        QTest::newRow("plain") << u"a/b.bin"_s << QStringList{u"a"_s, u"b.bin"_s};
        QTest::newRow("dots in names") << u"a/..b/c.."_s << QStringList{u"a"_s, u"..b"_s, u"c.."_s};
        QTest::newRow("dot") << u"./a//b"_s << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("parent") << u"../a"_s << QStringList();
        QTest::newRow("parent inside") << u"a/../../b"_s << QStringList();
        QTest::newRow("absolute") << u"/etc/passwd"_s << QStringList();
        QTest::newRow("empty") << QString() << QStringList();
        QTest::newRow("only dots") << u"./."_s << QStringList();
        QTest::newRow("control") << u"a\nb"_s << QStringList();
        QTest::newRow("nul") << QString(u"a"_s + QChar(0) + u"b"_s) << QStringList();
    }
    void safeFileNames()
    {
        QFETCH(QString, path);
        QFETCH(QStringList, parts);
        const Result<QStringList> made = safeParts(path);
        QCOMPARE(made.has_value(), !parts.isEmpty());
        if (made)
            QCOMPARE(*made, parts);
    }

    void targetsNeverFollowLinks()
    {
        QTemporaryDir folder;
        const QString root = folder.filePath(u"trial-1"_s);
        QCOMPARE(*prepareTarget(root, u"a/b/c.txt"_s), root + u"/a/b/c.txt"_s);
        QVERIFY(QDir(root + u"/a/b"_s).exists());
        QVERIFY(QFile::link(folder.path(), root + u"/out"_s));
        QCOMPARE(prepareTarget(root, u"out/x"_s).error().kind, core::Kind::invalid);
        QVERIFY(QFile::link(folder.filePath(u"new"_s), root + u"/file"_s));
        QCOMPARE(prepareTarget(root, u"file"_s).error().kind, core::Kind::invalid);
        QCOMPARE(prepareTarget(root, u"a"_s).error().kind, core::Kind::conflict);
        QFile file(root + u"/plain"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(prepareTarget(root, u"plain"_s));
        QCOMPARE(prepareTarget(root, u"plain/x"_s).error().kind, core::Kind::conflict);
        QVERIFY(QFile::link(folder.path(), folder.filePath(u"trial-2"_s)));
        QCOMPARE(prepareTarget(folder.filePath(u"trial-2"_s), u"x"_s).error().kind, core::Kind::invalid);
    }

    void settings_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("expected"); // empty: refused
        QTest::newRow("typed")
            << QStringList{u"maxTrialNumberPerGpu=2"_s, u"useActiveGpu=true"_s, u"gpuIndices=0,2"_s, u"scratchDir=/s"_s}
            << QByteArray(R"({"maxTrialNumberPerGpu":2,"useActiveGpu":true,"gpuIndices":[0,2],"scratchDir":"/s"})");
        QTest::newRow("text stays text") << QStringList{u"scratchDir=12"_s} << QByteArray(R"({"scratchDir":"12"})");
        QTest::newRow("list") << QStringList{u"machineList=[{\"host\":\"a\"}]"_s}
                              << QByteArray(R"({"machineList":[{"host":"a"}]})");
        QTest::newRow("file") << QStringList{u"password=@p"_s} << QByteArray(R"({"password":"from file"})");
        QTest::newRow("several lines") << QStringList{u"script=@p"_s, u"keyFile=/k"_s}
                                       << QByteArray(R"({"script":"from file","keyFile":"/k"})");
        QTest::newRow("secret on the line") << QStringList{u"password=x"_s} << QByteArray();
        QTest::newRow("unknown") << QStringList{u"useActiveGpus=true"_s} << QByteArray();
        QTest::newRow("no number") << QStringList{u"maxTrialNumberPerGpu=two"_s} << QByteArray();
        QTest::newRow("no boolean") << QStringList{u"useActiveGpu=maybe"_s} << QByteArray();
        QTest::newRow("no index") << QStringList{u"gpuIndices=0,x"_s} << QByteArray();
        QTest::newRow("no word") << QStringList{u"mode=c"_s} << QByteArray();
        QTest::newRow("no equals") << QStringList{u"useActiveGpu"_s} << QByteArray();
    }
    void settings()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"p"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("from file\n");
        file.close();
        const Json fields =
            expected(R"([{"name":"maxTrialNumberPerGpu","type":"integer"},{"name":"useActiveGpu","type":"boolean"},
            {"name":"gpuIndices","type":"indices"},{"name":"scratchDir","type":"path"},{"name":"machineList","type":"list"},
            {"name":"password","type":"string","secret":true},{"name":"mode","type":"string","words":["a","b"]},
            {"name":"script","type":"text"},{"name":"keyFile","type":"file"}])");
        QFETCH(QStringList, words);
        QFETCH(QByteArray, expected);
        const Result<Json> made = settingsFromWords(words, fields, folder.path());
        QCOMPARE(made.has_value(), !expected.isEmpty());
        if (made)
            QCOMPARE(core::dumpJson(*made), expected);
        else
            QVERIFY(!made.error().message.contains(u"password=x"_s));
    }

    void unitKeepsTrialsAlive()
    {
        const QList<UnitFile> units =
            userUnits(u"/opt/a b/100%/trialdeckd"_s, u"/opt/a b/100%/keeper"_s, u"/data/$x"_s);
        const QByteArray unit = units[0].text;
        QVERIFY(unit.contains("ExecStart=\"/opt/a b/100%%/trialdeckd\" --serve --data-dir \"/data/$$x\"\n"));
        QVERIFY(unit.contains("\nKillMode=process\n"));
        QVERIFY(unit.contains("\nOOMPolicy=continue\n"));
        QVERIFY(unit.contains("\nNoNewPrivileges=yes\n"));
        QVERIFY(unit.contains("\nWants=trialdeck-agent.socket\n"));
        // Trials are started outside of the sandbox: from the socket that the service is told of, by a unit that has none.
        QCOMPARE(units[1].name, u"trialdeck-agent.socket"_s);
        QVERIFY(unit.contains("\nEnvironment=TRIALDECK_AGENT_SOCKET=%t/trialdeck-agent.socket\n"));
        QVERIFY(units[1].text.contains("\nListenStream=%t/trialdeck-agent.socket\n"));
        QCOMPARE(units[2].name, u"trialdeck-agent@.service"_s);
        QVERIFY(units[2].text.contains("\nExecStart=\"/opt/a b/100%%/keeper\" launch\n"));
        QVERIFY(units[2].text.contains("\nKillMode=process\n"));
        QVERIFY(!units[2].text.contains("NoNewPrivileges"));
        for (const UnitFile& one : units)
            QVERIFY2(!one.text.contains('@' + QByteArray("CMAKE")), one.text.constData());
        QVERIFY(!userUnits(u"/x"_s, u"/k"_s, {})[0].text.contains("--data-dir"));
    }
};

QTEST_GUILESS_MAIN(TestRunPlan)
#include "tst_run_plan.moc"
