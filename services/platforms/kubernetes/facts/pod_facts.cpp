// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_facts.h"

#include "pod_ends.h"
#include "pod_reasons.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

using Phase = JobFact::Phase;

/// Job, pod and the trial's container, as far as there is one.
struct Course
{
    const JobView& job;
    const PodView* pod = nullptr;
    const ContainerView* trial = nullptr;

    Course(const JobView& itsJob, const PodView* itsPod)
        : job(itsJob)
        , pod(itsPod && isPodOf(*itsPod, itsJob) ? itsPod : nullptr)
        , trial(pod ? trialContainer(*pod) : nullptr)
    {
    }

    [[nodiscard]] bool hasTrialEnded() const { return trial && trial->state == ContainerView::State::terminated; }
    [[nodiscard]] bool hasPodEnded() const { return hasTrialEnded() || (pod && !pod->isActive()); }
    [[nodiscard]] bool hasJobEnded() const { return job.isComplete || job.isFailed || job.isDeleting; }

    /// When the container ended; of a pod without such a time nothing is waited for.
    [[nodiscard]] std::optional<qint64> endTime() const { return hasTrialEnded() ? trial->finishedAt : std::nullopt; }

    /// Since when its node has been silent, or it should have been gone. Nothing: it is not lost; 0: not known since when.
    [[nodiscard]] std::optional<qint64> lostSince(qint64 now) const
    {
        if (!pod || hasPodEnded())
            return {};
        if (!pod->node.isEmpty() && pod->deletionTime && now > *pod->deletionTime)
            return pod->deletionTime;
        if (pod->phase == "Unknown"_L1 || pod->reason == "NodeLost"_L1)
            return pod->notReadySince.value_or(0);
        return {};
    }
};

void setEnd(JobFact& fact, const PodEnd& end)
{
    fact.phase = Phase::ended;
    fact.end = end.status;
    fact.failureClass = end.failureClass;
    fact.reason = end.reason;
    fact.exitCode = end.exitCode;
    fact.signal = end.signal;
    fact.isDecisive = end.isDecisive;
}

/// One of Job and pod has ended: how long the other one's word is waited for. A clock that is far off makes no one wait.
std::optional<qint64> wordDueAt(const Course& course, qint64 now)
{
    std::optional<qint64> end;
    if (!course.hasJobEnded())
        end = course.endTime();
    else if (course.job.isFailed && course.job.failedReason != "DeadlineExceeded"_L1 && course.pod
        && !course.hasPodEnded())
        end = course.job.endTime; // the pod knows the cause
    if (!end || *end > now + wordMs || now - *end >= wordMs)
        return {};
    return *end + wordMs;
}

void setWaiting(JobFact& fact, const Course& course, const QList<EventView>& events, const KueueWorkload* workload)
{
    fact.phase = Phase::waiting;
    fact.reason = waitingReason(course.job, course.pod, events, workload).message;
}

/// Whether the trial runs in its pod, which has not ended.
bool setRunning(JobFact& fact, const Course& course)
{
    const PodView& pod = *course.pod;
    const bool runs = course.trial && course.trial->state == ContainerView::State::running;
    // Where no kubelet fills in containers, the phase alone says it.
    const bool isSilent = !course.trial || course.trial->state == ContainerView::State::none;
    if (!runs && !(isSilent && pod.phase == "Running"_L1))
        return false;
    fact.phase = Phase::running;
    fact.startTime = runs && course.trial->startedAt ? course.trial->startedAt : pod.startedAt;
    return true;
}

/// Of a Job that has not ended, with a pod that has not either.
void setAlive(JobFact& fact, const Course& course, const QList<EventView>& events)
{
    if (!setRunning(fact, course) && !course.pod->isDeleting)
        setWaiting(fact, course, events, nullptr);
}

/// Of a suspended Job, whose pod is being deleted, if there still is one.
void setHeld(
    JobFact& fact, const Course& course, const QList<EventView>& events, const KueueWorkload* workload, qint64 now)
{
    fact.logEnd = LogEnd::ofPart;
    if (course.pod && !course.pod->isDeleting && course.hasPodEnded())
        return; // it ended before, by itself: the Job has the word
    const bool isGone = !course.pod || course.hasPodEnded() || course.lostSince(now);
    if (!isGone && setRunning(fact, course))
        return;
    setWaiting(fact, course, events, workload);
    fact.isTakenBack = isGone;
}

} // namespace

MachineId machineIdOf(const PlatformId& platform, const QString& node)
{
    return MachineId(u"%1.%2"_s.arg(platform.value, node));
}

bool isPodOf(const PodView& pod, const JobView& job)
{
    if (pod.isDeleting && pod.createdAt && job.resumedAt && *pod.createdAt < *job.resumedAt)
        return false;
    return pod.ownerUid.isEmpty() || job.uid.isEmpty() ? pod.jobName == job.name : pod.ownerUid == job.uid;
}

JobFact factOf(const TrialId& trial, const JobView& job, const PodView* pod, const QList<EventView>& events,
    const PlatformId& platform, qint64 now, const KueueWorkload* workload)
{
    const Course course(job, pod);
    JobFact fact;
    fact.trial = trial;
    fact.handle = job.uid;
    if (course.pod && !course.pod->node.isEmpty())
        fact.machine = machineIdOf(platform, course.pod->node);
    const bool isHeld = job.isSuspended && !course.hasJobEnded();
    if (!isHeld && (course.hasJobEnded() || course.hasPodEnded())) {
        if (wordDueAt(course, now))
            return fact;
        setEnd(fact, podEnd(job, course.pod));
        if (course.trial && course.trial->startedAt)
            fact.startTime = course.trial->startedAt;
        fact.endTime = course.endTime() ? course.endTime() : job.endTime;
        return fact;
    }
    if (isHeld) {
        setHeld(fact, course, events, workload, now);
    } else if (!course.pod) {
        // A pod that the Job counts and that is not listed yet, or not any more, may do anything.
        if (job.active == 0 && job.ended == 0)
            setWaiting(fact, course, events, workload);
    } else if (const std::optional<qint64> lost = course.lostSince(now)) {
        if (*lost > 0 && now - *lost >= lostNodeMs)
            setEnd(fact, lostEnd(*course.pod, now - *lost));
    } else {
        setAlive(fact, course, events);
    }
    return fact;
}

std::optional<qint64> factChangesAt(const JobView& job, const PodView* pod, qint64 now)
{
    const Course course(job, pod);
    if (course.hasJobEnded())
        return wordDueAt(course, now);
    if (!course.pod || (job.isSuspended && course.hasPodEnded()))
        return {};
    if (course.hasPodEnded())
        return wordDueAt(course, now);
    if (const std::optional<qint64> lost = course.lostSince(now); lost && job.isSuspended)
        return {};
    else if (lost)
        return *lost > 0 && now - *lost < lostNodeMs ? std::optional(*lost + lostNodeMs) : std::nullopt;
    if (course.pod->deletionTime && !course.pod->node.isEmpty())
        return *course.pod->deletionTime + 1;
    return {};
}

} // namespace platforms::kubernetes
