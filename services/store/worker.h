// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metric_chunk.h"
#include "store.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <array>
#include <span>

namespace store {

/// The half of the store that waits for the disk: one connection, used on one thread from open() to close().
class Worker
{
public:
    static constexpr int sequenceBits = 39; ///< of the key of metrics and events; the trial's row stands above them
    static constexpr qint64 maxSequence = (qint64(1) << sequenceBits) - 1;
    static constexpr qint64 dayMs = 24LL * 3'600 * 1'000; ///< how long answers to repeated requests are kept

    explicit Worker(QString folder);
    ~Worker();
    Q_DISABLE_COPY_MOVE(Worker)

    [[nodiscard]] Result<Loaded> open();
    void close();

    /// Writes all batches in one transaction, or, when that fails, each in its own. One result a batch.
    [[nodiscard]] std::vector<Result<>> write(std::span<Batch* const> batches, bool full);
    [[nodiscard]] Result<std::vector<Metric>> readMetrics(const TrialId& trial, qint64 since, qint64 limit);
    [[nodiscard]] Result<QList<TrialEvent>> readEvents(const TrialId& trial, qint64 since);

private:
    enum Statement {
        putExperiment,
        putTrial,
        findTrial,
        putChunk,
        lastChunk,
        chunksFrom,
        putEvent,
        countEvents,
        eventsFrom,
        putIdempotency,
        purgeIdempotency,
        putReservation,
        removeReservation,
        putFact,
        removeFact,
        trialsOfExperiment,
        removeMetrics,
        removeEvents,
        removeTrials,
        removeExperiment,
        begin,
        commitAll,
        statementCount
    };
    /// A trial that got metrics lately: where its last chunk ends, so that appending needs no reading.
    struct OpenTrial
    {
        qint64 row = 0;
        MetricChunk chunk;
        bool dirty = false;  ///< the chunk has points that its row lacks
        bool growing = true; ///< false: the next point begins a new row
        quint64 used = 0;
    };
    /// What of a group stands for several versions of one record: only the last is written.
    struct Latest
    {
        QHash<TrialId, const TrialRow*> trials;
        QHash<ExperimentId, const Experiment*> experiments;
        QHash<TrialId, qint64> events; ///< how many each trial has after the group, as far as the group has its events
    };

    /// Rows that cannot be used.
    struct Damage
    {
        QList<qint64> experiments; ///< their records cannot be read
        QList<qint64> trials;
    };

    Result<> connect();
    /// Replaces a store with damaged pages by what can be read of it, and keeps the damaged file beside it.
    Result<> replaceDamaged();
    /// Beside the store; a name that no file has.
    [[nodiscard]] QString nameOfCopy() const;
    Result<> prepare();
    Result<Loaded> load();
    Result<> loadTrials(Loaded& loaded, Damage& damage);
    /// Keeps a copy of the store, then removes what cannot be read from it, so that the next start finds it whole.
    Result<> mend(const Damage& damage);
    Result<> loadRest(Loaded& loaded);

    Result<> writeTogether(std::span<Batch* const> batches, bool full);
    Result<> setSynchronous(bool full);
    void rollBack();
    static Latest latestOf(std::span<Batch* const> batches);
    Result<> apply(const Batch& batch, Latest& latest);
    Result<> applyTrials(const Batch& batch, Latest& latest);
    Result<> applyMetrics(const MetricBatch& batch);
    Result<> applyEvents(const QList<EventRow>& events);
    Result<> applyIdempotency(const QList<IdempotencyRow>& rows);
    Result<> applyRemoval(const ExperimentId& experiment);
    Result<> writeChunk(OpenTrial& trial);
    Result<> writeChunks();
    void forgetOldest();
    /// 0 when the store does not have the trial.
    Result<qint64> rowOf(const TrialId& trial);
    Result<OpenTrial*> openTrial(const TrialId& trial);

    QSqlQuery& statement(Statement which) { return m_statements[which]; }
    Result<> exec(QSqlQuery& query);
    Result<> run(const QString& text);

    QString m_folder;
    QString m_file;
    QString m_connection;
    QSqlDatabase m_database;
    std::array<QSqlQuery, statementCount> m_statements;
    bool m_open = false;
    std::optional<bool> m_full; ///< synchronous as it is set now
    QHash<TrialId, OpenTrial> m_trials;
    QSet<TrialId> m_written; ///< trials that the group being written has written, with the count of their events
    quint64 m_tick = 0;
    qint64 m_lastPurge = 0;
};

} // namespace store
