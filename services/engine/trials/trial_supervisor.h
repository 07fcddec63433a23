// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "left_behind.h"
#include "trial_cancels.h"
#include "trial_placer.h"

#include "services/api/post_port.h"

namespace engine {

class MetricIngest;

/// The one loop around trials: follows what platforms observe of them and ends what must end; its placer gives waiting ones a place.
/// Decides by pure functions (services/trial/trial_state.h) and keeps every decision before acting on it. Service thread only.
class TrialSupervisor : public QObject
{
    Q_OBJECT
public:
    TrialSupervisor(
        EngineState& state, PlatformManager& platforms, MachineRegistry& registry, LeftBehind& left, Scope& scope);
    ~TrialSupervisor() override;

    /// A trial that is in the state and waits: queued, unless it is held.
    void enqueue(TrialEntry& entry) { m_placer.enqueue(entry); }
    /// After a restart: queues what waits and takes up what was submitted once its platform is open.
    void restore();
    /// Asks for the end of a trial that is not final. One that was never handed to a platform ends at once. `why` is a clause for its
    /// journal and its reason; empty for a person's request.
    void cancel(TrialEntry& entry, CancelIntent intent, const Message& why);
    /// Ends a trial here that cannot be asked: its machine is silent or left the settings. Where it runs on nevertheless it is
    /// cancelled once it is seen again.
    void giveUp(TrialEntry& entry, const Message& reason);
    /// The same for one whose machine does not answer.
    void giveUpSilent(TrialEntry& entry);
    /// What waits may be placed differently now; the pass runs in the next turn of the event loop.
    void passSoon() { m_placer.passSoon(); }
    /// What a trial posted about itself; the reply comes when it is durable.
    [[nodiscard]] Task<Result<api::PostReply>> post(api::PostMetrics post);
    /// Limits of an experiment were changed while its trials run.
    void limitsChanged(const ExperimentId& id);

    [[nodiscard]] const schedule::TrialQueue& queue() const { return m_placer.queue(); }
    /// A place at the end of the queue.
    [[nodiscard]] qint64 nextOrder() { return m_placer.nextOrder(); }
    [[nodiscard]] static platforms::TrialRef refOf(const TrialEntry& entry, const Experiment& experiment);

signals:
    /// A trial became final, or others of its experiment may be wanted.
    void trialEnded(const core::ExperimentId& id);
    /// A trial of it FAILED because it could not be started.
    void startFailed(const core::ExperimentId& id);

private:
    /// Takes up what was submitted to the platform; with `machines`, only what was submitted to these.
    void adopt(const PlatformId& platform, const std::optional<QList<MachineId>>& machines = {});
    void observed(const PlatformId& platform, const platforms::Observation& observation);
    /// A fact about a trial counts only from where the trial was placed.
    [[nodiscard]] bool isFrom(const TrialEntry& entry, const PlatformId& platform, const MachineId& machine) const;
    void apply(TrialEntry& entry, const platforms::Observation& observation);
    /// A fact about a later run of it than any before: its platform started it again, or is going to.
    void takeAttempt(TrialEntry& entry, const platforms::Observation& observation);
    [[nodiscard]] bool canRequeue(const PlatformId& platform) const;
    void take(TrialEntry& entry, const trial::TrialStep& step);
    void finished(TrialEntry& entry);
    void records(const PlatformId& platform, const platforms::RecordBytes& bytes);
    void lost(const PlatformId& platform, const MachineId& machine, qint64 since);
    void leftBehind(const PlatformId& platform, const QList<MachineId>& machines);
    void armDeadline(TrialEntry& entry);
    void explainFailure(TrialEntry& entry);
    /// On the platform's own page of it.
    void showResult(const TrialEntry& entry);
    [[nodiscard]] MetricIngest& ingestOf(const TrialEntry& entry);

    EngineState& m_state;
    PlatformManager& m_platforms;
    MachineRegistry& m_machines;
    LeftBehind& m_left;
    Scope& m_scope;
    Strand m_patterns{QStringLiteral("patterns")};
    std::unordered_map<TrialId, std::unique_ptr<MetricIngest>> m_ingests; ///< of trials that may still report
    TrialPlacer m_placer;
    TrialCancels m_cancels;
};

} // namespace engine
