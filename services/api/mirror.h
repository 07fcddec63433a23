// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "change.h"

#include <QHash>

#include <vector>

namespace api {

/// Records of one sort by id, in the order in which they first came.
template <typename IdType, typename Ptr>
class RecordTable
{
public:
    [[nodiscard]] const QList<Ptr>& list() const { return m_list; }
    [[nodiscard]] Ptr find(const IdType& id) const
    {
        const auto it = m_at.constFind(id);
        return it == m_at.cend() ? Ptr() : m_list[*it];
    }
    void put(const Ptr& record)
    {
        const auto it = m_at.constFind(record->id);
        if (it != m_at.cend()) {
            m_list[*it] = record;
            return;
        }
        m_at.insert(record->id, m_list.size());
        m_list.append(record);
    }
    void remove(const IdType& id)
    {
        const auto it = m_at.constFind(id);
        if (it == m_at.cend())
            return;
        m_list.removeAt(*it);
        m_at.clear();
        for (qsizetype i = 0; i < m_list.size(); ++i)
            m_at.insert(m_list[i]->id, i);
    }
    void clear()
    {
        m_list.clear();
        m_at.clear();
    }

private:
    QList<Ptr> m_list;
    QHash<IdType, qsizetype> m_at;
};

/// All records of a service as of one revision, built from its changes. A plain value of shared pointers; used on one thread.
/// Trials stand in order of submission (their ids sort like that).
class Mirror
{
public:
    using Counts = std::array<qint64, trialStatusCount>;

    /// Applies one change: a full one replaces everything, else `removed` goes first, then the records.
    void apply(const Change& change);

    [[nodiscard]] bool isReady() const { return m_ready; } ///< a full change has come
    [[nodiscard]] const QString& epoch() const { return m_epoch; }
    [[nodiscard]] qint64 revision() const { return m_revision; }

    [[nodiscard]] const std::vector<TrialPtr>& trials() const { return m_trials; }
    [[nodiscard]] std::vector<TrialPtr> trialsOf(const ExperimentId& experiment) const;
    [[nodiscard]] TrialPtr trial(const TrialId& id) const;
    /// The latest attempt of the caller's id; with an empty experiment, of whatever experiment used it last.
    [[nodiscard]] TrialPtr trialByClientId(const ExperimentId& experiment, const QString& clientId) const;
    [[nodiscard]] const Counts& counts() const { return m_counts; } ///< of all trials, by status

    [[nodiscard]] const RecordTable<ExperimentId, ExperimentPtr>& experiments() const { return m_experiments; }
    [[nodiscard]] const RecordTable<PlatformId, PlatformPtr>& platforms() const { return m_platforms; }
    [[nodiscard]] const RecordTable<MachineId, MachinePtr>& machines() const { return m_machines; }
    [[nodiscard]] const RecordTable<PromptId, PromptPtr>& prompts() const { return m_prompts; }
    /// The latest thousand; ended ones leave first.
    [[nodiscard]] const RecordTable<OperationId, OperationPtr>& requests() const { return m_requests; }

private:
    void put(const TrialPtr& trial);
    void dropTrials(const Removed& removed);
    void rebuild();
    void index(quint32 place);

    bool m_ready = false;
    QString m_epoch;
    qint64 m_revision = 0;
    std::vector<TrialPtr> m_trials;
    QHash<TrialId, quint32> m_at;
    QHash<ExperimentId, std::vector<quint32>> m_byExperiment; ///< places in m_trials, ascending
    QHash<QString, std::vector<TrialId>> m_byClientId;        ///< ascending
    Counts m_counts{};
    RecordTable<ExperimentId, ExperimentPtr> m_experiments;
    RecordTable<PlatformId, PlatformPtr> m_platforms;
    RecordTable<MachineId, MachinePtr> m_machines;
    RecordTable<PromptId, PromptPtr> m_prompts;
    RecordTable<OperationId, OperationPtr> m_requests;
};

} // namespace api
