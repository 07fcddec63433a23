// SPDX-License-Identifier: GPL-3.0-or-later
// Random histories of a small lab against a slow, plain account of the same rules: no GPU is given beyond its limit, no
// request that fits is left waiting, and the order within a kind of request is kept.
#include "services/schedule/gpu_inventory.h"
#include "services/schedule/gpu_scheduler.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace schedule;

namespace {

const PlatformId labPlatform(u"lab"_s);

struct Running
{
    TrialId trial;
    ExperimentId experiment;
    MachineId machine;
    QList<int> gpus;
};

class History
{
public:
    History(quint32 seed, const QList<Gpu>& table)
        : m_random(seed)
    {
        Platform platform;
        platform.id = labPlatform;
        platform.state = PlatformState::ready;
        platform.capabilities.placement = true;
        platform.settings["placement"] = chance(50) ? "pack" : "spread";
        m_platform = std::make_shared<const Platform>(platform);
        const int machines = 1 + below(3);
        for (int i = 0; i < machines; ++i) {
            Machine m;
            m.id = MachineId(u"m%1"_s.arg(i));
            m.platformId = labPlatform;
            m.state = MachineState::ready;
            m.cpuCount = 1 + below(16);
            m.maxTrialsPerGpu = 1 + below(3);
            m.useActiveGpu = chance(25);
            m.gpus = chance(30) ? table : table.first(below(5));
            if (chance(25))
                m.usableGpus = QList<int>{0, 2, 3, 9};
            if (m.gpus.size() > 2 && chance(20)) {
                m.gpus[0].migParent = m.gpus[0].uuid;
                m.gpus[1].migParent = m.gpus[0].uuid;
            }
            m_machines.append(m);
        }
        for (int i = 0; i < 2; ++i)
            m_quotas.insert(ExperimentId(u"e%1"_s.arg(i)), ExperimentQuota{ExperimentState::running, 1 + below(8), 0});
    }

    /// A step and a pass after it; what is wrong, or an empty string.
    QString step()
    {
        for (int change = 1 + below(4); change > 0; --change)
            mutate();
        SchedulerState state;
        state.platforms = {m_platform};
        for (const Machine& m : std::as_const(m_machines)) {
            state.machines.append(std::make_shared<const Machine>(m));
            for (const Running& running : m_running)
                state.trialsOnMachine[m.id] += running.machine == m.id;
        }
        state.experiments = m_quotas;
        const Plan plan = planPlacements(state, m_queue);
        for (const Placement& placement : plan.placements) {
            const QString fault = carryOut(placement);
            if (!fault.isEmpty())
                return fault;
        }
        // What holds for one of a class holds for all of it.
        for (const auto& [id, queue] : m_queue.classes()) {
            const TrialId trial = queue.waiting.begin()->trial;
            const WaitReasonPtr reason = plan.reasonOf(m_queue, trial);
            if (!reason || reason->sentence.isEmpty())
                return trial.value + u" waits without a reason"_s;
            const PlacementRequest request = *m_queue.find(trial);
            if (fits(request))
                return trial.value + u" fits but waits: "_s + reason->sentence;
            if (reason->kind == WaitKind::never && fitsEver(request))
                return trial.value + u" may fit one day: "_s + reason->sentence;
        }
        return {};
    }

private:
    int below(int n) { return int(m_random() % quint32(n)); }
    bool chance(int percent) { return below(100) < percent; }

    void mutate()
    {
        const int arrivals = below(4);
        for (int i = 0; i < arrivals; ++i) {
            PlacementRequest request;
            request.trial = TrialId(u"t%1"_s.arg(m_made));
            request.experiment = ExperimentId(u"e%1"_s.arg(below(2)));
            request.platform = labPlatform;
            request.priority = below(3);
            request.order = m_made++;
            request.hold = chance(5);
            if (chance(85))
                request.gpuNumber = chance(90) ? below(4) : 8;
            if (chance(15))
                request.wantedMachine = MachineId(u"m%1"_s.arg(below(4)));
            m_queue.put(request);
        }
        if (!m_running.isEmpty() && chance(50)) {
            const Running done = m_running.takeAt(below(int(m_running.size())));
            --m_quotas[done.experiment].running;
            for (Machine& m : m_machines) {
                for (Gpu& gpu : m.gpus)
                    erase_if(gpu.reservations, [&](const GpuReservation& r) { return r.trialId == done.trial; });
            }
        }
        Machine& m = m_machines[below(int(m_machines.size()))];
        if (chance(20))
            m.state = m.state == MachineState::ready ? (chance(50) ? MachineState::drained : MachineState::silent)
                                                     : MachineState::ready;
        if (chance(10)) {
            ExperimentQuota& quota = m_quotas[ExperimentId(u"e0"_s)];
            quota.state = quota.state == ExperimentState::running ? ExperimentState::paused : ExperimentState::running;
        }
        if (m.gpus.isEmpty())
            return;
        Gpu& gpu = m.gpus[below(int(m.gpus.size()))];
        switch (below(4)) {
        case 0: {
            const GpuHolder holder = chance(70) ? GpuHolder::person : GpuHolder::service;
            const qsizetype before = gpu.reservations.size();
            erase_if(gpu.reservations, [](const GpuReservation& r) { return r.holder != GpuHolder::trial; });
            if (before == gpu.reservations.size())
                gpu.reservations.append({holder, {}, 1, {}});
            break;
        }
        case 1:
            if (gpu.processes.isEmpty()) {
                GpuProcess process;
                process.pid = 1 + below(1000);
                process.name = u"python"_s;
                process.compute = chance(70);
                if (chance(20))
                    process.trialId = TrialId(u"tours"_s);
                gpu.processes.append(process);
            } else {
                gpu.processes.clear();
            }
            break;
        default:
            break;
        }
    }

    // The rules once more, plainly: no shared code with the scheduler.
    bool usable(const Machine& m, const Gpu& gpu, int wanted) const
    {
        const bool mig = !gpu.migParent.isEmpty();
        if (mig && gpu.migParent == gpu.uuid)
            return false;
        if (mig && wanted > 1)
            return false;
        if (!m.usableGpus)
            return true;
        if (m.usableGpus->contains(gpu.index))
            return true;
        return mig && m.usableGpus->contains(0); // in this lab it is GPU 0 that is split
    }
    bool takes(const Machine& m, const Gpu& gpu, int wanted) const
    {
        if (m.state != MachineState::ready || !usable(m, gpu, wanted))
            return false;
        int own = 0;
        for (const GpuReservation& r : gpu.reservations) {
            if (r.holder != GpuHolder::trial)
                return false;
            ++own;
        }
        if (own >= m.maxTrialsPerGpu)
            return false;
        for (const GpuProcess& p : gpu.processes) {
            if (p.compute && p.trialId.isEmpty() && own == 0 && !m.useActiveGpu)
                return false;
        }
        return true;
    }
    bool fits(const PlacementRequest& request) const
    {
        const ExperimentQuota quota = m_quotas.value(request.experiment);
        if (request.hold || quota.state != ExperimentState::running || quota.running >= quota.concurrency)
            return false;
        const int wanted = request.gpuNumber.value_or(0);
        for (const Machine& m : m_machines) {
            if (!request.wantedMachine.isEmpty() && request.wantedMachine != m.id)
                continue;
            int open = 0;
            for (const Gpu& gpu : m.gpus)
                open += takes(m, gpu, wanted);
            if (m.state == MachineState::ready && open >= wanted)
                return true;
        }
        return false;
    }
    bool fitsEver(const PlacementRequest& request) const
    {
        const int wanted = request.gpuNumber.value_or(0);
        for (const Machine& m : m_machines) {
            if (!request.wantedMachine.isEmpty() && request.wantedMachine != m.id)
                continue;
            int all = 0;
            for (const Gpu& gpu : m.gpus)
                all += usable(m, gpu, wanted);
            if (all >= wanted)
                return true;
        }
        return false;
    }

    QString carryOut(const Placement& placement)
    {
        const auto request = m_queue.find(placement.trial);
        if (!request)
            return placement.trial.value + u" was placed but does not wait"_s;
        // Nothing of its class that waits goes before it.
        const ClassQueue& queue = m_queue.classes().at(*m_queue.classOf(placement.trial));
        if (queue.waiting.begin()->trial != placement.trial)
            return placement.trial.value + u" was placed out of order"_s;
        if (!fits(*request))
            return placement.trial.value + u" was placed but does not fit"_s;
        if (!request->wantedMachine.isEmpty() && request->wantedMachine != placement.machine)
            return placement.trial.value + u" is not where it wants to be"_s;
        for (Machine& m : m_machines) {
            if (m.id != placement.machine)
                continue;
            if (m.state != MachineState::ready)
                return placement.trial.value + u" is on a machine that is not ready"_s;
            const int wanted = request->gpuNumber.value_or(0);
            if (placement.gpuIndices.size() != wanted)
                return placement.trial.value + u" has the wrong number of GPUs"_s;
            for (qsizetype i = 1; i < wanted; ++i) {
                if (placement.gpuIndices.at(i - 1) >= placement.gpuIndices.at(i))
                    return placement.trial.value + u" has a GPU twice, or out of order"_s;
            }
            for (const int index : placement.gpuIndices) {
                Gpu& gpu = m.gpus[index];
                if (gpu.index != index || !takes(m, gpu, wanted))
                    return u"%1 was given GPU %2, which takes no trial"_s.arg(placement.trial.value).arg(index);
                gpu.reservations.append({GpuHolder::trial, placement.trial, 1, {}});
            }
        }
        ++m_quotas[request->experiment].running;
        m_running.append({placement.trial, request->experiment, placement.machine, placement.gpuIndices});
        m_queue.remove(placement.trial);
        return {};
    }

    std::mt19937 m_random;
    PlatformPtr m_platform;
    QList<Machine> m_machines;
    QHash<ExperimentId, ExperimentQuota> m_quotas;
    TrialQueue m_queue;
    QList<Running> m_running;
    int m_made = 0;
};

} // namespace

class TestGpuSchedulerRandom : public QObject
{
    Q_OBJECT

private slots:
    void histories()
    {
        QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/nvidia-smi/eight.xml"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto table = parseGpuInventory(file.readAll());
        QVERIFY(table);
        for (quint32 seed = 0; seed < 10'000; ++seed) {
            History history(seed, *table);
            for (int step = 0; step < 3; ++step) {
                const QString fault = history.step();
                QVERIFY2(fault.isEmpty(), qPrintable(u"seed %1, step %2: %3"_s.arg(seed).arg(step).arg(fault)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestGpuSchedulerRandom)
#include "tst_gpu_scheduler_random.moc"
