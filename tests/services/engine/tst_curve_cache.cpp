// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/curve_cache.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using engine::CurveCache;

namespace {

const TrialId one(u"t1"_s);
const TrialId two(u"t2"_s);
const QString metric = u"default"_s;

/// Records `first` to before `end`; the value of each is its sequence.
std::vector<Metric> records(qint64 first, qint64 end)
{
    std::vector<Metric> out;
    for (qint64 i = first; i < end; ++i) {
        Metric& record = out.emplace_back();
        record.sequence = i;
        record.value = {MetricValue::Kind::number, double(i), {}};
    }
    return out;
}

QList<double> valuesOf(CurveCache& cache, const TrialId& trial)
{
    QList<double> out;
    const series::Pyramid* curve = cache.find(trial, metric);
    for (size_t i = 0; curve && i < curve->size(); ++i)
        out.append(curve->value(i));
    return out;
}

QList<double> upTo(int end)
{
    QList<double> out;
    for (int i = 0; i < end; ++i)
        out.append(i);
    return out;
}

} // namespace

class TstCurveCache : public QObject
{
    Q_OBJECT
private slots:
    void extends_data();
    void extends();
    void whatIsReportedDuringAReadCountsOnce();
    void everyMetricOfATrialGrows();
    void theOneNotUsedForLongestIsDropped();
    void theLimitOfPointsHoldsForCurvesThatGrow();
};

void TstCurveCache::extends_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("size"); // of a curve that had ten values
    QTest::newRow("the next") << 10 << 12 << 12;
    QTest::newRow("nothing") << 10 << 10 << 10;
    QTest::newRow("a duplicate") << 4 << 10 << 10;
    QTest::newRow("the last one again and more") << 9 << 13 << 13;
    QTest::newRow("a gap") << 11 << 13 << 10;
    QTest::newRow("from the beginning") << 0 << 20 << 20;
}

void TstCurveCache::extends()
{
    QFETCH(int, first);
    QFETCH(int, end);
    QFETCH(int, size);
    CurveCache cache;
    cache.add(one, metric, records(0, 10));
    cache.extend(one, records(first, end));
    QCOMPARE(valuesOf(cache, one), upTo(size));
    QCOMPARE(cache.next(one, metric), qint64(size));
    // After a gap the store has what is missing.
    cache.add(one, metric, records(size, 20));
    QCOMPARE(valuesOf(cache, one), upTo(20));
    QVERIFY(!cache.find(two, metric));
    QCOMPARE(cache.next(two, metric), 0);
}

void TstCurveCache::whatIsReportedDuringAReadCountsOnce()
{
    CurveCache cache;
    // Not kept yet: what is reported is in the store by the time it is read.
    cache.extend(one, records(0, 5));
    QCOMPARE(cache.next(one, metric), 0);
    cache.add(one, metric, records(0, 10));
    cache.extend(one, records(10, 15));
    // Two readers that both asked from 0 on.
    cache.add(one, metric, records(0, 12));
    QCOMPARE(valuesOf(cache, one), upTo(15));
}

void TstCurveCache::everyMetricOfATrialGrows()
{
    CurveCache cache;
    cache.add(one, metric, records(0, 3));
    cache.add(one, u"loss"_s, records(0, 2));
    std::vector<Metric> both = records(3, 4);
    both[0].value = {MetricValue::Kind::object, 0.5, "{\"default\":0.5,\"loss\":8}"};
    cache.extend(one, both);
    QCOMPARE(valuesOf(cache, one).last(), 0.5);
    QCOMPARE(cache.next(one, u"loss"_s), 2); // has a gap, stays
    cache.add(one, u"loss"_s, records(2, 3));
    cache.extend(one, both);
    QCOMPARE(cache.next(one, u"loss"_s), 4);
    const series::Pyramid* loss = cache.find(one, u"loss"_s);
    QCOMPARE(loss->value(loss->size() - 1), 8.0);
    cache.remove(one);
    QVERIFY(!cache.find(one, metric));
    QCOMPARE(cache.next(one, u"loss"_s), 0);
}

void TstCurveCache::theOneNotUsedForLongestIsDropped()
{
    CurveCache cache({2, 1'000});
    cache.add(one, metric, records(0, 3));
    cache.add(two, metric, records(0, 3));
    QVERIFY(cache.find(one, metric));
    cache.add(TrialId(u"t3"_s), metric, records(0, 3));
    QVERIFY(cache.find(one, metric));
    QVERIFY(!cache.find(two, metric));
    QVERIFY(cache.find(TrialId(u"t3"_s), metric));
}

void TstCurveCache::theLimitOfPointsHoldsForCurvesThatGrow()
{
    CurveCache cache({10, 20});
    cache.add(one, metric, records(0, 8));
    cache.add(two, metric, records(0, 8));
    cache.extend(two, records(8, 12));
    QVERIFY(cache.find(one, metric));
    QCOMPARE(valuesOf(cache, two), upTo(12));
    cache.extend(two, records(12, 13));
    QCOMPARE(valuesOf(cache, two), upTo(13));
    QVERIFY(!cache.find(one, metric));
}

QTEST_GUILESS_MAIN(TstCurveCache)
#include "tst_curve_cache.moc"
