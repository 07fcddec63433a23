// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs that wait, follow, and bring home what trials leave: against a scripted service, its restarts and its breaks.
#include "command_samples.h"

#include "app/cli/json_view.h"

#include <QTest>
#include <QTimer>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace commands;

class TestCommandsFollow : public QObject
{
    Q_OBJECT

private slots:
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
    void waitTellsHowToReadTheOutput()
    {
        Harness h;
        fill(h);
        h.fake.events();
        h.fake.json("GET /api/v1/experiments/e1", experiment("DONE", R"("SUCCEEDED":2)"));
        h.fake.json("GET /api/v1/trials", "{\"trials\":[{\"id\":\"t1\",\"metricCount\":0}]}");
        h.fake.json("GET /api/v1/trials/t1/logs", R"({"output":["trial.log"],"logs":[]})");
        h.fake.json("GET /api/v1/trials/t1/logs/trial.log", "epoch 1 val_loss=0.7\nepoch 2 val_loss=0.5\n");
        const Outcome outcome = h.run({u"wait"_s, u"-e"_s, u"e1"_s});
        QCOMPARE(outcome.exit, exits::done);
        const QString line = outcome.out.trimmed().split(u'\n').last();
        QVERIFY2(
            line.startsWith(
                u"No value was reported, but trial t1 prints one in 2 of its lines. To read it: --metric 'val_loss=(?<value>"_s),
            qPrintable(line));
        QVERIFY2(line.endsWith(u")' --minimize val_loss"_s), qPrintable(line));
        // Not where values came, or where the output has none.
        h.fake.json("GET /api/v1/trials", "{\"trials\":[{\"id\":\"t1\",\"metricCount\":3}]}");
        QVERIFY(!h.run({u"wait"_s, u"-e"_s, u"e1"_s}).out.contains(u"--metric"_s));
        h.fake.json("GET /api/v1/trials", "{\"trials\":[{\"id\":\"t1\",\"metricCount\":0}]}");
        h.fake.json("GET /api/v1/trials/t1/logs/trial.log", "hello\n");
        QVERIFY(!h.run({u"wait"_s, u"-e"_s, u"e1"_s}).out.contains(u"--metric"_s));
        h.fake.json("GET /api/v1/trials/t1/logs/trial.log", "loss=1\nloss=0\n");
        h.fake.json("GET /api/v1/experiments/e1",
            experiment("DONE", R"("SUCCEEDED":2)", R"j("metricPattern":"x(?<value>.)")j"));
        QVERIFY(!h.run({u"wait"_s, u"-e"_s, u"e1"_s}).out.contains(u"--metric"_s));
    }
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

    void aLogCannotControlATerminal()
    {
        Harness h;
        fill(h);
        const QByteArray log = "\x1b[31mred\x1b[0m\x1b[2J\x1b]0;title\x07\n";
        h.fake.on("GET /api/v1/trials/t1/logs/stdout",
            FakeService::Reply{200, log,
                {{"X-Next-Offset", QByteArray::number(log.size())}, {"X-Size", QByteArray::number(log.size())}}});
        QCOMPARE(h.run({u"logs"_s, u"t1"_s}).out, QString::fromUtf8(log));
        h.console.outIsTerminal = true;
        QCOMPARE(h.run({u"logs"_s, u"t1"_s}).out, u"\x1b[31mred\x1b[0m␛[2J␛]0;title␇\n"_s);
        QCOMPARE(h.run({u"logs"_s, u"t1"_s, u"--raw"_s}).out, QString::fromUtf8(log));
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
        // All pages of a list are read, and entries that cannot be read are named.
        h.fake.on("GET /api/v1/trials/t2/files", [](const FakeService::Request& request) {
            return FakeService::Reply{200,
                request.query() == "after=b%3D20c"
                    ? R"({"files":[{"path":"last","size":3,"folder":false,"type":"file"}],"next":null})"
                    : R"({"files":[{"path":"gone","size":3,"folder":false,"type":"file"},{"path":"pipe","size":0,"folder":false,"type":"other"}],"next":"b=20c"})",
                {}};
        });
        h.fake.on("GET /api/v1/trials/t2/files/last", FakeService::Reply{200, "end", {}});
        h.fake.problem("GET /api/v1/trials/t2/files/gone", 404, "not_found", "The trial has no such file.");
        const Outcome pieces = h.run({u"pull"_s, u"t2"_s});
        QCOMPARE(pieces.exit, exits::refused);
        QCOMPARE(h.readFile(u"trial-1/last"_s), QByteArray("end"));
        QVERIFY2(
            pieces.err.contains(u"trial-1/gone was left out. The trial has no such file."_s), qPrintable(pieces.err));
        QVERIFY2(pieces.err.contains(u"trial-1/pipe was left out. It is no file"_s), qPrintable(pieces.err));
        // A service that names the same place again is not asked for ever.
        h.fake.json("GET /api/v1/trials/t2/files", R"({"files":[],"next":"x"})");
        QCOMPARE(h.run({u"pull"_s, u"t2"_s}).exit, exits::refused);
        // A download that breaks leaves the file as it was.
        h.fake.on("GET /api/v1/trials/t1/files/log.txt", FakeService::Reply{200, "xyz", {{"X-Size", "1000"}}, true});
        connect(&h.fake, &FakeService::requested, this, [&](const QByteArray& name) {
            if (name.endsWith("/log.txt"))
                QTimer::singleShot(20, this, [&] { h.fake.closeStreams(false); });
        });
        QCOMPARE(h.run({u"pull"_s, u"t1"_s, u"log.txt"_s}).exit, exits::unreached);
        QCOMPARE(h.readFile(u"trial-0/log.txt"_s), QByteArray("abc"));
    }
};

QTEST_GUILESS_MAIN(TestCommandsFollow)
#include "tst_commands_follow.moc"
