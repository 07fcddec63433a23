// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openpai_calls.h"

#include "services/platforms/cluster/job_name.h"
#include "services/platforms/cluster/storage_wire.h"

namespace platforms::openpai {

/// OpenPAI by its REST API, and a storage of the cluster that is mounted here, too, or is Azure's Blob storage.
class OpenPaiWire : public StorageWire
{
    Q_OBJECT
public:
    /// `settings` are checked.
    OpenPaiWire(Json settings, Context context, std::unique_ptr<OpenPaiCalls> calls);
    ~OpenPaiWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override { return QStringLiteral("OpenPAI"); }
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<Machine>>> machines() override;
    [[nodiscard]] QList<PlatformQueue> queues() const override { return m_queues; }
    [[nodiscard]] QString pageOf(const TrialRef& trial) const override { return m_calls->pageOf(nameOf(trial.trial)); }
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;

    [[nodiscard]] OpenPaiCalls& calls() { return *m_calls; }
    /// Asks OpenPAI for the storage, and takes it where it is not mounted here. Kind::invalid: trials cannot use it.
    [[nodiscard]] Task<Result<>> chooseStorage();

protected:
    [[nodiscard]] Result<JobDocument> documentOf(const TrialSpec& spec, const QString& script) const override;
    [[nodiscard]] Task<SubmitReply> handOver(TrialId trial, QByteArray document) override;
    [[nodiscard]] Task<bool> has(TrialId trial) override;
    [[nodiscard]] QString handleOf(const TrialId& trial) const override;
    [[nodiscard]] QByteArray nodeVariable() const override { return "${FC_NODE_NAME:-$(hostname)}"; }
    [[nodiscard]] Task<Result<>> cancelOne(TrialRef ref) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endOf(TrialId trial) override;
    [[nodiscard]] bool keepsJobLogs() const override { return true; }
    [[nodiscard]] Task<Result<QByteArray>> jobLog(TrialId trial) override { return m_calls->log(nameOf(trial)); }

private:
    /// The newest jobs of this service, that have ended or not.
    [[nodiscard]] Task<Result<QHash<TrialId, PaiJob>>> newestJobs();
    /// Those of this service among them.
    [[nodiscard]] QHash<TrialId, PaiJob> ownOf(const QList<PaiJob>& jobs) const;
    [[nodiscard]] QString nameOf(const TrialId& trial) const { return jobName(context().serviceId, trial); }

    std::unique_ptr<OpenPaiCalls> m_calls;
    QList<PlatformQueue> m_queues;
};

} // namespace platforms::openpai
