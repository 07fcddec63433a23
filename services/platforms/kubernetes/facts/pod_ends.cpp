// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_ends.h"

#include "amount_text.h"
#include "answer_pattern.h"
#include "cause_line.h"
#include "pod_reasons.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

#include "services/core/duration_text.h"
#include "services/core/printable.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

using State = ContainerView::State;

PodEnd decisive(const Message& reason, const OpenWord<FailureClass>& failureClass)
{
    return {.failureClass = failureClass, .reason = reason, .isDecisive = true};
}

PodEnd cancelledOutside(const Message& reason)
{
    return {.status = TrialStatus::sys_canceled, .reason = reason, .isDecisive = true};
}

PodEnd befallen(const Message& reason)
{
    return decisive(reason, OpenWord<FailureClass>::fromWord(infrastructureClass));
}

Message withCause(const Message& what, const QString& cause)
{
    const QString line = causeLine(cause);
    return line.isEmpty() ? what : what + u": "_s + line;
}

Message nodeOf(const PodView& pod)
{
    return pod.node.isEmpty() ? u"its node"_m : u"its node %1"_m.arg(printable(pod.node));
}

PodEnd outOfMemory(const ContainerView& container)
{
    const bool isTrial = container.name == QLatin1StringView(trialContainerName);
    if (container.memoryLimit && isTrial)
        return decisive(u"it used more memory than its limit of %1 (OOMKilled)"_m.arg(sizeText(*container.memoryLimit)),
            FailureClass::outOfMemory);
    return decisive(isTrial
            ? u"it used more memory than it may (OOMKilled)"_m
            : u"its container %1 used more memory than it may (OOMKilled)"_m.arg(printable(container.name)),
        FailureClass::outOfMemory);
}

/// What the condition DisruptionTarget or the pod's own reason names.
std::optional<PodEnd> disruptionEnd(const PodView& pod)
{
    const QString& word = pod.disruption;
    if (word == "PreemptionByScheduler"_L1 || word == "PreemptionByKubeScheduler"_L1 || pod.reason == "Preempting"_L1)
        return befallen(u"a pod of a higher priority took its place (preemption)"_m);
    if (pod.reason == "Evicted"_L1)
        return befallen(withCause(u"%1 evicted it"_m.arg(nodeOf(pod)), pod.message));
    if (word == "EvictionByEvictionAPI"_L1)
        return befallen(u"it was evicted: somebody or something empties %1"_m.arg(nodeOf(pod)));
    if (word == "DeletionByTaintManager"_L1)
        return befallen(u"%1 got a taint that it does not tolerate, or does not answer"_m.arg(nodeOf(pod)));
    if (word == "DeletionByPodGC"_L1 || pod.reason == "NodeLost"_L1)
        return befallen(u"%1 is lost"_m.arg(nodeOf(pod)));
    if (pod.reason == "Shutdown"_L1 || pod.reason == "NodeShutdown"_L1 || pod.reason == "Terminated"_L1)
        return befallen(u"%1 was shut down"_m.arg(nodeOf(pod)));
    if (word == "TerminationByKubelet"_L1)
        return befallen(withCause(u"%1 ended it"_m.arg(nodeOf(pod)), pod.message));
    if (pod.reason == "UnexpectedAdmissionError"_L1 || pod.reason == "NodeAffinity"_L1
        || pod.reason.startsWith("OutOf"_L1))
        return befallen(
            withCause(u"%1 did not take it (%2)"_m.arg(nodeOf(pod), printable(pod.reason, 100)), pod.message));
    if (!word.isEmpty())
        return befallen(withCause(u"the cluster ended it (%1)"_m.arg(printable(word, 100)), pod.disruptionMessage));
    return {};
}

bool isStartError(const ContainerView& container)
{
    static constexpr QLatin1StringView words[] = {
        "StartError"_L1, "ContainerCannotRun"_L1, "RunContainerError"_L1, "CreateContainerError"_L1};
    return std::any_of(
        std::begin(words), std::end(words), [&](QLatin1StringView one) { return container.reason == one; });
}

/// The kubelet ended the pod and no longer had the container. It then reports exit code 137, which is of no process.
bool isLost(const ContainerView& container)
{
    return container.reason == "ContainerStatusUnknown"_L1;
}

PodEnd startEnd(const ContainerView& container)
{
    static const QRegularExpression command = answerPattern("exec: \"([^\"]{1,300})\": ([^:\\n]{1,200})"_L1);
    const auto found = command.match(container.message);
    const bool isMissing = container.message.contains("executable file not found"_L1)
        || container.message.contains("no such file or directory"_L1);
    if (isMissing && container.name == QLatin1StringView(codeContainerName))
        return decisive(
            u"its image has no sh, tar or gzip, with which its code is unpacked: have the code sent (codeDelivery: send)"_m,
            FailureClass::startFailed);
    if (found.hasMatch() && isMissing)
        return decisive(
            u"its image has no command %1"_m.arg(printable(found.captured(1))), FailureClass::commandNotFound);
    if (found.hasMatch() && container.message.contains("permission denied"_L1))
        return decisive(u"the command %1 of its image may not be executed"_m.arg(printable(found.captured(1))),
            FailureClass::startFailed);
    return decisive(withCause(u"its container could not be started"_m, container.message), FailureClass::startFailed);
}

/// The keys that say how the process ended, and the termination message where the container left one.
PodEnd processEnd(const ContainerView& container)
{
    PodEnd end;
    end.status = container.exitCode == 0 && !container.signal ? TrialStatus::succeeded : TrialStatus::failed;
    end.signal = container.signal;
    if (!container.signal)
        end.exitCode = container.exitCode;
    if (end.status == TrialStatus::succeeded)
        return end;
    const QString said = causeLine(container.message);
    if (container.signal) {
        end.failureClass = FailureClass::signal;
        if (!said.isEmpty())
            end.reason = u"killed by signal %1: %2"_m.arg(*container.signal).arg(said);
    } else if (container.exitCode) {
        end.failureClass = FailureClass::exitCode;
        if (!said.isEmpty())
            end.reason = u"exit code %1: %2"_m.arg(*container.exitCode).arg(said);
    } else {
        end.failureClass = FailureClass::platform;
        end.reason = withCause(u"%1 ended, and the cluster does not say how"_m.arg(u"its container"_m), said);
    }
    return end;
}

std::optional<PodEnd> initEnd(const PodView& pod)
{
    for (const ContainerView& container : pod.initContainers) {
        if (container.state != State::terminated || container.exitCode == 0)
            continue;
        if (container.reason == "OOMKilled"_L1)
            return outOfMemory(container);
        if (isStartError(container))
            return startEnd(container);
        if (isLost(container))
            return befallen(u"%1 lost its init container %2"_m.arg(nodeOf(pod), printable(container.name)));
        const Message name = u"its init container %1"_m.arg(printable(container.name));
        return decisive(
            withCause(container.exitCode ? u"%1 ended with exit code %2"_m.arg(name).arg(*container.exitCode)
                                         : u"%1 ended, and the cluster does not say how"_m.arg(name),
                container.message),
            FailureClass::startFailed);
    }
    return {};
}

PodEnd jobEnd(const JobView& job)
{
    if (job.isDeleting)
        return cancelledOutside(u"its Job was deleted on the cluster"_m);
    PodEnd end;
    end.failureClass = FailureClass::platform;
    const QString word = printable(job.failedReason, 100);
    end.reason = word.isEmpty() ? u"its Job failed on the cluster, and its pod is gone"_m
                                : u"its Job failed on the cluster (%1), and its pod is gone"_m.arg(word);
    return end;
}

/// Neither the trial's container nor an init container says how it ended.
PodEnd phaseEnd(const JobView& job, const PodView& pod)
{
    if (job.isDeleting || pod.isDeleting)
        return cancelledOutside(
            job.isDeleting ? u"its Job was deleted on the cluster"_m : u"its pod was deleted on the cluster"_m);
    const QString word = printable(pod.reason.isEmpty() ? job.failedReason : pod.reason, 100);
    PodEnd end;
    end.failureClass = FailureClass::platform;
    end.reason = withCause(word.isEmpty() ? u"its pod failed"_m : u"its pod failed (%1)"_m.arg(word),
        pod.reason.isEmpty() ? QString() : pod.message);
    return end;
}

} // namespace

PodEnd podEnd(const JobView& job, const PodView* pod)
{
    const ContainerView* trial = pod ? trialContainer(*pod) : nullptr;
    const bool hasEnded = trial && trial->state == State::terminated;
    if (job.isComplete)
        return {.status = TrialStatus::succeeded,
            .exitCode = hasEnded && trial->exitCode == 0 ? trial->exitCode : std::nullopt};
    if (job.failedReason == "DeadlineExceeded"_L1 || (pod && pod->reason == "DeadlineExceeded"_L1))
        return cancelledOutside(job.deadlineSeconds
                ? u"it reached the time limit of its Job, %1"_m.arg(durationText(*job.deadlineSeconds * 1'000))
                : u"it reached the time limit of its Job"_m);
    if (!pod)
        return jobEnd(job);
    if (hasEnded && trial->reason == "OOMKilled"_L1)
        return outOfMemory(*trial);
    if (pod->phase == "Succeeded"_L1)
        return hasEnded ? processEnd(*trial) : PodEnd{.status = TrialStatus::succeeded};
    if (auto end = disruptionEnd(*pod))
        return *end;
    if (auto end = initEnd(*pod))
        return *end;
    if (!hasEnded)
        return phaseEnd(job, *pod);
    if (isStartError(*trial))
        return startEnd(*trial);
    if (isLost(*trial)) {
        PodEnd end = befallen(u"%1 lost its container"_m.arg(nodeOf(*pod)));
        end.isDecisive = false; // the log may have the end
        return end;
    }
    if (trial->signal && (job.isDeleting || pod->isDeleting))
        return cancelledOutside(
            job.isDeleting ? u"its Job was deleted on the cluster"_m : u"its pod was deleted on the cluster"_m);
    return processEnd(*trial);
}

PodEnd lostEnd(const PodView& pod, qint64 lostMs)
{
    return befallen(u"%1 has been lost for %2"_m.arg(nodeOf(pod), durationText(lostMs)));
}

} // namespace platforms::kubernetes
