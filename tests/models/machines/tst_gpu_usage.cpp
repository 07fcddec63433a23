// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/gpu_usage.h"
#include "services/core/gpu/gpu_use.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::UsageSpan;

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 now = 30'000'000 * minute;
constexpr GpuCounts calm{4, 1, 0, 0, 0, 3};
constexpr GpuCounts busy{4, 3, 1, 0, 0, 0};

} // namespace

class TestGpuUsage : public QObject
{
    Q_OBJECT
private slots:
    void theShortestTimeThatShowsAll()
    {
        QCOMPARE(models::usageLengthMs({}, now), 10 * minute);
        QCOMPARE(models::usageLengthMs({{now - 11 * minute, calm}}, now), 60 * minute);
        QCOMPARE(models::usageLengthMs({{now - 100 * minute, calm}}, now), 180 * minute);
        QCOMPARE(models::usageLengthMs({{now - 600 * minute, calm}}, now), 720 * minute);
    }

    void stepsUntilNow()
    {
        const QList<GpuUsageSample> samples{
            {now - 9 * minute, calm}, {now - 6 * minute, busy}, {now - 5 * minute, busy}};
        QCOMPARE(models::usageSpans(samples, busy, now - 8 * minute, now),
            (QList<UsageSpan>{{now - 8 * minute, now - 6 * minute, calm}, {now - 6 * minute, now, busy}}));
        // A change of this moment is shown before the service sends it.
        QCOMPARE(models::usageSpans(samples, calm, now - 6 * minute, now),
            (QList<UsageSpan>{{now - 6 * minute, now - minute, busy}, {now - minute, now, calm}}));
    }

    void aTimeThatNobodyWatchedIsAGap()
    {
        const QList<GpuUsageSample> samples{{now - 100 * minute, calm}, {now - 20 * minute, busy}};
        const auto spans = models::usageSpans(samples, busy, now - 180 * minute, now);
        QCOMPARE(spans,
            (QList<UsageSpan>{
                {now - 100 * minute, now - 90 * minute, calm}, {now - 20 * minute, now - 10 * minute, busy}}));
    }

    void whoseAGpuIs_data()
    {
        QTest::addColumn<QStringList>("holders");
        QTest::addColumn<bool>("compute");
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("use");
        const auto row = [](const char* name, const QStringList& holders, bool compute, MachineState state,
                             GpuUse use) { QTest::newRow(name) << holders << compute << int(state) << int(use); };
        row("free; graphics make no GPU busy", {}, false, MachineState::ready, GpuUse::free);
        row("somebody computes", {}, true, MachineState::ready, GpuUse::foreign);
        row("ours beside somebody", {u"trial"_s}, true, MachineState::ready, GpuUse::ours);
        row("ours on what a person keeps", {u"person"_s, u"trial"_s}, false, MachineState::ready, GpuUse::ours);
        row("a person's", {u"person"_s}, true, MachineState::drained, GpuUse::reserved);
        row("another service's", {u"service"_s}, true, MachineState::ready, GpuUse::service);
        row("held, in a word of a newer service", {u"robot"_s}, false, MachineState::ready, GpuUse::service);
        row("not known any more", {u"trial"_s}, true, MachineState::silent, GpuUse::silent);
    }
    void whoseAGpuIs()
    {
        QFETCH(QStringList, holders);
        QFETCH(bool, compute);
        QFETCH(int, state);
        QFETCH(int, use);
        Machine machine;
        machine.state = MachineState(state);
        Gpu gpu;
        for (const QString& holder : holders)
            gpu.reservations.append(GpuReservation{OpenWord<GpuHolder>::fromWord(holder), {}, 0, {}});
        gpu.processes.append(GpuProcess{7, u"anna"_s, u"python3"_s, 1, compute, {}});
        machine.gpus = {gpu, Gpu()};
        QCOMPARE(int(gpuUse(machine, gpu)), use);
        GpuCounts counts = gpuCounts(machine);
        QCOMPARE(counts.gpus, 2);
        QCOMPARE(counts.ours + counts.foreign + counts.reserved + counts.silent + counts.free, 2);
        counts -= gpuCounts(machine);
        QCOMPARE(counts, GpuCounts());
    }
};

QTEST_GUILESS_MAIN(TestGpuUsage)
#include "tst_gpu_usage.moc"
