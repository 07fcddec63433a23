// SPDX-License-Identifier: GPL-3.0-or-later
#include "mirror.h"

#include <QSet>

#include <algorithm>

namespace api {

static constexpr qsizetype maxRequests = 1000;

/// Ended ones leave first, then the oldest.
static void dropOldRequests(RecordTable<Operation>& requests)
{
    qsizetype excess = requests.size() - maxRequests;
    if (excess <= 0)
        return;
    QList<OperationPtr> candidates = requests.list();
    std::stable_partition(
        candidates.begin(), candidates.end(), [](const OperationPtr& r) { return r->endTime.has_value(); });
    for (const OperationPtr& request : std::as_const(candidates)) {
        if (excess-- == 0)
            break;
        requests.drop(request->id);
    }
    requests.compact();
}

void Mirror::apply(const Change& change)
{
    if (change.full) {
        *this = Mirror();
        m_ready = true;
        m_trials.reserve(size_t(change.trials.size()));
        m_at.reserve(change.trials.size());
    }
    m_epoch = change.epoch;
    m_revision = change.revision;

    dropTrials(change.removed);
    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        if constexpr (!std::is_same_v<Record, Trial>) {
            RecordTable<Record>& table = m_tables.of<Record>();
            forEachRemoved(kind, change.removed, [&](const auto& id) { table.drop(id); });
            table.compact();
            for (const auto& record : change.*kind.records)
                table.put(record->id, record);
        }
    });
    dropOldRequests(m_tables.of<Operation>());
    for (const TrialPtr& trial : change.trials)
        put(trial);
}

void Mirror::fill(Change& full) const
{
    full.full = true;
    full.epoch = m_epoch;
    full.revision = m_revision;
    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        if constexpr (std::is_same_v<Record, Trial>)
            full.trials = QList<TrialPtr>(m_trials.begin(), m_trials.end());
        else
            full.*kind.records = m_tables.of<Record>().list();
    });
}

std::vector<TrialPtr> Mirror::trialsOf(const ExperimentId& experiment) const
{
    std::vector<TrialPtr> out;
    const auto it = m_byExperiment.constFind(experiment);
    if (it == m_byExperiment.cend())
        return out;
    out.reserve(it->size());
    for (const quint32 place : *it)
        out.push_back(m_trials[place]);
    return out;
}

TrialPtr Mirror::trial(const TrialId& id) const
{
    const auto it = m_at.constFind(id);
    return it == m_at.cend() ? TrialPtr() : m_trials[*it];
}

TrialPtr Mirror::trialByClientId(const ExperimentId& experiment, const QString& clientId) const
{
    const auto it = m_byClientId.constFind(clientId);
    if (it == m_byClientId.cend())
        return {};
    for (auto id = it->rbegin(); id != it->rend(); ++id) {
        TrialPtr found = trial(*id);
        if (found && (experiment.isEmpty() || found->experimentId == experiment))
            return found;
    }
    return {};
}

void Mirror::put(const TrialPtr& trial)
{
    const auto known = m_at.constFind(trial->id);
    if (known != m_at.cend()) {
        TrialPtr& place = m_trials[*known];
        --m_counts[size_t(place->status)];
        ++m_counts[size_t(trial->status)];
        place = trial;
        return;
    }
    ++m_counts[size_t(trial->status)];
    if (m_trials.empty() || m_trials.back()->id < trial->id) {
        m_trials.push_back(trial);
        index(quint32(m_trials.size() - 1));
        return;
    }
    // Out of order: only after a clock went back between two lives of the service.
    const auto place = std::lower_bound(
        m_trials.begin(), m_trials.end(), trial->id, [](const TrialPtr& a, const TrialId& id) { return a->id < id; });
    m_trials.insert(place, trial);
    rebuild();
}

void Mirror::dropTrials(const Removed& removed)
{
    if (removed.trials.isEmpty() && removed.experiments.isEmpty())
        return;
    const QSet<TrialId> ids(removed.trials.begin(), removed.trials.end());
    const QSet<ExperimentId> experiments(removed.experiments.begin(), removed.experiments.end());
    const size_t gone = std::erase_if(m_trials, [&](const TrialPtr& trial) {
        if (!ids.contains(trial->id) && !experiments.contains(trial->experimentId))
            return false;
        --m_counts[size_t(trial->status)];
        return true;
    });
    if (gone)
        rebuild();
}

void Mirror::rebuild()
{
    m_at.clear();
    m_byExperiment.clear();
    m_byClientId.clear();
    for (quint32 i = 0; i < m_trials.size(); ++i)
        index(i);
}

void Mirror::index(quint32 place)
{
    const Trial& trial = *m_trials[place];
    m_at.insert(trial.id, place);
    m_byExperiment[trial.experimentId].push_back(place);
    if (!trial.clientId.isEmpty())
        m_byClientId[trial.clientId].push_back(trial.id);
}

} // namespace api
