// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_state.h"

#include "services/core/one_shot.h"

namespace engine {

EngineState::EngineState(ChangeFeed& changes, store::Store& store, Clock& clock)
    : m_changes(changes)
    , m_store(store)
    , m_clock(clock)
{
}

EngineState::~EngineState() = default;

qsizetype EngineState::load(const QList<ExperimentPtr>& experiments, const QList<store::TrialRow>& trials,
    const QHash<TrialId, qint64>& eventCounts)
{
    QHash<ExperimentId, std::shared_ptr<Experiment>> derived;
    for (const ExperimentPtr& stored : experiments) {
        auto experiment = std::make_shared<Experiment>(*stored);
        experiment->counts = {};
        experiment->nextSequenceId = 0;
        derived.insert(experiment->id, experiment);
    }
    for (const store::TrialRow& row : trials) {
        if (const auto experiment = derived.value(row.trial->experimentId)) {
            ++experiment->counts[size_t(row.trial->status)];
            experiment->nextSequenceId = std::max(experiment->nextSequenceId, row.trial->sequenceId + 1);
        }
    }
    for (const ExperimentPtr& stored : experiments)
        add(ExperimentPtr(derived.value(stored->id)));
    qsizetype orphans = 0;
    for (const store::TrialRow& row : trials) {
        if (derived.contains(row.trial->experimentId))
            insert(row.trial, row.state, eventCounts.value(row.trial->id));
        else
            ++orphans;
    }
    return orphans;
}

TrialEntry& EngineState::add(TrialPtr trial)
{
    TrialEntry& entry = insert(std::move(trial), {}, 0);
    count(entry.trial->experimentId, std::nullopt, entry.trial->status);
    m_changes.touch(entry.trial);
    return entry;
}

TrialEntry& EngineState::insert(TrialPtr trial, store::TrialPrivate state, qint64 eventCount)
{
    auto owned = std::make_unique<TrialEntry>();
    TrialEntry& entry = *owned;
    entry.trial = std::move(trial);
    entry.state = std::move(state);
    entry.eventCount = eventCount;
    const Trial& t = *entry.trial;
    m_order.push_back(&entry);
    m_trialsOf[t.experimentId].push_back(&entry);
    if (!t.clientId.isEmpty())
        m_byClientId.insert({t.experimentId, t.clientId}, &entry);
    m_trials.emplace(t.id, std::move(owned));
    return entry;
}

TrialEntry* EngineState::trial(const TrialId& id) const
{
    const auto it = m_trials.find(id);
    return it == m_trials.end() ? nullptr : it->second.get();
}

TrialEntry* EngineState::byClientId(const ExperimentId& experiment, const QString& clientId) const
{
    return m_byClientId.value({experiment, clientId});
}

const std::vector<TrialEntry*>& EngineState::trialsOf(const ExperimentId& experiment) const
{
    static const std::vector<TrialEntry*> none;
    const auto it = m_trialsOf.constFind(experiment);
    return it == m_trialsOf.cend() ? none : *it;
}

void EngineState::change(TrialEntry& entry, const std::function<void(Trial&)>& modify)
{
    auto next = std::make_shared<Trial>(*entry.trial);
    modify(*next);
    const TrialStatus before = entry.trial->status;
    Q_ASSERT_X(!isFinal(before) || next->status == before, "Book", "a final status never changes");
    entry.trial = next;
    if (next->status != before)
        count(next->experimentId, before, next->status);
    m_changes.touch(entry.trial);
    markUnsaved(entry);
}

void EngineState::changeState(TrialEntry& entry, const std::function<void(store::TrialPrivate&)>& modify)
{
    modify(entry.state);
    markUnsaved(entry);
}

void EngineState::event(TrialEntry& entry, TrialEventKind kind, const Message& text)
{
    m_unsavedEvents.append({entry.trial->id, {entry.eventCount++, m_clock.nowMs(), kind, text}});
}

void EngineState::metrics(TrialEntry& entry, std::vector<Metric> metrics, const QByteArray& parameterIdText)
{
    auto batch = std::make_shared<MetricBatch>();
    batch->trialId = entry.trial->id;
    batch->experimentId = entry.trial->experimentId;
    batch->metrics = std::move(metrics);
    batch->parameterIdText = parameterIdText;
    m_unsavedMetrics.append(batch);
    m_changes.metrics(batch);
}

void EngineState::markUnsaved(TrialEntry& entry)
{
    if (entry.unsaved)
        return;
    entry.unsaved = true;
    m_unsavedTrials.push_back(&entry);
}

void EngineState::count(const ExperimentId& id, std::optional<TrialStatus> from, std::optional<TrialStatus> to)
{
    change(id, [&](Experiment& experiment) {
        if (from)
            --experiment.counts[size_t(*from)];
        if (to)
            ++experiment.counts[size_t(*to)];
    });
}

void EngineState::add(const ExperimentPtr& experiment)
{
    m_experimentOrder.append(experiment->id);
    m_experiments.insert(experiment->id, experiment);
    m_changes.touch(experiment);
}

void EngineState::change(const ExperimentId& id, const std::function<void(Experiment&)>& modify)
{
    const auto it = m_experiments.find(id);
    if (it == m_experiments.end())
        return;
    auto next = std::make_shared<Experiment>(**it);
    modify(*next);
    *it = next;
    m_changes.touch(*it);
    if (!m_unsavedExperiments.contains(id))
        m_unsavedExperiments.append(id);
}

void EngineState::remove(const ExperimentId& id)
{
    const std::vector<TrialEntry*> gone = m_trialsOf.take(id);
    for (TrialEntry* entry : gone) {
        m_changes.removed(entry->trial->id);
        if (!entry->trial->clientId.isEmpty())
            m_byClientId.remove({id, entry->trial->clientId});
    }
    const auto belongs = [&](TrialEntry* entry) { return entry->trial->experimentId == id; };
    std::erase_if(m_order, belongs);
    std::erase_if(m_unsavedTrials, belongs);
    m_unsavedMetrics.removeIf([&](const MetricBatchPtr& batch) { return batch->experimentId == id; });
    m_unsavedEvents.removeIf([&](const store::EventRow& row) {
        const TrialEntry* entry = trial(row.trial);
        return !entry || entry->trial->experimentId == id;
    });
    m_unsavedExperiments.removeAll(id);
    for (TrialEntry* entry : gone)
        m_trials.erase(TrialId(entry->trial->id));
    m_experiments.remove(id);
    m_experimentOrder.removeAll(id);
    m_changes.removed(id);
}

store::Batch EngineState::takeUnsaved()
{
    m_saveTimer.reset();
    m_saveWanted.reset();
    store::Batch batch;
    batch.trials.reserve(qsizetype(m_unsavedTrials.size()));
    for (TrialEntry* entry : m_unsavedTrials) {
        entry->unsaved = false;
        batch.trials.append({entry->trial, entry->state});
    }
    m_unsavedTrials.clear();
    for (const ExperimentId& id : std::exchange(m_unsavedExperiments, {}))
        batch.experiments.append(m_experiments.value(id));
    batch.metrics = std::exchange(m_unsavedMetrics, {});
    batch.events = std::exchange(m_unsavedEvents, {});
    return batch;
}

void EngineState::saveSoon(store::Durability durability)
{
    if (m_failure)
        return;
    if (m_writing) {
        want(durability); // when this write has ended
        return;
    }
    if (m_saveWanted && (*m_saveWanted == store::Durability::full || durability == store::Durability::normal))
        return;
    want(durability);
    m_saveTimer =
        m_clock.after(durability == store::Durability::full ? 0 : 50, [this, durability] { save(durability); });
}

void EngineState::want(store::Durability durability)
{
    if (!m_saveWanted || durability == store::Durability::full)
        m_saveWanted = durability;
}

bool EngineState::hasUnsaved() const
{
    return !m_unsavedTrials.empty() || !m_unsavedExperiments.isEmpty() || !m_unsavedMetrics.isEmpty()
        || !m_unsavedEvents.isEmpty();
}

void EngineState::save(store::Durability durability, std::function<void(Result<>)> committed)
{
    if (m_failure) {
        // Only the retry writes: a later batch must not overtake the one that failed.
        if (committed)
            committed(tl::unexpected(*m_failure));
        return;
    }
    if (!m_writing && !hasUnsaved()) {
        if (committed)
            committed({});
        return;
    }
    if (committed)
        m_savers.push_back(std::move(committed));
    want(durability);
    // One write at a time, for the same reason: one that was queued behind another would be written also when that one fails.
    if (!m_writing)
        write();
}

void EngineState::write()
{
    const store::Durability durability = m_saveWanted.value_or(store::Durability::normal);
    store::Batch batch = takeUnsaved();
    auto kept = std::make_shared<store::Batch>(batch);
    m_writing = true;
    m_store.commit(std::move(batch), durability,
        [this, kept, savers = std::exchange(m_savers, {})](
            const Result<>& result) mutable { written(*kept, std::move(savers), result); });
}

void EngineState::written(store::Batch& batch, Savers savers, const Result<>& result)
{
    m_writing = false;
    const auto takeLater = [&] {
        savers.insert(savers.end(), std::make_move_iterator(m_savers.begin()), std::make_move_iterator(m_savers.end()));
        m_savers.clear();
    };
    if (!result) {
        // The state is true in memory all the same: kept for the next commit, which is tried when the store has recovered.
        for (const store::TrialRow& row : std::as_const(batch.trials))
            if (TrialEntry* entry = trial(row.trial->id))
                markUnsaved(*entry);
        for (const ExperimentPtr& experiment : std::as_const(batch.experiments))
            if (m_experiments.contains(experiment->id) && !m_unsavedExperiments.contains(experiment->id))
                m_unsavedExperiments.append(experiment->id);
        m_unsavedMetrics = batch.metrics + m_unsavedMetrics;
        m_unsavedEvents = batch.events + m_unsavedEvents;
        m_saveWanted = store::Durability::full;
        m_failure = result.error();
        m_saveTimer = m_clock.after(2'000, [this] {
            m_failure.reset();
            save(store::Durability::full);
        });
        takeLater();
    } else if (!hasUnsaved()) {
        m_saveWanted.reset();
        takeLater();
    } else if (!m_savers.empty()) {
        write(); // while those of this one are called
    } else if (m_saveWanted) {
        saveSoon(*std::exchange(m_saveWanted, std::nullopt));
    }
    for (const auto& committed : savers)
        committed(result);
}

Task<Result<>> EngineState::saved(store::Durability durability)
{
    OneShot<Result<>> done;
    save(durability, [done](Result<> result) mutable { done.set(std::move(result)); });
    co_return co_await done.wait();
}

bool EngineState::placesTrials(const PlatformId& id) const
{
    const PlatformPtr platform = platforms.value(id);
    return platform && platform->capabilities.placement;
}

void EngineState::fill(Change& change) const
{
    for (const PlatformPtr& platform : platforms)
        change.platforms.append(platform);
    for (const MachinePtr& machine : machines)
        change.machines.append(machine);
    for (const ExperimentId& id : m_experimentOrder)
        change.experiments.append(m_experiments.value(id));
    change.trials.reserve(qsizetype(m_order.size()));
    for (const TrialEntry* entry : m_order)
        change.trials.append(entry->trial);
    for (const PromptPtr& prompt : prompts)
        change.prompts.append(prompt);
    for (const OperationPtr& request : requests)
        change.requests.append(request);
}

} // namespace engine
