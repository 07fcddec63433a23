// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_facts.h"

#include "operator_support.h"
#include "workload_ends.h"

#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/jobs/job_names.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

using Phase = JobFact::Phase;
using State = ContainerView::State;

/// The object and its pods, those that it remembers included.
struct Parts
{
    using Key = std::pair<QString, int>; ///< role and index

    const WorkloadView& view;
    QMap<Key, const PodView*> all; ///< the newest in each place
    const PodView* decider = nullptr;

    Parts(const WorkloadView& itsView, const QList<PodView>& pods)
        : view(itsView)
    {
        for (const PodView& pod : pods)
            if (isPodOfWorkload(pod, view))
                add(pod);
        // Before its end is decided, how a pod ended is not how the trial does.
        if (view.job.isComplete || view.job.isFailed)
            for (const PodView& pod : view.remembered)
                addRemembered(pod);
        decider = at(view.deciding);
    }

    [[nodiscard]] const PodView* at(const PodPlace& place) const { return all.value({place.role, place.index}); }

    [[nodiscard]] bool hasOthersAlive() const
    {
        return std::any_of(
            all.begin(), all.end(), [this](const PodView* one) { return one != decider && !hasPodEnded(*one); });
    }

    /// Whose end was the trial's: the one that the operator names, else the first that failed; null where none is known.
    [[nodiscard]] const PodView* culprit() const
    {
        if (const PodView* named = view.cause ? at(*view.cause) : nullptr; named && hasPodFailed(*named))
            return named;
        const PodView* first = nullptr;
        for (const PodView* one : all)
            if (hasPodFailed(*one) && (!first || podEndTime(*one) < podEndTime(*first)))
                first = one;
        return first;
    }

private:
    void add(const PodView& pod)
    {
        const std::optional<PodPlace> place = placeOf(pod.labels);
        if (!place)
            return;
        const PodView*& known = all[{place->role, place->index}];
        if (!known || known->createdAt.value_or(0) < pod.createdAt.value_or(0))
            known = &pod;
    }

    /// A listed one that has ended says more; one that has not is about to be gone.
    void addRemembered(const PodView& pod)
    {
        const std::optional<PodPlace> place = placeOf(pod.labels);
        if (!place)
            return;
        const PodView*& known = all[{place->role, place->index}];
        if (!known || !hasPodEnded(*known))
            known = &pod;
    }
};

/// What operators and the controllers between them and the pods report, as a Job's controller would of its own.
QList<EventView> asJobEvents(const WorkloadView& view, QList<EventView> events)
{
    const QString innerJob = u"%1-%2-0"_s.arg(view.job.name, view.deciding.role);
    for (EventView& event : events) {
        if (event.objectKind == "Job"_L1 && view.kind == WorkloadKind::trainJob && event.objectName == innerJob)
            event.objectUid = view.job.uid;
        if (event.objectUid != view.job.uid)
            continue;
        if (event.reason == "MPIJobFailed"_L1) {
            // "launcher pod created failed: pods \"…\" is forbidden: …", again and again: the job has not failed by it.
            constexpr QLatin1StringView before = "pod created failed: "_L1;
            if (const qsizetype at = event.message.indexOf(before); at >= 0) {
                event.reason = u"FailedCreate"_s;
                event.message = u"Error creating: "_s + event.message.mid(at + before.size());
            }
        }
        if (event.reason == "FailedCreatePod"_L1 || event.reason == "TrainJobResourcesCreationFailed"_L1)
            event.reason = u"FailedCreate"_s;
        else if (event.reason == "SuccessfulCreatePod"_L1)
            event.reason = u"SuccessfulCreate"_s;
    }
    return events;
}

/// Its operator has written nothing of it anywhere.
bool isUnseen(const WorkloadView& view, const Parts& parts, const QList<EventView>& events, qint64 now)
{
    const bool isLate = view.job.createdAt && now - *view.job.createdAt >= unseenMs;
    return isLate && !view.isSeen && parts.all.isEmpty()
        && std::none_of(
            events.begin(), events.end(), [&view](const EventView& event) { return event.objectUid == view.job.uid; });
}

/// An init container of it waits for the others.
bool waitsForOthers(const PodView& pod)
{
    return std::any_of(pod.initContainers.begin(), pod.initContainers.end(),
        [](const ContainerView& one) { return one.state == State::running && !one.isSidecar; });
}

void setWaitReason(
    JobFact& fact, const WorkloadView& view, const Parts& parts, const QList<EventView>& events, qint64 now)
{
    if (view.job.isSuspended)
        return;
    if (view.isWaitingAgain && !parts.decider) {
        fact.reason = u"An attempt of it is over, and the cluster starts another one."_m;
        return;
    }
    if (isUnseen(view, parts, events, now)) {
        fact.reason = u"%1 has not looked at it yet. Ask the cluster's administrators whether it runs."_m.arg(
            operatorName(view.kind));
        return;
    }
    if (!parts.decider || !waitsForOthers(*parts.decider))
        return;
    for (const PodView* one : parts.all) {
        if (one == parts.decider || !one->isActive())
            continue;
        const WaitingReason reason = waitingReason(view.job, one, events);
        if (one->isUnschedulable || reason.needsAPerson) {
            fact.reason = u"It waits for its part %1. %2"_m.arg(
                logNameOf(placeOf(one->labels).value_or(PodPlace())), reason.message);
            return;
        }
    }
}

/// Whether a TrainJob's word of failure may still be taken back, and until when.
std::optional<qint64> failureStandsAt(const Parts& parts, qint64 now)
{
    const WorkloadView& view = parts.view;
    if (view.kind != WorkloadKind::trainJob || !view.job.isFailed || view.job.isDeleting || !view.job.endTime
        || parts.culprit())
        return {};
    const qint64 end = *view.job.endTime;
    if (end > now + failedStandsMs || now - end >= failedStandsMs)
        return {};
    return end + failedStandsMs;
}

JobFact withoutWord(const JobFact& fact)
{
    JobFact kept;
    kept.trial = fact.trial;
    kept.handle = fact.handle;
    kept.machine = fact.machine;
    return kept;
}

void setWorkloadEnd(JobFact& fact, const PodEnd& end, const WorkloadView& view)
{
    fact.phase = Phase::ended;
    fact.end = end.status;
    fact.failureClass = end.failureClass;
    fact.reason = end.reason;
    fact.exitCode = end.exitCode;
    fact.signal = end.signal;
    fact.isDecisive = end.isDecisive;
    if (!fact.endTime)
        fact.endTime = view.job.endTime;
}

/// The operator has spoken: whose end it was.
void setDecided(JobFact& fact, const Parts& parts)
{
    const WorkloadView& view = parts.view;
    if (view.job.isDeleting || view.job.failedReason == "DeadlineExceeded"_L1)
        return;
    if (view.job.isComplete) {
        const ContainerView* trial = parts.decider ? trialContainer(*parts.decider) : nullptr;
        const bool hasSucceeded = trial && trial->state == State::terminated && trial->exitCode == 0;
        if (view.podCount() > 1 && !hasSucceeded && fact.phase == Phase::ended)
            setWorkloadEnd(fact, otherSuccess(), view);
        return;
    }
    if (!view.job.isFailed)
        return;
    const PodView* culprit = parts.culprit();
    if (culprit && culprit != parts.decider)
        setWorkloadEnd(fact, partEnd(view, *culprit), view);
    if (culprit || (parts.decider && !hasPodEnded(*parts.decider)))
        return;
    PodEnd end = workloadEnd(view);
    end.isDecisive = end.isDecisive || parts.decider; // which succeeded, and was not enough
    setWorkloadEnd(fact, end, view);
}

/// The decider has ended, and the operator has not said what that means.
void setUndecided(JobFact& fact, const Parts& parts)
{
    if (fact.phase != Phase::ended || parts.view.job.isDeleting || !parts.decider || !hasPodEnded(*parts.decider))
        return;
    if (parts.hasOthersAlive()) {
        const std::optional<qint64> start = fact.startTime;
        fact = withoutWord(fact);
        fact.phase = Phase::running;
        fact.startTime = start;
        return;
    }
    const PodView* culprit = parts.culprit();
    if (fact.end == TrialStatus::succeeded && culprit && culprit != parts.decider)
        setWorkloadEnd(fact, partEnd(parts.view, *culprit), parts.view);
}

} // namespace

std::optional<PodView> readWorkloadPod(WorkloadKind kind, const Json& object)
{
    std::optional<PodView> pod = readPod(object);
    if (!pod)
        return {};
    pod->ownerUid.clear();
    pod->jobName = workloadOf(pod->labels);
    for (const Json* owner : objectsIn(memberAt(object, {"metadata"}), "ownerReferences"))
        if (textAt(*owner, {"kind"}) == kindWord(kind)) { // others have objects between them and their pods
            pod->ownerUid = textAt(*owner, {"uid"});
            pod->jobName = textAt(*owner, {"name"});
        }
    const auto name = QString::fromLatin1(traitsOf(kind).container);
    for (ContainerView& container : pod->containers)
        if (container.name == name)
            container.name = QString::fromLatin1(trialContainerName);
    return pod;
}

bool isPodOfWorkload(const PodView& pod, const WorkloadView& view)
{
    if (!isPodOf(pod, view.job))
        return false;
    return !pod.ownerUid.isEmpty() || !pod.createdAt || !view.job.createdAt || *pod.createdAt >= *view.job.createdAt;
}

const PodView* decidingPod(const QList<PodView>& pods, const WorkloadView& view)
{
    const PodView* newest = nullptr;
    for (const PodView& pod : pods)
        if (isPodOfWorkload(pod, view) && placeOf(pod.labels) == view.deciding
            && (!newest || newest->createdAt.value_or(0) <= pod.createdAt.value_or(0)))
            newest = &pod;
    return newest;
}

JobFact workloadFact(const TrialId& trial, const WorkloadView& view, const QList<PodView>& pods,
    const QList<EventView>& events, const PlatformId& platform, qint64 now, const KueueWorkload* queued)
{
    const Parts parts(view, pods);
    const QList<EventView> jobEvents = asJobEvents(view, events);
    JobFact fact = factOf(trial, view.job, parts.decider, jobEvents, platform, now, queued);
    if (!view.job.isSuspended)
        fact.logEnd = !view.endsWithDecider ? LogEnd::ofPart
            : view.podCount() > 1           ? LogEnd::ofSuccess
                                            : LogEnd::ofTrial;
    if (failureStandsAt(parts, now))
        return withoutWord(fact);
    if (view.job.isComplete || view.job.isFailed)
        setDecided(fact, parts);
    else
        setUndecided(fact, parts);
    const bool isOver = fact.phase == Phase::ended || view.job.isSuspended || view.job.isDeleting;
    if (view.isRunning && !parts.decider && !isOver) { // its pod has not been heard of yet
        fact.phase = Phase::running;
        fact.reason.clear();
    }
    if (fact.phase == Phase::waiting)
        setWaitReason(fact, view, parts, jobEvents, now);
    return fact;
}

std::optional<qint64> workloadFactChangesAt(const WorkloadView& view, const QList<PodView>& pods, qint64 now)
{
    const Parts parts(view, pods);
    if (const std::optional<qint64> stands = failureStandsAt(parts, now))
        return stands;
    if (workloadFact({}, view, pods, {}, {}, now).phase == Phase::ended)
        return {};
    std::optional<qint64> next = factChangesAt(view.job, parts.decider, now);
    if (!view.isSeen && parts.all.isEmpty() && view.job.createdAt && *view.job.createdAt + unseenMs > now) {
        const qint64 unseen = *view.job.createdAt + unseenMs;
        next = next ? std::min(*next, unseen) : unseen;
    }
    return next;
}

} // namespace platforms::kubernetes
