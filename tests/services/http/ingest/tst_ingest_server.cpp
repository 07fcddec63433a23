// SPDX-License-Identifier: GPL-3.0-or-later
// What trials may ask where they post their metrics, and what they are answered.
#include "ingest_fixture.h"

#include "tests/contract/openapi_document.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using enum api::PostReply::Verdict;

class TestIngestServer : public QObject
{
    Q_OBJECT
private slots:
    void answers()
    {
        IngestFixture server;
        QCOMPARE(server.post(lineOf(0, "0.5") + lineOf(1, "NaN")).body, QByteArray("{\"offset\":2}"));
        QCOMPARE(server.post(lineOf(1, "7") + lineOf(2, "{\"a\": 1}")).body, QByteArray("{\"offset\":3}"));
        QCOMPARE(server.post({}).body, QByteArray("{\"offset\":3}"));
        QCOMPARE(server.posts.texts(ingestTrial), QList<QByteArray>({"0.5", "NaN", "{\"a\": 1}"}));
        // The next one's connection may be the same.
        RawClient client(server.port());
        for (int i = 3; i < 6; ++i) {
            client.send(postText(ingestTrial, lineOf(i, "1"), tokenOf(ingestTrial)));
            QCOMPARE(client.response().body, "{\"offset\":" + QByteArray::number(i + 1) + '}');
        }
        // Or its body comes in chunks, or after it was asked for.
        client.send("POST /ingest/v1/t00000000000001?run=2 HTTP/1.1\r\nHost: x\r\nauthorization: bearer "
            + tokenOf(ingestTrial) + "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"off\r\n");
        client.send("18\r\nset\": 6, \"metric\": 0.75}\r\n0\r\n\r\n");
        QCOMPARE(client.response().body, QByteArray("{\"offset\":7}"));
        QCOMPARE(server.posts.lastRun(), 2);
        const QByteArray text = postText(ingestTrial, lineOf(7, "1"), tokenOf(ingestTrial), "Expect: 100-continue\r\n");
        const qsizetype end = text.indexOf("\r\n\r\n") + 4;
        client.send(text.left(end));
        QCOMPARE(client.line(), QByteArray("HTTP/1.1 100 Continue"));
        QCOMPARE(client.line(), QByteArray());
        client.send(text.mid(end));
        QCOMPARE(client.response().body, QByteArray("{\"offset\":8}"));
        QCOMPARE(server.posts.texts(otherTrial), QList<QByteArray>());
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("status");
        const QByteArray own = tokenOf(ingestTrial);
        const QByteArray good = lineOf(0, "1");
        const auto add = [](const char* name, const QByteArray& text, int status) {
            QTest::newRow(name) << text << status;
        };
        add("gap", postText(ingestTrial, lineOf(1, "1"), own), 409);
        add("no token", "POST /ingest/v1/t00000000000001 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 401);
        add("another trial's token", postText(ingestTrial, good, tokenOf(otherTrial)), 401);
        add("the API's token", postText(ingestTrial, good, testToken), 401);
        add("two tokens", postText(ingestTrial, good, own, "Authorization: Bearer " + own + "\r\n"), 401);
        add("the key itself", postText(ingestTrial, good, ingestKey), 401);
        add("no such trial", postText(TrialId(u"t9"_s), good, own), 401);
        add("one that was deleted", postText(TrialId(u"t9"_s), good, tokenOf(TrialId(u"t9"_s))), 404);
        add("a name that is no id", postText(TrialId(u"T1"_s), good, tokenOf(TrialId(u"T1"_s))), 401);
        add("half a line", postText(ingestTrial, good + "{\"offset\": 1, \"met", own), 400);
        add("no object", postText(ingestTrial, "0.5\n", own), 400);
        add("a query", postText(ingestTrial, good, own, {}, "?token=x"), 400);
        add("a negative run", postText(ingestTrial, good, own, {}, "?run=-1"), 400);
        add("a run twice", postText(ingestTrial, good, own, {}, "?run=1&run=1"), 400);
        add("GET", "GET /ingest/v1/t00000000000001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + own + "\r\n\r\n",
            405);
        add("a page in a browser", postText(ingestTrial, good, own, "Origin: http://127.0.0.1\r\n"), 403);
        add("a form in a browser", postText(ingestTrial, good, own, "Sec-Fetch-Site: none\r\n"), 403);
        add("a long line", postText(ingestTrial, lineOf(0, '"' + QByteArray(1100 * 1024, 'x') + '"'), own), 413);
        add("a long header", postText(ingestTrial, good, own, "X: " + QByteArray(9000, 'x') + "\r\n"), 431);
        for (const char* target : {"/", "/api/v1/health", "/api/v1/version", "/api/v1/trials", "/metrics", "/ingest",
                 "/ingest/v1", "/ingest/v1/", "/ingest/v1/t00000000000001/", "/ingest/v1/t00000000000001/x",
                 "/ingest/v2/t00000000000001", "/api/v1/openapi.yaml", "/api/v1/nni-pai", "/api/v1/nni-pai/x/y/z",
                 "//ingest/v1/t00000000000001", "*", "http://x/ingest/v1/t00000000000001"})
            add(target,
                QByteArray("POST ") + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + own
                    + "\r\nContent-Length: 0\r\n\r\n",
                404);
    }

    void refusals()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, status);
        http::IngestLimits limits;
        limits.refusalMs = 10;
        IngestFixture server(limits);
        const RawResponse response = server.exchange(text);
        QCOMPARE(response.status, status);
        QVERIFY(server.posts.texts(ingestTrial).isEmpty());
        QVERIFY(server.posts.texts(otherTrial).isEmpty());
        const Json problem = response.json();
        QCOMPARE(problem["status"].get<int>(), status);
        QVERIFY(!problem["detail"].get<QString>().isEmpty());
        QVERIFY(!response.body.contains(tokenOf(ingestTrial)));
        QCOMPARE(problem.contains("offset"), status == 409);
        if (QByteArrayView(QTest::currentDataTag()) != "GET" && text.contains("/ingest/v1/t00000000000001 ")) {
            const QString wrong = m_document.replyProblem(
                "/ingest/v1/{trial}", "post", status, response.headers["content-type"], response.body);
            const bool isCommon = status == 403 || status == 431 || status == 404;
            QVERIFY2(wrong.isEmpty() || isCommon, qPrintable(wrong));
        }
    }

    void mark()
    {
        IngestFixture server;
        const QByteArray get = "GET /ingest/v1 HTTP/1.1\r\nHost: x\r\n\r\n";
        const RawResponse response = server.exchange(get);
        QCOMPARE(response.status, 200);
        QCOMPARE(m_document.replyProblem("/ingest/v1", "get", 200, response.headers["content-type"], response.body),
            QString());
        const QByteArray mark = trial::ingestMark(ingestKey);
        QCOMPARE(response.body, "{\"mark\":\"" + mark + "\"}");
        QCOMPARE(mark.size(), 22);
        QVERIFY(mark != trial::ingestMark(ingestKey + 'x'));
        QVERIFY(!tokenOf(ingestTrial).startsWith(mark));
        QCOMPARE(server.exchange("GET /ingest/v1?x=1 HTTP/1.1\r\nHost: x\r\n\r\n").status, 404);
        QCOMPARE(server.exchange("GET /ingest/v1 HTTP/1.1\r\nHost: x\r\nOrigin: http://127.0.0.1\r\n\r\n").status, 403);
        QCOMPARE(server.posts.posts(), 0);
    }

    void wrongTokensTellNothing()
    {
        IngestFixture server;
        // With and without such a trial, or with its API token: byte by byte the same, but for the date.
        QList<QByteArray> answers;
        for (const auto& [trial, token] :
            {std::pair(ingestTrial, tokenOf(otherTrial)), std::pair(TrialId(u"t0000"_s), tokenOf(otherTrial)),
                std::pair(ingestTrial, QByteArray(testToken)), std::pair(ingestTrial, QByteArray("x"))}) {
            RawClient client(server.port());
            QElapsedTimer timer;
            timer.start();
            client.send(postText(trial, lineOf(0, "1"), token));
            const RawResponse response = client.response();
            QVERIFY(timer.elapsed() >= 450); // guessing is slow
            QCOMPARE(response.status, 401);
            answers.append(response.body);
            QVERIFY(client.closesWithin(5000));
        }
        for (const QByteArray& answer : answers)
            QCOMPARE(answer, answers.first());
        QCOMPARE(server.posts.posts(), 0);
        QVERIFY(server.get("/metrics").body.contains("\ntrialdeck_ingest_refused_total 4\n"));
    }

    void verdicts()
    {
        IngestFixture server;
        QCOMPARE(server.post(lineOf(0, "1")).status, 200);
        for (const auto& [verdict, status] :
            {std::pair(notStarted, 409), std::pair(earlierRun, 409), std::pair(ended, 410)}) {
            server.posts.setVerdict(verdict);
            const RawResponse response = server.post(lineOf(1, "1"));
            QCOMPARE(response.status, status);
            QCOMPARE(response.json()["offset"].get<int>(), 1);
            QCOMPARE(m_document.replyProblem(
                         "/ingest/v1/{trial}", "post", status, response.headers["content-type"], response.body),
                QString());
        }
        server.posts.setVerdict(taken);
        server.posts.setError(Error{Kind::resource, u"The disk is full."_s, {}});
        QCOMPARE(server.post(lineOf(1, "1")).status, 503);
        server.posts.setError(Error{Kind::cancelled, u"The service is ending."_s, {}});
        QCOMPARE(server.post(lineOf(1, "1")).status, 503);
    }

    void keeper()
    {
        IngestFixture server;
        const QByteArray record =
            R"({\"parameter_id\": 7, \"trial_job_id\": \"x\", \"type\": \"PERIODICAL\", \"sequence\": 0, \"value\": \"0.5\"})";
        const auto post = [&](const QByteArray& route, const QByteArray& experiment, const QByteArray& body) {
            return server.exchange("POST /api/v1/nni-pai/" + route + '/' + experiment
                + "/t00000000000001 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + QByteArray::number(body.size()) + "\r\n\r\n" + body);
        };
        const QByteArray own = "t00000000000001." + tokenOf(ingestTrial);
        const QByteArray line =
            "{\"tag\": \"trial\", \"stdOutputType\": \"Stdout\", \"msg\": \"NNISDK_MEb'" + record + "'\"}";
        QCOMPARE(post("version", own, "{\"tag\": \"VCSuccess\"}").status, 200);
        QCOMPARE(post("stdout", own, line).status, 200);
        QCOMPARE(post("stdout", "exp." + own, line).status, 200); // what stands before is NNI's
        QCOMPARE(post("stdout", own, "{\"tag\": \"trial\", \"msg\": \"epoch 1\"}").status, 200);
        QCOMPARE(post("stdout", own, "{\"tag\": \"trial_keeper\", \"msg\": \"spawns\"}").status, 200);
        QCOMPARE(post("update-metrics", own, "{\"jobId\": \"x\", \"metrics\": [\"" + record + "\"]}").status, 200);
        QCOMPARE(server.posts.texts(ingestTrial), QList<QByteArray>({"0.5", "0.5", "0.5"}));
        QVERIFY(server.get("/metrics").body.contains("\ntrialdeck_ingest_dropped_lines_total 2\n"));
        QCOMPARE(post("stdout", own, "{\"tag\": \"trial\", \"msg\": \"NNISDK_MEb'{'\"}").status, 400);
        for (const QByteArray& wrong :
            {QByteArray("exp"), QByteArray("t00000000000001"), QByteArray("t00000000000001."),
                "t00000000000001." + tokenOf(otherTrial), "t00000000000002." + tokenOf(ingestTrial),
                tokenOf(ingestTrial), QByteArray("."), QByteArray(".."), own + '.', own + ".x", own + "%00"}) {
            const int status = post("stdout", wrong, line).status;
            QVERIFY2(status == 403 || status == 404, wrong + ' ' + QByteArray::number(status));
        }
        QCOMPARE(server.posts.texts(ingestTrial).size(), 3);
        QCOMPARE(post("stdout?x=1", own, line).status, 404);
        const QByteArray get = "GET /api/v1/nni-pai/parameter-file-meta HTTP/1.1\r\nHost: x\r\n\r\n";
        const RawResponse parameters = server.exchange(get);
        QCOMPARE(parameters.status, 200);
        QCOMPARE(parameters.body, QByteArray("[]"));
        server.posts.setVerdict(ended);
        QCOMPARE(post("stdout", own, line).status, 410);
    }

    void theApiKnowsNothingOfIt()
    {
        IngestFixture server;
        QCOMPARE(server.get("/ingest/v1/t00000000000001").status, 404);
        QCOMPARE(server.get("/api/v1/nni-pai/parameter-file-meta").status, 404);
        const Json version = server.get("/api/v1/version").json();
        QVERIFY(!version.contains("ingest")); // it was not told of it
    }

    void stoppedWhileItIsBusy()
    {
        http::IngestLimits limits;
        limits.headerMs = 80; // it ticks each 20 ms
        IngestFixture server(limits);
        QCOMPARE(server.post(lineOf(0, "1")).status, 200);
        server.stopBusy(200);
        const RawClient late(server.port());
        QCOMPARE(server.get("/api/v1/health").status, 200); // behind what was in the queue
    }

    void addresses()
    {
        auto first = http::IngestSocket::bind(u"127.0.0.1"_s, 0);
        QVERIFY(first.has_value());
        QVERIFY(first->isLoopback());
        QVERIFY(first->port() > 0);
        const auto second = http::IngestSocket::bind(u"127.0.0.1"_s, first->port());
        QVERIFY(!second.has_value());
        QCOMPARE(second.error().kind, Kind::conflict);
        QCOMPARE(http::IngestSocket::bind(u"gpu-box"_s, 0).error().kind, Kind::invalid);
        QCOMPARE(http::IngestSocket::bind(u"192.0.2.1"_s, 0).error().kind, Kind::resource);
        QVERIFY(!http::IngestSocket::bind(u"0.0.0.0"_s, 0)->isLoopback());
        QCOMPARE(http::ingestUrl(u"10.0.0.1"_s, 8650, false), u"http://10.0.0.1:8650"_s);
        QCOMPARE(http::ingestUrl(u"::1"_s, 8650, true), u"https://[::1]:8650"_s);
        QCOMPARE(http::ingestUrl(u"localhost"_s, 1, false), u"http://127.0.0.1:1"_s);
        const QString own = http::ingestUrl(u"0.0.0.0"_s, 8650, false);
        QVERIFY(!own.contains(u"0.0.0.0"_s) && own.endsWith(u":8650"_s));
    }

private:
    contract::OpenApiDocument m_document;
};

QTEST_GUILESS_MAIN(TestIngestServer)
#include "tst_ingest_server.moc"
