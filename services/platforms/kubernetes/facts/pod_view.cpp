// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_view.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int lastSignal = 64;

using Amounts = QMap<QString, qint64>;

Amounts sumOf(Amounts a, const Amounts& b)
{
    for (auto at = b.begin(); at != b.end(); ++at)
        a[at.key()] = boundedSum(a.value(at.key()), at.value());
    return a;
}

Amounts largerOf(Amounts a, const Amounts& b)
{
    for (auto at = b.begin(); at != b.end(); ++at)
        a[at.key()] = std::max(a.value(at.key()), at.value());
    return a;
}

/// A limit without a request is one.
Amounts requestsOf(const Json& container)
{
    Amounts out = amountsAt(container, {"resources", "limits"});
    out.insert(amountsAt(container, {"resources", "requests"}));
    return out;
}

bool isSidecarSpec(const Json& container)
{
    return textAt(container, {"restartPolicy"}) == "Always"_L1;
}

/// Init containers run one after the other, each beside the sidecars that were started before it; then all others at once.
Amounts podRequests(const Json& spec)
{
    Amounts sidecars;
    Amounts start;
    for (const Json* container : objectsIn(spec, "initContainers")) {
        const Amounts own = sumOf(sidecars, requestsOf(*container));
        start = largerOf(start, own);
        if (isSidecarSpec(*container))
            sidecars = own;
    }
    Amounts run = sidecars;
    for (const Json* container : objectsIn(spec, "containers"))
        run = sumOf(run, requestsOf(*container));
    return sumOf(largerOf(run, start), amountsAt(spec, {"overhead"}));
}

void readState(const Json& status, ContainerView& view)
{
    const Json& state = memberAt(status, {"state"});
    const auto take = [&](const char* name, ContainerView::State value) -> const Json* {
        const Json& found = memberAt(state, {name});
        if (!state.contains(name) || !found.is_object())
            return nullptr;
        view.state = value;
        view.reason = textAt(found, {"reason"});
        view.message = textAt(found, {"message"});
        view.startedAt = timeAt(found, {"startedAt"});
        return &found;
    };
    if (!state.is_object())
        return;
    if (const Json* ended = take("terminated", ContainerView::State::terminated)) {
        view.finishedAt = timeAt(*ended, {"finishedAt"});
        if (const auto code = countAt(*ended, {"exitCode"}, 255))
            view.exitCode = int(*code);
        const auto signal = countAt(*ended, {"signal"}, lastSignal);
        if (signal && *signal > 0)
            view.signal = int(*signal);
        else if (view.exitCode && *view.exitCode > 128 && *view.exitCode <= 128 + lastSignal)
            view.signal = *view.exitCode - 128;
    } else if (!take("running", ContainerView::State::running)) {
        take("waiting", ContainerView::State::waiting);
    }
}

QList<ContainerView> readContainers(const Json& object, const char* list, const char* statuses)
{
    QList<ContainerView> out;
    const QList<const Json*> said = objectsIn(memberAt(object, {"status"}), statuses);
    for (const Json* spec : objectsIn(memberAt(object, {"spec"}), list)) {
        ContainerView view;
        view.name = textAt(*spec, {"name"});
        view.image = textAt(*spec, {"image"});
        view.isSidecar = isSidecarSpec(*spec);
        const Amounts limits = amountsAt(*spec, {"resources", "limits"});
        if (limits.contains(u"memory"_s))
            view.memoryLimit = limits.value(u"memory"_s);
        const auto found = std::find_if(
            said.begin(), said.end(), [&view](const Json* one) { return textAt(*one, {"name"}) == view.name; });
        if (found != said.end()) {
            readState(**found, view);
            view.restarts = int(countAt(**found, {"restartCount"}).value_or(0));
            view.wasOutOfMemory = textAt(**found, {"lastState", "terminated", "reason"}) == "OOMKilled"_L1;
        }
        out.append(view);
    }
    return out;
}

void readOwner(const Json& object, PodView& pod)
{
    for (const Json* owner : objectsIn(memberAt(object, {"metadata"}), "ownerReferences")) {
        if (textAt(*owner, {"kind"}) != "Job"_L1)
            continue;
        pod.ownerUid = textAt(*owner, {"uid"});
        pod.jobName = textAt(*owner, {"name"});
    }
    for (const QString& label : {u"batch.kubernetes.io/job-name"_s, u"job-name"_s})
        if (pod.jobName.isEmpty())
            pod.jobName = pod.labels.value(label);
}

} // namespace

std::optional<PodView> readPod(const Json& object)
{
    PodView pod;
    pod.name = textAt(object, {"metadata", "name"});
    if (pod.name.isEmpty())
        return {};
    pod.namespaceName = textAt(object, {"metadata", "namespace"});
    pod.uid = textAt(object, {"metadata", "uid"});
    pod.labels = textsAt(object, {"metadata", "labels"});
    pod.createdAt = timeAt(object, {"metadata", "creationTimestamp"});
    pod.deletionTime = timeAt(object, {"metadata", "deletionTimestamp"});
    pod.isDeleting = pod.deletionTime.has_value();
    readOwner(object, pod);

    pod.node = textAt(object, {"spec", "nodeName"});
    pod.requests = podRequests(memberAt(object, {"spec"}));
    pod.initContainers = readContainers(object, "initContainers", "initContainerStatuses");
    pod.containers = readContainers(object, "containers", "containerStatuses");

    pod.phase = textAt(object, {"status", "phase"});
    pod.reason = textAt(object, {"status", "reason"});
    pod.message = textAt(object, {"status", "message"});
    pod.startedAt = timeAt(object, {"status", "startTime"});
    const Json& scheduled = conditionOf(object, "PodScheduled"_L1);
    if (textAt(scheduled, {"status"}) == "False"_L1) {
        pod.isUnschedulable = true;
        pod.schedulingReason = textAt(scheduled, {"reason"});
        pod.schedulingMessage = textAt(scheduled, {"message"});
    }
    const Json& disruption = conditionOf(object, "DisruptionTarget"_L1);
    if (holds(disruption)) {
        pod.disruption = textAt(disruption, {"reason"});
        pod.disruptionMessage = textAt(disruption, {"message"});
    }
    const Json& ready = conditionOf(object, "Ready"_L1);
    if (!holds(ready))
        pod.notReadySince = timeAt(ready, {"lastTransitionTime"});
    return pod;
}

} // namespace platforms::kubernetes
