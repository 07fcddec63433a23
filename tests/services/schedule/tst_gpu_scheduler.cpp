// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/schedule/gpu_inventory.h"
#include "services/schedule/gpu_scheduler.h"

#include <QElapsedTimer>
#include <QTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace schedule;

namespace {

const PlatformId lab(u"lab"_s);
const ExperimentId exp1(u"e1"_s);

Machine machine(const QString& id, int gpus, int cpus = 8)
{
    Machine m;
    m.id = MachineId(id);
    m.platformId = lab;
    m.state = MachineState::ready;
    m.cpuCount = cpus;
    for (int i = 0; i < gpus; ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.uuid = u"GPU-%1-%2"_s.arg(id).arg(i);
        m.gpus.append(gpu);
    }
    return m;
}

void hold(Machine& m, int gpu, GpuHolder holder, const QString& note = {})
{
    m.gpus[gpu].reservations.append({holder, holder == GpuHolder::trial ? TrialId(u"tx"_s) : TrialId(), 1, note});
}

void foreign(Machine& m, int gpu, const QString& user = u"anna"_s, qint64 usedMib = 12034)
{
    GpuProcess process;
    process.pid = 4711;
    process.user = user;
    process.name = u"/opt/conda/bin/python3"_s;
    process.memoryUsed = usedMib * 1024 * 1024;
    process.compute = true;
    m.gpus[gpu].processes.append(process);
}

struct World
{
    SchedulerState state;
    TrialQueue queue;
    int made = 0;

    World()
    {
        Platform platform;
        platform.id = lab;
        platform.state = PlatformState::ready;
        platform.capabilities.placement = true;
        platform.capabilities.machines = true;
        add(platform);
        state.experiments.insert(exp1, ExperimentQuota{ExperimentState::running, 100, 0});
    }
    void add(const Machine& m) { state.machines.append(std::make_shared<const Machine>(m)); }
    void add(const Platform& p) { state.platforms.append(std::make_shared<const Platform>(p)); }
    TrialId want(std::optional<int> gpus, int priority = 0, const QString& on = {})
    {
        PlacementRequest request;
        request.trial = TrialId(u"t%1"_s.arg(made, 4, 10, QChar(u'0')));
        request.experiment = exp1;
        request.platform = lab;
        request.priority = priority;
        request.order = made++;
        request.gpuNumber = gpus;
        request.wantedMachine = MachineId(on);
        queue.put(request);
        return request.trial;
    }
    void setPlacement(const char* word)
    {
        Platform platform = *state.platforms.first();
        platform.settings["placement"] = word;
        state.platforms.first() = std::make_shared<const Platform>(platform);
    }
    Plan plan() const { return planPlacements(state, queue); }
    QString sentence(const TrialId& trial) const
    {
        const WaitReasonPtr reason = plan().reasonOf(queue, trial);
        return reason ? reason->sentence.text() : u"placed"_s;
    }
};

/// "t0000 on a: 0,1; t0001 on b"
QString words(const Plan& plan)
{
    QStringList parts;
    for (const Placement& placement : plan.placements) {
        QStringList indices;
        for (const int index : placement.gpuIndices)
            indices.append(QString::number(index));
        parts.append(placement.trial.value + u" on "_s + placement.machine.value
            + (indices.isEmpty() ? QString() : u": "_s + indices.join(u',')));
    }
    return parts.join(u"; "_s);
}

} // namespace

class TestGpuScheduler : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("TZ", "UTC"); }

    // ------------------------------------------------------------------------------------------------------- placing

    void packFillsWhatIsInUse()
    {
        World world;
        Machine a = machine(u"a"_s, 4);
        Machine b = machine(u"b"_s, 4);
        hold(b, 2, GpuHolder::trial);
        world.add(a);
        world.add(b);
        world.want(1);
        world.want(2);
        world.want(4);
        QCOMPARE(words(world.plan()), u"t0000 on b: 0; t0001 on b: 1,3; t0002 on a: 0,1,2,3"_s);
    }

    void spreadTakesTheLeastLoaded()
    {
        World world;
        world.setPlacement("spread");
        Machine b = machine(u"b"_s, 4);
        hold(b, 2, GpuHolder::trial);
        world.add(machine(u"a"_s, 4));
        world.add(b);
        world.want(1);
        world.want(1);
        world.want(1);
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on a: 1; t0002 on b: 0"_s);
    }

    /// GPUs of two machines with one boot id are the same by their uuid.
    void oneComputerUnderTwoNamesGivesAGpuOnce()
    {
        World world;
        Machine a = machine(u"a"_s, 2);
        Machine b = machine(u"b"_s, 3);
        b.gpus[2].uuid = a.gpus[0].uuid;
        b.gpus[0].uuid = a.gpus[1].uuid;
        b.usableGpus = QList<int>{0, 2};
        world.add(a);
        world.add(b);
        world.want(1);
        world.want(1);
        const TrialId third = world.want(1);
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on a: 1; t0002 on b: 0"_s);
        world.state.computers = {{a.id, u"boot"_s}, {b.id, u"another"_s}};
        QCOMPARE(world.plan().placements.size(), 3);
        world.state.computers[b.id] = u"boot"_s;
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on a: 1"_s);
        QCOMPARE(world.sentence(third),
            u"needs 1 GPU; a has 0 free of 2 (2 run trials); b has 0 free of 2 (2 run "
            "trials; gpuIndices leaves out 1)"_s);
        // Each name's own limit holds for all trials of the GPU.
        auto wide = std::make_shared<Machine>(b);
        wide->maxTrialsPerGpu = 2;
        world.state.machines[1] = wide;
        QCOMPARE(world.plan().placements.size(), 3);
    }

    void placementIsASettingOfThePlatform()
    {
        World world;
        world.add(machine(u"a"_s, 2));
        world.add(machine(u"b"_s, 2));
        world.want(1);
        world.want(1);
        const QString beside = u"t0000 on a: 0; t0001 on a: 1"_s;
        QCOMPARE(words(world.plan()), beside);
        world.setPlacement("spread");
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on b: 0"_s);
        world.setPlacement("pack");
        QCOMPARE(words(world.plan()), beside);
    }

    void eachPlatformHasItsOwnPlacement()
    {
        World world;
        world.setPlacement("spread");
        Platform other = *world.state.platforms.first();
        other.id = PlatformId(u"other"_s);
        other.settings["placement"] = "pack";
        world.add(other);
        for (const char16_t* name : {u"a", u"b", u"c", u"d"}) {
            Machine m = machine(QString::fromUtf16(name), 2);
            if (m.id.value > u"b"_s)
                m.platformId = other.id;
            world.add(m);
        }
        world.want(1);
        world.want(1);
        for (int i = 2; i < 4; ++i) {
            PlacementRequest request;
            request.trial = TrialId(u"t000%1"_s.arg(i));
            request.experiment = exp1;
            request.platform = other.id;
            request.order = i;
            request.gpuNumber = 1;
            world.queue.put(request);
        }
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on b: 0; t0002 on c: 0; t0003 on c: 1"_s);
    }

    void sharedGpus()
    {
        World world;
        Machine a = machine(u"a"_s, 2);
        a.maxTrialsPerGpu = 2;
        hold(a, 1, GpuHolder::trial);
        world.add(a);
        for (int i = 0; i < 4; ++i)
            world.want(1);
        QCOMPARE(words(world.plan()), u"t0000 on a: 1; t0001 on a: 0; t0002 on a: 0"_s);
        world.setPlacement("spread");
        QCOMPARE(words(world.plan()), u"t0000 on a: 0; t0001 on a: 0; t0002 on a: 1"_s);
    }

    void distinctGpusForOneTrial()
    {
        World world;
        Machine a = machine(u"a"_s, 1);
        a.maxTrialsPerGpu = 4;
        world.add(a);
        const TrialId two = world.want(2);
        QVERIFY(world.plan().placements.isEmpty());
        QCOMPARE(world.plan().reasonOf(world.queue, two)->kind, WaitKind::never);
    }

    void withoutGpusAnyReadyMachine()
    {
        World world;
        Machine a = machine(u"a"_s, 1, 4);
        hold(a, 0, GpuHolder::person);
        Machine drained = machine(u"d"_s, 1, 64);
        drained.state = MachineState::drained;
        world.add(a);
        world.add(machine(u"b"_s, 0, 8));
        world.add(drained);
        world.want(std::nullopt);
        world.want(0);
        world.want(std::nullopt);
        // By load a core: b (1/8), b (2/8) ties with a (1/4) and a comes first by name, then b.
        QCOMPARE(words(world.plan()), u"t0000 on b; t0001 on a; t0002 on b"_s);
    }

    void blocksOfAGpu_data()
    {
        QTest::addColumn<Machine>("m");
        QTest::addColumn<bool>("placed");
        const auto row = [](const char* name, bool placed, auto change) {
            Machine m = machine(u"a"_s, 1);
            change(m);
            QTest::newRow(name) << m << placed;
        };
        row("free", true, [](Machine&) {});
        row("own trial", false, [](Machine& m) { hold(m, 0, GpuHolder::trial); });
        row("own trial, limit 2", true, [](Machine& m) {
            hold(m, 0, GpuHolder::trial);
            m.maxTrialsPerGpu = 2;
        });
        row("limit 0 means 1", true, [](Machine& m) { m.maxTrialsPerGpu = 0; });
        row("person", false, [](Machine& m) {
            hold(m, 0, GpuHolder::person);
            m.maxTrialsPerGpu = 2;
        });
        row("other service", false, [](Machine& m) { hold(m, 0, GpuHolder::service); });
        row("foreign", false, [](Machine& m) { foreign(m, 0); });
        row("foreign, useActiveGpu", true, [](Machine& m) {
            foreign(m, 0);
            m.useActiveGpu = true;
        });
        row("foreign beside our trial", true, [](Machine& m) {
            foreign(m, 0);
            hold(m, 0, GpuHolder::trial);
            m.maxTrialsPerGpu = 2;
        });
        row("our own process", true, [](Machine& m) {
            foreign(m, 0);
            m.gpus[0].processes[0].trialId = TrialId(u"tq"_s);
        });
        row("graphics only", true, [](Machine& m) {
            foreign(m, 0);
            m.gpus[0].processes[0].compute = false;
        });
        row("in gpuIndices", true, [](Machine& m) { m.usableGpus = QList<int>{0, 9}; });
        row("not in gpuIndices", false, [](Machine& m) { m.usableGpus = QList<int>{1}; });
        row("split", false, [](Machine& m) { m.gpus[0].migParent = m.gpus[0].uuid; });
        row("silent machine", false, [](Machine& m) { m.state = MachineState::silent; });
    }
    void blocksOfAGpu()
    {
        QFETCH(Machine, m);
        QFETCH(bool, placed);
        World world;
        world.add(m);
        world.want(1);
        QCOMPARE(world.plan().placements.size(), placed ? 1 : 0);
        QCOMPARE(world.plan().waiting.size(), placed ? 0 : 1);
    }

    void migDevicesServeOneGpu()
    {
        World world;
        Machine m = machine(u"a"_s, 2);
        m.gpus[0].migParent = m.gpus[0].uuid;
        for (int i = 0; i < 2; ++i) {
            Gpu mig;
            mig.index = 2 + i;
            mig.uuid = u"MIG-%1"_s.arg(i);
            mig.migParent = m.gpus[0].uuid;
            m.gpus.append(mig);
        }
        world.add(m);
        world.want(1);
        const TrialId two = world.want(2);
        QCOMPARE(words(world.plan()), u"t0000 on a: 2"_s);
        QCOMPARE(world.sentence(two),
            u"needs 2 GPUs; a has 1 (MIG devices serve trials of 1 GPU), so it can never start on this platform"_s);
        // gpuIndices may name the device, or the GPU that it is a part of.
        m.usableGpus = QList<int>{0};
        QCOMPARE(gpuAvailability(m, m.gpus[3]).block, GpuBlock::none);
        m.usableGpus = QList<int>{3};
        QCOMPARE(gpuAvailability(m, m.gpus[3]).block, GpuBlock::none);
        QCOMPARE(gpuAvailability(m, m.gpus[2]).block, GpuBlock::excluded);
    }

    void useActivePrefersIdleOnes()
    {
        World world;
        Machine m = machine(u"a"_s, 3);
        m.useActiveGpu = true;
        foreign(m, 0);
        world.add(m);
        world.want(2);
        QCOMPARE(words(world.plan()), u"t0000 on a: 1,2"_s);
    }

    void orderAndPassing()
    {
        World world;
        world.add(machine(u"a"_s, 2));
        const TrialId big = world.want(4, 5);
        world.want(1, 0);
        world.want(1, 1);
        const TrialId last = world.want(1, 0);
        // The one that cannot be placed does not block those behind it.
        QCOMPARE(words(world.plan()), u"t0002 on a: 0; t0001 on a: 1"_s);
        QVERIFY(world.plan().reasonOf(world.queue, big));
        QVERIFY(world.plan().reasonOf(world.queue, last));
    }

    void concurrency()
    {
        World world;
        world.state.experiments[exp1] = {ExperimentState::running, 8, 6};
        world.add(machine(u"a"_s, 0));
        for (int i = 0; i < 4; ++i)
            world.want(std::nullopt);
        const Plan plan = world.plan();
        QCOMPARE(plan.placements.size(), 2);
        QCOMPARE(plan.waiting.size(), 1);
        QCOMPARE(plan.waiting.begin().value()->sentence, u"8 of 8 trials of this experiment run"_s);
    }

    void platformsThatPlaceThemselves()
    {
        World world;
        Platform cluster;
        cluster.id = PlatformId(u"pai"_s);
        cluster.state = PlatformState::ready;
        world.add(cluster);
        PlacementRequest request{TrialId(u"tc"_s), exp1, cluster.id, 0, 0, false, 64, MachineId(u"node9"_s)};
        world.queue.put(request);
        const Plan plan = world.plan();
        QCOMPARE(plan.placements.size(), 1);
        QCOMPARE(plan.placements.first(), (Placement{request.trial, {}, {}}));
    }

    // ------------------------------------------------------------------------------------------------------- reasons

    void sentences_data()
    {
        QTest::addColumn<std::function<TrialId(World&)>>("make");
        QTest::addColumn<QString>("sentence");
        using Make = std::function<TrialId(World&)>;
        const auto row = [](const char* name, const QString& sentence, const Make& make) {
            QTest::newRow(name) << make << sentence;
        };
        row("one free", u"needs 2 GPUs; gpu-box-1 has 1 free of 2 (1 runs a trial); gpu-box-2 is drained"_s,
            [](World& w) {
                Machine m = machine(u"gpu-box-1"_s, 2);
                hold(m, 0, GpuHolder::trial);
                w.add(m);
                Machine d = machine(u"gpu-box-2"_s, 4);
                d.state = MachineState::drained;
                w.add(d);
                return w.want(2);
            });
        row("all kinds",
            u"needs 1 GPU; a has 0 free of 5 (2 run 3 trials; GPU 2 is reserved by a person (“debugging”); "
            "GPU 3 is held by another service; GPU 4 is busy with python3 of user anna (12,034 MiB) and 1 more; "
            "gpuIndices leaves out 5)"_s,
            [](World& w) {
                Machine m = machine(u"a"_s, 6);
                m.maxTrialsPerGpu = 1;
                hold(m, 0, GpuHolder::trial);
                hold(m, 1, GpuHolder::trial);
                hold(m, 1, GpuHolder::trial);
                hold(m, 2, GpuHolder::person, u"debugging"_s);
                hold(m, 3, GpuHolder::service);
                foreign(m, 4, u"ben"_s, 5);
                foreign(m, 4);
                m.usableGpus = QList<int>{0, 1, 2, 3, 4};
                w.add(m);
                return w.want(1);
            });
        row("never", u"needs 9 GPUs; the largest machine, a, has 8, so it can never start on this platform"_s,
            [](World& w) {
                w.add(machine(u"a"_s, 8));
                w.add(machine(u"b"_s, 4));
                w.state.experiments[exp1].running = 100;
                return w.want(9);
            });
        row("no gpu at all",
            u"needs 1 GPU; this-computer has none for trials (no NVIDIA GPU: trials use 8 cores), so it can never start on this platform"_s,
            [](World& w) {
                Machine m = machine(u"this-computer"_s, 0);
                m.gpuMessage = u"no NVIDIA GPU: trials use 8 cores"_s;
                w.add(m);
                return w.want(1);
            });
        row("not known yet", u"no machine takes trials now: a is being connected"_s, [](World& w) {
            Machine m = machine(u"a"_s, 0);
            m.state = MachineState::connecting;
            w.add(m);
            return w.want(4);
        });
        row("silent", u"no machine takes trials now: a is silent since 12:03; b is drained"_s, [](World& w) {
            Machine m = machine(u"a"_s, 0);
            m.state = MachineState::silent;
            m.lastContact = (12 * 60 + 3) * 60'000;
            w.add(m);
            Machine d = machine(u"b"_s, 0);
            d.state = MachineState::drained;
            w.add(d);
            return w.want(std::nullopt);
        });
        row("wanted machine absent", u"wants the machine z9, which the platform lab does not have"_s, [](World& w) {
            w.add(machine(u"a"_s, 8));
            return w.want(std::nullopt, 0, u"z9"_s);
        });
        row("wanted machine closed", u"wants the machine a, which is drained"_s, [](World& w) {
            Machine m = machine(u"a"_s, 8);
            m.state = MachineState::drained;
            w.add(m);
            w.add(machine(u"b"_s, 8));
            return w.want(1, 0, u"a"_s);
        });
        row("wanted machine full", u"needs 1 GPU; a has 0 free of 1 (1 runs a trial)"_s, [](World& w) {
            Machine m = machine(u"a"_s, 1);
            hold(m, 0, GpuHolder::trial);
            w.add(m);
            w.add(machine(u"b"_s, 8));
            return w.want(1, 0, u"a"_s);
        });
        row("no machine", u"the platform lab has no machine yet"_s, [](World& w) { return w.want(1); });
        row("concurrency of one", u"1 of 1 trial of this experiment runs"_s, [](World& w) {
            w.add(machine(u"a"_s, 1));
            w.state.experiments[exp1] = {ExperimentState::running, 1, 1};
            return w.want(1);
        });
        row("concurrency lowered", u"9 trials of this experiment run, more than the 4 now allowed at once"_s,
            [](World& w) {
                w.add(machine(u"a"_s, 1));
                w.state.experiments[exp1] = {ExperimentState::running, 4, 9};
                return w.want(0);
            });
        row("paused", u"the experiment is paused"_s, [](World& w) {
            w.state.experiments[exp1].state = ExperimentState::paused;
            return w.want(1);
        });
        row("hold", u"on hold until a person releases it"_s, [](World& w) {
            w.add(machine(u"a"_s, 8));
            PlacementRequest r{TrialId(u"th"_s), exp1, lab, 0, 0, true, 1, {}};
            w.queue.put(r);
            return r.trial;
        });
        row("platform", u"the platform dlts does not answer: connection refused"_s, [](World& w) {
            Platform p;
            p.id = PlatformId(u"dlts"_s);
            p.state = PlatformState::silent;
            p.message = u"connection refused"_s;
            w.add(p);
            PlacementRequest r{TrialId(u"th"_s), exp1, p.id, 0, 0, false, 1, {}};
            w.queue.put(r);
            return r.trial;
        });
        row("many machines",
            u"needs 4 GPUs; m000 has 0 free of 4 (4 run trials); m001 has 0 free of 4 (4 run trials); m002 has 0 free; "
            "m003 has 0 free; of 196 more none has over 0 free"_s,
            [](World& w) {
                for (int i = 0; i < 200; ++i) {
                    Machine m = machine(u"m%1"_s.arg(i, 3, 10, QChar(u'0')), 4);
                    for (int g = 0; g < 4; ++g)
                        hold(m, g, GpuHolder::trial);
                    w.add(m);
                }
                return w.want(4);
            });
    }
    void sentences()
    {
        QFETCH(std::function<TrialId(World&)>, make);
        QFETCH(QString, sentence);
        World world;
        const TrialId trial = make(world);
        QCOMPARE(world.sentence(trial), sentence);
    }

    void reasonForTheCard()
    {
        World world;
        Machine a = machine(u"a"_s, 4);
        hold(a, 0, GpuHolder::trial);
        foreign(a, 1);
        world.add(machine(u"b"_s, 2));
        world.add(a);
        world.state.trialsOnMachine.insert(MachineId(u"a"_s), 1);
        const TrialId trial = world.want(4);
        const TrialId same = world.want(4);
        const Plan plan = world.plan();
        const WaitReasonPtr reason = plan.reasonOf(world.queue, trial);
        QVERIFY(reason);
        QCOMPARE(reason.get(), plan.reasonOf(world.queue, same).get()); // one for all of a class
        QCOMPARE(reason->kind, WaitKind::gpus);
        QCOMPARE(reason->wanted, 4);
        QCOMPARE(reason->available, 2);
        QCOMPARE(reason->largest, 4);
        QCOMPARE(reason->machines->size(), 2);
        const MachineSight expected{MachineId(u"a"_s), MachineState::ready, 4, 4, 2, 2, 1,
            u"1 runs a trial; GPU 1 is busy with python3 of user anna (12,034 MiB)"_s};
        MachineSight seen = reason->machines->at(0);
        seen.note = seen.note.text();
        QCOMPARE(seen, expected);
    }

    void manyWaitingManyMachines()
    {
        World world;
        world.state.experiments[exp1].concurrency = 100'000;
        for (int i = 0; i < 200; ++i)
            world.add(machine(u"m%1"_s.arg(i), 8));
        for (int i = 0; i < 10'000; ++i)
            world.want(1 + i % 4);
        QElapsedTimer timer;
        timer.start();
        Plan plan = world.plan();
        const qint64 first = timer.nsecsElapsed();
        QVERIFY(plan.placements.size() >= 600);
        QVERIFY(plan.placements.size() <= 1600);
        // The usual pass: all is taken, nothing can be placed.
        for (MachinePtr& ptr : world.state.machines) {
            Machine m = *ptr;
            for (int g = 0; g < 8; ++g)
                hold(m, g, GpuHolder::trial);
            ptr = std::make_shared<const Machine>(m);
        }
        qint64 idle = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 10; ++i) {
            timer.restart();
            plan = world.plan();
            idle = std::min(idle, timer.nsecsElapsed());
        }
        QVERIFY(plan.placements.isEmpty());
        QCOMPARE(plan.waiting.size(), 4);
        qInfo("10,000 waiting, 200 machines of 8 GPUs: first pass %.2f ms, a pass without room %.2f ms",
            double(first) / 1e6, double(idle) / 1e6);
        QVERIFY2(idle < 500'000'000, "a pass must not look at every waiting trial");
    }
};

QTEST_GUILESS_MAIN(TestGpuScheduler)
#include "tst_gpu_scheduler.moc"
