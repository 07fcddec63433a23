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
constexpr qint64 askAgainMs = 300'000; ///< whether the cluster has Kueue by now
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
    const QString& inNamespace, qint64 startPatienceMs, const QList<WorkloadKind>& kinds)
    : m_context(context)
    , m_startPatienceMs(startPatienceMs)
    , m_podWatch(client, environment, ownQuery(podsResource(), inNamespace, context.serviceId), slimPod)
    , m_eventWatch(client, environment, warningsQuery(inNamespace), slimOther)
    , m_workloadWatch(
          client, environment, {{"kueue.x-k8s.io", "v1beta1", "workloads"}, inNamespace, {}, {}}, slimWorkload)
{
    const auto add = [&](std::optional<WorkloadKind> kind) {
        m_objectWatches.push_back({kind,
            std::make_unique<ObjectWatch>(client, environment,
                ownQuery(trialResource(kind), inNamespace, context.serviceId),
                [kind](const Json& object) { return slimTrialObject(kind, object); })});
    };
    if (kinds.isEmpty())
        add({});
    for (const WorkloadKind kind : kinds)
        add(kind);
    for (const Watched& watched : m_objectWatches)
        connect(watched.watch.get(), &ObjectWatch::changed, this,
            [this, &watched](const ObjectChanges& changes) { takeObjects(watched, changes); });
    connect(&m_podWatch, &ObjectWatch::changed, this, &NamespaceView::takePods);
    connect(&m_eventWatch, &ObjectWatch::changed, this, &NamespaceView::takeEvents);
    connect(&m_workloadWatch, &ObjectWatch::changed, this, &NamespaceView::takeWorkloads);
    for (ObjectWatch* watch : needed()) {
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
    connect(&m_workloadWatch, &ObjectWatch::lost, this, [this] {
        if (m_workloadWatch.state() == ObjectWatch::State::refused) // no Kueue here, or no right to see it
            m_workloadsRefusedAt = m_context.clock->steadyMs();
    });
}

NamespaceView::~NamespaceView() = default;

Task<Result<>> NamespaceView::open()
{
    OneShot<Result<>> shot;
    m_opening = shot;
    for (ObjectWatch* watch : needed() + QList<ObjectWatch*>{&m_eventWatch})
        watch->start();
    co_return co_await shot.wait();
}

void NamespaceView::settleOpen()
{
    using State = ObjectWatch::State;
    const QList<ObjectWatch*> all = needed();
    if (m_opening
        && std::all_of(all.begin(), all.end(), [](const ObjectWatch* one) { return one->state() == State::current; }))
        std::exchange(m_opening, {})->set({});
}

QList<ObjectWatch*> NamespaceView::needed()
{
    QList<ObjectWatch*> all;
    for (const Watched& watched : m_objectWatches)
        all.append(watched.watch.get());
    all.append(&m_podWatch);
    return all;
}

Task<> NamespaceView::close()
{
    if (auto opening = std::exchange(m_opening, {}))
        opening->set(fail(Kind::cancelled, u"The platform is closed."_m));
    for (ObjectWatch* watch : needed() + QList<ObjectWatch*>{&m_eventWatch, &m_workloadWatch}) {
        auto closing = watch->close();
        co_await closing;
    }
}

// ------------------------------------------------------------------------------------------------------------- changes

void NamespaceView::stale(const TrialId& trial)
{
    if (trial.isEmpty())
        return;
    m_deciding.remove(trial);
    const bool isFirst = m_stale.isEmpty();
    m_stale.insert(trial);
    if (isFirst)
        emit changed();
    emit trialChanged(trial);
}

void NamespaceView::takeObjects(const Watched& watched, const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone) {
        const TrialId trial = m_trialOfUid.value(gone.uid);
        const auto known = m_objects.constFind(trial);
        if (known == m_objects.constEnd() || known->job.uid != gone.uid)
            continue;
        m_orphans.insert(trial, {factFor(trial), m_context.clock->steadyMs() + latePodMs});
        scheduleLateOrphans();
        if (const PodView* pod = podOf(trial))
            m_lastDeciding.insert(trial, pod->name);
        m_trialOfUid.remove(gone.uid);
        m_objects.erase(known);
        stale(trial);
    }
    for (const QString& key : changes.put) {
        const auto object = readTrialObject(watched.kind, watched.watch->objects().value(key).kept);
        const TrialId trial = object ? trialOf(m_context.serviceId, object->job.labels) : TrialId();
        if (trial.isEmpty() || trialOfObject(watched.kind, m_context.serviceId, object->job.name) != trial)
            continue; // something else carries our labels
        m_objects.insert(trial, *object);
        m_trialOfUid.insert(object->job.uid, trial);
        m_orphans.remove(trial);
        m_gone.remove(trial);
        stale(trial);
        const bool isAnsweredNo =
            m_workloadsRefusedAt && m_context.clock->steadyMs() - *m_workloadsRefusedAt < askAgainMs;
        if (object->job.isSuspended && object->job.labels.contains(QLatin1StringView(kueueQueueLabel)) && !isAnsweredNo)
            m_workloadWatch.start();
    }
}

void NamespaceView::takePods(const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone) {
        if (m_pods.value(gone.key).uid != gone.uid)
            continue; // there is another one of its name by now
        const std::optional<PodView> deleted = readTrialPod(gone.kept);
        const PodView last = deleted ? *deleted : m_pods.value(gone.key);
        const ContainerView* container = trialContainer(last);
        if (!last.isActive() || (container && container->state == ContainerView::State::terminated))
            m_lastPods.insert(trialOf(m_context.serviceId, last.labels), last);
        const TrialId trial = trialOf(m_context.serviceId, m_pods.take(gone.key).labels);
        m_podNames[trial].removeAll(gone.key);
        if (m_podNames.value(trial).isEmpty())
            m_podNames.remove(trial);
        stale(trial);
    }
    for (const QString& key : changes.put) {
        const std::optional<PodView> pod = readTrialPod(m_podWatch.objects().value(key).kept);
        const TrialId trial = pod ? trialOf(m_context.serviceId, pod->labels) : TrialId();
        // Labels may be anybody's: the pod of a trial is its object's.
        if (trial.isEmpty() || trialOfObject(labelledKind(pod->labels), m_context.serviceId, pod->jobName) != trial)
            continue;
        m_pods.insert(key, *pod);
        if (!m_podNames.value(trial).contains(key))
            m_podNames[trial].append(key);
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
        } else {
            trial = m_trialOfUid.value(event->objectUid);
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

void NamespaceView::takeWorkloads(const ObjectChanges& changes)
{
    for (const KubeObject& gone : changes.gone)
        m_workloads.remove(m_jobsOfWorkloads.take(gone.key));
    for (const QString& key : changes.put) {
        const auto workload = readWorkload(m_workloadWatch.objects().value(key).kept);
        if (!workload)
            continue;
        m_workloads.insert(workload->jobUid, *workload);
        m_jobsOfWorkloads.insert(key, workload->jobUid);
        stale(m_trialOfUid.value(workload->jobUid));
    }
}

// --------------------------------------------------------------------------------------------------------------- facts

/// Makes the facts of orphans anew at their podsKnownAt: no event comes then.
void NamespaceView::scheduleLateOrphans()
{
    if (m_lateOrphans || m_orphans.isEmpty())
        return;
    m_lateOrphans = m_context.clock->after(latePodMs, [this] {
        m_lateOrphans.reset();
        bool isOneAhead = false;
        QList<TrialId> due;
        for (auto it = m_orphans.cbegin(); it != m_orphans.cend(); ++it) {
            if (it->podsKnownAt <= m_context.clock->steadyMs())
                due.append(it.key());
            else
                isOneAhead = true;
        }
        if (isOneAhead)
            scheduleLateOrphans();
        for (const TrialId& trial : due)
            stale(trial);
    });
}

/// Its Job is gone. What it says does not change any more, but it has not ended while a pod of it may run or be seen yet.
void NamespaceView::settleOrphan(const TrialId& trial)
{
    const auto orphan = m_orphans.constFind(trial);
    if (orphan == m_orphans.constEnd())
        return;
    JobFact last = orphan->last;
    const PodView* pod = podOf(trial);
    const ContainerView* container = pod ? trialContainer(*pod) : nullptr;
    const bool mayRun = pod && pod->isActive() && !pod->node.isEmpty()
        && !(container && container->state == ContainerView::State::terminated);
    const bool mayComeLate = !pod && !m_lastPods.contains(trial) && m_context.clock->steadyMs() < orphan->podsKnownAt;
    if (last.phase != JobFact::Phase::ended && (mayRun || mayComeLate)) {
        m_facts.insert(trial, last);
        return;
    }
    if (last.phase != JobFact::Phase::ended) {
        last.phase = JobFact::Phase::ended;
        last.end = TrialStatus::sys_canceled;
        last.reason =
            m_objectWatches.front().kind ? u"it was deleted in the cluster"_m : u"its Job was deleted in the cluster"_m;
        // One that ended by itself may have told how in its log.
        last.isDecisive = !pod || pod->isDeleting || !container || container->state != ContainerView::State::terminated;
    }
    if (m_gone.size() >= mostGone)
        m_gone.clear();
    m_gone.insert(trial, last);
    m_orphans.erase(orphan);
    m_facts.remove(trial);
    m_events.remove(trial);
    m_stuckSince.remove(trial);
    m_lastPods.remove(trial);
}

JobFact NamespaceView::factFor(const TrialId& trial) const
{
    const TrialObject object = m_objects.value(trial);
    const auto queued = m_workloads.constFind(object.job.uid);
    return factOf(trial, object, podsOf(trial), m_events.value(trial), m_context.id, clusterNow(),
        queued == m_workloads.constEnd() ? nullptr : &*queued);
}

Result<QList<JobFact>> NamespaceView::facts()
{
    const Result<> settled = settle();
    if (!settled)
        return fail(settled);
    m_changed.clear();
    return m_facts.values();
}

Result<QList<JobFact>> NamespaceView::changedFacts()
{
    const Result<> settled = settle();
    if (!settled)
        return fail(settled);
    QList<JobFact> facts;
    for (const TrialId& trial : std::exchange(m_changed, {})) {
        if (const auto fact = m_facts.constFind(trial); fact != m_facts.constEnd())
            facts.append(*fact);
        else if (const auto last = lastFact(trial))
            facts.append(*last);
    }
    return facts;
}

/// Makes facts anew that are old.
Result<> NamespaceView::settle()
{
    for (ObjectWatch* watch : needed()) {
        const bool isOld = m_context.clock->nowMs() - watch->lastContactMs() > silentMs;
        if (watch->state() == ObjectWatch::State::starting || (watch->state() == ObjectWatch::State::lost && isOld))
            return fail(Kind::network, u"Nothing is heard of the cluster."_m);
        if (watch->state() == ObjectWatch::State::refused) {
            watch->start(); // credentials and rights may have been put right; whoever asks does so less and less often
            return fail(Kind::auth, u"The cluster does not let this account see its jobs and pods any more."_m);
        }
    }
    // Some change with time alone: a node that is silent, a word that does not come.
    const qint64 now = clusterNow();
    for (auto it = m_dueAt.cbegin(); it != m_dueAt.cend(); ++it)
        if (*it <= now)
            m_stale.insert(it.key());
    for (const TrialId& trial : std::exchange(m_stale, {})) {
        m_dueAt.remove(trial);
        m_changed.insert(trial);
        const auto object = m_objects.constFind(trial);
        if (object == m_objects.constEnd()) {
            settleOrphan(trial);
            continue;
        }
        JobFact fact = factFor(trial);
        if (const auto at = factChangesAt(*object, podsOf(trial), now))
            m_dueAt.insert(trial, *at);
        settleStuck(*object, trial, fact);
        m_facts.insert(trial, fact);
    }
    return {};
}

/// Such a pod keeps GPUs from others, and nothing in the cluster ends it.
void NamespaceView::settleStuck(const TrialObject& object, const TrialId& trial, JobFact& fact)
{
    const QList<PodView> pods = podsOf(trial);
    const QList<EventView> events = m_events.value(trial);
    const bool waits = m_startPatienceMs > 0 && fact.phase == JobFact::Phase::waiting && !object.job.isSuspended;
    if (!waits || std::none_of(pods.begin(), pods.end(), [&](const PodView& pod) { return isStuck(pod, events); })) {
        m_stuckSince.remove(trial);
        return;
    }
    const qint64 now = clusterNow();
    if (!m_stuckSince.contains(trial))
        m_stuckSince.insert(trial, now);
    const qint64 until = m_stuckSince.value(trial) + m_startPatienceMs;
    if (now < until) {
        m_dueAt.insert(trial, std::min(until, m_dueAt.value(trial, until)));
        return;
    }
    fact.phase = JobFact::Phase::ended;
    fact.end = TrialStatus::failed;
    fact.failureClass = FailureClass::startFailed;
    fact.isDecisive = true;
    fact.reason = u"it could not begin for %1 minutes: %2"_m.arg(m_startPatienceMs / 60'000).arg(fact.reason);
}

std::optional<JobFact> NamespaceView::lastFact(const TrialId& trial) const
{
    const auto found = m_gone.constFind(trial);
    return found == m_gone.constEnd() ? std::nullopt : std::optional(*found);
}

const TrialObject* NamespaceView::objectOf(const TrialId& trial) const
{
    const auto object = m_objects.constFind(trial);
    return object == m_objects.constEnd() ? nullptr : &*object;
}

QList<PodView> NamespaceView::podsOf(const TrialId& trial) const
{
    const TrialObject* object = objectOf(trial);
    QList<PodView> pods;
    for (const QString& name : m_podNames.value(trial))
        if (const auto pod = m_pods.constFind(name); !object || isPodOf(*pod, *object))
            pods.append(*pod);
    if (const auto last = m_lastPods.constFind(trial);
        pods.isEmpty() && last != m_lastPods.constEnd() && (!object || isPodOf(*last, *object)))
        pods.append(*last);
    return pods;
}

const PodView* NamespaceView::podOf(const TrialId& trial) const
{
    if (!m_podNames.contains(trial))
        return nullptr;
    auto name = m_deciding.constFind(trial);
    if (name == m_deciding.constEnd())
        name = m_deciding.insert(trial, nameOfDeciding(trial));
    const auto found = m_pods.constFind(*name);
    return found == m_pods.constEnd() ? nullptr : &*found;
}

QString NamespaceView::nameOfDeciding(const TrialId& trial) const
{
    if (const TrialObject* object = objectOf(trial)) {
        const QList<PodView> pods = podsOf(trial);
        const PodView* deciding = decidingPod(pods, *object);
        return deciding ? deciding->name : QString();
    }
    const QStringList names = m_podNames.value(trial); // what is left of it
    const QString last = m_lastDeciding.value(trial, names.isEmpty() ? QString() : names.last());
    return names.contains(last) ? last : QString();
}

QMap<QString, const PodView*> NamespaceView::partsOf(const TrialId& trial) const
{
    QMap<QString, const PodView*> parts;
    const TrialObject* object = objectOf(trial);
    if (object && (!object->workload || object->workload->podCount() < 2))
        return parts;
    const PodView* deciding = podOf(trial);
    const std::optional<PodPlace> ofDecider = object ? std::optional(object->workload->deciding)
        : deciding                                   ? placeOf(deciding->labels)
                                                     : std::nullopt;
    for (const QString& name : m_podNames.value(trial)) {
        const PodView* pod = &*m_pods.constFind(name);
        const std::optional<PodPlace> place = placeOf(pod->labels);
        if (!place || place == ofDecider || (object && !isPodOf(*pod, *object)))
            continue;
        const PodView*& known = parts[logNameOf(*place)];
        if (!known || known->createdAt.value_or(0) <= pod->createdAt.value_or(0))
            known = pod;
    }
    return parts;
}

bool NamespaceView::expectsLog(const TrialId& trial) const
{
    const TrialObject* object = objectOf(trial);
    if (!object)
        return false;
    const bool hasRun = object->job.isComplete || (object->job.isFailed && object->job.ended > 0);
    const PodView* pod = podOf(trial);
    return hasRun && (!pod || pod->isActive());
}

void NamespaceView::forget(const TrialId& trial)
{
    m_gone.remove(trial);
    m_stuckSince.remove(trial);
    m_lastPods.remove(trial);
    m_lastDeciding.remove(trial);
    m_deciding.remove(trial);
}

} // namespace platforms::kubernetes
