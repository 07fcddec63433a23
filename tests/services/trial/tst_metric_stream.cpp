// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/file_metric_stream.h"
#include "services/trial/nni_streams.h"
#include "services/trial/pattern_stream.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <random>

using namespace Qt::StringLiterals;
using namespace trial;

namespace {

QByteArray me(const QByteArray& payload)
{
    return "ME" + QByteArray::number(payload.size()).rightJustified(6, '0') + payload;
}

QByteArray sdkObject(const char* type, int sequence, const QByteArray& escapedValue)
{
    return "{\"parameter_id\": 7, \"trial_job_id\": \"aB3xY\", \"type\": \"" + QByteArray(type)
        + "\", \"sequence\": " + QByteArray::number(sequence) + ", \"value\": \"" + escapedValue + "\"}";
}

/// "PERIODICAL#3=0.5", one a metric.
QStringList words(const std::vector<ParsedMetric>& metrics)
{
    QStringList list;
    for (const ParsedMetric& m : metrics)
        list.append(metricTypeName(m.type) + (m.step ? u'#' + QString::number(*m.step) : QString()) + u'='
            + QString::fromUtf8(m.data));
    return list;
}

struct Read
{
    std::vector<ParsedMetric> metrics;
    QList<MetricFinding> findings;
    qint64 consumed = 0;
};

Read readAll(MetricStream& stream, const QByteArray& bytes, bool finish = true)
{
    Read read;
    stream.feed(0, bytes, read.metrics);
    read.consumed = stream.consumed();
    if (finish)
        stream.finish(read.metrics);
    read.findings = stream.takeFindings();
    return read;
}

std::unique_ptr<PatternStream> pattern(const QString& text, const QString& objective = u"default"_s)
{
    auto made = PatternStream::create(text, Objective{objective, true});
    return made ? *std::move(made) : nullptr;
}

} // namespace

class TestMetricStream : public QObject
{
    Q_OBJECT

private slots:
    // ------------------------------------------------------------------------------------------------- .nni/metrics

    void nniRecords()
    {
        const QByteArray bytes = me(sdkObject("PERIODICAL", 0, "0.5") + '\n')
            + me(sdkObject("PERIODICAL", 1, "{\\\"default\\\": NaN, \\\"s\\\": \\\"it's\\\"}") + '\n')
            + me(sdkObject("FINAL", 0, "0.91") + '\n')
            + me("{\"trial_job_id\": \"aB3xY\", \"type\": \"REQUEST_PARAMETER\", \"sequence\": 0, \"parameter_index\": "
                 "2}\n");
        NniMetricStream stream;
        const Read read = readAll(stream, bytes, false);
        QVERIFY(read.findings.isEmpty());
        QCOMPARE(read.consumed, bytes.size());
        QCOMPARE(words(read.metrics),
            (QStringList{u"PERIODICAL#0=0.5"_s, u"PERIODICAL#1={\"default\": NaN, \"s\": \"it's\"}"_s,
                u"FINAL#0=0.91"_s, u"REQUEST_PARAMETER#0="_s}));
        QCOMPARE(read.metrics[0].parameterId, 7);
        QCOMPARE(read.metrics[0].value.number, 0.5);
        QCOMPARE(read.metrics[1].value.kind, MetricValue::Kind::object);
        QCOMPARE(read.metrics[3].parameterIndex, 2);
        QVERIFY(!read.metrics[3].parameterId);
        QCOMPARE(read.metrics[3].value.kind, MetricValue::Kind::none);
    }

    void nniFaults_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QStringList>("metrics");
        QTest::addColumn<int>("findings");
        const QByteArray a = me(sdkObject("PERIODICAL", 0, "1") + '\n');
        const QByteArray b = me(sdkObject("PERIODICAL", 1, "2") + '\n');
        const QStringList both{u"PERIODICAL#0=1"_s, u"PERIODICAL#1=2"_s};
        const QStringList second{u"PERIODICAL#1=2"_s};
        QTest::newRow("garbage before") << QByteArray("hello\n" + a + b) << both << 1;
        QTest::newRow("garbage between") << QByteArray(a + "MExMEE0ME12" + b) << both << 1;
        QTest::newRow("torn record, then a whole one") << QByteArray(a.first(40) + b) << second << 1;
        QTest::newRow("torn header") << QByteArray("ME00" + b) << second << 1;
        QTest::newRow("length too short") << QByteArray("ME000010" + a.sliced(8) + b) << second << 1;
        QTest::newRow("length too long, early") << QByteArray("ME999999" + a.sliced(8) + b) << second << 1;
        QTest::newRow("zero length") << QByteArray("ME000000" + b) << second << 1;
        QTest::newRow("no line end") << QByteArray(me(sdkObject("PERIODICAL", 0, "1")) + b) << both << 0;
        QTest::newRow("unknown type") << QByteArray(me(sdkObject("NONSENSE", 0, "1")) + b) << second << 1;
        QTest::newRow("no value") << QByteArray(me("{\"type\": \"FINAL\"}\n") + b) << second << 1;
        QTest::newRow("list") << QByteArray(me("[1]\n") + b) << second << 1;
        QTest::newRow("not UTF-8") << QByteArray(me(sdkObject("FINAL", 0, "\xff\xfe") + '\n') + b) << second << 1;
        QTest::newRow("cut end") << QByteArray(b + a.first(50)) << second << 1;
        QTest::newRow("plain value") << me("{\"type\": \"FINAL\", \"value\": 0.25}\n") << QStringList{u"FINAL=0.25"_s}
                                     << 0;
        QTest::newRow("only garbage") << QByteArray(5000, 'M') << QStringList{} << 1;
        QTest::newRow("zeros") << QByteArray(5000, '\0') << QStringList{} << 1;
    }
    void nniFaults()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QStringList, metrics);
        QFETCH(int, findings);
        NniMetricStream stream;
        const Read read = readAll(stream, bytes);
        QCOMPARE(words(read.metrics), metrics);
        QCOMPARE(read.findings.size(), findings);
    }

    void nniTornRecordDoesNotHoldBackTheNext()
    {
        // A long record torn by a kill, and a second process that continues: the second one's record must come at once.
        NniMetricStream stream;
        std::vector<ParsedMetric> metrics;
        const QByteArray torn = "ME050000{\"parameter_id\": 0, \"tri";
        stream.feed(0, torn, metrics);
        QVERIFY(metrics.empty());
        stream.feed(torn.size(), me(sdkObject("PERIODICAL", 4, "2") + '\n'), metrics);
        QCOMPARE(words(metrics), QStringList{u"PERIODICAL#4=2"_s});
    }

    // ------------------------------------------------------------------------------------------------- standard output

    void sdkLines()
    {
        const QByteArray bytes = "epoch 1\n"
                                 "NNISDK_MEb'"
            + sdkObject("PERIODICAL", 0, "0.5") + "'\n" + " 50%|##  |NNISDK_MEb'"
            + sdkObject("PERIODICAL", 1, "{\\\"default\\\": 1, \\\"s\\\": \\\"it's\\\"}") + "'\r\n" + "NNISDK_MEb'"
            + sdkObject("PERIODICAL", 2, "2") + "'NNISDK_MEb'" + sdkObject("FINAL", 0, "3") + "'\n"
            + "NNISDK_MEb'{\"type\": 'x'\n" + "NNISDK_MEb'\n" + "NNISDK_MEb'" + sdkObject("FINAL", 1, "4") + "'";
        SdkLineStream stream;
        const Read read = readAll(stream, bytes);
        QCOMPARE(words(read.metrics),
            (QStringList{u"PERIODICAL#0=0.5"_s, u"PERIODICAL#1={\"default\": 1, \"s\": \"it's\"}"_s,
                u"PERIODICAL#2=2"_s, u"FINAL#0=3"_s, u"FINAL#1=4"_s}));
        QCOMPARE(read.findings.size(), 2);
        QCOMPARE(read.consumed, bytes.lastIndexOf('\n') + 1);
    }

    // ------------------------------------------------------------------------------------------------- metrics file

    void fileLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("metric"); // empty: left out
        QTest::addColumn<QString>("value");
        const auto row = [](const QByteArray& line, const QString& metric, const QString& value) {
            QTest::newRow(line.constData()) << line << metric << value;
        };
        row("{\"metric\": 0.93}", u"PERIODICAL=0.93"_s, u"0.93"_s);
        row("{\"metric\":-1e-4}", u"PERIODICAL=-1e-4"_s, u"-0.0001"_s);
        row("{\"metric\": 5}", u"PERIODICAL=5"_s, u"5.0"_s);
        row("{\"metric\": 0.930}\r", u"PERIODICAL=0.930"_s, u"0.93"_s);
        row("  {  \"metric\" : 1 }  ", u"PERIODICAL=1"_s, u"1.0"_s);
        row("{\"metric\": NaN}", u"PERIODICAL=NaN"_s, u"\"NaN\""_s);
        row("{\"metric\": -Infinity}", u"PERIODICAL=-Infinity"_s, u"\"-Infinity\""_s);
        row("{\"metric\": 1e999}", u"PERIODICAL=1e999"_s, u"\"Infinity\""_s);
        row("{\"metric\": {\"loss\": 0.1, \"default\": NaN}, \"step\": 7}",
            u"PERIODICAL#7={\"loss\": 0.1, \"default\": NaN}"_s, u"{\"loss\":0.1,\"default\":\"NaN\"}"_s);
        row("{\"metric\": 0.9, \"type\": \"FINAL\"}", u"FINAL=0.9"_s, u"0.9"_s);
        row("{\"type\": \"PERIODICAL\", \"step\": null, \"extra\": [1], \"metric\": 2}", u"PERIODICAL=2"_s, u"2.0"_s);
        row("{\"metric\": \"text\"}", u"PERIODICAL=\"text\""_s, u"null"_s);
        row("{\"metric\": [1, 2]}", u"PERIODICAL=[1, 2]"_s, u"null"_s);
        row("{\"metric\": true}", u"PERIODICAL=true"_s, u"null"_s);
        for (const char* bad :
            {"{\"metric\": .5}", "{\"metric\": 1.}", "{\"metric\": 01}", "{\"metric\": +1}", "{\"metric\": 1.e5}",
                "{\"metric\": nan}", "{\"metric\": }", "{\"metric\": 1", "{\"metric\": 1} x", "{\"other\": 1}", "0.93",
                "[1]", "{}", "garbage", "{\"metric\": 1, \"step\": \"x\"}", "{\"metric\": 1, \"step\": 1.5}",
                "{\"metric\": 1, \"type\": \"DONE\"}", "{\"metric\": 1, \"type\": \"REQUEST_PARAMETER\"}",
                "{\"metric\": \"\xff\"}", "{'metric': 1}", "{\"metric\":-}", "{\"metric\": 0x10}"})
            row(bad, {}, {});
    }
    void fileLines()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, metric);
        QFETCH(QString, value);
        FileMetricStream stream;
        const Read read = readAll(stream, line + '\n', false);
        QCOMPARE(words(read.metrics), metric.isEmpty() ? QStringList() : QStringList{metric});
        QCOMPARE(read.findings.size(), metric.isEmpty() ? 1 : 0);
        QCOMPARE(read.consumed, line.size() + 1);
        if (!metric.isEmpty())
            QCOMPARE(QString::fromUtf8(dumpJson(read.metrics[0].value.toJson())), value);
    }

    void fileTail()
    {
        FileMetricStream stream;
        std::vector<ParsedMetric> metrics;
        const QByteArray bytes = "\xef\xbb\xbf{\"metric\": 1}\n\n \n{\"metric\": 2}";
        stream.feed(0, bytes, metrics);
        QCOMPARE(words(metrics), QStringList{u"PERIODICAL=1"_s});
        QCOMPARE(stream.consumed(), bytes.lastIndexOf('\n') + 1);
        stream.finish(metrics);
        QCOMPARE(words(metrics), (QStringList{u"PERIODICAL=1"_s, u"PERIODICAL=2"_s}));
        QCOMPARE(stream.consumed(), bytes.size());
        QVERIFY(stream.takeFindings().isEmpty());
    }

    void tooLarge()
    {
        FileMetricStream file;
        std::vector<ParsedMetric> metrics;
        QByteArray bytes = "{\"metric\": \"" + QByteArray(2 * 1024 * 1024, 'x') + "\"}\n{\"metric\": 1}\n";
        for (qsizetype at = 0; at < bytes.size(); at += 65'536)
            file.feed(at, QByteArrayView(bytes).sliced(at, std::min<qsizetype>(65'536, bytes.size() - at)), metrics);
        QCOMPARE(words(metrics), QStringList{u"PERIODICAL=1"_s});
        QCOMPARE(file.takeFindings().size(), 1);
        QCOMPARE(file.consumed(), bytes.size());
        // A value just under the limit is taken, just over it is not.
        for (const int extra : {0, 1}) {
            FileMetricStream stream;
            const Read read =
                readAll(stream, "{\"metric\": \"" + QByteArray(maxMetricBytes - 2 + extra, 'x') + "\"}\n");
            QCOMPARE(int(read.metrics.size()), 1 - extra);
            QCOMPARE(int(read.findings.size()), extra);
        }
        SdkLineStream sdk;
        const Read own =
            readAll(sdk, QByteArray(3'000'000, 'x') + "\nNNISDK_MEb'" + sdkObject("FINAL", 0, "1") + "'\n");
        QCOMPARE(words(own.metrics), QStringList{u"FINAL#0=1"_s});
        QVERIFY(own.findings.isEmpty()); // a long line of the program's own is its own affair
    }

    void findingsAreBounded()
    {
        FileMetricStream stream;
        const Read read = readAll(stream, QByteArray("nonsense\n").repeated(100'000));
        QCOMPARE(read.findings.size(), 20);
        QVERIFY(read.findings.last().text.contains(u"not listed"_s));
    }

    // ------------------------------------------------------------------------------------------------- metricPattern

    void patterns_data()
    {
        QTest::addColumn<QString>("regex");
        QTest::addColumn<QString>("objective");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("metrics");
        const QString plain = u"acc[:=]\\s*(?<value>\\S+)"_s;
        const QString named = u"(?<name>\\w+)=(?<value>[-+.\\deE]+)(?: @(?<step>\\d+))?"_s;
        const auto row = [](const char* name, const QString& regex, const QString& objective, const QByteArray& text,
                             const QStringList& metrics) {
            QTest::newRow(name) << regex << objective << text << metrics;
        };
        row("plain", plain, u"default"_s, "epoch 1 acc: 0.930\nnothing\nacc=1\n",
            {u"PERIODICAL=0.930"_s, u"PERIODICAL=1"_s});
        row("objective's name", plain, u"top 1"_s, "acc: 0.9\n", {u"PERIODICAL={\"top 1\": 0.9}"_s});
        row("names and steps", named, u"default"_s, "loss=2.5 @12 default=0.5\n",
            {u"PERIODICAL#12={\"loss\": 2.5}"_s, u"PERIODICAL=0.5"_s});
        row("not JSON's spelling", plain, u"default"_s, "acc: .5\nacc: +2\nacc: nan\nacc: -inf\n",
            {u"PERIODICAL=0.5"_s, u"PERIODICAL=2"_s, u"PERIODICAL=NaN"_s, u"PERIODICAL=-Infinity"_s});
        row("no number", plain, u"default"_s, "acc: high\nacc: 1\n", {u"PERIODICAL=1"_s});
        row("progress bar", plain, u"default"_s, "acc=0.1\racc=0.2\racc=0.3\n", {u"PERIODICAL=0.3"_s});
        row("windows", plain, u"default"_s, "acc=0.1\r\n", {u"PERIODICAL=0.1"_s});
        row("unicode", u"genauigkeit – (?<value>\\S+)"_s, u"default"_s, "\xff genauigkeit \xe2\x80\x93 7\n",
            {u"PERIODICAL=7"_s});
        row("last line", plain, u"default"_s, "acc=4", {u"PERIODICAL=4"_s});
        row("long line", plain, u"default"_s, "acc=1 " + QByteArray(100'000, 'x') + " acc=2\nacc=3\n",
            {u"PERIODICAL=1"_s, u"PERIODICAL=3"_s});
        row("empty matches", u"(?<value>\\d*)"_s, u"default"_s, "x\n", {});
    }
    void patterns()
    {
        QFETCH(QString, regex);
        QFETCH(QString, objective);
        QFETCH(QByteArray, text);
        QFETCH(QStringList, metrics);
        const auto stream = pattern(regex, objective);
        QVERIFY(stream);
        QCOMPARE(words(readAll(*stream, text).metrics), metrics);
    }

    void wrongPatterns_data()
    {
        QTest::addColumn<QString>("regex");
        QTest::addColumn<QString>("part");
        QTest::newRow("no group") << u"acc: (.*)"_s << u"(?<value>…)"_s;
        QTest::newRow("broken") << u"acc(?<value>"_s << u"at character"_s;
        QTest::newRow("too long") << QString(5000, u'a') << u"longer"_s;
    }
    void wrongPatterns()
    {
        QFETCH(QString, regex);
        QFETCH(QString, part);
        const auto checked = checkMetricPattern(regex);
        QVERIFY(!checked);
        QCOMPARE(checked.error().kind, Kind::invalid);
        QVERIFY2(checked.error().message.contains(part), qPrintable(checked.error().message));
        QVERIFY(!pattern(regex));
    }

    void explodingPatterns()
    {
        QElapsedTimer timer;
        timer.start();
        for (const QString& regex : {u"(x+x+)+[yw](?<value>[12])"_s,
                 u"(*LIMIT_MATCH=4000000000)(x+x+)+[yw](?<value>[12])"_s, u"(?:.*x)*(?<value>\\d)[yz]"_s}) {
            const auto stream = pattern(regex);
            QVERIFY(stream);
            const Read read = readAll(*stream, QByteArray(60'000, 'x') + '\n');
            QVERIFY(read.metrics.empty());
            QCOMPARE(read.findings.size(), 1);
        }
        QVERIFY2(timer.elapsed() < 20'000, "the limit on matching does not hold");
    }

    void aPatternHasABudget()
    {
        const auto stream = pattern(u"loss=(?<value>\\S+)"_s);
        QVERIFY(stream);
        std::vector<ParsedMetric> out;
        stream->allow(-1);
        stream->feed(0, "loss=1\nloss=2\n", out);
        QVERIFY(out.empty());
        QCOMPARE(stream->takeFindings().size(), 1); // once a piece, not once a line
        QCOMPARE(stream->consumed(), 14);
        stream->allow(10'000);
        stream->feed(14, "loss=3\n", out);
        QCOMPARE(out.size(), size_t(1));
        QVERIFY(stream->takeFindings().isEmpty());
    }

    void aCancelledTrialIsReadForAMoment()
    {
        const auto stream = pattern(u"loss=(?<value>\\S+)"_s);
        QVERIFY(stream);
        std::vector<ParsedMetric> out;
        stream->hurry();
        stream->allow(60'000);
        stream->feed(0, "loss=1\nloss=2\n", out); // what came just before the end
        QCOMPARE(out.size(), size_t(2));
        QVERIFY(stream->takeFindings().isEmpty());
        // Then as much as a quarter of a second takes.
        const QByteArray piece = QByteArray("loss=3\n").repeated(8'000);
        qint64 offset = 14;
        size_t read = 8'000;
        for (int i = 0; i < 10'000 && read == 8'000; ++i, offset += piece.size()) {
            out.clear();
            stream->allow(60'000);
            stream->feed(offset, piece, out);
            read = out.size();
        }
        QVERIFY(read < 8'000);
        const QList<MetricFinding> findings = stream->takeFindings();
        QCOMPARE(findings.size(), 1);
        QVERIFY(findings[0].text.contains(u"was cancelled before"_s));
        out.clear();
        stream->allow(60'000);
        stream->feed(offset, "loss=4\nloss=5\n", out);
        QVERIFY(out.empty());
        QCOMPARE(stream->takeFindings().size(), 1); // once a piece
    }

    // ------------------------------------------------------------------------------------------------- all streams

    void cutAnywhere_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray a = sdkObject("PERIODICAL", 0, "0.5") + '\n';
        const QByteArray b = sdkObject("PERIODICAL", 1, "{\\\"a\\\": 1}") + '\n';
        QTest::newRow("nni") << 0 << QByteArray(me(a) + me(b) + "noise ME1" + me(a) + me(b).first(60) + me(a));
        QTest::newRow("sdk") << 1
                             << QByteArray("text\nNNISDK_MEb'" + a.chopped(1) + "'\nmore NNISDK_MEb'" + b.chopped(1)
                                    + "'\nNNISDK_MEb'{bad'\n\nx");
        QTest::newRow("file") << 2
                              << QByteArray("{\"metric\": 1}\nbad\n{\"metric\": {\"a\": 2}, \"step\": "
                                            "3}\r\n\n{\"metric\": 4, \"type\": \"FINAL\"}\n{\"m");
        QTest::newRow("pattern") << 3 << QByteArray("acc=1\nx\nloss acc=2\racc=3\nacc=");
    }
    void cutAnywhere()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, bytes);
        const auto make = [&](qint64 offset) -> std::unique_ptr<MetricStream> {
            switch (kind) {
            case 0:
                return std::make_unique<NniMetricStream>(offset);
            case 1:
                return std::make_unique<SdkLineStream>(offset);
            case 2:
                return std::make_unique<FileMetricStream>(offset);
            default:
                return *PatternStream::create(u"acc=(?<value>\\S+)"_s, {}, offset);
            }
        };
        const auto whole = make(0);
        const std::vector<ParsedMetric> expected = readAll(*whole, bytes).metrics;
        QVERIFY(expected.size() >= 2);
        // Byte by byte, with everything sent twice.
        {
            const auto stream = make(0);
            std::vector<ParsedMetric> got;
            for (qsizetype i = 0; i < bytes.size(); ++i)
                stream->feed(std::max<qsizetype>(0, i - 5),
                    QByteArrayView(bytes).sliced(std::max<qsizetype>(0, i - 5), std::min<qsizetype>(i, 5) + 1), got);
            stream->finish(got);
            QCOMPARE(words(got), words(expected));
        }
        // Killed after each byte, and gone on from the durable cursor: nothing lost, nothing doubled.
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            std::vector<ParsedMetric> got;
            const auto first = make(0);
            first->feed(0, QByteArrayView(bytes).first(cut), got);
            const qint64 cursor = first->consumed();
            QVERIFY(cursor <= cut);
            const auto second = make(cursor);
            second->feed(cursor, QByteArrayView(bytes).sliced(cursor), got);
            second->finish(got);
            QCOMPARE(words(got), words(expected));
        }
    }

    void gapsAndCuts()
    {
        SdkLineStream stream;
        std::vector<ParsedMetric> metrics;
        const QByteArray line = "NNISDK_MEb'" + sdkObject("FINAL", 0, "1") + "'\n";
        stream.feed(1000, line, metrics); // lines of the program's own were left out before
        QCOMPARE(metrics.size(), size_t(1));
        QCOMPARE(stream.consumed(), 1000 + line.size());
        stream.feed(5000, {}, metrics);
        QCOMPARE(stream.consumed(), 5000);
        QVERIFY(stream.takeFindings().isEmpty());
        stream.feed(5000, line.first(20), metrics);
        stream.feed(6000, line, metrics); // the rest of the first never came
        QCOMPARE(metrics.size(), size_t(2));
        QCOMPARE(stream.takeFindings().size(), 1);

        // The trial cut its file: NNI 1.9 does at each import.
        NniMetricStream nni;
        metrics.clear();
        const QByteArray record = me(sdkObject("PERIODICAL", 0, "1") + '\n');
        nni.feed(0, record.first(30), metrics);
        nni.feed(30, {}, metrics, true);
        QCOMPARE(nni.consumed(), 30);
        nni.feed(30, record, metrics);
        QCOMPARE(words(metrics), QStringList{u"PERIODICAL#0=1"_s});
        nni.feed(30, record, metrics, true); // sent again: known, and nothing to give up
        QCOMPARE(metrics.size(), size_t(1));
    }

    void randomBytesNeverHurt()
    {
        std::mt19937 random(5);
        const QByteArray seed = me(sdkObject("PERIODICAL", 0, "0.5") + '\n') + "NNISDK_MEb'"
            + sdkObject("FINAL", 0, "1") + "'\n{\"metric\": 0.5}\nacc=1\n";
        for (int i = 0; i < 3'000; ++i) {
            QByteArray bytes = seed.repeated(2);
            for (int e = int(random() % 12); e > 0; --e)
                bytes[qsizetype(random() % quint32(bytes.size()))] = char(random());
            NniMetricStream nni;
            SdkLineStream sdk;
            FileMetricStream file;
            for (MetricStream* stream : {static_cast<MetricStream*>(&nni), static_cast<MetricStream*>(&sdk),
                     static_cast<MetricStream*>(&file)}) {
                std::vector<ParsedMetric> metrics;
                for (qsizetype at = 0; at < bytes.size();) {
                    const qsizetype step = std::min<qsizetype>(1 + qsizetype(random() % 80), bytes.size() - at);
                    stream->feed(at, QByteArrayView(bytes).sliced(at, step), metrics);
                    at += step;
                    QVERIFY(stream->consumed() <= at);
                }
                stream->finish(metrics);
                QCOMPARE(stream->consumed(), bytes.size());
                QVERIFY(metrics.size() <= 4);
            }
        }
    }

    void rates()
    {
        const int lines = qEnvironmentVariableIntValue("TRIALDECK_BENCH_LINES") > 0
            ? qEnvironmentVariableIntValue("TRIALDECK_BENCH_LINES")
            : 20'000;
        const auto measure = [&](const char* what, MetricStream& stream, const QByteArray& record, size_t expected) {
            const QByteArray bytes = record.repeated(lines);
            std::vector<ParsedMetric> metrics;
            size_t count = 0;
            QElapsedTimer timer;
            timer.start();
            for (qsizetype at = 0; at < bytes.size(); at += 65'536) {
                stream.feed(
                    at, QByteArrayView(bytes).sliced(at, std::min<qsizetype>(65'536, bytes.size() - at)), metrics);
                count += metrics.size();
                metrics.clear();
            }
            const double seconds = double(timer.nsecsElapsed()) / 1e9;
            qInfo("%s: %.2f million records a second", what, lines / seconds / 1e6);
            QCOMPARE(count, expected);
        };
        FileMetricStream file;
        measure("metrics file, plain", file, "{\"metric\": 0.93}\n", size_t(lines));
        FileMetricStream rich;
        measure("metrics file, object and step", rich, "{\"metric\": {\"loss\": 0.1, \"acc\": 0.9}, \"step\": 7}\n",
            size_t(lines));
        NniMetricStream nni;
        measure(".nni/metrics", nni, me(sdkObject("PERIODICAL", 12, "0.9312") + '\n'), size_t(lines));
        SdkLineStream sdk;
        measure("NNISDK lines", sdk, "NNISDK_MEb'" + sdkObject("PERIODICAL", 12, "0.9312") + "'\n", size_t(lines));
        SdkLineStream own;
        measure("other lines of stdout", own, "Epoch 3/10 step 100 loss 0.123 something else to read\n", 0);
        const auto regex = pattern(u"loss (?<value>\\S+)"_s);
        measure("metricPattern, matching", *regex, "Epoch 3/10 step 100 loss 0.123 something else to read\n",
            size_t(lines));
    }
};

QTEST_GUILESS_MAIN(TestMetricStream)
#include "tst_metric_stream.moc"
