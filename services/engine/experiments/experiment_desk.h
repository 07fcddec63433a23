// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/trials/trial_desk.h"
#include "services/search/grid_search.h"
#include "services/search/random_search.h"

namespace engine {

/// Experiments from creation to the end: their code, their search, their limits. Service thread only.
class ExperimentDesk : public QObject
{
    Q_OBJECT
public:
    ExperimentDesk(Book& book, store::Store& store, PlatformDesk& platforms, TrialSupervisor& supervisor,
        TrialDesk& trials, Scope& scope);

    [[nodiscard]] Task<Result<Reply>> create(CreateExperiment command);
    [[nodiscard]] Task<Result<Reply>> patch(PatchExperiment command);
    [[nodiscard]] Task<Result<Reply>> act(ActOnExperiment command);
    [[nodiscard]] Task<Result<Reply>> storeCode(StoreCode command);
    [[nodiscard]] Task<Result<Reply>> hasCode(HasCode command);

    /// After a restart: goes on preparing, searching, stopping.
    void restore(const QList<store::IdempotencyRow>& rows);
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
    [[nodiscard]] Task<Result<QString>> takeCode(ExperimentSpec spec);
    [[nodiscard]] Task<> cleanUp(ExperimentId id, RequestId request);
    [[nodiscard]] Search* searchOf(const Experiment& experiment);
    void propose(const ExperimentId& id);
    void setState(const ExperimentId& id, ExperimentState state, const QString& message = {});
    void stop(const ExperimentId& id, CancelIntent intent, const QString& reason);
    void armDuration(const Experiment& experiment);
    [[nodiscard]] bool hasLiveTrials(const Experiment& experiment) const;

    Book& m_book;
    store::Store& m_store;
    PlatformDesk& m_platforms;
    TrialSupervisor& m_supervisor;
    TrialDesk& m_trials;
    Scope& m_scope;
    Strand m_packing{QStringLiteral("packing")};
    IdMaker m_ids;
    QHash<ExperimentId, std::shared_ptr<Search>> m_searches;
    QHash<ExperimentId, std::shared_ptr<TimerHandle>> m_durations;
    QHash<QString, store::IdempotencyRow> m_answers;
    QHash<ExperimentId, QList<RequestId>> m_cleanups; ///< wait until the experiment has stopped
};

} // namespace engine
