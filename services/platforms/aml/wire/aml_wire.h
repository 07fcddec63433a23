// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_calls.h"
#include "job_submission.h"
#include "restart_count.h"
#include "run_history.h"
#include "run_logs.h"
#include "workspace_lists.h"

#include "services/platforms/cluster/cluster_wire.h"

namespace platforms::aml {

/// Azure Machine Learning: trials as command jobs of a workspace, by Resource Manager; their logs as blobs that the run history names. Nodes see
/// no folder of this computer, and Azure keeps no log of ours for ever, so standard output and error are kept here.
class AmlWire : public ClusterWire
{
    Q_OBJECT
public:
    /// `settings` are checked.
    AmlWire(Json settings, std::unique_ptr<AmlSession> session);
    ~AmlWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override { return QStringLiteral("Azure Machine Learning"); }
    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) override;
    [[nodiscard]] Task<Result<QList<Machine>>> machines() override;
    [[nodiscard]] QList<PlatformQueue> queues() const override { return m_queues; }
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial) override;
    [[nodiscard]] Task<Result<Bytes>> readFile(TrialRef trial, QString name, qint64 offset, qint64 limit) override;
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) override;
    [[nodiscard]] MachineId machineOf(const QString& node) const override;
    [[nodiscard]] QString folderText(const TrialRef& trial) const override;
    [[nodiscard]] QString pageOf(const TrialRef& trial) const override;
    [[nodiscard]] bool showsResults() const override { return true; }
    [[nodiscard]] Task<std::vector<Result<>>> showResults(QList<TrialResult> results) override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;
    [[nodiscard]] qint64 listIntervalMs() const override;
    [[nodiscard]] qint64 logIntervalMs() const override;
    [[nodiscard]] int mostJobs() const override;
    [[nodiscard]] bool looksForLogs() const override { return false; }
    [[nodiscard]] bool forgetsLogs() const override { return true; }

    [[nodiscard]] WorkspaceLists& lists() { return m_lists; }
    [[nodiscard]] AmlSession& session() { return *m_session; }
    [[nodiscard]] AmlCalls& calls() { return m_calls; }
    [[nodiscard]] JobSubmission& submission() { return m_submission; }

private:
    [[nodiscard]] const Context& context() const { return m_session->context(); }
    [[nodiscard]] QString nameOf(const TrialId& trial) const;
    /// Of a job with the name and the tag of one of this service; else empty.
    [[nodiscard]] TrialId trialIn(const AmlJob& job) const;
    /// Whether the job alone does not say why it ended.
    [[nodiscard]] bool needsDetails(const AmlJob& job, const TrialId& trial) const;
    [[nodiscard]] JobFact factOf(const AmlJob& job, const TrialId& trial, const RunDetails* details);

    [[nodiscard]] Task<SubmitOutcome> submitOne(TrialSpec spec);
    /// All jobs of this service, or as many pages as have those that are under way.
    [[nodiscard]] Task<Result<QList<AmlJob>>> listed(bool isWhole);
    /// Asks when those of the jobs began that were not seen to run before.
    [[nodiscard]] Task<> noteStarts(QList<AmlJob> jobs);
    [[nodiscard]] Task<Result<QList<JobFact>>> endOf(TrialId trial);

    const Json m_settings;
    std::unique_ptr<AmlSession> m_session;
    AmlCalls m_calls;
    WorkspaceLists m_lists;
    RunHistory m_history;
    RunLogs m_logs;
    JobSubmission m_submission;
    Workspace m_workspace;
    VmSizes m_sizes;                    ///< empty: not known yet
    QHash<QString, Compute> m_computes; ///< by name in lower case, as machines() found them
    QList<PlatformQueue> m_queues;
    QSet<TrialId> m_live;                 ///< handed over or seen, and not ended as far as is known
    QSet<TrialId> m_ended;                ///< end reported; the log may still be read
    QHash<TrialId, AmlJob> m_unexplained; ///< of the last list: why they ended is known from the run history alone
    QSet<TrialId> m_cancelled;            ///< by us, and not ended yet as far as is known: that needs no explanation
    QHash<TrialId, qint64> m_started;     ///< when those began that run; milliseconds since the epoch
    QHash<TrialId, RestartCount> m_restarts;
    qint64 m_wishes = 0;         ///< logs that were asked for last
    qint64 m_pages = 1;          ///< that the last list had
    bool m_hasListedAll = false; ///< since it was opened
    TrialId m_askedLast;         ///< by endedJobs()
};

} // namespace platforms::aml
