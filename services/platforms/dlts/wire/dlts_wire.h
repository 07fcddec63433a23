// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dlts_calls.h"
#include "endpoint_opener.h"

#include "services/platforms/cluster/job_name.h"
#include "services/platforms/cluster/storage_wire.h"

namespace platforms::dlts {

/// DLTS by the API of its dashboard, and a share of the cluster that is mounted here, too.
class DltsWire : public StorageWire
{
    Q_OBJECT
public:
    /// `settings` are whole (wholeSettings()).
    DltsWire(Json settings, Context context, std::unique_ptr<DltsCalls> calls);
    ~DltsWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override { return QStringLiteral("DLTS"); }
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<Machine>>> machines() override;
    [[nodiscard]] QList<PlatformQueue> queues() const override { return m_queues; }
    [[nodiscard]] QString pageOf(const TrialRef& trial) const override
    {
        return m_calls->pageOf(handleOf(trial.trial));
    }
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;

    [[nodiscard]] DltsCalls& calls() { return *m_calls; }

protected:
    [[nodiscard]] Result<JobDocument> documentOf(const TrialSpec& spec, const QString& script) const override;
    [[nodiscard]] Task<SubmitReply> handOver(TrialId trial, QByteArray document) override;
    [[nodiscard]] Task<bool> has(TrialId trial) override;
    [[nodiscard]] QString handleOf(const TrialId& trial) const override;
    [[nodiscard]] Task<Result<>> cancelOne(TrialRef ref) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endOf(TrialId trial) override;
    [[nodiscard]] bool keepsJobLogs() const override { return true; }
    [[nodiscard]] Task<Result<QByteArray>> jobLog(TrialId trial) override { return m_calls->log(handleOf(trial)); }

private:
    /// What is believed of a job; remembers whether it runs.
    [[nodiscard]] JobFact take(const DltsJob& job, const TrialId& trial);
    [[nodiscard]] Task<Result<Team>> askTeam();

    std::unique_ptr<DltsCalls> m_calls;
    EndpointOpener m_endpoints;
    QString m_gpuType; ///< the team's first; empty: it names none
    QList<PlatformQueue> m_queues;
    QSet<TrialId> m_running; ///< as DLTS last said
};

} // namespace platforms::dlts
