// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slurm_calls.h"

#include "services/platforms/cluster/cluster_wire.h"
#include "services/platforms/commands/command_host.h"
#include "services/platforms/cluster/trial_storage.h"

namespace platforms::slurm {

/// Slurm by its commands or slurmrestd, and a folder that its nodes share (TrialStorage).
class SlurmWire : public ClusterWire
{
    Q_OBJECT
public:
    /// `settings` are checked. `host`, which is not open yet, is where the folder is; `calls` may use it.
    SlurmWire(Json settings, Context context, std::unique_ptr<CommandHost> host, std::unique_ptr<SlurmCalls> calls);
    ~SlurmWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override;
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
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    /// What the cluster has, for forms. Needs no open().
    [[nodiscard]] Task<Result<QStringList>> partitionNames();
    [[nodiscard]] Task<Result<QStringList>> gpuTypes();
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;
    [[nodiscard]] qint64 listIntervalMs() const override;
    [[nodiscard]] qint64 logIntervalMs() const override;
    [[nodiscard]] int mostJobs() const override;
    [[nodiscard]] bool looksForLogs() const override { return m_host->isHere(); }

private:
    [[nodiscard]] Task<Result<>> askPartitions();
    [[nodiscard]] Task<Result<>> findArchitecture();
    [[nodiscard]] Task<SubmitOutcome> submitOne(TrialSpec spec);
    [[nodiscard]] Task<SubmitOutcome> submitScript(ScriptValues values, QString folder);
    [[nodiscard]] Result<ScriptValues> valuesOf(const TrialSpec& spec, const QString& folder) const;
    [[nodiscard]] QList<JobFact> factsOf(const QList<SlurmJob>& jobs) const;

    const Json m_settings;
    const Context m_context;
    std::unique_ptr<CommandHost> m_host;
    std::unique_ptr<SlurmCalls> m_calls;
    TrialStorage m_storage;
    QList<SlurmPartition> m_partitions;
    QList<PlatformQueue> m_queues;
    std::optional<qint64> m_partitionsAt; ///< steady
    QHash<TrialId, qint64> m_ids;         ///< jobs of trials that Slurm itself has named to this object
    bool m_isListed = false;              ///< jobs() has succeeded
    bool m_keepsAccounting = true;        ///< as far as is known
};

} // namespace platforms::slurm
