// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs around platforms, machines, questions and the service itself, against a scripted one.
#include "command_samples.h"

#include "app/cli/json_view.h"

#include <QDir>
#include <QProcess>
#include <QTest>
#include <QTimer>
#include <QTranslator>

using namespace Qt::StringLiterals;
using namespace commands;

class TestCommandsService : public QObject
{
    Q_OBJECT

private slots:
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

    void queuesOfClustersAreListed()
    {
        Harness h;
        h.fake.json("GET /api/v1/platforms",
            R"({"platforms":[{"id":"local","kind":"local","state":"READY"},{"id":"lab","kind":"slurm","state":"READY",)"
            R"("queues":[{"name":"gpu","isOpen":true,"isDefault":true,"machines":3,"cpus":{"total":96,"free":40},)"
            R"("gpus":{"total":24,"free":6},"maxSeconds":172800},{"name":"old","isOpen":false,"isDefault":false,)"
            R"("machines":1,"cpus":{"total":0,"free":0},"gpus":{"total":0,"free":0},"maxSeconds":null,)"
            R"("message":"Slurm starts no jobs in it: drain."}]}]})");
        const QString out = h.run({u"platform"_s, u"list"_s}).out;
        for (const QString& words : {u"gpu (default)"_s, u"6 of 24 free"_s, u"40 of 96 free"_s, u"2 d"_s, u"old"_s,
                 u"closed"_s, u"no limit"_s, u"Slurm starts no jobs in it: drain."_s})
            QVERIFY2(out.contains(words), qPrintable(words + u"\n"_s + out));
        QCOMPARE(h.run({u"platform"_s, u"list"_s, u"-q"_s}).out, u"local\nlab\n"_s);
    }

    void sentencesAreInTheLanguageOfTheTerminal()
    {
        class Catalogue : public QTranslator
        {
        public:
            [[nodiscard]] bool isEmpty() const override { return false; }
            [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override
            {
                const bool ours = qstrcmp(context, "Message") == 0 && qstrcmp(text, "%1 does not answer.") == 0;
                return ours ? u"没有应答：%1。"_s : QString();
            }
        };
        Harness h;
        h.fake.json("GET /api/v1/platforms",
            R"({"platforms":[{"id":"lab","kind":"remote","state":"failed","message":"lab4 does not answer.",)"
            R"("messageKey":"%1 does not answer.","messageArguments":["lab4"]}]})");
        Catalogue catalogue;
        QCoreApplication::installTranslator(&catalogue);
        const Outcome table = h.run({u"platform"_s, u"list"_s});
        const Outcome machine = h.run({u"platform"_s, u"list"_s, u"--json"_s});
        QCoreApplication::removeTranslator(&catalogue);
        QVERIFY2(table.out.contains(u"没有应答：lab4。"_s), qPrintable(table.out + table.err));
        QVERIFY2(machine.out.contains(u"\"message\":\"lab4 does not answer.\""_s), qPrintable(machine.out));
        QVERIFY(h.run({u"platform"_s, u"list"_s}).out.contains(u"lab4 does not answer."_s));
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

    /// A terminal asks what the check waits for, and reads the answer; questions of others are only shown.
    void asksOnATerminal()
    {
        Harness h;
        fill(h);
        h.console.interactive = true;
        h.fake.events();
        h.fake.json("POST /api/v1/platforms/local/check", R"({"requestId":"r1"})", 202);
        h.fake.json("GET /api/v1/requests/r1", R"({"id":"r1","subject":"local","state":"running","steps":[]})");
        h.fake.json("GET /api/v1/prompts",
            R"({"prompts":[{"id":"p0","kind":"secret","subject":"lab.other","text":"Another?","fields":[{"label":"Code","echo":true}]},{"id":"p1","kind":"hostKey","subject":"local.box","text":"SHA256:x","fields":[]},{"id":"p2","kind":"secret","subject":"local.box","text":"It wants the password.","fields":[{"label":"Password","echo":false}]}]})");
        h.fake.json("POST /api/v1/prompts/p1", "{}");
        h.fake.json("POST /api/v1/prompts/p2", "{}");
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name == "POST /api/v1/prompts/p2")
                h.fake.json("GET /api/v1/requests/r1",
                    R"({"id":"r1","subject":"local","state":"failed","message":"No bash.","steps":[{"id":"a","title":"Shell","state":"fail","detail":"No bash."}]})");
        });
        h.answers = {u"y"_s, u"geheim"_s};
        const Outcome outcome = h.run({u"platform"_s, u"check"_s, u"loc"_s});
        QCOMPARE(outcome.exit, exits::refused);
        COMPARE_JSON(
            json(h.fake.requests("POST /api/v1/prompts/p1").last().body), json(R"({"accept":true,"remember":true})"));
        COMPARE_JSON(json(h.fake.requests("POST /api/v1/prompts/p2").last().body),
            json(R"({"remember":true,"answers":["geheim"]})"));
        QVERIFY2(outcome.err.contains(u"SHA256:x\nAccept? [y/N] "_s), qPrintable(outcome.err));
        QVERIFY2(outcome.err.contains(u"It wants the password.\nPassword: "_s), qPrintable(outcome.err));
        QVERIFY2(
            outcome.err.contains(u" answer p0"_s) && !outcome.err.contains(u" answer p1"_s), qPrintable(outcome.err));
        QVERIFY(!(outcome.out + outcome.err).contains(u"geheim"_s));
        // A failure is printed once.
        QCOMPARE((outcome.out + outcome.err).count(u"No bash."_s), 1);
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

QTEST_GUILESS_MAIN(TestCommandsService)
#include "tst_commands_service.moc"
