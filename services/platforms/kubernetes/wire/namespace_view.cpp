// SPDX-License-Identifier: GPL-3.0-or-later
#include "namespace_view.h"

#include "slim_objects.h"

#include "services/core/printable.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype mostGone = 10'000; ///< ends of Jobs that are gone, kept until they are asked for
constexpr qsizetype mostEvents = 50;   ///< of one trial
constexpr qint64 silentMs = 60'000;    ///< after which a view is too old to be believed

ObjectQuery ownQuery(KubeResource resource, const QString& inNamespace, const QString& serviceId)
{
    ObjectQuery query{std::move(resource), inNamespace, {}, {}};
    query.labelSelector = labelSelector(pairsOf(serviceLabels(serviceId))).value_or(u"trialdeck-service=none"_s);
    return query;
}

ObjectQuery warningsQuery(const QString& inNamespace)
{
    return {eventsResource(), inNamespace, {}, u"type=Warning"_s};
}

} // namespace

NamespaceView::NamespaceView(KubeClient* client, transport::HttpEnvironment environment, const Context& context,
    QString inNamespace, QString gpuResource)
    : m_context(context)
    , m_gpuResource(std::move(gpuResource))
    , m_jobWatch(client, environment, ownQuery(jobsResource(), inNamespace, context.serviceId), slimJob)
    , m_podWatch(client, environment, ownQuery(podsResource(), inNamespace, context.serviceId), slimPod)
    , m_eventWatch(client, environment, warningsQuery(inNamespace), slimOther)
    , m_nodeWatch(client, environment, {nodesResource(), {}, {}, {}}, slimNode)
    , m_quotaWatch(client, environment, {{"", "v1", "resourcequotas"}, inNamespace, {}, {}}, slimOther)
{
    connect(&m_jobWatch, &ObjectWatch::changed, this, &NamespaceView::takeJobs);
    connect(&m_podWatch, &ObjectWatch::changed, this, &NamespaceView::takePods);
    connect(&m_eventWatch, &ObjectWatch::changed, this, &NamespaceView::takeEvents);
    connect(&m_nodeWatch, &ObjectWatch::changed, this, &NamespaceView::takeNodes);
    connect(&m_quotaWatch, &ObjectWatch::changed, this, [this](const ObjectChanges& changes) {
        for (const KubeObject& gone : changes.gone)
            m_quotas.remove(gone.key);
        for (const QString& key : changes.put)
            if (auto quota = readQuota(m_quotaWatch.objects().value(key).kept))
                m_quotas.insert(key, *quota);
    });
    for (ObjectWatch* watch : {&m_jobWatch, &m_podWatch}) {
        connect(watch, &ObjectWatch::synced, this, [this] {
            settleOpen();
            emit found();
        });
        connect(watch, &ObjectWatch::lost, this, [this](const Error& error) {
            if (auto opening = std::exchange(m_opening, {}))
                opening->set(fail(Result<>(tl::unexpected(error))));
            emit lost(error);
        });
    }
    // Both are of use, and neither is needed.
    connect(&m_nodeWatch, &ObjectWatch::lost, this, [this](const Error& error) { m_nodesError = error; });
    connect(&m_nodeWatch, &ObjectWatch::synced, this, [this] { m_nodesError.reset(); });
}

NamespaceView::~NamespaceView() = default;

Task<Result<>> NamespaceView::open()
{
    OneShot<Result<>> shot;
    m_opening = shot;
    for (ObjectWatch* watch : {&m_jobWatch, &m_podWatch, &m_eventWatch, &m_nodeWatch, &m_quotaWatch})
        watch->start();
    co_return co_await shot.wait();
}

void NamespaceView::settleOpen()
{
    using State = ObjectWatch::State;
    if (m_opening && m_jobWatch.state() == State::current && m_podWatch.state() == State::current)
        std::exchange(m_opening, {})->set({});
}

Task<> NamespaceView::close()
{
    if (auto opening = std::exchange(m_opening, {}))
        opening->set(fail(Kind::cancelled, u"The platform is closed."_m));
    for (ObjectWatch* watch : {&m_jobWatch, &m_podWatch, &m_eventWatch, &m_nodeWatch, &m_quotaWatch}) {
        auto closing = watch->close();
        co_await closing;
    }
}

// ------------------------------------------------------------------------------------------------------------- changes

void NamespaceView::stale(const TrialId& trial)
{
    if (trial.isEmpty())
        return;
    const bool isFirst = m_stale.isEmpty();
    m_stale.insert(trial);
    if (isFirst)
        emit changed();
}

void NamespaceView::takeJobs(const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone) {
        const std::optional<JobView> job = readJob(gone.kept);
        const TrialId trial = job ? trialOf(m_context.serviceId, job->labels) : TrialId();
        const auto known = m_jobs.constFind(trial);
        if (known == m_jobs.constEnd() || known->uid != gone.uid)
            continue;
        m_orphans.insert(trial, factFor(trial));
        m_jobs.erase(known);
        stale(trial);
    }
    for (const QString& key : changes.put) {
        const std::optional<JobView> job = readJob(m_jobWatch.objects().value(key).kept);
        const TrialId trial = job ? trialOf(m_context.serviceId, job->labels) : TrialId();
        if (trial.isEmpty() || job->name != jobName(m_context.serviceId, trial))
            continue; // something else carries our labels
        m_jobs.insert(trial, *job);
        m_orphans.remove(trial);
        m_gone.remove(trial);
        stale(trial);
    }
}

void NamespaceView::takePods(const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone) {
        const PodView pod = m_pods.take(gone.key);
        const TrialId trial = trialOf(m_context.serviceId, pod.labels);
        if (m_podNames.value(trial) == gone.key && !m_pods.contains(gone.key))
            m_podNames.remove(trial);
        stale(trial);
    }
    for (const QString& key : changes.put) {
        const std::optional<PodView> pod = readPod(m_podWatch.objects().value(key).kept);
        const TrialId trial = pod ? trialOf(m_context.serviceId, pod->labels) : TrialId();
        // Labels may be anybody's: the pod of a trial is its Job's.
        if (trial.isEmpty() || pod->jobName != jobName(m_context.serviceId, trial))
            continue;
        m_pods.insert(key, *pod);
        const auto other = m_pods.constFind(m_podNames.value(trial));
        if (other == m_pods.constEnd() || other->createdAt.value_or(0) <= pod->createdAt.value_or(0))
            m_podNames.insert(trial, key);
        stale(trial);
    }
}

void NamespaceView::takeEvents(const ObjectChanges& changes)
{
    for (const QString& key : changes.put) {
        const std::optional<EventView> event = readEvent(m_eventWatch.objects().value(key).kept);
        if (!event)
            continue;
        TrialId trial;
        if (event->objectKind == u"Pod"_s) {
            trial = trialOf(m_context.serviceId, m_pods.value(event->objectName).labels);
        } else if (event->objectKind == u"Job"_s) {
            const TrialId named = trialOfJob(m_context.serviceId, event->objectName);
            if (m_jobs.value(named).uid == event->objectUid)
                trial = named;
        }
        if (trial.isEmpty())
            continue;
        QList<EventView>& events = m_events[trial];
        const bool isNew = std::none_of(events.begin(), events.end(),
            [&event](const EventView& one) { return one.reason == event->reason && one.message == event->message; });
        if (events.size() >= mostEvents)
            events.removeFirst();
        events.append(*event);
        if (isNew && event->isWarning)
            m_context.sink->note(trial, TrialEventKind::finding,
                u"The cluster warns: %1 (%2)."_m.arg(core::printable(event->message, 400), event->reason));
        stale(trial);
    }
}

void NamespaceView::takeNodes(const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone)
        m_nodes.remove(gone.key);
    for (const QString& key : changes.put)
        if (auto node = readNode(m_nodeWatch.objects().value(key).kept))
            m_nodes.insert(key, *node);
}

// --------------------------------------------------------------------------------------------------------------- facts

/// Its Job is gone. What it says does not change any more, but it has not ended while its pod is being ended.
void NamespaceView::settleOrphan(const TrialId& trial)
{
    const auto orphan = m_orphans.constFind(trial);
    if (orphan == m_orphans.constEnd())
        return;
    JobFact last = *orphan;
    const PodView* pod = podOf(trial);
    const ContainerView* container = pod ? trialContainer(*pod) : nullptr;
    if (last.phase != JobFact::Phase::ended && pod && pod->isActive() && !pod->node.isEmpty()
        && !(container && container->state == ContainerView::State::terminated)) {
        m_facts.insert(trial, last);
        return;
    }
    if (last.phase != JobFact::Phase::ended) {
        last.phase = JobFact::Phase::ended;
        last.end = TrialStatus::sys_canceled;
        last.reason = u"its Job was deleted in the cluster"_m;
        last.isDecisive = true;
    }
    if (m_gone.size() >= mostGone)
        m_gone.clear();
    m_gone.insert(trial, last);
    m_orphans.erase(orphan);
    m_facts.remove(trial);
    m_events.remove(trial);
}

JobFact NamespaceView::factFor(const TrialId& trial) const
{
    return factOf(
        trial, m_jobs.value(trial), podOf(trial), m_events.value(trial), m_context.id, m_context.clock->nowMs());
}

Result<QList<JobFact>> NamespaceView::facts()
{
    for (ObjectWatch* watch : {&m_jobWatch, &m_podWatch}) {
        const bool isOld = m_context.clock->nowMs() - watch->lastContactMs() > silentMs;
        if (watch->state() == ObjectWatch::State::starting || (watch->state() == ObjectWatch::State::lost && isOld))
            return fail(Kind::network, u"Nothing is heard of the cluster."_m);
        if (watch->state() == ObjectWatch::State::refused) {
            watch->start(); // credentials and rights may have been put right; whoever asks does so less and less often
            return fail(Kind::auth, u"The cluster does not let this account see its jobs and pods any more."_m);
        }
    }
    // Some change with time alone: a node that is silent, a word that does not come.
    const qint64 now = m_context.clock->nowMs();
    for (auto it = m_dueAt.cbegin(); it != m_dueAt.cend(); ++it)
        if (*it <= now)
            m_stale.insert(it.key());
    for (const TrialId& trial : std::exchange(m_stale, {})) {
        m_dueAt.remove(trial);
        const auto job = m_jobs.constFind(trial);
        if (job == m_jobs.constEnd()) {
            settleOrphan(trial);
            continue;
        }
        m_facts.insert(trial, factFor(trial));
        if (const auto at = factChangesAt(*job, podOf(trial), now))
            m_dueAt.insert(trial, *at);
    }
    return m_facts.values();
}

std::optional<JobFact> NamespaceView::lastFact(const TrialId& trial) const
{
    const auto found = m_gone.constFind(trial);
    return found == m_gone.constEnd() ? std::nullopt : std::optional(*found);
}

const PodView* NamespaceView::podOf(const TrialId& trial) const
{
    const auto name = m_podNames.constFind(trial);
    const auto pod = name == m_podNames.constEnd() ? m_pods.constEnd() : m_pods.constFind(*name);
    const auto job = m_jobs.constFind(trial);
    const bool isOther = pod != m_pods.constEnd() && job != m_jobs.constEnd() && !isPodOf(*pod, *job);
    return pod == m_pods.constEnd() || isOther ? nullptr : &*pod;
}

bool NamespaceView::expectsLog(const TrialId& trial) const
{
    const auto job = m_jobs.constFind(trial);
    if (job == m_jobs.constEnd())
        return false;
    const bool hasRun = job->isComplete || (job->isFailed && job->ended > 0);
    const PodView* pod = podOf(trial);
    return hasRun && (!pod || pod->isActive());
}

void NamespaceView::forget(const TrialId& trial)
{
    m_gone.remove(trial);
}

QList<Machine> NamespaceView::machines() const
{
    QHash<QString, QList<PodView>> podsOf;
    for (const PodView& pod : m_pods)
        if (pod.isActive() && !pod.node.isEmpty())
            podsOf[pod.node].append(pod);
    QList<Machine> machines;
    for (const NodeView& node : m_nodes)
        machines.append(kubernetes::machineOf(
            node, podsOf.value(node.name), m_gpuResource, m_context.id, m_context.clock->nowMs()));
    return machines;
}

QList<PlatformQueue> NamespaceView::queues() const
{
    return queuesOf(m_quotas.values(), m_gpuResource);
}

} // namespace platforms::kubernetes
