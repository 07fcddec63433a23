// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start_backoff.h"

#include "services/engine/machines/machine_registry.h"
#include "services/engine/platforms/platform_manager.h"
#include "services/engine/state/engine_state.h"
#include "services/schedule/gpu_scheduler.h"

namespace trial {
struct TrialStep;
}

namespace engine {

/// Whether nothing of the experiment is started any more.
[[nodiscard]] inline bool isClosed(ExperimentState state)
{
    return state == ExperimentState::stopping || state == ExperimentState::stopped || state == ExperimentState::error;
}

/// From waiting to handed over: gives each waiting trial a place, or the reason why it waits, submits it to its platform, and puts it
/// back when the start fails for a reason that may pass. Where each trial goes is stored before anything starts. Service thread only.
class TrialPlacer
{
public:
    /// What the outcome of a submit means for a trial is the owner's to apply. Both are called on the service thread.
    struct Owner
    {
        std::function<void(TrialEntry&, const trial::TrialStep&)> take;
        std::function<void(TrialEntry&)> sendCancel;
    };
    TrialPlacer(EngineState& state, PlatformManager& platforms, MachineRegistry& machines, Scope& scope, Owner owner);

    /// A trial of an experiment that is closed ends here: nothing would ever start it.
    void enqueue(TrialEntry& entry);
    void dequeue(const TrialId& id) { m_queue.remove(id); }
    /// What waits may be placed differently now; the pass runs in the next turn of the event loop.
    void passSoon();

    /// A trial that has a place already, from an earlier life of the service or found running.
    void occupy(const TrialEntry& entry);
    /// A trial became final: its place is free.
    void leave(const TrialEntry& entry);
    /// It waits again. The reason goes to its journal once, and again when it is another.
    void backToQueue(TrialEntry& entry, const Message& reason);
    /// Why a trial waits, as its record shows it.
    void setReason(TrialEntry& entry, const Message& reason);

    /// Starts may be tried there again at once.
    void backoffOver(const PlatformId& platform) { m_backoff.over(platform); }
    void backoffOver(const PlatformId& platform, const MachineId& machine) { m_backoff.over(platform, machine); }

    [[nodiscard]] const schedule::TrialQueue& queue() const { return m_queue; }
    /// A place at the end of the queue.
    [[nodiscard]] qint64 nextOrder();
    /// An order that is in use; nextOrder() gives later ones.
    void noteOrder(qint64 order) { m_lastOrder = std::max(m_lastOrder, order); }

private:
    void pass();
    [[nodiscard]] schedule::SchedulerState schedulerState();
    void passWhenRestEnds();
    void place(const QList<schedule::Placement>& placements);
    void explain(const schedule::Plan& plan);
    void submit(const QList<TrialId>& trials);
    [[nodiscard]] Task<> submitNow(PlatformId platform, QList<platforms::TrialSpec> specs);
    /// `placing`: the one that was submitted. The outcome of an earlier one says nothing any more.
    void settle(const platforms::SubmitOutcome& outcome, qint64 placing);
    [[nodiscard]] Result<platforms::TrialSpec> specOf(const TrialEntry& entry) const;
    void rest(const StartBackoff::Place& place, const Message& why, qint64 atLeastMs = 0);
    /// The record with the GPUs that rest held by another service; null if none does.
    [[nodiscard]] MachinePtr withRestingGpus(const Machine& machine, qint64 now) const;
    void count(const TrialEntry& entry, int by);

    EngineState& m_state;
    PlatformManager& m_platforms;
    MachineRegistry& m_machines;
    Scope& m_scope;
    Owner m_owner;
    schedule::TrialQueue m_queue;
    qint64 m_lastOrder = 0;
    qint64 m_lastPlacing = 0;
    QHash<TrialId, qint64> m_placings; ///< of submitted trials, a number for each time that one was placed
    QHash<ExperimentId, qint64> m_live;
    QHash<MachineId, int> m_onMachine;
    QHash<schedule::ClassId, Message> m_sentences; ///< the last reason given to the tail of each class
    StartBackoff m_backoff;
    QHash<TrialId, Message>
        m_setbacks; ///< of trials that wait again after a failed start: the last reason in their journal
    std::unique_ptr<TimerHandle> m_passTimer;
    std::unique_ptr<TimerHandle> m_tailTimer;
    std::unique_ptr<TimerHandle> m_retryTimer;
};

} // namespace engine
