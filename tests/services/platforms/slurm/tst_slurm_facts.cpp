// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/gpu/gpu_use.h"
#include "services/platforms/slurm/wire/slurm_facts.h"
#include "services/platforms/slurm/wire/slurm_platform.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::slurm;

namespace {

const PlatformId lab(u"lab"_s);
const TrialId t1(u"t1"_s);

SlurmJob job(const QStringList& words)
{
    SlurmJob one;
    one.id = 17;
    one.partition = u"gpu"_s;
    one.state = jobState(words);
    one.startTime = 5'000;
    one.endTime = 9'000;
    one.nodes = u"n1"_s;
    return one;
}

SlurmNode node(const QString& name, const QStringList& partitions, bool usable, QList<SlurmGres> gres)
{
    SlurmNode one;
    one.name = name;
    one.partitions = partitions;
    one.usable = usable;
    one.states = {usable ? u"MIXED"_s : u"DRAIN"_s};
    one.reason = usable ? QString() : u"fan"_s;
    one.cpus = 32;
    one.cpusAllocated = 8;
    one.memoryMb = 1'024;
    one.memoryAllocatedMb = 256;
    one.gres = std::move(gres);
    return one;
}

} // namespace

class TestSlurmFacts : public QObject
{
    Q_OBJECT
private slots:
    void names();
    void ends_data();
    void ends();
    void whatWaitsAndRuns();
    void oneOfEach();
    void nodes();
    void partitions();
    void optionsAreCheckedBeforeTheyAreUsed();
};

void TestSlurmFacts::names()
{
    QCOMPARE(jobName(u"s1"_s, t1), u"td-s1-t1"_s);
    QCOMPARE(trialOf(u"s1"_s, u"td-s1-t1"_s), t1);
    for (const QString& other : {u"td-s2-t1"_s, u"td-s1"_s, u"td-s1-"_s, u"td-s1-../x"_s, u"td-s1-a b"_s, u""_s})
        QVERIFY2(trialOf(u"s1"_s, other).isEmpty(), qPrintable(other));
}

void TestSlurmFacts::ends_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("status");
    QTest::addColumn<bool>("isDecisive");
    QTest::addColumn<QString>("reason");
    QTest::newRow("completed") << u"COMPLETED"_s << u"SUCCEEDED"_s << false << u""_s;
    QTest::newRow("failed") << u"FAILED"_s << u"FAILED"_s << false << u""_s;
    QTest::newRow("cancelled") << u"CANCELLED by 1000"_s << u"SYS_CANCELED"_s << true
                               << u"it was cancelled on the cluster by 1000"_s;
    QTest::newRow("time") << u"TIMEOUT"_s << u"SYS_CANCELED"_s << true << u"it reached the time limit of its job"_s;
    QTest::newRow("memory") << u"OUT_OF_MEMORY"_s << u"FAILED"_s << true
                            << u"it used more memory than its job had asked for"_s;
    QTest::newRow("node") << u"NODE_FAIL"_s << u"SYS_CANCELED"_s << true << u"its node n1 failed"_s;
    QTest::newRow("preempted") << u"PREEMPTED"_s << u"SYS_CANCELED"_s << true
                               << u"another job took its place (preemption)"_s;
}

void TestSlurmFacts::ends()
{
    QFETCH(QString, word);
    QFETCH(QString, status);
    QFETCH(bool, isDecisive);
    QFETCH(QString, reason);
    const JobFact fact = factOf(job({word}), t1, lab, {}, 10'000);
    QVERIFY(fact.phase == JobFact::Phase::ended);
    QCOMPARE(statusName(fact.end), status);
    QCOMPARE(fact.isDecisive, isDecisive);
    QCOMPARE(fact.reason.text(), reason);
    QCOMPARE(fact.handle, u"17"_s);
    QCOMPARE(fact.endTime, 9'000);
}

void TestSlurmFacts::whatWaitsAndRuns()
{
    SlurmJob waiting = job({u"PENDING"_s});
    waiting.reason = u"PartitionTimeLimit"_s;
    waiting.nodes.clear();
    SlurmPartition gpu;
    gpu.name = u"gpu"_s;
    gpu.maxSeconds = 3'600;
    const JobFact fact = factOf(waiting, t1, lab, {gpu}, 10'000);
    QVERIFY(fact.phase == JobFact::Phase::waiting);
    QVERIFY2(fact.reason.text().contains(u"gpu"), qPrintable(fact.reason.text()));
    QVERIFY(fact.machine.isEmpty());
    const JobFact running = factOf(job({u"RUNNING"_s}), t1, lab, {}, 10'000);
    QVERIFY(running.phase == JobFact::Phase::running);
    QCOMPARE(running.machine, MachineId(u"lab.n1"_s));
    QCOMPARE(running.startTime, 5'000);
    SlurmJob wide = job({u"RUNNING"_s});
    wide.nodes = u"n[1-2]"_s;
    QVERIFY(factOf(wide, t1, lab, {}, 10'000).machine.isEmpty()); // of several none is its machine
    QVERIFY(factOf(job({u"COMPLETING"_s}), t1, lab, {}, 10'000).phase == JobFact::Phase::unknown);
}

void TestSlurmFacts::oneOfEach()
{
    const auto fact = [](const QString& trial, JobFact::Phase phase, const QString& handle) {
        JobFact one;
        one.trial = TrialId(trial);
        one.phase = phase;
        one.handle = handle;
        return one;
    };
    using Phase = JobFact::Phase;
    const QList<JobFact> best = bestOfEach({fact(u"b"_s, Phase::ended, u"1"_s), fact(u"a"_s, Phase::waiting, u"2"_s),
        fact(u"b"_s, Phase::running, u"3"_s), fact(u"a"_s, Phase::waiting, u"4"_s)});
    QCOMPARE(best.size(), 2);
    QCOMPARE(best[0].handle, u"2"_s); // the older one
    QCOMPARE(best[1].handle, u"3"_s); // the one that runs
}

void TestSlurmFacts::nodes()
{
    const Machine machine = machineOf(
        node(u"n1"_s, {u"gpu"_s}, true, {{u"gpu"_s, u"a100"_s, 4, 2, {1, 3}}, {u"shard"_s, {}, 8, 0, {}}}), lab, 77);
    QCOMPARE(machine.id, MachineId(u"lab.n1"_s));
    QVERIFY(machine.state == MachineState::ready);
    QCOMPARE(machine.cpuPercent, 25.0);
    QCOMPARE(machine.memoryUsed, 256 * 1024 * 1024);
    QCOMPARE(machine.gpus.size(), 4);
    QCOMPARE(machine.gpus[0].model, u"a100"_s);
    QList<bool> taken;
    for (const Gpu& gpu : machine.gpus)
        taken.append(core::gpuUse(machine, gpu) == core::GpuUse::foreign);
    QCOMPARE(taken, (QList<bool>{false, true, false, true}));
    const Machine drained = machineOf(node(u"n2"_s, {u"gpu"_s}, false, {}), lab, 77);
    QVERIFY(drained.state == MachineState::failed);
    QVERIFY2(drained.message.text().contains(u"drain (fan)"), qPrintable(drained.message.text()));
}

void TestSlurmFacts::partitions()
{
    SlurmPartition gpu;
    gpu.name = u"gpu"_s;
    gpu.state = u"UP"_s;
    gpu.isDefault = true;
    gpu.maxSeconds = 3'600;
    SlurmPartition old;
    old.name = u"old"_s;
    old.state = u"DRAIN"_s;
    const QList<SlurmNode> nodes{node(u"n1"_s, {u"gpu"_s, u"old"_s}, true, {{u"gpu"_s, u"a100"_s, 4, 3, {}}}),
        node(u"n2"_s, {u"gpu"_s}, true, {{u"gpu"_s, u"h100"_s, 8, 8, {}}, {u"shard"_s, {}, 8, 0, {}}}),
        node(u"n3"_s, {u"gpu"_s}, false, {{u"gpu"_s, u"h100"_s, 8, 0, {}}}), node(u"n4"_s, {u"cpu"_s}, true, {})};
    const QList<PlatformQueue> queues = queuesOf({gpu, old}, nodes);
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues[0],
        (PlatformQueue{.name = u"gpu"_s,
            .isDefault = true,
            .machines = 3,
            .cpus = {64, 48},
            .gpus = {12, 1}, // not those of a node that starts nothing
            .maxSeconds = 3'600}));
    QVERIFY(!queues[1].isOpen);
    QVERIFY2(queues[1].message.text().contains(u"drain"), qPrintable(queues[1].message.text()));
    QCOMPARE(queues[1].gpus, (QueueShare{4, 1}));
    QVERIFY(!queues[1].maxSeconds);
}

void TestSlurmFacts::optionsAreCheckedBeforeTheyAreUsed()
{
    const SlurmPlatform platform(nullptr);
    const auto said = [&platform](const Json& options) {
        const Result<> checked = platform.checkOptions({{"workingDirectory", "/shared"}}, options);
        return checked ? QString() : checked.error().message.text();
    };
    QCOMPARE(said({{"trialMemorySize", "8 GB"}, {"timeLimit", "1-12:00:00"}}), QString());
    QVERIFY(said({{"trialMemorySize", "8 fish"}}).startsWith(u"trialMemorySize: \"8 fish\""_s));
    QVERIFY(said({{"trialMemorySize", "8 GB"}, {"timeLimit", "soon"}}).startsWith(u"timeLimit: "_s));
    QVERIFY(said({{"trialMemorySize", "8 GB"}, {"extraArgs", "--output=x"}}).startsWith(u"extraArgs: "_s));
}

QTEST_APPLESS_MAIN(TestSlurmFacts)
#include "tst_slurm_facts.moc"
