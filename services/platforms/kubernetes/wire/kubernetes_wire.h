// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "namespace_view.h"
#include "pod_logs.h"

#include "services/core/strand.h"
#include "services/platforms/cluster/command_host.h"
#include "services/platforms/keeper/packed_codes.h"
#include "services/platforms/kubernetes/jobs/job_manifest.h"

namespace platforms::kubernetes {

/// Kubernetes by its API server: a Job for each trial, found by the label of its id, never by a name of the cluster's choice. Jobs, pods and
/// warnings of the namespace are watched on one connection each (NamespaceView), the logs of running pods are followed (PodLogs). What
/// trials share, the keeper and an experiment's code, are ConfigMaps, which go with the last trial.
class KubernetesWire : public ClusterWire
{
    Q_OBJECT
public:
    /// `settings` are checked.
    KubernetesWire(Json settings, Context context);
    ~KubernetesWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override;
    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) override;
    [[nodiscard]] Task<Result<QList<Machine>>> machines() override;
    [[nodiscard]] QList<PlatformQueue> queues() const override;
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial) override;
    [[nodiscard]] Task<Result<Bytes>> readFile(TrialRef trial, QString name, qint64 offset, qint64 limit) override;
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) override;
    [[nodiscard]] MachineId machineOf(const QString& node) const override;
    [[nodiscard]] QString folderText(const TrialRef& trial) const override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;
    [[nodiscard]] qint64 listIntervalMs() const override { return 10'000; }
    [[nodiscard]] qint64 logIntervalMs() const override { return 1'000; }
    [[nodiscard]] int mostJobs() const override;
    [[nodiscard]] bool looksForLogs() const override { return false; }
    [[nodiscard]] bool forgetsLogs() const override { return true; }
    [[nodiscard]] bool hearsOfChanges() const override { return true; }

    // For forms and checks; they need no open().
    /// Reads the kubeconfig and makes the client, once.
    [[nodiscard]] Task<Result<>> connectClient();
    /// A GET of `target`; the reply is 2xx.
    [[nodiscard]] Task<Result<Json>> get(KubeTarget target, KubeParameters parameters = {});
    [[nodiscard]] Task<Result<Json>> getPath(QByteArray path);
    [[nodiscard]] Task<Result<Json>> post(KubeTarget target, Json object);
    [[nodiscard]] const KubeAccess& access() const { return m_client->access(); }
    [[nodiscard]] const QString& inNamespace() const { return m_namespace; }
    [[nodiscard]] const Json& settings() const { return m_settings; }
    /// Runs a job to its end in this image.
    [[nodiscard]] Task<Result<Message>> runTestJob();

private:
    [[nodiscard]] Task<Result<>> putKeeper();
    /// The experiment's code as ConfigMaps; their names, none without code.
    [[nodiscard]] Task<Result<QStringList>> putCode(ExperimentId experiment, CodeSource code);
    /// Whether what was seen in the cluster then is believed to be there.
    [[nodiscard]] bool isFresh(qint64 seenAt) const;
    [[nodiscard]] Task<Result<>> putMap(QString name, Json map);
    [[nodiscard]] Task<SubmitOutcome> submitOne(TrialSpec spec);
    [[nodiscard]] Task<SubmitOutcome> submitJob(TrialId trial, ExperimentId experiment, JobValues values);
    [[nodiscard]] Result<JobValues> valuesOf(const TrialSpec& spec) const;
    /// DELETE of one object; one that is not there is no error.
    [[nodiscard]] Task<Result<>> drop(KubeTarget target);
    [[nodiscard]] Task<Result<>> dropAll(KubeResource resource, QMap<QString, QString> labels);
    /// Names of this service's objects with these labels.
    [[nodiscard]] Task<Result<QList<std::pair<QString, TrialId>>>> listed(
        KubeResource resource, QMap<QString, QString> labels);
    [[nodiscard]] Task<Result<>> removeUnused(ExperimentId experiment);
    [[nodiscard]] KubeTarget jobTarget(const TrialId& trial) const;

    const Json m_settings;
    const Context m_context;
    std::unique_ptr<CommandHost> m_commands; ///< for programs that give credentials
    Strand m_strand;                         ///< reads files, parses large answers
    std::unique_ptr<KubeClient> m_client;
    QString m_namespace;
    std::unique_ptr<NamespaceView> m_view;
    std::unique_ptr<PodLogs> m_logs;
    PackedCodes m_codes;
    QString m_keeperMap;       ///< empty: not put there yet
    qint64 m_keeperSeenAt = 0; ///< steady
    QString m_arch;            ///< of the nodes that it is for, in Kubernetes' words
    struct CodeMaps
    {
        QStringList names;
        qint64 seenAt = 0; ///< steady
    };
    QHash<QString, CodeMaps> m_codeMaps; ///< by experiment and snapshot: put there
    QHash<QString, QList<OneShot<Result<QStringList>>>> m_puttingCode;
    QHash<TrialId, LogPod> m_logPods; ///< whose logs are wanted, as they were last seen
    int m_submitting = 0;             ///< calls that need what trials share
};

} // namespace platforms::kubernetes
