// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/curve_cache.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using engine::CurveCache;

namespace {

const TrialId firstTrial(u"t1"_s);
const TrialId secondTrial(u"t2"_s);
const QString defaultMetric = u"default"_s;

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
    const series::Pyramid* curve = cache.find(trial, defaultMetric);
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
    cache.add(firstTrial, defaultMetric, records(0, 10));
    cache.extend(firstTrial, records(first, end));
    QCOMPARE(valuesOf(cache, firstTrial), upTo(size));
    QCOMPARE(cache.next(firstTrial, defaultMetric), qint64(size));
    // After a gap the store has what is missing.
    cache.add(firstTrial, defaultMetric, records(size, 20));
    QCOMPARE(valuesOf(cache, firstTrial), upTo(20));
    QVERIFY(!cache.find(secondTrial, defaultMetric));
    QCOMPARE(cache.next(secondTrial, defaultMetric), 0);
}

void TstCurveCache::whatIsReportedDuringAReadCountsOnce()
{
    CurveCache cache;
    // Not kept yet: what is reported is in the store by the time it is read.
    cache.extend(firstTrial, records(0, 5));
    QCOMPARE(cache.next(firstTrial, defaultMetric), 0);
    cache.add(firstTrial, defaultMetric, records(0, 10));
    cache.extend(firstTrial, records(10, 15));
    // Two readers that both asked from 0 on.
    cache.add(firstTrial, defaultMetric, records(0, 12));
    QCOMPARE(valuesOf(cache, firstTrial), upTo(15));
}

void TstCurveCache::everyMetricOfATrialGrows()
{
    CurveCache cache;
    cache.add(firstTrial, defaultMetric, records(0, 3));
    cache.add(firstTrial, u"loss"_s, records(0, 2));
    std::vector<Metric> both = records(3, 4);
    both[0].value = {MetricValue::Kind::object, 0.5, "{\"default\":0.5,\"loss\":8}"};
    cache.extend(firstTrial, both);
    QCOMPARE(valuesOf(cache, firstTrial).last(), 0.5);
    QCOMPARE(cache.next(firstTrial, u"loss"_s), 2); // has a gap, stays
    cache.add(firstTrial, u"loss"_s, records(2, 3));
    cache.extend(firstTrial, both);
    QCOMPARE(cache.next(firstTrial, u"loss"_s), 4);
    const series::Pyramid* loss = cache.find(firstTrial, u"loss"_s);
    QCOMPARE(loss->value(loss->size() - 1), 8.0);
    cache.remove(firstTrial);
    QVERIFY(!cache.find(firstTrial, defaultMetric));
    QCOMPARE(cache.next(firstTrial, u"loss"_s), 0);
}

void TstCurveCache::theOneNotUsedForLongestIsDropped()
{
    CurveCache cache({2, 1'000});
    cache.add(firstTrial, defaultMetric, records(0, 3));
    cache.add(secondTrial, defaultMetric, records(0, 3));
    QVERIFY(cache.find(firstTrial, defaultMetric));
    cache.add(TrialId(u"t3"_s), defaultMetric, records(0, 3));
    QVERIFY(cache.find(firstTrial, defaultMetric));
    QVERIFY(!cache.find(secondTrial, defaultMetric));
    QVERIFY(cache.find(TrialId(u"t3"_s), defaultMetric));
}

void TstCurveCache::theLimitOfPointsHoldsForCurvesThatGrow()
{
    CurveCache cache({10, 20});
    cache.add(firstTrial, defaultMetric, records(0, 8));
    cache.add(secondTrial, defaultMetric, records(0, 8));
    cache.extend(secondTrial, records(8, 12));
    QVERIFY(cache.find(firstTrial, defaultMetric));
    QCOMPARE(valuesOf(cache, secondTrial), upTo(12));
    cache.extend(secondTrial, records(12, 13));
    QCOMPARE(valuesOf(cache, secondTrial), upTo(13));
    QVERIFY(!cache.find(firstTrial, defaultMetric));
}

QTEST_GUILESS_MAIN(TstCurveCache)
#include "tst_curve_cache.moc"
