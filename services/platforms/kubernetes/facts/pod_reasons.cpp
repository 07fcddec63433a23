// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_reasons.h"

#include "answer_pattern.h"
#include "cause_line.h"
#include "create_refusal.h"
#include "image_reason.h"
#include "unschedulable.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

#include "services/core/printable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

Message containerOf(const ContainerView& container)
{
    return container.name == QLatin1StringView(trialContainerName)
        ? u"its container"_m
        : u"its container %1"_m.arg(printable(container.name));
}

/// `configmap "code" not found`
std::optional<WaitingReason> missingConfig(const QString& text)
{
    static const QRegularExpression object = answerPattern("\\b(configmap|secret) \"([^\"]{1,253})\" not found"_L1);
    static const QRegularExpression key =
        answerPattern("couldn't find key ([^ ]{1,253}) in (ConfigMap|Secret) ([^ ]{1,300})"_L1);
    if (const auto found = object.match(text); found.hasMatch()) {
        const QString name = printable(found.captured(2));
        return WaitingReason{found.captured(1).compare("secret"_L1, Qt::CaseInsensitive) == 0
                ? u"The namespace has no secret %1. Create it, or correct the settings."_m.arg(name)
                : u"The namespace has no ConfigMap %1. Create it, or correct the settings."_m.arg(name),
            true};
    }
    if (const auto found = key.match(text); found.hasMatch())
        return WaitingReason{u"The %1 %2 has no entry %3. Add it, or correct the settings."_m.arg(
                                 found.captured(2), printable(found.captured(3)), printable(found.captured(1))),
            true};
    return {};
}

/// What was said of it last; the state itself says only "Back-off pulling image".
QString imageMessage(const ContainerView& container, const QString& podUid, const QList<EventView>& events)
{
    QString best = container.message;
    qint64 newest = 0;
    for (const EventView& event : events) {
        if (event.objectUid != podUid || event.reason != "Failed"_L1 || event.time < newest
            || !event.message.contains(container.image) || !event.message.contains("Failed to pull"_L1))
            continue;
        newest = event.time;
        if (!best.contains("desc = "_L1))
            best = event.message;
    }
    if (best.startsWith("Back-off pulling image"_L1)) {
        const qsizetype cause = best.indexOf("\": "_L1);
        best = cause < 0 ? QString() : best.mid(cause + 3);
    }
    return best;
}

WaitingReason containerReason(const ContainerView& container, const QString& podUid, const QList<EventView>& events)
{
    const QString& word = container.reason;
    if (word.isEmpty() || word == "ContainerCreating"_L1 || word == "PodInitializing"_L1)
        return {};
    WaitingReason image = imageReason(word, container.image, imageMessage(container, podUid, events));
    if (!image.message.isEmpty())
        return image;
    if (auto missing = missingConfig(container.message))
        return *missing;
    const QString cause = container.message.isEmpty() ? printable(word, 100) : causeLine(container.message);
    if (word == "CreateContainerConfigError"_L1)
        return {u"The settings of %1 cannot be applied: %2."_m.arg(containerOf(container), cause), true};
    if (word == "CreateContainerError"_L1 || word == "RunContainerError"_L1 || word == "PostStartHookError"_L1)
        return {u"Its node cannot start %1: %2."_m.arg(containerOf(container), cause), true};
    if (word == "CrashLoopBackOff"_L1)
        return {container.wasOutOfMemory
                ? u"Its node starts %1 again and again, and each time it uses more memory than it may (OOMKilled)."_m
                      .arg(containerOf(container))
                : u"Its node starts %1 again and again, and it ends each time."_m.arg(containerOf(container)),
            true};
    return {u"Its node lets %1 wait: %2."_m.arg(containerOf(container), cause)};
}

/// Of the first container that its node lets wait; empty: none does.
WaitingReason containersReason(const PodView& pod, const QList<EventView>& events)
{
    for (const QList<ContainerView>& containers : {pod.initContainers, pod.containers})
        for (const ContainerView& container : containers) {
            if (container.state != ContainerView::State::waiting)
                continue;
            WaitingReason reason = containerReason(container, pod.uid, events);
            if (!reason.message.isEmpty())
                return reason;
        }
    return {};
}

WaitingReason schedulingReason(const PodView& pod, const QList<EventView>& events)
{
    if (pod.schedulingReason == "SchedulingGated"_L1)
        return {
            u"A scheduling gate holds its pod: another program of the cluster (such as a queue) must open it first."_m};
    QString message = pod.schedulingMessage;
    if (message.isEmpty())
        if (const EventView* event = newestEvent(events, pod.uid, "FailedScheduling"_L1))
            message = event->message;
    return unschedulableReason(message, pod.requests);
}

WaitingReason mountReason(const EventView& event)
{
    if (auto missing = missingConfig(event.message))
        return *missing;
    return {u"Its node cannot mount a volume of it: %1. It is tried again."_m.arg(causeLine(event.message))};
}

/// Of a pod that has a node, whose containers are being prepared.
WaitingReason preparing(const PodView& pod, const QList<EventView>& events)
{
    for (const ContainerView& container : pod.initContainers)
        if (container.state == ContainerView::State::running && !container.isSidecar)
            return container.name == QLatin1StringView(codeContainerName)
                ? WaitingReason{u"Its code is unpacked in its pod."_m}
                : WaitingReason{u"Its init container %1 runs before it."_m.arg(printable(container.name))};
    const EventView* latest = nullptr;
    for (const QLatin1StringView word : {"FailedMount"_L1, "FailedAttachVolume"_L1, "FailedCreatePodSandBox"_L1,
             "NetworkNotReady"_L1, "Pulling"_L1, "Pulled"_L1, "Created"_L1, "Started"_L1}) {
        const EventView* event = newestEvent(events, pod.uid, word);
        if (event && (!latest || event->time > latest->time))
            latest = event;
    }
    if (latest) {
        if (latest->reason == "FailedMount"_L1 || latest->reason == "FailedAttachVolume"_L1)
            return mountReason(*latest);
        if (latest->reason == "FailedCreatePodSandBox"_L1)
            return {u"Its node cannot make the pod's network and namespaces: %1. It is tried again."_m.arg(
                causeLine(latest->message))};
        if (latest->reason == "NetworkNotReady"_L1)
            return {u"The network of its node is not ready. It starts when it is."_m};
        if (latest->reason == "Pulling"_L1) {
            const ContainerView* trial = trialContainer(pod);
            return {trial && latest->message.contains(trial->image) && !trial->image.isEmpty()
                    ? u"Its node %1 downloads the image %2."_m.arg(printable(pod.node), printable(trial->image, 300))
                    : u"Its node %1 downloads an image."_m.arg(printable(pod.node))};
        }
    }
    return {u"Its node %1 prepares it."_m.arg(printable(pod.node))};
}

WaitingReason suspendedReason(const JobView& job, const KueueWorkload* workload)
{
    const QString queue = job.labels.value(QString::fromLatin1(kueueQueueLabel));
    if (!queue.isEmpty())
        return queueReason(queue, workload);
    return {u"Its Job is suspended. It starts when somebody resumes it."_m, true};
}

WaitingReason withoutPod(const JobView& job, const QList<EventView>& events)
{
    const EventView* refused = newestEvent(events, job.uid, "FailedCreate"_L1);
    const EventView* made = newestEvent(events, job.uid, "SuccessfulCreate"_L1);
    if (refused && (!made || refused->time >= made->time))
        return createRefusal(refused->message);
    return {u"The cluster has not made its pod yet."_m};
}

} // namespace

const ContainerView* trialContainer(const PodView& pod)
{
    const auto found = std::find_if(pod.containers.begin(), pod.containers.end(),
        [](const ContainerView& one) { return one.name == QLatin1StringView(trialContainerName); });
    return found == pod.containers.end() ? nullptr : &*found;
}

WaitingReason waitingReason(
    const JobView& job, const PodView* pod, const QList<EventView>& events, const KueueWorkload* workload)
{
    if (job.isSuspended)
        return suspendedReason(job, workload);
    if (!pod)
        return withoutPod(job, events);
    if (WaitingReason reason = containersReason(*pod, events); !reason.message.isEmpty())
        return reason;
    if (pod->isUnschedulable)
        return schedulingReason(*pod, events);
    if (pod->node.isEmpty())
        return {u"The scheduler looks for a node for it."_m};
    return preparing(*pod, events);
}

bool isStuck(const PodView& pod, const QList<EventView>& events)
{
    return !pod.node.isEmpty() && pod.isActive() && !pod.isDeleting && !containersReason(pod, events).message.isEmpty();
}

} // namespace platforms::kubernetes
