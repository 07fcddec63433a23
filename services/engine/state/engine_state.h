// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "change_feed.h"

#include "services/core/clock.h"
#include "services/store/store.h"

#include <QHash>
#include <QMap>

#include <unordered_map>

namespace engine {

/// A trial as the engine works with it: its record, what is kept beside it, and what lives only while it runs.
struct TrialEntry
{
    TrialPtr trial;
    store::TrialPrivate state;
    qint64 eventCount = 0;
    std::unique_ptr<TimerHandle> deadline; ///< maxTrialDurationSeconds
    bool unsaved = false;
};

/// Every record that the service holds, and the one way to change each: copy, modify, publish, remember to save. Counts of an
/// experiment follow its trials' statuses by themselves. Service thread only.
class EngineState
{
public:
    EngineState(ChangeFeed& changes, store::Store& store, Clock& clock);
    ~EngineState();

    /// What was stored, once and before anything else. Counts and the next sequence number are made from the trials, whatever the
    /// records of the experiments say. Returns the number of trials that were left out because their experiment is missing.
    [[nodiscard]] qsizetype load(const QList<ExperimentPtr>& experiments, const QList<store::TrialRow>& trials,
        const QHash<TrialId, qint64>& eventCounts);

    // Trials. Entries stay where they are until their experiment is removed.
    TrialEntry& add(TrialPtr trial); ///< a new one
    [[nodiscard]] TrialEntry* trial(const TrialId& id) const;
    [[nodiscard]] TrialEntry* byClientId(const ExperimentId& experiment, const QString& clientId) const;
    [[nodiscard]] const std::vector<TrialEntry*>& trialsOf(const ExperimentId& experiment) const;
    [[nodiscard]] const std::vector<TrialEntry*>& trials() const { return m_order; } ///< in order of acceptance
    void change(TrialEntry& entry, const std::function<void(Trial&)>& modify);
    void changeState(TrialEntry& entry, const std::function<void(store::TrialPrivate&)>& modify);
    void event(TrialEntry& entry, TrialEventKind kind, const Message& text);
    /// `parameterIdText`: of MetricBatch.
    void metrics(TrialEntry& entry, std::vector<Metric> metrics, const QByteArray& parameterIdText);

    // Experiments, in order of creation.
    void add(const ExperimentPtr& experiment);
    [[nodiscard]] ExperimentPtr experiment(const ExperimentId& id) const { return m_experiments.value(id); }
    [[nodiscard]] const QList<ExperimentId>& experimentOrder() const { return m_experimentOrder; }
    void change(const ExperimentId& id, const std::function<void(Experiment&)>& modify);
    void remove(const ExperimentId& id);

    // Records that are not stored.
    QHash<PlatformId, PlatformPtr> platforms;
    QHash<MachineId, MachinePtr> machines;
    QHash<PromptId, PromptPtr> prompts;
    QHash<OperationId, OperationPtr> requests;

    // Commits follow one another: what is asked for while one is under way is the next. After one that failed nothing is written
    // until its content is, with what came since; meanwhile every call fails at once, with the same error.
    /// Commits what is unsaved in the next turn of the event loop (full) or within 50 ms (normal); many calls make one commit.
    void saveSoon(store::Durability durability);
    /// Commits what is unsaved now. `committed` is called when all that was changed before this call is on disk, or could not be
    /// written and is kept for the retry.
    void save(store::Durability durability, std::function<void(Result<>)> committed = {});
    [[nodiscard]] Task<Result<>> saved(store::Durability durability); ///< save() as an await
    /// Why nothing can be written now; nothing while it can.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }
    /// Whether the service places trials on machines of this platform. Elsewhere the machine of a trial is only what the platform says
    /// of it: it may change, need not be known here, and is not what answers for the trial.
    [[nodiscard]] bool placesTrials(const PlatformId& id) const;
    void fill(Change& change) const;
    [[nodiscard]] ChangeFeed& changes() { return m_changes; }
    [[nodiscard]] Clock& clock() { return m_clock; }

private:
    using Savers = std::vector<std::function<void(Result<>)>>;

    TrialEntry& insert(TrialPtr trial, store::TrialPrivate state, qint64 eventCount);
    void count(const ExperimentId& id, std::optional<TrialStatus> from, std::optional<TrialStatus> to);
    void markUnsaved(TrialEntry& entry);
    [[nodiscard]] bool hasUnsaved() const;
    [[nodiscard]] store::Batch takeUnsaved();
    void want(store::Durability durability);
    void write();
    void written(store::Batch& batch, Savers savers, const Result<>& result);

    ChangeFeed& m_changes;
    store::Store& m_store;
    Clock& m_clock;
    std::unordered_map<TrialId, std::unique_ptr<TrialEntry>> m_trials;
    std::vector<TrialEntry*> m_order;
    QHash<ExperimentId, ExperimentPtr> m_experiments;
    QList<ExperimentId> m_experimentOrder;
    QHash<ExperimentId, std::vector<TrialEntry*>> m_trialsOf;
    QHash<std::pair<ExperimentId, QString>, TrialEntry*> m_byClientId;

    std::vector<TrialEntry*> m_unsavedTrials;
    QList<ExperimentId> m_unsavedExperiments;
    QList<MetricBatchPtr> m_unsavedMetrics;
    QList<store::EventRow> m_unsavedEvents;
    std::unique_ptr<TimerHandle> m_saveTimer;
    std::optional<store::Durability> m_saveWanted;
    Savers m_savers;                ///< of the next write
    bool m_writing = false;         ///< a batch is in the store's hands
    std::optional<Error> m_failure; ///< of the last commit, when it failed; retried every two seconds
};

} // namespace engine
