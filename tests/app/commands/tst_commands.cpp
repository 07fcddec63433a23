// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs against a scripted service: what they ask, what they print, and their exit codes.
#include "command_samples.h"

#include "app/cli/json_view.h"
#include "app/client/code_archive.h"
#include "app/commands/experiment_document.h"

#include <QCryptographicHash>
#include <QDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace commands;

class TestCommands : public QObject
{
    Q_OBJECT

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
        QCOMPARE(h.run({u"list"_s, u"--sort"_s, u"queue"_s}).exit, exits::done); // the first to be served comes first
        QCOMPARE(h.fake.requests("GET /api/v1/trials").last().query(), QByteArray("sort=queue&order=asc&limit=100"));
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

    void cancelOnASilentMachine_data()
    {
        QTest::addColumn<bool>("interactive");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("force");
        QTest::newRow("yes") << true << u"y"_s << true;
        QTest::newRow("no") << true << u"n"_s << false;
        QTest::newRow("a script") << false << QString() << false;
    }
    void cancelOnASilentMachine()
    {
        QFETCH(bool, interactive);
        QFETCH(QString, answer);
        QFETCH(bool, force);
        Harness h;
        fill(h);
        h.console.interactive = interactive;
        h.answers = {answer};
        h.fake.json("POST /api/v1/trials/cancel",
            R"({"ids":["t2"],"count":1,"outOfReach":[{"machineId":"lab.box","trialIds":["t2"]}]})");
        const Outcome outcome = h.run({u"cancel"_s, u"1"_s});
        QCOMPARE(outcome.exit, exits::done);
        QVERIFY2(outcome.err.contains(u"1 of these trials may run on lab.box"_s), qPrintable(outcome.err));
        QCOMPARE(outcome.err.contains(u"--force"_s), !force);
        const auto requests = h.fake.requests("POST /api/v1/trials/cancel");
        QCOMPARE(requests.size(), 2);
        QCOMPARE(json(requests[1].body).value("force", false), force);
    }

    void machineRemoveAsks_data()
    {
        QTest::addColumn<QByteArray>("live");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QStringList>("answers");
        QTest::addColumn<QList<QByteArray>>("queries");
        QTest::addColumn<int>("exit");
        const QByteArray plan("dryRun=true");
        QTest::newRow("yes") << QByteArray() << QStringList() << QStringList{u"y"_s} << QList<QByteArray>{plan, {}}
                             << int(exits::done);
        QTest::newRow("no") << QByteArray() << QStringList() << QStringList{u"n"_s} << QList<QByteArray>{plan}
                            << int(exits::refused);
        QTest::newRow("a script says so") << QByteArray() << QStringList{u"--yes"_s} << QStringList()
                                          << QList<QByteArray>{plan, {}} << int(exits::done);
        QTest::newRow("only looks") << QByteArray(R"("t7")") << QStringList{u"--dry-run"_s} << QStringList()
                                    << QList<QByteArray>{plan} << int(exits::done);
        // The service refuses it, with its sentence: nothing is asked.
        QTest::newRow("trials run") << QByteArray(R"("t7","t8")") << QStringList() << QStringList()
                                    << QList<QByteArray>{plan, {}} << int(exits::refused);
        QTest::newRow("trials run, by force")
            << QByteArray(R"("t7")") << QStringList{u"--force"_s} << QStringList{u"y"_s}
            << QList<QByteArray>{plan, "force=true"} << int(exits::done);
        QTest::newRow("trials run, by force, no")
            << QByteArray(R"("t7")") << QStringList{u"--force"_s} << QStringList{u"n"_s} << QList<QByteArray>{plan}
            << int(exits::refused);
    }
    void machineRemoveAsks()
    {
        QFETCH(QByteArray, live);
        QFETCH(QStringList, options);
        QFETCH(QStringList, answers);
        QFETCH(QList<QByteArray>, queries);
        QFETCH(int, exit);
        Harness h;
        fill(h);
        h.console.interactive = !answers.isEmpty();
        h.answers = answers;
        h.fake.on("DELETE /api/v1/machines/lab.box", [live](const FakeService::Request& request) -> FakeService::Reply {
            if (request.query() == "dryRun=true")
                return {200, R"({"id":"lab.box","address":"me@box","trialFolders":3,"liveTrials":[)" + live + "]}"};
            if (!live.isEmpty() && request.query().isEmpty())
                return {409, R"({"detail":"Trials of lab.box have not ended.","kind":"conflict"})"};
            return {200, R"({"message":"Nothing of it is left there."})"};
        });
        const Outcome outcome = h.run(QStringList{u"machine"_s, u"remove"_s, u"lab.box"_s} + options);
        QVERIFY2(outcome.exit == exit, qPrintable(QString::number(outcome.exit) + outcome.err));
        QList<QByteArray> asked;
        for (const FakeService::Request& request : h.fake.requests("DELETE /api/v1/machines/lab.box"))
            asked.append(request.query());
        QCOMPARE(asked, queries);
        // What will be deleted there, and whose work it is, comes before the question.
        QVERIFY2(outcome.err.contains(u"lab.box (me@box): 3 trial folders"_s), qPrintable(outcome.err));
        QCOMPARE(
            outcome.err.contains(u"have not ended: "_s + QString::fromUtf8(live).remove(u'"').replace(u","_s, u", "_s)),
            !live.isEmpty());
        QCOMPARE(outcome.err.contains(u"Removed machine `lab.box`. Nothing of it is left there."_s),
            exit == exits::done && queries.size() == 2);
    }

    /// Said when it is so, and not before.
    void machineAddSaysAddedWhenItIs()
    {
        Harness h;
        fill(h);
        h.fake.json(
            "GET /api/v1/platforms/lab", R"({"id":"lab","kind":"remote","settings":{"machineList":[{"host":"old"}]}})");
        h.fake.problem("PUT /api/v1/platforms/lab", 422, "invalid", "machineList[1]: this is no host.");
        const QStringList words{u"machine"_s, u"add"_s, u"--platform"_s, u"lab"_s, u"--no-check"_s, u"me@new"_s};
        const Outcome refused = h.run(words);
        QVERIFY(refused.exit != exits::done);
        QVERIFY2(
            refused.err.contains(u"this is no host"_s) && !refused.err.contains(u"Added"_s), qPrintable(refused.err));
        h.fake.json("PUT /api/v1/platforms/lab", R"({"id":"lab","kind":"remote"})");
        const Outcome done = h.run(words);
        QVERIFY2(done.exit == exits::done, qPrintable(done.err));
        QVERIFY2(done.err.contains(u"Added a machine to the platform `lab`"_s), qPrintable(done.err));
        const Json sent = json(h.fake.requests("PUT /api/v1/platforms/lab").last().body);
        QCOMPARE(int(sent["settings"]["machineList"].size()), 2);
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

    void notesAreWrittenAndShown()
    {
        Harness h;
        fill(h);
        h.fake.json("PATCH /api/v1/trials/t2", R"({"ids":["t2"],"count":1})");
        const Outcome none = h.run({u"note"_s, u"t2"_s});
        QCOMPARE(none.exit, exits::done);
        QCOMPARE(none.out, QString());
        QVERIFY2(none.err.contains(u"has no note"_s), qPrintable(none.err));
        const Outcome first = h.run({u"note"_s, u"t2"_s, u"größer"_s});
        QCOMPARE(first.exit, exits::done);
        COMPARE_JSON(json(h.fake.requests("PATCH /api/v1/trials/t2").first().body), json(R"({"note":"größer"})"));
        QCOMPARE(first.err, QString());
        Json noted = json(trial("t2", 1, "SUCCEEDED"));
        noted["note"] = "too high\nonce more";
        h.fake.json("GET /api/v1/trials/t2", core::dumpJson(noted));
        QCOMPARE(h.run({u"note"_s, u"t2"_s}).out, u"too high\nonce more\n"_s);
        QVERIFY(h.run({u"show"_s, u"t2"_s}).out.contains(u"too high"_s));
        const Outcome cleared = h.run({u"note"_s, u"t2"_s, {}});
        COMPARE_JSON(json(h.fake.requests("PATCH /api/v1/trials/t2").last().body), json(R"({"note":""})"));
        QVERIFY2(cleared.err.contains(u"too high"_s), qPrintable(cleared.err)); // what is lost is said
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

    /// Machines do not answer: a terminal is asked, a script says --force.
    void givesUpSilentMachines_data()
    {
        QTest::addColumn<bool>("interactive");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QList<QByteArray>>("queries");
        const QList<QByteArray> plain{{}};
        const QList<QByteArray> both{{}, "force=true"};
        QTest::newRow("yes") << true << u"y"_s << QStringList() << int(exits::done) << both;
        QTest::newRow("no") << true << u"n"_s << QStringList() << int(exits::refused) << plain;
        QTest::newRow("a script") << false << QString() << QStringList{u"-y"_s} << int(exits::refused) << plain;
        QTest::newRow("--yes is no answer to this")
            << true << QString() << QStringList{u"-y"_s} << int(exits::refused) << plain;
        QTest::newRow("--force") << false << QString() << QStringList{u"--force"_s} << int(exits::done)
                                 << QList<QByteArray>{"force=true"};
    }
    void givesUpSilentMachines()
    {
        QFETCH(bool, interactive);
        QFETCH(QString, answer);
        QFETCH(QStringList, options);
        QFETCH(int, exit);
        QFETCH(QList<QByteArray>, queries);
        for (const auto& [verb, target] : {std::pair(u"stop"_s, QByteArray("POST /api/v1/experiments/e1/stop")),
                 std::pair(u"delete"_s, QByteArray("DELETE /api/v1/experiments/e1"))}) {
            Harness h;
            fill(h);
            h.console.interactive = interactive;
            h.answers = {u"y"_s, answer}; // the first is to the question about all of its trials
            h.fake.on(target, [](const FakeService::Request& request) -> FakeService::Reply {
                if (request.query().contains("force=true"))
                    return {200, R"({"outOfReach":[{"machineId":"lab.box","trialIds":["t1"]}]})"};
                return {409,
                    R"({"detail":"lab.box does not answer: t1.","kind":"conflict","outOfReach":[{"machineId":"lab.box","trialIds":["t1"]}]})"};
            });
            const Outcome outcome = h.run(QStringList{u"experiment"_s, verb, u"e1"_s} + options);
            QVERIFY2(outcome.exit == exit, qPrintable(outcome.err));
            QList<QByteArray> asked;
            for (const FakeService::Request& request : h.fake.requests(target))
                asked.append(request.query());
            QCOMPARE(asked, queries);
            if (exit == exits::refused)
                QVERIFY2(outcome.err.contains(u"lab.box does not answer"_s), qPrintable(outcome.err));
            else
                QVERIFY2(outcome.err.contains(u"1 trial folders stay on lab.box"_s), qPrintable(outcome.err));
        }
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
        QVERIFY2(outcome.err.contains(u"\nExperiment e1, train: 2 trials, 1 at a time.\n"_s), qPrintable(outcome.err));
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

    void runTellsWhatStaysAtHome()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/experiments", experiment("PREPARING", ""), 201);
        h.fake.json("POST /api/v1/experiments/e1/trials", R"({"trials":[{"id":"t1","sequenceId":0}]})", 201);
        h.writeFile(u".env"_s, "KEY=1\n");
        QVERIFY(QDir(h.path({})).mkpath(u"xdg/trialdeck/platforms"_s));
        h.surroundings().environment.insert(u"XDG_CONFIG_HOME"_s, h.path(u"xdg"_s));
        for (const QString& option : {u"--dry-run"_s, u"--hold"_s}) {
            const Outcome outcome = option == u"--dry-run" ? h.run({u"run"_s, option, u"--"_s, u"x"_s})
                                                           : h.run({u"run"_s, u"--"_s, u"x"_s});
            QVERIFY2(outcome.exit == exits::done, qPrintable(outcome.err));
            QVERIFY2(outcome.err.contains(u".env is left out, as it may hold secrets."_s), qPrintable(outcome.err));
            QVERIFY2(outcome.err.contains(u"the line !/.env in "_s), qPrintable(outcome.err));
            QVERIFY2(
                outcome.err.contains(u"xdg/trialdeck is left out: it belongs to Trialdeck"_s), qPrintable(outcome.err));
        }
        // A token file in the folder, wherever it is named, and what looks like one.
        h.writeFile(u"mine.token"_s, "a token that a person made\n");
        h.writeFile(u"sub.token"_s, QByteArray(43, 'x') + '\n');
        h.surroundings().environment.insert(u"TRIALDECK_TOKEN_FILE"_s, u"mine.token"_s);
        const Outcome tokens = h.run({u"run"_s, u"--dry-run"_s, u"--"_s, u"x"_s});
        QVERIFY2(tokens.err.contains(u"mine.token is left out: it holds a token"_s), qPrintable(tokens.err));
        QVERIFY2(tokens.err.contains(u"sub.token is left out, as what it holds looks like a token"_s),
            qPrintable(tokens.err));
        h.surroundings().environment.remove(u"TRIALDECK_TOKEN_FILE"_s);
        QFile::remove(h.path(u"mine.token"_s));
        QFile::remove(h.path(u"sub.token"_s));
        const Outcome inPlace = h.run({u"run"_s, u"--dry-run"_s, u"--in-place"_s, u"--"_s, u"x"_s});
        QVERIFY2(!inPlace.err.contains(u"left out"_s), qPrintable(inPlace.err));
        for (int i = 0; i < 30; ++i)
            h.writeFile(u"%1.pem"_s.arg(i), "x");
        const Outcome many = h.run({u"run"_s, u"--dry-run"_s, u"--"_s, u"x"_s});
        QCOMPARE(many.err.count(u" is left out"_s), 20);
        QVERIFY2(many.err.contains(u"13 more are left out"_s), qPrintable(many.err));
    }

    void ourOwnFolderIsNoCode()
    {
        Harness h;
        fill(h);
        h.surroundings().environment.insert(u"XDG_DATA_HOME"_s, h.path(u"xdg"_s));
        QVERIFY(QDir(h.path({})).mkpath(u"xdg/trialdeck/code"_s));
        h.surroundings().workingDirectory = h.path(u"xdg/trialdeck/code"_s);
        const Outcome outcome = h.run({u"run"_s, u"--dry-run"_s, u"--"_s, u"x"_s});
        QCOMPARE(outcome.exit, exits::refused);
        QVERIFY2(outcome.err.contains(u"belongs to Trialdeck itself"_s), qPrintable(outcome.err));
    }

    void optionsAreTypedByTheKind()
    {
        Harness h;
        fill(h);
        h.fake.json(
            "GET /api/v1/platforms", R"({"platforms":[{"id":"lab","kind":"batch"},{"id":"here","kind":"plain"}]})");
        h.fake.json("GET /api/v1/platforms/lab", R"({"id":"lab","kind":"batch"})");
        h.fake.json("GET /api/v1/platforms/here", R"({"id":"here","kind":"plain"})");
        h.fake.json("GET /api/v1/platform-kinds",
            R"({"kinds":[{"kind":"plain","fields":[]},{"kind":"batch","fields":[],"experimentFields":[
                {"name":"image","type":"string"},{"name":"cpus","type":"integer"},{"name":"script","type":"text"},
                {"name":"roles","type":"table"}]}]})");
        const auto run = [&](const QStringList& options, const QString& on = u"lab"_s) {
            QStringList words{u"run"_s, u"--on"_s, on, u"--no-code"_s, u"--dry-run"_s};
            for (const QString& option : options)
                words << u"--option"_s << option;
            return h.run(words << u"--"_s << u"x"_s);
        };
        const Outcome good = run({u"image=x:1"_s, u"cpus=2"_s});
        QCOMPARE(good.exit, exits::done);
        COMPARE_JSON(member(json(good.out.toUtf8()), "platformOptions"), json(R"({"image":"x:1","cpus":2})"));
        // A table stays the text that it is: YAML, which the service reads.
        const Outcome table = run({u"roles=[{name: Master}, {name: Worker, count: 2}]"_s});
        QCOMPARE(table.exit, exits::done);
        COMPARE_JSON(member(json(table.out.toUtf8()), "platformOptions"),
            json(R"({"roles":"[{name: Master}, {name: Worker, count: 2}]"})"));
        QVERIFY(!member(json(run({}).out.toUtf8()), "platformOptions").is_object());
        const Outcome unknown = run({u"queue=x"_s});
        QCOMPARE(unknown.exit, exits::usage);
        QVERIFY2(unknown.err.contains(u"There is no option `queue`. There is: image, cpus, script, roles."_s),
            qPrintable(unknown.err));
        QCOMPARE(run({u"cpus=two"_s}).exit, exits::usage);
        const Outcome none = run({u"image=x"_s}, u"here"_s);
        QCOMPARE(none.exit, exits::usage);
        QVERIFY2(none.err.contains(u"The platform `here` takes no --option."_s), qPrintable(none.err));
    }

    void aPlatformIsTriedAgain()
    {
        Harness h;
        fill(h);
        h.fake.json("GET /api/v1/platforms", R"({"platforms":[{"id":"lab","kind":"batch"}]})");
        h.fake.json("POST /api/v1/platforms/lab/retry", R"({"id":"lab","kind":"batch","state":"OPENING"})");
        const Outcome outcome = h.run({u"platform"_s, u"retry"_s, u"lab"_s});
        QCOMPARE(outcome.exit, exits::done);
        QVERIFY2(outcome.err.contains(u"Platform `lab` is being opened again."_s), qPrintable(outcome.err));
        QCOMPARE(h.fake.requests("POST /api/v1/platforms/lab/retry").size(), 1);
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

    void codeIsSentToAServiceElsewhere()
    {
        Harness h;
        const QString folder = h.path(u"code"_s);
        QVERIFY(QDir().mkdir(folder));
        h.writeFile(u"code/train.py"_s, "print(1)\n");
        const auto packed = packFolder(folder, {});
        QVERIFY2(packed, packed ? "" : qPrintable(packed.error().message));
        const QByteArray address = "/api/v1/code/" + packed->code.sha256.toLatin1();
        int status = 404;
        h.fake.on("HEAD " + address, [&](const auto&) { return FakeService::Reply{status, "{}"}; });
        h.fake.on("PUT " + address, [&](const auto&) { return FakeService::Reply{201, "{}"}; });
        const auto send = [&] {
            Json experiment = {{"name", "x"}, {"codeDir", folder}, {"codeMode", "inPlace"}};
            const Outcome outcome = h.runAsIs({u"list"_s}, [&](Context& context) {
                ServiceClient client(Endpoint{.url = h.fake.url()}, "secret");
                const Result<> sent = sendCode(context, client, folder, experiment);
                return sent ? exits::done : context.failed(sent);
            });
            return outcome.exit == exits::done ? core::dumpJson(experiment) : outcome.err.toUtf8();
        };
        const QByteArray wanted = "{\"name\":\"x\",\"codeHash\":\"" + packed->code.sha256.toLatin1() + "\"}";
        QCOMPARE(send(), wanted);
        status = 200; // it has it now
        QCOMPARE(send(), wanted);
        const auto sent = h.fake.requests("PUT " + address);
        QCOMPARE(sent.size(), 1);
        QCOMPARE(QString::fromLatin1(QCryptographicHash::hash(sent[0].body, QCryptographicHash::Sha256).toHex()),
            packed->code.sha256);
        QVERIFY(QDir(folder).removeRecursively());
        QVERIFY(send().contains("codeDir")); // not here: it may be one of the service's
    }

    void createReadsAFile()
    {
        Harness h;
        fill(h);
        h.fake.json("POST /api/v1/experiments", experiment("PREPARING", ""), 201);
        h.writeFile(u"e.json"_s,
            R"({"experimentName":"n","trialCommand":"true","trialCodeDirectory":"src","environment":{"PATH":"/own"}})");
        QVERIFY(QDir(h.path({})).mkpath(u"src"_s));
        h.writeFile(u"src/.env"_s, "KEY=1\n");
        const Outcome created = h.run({u"experiment"_s, u"create"_s, u"e.json"_s});
        QCOMPARE(created.out, u"e1\n"_s);
        QVERIFY2(created.err.contains(u".env is left out, as it may hold secrets."_s), qPrintable(created.err));
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
};

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
