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

class MetricIngest;

/// The one loop around trials: places what waits, hands it to platforms, follows what they observe, ends what must end. Decides by
/// pure functions (schedule::plan, trial::applied) and keeps every decision before acting on it. Service thread only.
class TrialSupervisor : public QObject
{
    Q_OBJECT
public:
    TrialSupervisor(EngineState& state, PlatformManager& platforms, MachineRegistry& registry, Scope& scope);
    ~TrialSupervisor() override;

    /// A trial that is in the state and waits: queued, unless it is held.
    void enqueue(TrialEntry& entry);
    /// After a restart: queues what waits and takes up what was submitted once its platform is open.
    void restore();
    /// Asks for the end of a trial that is not final. One that was never handed to a platform ends at once.
    void cancel(TrialEntry& entry, CancelIntent intent, const QString& reason);
    /// What waits may be placed differently now; the pass runs in the next turn of the event loop.
    void passSoon();
    /// Limits of an experiment were changed while its trials run.
    void limitsChanged(const ExperimentId& id);

    [[nodiscard]] const schedule::TrialQueue& queue() const { return m_queue; }
    /// A place at the end of the queue.
    [[nodiscard]] qint64 nextOrder();
    [[nodiscard]] static platforms::TrialRef refOf(const TrialEntry& entry, const Experiment& experiment);

signals:
    /// A trial became final, or others of its experiment may be wanted.
    void trialEnded(const core::ExperimentId& id);

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
    /// It waits again. The reason goes to its journal once, and again when it is another.
    void backToQueue(TrialEntry& entry, const QString& reason);
    void rest(const StartBackoff::Place& place, const QString& why);
    void setReason(TrialEntry& entry, const QString& reason);

    /// Takes up what was submitted to the platform; with `machines`, only what was submitted to these.
    void adopt(const PlatformId& platform, const std::optional<QList<MachineId>>& machines = {});
    void observed(const PlatformId& platform, const platforms::Observation& observation);
    void apply(TrialEntry& entry, const platforms::Observation& observation);
    void take(TrialEntry& entry, const trial::TrialStep& step);
    void finished(TrialEntry& entry);
    void records(const platforms::RecordBytes& bytes);
    void lost(const PlatformId& platform, const MachineId& machine, qint64 since);
    void sendCancel(TrialEntry& entry);
    void armDeadline(TrialEntry& entry);
    void explainFailure(TrialEntry& entry);
    void live(const TrialEntry& entry, int by);
    [[nodiscard]] MetricIngest& ingestOf(const TrialEntry& entry);

    EngineState& m_state;
    PlatformManager& m_platforms;
    MachineRegistry& m_machines;
    Scope& m_scope;
    Strand m_patterns{QStringLiteral("patterns")};
    std::unordered_map<TrialId, std::unique_ptr<MetricIngest>> m_ingests; ///< of trials that may still report
    schedule::TrialQueue m_queue;
    qint64 m_lastOrder = 0;
    qint64 m_lastPlacing = 0;
    QHash<TrialId, qint64> m_placings; ///< of submitted trials, a number for each time that one was placed
    QHash<ExperimentId, qint64> m_live;
    QHash<MachineId, int> m_onMachine;
    QHash<schedule::ClassId, QString> m_sentences; ///< the last reason given to the tail of each class
    std::vector<TrialId> m_toCancel;               ///< wait for the next turn, to go out in one call
    std::unique_ptr<TimerHandle> m_passTimer;
    std::unique_ptr<TimerHandle> m_cancelTimer;
    std::unique_ptr<TimerHandle> m_tailTimer;
    std::unique_ptr<TimerHandle> m_retryTimer;
    StartBackoff m_backoff;
    QHash<TrialId, QString>
        m_setbacks; ///< of trials that wait again after a start failed: the last reason in their journal
};

} // namespace engine
