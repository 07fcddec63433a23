// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/ingest_token.h"
#include "services/trial/posted_metrics.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace trial;

namespace {

QString wordOf(const PostedMetric& posted)
{
    const ParsedMetric& m = posted.metric;
    return QString::number(posted.offset) + u' ' + metricTypeName(m.type)
        + (m.step ? u'#' + QString::number(*m.step) : QString()) + u'=' + QString::fromUtf8(m.data);
}

/// "0 PERIODICAL#3=0.5", one a record.
QStringList words(const std::vector<PostedMetric>& metrics)
{
    QStringList list;
    for (const PostedMetric& posted : metrics)
        list.append(wordOf(posted));
    return list;
}

const QByteArray record =
    R"({"parameter_id": 7, "trial_job_id": "x", "type": "PERIODICAL", "sequence": 2, "value": "0.5"})";

QByteArray keeperLine(const QByteArray& line, const QByteArray& tag = "trial")
{
    Json json{{"tag", QString::fromUtf8(tag)}, {"stdOutputType", "Stdout"}, {"msg", QString::fromUtf8(line)}};
    return dumpJson(json);
}

} // namespace

class TestPostedMetrics : public QObject
{
    Q_OBJECT
private slots:
    void lines()
    {
        const auto read =
            readPostedLines("{\"offset\": 0, \"metric\": 0.5}\r\n\n"
                            "{\"metric\": {\"loss\": 2, \"default\": NaN}, \"step\": 7, \"offset\": 1, \"more\": [1]}\n"
                            " {\"offset\":2,\"metric\":1,\"type\":\"FINAL\"}");
        QVERIFY(read.has_value());
        QCOMPARE(words(*read),
            QStringList({u"0 PERIODICAL=0.5"_s, u"1 PERIODICAL#7={\"loss\": 2, \"default\": NaN}"_s, u"2 FINAL=1"_s}));
        QCOMPARE(read->at(0).metric.value.number, 0.5);
        QVERIFY(std::isnan(read->at(1).metric.value.number));
        QVERIFY(read->at(1).metric.value.object.contains("\"loss\""));
        QCOMPARE(words(*readPostedLines("")), QStringList());
        QCOMPARE(words(*readPostedLines("\n\r\n ")), QStringList());
        // In whatever order they come: the engine knows which are next.
        QCOMPARE(words(*readPostedLines("{\"offset\":9223372036854775807,\"metric\":1}\n{\"offset\":0,\"metric\":2}")),
            QStringList({u"9223372036854775807 PERIODICAL=1"_s, u"0 PERIODICAL=2"_s}));
    }

    void unreadableLines_data()
    {
        QTest::addColumn<QByteArray>("bad");
        QTest::addColumn<QString>("why");
        QTest::addColumn<bool>("isTooLarge");
        const auto add = [](const char* name, const QByteArray& bad, const QString& why, bool isTooLarge = false) {
            QTest::newRow(name) << bad << why << isTooLarge;
        };
        add("half an object", "{\"offset\": 1, \"metric\": 0.", u"no JSON object"_s);
        add("half a word", "{\"offset\": 1, \"metric\": Infin", u"no JSON object"_s);
        add("behind it", "{\"offset\": 1, \"metric\": 1} x", u"no JSON object"_s);
        add("a list", "[1]", u"no JSON object"_s);
        add("a number", "7", u"no JSON object"_s);
        add("garbage", QByteArray("\0\xff\xfe{", 4), u"no JSON object"_s);
        add("no metric", "{\"offset\": 1}", u"no member \"metric\""_s);
        add("no offset", "{\"metric\": 1}", u"offset is no whole number"_s);
        add("negative offset", "{\"offset\": -1, \"metric\": 1}", u"offset is no whole number"_s);
        add("broken offset", "{\"offset\": 1.0, \"metric\": 1}", u"offset is no whole number"_s);
        add("huge offset", "{\"offset\": 9223372036854775808, \"metric\": 1}", u"offset is no whole number"_s);
        add("text as offset", "{\"offset\": \"1\", \"metric\": 1}", u"offset is no whole number"_s);
        add("null offset", "{\"offset\": null, \"metric\": 1}", u"offset is no whole number"_s);
        add("step", "{\"offset\": 1, \"metric\": 1, \"step\": 0.5}", u"step is no whole number"_s);
        add("type", "{\"offset\": 1, \"metric\": 1, \"type\": \"REQUEST_PARAMETER\"}", u"PERIODICAL nor FINAL"_s);
        add("bytes", "{\"offset\": 1, \"metric\": \"\xff\"}", u"not UTF-8"_s);
        add("depth", "{\"offset\": 1, \"metric\": " + QByteArray(65, '[') + QByteArray(65, ']') + '}',
            u"nested more than"_s);
        add("a long line", "{\"offset\": 1, \"metric\": \"" + QByteArray(1100 * 1024, 'x') + "\"}",
            u"more than 1 MiB"_s, true);
        add("a long metric", "{\"offset\":1,\"metric\":\"" + QByteArray(1024 * 1024 - 1, 'x') + "\"}",
            u"more than 1 MiB"_s, true);
    }

    void unreadableLines()
    {
        QFETCH(QByteArray, bad);
        QFETCH(QString, why);
        QFETCH(bool, isTooLarge);
        const QByteArray good = "{\"offset\":0,\"metric\":1}\n";
        const auto read = readPostedLines(good + bad + '\n' + good);
        QVERIFY(!read.has_value()); // nothing of it
        QVERIFY2(read.error().text.text().contains(why), qPrintable(read.error().text.text()));
        QVERIFY2(read.error().text.text().contains(u"ine 2 "_s) || read.error().text.text().contains(u"ine 2;"_s)
                || read.error().text.text().contains(u"line 2"_s),
            qPrintable(read.error().text.text()));
        QCOMPARE(read.error().isTooLarge, isTooLarge);
    }

    void asManyAsAreTaken()
    {
        QByteArray body;
        for (qsizetype i = 0; i < maxPostedLines; ++i)
            body += "{\"offset\":" + QByteArray::number(i) + ",\"metric\":1}\n";
        QCOMPARE(qsizetype(readPostedLines(body)->size()), maxPostedLines);
        const auto more = readPostedLines(body + "{\"offset\":0,\"metric\":1}");
        QVERIFY(!more.has_value() && more.error().isTooLarge);
    }

    void keeperOutput()
    {
        auto read = readKeeperOutput(keeperLine("NNISDK_MEb'" + record + "'"));
        QVERIFY(read.has_value());
        QCOMPARE(words(read->metrics), QStringList{u"0 PERIODICAL#2=0.5"_s});
        QCOMPARE(read->metrics[0].metric.parameterId, std::optional<qint64>(7));
        QCOMPARE(read->otherLines, 0);
        // Two in a line, behind a progress bar.
        read = readKeeperOutput(keeperLine("12%\r" + ("NNISDK_MEb'" + record + "'").repeated(2)));
        QCOMPARE(qsizetype(read->metrics.size()), qsizetype(2));
        // The program's own lines, and the keeper's, whatever they say.
        QCOMPARE(*readKeeperOutput(keeperLine("loss: 0.5")), (KeeperOutput{{}, 1}));
        QCOMPARE(*readKeeperOutput(keeperLine("NNISDK_MEb'" + record + "'", "trial_keeper")), (KeeperOutput{{}, 1}));
        for (const QByteArray& bad :
            {QByteArray(), QByteArray("{"), QByteArray("[]"), QByteArray("{\"tag\":\"trial\"}"),
                QByteArray("{\"tag\":\"trial\",\"msg\":7}"), QByteArray("{\"tag\":1,\"msg\":\"x\"}"),
                keeperLine("NNISDK_MEb'{\"type\":\"PERIODICAL\""), keeperLine("NNISDK_MEb'{}'")})
            QVERIFY2(!readKeeperOutput(bad).has_value(), bad.constData());
    }

    void keeperMetrics()
    {
        const QByteArray text = dumpJson(Json(QString::fromUtf8(record)));
        QCOMPARE(words(*readKeeperMetrics("{\"jobId\":\"x\",\"metrics\":[" + text + " ,\n " + text + "]}")),
            QStringList({u"0 PERIODICAL#2=0.5"_s, u"0 PERIODICAL#2=0.5"_s}));
        QCOMPARE(words(*readKeeperMetrics("{\"metrics\":[]}")), QStringList());
        QCOMPARE(words(*readKeeperMetrics("{\"metrics\":[ ]}")), QStringList());
        for (const QByteArray& bad : {QByteArray("{}"), QByteArray("{\"metrics\":{}}"), QByteArray("{\"metrics\":[1]}"),
                 QByteArray("{\"metrics\":[\"{}\"]}"), "{\"metrics\":[" + record + "]}",
                 "{\"metrics\":[" + text + ",\"{\"]}", "{\"metrics\":[" + text})
            QVERIFY2(!readKeeperMetrics(bad).has_value(), bad.constData());
    }

    void tokens()
    {
        const TrialId trial(u"t00000000000001"_s);
        // RFC 4231 has no such text: made with openssl dgst -sha256 -hmac KEY.
        const QByteArray token = ingestToken("key", trial);
        QCOMPARE(token, QByteArray("vkUzEHBDJOvPIie2RuzeMSQX9S6aVP8SB62mTOuKsRM"));
        QVERIFY(isIngestToken("key", trial, token));
        QVERIFY(!isIngestToken("other", trial, token));
        QVERIFY(!isIngestToken("key", TrialId(u"t00000000000002"_s), token));
        QVERIFY(!isIngestToken("key", trial, {}));
        QVERIFY(!isIngestToken("key", trial, token + '='));
        QVERIFY(!isIngestToken("key", trial, token.chopped(1)));
        QVERIFY(!isIngestToken("key", trial, token.toUpper()));
        QVERIFY(!isIngestToken({}, trial, ingestToken({}, trial))); // without a key there are no tokens
        for (qsizetype i = 0; i < token.size(); ++i) {
            QByteArray wrong = token;
            wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
            QVERIFY(!isIngestToken("key", trial, wrong));
        }
    }
};

QTEST_GUILESS_MAIN(TestPostedMetrics)
#include "tst_posted_metrics.moc"
