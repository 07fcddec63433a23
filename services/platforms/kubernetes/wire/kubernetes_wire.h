// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "code_sender.h"
#include "namespace_view.h"
#include "nodes_view.h"
#include "pod_logs.h"
#include "shared_maps.h"
#include "trial_request.h"

#include "services/core/strand.h"
#include "services/platforms/cluster/post_probe.h"
#include "services/platforms/commands/command_host.h"
#include "services/platforms/kubernetes/kube_status.h"

namespace platforms::kubernetes {

/// Kubernetes by its API server: a Job for each trial, found by the label of its id, never by a name of the cluster's choice. Jobs, pods and
/// warnings of the namespace are watched (NamespaceView), the logs of running pods are followed (PodLogs). What
/// trials share, the keeper and an experiment's code, are ConfigMaps, which go with the last trial.
class KubernetesWire : public ClusterWire
{
    Q_OBJECT
public:
    /// `settings` are checked. `platformKind`: `kubernetes`, `kubeflow`, `frameworkcontroller`.
    KubernetesWire(QString platformKind, Json settings, Context context);
    ~KubernetesWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override;
    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> changedJobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) override;
    [[nodiscard]] QStringList logParts(const TrialId& trial) const override;
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
    [[nodiscard]] Message remark() const override;

    // For forms and checks; they need no open().
    /// Reads the kubeconfig and makes the client, once.
    [[nodiscard]] Task<Result<>> connectClient();
    /// Precondition: connectClient() has succeeded.
    [[nodiscard]] NamespaceObjects& objects() const { return *m_objects; }
    [[nodiscard]] const KubeAccess& access() const { return m_client->access(); }
    [[nodiscard]] const Json& settings() const { return m_settings; }
    [[nodiscard]] const QString& platformKind() const { return m_platformKind; }
    /// Which objects trials may be, of those that the cluster serves: Jobs, or those of operators. Kind::not_found: the operator is missing.
    [[nodiscard]] Task<Result<>> findKinds();
    /// Precondition: findKinds() has succeeded.
    [[nodiscard]] QList<KubeResource> trialResources() const;
    /// Runs a job to its end in the settings' image. `reach`: set where it looked (PostProbe).
    [[nodiscard]] Task<Result<Message>> runTestJob(std::optional<PostReach>* reach);
    [[nodiscard]] const Context& context() const { return m_context; }

private:
    [[nodiscard]] QString architecture() const;
    [[nodiscard]] Task<SubmitOutcome> submitOne(TrialSpec spec, bool isTest);
    [[nodiscard]] Task<SubmitOutcome> make(TrialId trial, TrialRequest request);
    [[nodiscard]] SubmitOutcome refused(TrialId trial, const KubeRefusal& refusal) const;
    /// Whether the object that is there already is the trial's.
    [[nodiscard]] Task<SubmitOutcome> lookUp(TrialId trial, TrialRequest request, Error refusal);
    [[nodiscard]] Task<Result<>> dropTrials(QList<TrialId> trials);
    /// Of all resources that trials are made of.
    [[nodiscard]] Task<Result<QList<NamedObject>>> listed(QMap<QString, QString> labels);
    [[nodiscard]] Task<Result<>> removeUnused(ExperimentId experiment);
    void lookForCode(const TrialId& trial);
    /// With what is known of them beside the cluster; ends those that cannot begin.
    [[nodiscard]] Task<Result<QList<JobFact>>> completed(Result<QList<JobFact>> facts);
    [[nodiscard]] bool holdsItsNode(const JobFact& fact) const;
    /// Whose log it is; null: no such pod is known now.
    [[nodiscard]] const PodView* logPodOf(const TrialId& trial, const QString& part) const;

    const QString m_platformKind;
    const Json m_settings;
    const Context m_context;
    std::unique_ptr<CommandHost> m_commands; ///< for programs that give credentials
    Strand m_strand;                         ///< reads files, parses large answers
    std::unique_ptr<KubeClient> m_client;
    std::unique_ptr<NamespaceObjects> m_objects;
    PackedCodes m_codes;
    std::unique_ptr<SharedMaps> m_shared;
    std::unique_ptr<NamespaceView> m_view;
    std::unique_ptr<NodesView> m_nodes;
    std::unique_ptr<PodLogs> m_logs;
    std::unique_ptr<CodeSender> m_sender;
    QList<WorkloadKind> m_kinds; ///< served ones of the platform's; empty: Jobs
    TrainSupport m_train;
    Message m_loginRemark;                 ///< of the credentials (KubeEnvironment)
    QHash<PodLogs::Key, LogPod> m_logPods; ///< whose logs are wanted, as they were last seen
    QSet<QString> m_givenUp;               ///< Jobs (uids) that were ended because they cannot begin
    int m_submitting = 0;                  ///< calls that need what trials share
};

} // namespace platforms::kubernetes
