// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/commands/command_host.h"
#include "trial_storage.h"

#include <map>

namespace platforms {

/// How a submission ended.
struct SubmitReply
{
    enum class Outcome {
        accepted, ///< or the job is there already
        refused,  ///< for good: `error`
        later,    ///< nothing was handed over: `error`
        unknown,
    };
    Outcome outcome = Outcome::unknown;
    Error error;
    std::optional<qint64> retryAfterMs;
};

/// A cluster that takes a document for each job, and whose containers see a storage that is mounted on this computer, too: the settings
/// localStorageMountPoint and containerStorageMountPoint. Without the first one a derived class gives it a SharedFolder before
/// openStorage(). What a trial needs stands in a script on it. Derived classes speak with the cluster.
class StorageWire : public ClusterWire
{
    Q_OBJECT
public:
    /// `settings` are checked; of them `maxJobs` and `pollInterval` (seconds) count here, too.
    StorageWire(Json settings, Context context);
    ~StorageWire() override;

    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) override;
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial) override;
    [[nodiscard]] Task<Result<Bytes>> readFile(TrialRef trial, QString name, qint64 offset, qint64 limit) override;
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) override;
    [[nodiscard]] QString folderText(const TrialRef& trial) const override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    /// Nodes are none of the machines.
    [[nodiscard]] MachineId machineOf(const QString& node) const override;
    [[nodiscard]] qint64 listIntervalMs() const override;
    /// Of an object store each look at a log is a request, and its logs are kept here: there is no file to read in.
    [[nodiscard]] qint64 logIntervalMs() const override { return isStore() ? 3'000 : 1'000; }
    [[nodiscard]] int mostJobs() const override;
    [[nodiscard]] bool looksForLogs() const override { return !isStore(); }
    [[nodiscard]] bool forgetsLogs() const override { return isStore(); }

protected:
    struct JobDocument
    {
        QByteArray bytes;
        QString command; ///< runs instead of the trial's; empty: none does
    };
    /// Jobs that are handed over, cancelled or asked for at the same time.
    static constexpr int callsAtOnce = 8;

    /// What is handed over so that `script`, a path in containers, runs. Kind::invalid: nothing can be.
    [[nodiscard]] virtual Result<JobDocument> documentOf(const TrialSpec& spec, const QString& script) const = 0;
    [[nodiscard]] virtual Task<SubmitReply> handOver(TrialId trial, QByteArray document) = 0;
    /// Whether the cluster is known to have the trial's job.
    [[nodiscard]] virtual Task<bool> has(TrialId trial) = 0;
    [[nodiscard]] virtual QString handleOf(const TrialId& trial) const = 0;
    /// What bash expands to the node's name.
    [[nodiscard]] virtual QByteArray nodeVariable() const { return "$(hostname)"; }
    [[nodiscard]] virtual Task<Result<>> cancelOne(TrialRef ref) = 0;
    /// What the cluster says of the trial's job alone; no fact where it knows none.
    [[nodiscard]] virtual Task<Result<QList<JobFact>>> endOf(TrialId trial) = 0;
    /// Whether jobLog() may have something. People read it as the log `job`.
    [[nodiscard]] virtual bool keepsJobLogs() const { return false; }
    /// What the cluster has of the output of the trial's job itself, which the keeper does not write to: of much the end. Kind::not_found: nothing.
    [[nodiscard]] virtual Task<Result<QByteArray>> jobLog(TrialId trial);
    /// endOf() each of these, as many as may be asked for in one turn: those behind the last of the turn before, in the order of their ids. A
    /// trial that is left for later, or whose answer is an error, is not answered (ClusterWire::endedJobs()): an error of one says nothing about
    /// the others, nor about the cluster, whose list was just read.
    [[nodiscard]] Task<QList<JobFact>> endsOf(QList<TrialRef> trials);

    /// Makes the folder of trials, and puts the keeper there; the end of open().
    [[nodiscard]] Task<Result<>> openStorage();
    [[nodiscard]] Task<> closeStorage();
    /// The cluster is known to have these, so that none is handed over again; or an end of theirs was reported.
    void setAccepted(const TrialId& trial) { m_accepted.insert(trial); }
    void forgetEnded(const QList<JobFact>& facts);

    [[nodiscard]] const Json& settings() const { return m_settings; }
    [[nodiscard]] const Context& context() const { return m_context; }
    [[nodiscard]] TrialStorage& storage() { return m_storage; }
    /// It is not mounted here.
    [[nodiscard]] bool isStorageElsewhere() const;

private:
    [[nodiscard]] bool isStore() const { return m_storage.folder().isObjectStore(); }
    /// endOf(). If the job failed before its keeper wrote anything, the reason includes the last line that the job printed. `readsLogs` is cleared
    /// when a log cannot be read, so that a log service that hangs delays the facts of other jobs once and not for each of them.
    [[nodiscard]] Task<Result<QList<JobFact>>> explainedEnd(TrialRef ref, std::shared_ptr<bool> readsLogs);
    /// jobLog(). While the job has not ended, an answer is reused for listIntervalMs(), because a reader that follows the log asks every second.
    [[nodiscard]] Task<Result<QByteArray>> recentJobLog(TrialId trial);
    [[nodiscard]] Task<SubmitOutcome> submitOne(TrialSpec spec);
    [[nodiscard]] Task<SubmitOutcome> submitScript(TrialSpec spec, JobDocument document, QString folder);

    const Json m_settings;
    const Context m_context;
    std::unique_ptr<CommandHost> m_host; ///< this computer
    TrialStorage m_storage;
    QSet<TrialId> m_accepted; ///< whose end was not reported
    TrialId m_askedLast;      ///< by endsOf()
    struct KeptJobLog
    {
        Result<QByteArray> text;
        qint64 at = 0; ///< of the steady clock
    };
    std::map<TrialId, KeptJobLog> m_jobLogs; ///< of recentJobLog()
};

} // namespace platforms
