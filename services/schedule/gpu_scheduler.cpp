// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_scheduler.h"

#include "wait_reasons.h"

#include <queue>
#include <tuple>
#include <unordered_map>

using namespace Qt::StringLiterals;

namespace schedule {

namespace {

/// A class with the next of its requests that was not placed yet.
struct Cursor
{
    ClassId id = 0;
    const ClassQueue* queue = nullptr;
    std::set<QueuePosition>::const_iterator next;
};

struct ServedLater
{
    bool operator()(const Cursor& a, const Cursor& b) const { return *b.next < *a.next; }
};

class Pass
{
public:
    Pass(const SchedulerState& state, const TrialQueue& queue)
        : m_quotas(state.experiments)
    {
        QHash<PlatformId, bool> wantsGpus;
        for (const auto& [id, each] : queue.classes()) {
            bool& wants = wantsGpus[each.what.platform];
            wants = wants || each.what.gpuNumber.value_or(0) > 0;
        }
        for (const PlatformPtr& platform : state.platforms) {
            if (!wantsGpus.contains(platform->id))
                continue;
            PlatformView& view = m_platforms[platform->id];
            view.platform = platform.get();
            view.policy = placementPolicy(*platform);
            if (const auto resting = state.resting.constFind(platform->id); resting != state.resting.cend())
                view.resting = *resting;
        }
        for (const MachinePtr& machine : state.machines) {
            const auto platform = m_platforms.find(machine->platformId);
            if (platform != m_platforms.end())
                platform->second.machines.emplace_back(
                    *machine, state.trialsOnMachine.value(machine->id), wantsGpus.value(machine->platformId));
        }
        if (state.computers.isEmpty())
            return;
        for (auto& [id, platform] : m_platforms) {
            for (MachineView& machine : platform.machines) {
                if (const QString computer = state.computers.value(machine.machine->id); !computer.isEmpty()) {
                    machine.computer = computer;
                    m_onComputer.insert(computer, &machine);
                }
            }
        }
    }

    Plan run(const TrialQueue& queue)
    {
        std::priority_queue<Cursor, std::vector<Cursor>, ServedLater> cursors;
        for (const auto& [id, each] : queue.classes())
            cursors.push({id, &each, each.waiting.begin()});
        // What is taken in a pass is not given back in it, so a class that was blocked once stays blocked.
        std::vector<std::tuple<ClassId, const PlacementClass*, WaitKind>> blocked;
        while (!cursors.empty()) {
            Cursor cursor = cursors.top();
            cursors.pop();
            const PlacementClass& what = cursor.queue->what;
            if (const std::optional<WaitKind> kind = place(what, cursor.next->trial)) {
                blocked.emplace_back(cursor.id, &what, *kind);
                continue;
            }
            if (++cursor.next != cursor.queue->waiting.end())
                cursors.push(cursor);
        }
        // Written last: the numbers are those after the pass.
        for (const auto& [id, what, kind] : blocked)
            m_plan.waiting.insert(id, reason(*what, kind));
        return std::move(m_plan);
    }

private:
    /// Places one request, or says what is in its way.
    std::optional<WaitKind> place(const PlacementClass& what, const TrialId& trial)
    {
        if (what.hold)
            return WaitKind::hold;
        const auto found = m_platforms.find(what.platform);
        if (found == m_platforms.end() || found->second.platform->state != PlatformState::ready
            || found->second.resting)
            return WaitKind::platform;
        PlatformView& platform = found->second;
        const auto quota = m_quotas.find(what.experiment);
        if (quota == m_quotas.end() || quota->state != ExperimentState::running)
            return WaitKind::experiment;
        const bool weChoose = platform.platform->capabilities.placement;
        if (weChoose && never(what, platform))
            return WaitKind::never;
        if (quota->running >= quota->concurrency)
            return WaitKind::concurrency;
        if (!weChoose) {
            m_plan.placements.append({trial, {}, {}});
            ++quota->running;
            return std::nullopt;
        }
        const int wanted = std::max(0, what.gpuNumber.value_or(0));
        MachineView* best = nullptr;
        bool anyOpen = false;
        for (MachineView& machine : platform.machines) {
            if (!machine.open || (!what.wantedMachine.isEmpty() && machine.machine->id != what.wantedMachine))
                continue;
            anyOpen = true;
            if (wanted > 0 && machine.freeFor(wanted) < wanted)
                continue;
            if (!best || better(machine, *best, wanted, platform.policy))
                best = &machine;
        }
        if (!best)
            return anyOpen ? WaitKind::gpus : WaitKind::machines;
        const QList<int> taken = wanted > 0 ? best->takeGpus(wanted, platform.policy) : QList<int>();
        m_plan.placements.append({trial, best->machine->id, taken});
        if (wanted > 0 && !best->computer.isEmpty())
            takeFromOthers(*best, taken);
        ++best->trials;
        ++quota->running;
        return std::nullopt;
    }

    /// The same GPUs under the other names of the computer.
    void takeFromOthers(const MachineView& machine, const QList<int>& taken)
    {
        for (auto it = m_onComputer.constFind(machine.computer);
             it != m_onComputer.cend() && it.key() == machine.computer; ++it) {
            if (*it == &machine)
                continue;
            for (const Gpu& gpu : machine.machine->gpus)
                if (taken.contains(gpu.index))
                    (*it)->takenElsewhere(gpu.uuid);
        }
    }

    static bool better(const MachineView& a, const MachineView& b, int wanted, Policy policy)
    {
        // Trials without GPUs have no limit a machine, so they are spread over the cores under either policy.
        if (wanted == 0)
            return std::tuple(a.loadWithOneMore(), a.machine->id) < std::tuple(b.loadWithOneMore(), b.machine->id);
        if (policy == Policy::pack)
            return std::tuple(a.room, -a.trials, a.machine->id) < std::tuple(b.room, -b.trials, b.machine->id);
        const auto used = [](const MachineView& m) { return 1.0 - double(m.room) / std::max(1, m.roomTotal); };
        return std::tuple(used(a), -a.room, a.machine->id) < std::tuple(used(b), -b.room, b.machine->id);
    }

    /// Whether it could not be placed even if everything ended. Only said when every machine has told what it has.
    static bool never(const PlacementClass& what, const PlatformView& platform)
    {
        const int wanted = std::max(0, what.gpuNumber.value_or(0));
        bool machineThere = what.wantedMachine.isEmpty();
        for (const MachineView& machine : platform.machines) {
            if (!what.wantedMachine.isEmpty() && machine.machine->id != what.wantedMachine)
                continue;
            machineThere = true;
            if (wanted == 0 || machine.usableFor(wanted) >= wanted)
                return false;
            const MachineState state = machine.machine->state;
            if (machine.machine->gpus.isEmpty() && state != MachineState::ready && state != MachineState::drained)
                return false;
        }
        return !machineThere || (wanted > 0 && !platform.machines.empty());
    }

    WaitReasonPtr reason(const PlacementClass& what, WaitKind kind)
    {
        switch (kind) {
        case WaitKind::hold:
            return holdReason();
        case WaitKind::platform: {
            const auto view = m_platforms.find(what.platform);
            if (view != m_platforms.end() && view->second.resting)
                return restingReason(what.platform, *view->second.resting);
            return platformReason(what.platform, view == m_platforms.end() ? nullptr : view->second.platform);
        }
        case WaitKind::experiment: {
            const auto quota = m_quotas.constFind(what.experiment);
            return experimentReason(quota == m_quotas.cend() ? nullptr : &*quota);
        }
        case WaitKind::concurrency: {
            const ExperimentQuota quota = m_quotas.value(what.experiment);
            return concurrencyReason(quota.running, quota.concurrency);
        }
        case WaitKind::never:
        case WaitKind::machines:
        case WaitKind::gpus:
            break;
        }
        return machineReason(kind, what, m_platforms[what.platform]);
    }

    QHash<ExperimentId, ExperimentQuota> m_quotas;
    std::unordered_map<PlatformId, PlatformView> m_platforms;
    QMultiHash<QString, MachineView*> m_onComputer; ///< by boot id
    Plan m_plan;
};

} // namespace

WaitReasonPtr Plan::reasonOf(const TrialQueue& queue, const TrialId& trial) const
{
    const auto classId = queue.classOf(trial);
    return classId ? waiting.value(*classId) : nullptr;
}

Policy placementPolicy(const Platform& platform)
{
    const auto placement = platform.settings.find("placement");
    return placement != platform.settings.end() && *placement == "spread" ? Policy::spread : Policy::pack;
}

Plan planPlacements(const SchedulerState& state, const TrialQueue& queue)
{
    return Pass(state, queue).run(queue);
}

} // namespace schedule
