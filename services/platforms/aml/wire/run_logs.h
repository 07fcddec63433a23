// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_history.h"

#include "services/platforms/cluster/cluster_wire.h"

#include <map>

namespace platforms::aml {

/// The logs of jobs, which Azure keeps as blobs: the keeper's frames are in the log of standard output, which is read on from where it was.
/// Addresses with their signatures come from the run history, are kept for a few minutes, and asked for anew when one is refused. Lives on the
/// service thread.
class RunLogs
{
public:
    static constexpr qint64 keptMs = 5 * 60'000;      ///< for how long addresses count
    static constexpr qint64 againMs = 4'000;          ///< until a run without a log is asked for again
    static constexpr qint64 pieceBytes = 1024 * 1024; ///< that are read of a log at once
    static constexpr size_t mostRuns = 5'000;         ///< kept before those go whose addresses do not count any more

    /// None is owned.
    RunLogs(AmlSession* session, RunHistory* history);

    /// `hasEnded`: the job has, as Azure says, so that a log that is not there will hardly come.
    [[nodiscard]] Task<LogPart> read(LogWish wish, QString job, bool hasEnded);
    /// When the job began, milliseconds since the epoch; nothing: the region does not say.
    [[nodiscard]] Task<std::optional<qint64>> startTime(QString job);
    /// What the cluster has besides standard output and error: `system_logs/…`. Kind::not_found: the region knows no such run.
    [[nodiscard]] Task<Result<QStringList>> names(QString job);
    /// `offset` below 0: the last so many bytes. Kind::not_found: there is no such log.
    [[nodiscard]] Task<Result<Bytes>> readFile(QString job, QString name, qint64 offset, qint64 limit);
    /// It is removed.
    void forget(const QString& job) { m_runs.erase(job); }

private:
    struct Run
    {
        QMap<QString, QUrl> logs;
        bool isThere = false;            ///< the region knows it
        std::optional<qint64> startTime; ///< milliseconds since the epoch
        qint64 askedAt = 0;              ///< of the steady clock
    };

    /// What is kept, if it is not older than `mostMs`; else from the run history.
    [[nodiscard]] Task<Result<Run>> runOf(QString job, qint64 mostMs);
    void keep(const QString& job, const Run& run);

    AmlSession* m_session;
    RunHistory* m_history;
    std::map<QString, Run> m_runs;
};

/// The log in which the keeper's frames are; empty: there is none yet.
[[nodiscard]] QUrl frameLog(const QMap<QString, QUrl>& logs);

} // namespace platforms::aml
