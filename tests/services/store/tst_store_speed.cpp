// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/store/store.h"
#include "tests/services/store/store_samples.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

using namespace core;
using store::Batch;
using store::Durability;
using store::Store;
using namespace Qt::StringLiterals;

class TestStoreSpeed : public QObject
{
    Q_OBJECT
private slots:
    void speed();
};

void TestStoreSpeed::speed()
{
    QTemporaryDir folder;
    auto opened = std::make_unique<Store>(folder.path());
    QVERIFY(QCoro::waitFor(opened->open()));
    // Small by default, so that the suite stays quick; the figures are taken with TRIALDECK_BENCH=1 in a release build.
    const bool large = qEnvironmentVariableIsSet("TRIALDECK_BENCH");
    const int trials = large ? 10'000 : 500;
    const int stored = large ? 100'000 : 2'000;
    QElapsedTimer timer;
    const auto batchOf = [](int first, int count, bool events) {
        Batch batch;
        for (int i = first; i < first + count; ++i) {
            batch.trials.append(samples::row(samples::plainTrial(i)));
            if (events)
                batch.events.append(
                    {batch.trials.last().trial->id, {0, i, TrialEventKind::accepted, u"Accepted by a client."_s}});
        }
        return batch;
    };
    Batch batch = batchOf(0, trials, false);
    timer.start();
    QVERIFY(samples::commit(*opened, std::move(batch), Durability::full));
    qInfo("%d trials in one batch: %.1f ms", trials, timer.nsecsElapsed() / 1e6);
    batch = batchOf(trials, trials, true);
    timer.restart();
    QVERIFY(samples::commit(*opened, std::move(batch), Durability::full));
    qInfo("%d trials with an event each: %.1f ms", trials, timer.nsecsElapsed() / 1e6);

    int left = trials;
    timer.restart();
    for (int i = 0; i < trials; ++i)
        opened->commit(batchOf(i, 1, false), Durability::full, [&](Result<>) { --left; });
    QTRY_COMPARE_WITH_TIMEOUT(left, 0, 60'000);
    qInfo("%d full batches of one trial, grouped: %.0f a second", trials, trials / (timer.nsecsElapsed() / 1e9));
    const int alone = trials / 10;
    timer.restart();
    for (int i = 0; i < alone; ++i)
        QVERIFY(samples::commit(*opened, batchOf(i, 1, false), Durability::full));
    qInfo("%d full batches, one after the other: %.2f ms each", alone, timer.nsecsElapsed() / 1e6 / alone);

    for (int at = 2 * trials; at < stored; at += trials)
        QVERIFY(samples::commit(*opened, batchOf(at, trials, true)));
    QCoro::waitFor(opened->close());
    opened = std::make_unique<Store>(folder.path());
    timer.restart();
    const auto loaded = QCoro::waitFor(opened->open());
    QVERIFY(loaded);
    QCOMPARE(loaded->trials.size(), stored);
    qInfo("open with %d trials: %.0f ms", stored, timer.nsecsElapsed() / 1e6);

    for (const auto& [size, total] :
        {std::pair(100, large ? 3'000'000 : 20'000), std::pair(1, large ? 300'000 : 2'000)}) {
        std::vector<Batch> batches;
        constexpr int spread = 10;
        static qint64 next = 0;
        for (int i = 0; i < total / size; ++i) {
            Batch points;
            points.metrics = {samples::metrics(samples::plainTrial(i % spread).id, next + i / spread * size, size)};
            batches.push_back(std::move(points));
        }
        next += total / spread;
        left = int(batches.size());
        timer.restart();
        for (Batch& points : batches)
            opened->commit(std::move(points), Durability::normal, [&](Result<>) { --left; });
        QTRY_COMPARE_WITH_TIMEOUT(left, 0, 60'000);
        qInfo("metrics in batches of %d: %.0f a second", size, total / (timer.nsecsElapsed() / 1e9));
    }
    timer.restart();
    const auto metrics = QCoro::waitFor(opened->readMetrics(samples::plainTrial(0).id, 0, 1'000'000));
    QVERIFY(metrics);
    qInfo("reading %zu metrics: %.1f ms", metrics->size(), timer.nsecsElapsed() / 1e6);
    timer.restart();
    QVERIFY(QCoro::waitFor(opened->readMetrics(samples::plainTrial(0).id, qint64(metrics->size()) - 100, 100))->size()
        == 100);
    qInfo("reading the last 100: %.2f ms", timer.nsecsElapsed() / 1e6);
    QCoro::waitFor(opened->close());
}

QTEST_GUILESS_MAIN(TestStoreSpeed)
#include "tst_store_speed.moc"
