// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record_kinds.h"

#include "services/core/newest_by_id.h"

#include <QHash>

#include <vector>

namespace api {

/// Records of one kind, in the order in which they first came.
template <typename Record>
using RecordTable = NewestById<decltype(Record::id), std::shared_ptr<const Record>>;

/// All records of a service as of one revision, built from its changes. A plain value of shared pointers; used on one thread.
/// Trials stand in order of submission (their ids sort like that).
class Mirror
{
public:
    using Counts = std::array<qint64, trialStatusCount>;

    /// Applies one change: a full one replaces everything, else `removed` goes first, then the records.
    void apply(const Change& change);

    /// Writes all records into a full change, with its epoch and revision.
    void fill(Change& full) const;

    [[nodiscard]] bool isReady() const { return m_ready; } ///< a full change has come
    [[nodiscard]] const QString& epoch() const { return m_epoch; }
    [[nodiscard]] qint64 revision() const { return m_revision; }

    [[nodiscard]] const std::vector<TrialPtr>& trials() const { return m_trials; }
    [[nodiscard]] std::vector<TrialPtr> trialsOf(const ExperimentId& experiment) const;
    [[nodiscard]] TrialPtr trial(const TrialId& id) const;
    /// The latest attempt of the caller's id; with an empty experiment, of whatever experiment used it last.
    [[nodiscard]] TrialPtr trialByClientId(const ExperimentId& experiment, const QString& clientId) const;
    [[nodiscard]] const Counts& counts() const { return m_counts; } ///< of all trials, by status

    [[nodiscard]] const RecordTable<Experiment>& experiments() const { return m_tables.of<Experiment>(); }
    [[nodiscard]] const RecordTable<Platform>& platforms() const { return m_tables.of<Platform>(); }
    [[nodiscard]] const RecordTable<Machine>& machines() const { return m_tables.of<Machine>(); }
    [[nodiscard]] const RecordTable<Prompt>& prompts() const { return m_tables.of<Prompt>(); }
    /// The latest thousand; ended ones leave first.
    [[nodiscard]] const RecordTable<Operation>& requests() const { return m_tables.of<Operation>(); }

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
    PerRecordKind<RecordTable> m_tables; ///< trials stand in m_trials instead
};

} // namespace api
