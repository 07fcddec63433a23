// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/machines/usage_history.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using engine::UsageHistory;

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;
constexpr qint64 begin = 500'000 * hour;

GpuCounts counts(int ours, int gpus = 8)
{
    return {gpus, ours, 0, 0, 0, gpus - ours};
}

} // namespace

class TestUsageHistory : public QObject
{
    Q_OBJECT
private slots:
    void aComputerWithoutGpusHasNone()
    {
        UsageHistory history;
        QVERIFY(history.note(begin, {}).isEmpty());
        QVERIFY(history.samples(0).isEmpty());
    }

    void aChangeIsAStepToTheMinute()
    {
        UsageHistory history;
        QCOMPARE(history.note(begin, counts(0)).size(), 1);
        for (int i = 0; i < 1'000; ++i) // trials of a moment: one sample, and nothing to write
            QVERIFY(history.note(begin + 1 + i, counts(i % 9)).isEmpty());
        QCOMPARE(history.samples(0), (QList<GpuUsageSample>{{begin, counts(0)}}));
        QCOMPARE(history.note(begin + minute, counts(5)).size(), 1);
        QVERIFY(history.note(begin + 2 * minute, counts(5)).isEmpty());
        QCOMPARE(history.samples(0).size(), 2);
        // The sample that holds at a time comes with those after it.
        QCOMPARE(history.samples(begin + 1), history.samples(0));
        QCOMPARE(history.samples(begin + minute), (QList<GpuUsageSample>{{begin + minute, counts(5)}}));
    }

    void aCalmTimeIsToldFromOneWithoutAService()
    {
        UsageHistory history;
        for (qint64 time = begin; time <= begin + hour; time += 10'000)
            (void)history.note(time, counts(3));
        const auto samples = history.samples(0);
        for (qsizetype i = 1; i < samples.size(); ++i)
            QVERIFY(samples[i].time - samples[i - 1].time < gpuUsageHoldsMs);
        QVERIFY(samples.size() < 20);
    }

    void itComesBackAfterARestart()
    {
        QMap<QString, QByteArray> stored{{u"drained/x"_s, "1"}};
        UsageHistory history;
        for (int i = 0; i <= 30 * 60; ++i) {
            const auto kept = history.note(begin + i * minute, counts(i % 7));
            for (auto it = kept.begin(); it != kept.end(); ++it) {
                if (it.value().isEmpty())
                    stored.remove(it.key());
                else
                    stored.insert(it.key(), it.value());
            }
        }
        QVERIFY(stored.size() <= 15); // hours that are over are removed
        UsageHistory again;
        again.restore(stored);
        QCOMPARE(again.samples(0), history.samples(0));
        QVERIFY(again.samples(0).first().time > begin + 16 * hour);

        stored[stored.lastKey()] = "{\"samples\": [7, {\"time\": \"x\"";
        UsageHistory damaged;
        damaged.restore(stored);
        QVERIFY(!damaged.samples(0).isEmpty());
    }

    void aClockThatIsSetBackTakesTheFutureWithIt()
    {
        UsageHistory history;
        (void)history.note(begin, counts(1));
        (void)history.note(begin + hour, counts(2));
        (void)history.note(begin + minute, counts(3));
        QCOMPARE(history.samples(0), (QList<GpuUsageSample>{{begin, counts(1)}, {begin + minute, counts(3)}}));
    }
};

QTEST_GUILESS_MAIN(TestUsageHistory)
#include "tst_usage_history.moc"
