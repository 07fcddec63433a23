// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "services/store/metric_chunk.h"
#include "tests/services/core/sample_records.h"

#include <QRandomGenerator>
#include <QtTest>

#include <limits>

using namespace core;
using store::MetricChunk;

class TestMetricRows : public QObject
{
    Q_OBJECT
private slots:
    void everyShapeOfMetric();
    void rangesOfARow();
    void isSmall();
    void damagedRowsAreRefused();
};

static std::vector<Metric> shapes()
{
    std::vector<Metric> out;
    const auto add = [&](Metric metric) {
        metric.sequence = 500 + qint64(out.size());
        out.push_back(std::move(metric));
    };
    constexpr qint64 min = std::numeric_limits<qint64>::min();
    constexpr qint64 max = std::numeric_limits<qint64>::max();
    add(Metric{});
    for (const char* text : {"0.5", "NaN", "-Infinity", "{\"default\": NaN}", "\"x\"", "", "[1]", "1e-300"})
        add(samples::metric(7, text));
    for (const qint64 extreme : {min, max, qint64(0), qint64(-1), max, min}) {
        Metric metric = samples::metric(3, "1", MetricType::final);
        metric.step = extreme;
        metric.parameterId = extreme;
        metric.time = extreme;
        metric.parameterIndex = int(extreme % 1'000);
        add(metric);
    }
    Metric metric = samples::metric(3, "2", MetricType::request_parameter);
    metric.step.reset();
    metric.parameterId.reset();
    add(metric);
    metric.parameterIndex = 9;
    add(metric);
    metric.data = QByteArray("\x00\xff\xfe\n raw", 8);
    metric.value = {};
    add(metric);
    // A value that its text does not give is kept all the same.
    metric.value = {MetricValue::Kind::number, 4.5, {}};
    add(metric);
    metric.value = {MetricValue::Kind::object, 1, "{\"default\":1}"};
    add(metric);
    metric.data = QByteArray(200'000, 'x');
    metric.value = {};
    add(metric);
    for (int i = 0; i < 3; ++i)
        add(samples::metric(100 + i, "0.25"));
    return out;
}

void TestMetricRows::everyShapeOfMetric()
{
    const std::vector<Metric> metrics = shapes();
    MetricChunk chunk(500);
    for (const Metric& metric : metrics)
        chunk.append(metric);
    QCOMPARE(chunk.count(), int(metrics.size()));
    QCOMPARE(chunk.next(), 500 + qint64(metrics.size()));
    std::vector<Metric> back;
    const QByteArray row = chunk.bytes();
    QVERIFY(MetricChunk::decode(row, 0, 1'000, back));
    QCOMPARE(back.size(), metrics.size());
    for (size_t i = 0; i < metrics.size(); ++i)
        QVERIFY2(back[i] == metrics[i], qPrintable(QString::number(i)));
    QVERIFY(MetricChunk::describe(row) == std::pair(qint64(500), int(metrics.size())));
}

void TestMetricRows::rangesOfARow()
{
    MetricChunk chunk(10);
    for (int i = 0; i < 50; ++i)
        chunk.append(samples::metric(10 + i, QByteArray::number(i)));
    std::vector<Metric> out;
    QVERIFY(MetricChunk::decode(chunk.bytes(), 30, 5, out));
    QCOMPARE(out.size(), size_t(5));
    QCOMPARE(out.front().sequence, 30);
    QCOMPARE(out.back().sequence, 34);
    QCOMPARE(out.front().data, "20");
    QVERIFY(MetricChunk::decode(chunk.bytes(), 60, 5, out));
    QCOMPARE(out.size(), size_t(5)); // nothing was added
}

void TestMetricRows::isSmall()
{
    MetricChunk chunk(0);
    for (int i = 0; i < 1'000; ++i) {
        Metric metric = samples::metric(i, "0.123456");
        metric.step = i;
        metric.time = 1'750'000'000'000 + i * 37;
        chunk.append(metric);
    }
    // The text, and three bytes beside it.
    QVERIFY2(chunk.bytes().size() < 1'000 * (8 + 4) + 100, qPrintable(QString::number(chunk.bytes().size())));
    chunk.dropBytes();
    QCOMPARE(chunk.next(), 1'000);
    QVERIFY(MetricChunk::closed(5, 20).next() == 25);
}

void TestMetricRows::damagedRowsAreRefused()
{
    MetricChunk chunk(500);
    for (const Metric& metric : shapes()) {
        if (metric.data.size() < 1'000 && metric.sequence == chunk.next())
            chunk.append(metric);
    }
    const QByteArray row = chunk.bytes();
    std::vector<Metric> out;
    for (qsizetype size = 0; size < row.size(); ++size)
        QVERIFY(!MetricChunk::decode(row.first(size), 0, 1'000, out));
    // Whatever the bytes are: no crash, and never more points than bytes.
    QRandomGenerator random(7);
    for (int i = 0; i < 5'000; ++i) {
        QByteArray hostile = row;
        for (int k = 0; k < 4; ++k)
            hostile[qsizetype(random.bounded(hostile.size()))] = char(random.bounded(256));
        out.clear();
        (void)MetricChunk::decode(hostile, 0, 1'000, out);
        QVERIFY(out.size() <= size_t(hostile.size()));
    }
    QVERIFY(!MetricChunk::describe(QByteArray()));
}

QTEST_GUILESS_MAIN(TestMetricRows)
#include "tst_metric_rows.moc"
