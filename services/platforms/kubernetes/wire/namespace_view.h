// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_object.h"

#include "services/platforms/kubernetes/facts/event_view.h"
#include "services/platforms/kubernetes/facts/pod_facts.h"
#include "services/platforms/kubernetes/object_watch.h"
#include "services/platforms/platform.h"

namespace platforms::kubernetes {

/// What one service has in one namespace, kept current by watches: its trials' objects (Jobs, or those of an operator), their pods, warnings
/// about both, and what Kueue says of those in its queues. Facts are made anew for trials that changed, and for no others. On the service thread. Before it is destroyed, close()
/// must have returned.
class NamespaceView : public QObject
{
    Q_OBJECT
public:
    /// How long after its object is gone a pod may be seen for the first time: a controller that makes a pod while the garbage collector
    /// deletes the object leaves one that the deletion does not wait for, and pods are watched on another connection than objects. On a
    /// cluster whose processors were full, controllers were more than two seconds late.
    static constexpr qint64 latePodMs = 5'000;

    /// What is named outlives this. `startPatienceMs`: how long a pod that has its node may be stuck (isStuck()) before its trial has failed; 0:
    /// for ever.
    /// `kinds`: of the objects that trials are; empty: Jobs.
    NamespaceView(KubeClient* client, transport::HttpEnvironment environment, const Context& context,
        const QString& inNamespace, qint64 startPatienceMs, const QList<WorkloadKind>& kinds = {});
    ~NamespaceView() override;

    /// The first lists have come. An error: the namespace's Jobs or pods may not be watched, or the server was not reached.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    /// An error while the view is old: nothing was heard of the server.
    [[nodiscard]] Result<QList<JobFact>> facts();
    /// Those that changed since facts() or this was called, with the last ones of Jobs that are gone. Errors as there.
    [[nodiscard]] Result<QList<JobFact>> changedFacts();
    /// Its fact is made anew, because of something that is not in the cluster.
    void touch(const TrialId& trial) { stale(trial); }
    /// How the Job of this trial ended, which is not there any more, as far as it was seen.
    [[nodiscard]] std::optional<JobFact> lastFact(const TrialId& trial) const;
    /// Null: there is none.
    [[nodiscard]] const TrialObject* objectOf(const TrialId& trial) const;
    /// The pod whose log has the trial's metrics and end; null: there is none yet.
    [[nodiscard]] const PodView* podOf(const TrialId& trial) const;
    /// The newest pods of its other parts, by the names of their logs (logNameOf()).
    [[nodiscard]] QMap<QString, const PodView*> partsOf(const TrialId& trial) const;
    /// All that it has now.
    [[nodiscard]] QList<PodView> podsOf(const TrialId& trial) const;
    /// Whether there is, or was, a log of this trial whose pod is not known to have begun: Jobs and pods are heard of on two connections,
    /// so a Job may be complete before its pod is seen to run.
    [[nodiscard]] bool expectsLog(const TrialId& trial) const;
    /// The trial was handed over, so a Job of it that was seen before is another one.
    void forget(const TrialId& trial);

    [[nodiscard]] const QHash<QString, PodView>& pods() const { return m_pods; } ///< by name

signals:
    /// facts() has something new.
    void changed();
    /// Its Job, its pod or what is said of them has changed.
    void trialChanged(const core::TrialId& trial);
    /// Neither is heard of the server.
    void lost(const core::Error& error);
    void found();

private:
    struct Watched
    {
        std::optional<WorkloadKind> kind; ///< nothing: Jobs
        std::unique_ptr<ObjectWatch> watch;
    };
    struct Orphan
    {
        JobFact last;       ///< what was known when its object went
        qint64 podsKnownAt; ///< from when on pods that nothing is known of are taken as never made; steady
    };
    void takeObjects(const Watched& watched, const ObjectChanges& changes);
    void takePods(const ObjectChanges& changes);
    void takeEvents(const ObjectChanges& changes);
    void takeWorkloads(const ObjectChanges& changes);
    void settleStuck(const TrialObject& object, const TrialId& trial, JobFact& fact);
    /// Those without which nothing is known.
    [[nodiscard]] QList<ObjectWatch*> needed();
    void settleOpen();
    [[nodiscard]] JobFact factFor(const TrialId& trial) const;
    /// Of the cluster's clock, which its times are of, milliseconds since the epoch.
    [[nodiscard]] qint64 clusterNow() const { return m_context.clock->nowMs() + m_podWatch.serverAheadMs(); }
    [[nodiscard]] QString nameOfDeciding(const TrialId& trial) const; ///< of podOf(); empty: there is none
    void settleOrphan(const TrialId& trial);
    void scheduleLateOrphans();
    void stale(const TrialId& trial);
    [[nodiscard]] Result<> settle();

    const Context m_context;
    const qint64 m_startPatienceMs;
    std::vector<Watched> m_objectWatches;
    ObjectWatch m_podWatch, m_eventWatch, m_workloadWatch;
    QHash<TrialId, TrialObject> m_objects;
    QHash<QString, PodView> m_pods; ///< by name; of this service's trials
    QHash<TrialId, QStringList> m_podNames;
    mutable QHash<TrialId, QString>
        m_deciding; ///< names that podOf() found, until the trial changes: it is asked for at each read of logs
    QHash<TrialId, QString> m_lastDeciding; ///< name of the pod that decided when the object went
    QHash<TrialId, PodView> m_lastPods;     ///< that have ended and are gone: they know how, the object often does not
    QHash<TrialId, QList<EventView>> m_events;
    QHash<QString, TrialId> m_trialOfUid;       ///< of objects that are there
    QHash<QString, KueueWorkload> m_workloads;  ///< by uid of the object
    QHash<QString, QString> m_jobsOfWorkloads;  ///< that uid, by the Workload's name
    QHash<TrialId, qint64> m_stuckSince;        ///< of clusterNow()
    std::optional<qint64> m_workloadsRefusedAt; ///< steady
    QHash<TrialId, JobFact> m_facts;
    QHash<TrialId, Orphan> m_orphans;                 ///< trials whose object is gone and whose pods may be there
    QHash<TrialId, JobFact> m_gone;                   ///< whose pods are gone, too
    std::unique_ptr<core::TimerHandle> m_lateOrphans; ///< runs at the first podsKnownAt that is ahead
    QSet<TrialId> m_stale;
    QSet<TrialId> m_changed;        ///< whose fact was made anew since it was asked for
    QHash<TrialId, qint64> m_dueAt; ///< when a fact may change by time alone, of clusterNow()
    std::optional<OneShot<Result<>>> m_opening;
};

} // namespace platforms::kubernetes
