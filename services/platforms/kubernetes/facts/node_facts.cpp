// SPDX-License-Identifier: GPL-3.0-or-later
#include "node_facts.h"

#include "amount_text.h"
#include "pod_facts.h"

#include "services/core/duration_text.h"
#include "services/core/printable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qint64 maxCores = 1'000'000;
constexpr qsizetype maxGpus = 64;
constexpr qint64 mebibyte = 1024 * 1024;

QStringList taintsOf(const Json& spec)
{
    QStringList out;
    for (const Json* taint : objectsIn(spec, "taints")) {
        const QString effect = textAt(*taint, {"effect"});
        if (effect != "NoSchedule"_L1 && effect != "NoExecute"_L1)
            continue;
        const QString value = textAt(*taint, {"value"});
        out.append(textAt(*taint, {"key"}) + (value.isEmpty() ? QString() : u'=' + value) + u':' + effect);
    }
    return out;
}

/// Taints that say no more than what stands in the conditions of the node.
bool isOfTheNode(const QString& taint)
{
    return taint.startsWith("node.kubernetes.io/"_L1);
}

void setState(Machine& machine, const NodeView& node, qint64 now)
{
    const QString why = printable(node.message.isEmpty() ? node.reason : node.message, 300);
    QStringList taints;
    std::copy_if(node.taints.begin(), node.taints.end(), std::back_inserter(taints),
        [](const QString& taint) { return !isOfTheNode(taint); });
    if (node.ready == NodeView::Ready::unknown) {
        machine.state = MachineState::silent;
        machine.message = node.lastHeartbeat && now > *node.lastHeartbeat
            ? u"The node has been silent for %1."_m.arg(durationText(now - *node.lastHeartbeat))
            : u"The node is silent."_m;
    } else if (node.ready == NodeView::Ready::no) {
        machine.state = MachineState::failed;
        machine.message = why.isEmpty() ? u"The node is not ready."_m : u"The node is not ready: %1."_m.arg(why);
    } else if (!node.isSchedulable) {
        machine.state = MachineState::failed;
        machine.message = u"An administrator has closed the node (cordoned): nothing new starts on it."_m;
    } else {
        machine.state = MachineState::ready;
        if (!taints.isEmpty())
            machine.message =
                u"Only what tolerates its taints starts on it: %1."_m.arg(printable(taints.join(", "_L1), 300));
    }
}

QString processName(const PodView& pod)
{
    return pod.namespaceName.isEmpty() ? pod.name : pod.namespaceName + u'/' + pod.name;
}

void addGpus(Machine& machine, const NodeView& node, const QList<const PodView*>& pods, const QString& gpuResource,
    const QString& serviceId)
{
    const qint64 count = std::min<qint64>(node.allocatable.value(gpuResource), maxGpus);
    for (qint64 i = 0; i < count; ++i) {
        Gpu gpu;
        gpu.index = int(i);
        gpu.model = node.gpuProduct.isEmpty() ? u"GPU"_s : node.gpuProduct;
        gpu.memoryTotal = node.gpuMemory.value_or(0);
        machine.gpus.append(gpu);
    }
    qsizetype next = 0;
    for (const PodView* pod : pods)
        for (qint64 i = pod->requests.value(gpuResource); i > 0 && next < machine.gpus.size(); --i)
            machine.gpus[next++].processes.append(
                {.name = processName(*pod), .compute = true, .trialId = trialOf(serviceId, pod->labels)});
    if (machine.gpus.isEmpty())
        machine.gpuMessage = u"The node has no %1."_m.arg(printable(gpuResource, 100));
}

/// The first of these resources that the quota limits.
QueueShare shareOf(const QuotaView& quota, const QStringList& resources, qint64 unit)
{
    for (const QString& resource : resources) {
        const auto hard = quota.hard.find(resource);
        if (hard == quota.hard.end())
            continue;
        return {*hard / unit, std::max<qint64>(0, *hard - quota.used.value(resource)) / unit};
    }
    return {};
}

/// Without which no trial can start.
const QStringList& countsOfTrials()
{
    static const QStringList names{u"pods"_s, u"count/pods"_s, u"count/jobs.batch"_s};
    return names;
}

QString plainAmount(const QString& resource, qint64 amount)
{
    return isCpu(resource) ? QString::number(double(amount) / 1'000, 'g', 6)
        : resource.endsWith("memory"_L1) || resource.endsWith("storage"_L1) ? sizeText(amount)
                                                                            : QString::number(amount);
}

bool limitsTrials(const QString& resource, const QString& gpuResource)
{
    return isCpu(resource) || resource == "memory"_L1 || resource.endsWith(".memory"_L1)
        || resource == u"requests."_s + gpuResource || countsOfTrials().contains(resource);
}

} // namespace

std::optional<NodeView> readNode(const Json& object)
{
    NodeView node;
    node.name = textAt(object, {"metadata", "name"});
    if (node.name.isEmpty())
        return {};
    node.gpuProduct = textAt(object, {"metadata", "labels", "nvidia.com/gpu.product"});
    node.architecture = textAt(object, {"metadata", "labels", "kubernetes.io/arch"});
    if (const auto mebibytes = countAt(object, {"metadata", "labels", "nvidia.com/gpu.memory"}, 1'000'000'000))
        node.gpuMemory = *mebibytes * mebibyte;
    node.isSchedulable = !isTrueAt(object, {"spec", "unschedulable"});
    node.taints = taintsOf(memberAt(object, {"spec"}));
    node.allocatable = amountsAt(object, {"status", "allocatable"});
    const Json& ready = conditionOf(object, "Ready"_L1);
    const QString word = textAt(ready, {"status"});
    node.ready = word == "True"_L1 ? NodeView::Ready::yes
        : word == "False"_L1       ? NodeView::Ready::no
                                   : NodeView::Ready::unknown;
    node.lastHeartbeat = timeAt(ready, {"lastHeartbeatTime"});
    if (node.ready != NodeView::Ready::yes) {
        node.reason = textAt(ready, {"reason"});
        node.message = textAt(ready, {"message"});
    }
    return node;
}

Machine machineOf(const NodeView& node, const QList<PodView>& podsOnIt, const QString& gpuResource,
    const PlatformId& platform, qint64 now, const QString& serviceId)
{
    QList<const PodView*> pods;
    for (const PodView& pod : podsOnIt)
        if (pod.node == node.name && pod.isActive())
            pods.append(&pod);
    std::sort(pods.begin(), pods.end(), [](const PodView* a, const PodView* b) {
        return std::tie(a->namespaceName, a->name) < std::tie(b->namespaceName, b->name);
    });
    qint64 cpus = 0;
    qint64 memory = 0;
    for (const PodView* pod : pods) {
        cpus = boundedSum(cpus, pod->requests.value(u"cpu"_s));
        memory = boundedSum(memory, pod->requests.value(u"memory"_s));
    }
    Machine machine;
    machine.id = machineIdOf(platform, node.name);
    machine.platformId = platform;
    machine.address = node.name;
    machine.lastContact = node.ready == NodeView::Ready::unknown ? node.lastHeartbeat.value_or(0) : now;
    setState(machine, node, now);
    const qint64 allocatable = node.allocatable.value(u"cpu"_s);
    machine.cpuCount = int(std::min(allocatable / 1'000, maxCores));
    if (allocatable > 0)
        machine.cpuPercent = std::min(100.0, 100.0 * double(cpus) / double(allocatable));
    machine.memoryTotal = node.allocatable.value(u"memory"_s);
    machine.memoryUsed = std::min(memory, machine.memoryTotal);
    addGpus(machine, node, pods, gpuResource, serviceId);
    return machine;
}

std::optional<QuotaView> readQuota(const Json& object)
{
    QuotaView quota;
    quota.name = textAt(object, {"metadata", "name"});
    if (quota.name.isEmpty())
        return {};
    quota.hard = amountsAt(object, {"status", "hard"});
    if (quota.hard.isEmpty())
        quota.hard = amountsAt(object, {"spec", "hard"});
    quota.used = amountsAt(object, {"status", "used"});
    return quota;
}

QList<PlatformQueue> queuesOf(const QList<QuotaView>& quotas, const QString& gpuResource)
{
    QList<PlatformQueue> queues;
    for (const QuotaView& quota : quotas) {
        PlatformQueue queue;
        queue.name = quota.name;
        queue.gpus = shareOf(quota, {u"requests."_s + gpuResource}, 1);
        queue.cpus = shareOf(quota, {u"requests.cpu"_s, u"cpu"_s}, 1'000);
        QList<Message> full;
        bool isRelevant = false;
        for (auto at = quota.hard.begin(); at != quota.hard.end(); ++at) {
            if (!limitsTrials(at.key(), gpuResource))
                continue;
            isRelevant = true;
            if (quota.used.value(at.key()) < *at)
                continue;
            full.append(u"%1 (%2 of %3)"_m.arg(printable(at.key(), 100),
                plainAmount(at.key(), quota.used.value(at.key())), plainAmount(at.key(), *at)));
            queue.isOpen = queue.isOpen && !countsOfTrials().contains(at.key());
        }
        if (!isRelevant)
            continue;
        if (!full.isEmpty())
            queue.message = u"Used up: %1."_m.arg(join(full, u", "_s));
        queues.append(queue);
    }
    std::sort(
        queues.begin(), queues.end(), [](const PlatformQueue& a, const PlatformQueue& b) { return a.name < b.name; });
    return queues;
}

} // namespace platforms::kubernetes
