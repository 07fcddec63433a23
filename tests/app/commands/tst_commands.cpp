// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs against a scripted service: what they ask, what they print, and their exit codes.
#include "command_harness.h"

#include "app/data_dir_lock.h"
#include "app/json_view.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace commands;

// As text: Qt Test would try its own comparisons with what a document converts to.
#define COMPARE_JSON(actual, expected) QCOMPARE(core::dumpJson(actual), core::dumpJson(expected))

namespace {

QByteArray trial(const QByteArray& id, int sequence, const QByteArray& status, const QByteArray& more = {})
{
    return "{\"id\":\"" + id + "\",\"experimentId\":\"e1\",\"sequenceId\":" + QByteArray::number(sequence)
        + ",\"status\":\"" + status
        + "\",\"parameters\":{\"lr\":0.01},\"submitTime\":1000,\"startTime\":2000,\"endTime\":5000,\"machineId\":"
          "\"box\",\"gpuIndices\":[1],"
          "\"reason\":\"\",\"metricCount\":2,\"finalMetric\":{\"value\":0.93}"
        + (more.isEmpty() ? QByteArray() : ',' + more) + '}';
}

QByteArray experiment(const QByteArray& state, const QByteArray& counts, const QByteArray& more = {})
{
    return "{\"id\":\"e1\",\"name\":\"train\",\"state\":\"" + state
        + "\",\"createdTime\":1000,\"startTime\":1000,\"endTime\":61000,\"objective\":{\"metric\":\"default\","
          "\"direction\":\"maximize\"},"
          "\"maxTrialNumber\":4,\"counts\":{"
        + counts + "}" + (more.isEmpty() ? QByteArray() : ',' + more) + '}';
}

Json json(const QByteArray& text)
{
    return core::parseJson(text).value_or(Json());
}

} // namespace

class TestCommands : public QObject
{
    Q_OBJECT
private:
    /// One experiment e1 with two trials, as the service tells it.
    static void fill(Harness& h)
    {
        h.fake.json("GET /api/v1/experiments",
            "{\"experiments\":[" + experiment("RUNNING", "\"RUNNING\":2") + "],\"revision\":3}");
        h.fake.json("GET /api/v1/experiments/e1", experiment("RUNNING", "\"RUNNING\":2"));
        h.fake.json("GET /api/v1/trials",
            "{\"trials\":[" + trial("t1", 0, "SUCCEEDED") + ',' + trial("t2", 1, "RUNNING")
                + "],\"next\":null,\"total\":2}");
        h.fake.json("GET /api/v1/trials/t1", trial("t1", 0, "SUCCEEDED"));
        h.fake.json("GET /api/v1/trials/t2", trial("t2", 1, "RUNNING"));
        h.fake.json(
            "GET /api/v1/platforms", R"({"platforms":[{"id":"local","kind":"local","state":"READY","message":""}]})");
        h.fake.json("GET /api/v1/platforms/local", R"({"id":"local","kind":"local","state":"READY"})");
    }

private slots:
    void everyVerbHasAFunction_data()
    {
        QTest::addColumn<QString>("verb");
        for (const VerbSpec& verb : verbTable())
            QTest::newRow(verb.name) << QString::fromUtf8(verb.name);
    }
    void everyVerbHasAFunction()
    {
        QFETCH(QString, verb);
        QCOMPARE(findVerbFunction(verb) != nullptr, verb != u"help"_s);
    }

    /// Each verb: what it prints plainly, as ids, and as JSON, and which request it made.
    void reads_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("out");
        const auto row = [](const char* name, const QStringList& arguments, const QString& out) {
            QTest::newRow(name) << arguments << out;
        };
        row("list", {u"list"_s},
            u"ID  #  STATUS     METRIC  PARAMETERS  PLACE      WAITED    RAN\n"
            "t1  0  SUCCEEDED    0.93  lr=0.01     box GPU 1   1.0 s  3.0 s\n"
            "t2  1  RUNNING      0.93  lr=0.01     box GPU 1   1.0 s  3.0 s\n"_s);
        row("list -q", {u"list"_s, u"-q"_s}, u"t1\nt2\n"_s);
        row("show -q", {u"show"_s, u"1"_s, u"-q"_s}, u"t2\n"_s);
        row("show", {u"show"_s, u"t1"_s}, u"place       box GPU 1\n"_s);
        row("experiment list", {u"experiment"_s, u"list"_s}, u"e1  train  RUNNING"_s);
        row("experiment list -q", {u"experiment"_s, u"list"_s, u"-q"_s}, u"e1\n"_s);
        row("experiment show -q", {u"experiment"_s, u"show"_s, u"@last"_s, u"-q"_s}, u"e1\n"_s);
        row("platform list", {u"platform"_s, u"list"_s}, u"ID     KIND   STATE\nlocal  local  READY\n"_s);
        row("platform list -q", {u"platform"_s, u"list"_s, u"-q"_s}, u"local\n"_s);
        row("platform json", {u"platform"_s, u"list"_s, u"--json"_s}, u"{\"platforms\":[{\"id\":\"local\""_s);
    }
    void reads()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/experiments/e1/failures", R"({"groups":[]})");
        QFETCH(QStringList, arguments);
        QFETCH(QString, out);
        const Outcome outcome = h.run(arguments);
        QCOMPARE(outcome.err, QString());
        QVERIFY2(outcome.out.contains(out), qPrintable(outcome.out));
        QCOMPARE(outcome.exit, exits::done);
    }

    void listAsksForWhatIsWanted()
    {
        Harness h;
        fill(h);
        const Outcome outcome = h.run({u"list"_s, u"-e"_s, u"@last"_s, u"-s"_s, u"failed"_s, u"-s"_s, u"RUNNING"_s,
            u"--sort"_s, u"parameters.a b"_s, u"--limit"_s, u"7"_s, u"--json"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(h.fake.requests("GET /api/v1/trials").last().query(),
            QByteArray("experimentId=e1&status=FAILED%2CRUNNING&sort=parameters.a%20b&order=desc&limit=7"));
        QCOMPARE(numberOf(json(outcome.out.toUtf8()), "total"), std::optional<qint64>(2));
    }

    void listSaysWhatItLeftOut()
    {
        Harness h;
        h.fake.json("GET /api/v1/trials",
            "{\"trials\":[" + trial("t1", 0, "FAILED", "\"reason\":\"exit code 1\"")
                + "],\"next\":\"n\",\"total\":1234}");
        const Outcome outcome = h.run({u"list"_s, u"--limit"_s, u"1"_s});
        QVERIFY(outcome.out.contains(u"exit code 1"_s));
        QVERIFY2(outcome.err.contains(u"1 of 1234 trials"_s), qPrintable(outcome.err));
    }

    void whyTellsTheStory()
    {
        Harness h;
        h.fake.json("GET /api/v1/trials/t1",
            trial("t1", 4, "FAILED", "\"reason\":\"The command ended with code 1.\",\"failureClass\":\"exitCode\""));
        h.fake.json("GET /api/v1/trials/t1/events",
            R"({"events":[{"sequence":0,"time":1000,"kind":"accepted","text":"Accepted."}]})");
        h.fake.on("GET /api/v1/trials/t1/logs/stderr",
            FakeService::Reply{
                200, "Traceback:\nValueError: x\x1b[31m\n", {{"X-Next-Offset", "20"}, {"X-Size", "20"}}});
        const Outcome outcome = h.run({u"why"_s, u"t1"_s});
        QCOMPARE(outcome.exit, exits::done);
        QVERIFY(outcome.out.startsWith(u"t1 (trial 4) is FAILED: The command ended with code 1.\n"_s));
        QVERIFY(outcome.out.contains(u"Accepted."_s));
        QVERIFY(outcome.out.endsWith(u"  Traceback:\n  ValueError: x\n"_s));
    }

    void whyOfAnExperimentGroupsReasons()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/trials",
            R"({"trials":[{"id":"t1","reason":"needs 2 GPUs"},{"id":"t2","reason":"is held"},{"id":"t3","reason":"needs 2 GPUs"}],)"
            R"("next":null,"total":3})");
        h.fake.json("GET /api/v1/experiments/e1/failures",
            R"({"groups":[{"cause":"exit code 1","count":4,"machines":[],"sample":"","trialIds":[]}]})");
        const Outcome outcome = h.run({u"why"_s, u"e1"_s});
        QCOMPARE(outcome.err, QString());
        QCOMPARE(outcome.exit, exits::done);
        const QStringList lines = outcome.out.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines.mid(1),
            (QStringList{u"  2 trials waiting: needs 2 GPUs"_s, u"  1 trial waiting: is held"_s,
                u"  4 trials failed: exit code 1"_s}));
    }

    // ------------------------------------------------------------------------------------------------ exit codes, errors
    void exitCodes()
    {
        Harness h;
        h.fake.problem("GET /api/v1/platforms", 503, "resource", "Too busy.");
        Outcome outcome = h.run({u"platform"_s, u"list"_s});
        QCOMPARE(outcome.exit, exits::refused);
        QCOMPARE(outcome.err, u"trialdeck: Too busy.\n"_s);
        QCOMPARE(outcome.out, QString());

        h.fake.on("GET /api/v1/platforms", FakeService::Reply{.hangUp = true});
        QCOMPARE(h.run({u"platform"_s, u"list"_s}).exit, exits::unreached);
        QCOMPARE(h.run({u"list"_s, u"--order"_s, u"up"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"cancel"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"cancel"_s, u"t1"_s, u"-e"_s, u"e1"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"wait"_s, u"t1"_s, u"-e"_s, u"e1"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"run"_s, u"lr"_s, u"--"_s, u"x"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"submit"_s, u"-e"_s, u"e1"_s, u"-p"_s, u"[1]"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"experiment"_s, u"set"_s, u"e1"_s, u"colour=red"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"events"_s, u"--since"_s, u"12"_s}).exit, exits::usage);

        outcome = h.runAsIs({u"list"_s, u"--no-start"_s});
        QCOMPARE(outcome.exit, exits::unreached);
        QVERIFY(outcome.err.contains(u"No service runs"_s));
        QVERIFY(!QDir(h.path(u".local"_s)).exists()); // Asking makes nothing.
        QCOMPARE(h.runAsIs({u"service"_s, u"status"_s}).exit, exits::unreached);
        QCOMPARE(h.runAsIs({u"service"_s, u"status"_s, u"--json"_s}).out, u"{\"running\":false}\n"_s);
    }

    void serviceByEnvironment()
    {
        Harness h;
        fill(h);
        h.surroundings().environment.insert(u"TRIALDECK_URL"_s, h.fake.url());
        h.surroundings().environment.insert(u"TRIALDECK_TOKEN_FILE"_s, h.path(u"token"_s));
        QCOMPARE(h.runAsIs({u"platform"_s, u"list"_s, u"-q"_s}).out, u"local\n"_s);
        // --data-dir names another service than the surroundings do.
        QCOMPARE(h.runAsIs({u"platform"_s, u"list"_s, u"--data-dir"_s, h.path(u"d"_s), u"--no-start"_s}).exit,
            exits::unreached);
    }

    // ---------------------------------------------------------------------------------------------------- cancel, retry
    void cancelsOneWithoutAsking()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/trials/cancel", R"({"ids":["t2"],"count":1})");
        const Outcome outcome = h.run({u"cancel"_s, u"1"_s, u"--early-stopped"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.err, u"1 trial cancelled.\n"_s);
        const auto requests = h.fake.requests("POST /api/v1/trials/cancel");
        QCOMPARE(requests.size(), 2);
        COMPARE_JSON(json(requests[0].body), json(R"({"ids":["t2"],"isEarlyStopped":true,"dryRun":true})"));
        COMPARE_JSON(json(requests[1].body), json(R"({"ids":["t2"],"isEarlyStopped":true})"));
    }

    void cancelOfManyAsks_data()
    {
        QTest::addColumn<bool>("interactive");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QString>("option");
        QTest::addColumn<int>("exit");
        QTest::addColumn<int>("requests");
        QTest::newRow("no terminal") << false << QString() << QString() << exits::refused << 1;
        QTest::newRow("no terminal, --yes") << false << QString() << u"--yes"_s << exits::done << 2;
        QTest::newRow("no") << true << u"n"_s << QString() << exits::refused << 1;
        QTest::newRow("yes") << true << u"y"_s << QString() << exits::done << 2;
        QTest::newRow("dry run") << false << QString() << u"--dry-run"_s << exits::done << 1;
    }
    void cancelOfManyAsks()
    {
        QFETCH(bool, interactive);
        QFETCH(QString, answer);
        QFETCH(QString, option);
        QFETCH(int, exit);
        QFETCH(int, requests);
        Harness h;
        fill(h);
        h.console.interactive = interactive;
        h.answers = {answer};
        h.fake.json("POST /api/v1/trials/cancel", R"({"ids":["t1","t2"],"count":2})");
        QStringList arguments{u"cancel"_s, u"-e"_s, u"e1"_s, u"-s"_s, u"RUNNING"_s};
        if (!option.isEmpty())
            arguments += option;
        const Outcome outcome = h.run(arguments);
        QCOMPARE(outcome.exit, exit);
        const auto made = h.fake.requests("POST /api/v1/trials/cancel");
        QCOMPARE(made.size(), requests);
        COMPARE_JSON(json(made[0].body),
            json(R"({"filter":{"experimentId":"e1","status":["RUNNING"]},"isEarlyStopped":false,"dryRun":true})"));
        if (requests == 2) // What was shown is what is done.
            COMPARE_JSON(json(made[1].body), json(R"({"isEarlyStopped":false,"ids":["t1","t2"]})"));
        if (option == u"--dry-run"_s)
            QCOMPARE(outcome.out, u"t1\nt2\n"_s);
    }

    void retriesWithChanges()
    {
        Harness h;
        fill(h);
        h.fake.on("POST /api/v1/trials/retry", [](const FakeService::Request& request) -> FakeService::Reply {
            if (request.body.contains("dryRun"))
                return {200, R"({"ids":["t1"],"count":1})"};
            return {201, R"({"trials":[{"id":"t9","sequenceId":9}],"count":1})"};
        });
        const Outcome outcome = h.run({u"retry"_s, u"-e"_s, u"e1"_s, u"--gpus"_s, u"1"_s, u"-q"_s});
        QCOMPARE(outcome.out, u"t9\n"_s);
        const auto requests = h.fake.requests("POST /api/v1/trials/retry");
        COMPARE_JSON(
            json(requests[0].body)["filter"], json(R"({"experimentId":"e1","status":["FAILED","SYS_CANCELED"]})"));
        COMPARE_JSON(json(requests[1].body), json(R"({"overrides":{"gpuNumber":1},"ids":["t1"]})"));
    }

    void experimentActions_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<bool>("asks");
        QTest::newRow("pause") << u"pause"_s << QByteArray("POST /api/v1/experiments/e1/pause") << false;
        QTest::newRow("resume") << u"resume"_s << QByteArray("POST /api/v1/experiments/e1/resume") << false;
        QTest::newRow("stop") << u"stop"_s << QByteArray("POST /api/v1/experiments/e1/stop") << true;
        QTest::newRow("delete") << u"delete"_s << QByteArray("DELETE /api/v1/experiments/e1") << true;
    }
    void experimentActions()
    {
        QFETCH(QString, verb);
        QFETCH(QByteArray, request);
        QFETCH(bool, asks);
        Harness h;
        fill(h);
        h.fake.json(request, "{}");
        const Outcome outcome = h.run({u"experiment"_s, verb, u"e1"_s});
        QCOMPARE(outcome.exit, asks ? exits::refused : exits::done);
        QCOMPARE(h.fake.requests(request).size(), asks ? 0 : 1);
        if (!asks)
            return;
        QVERIFY(outcome.err.contains(u"2 trials"_s));
        const Outcome dry = h.run({u"experiment"_s, verb, u"e1"_s, u"--dry-run"_s});
        QCOMPARE(dry.exit, exits::done);
        QCOMPARE(h.fake.requests(request).size(), 0);
        QCOMPARE(h.run({u"experiment"_s, verb, u"e1"_s, u"-y"_s}).exit, exits::done);
        QCOMPARE(h.fake.requests(request).size(), 1);
    }

    void setsLimits()
    {
        Harness h;
        fill(h);
        h.fake.json("PATCH /api/v1/experiments/e1", "{}");
        QCOMPARE(h.run({u"experiment"_s, u"set"_s, u"e1"_s, u"trialConcurrency=4"_s, u"maxTrialNumber=none"_s,
                           u"tags=a, b"_s, u"name=x=y"_s})
                     .exit,
            exits::done);
        COMPARE_JSON(json(h.fake.requests("PATCH /api/v1/experiments/e1").last().body),
            json(R"({"trialConcurrency":4,"maxTrialNumber":null,"tags":["a","b"],"name":"x=y"})"));
        for (const QString& bad : {u"trialConcurrency=none"_s, u"maxTrialNumber=0"_s, u"maxTrialNumber=x"_s,
                 u"searchSpace=[]"_s, u"noequals"_s})
            QCOMPARE(h.run({u"experiment"_s, u"set"_s, u"e1"_s, bad}).exit, exits::usage);
    }

    // ------------------------------------------------------------------------------------------------------ run, submit
    void runCreatesAndSubmits()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/experiments", experiment("PREPARING", ""), 201);
        h.fake.json("POST /api/v1/experiments/e1/trials",
            R"({"trials":[{"id":"t1","sequenceId":0},{"id":"t2","sequenceId":1}],"revision":4})", 201);
        const Outcome outcome = h.run({u"run"_s, u"-n"_s, u"2"_s, u"--"_s, u"echo"_s, u"a b"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.out, u"e1\n"_s);
        QVERIFY2(outcome.err.startsWith(u"Experiment e1, train: 2 trials, 1 at a time.\n"_s), qPrintable(outcome.err));
        const FakeService::Request created = h.fake.requests("POST /api/v1/experiments").first();
        QCOMPARE(textOf(json(created.body), "trialCommand"), u"echo 'a b'"_s);
        QCOMPARE(textOf(json(created.body), "codeDir"), h.surroundings().workingDirectory);
        COMPARE_JSON(member(json(created.body), "environment"), json(R"({"PATH":"/usr/bin:/bin"})"));
        QVERIFY(created.headers.value("idempotency-key").size() >= 32);
        QCOMPARE(
            h.fake.requests("POST /api/v1/experiments/e1/trials").first().body, QByteArray("{\"trials\":[{},{}]}"));
    }

    void runOnAnotherPlatformKeepsOurEnvironment()
    {
        Harness h;
        h.fake.json("GET /api/v1/platforms", R"({"platforms":[{"id":"gpu","kind":"remote"}]})");
        h.fake.json("GET /api/v1/platforms/gpu", R"({"id":"gpu","kind":"remote"})");
        const Outcome outcome = h.run({u"run"_s, u"--on"_s, u"gpu"_s, u"--dry-run"_s, u"--"_s, u"x"_s});
        QCOMPARE(outcome.exit, exits::done);
        QVERIFY(member(json(outcome.out.toUtf8()), "environment").is_null());
        const Outcome wrong = h.run({u"run"_s, u"--dry-run"_s, u"--"_s, u"x"_s});
        QCOMPARE(wrong.exit, exits::refused);
        QVERIFY(wrong.err.contains(u"There is no platform `local`. There is: gpu."_s));
    }

    void submitKeepsEveryByte()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/experiments/e1/trials", R"({"trials":[{"id":"t5","sequenceId":5}]})", 201);
        h.writeFile(u"p.jsonl"_s, "{\"lr\": 1e-4}\n\n{\"lr\":0.10}\n");
        const Outcome outcome = h.run({u"submit"_s, u"-e"_s, u"e1"_s, u"-p"_s, u"{\"a\": 1.50}"_s, u"-p"_s,
            u"@"_s + h.path(u"p.jsonl"_s), u"--tag"_s, u"x"_s, u"--priority"_s, u"-2"_s, u"--hold"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.out, u"ID  #\nt5  5\n"_s);
        QCOMPARE(h.fake.requests("POST /api/v1/experiments/e1/trials").last().body,
            QByteArray(
                R"({"trials":[{"parameters":{"a": 1.50},"priority":-2,"hold":true,"tags":["x"]},{"parameters":{"lr": 1e-4},"priority":-2,"hold":true,"tags":["x"]},{"parameters":{"lr":0.10},"priority":-2,"hold":true,"tags":["x"]}]})"));
        h.writeFile(u"p.jsonl"_s, "{\"lr\": 1}\nnonsense\n");
        const Outcome bad = h.run({u"submit"_s, u"-e"_s, u"e1"_s, u"-p"_s, u"@"_s + h.path(u"p.jsonl"_s)});
        QCOMPARE(bad.exit, exits::usage);
        QVERIFY(bad.err.contains(u"Line 2"_s));
    }

    void createReadsAFile()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/experiments", experiment("PREPARING", ""), 201);
        h.writeFile(u"e.json"_s,
            R"({"experimentName":"n","trialCommand":"true","trialCodeDirectory":"src","environment":{"PATH":"/own"}})");
        QCOMPARE(h.run({u"experiment"_s, u"create"_s, u"e.json"_s}).out, u"e1\n"_s);
        const Json sent = json(h.fake.requests("POST /api/v1/experiments").last().body);
        QCOMPARE(textOf(sent, "trialCodeDirectory"), h.path(u"src"_s));
        COMPARE_JSON(member(sent, "environment"), json(R"({"PATH":"/own"})"));
        QCOMPARE(textOf(sent, "platformId"), u"local"_s);

        const Outcome dry = h.run({u"experiment"_s, u"create"_s, u"e.json"_s, u"--on"_s, u"gpu"_s, u"--dry-run"_s});
        const Json shown = json(dry.out.toUtf8());
        QCOMPARE(textOf(shown, "name"), u"n"_s);
        QCOMPARE(textOf(shown, "codeDir"), h.path(u"src"_s));
        QCOMPARE(textOf(shown, "platformId"), u"gpu"_s);
        QCOMPARE(h.fake.requests("POST /api/v1/experiments").size(), 1);

        h.writeFile(u"bad.json"_s, R"({"trialCommand":"true","colour":"red"})");
        const Outcome bad = h.run({u"experiment"_s, u"create"_s, u"bad.json"_s});
        QCOMPARE(bad.exit, exits::refused);
        QVERIFY2(bad.err.contains(u"colour"_s), qPrintable(bad.err));
    }

    // ------------------------------------------------------------------------------------------------------------- wait
    void waitsForAnExperiment_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("counts");
        QTest::addColumn<int>("exit");
        QTest::newRow("all good") << QByteArray("DONE") << QByteArray(R"("SUCCEEDED":3,"EARLY_STOPPED":1)")
                                  << exits::done;
        QTest::newRow("some failed") << QByteArray("DONE") << QByteArray(R"("SUCCEEDED":3,"FAILED":1)")
                                     << exits::trialFailed;
        QTest::newRow("cancelled") << QByteArray("STOPPED") << QByteArray(R"("SUCCEEDED":1,"USER_CANCELED":1)")
                                   << exits::trialFailed;
        QTest::newRow("error") << QByteArray("ERROR") << QByteArray() << exits::refused;
    }
    void waitsForAnExperiment()
    {
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, counts);
        QFETCH(int, exit);
        Harness h;
        fill(h);
        h.fake.events();
        QByteArray now = experiment("RUNNING", "\"RUNNING\":4");
        h.fake.on("GET /api/v1/experiments/e1", [&](const FakeService::Request&) -> FakeService::Reply {
            return {200, now};
        });
        h.fake.json("GET /api/v1/trials", "{\"trials\":[" + trial("t2", 1, "FAILED", "\"reason\":\"no luck\"") + "]}");
        int polls = 0;
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name != "GET /api/v1/experiments/e1" || ++polls > 1)
                return;
            now = experiment(state, counts, R"("best":{"trialId":"t1","value":0.93})");
            QTimer::singleShot(
                0, this, [&] { h.fake.push("{\"epoch\":\"x\",\"revision\":2,\"experiments\":[" + now + "]}"); });
        });
        const Outcome outcome = h.run({u"wait"_s, u"-e"_s, u"e1"_s});
        QCOMPARE(outcome.exit, exit);
        QVERIFY2(outcome.out.contains(u"train (e1) is "_s + QString::fromLatin1(state)), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains(u"Best: trial 0 (t1), its metric = 0.93, with lr=0.01\n"_s));
        QCOMPARE(outcome.out.contains(u"Trial 1 FAILED: no luck"_s), counts.contains("FAILED"));
        QVERIFY(outcome.err.contains(u"4 running"_s));
        QVERIFY(h.fake.requests("GET /api/v1/events").first().query().contains("experimentId=e1"));
        QCOMPARE(
            h.fake.requests("GET /api/v1/events").first().headers.value("accept"), QByteArray("application/x-ndjson"));
    }

    /// Of several attempts the last one counts.
    void waitForgivesWhatWasRetried_data()
    {
        QTest::addColumn<QByteArray>("second"); // how the second attempt ended
        QTest::addColumn<int>("exit");
        QTest::newRow("mended") << QByteArray("SUCCEEDED") << exits::done;
        QTest::newRow("failed again") << QByteArray("FAILED") << exits::trialFailed;
    }
    void waitForgivesWhatWasRetried()
    {
        QFETCH(QByteArray, second);
        QFETCH(int, exit);
        Harness h;
        fill(h);
        h.fake.events();
        h.fake.json("GET /api/v1/experiments/e1", experiment("DONE", R"("SUCCEEDED":1,"FAILED":1)"));
        h.fake.json("GET /api/v1/trials",
            "{\"trials\":[" + trial("t1", 0, "FAILED") + ',' + trial("t2", 1, second, R"("retryOf":"t1")") + "]}");
        const Outcome outcome = h.run({u"wait"_s, u"-e"_s, u"e1"_s, u"--json"_s});
        QCOMPARE(outcome.exit, exit);
        QCOMPARE(textOf(json(outcome.out.toUtf8()), "state"), u"DONE"_s);
    }

    void hintsNameTheSameService()
    {
        Harness h;
        fill(h);
        h.fake.events();
        const Outcome outcome = h.run({u"wait"_s, u"t2"_s, u"--timeout"_s, u"0.1"_s});
        const QString self = u"trialdeck --url %1 --token-file %2 "_s.arg(h.fake.url(), h.path(u"token"_s));
        QVERIFY2(outcome.err.contains(u"Look: "_s + self + u"list -e e1"_s), qPrintable(outcome.err));
    }

    void waitsForTrials()
    {
        Harness h;
        fill(h);
        h.fake.events();
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name == "GET /api/v1/events")
                QTimer::singleShot(0, this, [&] {
                    h.fake.push("{\"epoch\":\"x\",\"revision\":2,\"trials\":["
                        + trial("t2", 1, "FAILED", "\"reason\":\"boom\"") + "]}");
                });
        });
        const Outcome outcome = h.run({u"wait"_s, u"t1"_s, u"t2"_s});
        QCOMPARE(outcome.exit, exits::trialFailed);
        QVERIFY2(outcome.out.contains(u"t1  trial 0  SUCCEEDED  0.93\nt2  trial 1  FAILED  0.93  boom\n"_s),
            qPrintable(outcome.out));
        QCOMPARE(h.run({u"wait"_s, u"t1"_s, u"-q"_s}).exit, exits::done);
    }

    void waitGivesUpInTime()
    {
        Harness h;
        fill(h);
        h.fake.events();
        const Outcome outcome = h.run({u"wait"_s, u"t2"_s, u"--timeout"_s, u"0.2"_s});
        QCOMPARE(outcome.exit, exits::timeout);
        QVERIFY(outcome.err.contains(u"the trials go on"_s));
    }

    void waitSurvivesARestartOfTheService()
    {
        Harness h;
        fill(h);
        int streams = 0;
        h.fake.on("GET /api/v1/events", [&](const FakeService::Request& request) -> FakeService::Reply {
            ++streams;
            if (streams == 1)
                return {200, "{\"epoch\":\"x\",\"revision\":1}\n", {}, true};
            if (streams == 2)
                return {.hangUp = true};
            // Another life: what we were at is unknown to it.
            h.fake.json("GET /api/v1/trials/t2", trial("t2", 1, "SUCCEEDED"));
            return {200,
                request.query().contains("since=x.1") ? "{\"epoch\":\"y\",\"revision\":9,\"reset\":true}\n" : "{}\n",
                {}, true};
        });
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name == "GET /api/v1/trials/t2" && streams == 1)
                QTimer::singleShot(20, this, [&] { h.fake.closeStreams(false); });
        });
        const Outcome outcome = h.run({u"wait"_s, u"t2"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(streams, 3);
        QCOMPARE(outcome.err.count(u"trying again"_s), 1);
    }

    void interruptLeavesTrialsRunning()
    {
        Harness h;
        fill(h);
        h.fake.events();
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name == "GET /api/v1/events")
                QTimer::singleShot(20, this, [] { ::raise(SIGINT); });
        });
        const Outcome outcome = h.run({u"wait"_s, u"-e"_s, u"e1"_s});
        QCOMPARE(outcome.exit, exits::interrupted);
        QVERIFY2(outcome.err.contains(u"The trials go on."_s) && outcome.err.contains(u" experiment stop e1"_s),
            qPrintable(outcome.err));
        QCOMPARE(h.fake.requests("POST /api/v1/experiments/e1/stop").size(), 0);
    }

    // ------------------------------------------------------------------------------------------------ metrics, logs, pull
    void showsMetrics()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/trials/t1/metrics",
            R"({"metrics":[{"trialId":"t1","sequence":0,"type":"PERIODICAL","step":10,"value":0.5,"time":0},{"trialId":"t1","sequence":1,"type":"FINAL","step":null,"value":"NaN","time":0}],"next":2})");
        QCOMPARE(h.run({u"metrics"_s, u"t1"_s}).out,
            u"#  STEP  VALUE  TYPE\n0    10    0.5  PERIODICAL\n1          NaN  FINAL\n"_s);
        QCOMPARE(h.run({u"metrics"_s, u"t1"_s, u"-q"_s}).out, u"0.5\nNaN\n"_s);
        QCOMPARE(h.run({u"metrics"_s, u"t1"_s, u"--limit"_s, u"1"_s, u"-q"_s}).exit, exits::done);
        QVERIFY(h.fake.requests("GET /api/v1/trials/t1/metrics").last().query().contains("since=1"));
    }

    void followsMetricsWithoutGapsOrDoubles()
    {
        Harness h;
        fill(h);
        h.fake.events();
        const auto metric = [](int sequence) {
            return "{\"trialId\":\"t2\",\"sequence\":" + QByteArray::number(sequence)
                + ",\"value\":" + QByteArray::number(sequence) + "}";
        };
        int known = 1;
        h.fake.on("GET /api/v1/trials/t2/metrics", [&](const FakeService::Request& request) -> FakeService::Reply {
            QByteArray list;
            for (int i = request.query().mid(6).split('&').first().toInt(); i <= known; ++i)
                list += (list.isEmpty() ? "" : ",") + metric(i);
            return {200, "{\"metrics\":[" + list + "]}"};
        });
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name != "GET /api/v1/events")
                return;
            QTimer::singleShot(0, this, [&] {
                known = 5;
                h.fake.push("{\"metrics\":[" + metric(1) + ',' + metric(2) + "]}"); // one that was read already
                h.fake.push("{\"metrics\":[" + metric(4) + "]}");                   // 3 was left out: it is read
                h.fake.push("{\"metrics\":[],\"gaps\":[{\"trialId\":\"t2\",\"from\":6,\"to\":7}]}");
                h.fake.push("{\"metrics\":[" + metric(6) + "],\"trials\":[" + trial("t2", 1, "SUCCEEDED") + "]}");
            });
        });
        const Outcome outcome = h.run({u"metrics"_s, u"t2"_s, u"-f"_s, u"-q"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.out, u"0\n1\n2\n3\n4\n5\n6\n"_s);
    }

    void readsLogs()
    {
        Harness h;
        fill(h);
        QByteArray log;
        for (int i = 0; i < 3'000; ++i)
            log += "line " + QByteArray::number(i) + "\n";
        h.fake.on("GET /api/v1/trials/t1/logs/stdout", [&](const FakeService::Request& request) -> FakeService::Reply {
            const QByteArray query = '&' + request.query() + '&';
            const auto value = [&](const QByteArray& name, qint64 otherwise) {
                const qsizetype at = query.indexOf('&' + name + '=');
                return at < 0
                    ? otherwise
                    : query.mid(at + name.size() + 2, query.indexOf('&', at + 1) - at - name.size() - 2).toLongLong();
            };
            const qint64 tail = value("tail", -1);
            const qint64 offset = tail >= 0 ? std::max<qint64>(0, log.size() - tail) : value("offset", 0);
            const QByteArray part = log.mid(offset, std::min<qint64>(value("limit", log.size()), 10'000'000));
            return {200, part,
                {{"X-Next-Offset", QByteArray::number(offset + part.size())},
                    {"X-Size", QByteArray::number(log.size())}}};
        });
        QCOMPARE(h.run({u"logs"_s, u"t1"_s}).out, QString::fromUtf8(log));
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"-n"_s, u"2"_s}).out, u"line 2998\nline 2999\n"_s);
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"-n"_s, u"0"_s}).out, QString());
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"-n"_s, u"2500"_s}).out.count(u'\n'), 2'500);
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"-n"_s, u"99999"_s}).out, QString::fromUtf8(log));
        log = "no end of line";
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"-n"_s, u"1"_s}).out, u"no end of line"_s);
        log.clear();
        QCOMPARE(h.run({u"logs"_s, u"t1"_s}).out, QString());
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"--stderr"_s}).exit, exits::refused); // There is none: 404.
    }

    void followsALogOverABreak()
    {
        Harness h;
        fill(h);
        int streams = 0;
        h.fake.on("GET /api/v1/trials/t2/logs/stdout", [&](const FakeService::Request& request) -> FakeService::Reply {
            ++streams;
            if (streams == 1)
                return {200, "abc", {}, true};
            QTimer::singleShot(20, this, [&] {
                h.fake.json("GET /api/v1/trials/t2", trial("t2", 1, "SUCCEEDED"));
                h.fake.closeStreams(true);
            });
            return {200, request.query().contains("offset=3") ? "def" : "wrong", {}, true};
        });
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name.endsWith("/logs/stdout") && streams == 1)
                QTimer::singleShot(20, this, [&] { h.fake.closeStreams(false); });
        });
        const Outcome outcome = h.run({u"logs"_s, u"t2"_s, u"-f"_s});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.out, u"abcdef"_s);
    }

    void pullsFilesAndNothingOutside()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/trials/t1/files",
            R"({"files":[{"path":"model","folder":true},{"path":"model/best one.bin","size":5,"folder":false},{"path":"log.txt","size":3},{"path":"../evil","size":1},{"path":"/etc/evil","size":1}]})");
        h.fake.on("GET /api/v1/trials/t1/files/model/best%20one.bin", FakeService::Reply{200, "\x01\x00model", {}});
        h.fake.on("GET /api/v1/trials/t1/files/log.txt", FakeService::Reply{200, "abc", {}});
        const Outcome outcome = h.run({u"pull"_s, u"t1"_s});
        QCOMPARE(outcome.exit, exits::refused); // Two were refused,
        QCOMPARE(outcome.err.count(u"leads outside"_s), 2);
        QCOMPARE(h.readFile(u"trial-0/log.txt"_s), QByteArray("abc")); // and the others are there.
        QCOMPARE(h.readFile(u"trial-0/model/best one.bin"_s), QByteArray("\x01"));
        QVERIFY(!QFile::exists(h.path(u"evil"_s)));
        QCOMPARE(h.run({u"pull"_s, u"t1"_s, u"model/"_s, u"-q"_s}).out, u"trial-0/model/best one.bin\n"_s);
        QCOMPARE(h.run({u"pull"_s, u"t1"_s, u"mod"_s}).exit, exits::refused);
        // A download that breaks leaves the file as it was.
        h.fake.on("GET /api/v1/trials/t1/files/log.txt", FakeService::Reply{200, "xyz", {{"X-Size", "1000"}}, true});
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name.endsWith("/log.txt"))
                QTimer::singleShot(20, this, [&] { h.fake.closeStreams(false); });
        });
        QCOMPARE(h.run({u"pull"_s, u"t1"_s, u"log.txt"_s}).exit, exits::unreached);
        QCOMPARE(h.readFile(u"trial-0/log.txt"_s), QByteArray("abc"));
    }

    // ----------------------------------------------------------------------------------- platforms, machines, events, …
    void addsPlatforms()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/platform-kinds",
            R"({"kinds":[{"kind":"local","fields":[{"name":"maxTrialNumberPerGpu","type":"integer"}]}]})");
        h.fake.json("PUT /api/v1/platforms/local", R"({"id":"local"})");
        h.fake.json("PUT /api/v1/platforms/two", R"({"id":"two"})", 201);
        const Outcome there = h.run({u"platform"_s, u"add"_s, u"local"_s, u"maxTrialNumberPerGpu=2"_s});
        QCOMPARE(there.exit, exits::refused);
        QVERIFY(there.err.contains(u"--replace"_s));
        QCOMPARE(h.run({u"platform"_s, u"add"_s, u"local"_s, u"maxTrialNumberPerGpu=2"_s, u"--replace"_s}).exit,
            exits::done);
        COMPARE_JSON(json(h.fake.requests("PUT /api/v1/platforms/local").last().body),
            json(R"({"kind":"local","settings":{"maxTrialNumberPerGpu":2}})"));
        QCOMPARE(h.run({u"platform"_s, u"add"_s, u"locall"_s}).exit, exits::usage);
        h.writeFile(u"p.json"_s, R"({"id":"two","kind":"local","settings":{}})");
        QCOMPARE(h.run({u"platform"_s, u"add"_s, u"p.json"_s, u"-q"_s}).out, u"two\n"_s);
        COMPARE_JSON(
            json(h.fake.requests("PUT /api/v1/platforms/two").last().body), json(R"({"kind":"local","settings":{}})"));
    }

    void followsAPlatformCheck_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<int>("exit");
        QTest::newRow("good") << QByteArray("succeeded") << exits::done;
        QTest::newRow("bad") << QByteArray("failed") << exits::refused;
    }
    void followsAPlatformCheck()
    {
        QFETCH(QByteArray, state);
        QFETCH(int, exit);
        Harness h;
        fill(h);
        h.fake.events();
        h.fake.json("POST /api/v1/platforms/local/check", R"({"requestId":"r1"})", 202);
        h.fake.json("GET /api/v1/requests/r1",
            R"({"id":"r1","state":"running","steps":[{"id":"a","title":"Python","state":"ok","detail":"3.11"}]})");
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name == "GET /api/v1/requests/r1")
                QTimer::singleShot(0, this, [&, state] {
                    h.fake.push(R"({"requests":[{"id":"r1","state":")" + state
                        + R"(","message":"m","steps":[{"id":"a","title":"Python","state":"ok"},{"id":"b","title":"Disk","state":"fail","detail":"full","remedy":"Delete."}]}]})");
                });
        });
        const Outcome outcome = h.run({u"platform"_s, u"check"_s, u"loc"_s});
        QCOMPARE(outcome.exit, exit);
        QVERIFY2(outcome.out.startsWith(u"✓ Python: 3.11\n✗ Disk: full\n    Delete.\n"_s), qPrintable(outcome.out));
    }

    void showsMachinesAndGpus()
    {
        Harness h;
        h.fake.json("GET /api/v1/machines",
            R"({"machines":[{"id":"box","platformId":"gpu","state":"READY","cpu":{"count":8,"percent":12.4},"memory":{"total":1073741824,"used":536870912},"disk":{"free":1099511627776},
              "gpus":[{"index":0,"model":"A100","memoryTotal":1073741824,"memoryUsed":0,"utilization":5,"temperature":40,"processes":[],"reservations":[]},
                      {"index":1,"model":"A100","memoryTotal":1073741824,"memoryUsed":1073741824,"utilization":99,"temperature":80,
                       "processes":[{"pid":1,"user":"anna","name":"python","memoryUsed":1073741824,"compute":true,"trialId":null}],"reservations":[{"holder":"trial","trialId":"t1"}]}]},
              {"id":"cpu","platformId":"local","state":"READY","cpu":{"count":4},"memory":{"total":1,"used":1},"gpus":[],"gpuMessage":"no NVIDIA GPU: trials use 4 cores"}]})");
        const Outcome machines = h.run({u"machine"_s, u"list"_s});
        QVERIFY2(machines.out.contains(u"8 (12 %)  512.0 MiB / 1.0 GiB"_s)
                || machines.out.contains(u"8 (12 %)  512 MiB / 1.0 GiB"_s),
            qPrintable(machines.out));
        QVERIFY(machines.out.contains(u"1 of 2 free"_s));
        const Outcome gpus = h.run({u"gpus"_s});
        QVERIFY2(gpus.out.contains(u"t1 · anna: python, 1.0 GiB"_s), qPrintable(gpus.out));
        QVERIFY(gpus.out.contains(u"free"_s));
        QVERIFY(gpus.err.contains(u"cpu: no NVIDIA GPU: trials use 4 cores"_s));
        QCOMPARE(h.run({u"gpus"_s, u"-q"_s}).out, u"box/0\nbox/1\n"_s);
        h.fake.json("POST /api/v1/machines/box/drain", "{}");
        QCOMPARE(h.run({u"machine"_s, u"drain"_s, u"box"_s}).exit, exits::done);
        QCOMPARE(h.fake.requests("POST /api/v1/machines/box/drain").size(), 1);
    }

    void tellsEvents()
    {
        Harness h;
        h.fake.events(R"({"epoch":"ab","revision":7,"trials":[]})");
        QCOMPARE(h.run({u"events"_s}).out, u"ab.7\n"_s);
        h.fake.events("{\"epoch\":\"ab\",\"revision\":9,\"trials\":[" + trial("t1", 3, "SUCCEEDED") + "]}");
        const Outcome since = h.run({u"events"_s, u"--since"_s, u"ab.7"_s});
        QVERIFY2(since.out.contains(u"trial t1 (3) SUCCEEDED  on box GPU 1, metric 0.93\n"_s), qPrintable(since.out));
        QVERIFY(h.fake.requests("GET /api/v1/events").last().query().contains("since=ab.7"));
        QCOMPARE(h.run({u"events"_s, u"--since"_s, u"ab.7"_s, u"--json"_s}).out.count(u'\n'), 1);
        h.fake.events(R"({"epoch":"cd","revision":1,"reset":true})");
        QCOMPARE(h.run({u"events"_s, u"--since"_s, u"ab.7"_s}).exit, exits::refused);
    }

    void answersQuestions()
    {
        Harness h;
        h.fake.json("GET /api/v1/prompts",
            R"({"prompts":[{"id":"p1","kind":"hostKey","subject":"box","text":"SHA256:x","fields":[]},{"id":"p2","kind":"secret","subject":"key","text":"Passphrase","fields":[{"label":"Passphrase","echo":false}]}]})");
        h.fake.json("POST /api/v1/prompts/p1", "{}");
        h.fake.json("POST /api/v1/prompts/p2", "{}");
        QCOMPARE(h.run({u"prompts"_s, u"-q"_s}).out, u"p1\np2\n"_s);
        QCOMPARE(h.run({u"answer"_s, u"p1"_s}).exit, exits::usage);
        QCOMPARE(h.run({u"answer"_s, u"p1"_s, u"--accept"_s, u"--no-remember"_s}).exit, exits::done);
        COMPARE_JSON(
            json(h.fake.requests("POST /api/v1/prompts/p1").last().body), json(R"({"remember":false,"accept":true})"));
        QCOMPARE(h.run({u"answer"_s, u"p1"_s, u"--reject"_s}).exit, exits::done);
        COMPARE_JSON(json(h.fake.requests("POST /api/v1/prompts/p1").last().body), json(R"({"cancel":true})"));
        h.answers = {u"geheim"_s};
        const Outcome secret = h.run({u"answer"_s, u"p2"_s});
        QCOMPARE(secret.exit, exits::done);
        QVERIFY(!(secret.out + secret.err).contains(u"geheim"_s));
        COMPARE_JSON(json(h.fake.requests("POST /api/v1/prompts/p2").last().body),
            json(R"({"remember":true,"answers":["geheim"]})"));
    }

    // ---------------------------------------------------------------------------------------------------------- service
    void statusOfTheService()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/version", R"({"name":"trialdeck","version":"0.1.0"})");
        const Outcome outcome = h.run({u"service"_s, u"status"_s});
        QCOMPARE(outcome.exit, exits::done);
        QVERIFY2(outcome.out.contains(u"service  running\n"_s) && outcome.out.contains(u"trials   2 running\n"_s),
            qPrintable(outcome.out));
    }

    void stopsTheService()
    {
        Harness h;
        fill(h);
        const QString data = h.path(u"data"_s);
        QVERIFY(QDir().mkpath(data));
        QProcess holder;
        holder.start(QStringLiteral(LOCK_HOLDER),
            {data + u"/lock"_s, data + u"/endpoint.json"_s, h.fake.url(), h.path(u"token"_s)});
        QVERIFY(holder.waitForReadyRead());
        const qint64 pid = holder.processId();
        const Outcome outcome = h.runAsIs({u"service"_s, u"stop"_s, u"--data-dir"_s, data});
        QCOMPARE(outcome.exit, exits::done);
        QCOMPARE(outcome.out, u"Stopped the service (process %1). 2 trials go on running.\n"_s.arg(pid));
        QTRY_COMPARE(holder.state(), QProcess::NotRunning);
        const Outcome again = h.runAsIs({u"service"_s, u"stop"_s, u"--data-dir"_s, data});
        QCOMPARE(again.exit, exits::done);
        QVERIFY(again.err.contains(u"No service runs"_s));
        QCOMPARE(h.run({u"service"_s, u"stop"_s}).exit, exits::usage); // --url is not for it.
    }

    void installsNothingWithoutSystemd()
    {
        Harness h;
        const Outcome outcome = h.runAsIs({u"service"_s, u"install"_s});
        QCOMPARE(outcome.exit, exits::refused);
        QVERIFY(outcome.err.contains(u"no systemd for users"_s));
        QVERIFY(!QFile::exists(h.path(u".config"_s)));
    }

    void demoNeedsOnlyTheMeantFailure_data()
    {
        QTest::addColumn<QByteArray>("status"); // of the trial beside the one that fails on purpose
        QTest::addColumn<int>("exit");
        QTest::newRow("good") << QByteArray("SUCCEEDED") << exits::done;
        QTest::newRow("bad") << QByteArray("FAILED") << exits::trialFailed;
    }
    void demoNeedsOnlyTheMeantFailure()
    {
        QFETCH(QByteArray, status);
        QFETCH(int, exit);
        Harness h;
        fill(h);
        h.surroundings().demoFolder = h.path({});
        h.writeFile(u"experiment.json"_s,
            R"({"name":"Demo","platformId":"local","trialCommand":"x","codeDir":".","objective":{"metric":"accuracy","direction":"maximize"}})");
        h.writeFile(u"trials.json"_s, R"({"trials":[{"parameters":{"lr":1000},"tags":["fails on purpose"]}]})");
        h.fake.events();
        h.fake.json(
            "POST /api/v1/experiments", experiment("PREPARING", "").replace("\"default\"", "\"accuracy\""), 201);
        h.fake.json("POST /api/v1/experiments/e1/trials", R"({"trials":[{"id":"t1","sequenceId":0}]})", 201);
        h.fake.json("GET /api/v1/experiments/e1", experiment("DONE", R"("SUCCEEDED":1,"FAILED":1)"));
        h.fake.json("GET /api/v1/trials",
            "{\"trials\":[" + trial("t1", 0, "FAILED", "\"reason\":\"It diverged.\"") + ','
                + trial("t2", 1, status).replace("\"value\":0.93", "\"value\":{\"accuracy\":0.97}") + "]}");
        const Outcome outcome = h.run({u"--demo"_s});
        QCOMPARE(outcome.exit, exit);
        QVERIFY2(outcome.out.contains(u"It diverged."_s), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains(u"0.97"_s));
        QVERIFY(outcome.err.contains(u"one trial fails on purpose"_s));
        const Json sent = json(h.fake.requests("POST /api/v1/experiments").first().body);
        QCOMPARE(QDir(textOf(sent, "codeDir")).canonicalPath(), QDir(h.path({})).canonicalPath());
    }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
