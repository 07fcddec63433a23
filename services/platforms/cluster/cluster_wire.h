// SPDX-License-Identifier: GPL-3.0-or-later
// What is particular to one kind of cluster: its commands or HTTP calls, and how its words become values. Implementations decide nothing
// about trials. Everything runs on the service thread and must not block it.
#pragma once

#include "job_course.h"

#include "services/platforms/platform.h"

#include <vector>

namespace platforms {

/// A part of a trial's log that is wanted.
struct LogWish
{
    TrialRef trial;
    qint64 offset = 0;
    QByteArray identity; ///< of the log that `offset` is of; empty: any
    QString part;        ///< of logParts(); empty: the trial's own
};

struct LogPart
{
    enum class State {
        read,
        missing,
        another /*the log is not that of `identity`, or shorter than `offset`*/,
        unreadable
    };
    TrialId trial;
    QString part; ///< as it was wished for
    State state = State::missing;
    QByteArray bytes;
    QByteArray identity;
    bool isEnd = false; ///< there was no more
    Message message;    ///< unreadable: why
};

class ClusterWire : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// Checks and connects. Kind::invalid: settings that cannot work; anything else may be tried again.
    [[nodiscard]] virtual Task<Result<>> open() = 0;
    /// Ends pending calls, with Kind::cancelled.
    [[nodiscard]] virtual Task<> close() = 0;
    /// For sentences: the cluster, or the host that its commands are called on.
    [[nodiscard]] virtual QString name() const = 0;

    /// Idempotent by trial id. One outcome for each.
    [[nodiscard]] virtual Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) = 0;
    /// All jobs of this service that the cluster lists, with one question, whatever their number. An error says nothing about any job.
    [[nodiscard]] virtual Task<Result<QList<JobFact>>> jobs() = 0;
    /// Those that changed since jobs() or this was called, where hearsOfChanges(); ended ones that are not there any more, too.
    [[nodiscard]] virtual Task<Result<QList<JobFact>>> changedJobs() { return jobs(); }
    /// How these ended, which jobs() does not list any more; a trial that is not known there is left out. A fact of an unknown phase without a
    /// handle means that it was not answered this time: the job is neither confirmed nor missing.
    [[nodiscard]] virtual Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) = 0;
    /// Of jobs that ended, or never were, too. A trial without a handle is found by its name.
    [[nodiscard]] virtual Task<Result<>> cancel(QList<TrialRef> trials) = 0;
    /// One part for each wish.
    [[nodiscard]] virtual Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) = 0;
    /// Other parts of a trial that write logs of their own, or will, by the names of these, as `worker-1`; also of one that has just ended.
    /// They are read, and kept where forgetsLogs(). LogPart::State::missing: there is no such part any more.
    [[nodiscard]] virtual QStringList logParts(const TrialId& trial) const
    {
        Q_UNUSED(trial)
        return {};
    }
    [[nodiscard]] virtual Task<Result<QList<Machine>>> machines() = 0;
    /// As the last machines() found them.
    [[nodiscard]] virtual QList<PlatformQueue> queues() const { return {}; }

    [[nodiscard]] virtual Task<Result<QStringList>> logNames(TrialRef trial) = 0;
    [[nodiscard]] virtual Task<Result<Bytes>> readFile(TrialRef trial, QString name, qint64 offset, qint64 limit) = 0;
    [[nodiscard]] virtual Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) = 0;
    /// The machine that is this node.
    [[nodiscard]] virtual MachineId machineOf(const QString& node) const = 0;
    /// Where a trial works, as a person writes it; may be empty.
    [[nodiscard]] virtual QString folderText(const TrialRef& trial) const = 0;
    /// The cluster's page about the trial's job, for a person; empty: it has none.
    [[nodiscard]] virtual QString pageOf(const TrialRef& trial) const
    {
        Q_UNUSED(trial)
        return {};
    }
    /// Whether showResults() shows anything.
    [[nodiscard]] virtual bool showsResults() const { return false; }
    /// Shows the results on the cluster's pages of the jobs; an outcome for each, in their order. Again is harmless.
    [[nodiscard]] virtual Task<std::vector<Result<>>> showResults(QList<TrialResult> results)
    {
        co_return std::vector<Result<>>(size_t(results.size()));
    }
    /// Removes what these ended trials left, and what they shared with others that are gone, too.
    [[nodiscard]] virtual Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) = 0;
    /// Ends and removes what else there is of the experiment; returns how many trials it was.
    [[nodiscard]] virtual Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) = 0;
    /// Reports steps; `isOpen`: open() has succeeded.
    [[nodiscard]] virtual Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) = 0;

    /// Whether changes are pushed (jobsChanged()) and jobs() reads a local cache, so that calling it costs the cluster nothing. Then
    /// changedJobs() is called after a push, and jobs() each listIntervalMs().
    [[nodiscard]] virtual bool hearsOfChanges() const { return false; }
    /// Between two questions, milliseconds; logs are read more often where that is no work for the cluster.
    [[nodiscard]] virtual qint64 listIntervalMs() const = 0;
    [[nodiscard]] virtual qint64 logIntervalMs() const = 0;
    /// How many jobs may be there at once; 0: any number.
    [[nodiscard]] virtual int mostJobs() const { return 0; }
    /// Whether the logs of jobs that wait are looked at, too, because that costs next to nothing; a start is then seen at once.
    [[nodiscard]] virtual bool looksForLogs() const = 0;
    /// Whether the cluster forgets the logs of its jobs, so that standard output and error are kept here as they are read, in the data
    /// directory (KeptLogs); readFile() is then not asked for them.
    [[nodiscard]] virtual bool forgetsLogs() const { return false; }

    /// What a person should know of the platform while it works; empty: nothing.
    [[nodiscard]] virtual Message remark() const { return {}; }

signals:
    void connected();
    /// Since then (milliseconds since the epoch) nothing is heard.
    void lost(qint64 since, const core::Error& error);
    /// jobs() has something new to say.
    void jobsChanged();
    /// machines() or queues() have something new to say.
    void machinesChanged();
    void remarkChanged();
    /// A log that was read has more, as far as that is noticed without asking.
    void logsGrew();
};

} // namespace platforms
