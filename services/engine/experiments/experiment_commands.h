// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment_cleanup.h"
#include "experiment_leases.h"

#include "services/engine/trials/trial_commands.h"
#include "services/search/grid_search.h"
#include "services/search/random_search.h"

namespace engine {

/// Experiments from creation to the end: their code, their search, their limits. Service thread only.
class ExperimentCommands : public QObject
{
    Q_OBJECT
public:
    ExperimentCommands(EngineState& state, store::Store& store, PlatformManager& platforms, TrialSupervisor& supervisor,
        TrialCommands& trials, LeftBehind& left, Scope& scope);

    [[nodiscard]] Task<Result<Reply>> create(CreateExperiment command);
    [[nodiscard]] Task<Result<Reply>> patch(PatchExperiment command);
    [[nodiscard]] Task<Result<Reply>> act(ActOnExperiment command);
    [[nodiscard]] Task<Result<Reply>> renew(RenewLease command) { return m_leases.renew(std::move(command)); }
    [[nodiscard]] Task<Result<Reply>> storeCode(StoreCode command);
    [[nodiscard]] Task<Result<Reply>> hasCode(HasCode command);

    /// After a restart: continues preparing, searching, stopping.
    void restore(const QList<store::IdempotencyRow>& rows, const QMap<QString, QByteArray>& values);
    /// Something about its trials or limits changed: proposes more, or ends it.
    void advance(const ExperimentId& id);

private:
    struct Search
    {
        std::optional<search::RandomSearch> random;
        std::optional<search::GridSearch> grid;
        bool exhausted = false;
    };

    [[nodiscard]] Result<ExperimentSpec> validated(ExperimentSpec spec) const;
    [[nodiscard]] Task<> prepare(ExperimentId id);
    /// One that was DONE goes on.
    void reopen(const ExperimentId& id);
    /// After a trial could not be started: takes the code again if it is not there.
    [[nodiscard]] Task<> lookForCode(ExperimentId id);
    [[nodiscard]] Task<> cleanUp(ExperimentId id, OperationId request, bool force);
    [[nodiscard]] Task<Result<Reply>> remove(ExperimentId id, bool force);
    /// Nothing is heard of some trials any more: those of an experiment that was stopped by force end here.
    void lost();
    [[nodiscard]] Search* searchOf(const Experiment& experiment);
    void propose(const ExperimentId& id);
    void setState(const ExperimentId& id, ExperimentState state, const Message& message = {});
    /// `force`: trials that cannot be asked to end are given up, now or when that shows.
    void stop(const ExperimentId& id, const Message& reason, bool force);
    void armDuration(const Experiment& experiment);
    /// How many it has. Its next sequence number may be higher: those of a refused submission are not used again.
    [[nodiscard]] qint64 trialNumber(const ExperimentId& id) const;
    [[nodiscard]] bool hasLiveTrials(const Experiment& experiment) const;

    EngineState& m_state;
    store::Store& m_store;
    PlatformManager& m_platforms;
    TrialSupervisor& m_supervisor;
    TrialCommands& m_trials;
    Scope& m_scope;
    IdMaker m_ids;
    QHash<ExperimentId, std::shared_ptr<Search>> m_searches;
    QHash<ExperimentId, std::shared_ptr<TimerHandle>> m_durations;
    QHash<QString, store::IdempotencyRow> m_answers;
    struct Cleanup
    {
        OperationId request;
        bool force = false;
    };
    QHash<ExperimentId, QList<Cleanup>> m_cleanups; ///< wait until the experiment has stopped
    QSet<ExperimentId> m_forced;                    ///< are being stopped by force
    QSet<ExperimentId> m_preparing;
    CodeSnapshots m_code;
    ExperimentCleanup m_cleanup;
    ExperimentLeases m_leases;
};

} // namespace engine
