// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_ends.h"

#include "services/platforms/kubernetes/facts/cause_line.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

using State = ContainerView::State;

Message withSaid(const Message& what, const QString& said)
{
    const QString line = causeLine(said);
    return line.isEmpty() ? what : what + u": "_s + line;
}

PodEnd failedEnd(const Message& reason, const OpenWord<FailureClass>& failureClass, bool isDecisive)
{
    return {.failureClass = failureClass, .reason = reason, .isDecisive = isDecisive};
}

} // namespace

bool hasPodEnded(const PodView& pod)
{
    const ContainerView* trial = trialContainer(pod);
    return (trial && trial->state == State::terminated) || !pod.isActive();
}

bool hasPodFailed(const PodView& pod)
{
    const ContainerView* trial = trialContainer(pod);
    if (trial && trial->state == State::terminated)
        return trial->exitCode != 0 || trial->signal;
    return pod.phase == "Failed"_L1;
}

qint64 podEndTime(const PodView& pod)
{
    const ContainerView* trial = trialContainer(pod);
    const bool isKnown = trial && trial->state == State::terminated && trial->finishedAt;
    return isKnown ? *trial->finishedAt : std::numeric_limits<qint64>::max();
}

PodEnd partEnd(const WorkloadView& view, const PodView& pod)
{
    PodEnd end = podEnd(view.job, &pod);
    const QString part = printable(logNameOf(placeOf(pod.labels).value_or(PodPlace())), 100);
    if (end.reason.isEmpty() && end.signal)
        end.reason = u"killed by signal %1"_m.arg(*end.signal);
    else if (end.reason.isEmpty() && end.exitCode)
        end.reason = u"exit code %1"_m.arg(*end.exitCode);
    end.reason =
        end.reason.isEmpty() ? u"its part %1 failed"_m.arg(part) : u"its part %1 failed: %2"_m.arg(part, end.reason);
    end.isDecisive = true;
    return end;
}

PodEnd otherSuccess()
{
    return {.status = TrialStatus::succeeded,
        .reason = u"another part of it succeeded, which was enough"_m,
        .exitCode = 0,
        .isDecisive = true};
}

PodEnd workloadEnd(const WorkloadView& view)
{
    const JobView& job = view.job;
    const QString& word = job.failedReason;
    if (word == "StopFrameworkRequested"_L1)
        return {
            .status = TrialStatus::sys_canceled, .reason = u"somebody stopped it on the cluster"_m, .isDecisive = true};
    if (word.startsWith("PodCreation"_L1))
        return failedEnd(
            withSaid(u"the cluster did not make its pod"_m, job.failedMessage), FailureClass::startFailed, true);
    if (word == "MPIJobEvicted"_L1 || word == "Evicted"_L1)
        return failedEnd(withSaid(u"a pod of it was evicted"_m, job.failedMessage),
            OpenWord<FailureClass>::fromWord(infrastructureClass), true);
    if (word == "ConfigMapExternalDeleted"_L1 || word == "PodExternalDeleted"_L1)
        return {
            .status = TrialStatus::sys_canceled, .reason = u"its pod was deleted on the cluster"_m, .isDecisive = true};
    const Message what = word.isEmpty()
        ? u"its %1 failed on the cluster"_m.arg(kindWord(view.kind))
        : u"its %1 failed on the cluster (%2)"_m.arg(kindWord(view.kind), printable(word, 100));
    return failedEnd(withSaid(what, job.failedMessage), FailureClass::platform, false);
}

} // namespace platforms::kubernetes
