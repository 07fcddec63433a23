// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/kubernetes/facts/event_view.h"
#include "services/platforms/kubernetes/facts/job_view.h"
#include "services/platforms/kubernetes/facts/node_facts.h"
#include "services/platforms/kubernetes/facts/pod_facts.h"
#include "services/platforms/kubernetes/object_watch.h"
#include "services/platforms/platform.h"

namespace platforms::kubernetes {

/// What one service has in one namespace, kept current by watches: its Jobs, their pods, warnings about both, and the cluster's nodes
/// where they may be seen. Facts are made anew for trials that changed, and for no others. On the service thread. Before it is
/// destroyed, close() must have returned.
class NamespaceView : public QObject
{
    Q_OBJECT
public:
    /// What is named outlives this.
    NamespaceView(KubeClient* client, transport::HttpEnvironment environment, const Context& context,
        QString inNamespace, QString gpuResource);
    ~NamespaceView() override;

    /// The first lists have come. An error: the namespace's Jobs or pods may not be watched, or the server was not reached.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    /// An error while the view is old: nothing was heard of the server.
    [[nodiscard]] Result<QList<JobFact>> facts();
    /// How the Job of this trial ended, which is not there any more, as far as it was seen.
    [[nodiscard]] std::optional<JobFact> lastFact(const TrialId& trial) const;
    [[nodiscard]] bool hasJob(const TrialId& trial) const { return m_jobs.contains(trial); }
    /// The pod of a trial's Job; nothing: there is none yet.
    [[nodiscard]] const PodView* podOf(const TrialId& trial) const;
    /// Whether there is, or was, a log of this trial whose pod is not known to have begun: Jobs and pods are heard of on two connections,
    /// so a Job may be complete before its pod is seen to run.
    [[nodiscard]] bool expectsLog(const TrialId& trial) const;
    /// The trial was handed over, so a Job of it that was seen before is another one.
    void forget(const TrialId& trial);

    [[nodiscard]] QList<Machine> machines() const;
    [[nodiscard]] QList<PlatformQueue> queues() const;
    [[nodiscard]] const QMap<QString, NodeView>& nodes() const { return m_nodes; }
    /// Why nodes cannot be seen; nothing: they can.
    [[nodiscard]] std::optional<Error> nodesError() const { return m_nodesError; }

signals:
    /// facts() has something new.
    void changed();
    /// Neither is heard of the server.
    void lost(const core::Error& error);
    void found();

private:
    void takeJobs(const ObjectChanges& changes);
    void takePods(const ObjectChanges& changes);
    void takeEvents(const ObjectChanges& changes);
    void takeNodes(const ObjectChanges& changes);
    void settleOpen();
    [[nodiscard]] JobFact factFor(const TrialId& trial) const;
    void settleOrphan(const TrialId& trial);
    void stale(const TrialId& trial);

    const Context m_context;
    const QString m_gpuResource;
    ObjectWatch m_jobWatch, m_podWatch, m_eventWatch, m_nodeWatch, m_quotaWatch;
    QHash<TrialId, JobView> m_jobs;
    QHash<QString, PodView> m_pods;     ///< by name; of this service's trials
    QHash<TrialId, QString> m_podNames; ///< the newest pod of each
    QHash<TrialId, QList<EventView>> m_events;
    QMap<QString, NodeView> m_nodes;
    QMap<QString, QuotaView> m_quotas;
    std::optional<Error> m_nodesError;
    QHash<TrialId, JobFact> m_facts;
    QHash<TrialId, JobFact> m_orphans; ///< whose Job is gone: what was known of them
    QHash<TrialId, JobFact> m_gone;    ///< whose pod is, too
    QSet<TrialId> m_stale;
    QHash<TrialId, qint64> m_dueAt; ///< when a fact may change by time alone, milliseconds since the epoch
    std::optional<OneShot<Result<>>> m_opening;
};

} // namespace platforms::kubernetes
