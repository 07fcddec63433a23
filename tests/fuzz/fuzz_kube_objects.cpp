// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of Kubernetes: a list of Jobs, pods, events, nodes and quotas, each read as each, and what is made of them together. Bytes that
// are no JSON are what the scheduler, a registry or an admission rule says.
#include "fuzz_driver.h"

#include "services/platforms/kubernetes/facts/create_refusal.h"
#include "services/platforms/kubernetes/facts/image_reason.h"
#include "services/platforms/kubernetes/facts/kube_quantity.h"
#include "services/platforms/kubernetes/facts/node_facts.h"
#include "services/platforms/kubernetes/facts/pod_facts.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/facts/unschedulable.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

constexpr qsizetype mostOfAKind = 4;
constexpr qint64 noon = 1'777'636'800'000; ///< of the day of the seeds
const PlatformId lab(u"lab"_s);
const TrialId trial(u"t1"_s);

bool isOneLine(const Message& message)
{
    return !message.contains(u"\n") && !message.contains(u"\x1b");
}

void checkAmounts(const QMap<QString, qint64>& amounts)
{
    for (const qint64 amount : amounts)
        require(amount >= 0, "an amount is not negative");
}

void checkTime(const std::optional<qint64>& time)
{
    require(!time || *time > 0, "times are after 1970");
}

void checkPod(const PodView& pod)
{
    require(!pod.name.isEmpty() && pod.message.size() <= maxFactText, "a pod has a name, and texts are bounded");
    require(pod.isDeleting == pod.deletionTime.has_value(), "what is deleted has a time for it");
    for (const auto& time : {pod.createdAt, pod.startedAt, pod.deletionTime, pod.notReadySince})
        checkTime(time);
    checkAmounts(pod.requests);
    for (const QList<ContainerView>& containers : {pod.initContainers, pod.containers})
        for (const ContainerView& one : containers) {
            const bool hasEnded = one.state == ContainerView::State::terminated;
            require(hasEnded || (!one.exitCode && !one.signal && !one.finishedAt), "only what has ended has an end");
            require(!one.exitCode || (*one.exitCode >= 0 && *one.exitCode <= 255), "an exit code is a byte");
            require(!one.signal || (*one.signal > 0 && *one.signal <= 64), "a signal is one");
            require(one.message.size() <= maxFactText && one.restarts >= 0, "what is kept is bounded");
            checkTime(one.startedAt);
            checkTime(one.finishedAt);
        }
}

void checkEnd(const JobFact& fact)
{
    require(!fact.exitCode || !fact.signal, "a command ends in one way");
    switch (fact.end) {
    case TrialStatus::succeeded:
        require(fact.failureClass == FailureClass::none && !fact.signal && fact.exitCode.value_or(0) == 0
                && !fact.isDecisive,
            "a success has no cause");
        break;
    case TrialStatus::failed:
        require(fact.failureClass != FailureClass::none, "a failure is of a class");
        require(fact.isDecisive || fact.exitCode || fact.signal || !fact.reason.isEmpty(), "a failure has a cause");
        break;
    case TrialStatus::sys_canceled:
        require(fact.isDecisive && !fact.exitCode && !fact.signal, "a cancel from outside is decisive");
        break;
    default:
        require(false, "an end is a final status that a cluster can know");
    }
    require(!fact.isDecisive || !fact.reason.isEmpty(), "a decisive cause has a sentence");
}

void checkFact(const JobView& job, const PodView* pod, const QList<EventView>& events, qint64 now)
{
    const JobFact fact = factOf(trial, job, pod, events, lab, now);
    require(fact.trial == trial && fact.handle == job.uid && fact.restarts == 0, "a fact is about its Job");
    require(isOneLine(fact.reason), "a reason is one line");
    require(
        fact.machine.isEmpty() || (pod && fact.machine == machineIdOf(lab, pod->node)), "a machine is the pod's node");
    const bool hasEnded = fact.phase == JobFact::Phase::ended;
    require(
        hasEnded || (!fact.exitCode && !fact.signal && !fact.endTime && !fact.isDecisive), "only an end has a cause");
    require((fact.phase == JobFact::Phase::waiting) <= !fact.reason.isEmpty(), "what waits has a reason");
    require(fact.phase != JobFact::Phase::running || fact.reason.isEmpty(), "what runs has none");
    require(!job.isComplete || (hasEnded && fact.end == TrialStatus::succeeded), "the Job's word of success counts");
    require(!job.isFailed || hasEnded || fact.phase == JobFact::Phase::unknown, "a Job that failed does not go on");
    if (hasEnded)
        checkEnd(fact);
    if (const std::optional<qint64> due = factChangesAt(job, pod, now)) {
        require(*due > now, "a change to come is not over");
        require(factOf(trial, job, pod, events, lab, *due - 1).phase == fact.phase, "until then the fact stays");
        require(!hasEnded, "an end stays");
    }
}

void checkMachine(const NodeView& node, const QList<PodView>& pods)
{
    const Machine machine = machineOf(node, pods, nvidiaGpu.toString(), lab, noon);
    require(machine.id == machineIdOf(lab, node.name), "a machine is of its platform");
    require(machine.cpuCount >= 0 && machine.gpus.size() <= 64, "counts are bounded");
    require(!machine.cpuPercent || (*machine.cpuPercent >= 0 && *machine.cpuPercent <= 100), "a share is one");
    require(machine.memoryUsed >= 0 && machine.memoryUsed <= machine.memoryTotal, "no more is used than there is");
    require(machine.state == MachineState::ready || !machine.message.isEmpty(), "what is not ready has a reason");
    require(
        isOneLine(machine.message) && machine.gpus.isEmpty() != machine.gpuMessage.isEmpty(), "sentences are whole");
    bool isFree = false;
    for (const Gpu& gpu : machine.gpus) {
        require(!(isFree && !gpu.processes.isEmpty()) && gpu.processes.size() <= 1, "the first ones are used");
        isFree = isFree || gpu.processes.isEmpty();
    }
}

void checkQueues(const QList<QuotaView>& quotas)
{
    const QList<PlatformQueue> queues = queuesOf(quotas);
    require(queues.size() <= quotas.size(), "a quota is one queue");
    for (const PlatformQueue& queue : queues) {
        for (const QueueShare& share : {queue.cpus, queue.gpus})
            require(share.free >= 0 && share.free <= share.total, "no more is free than there is");
        require(queue.isOpen || !queue.message.isEmpty(), "what is not open has a reason");
        require(isOneLine(queue.message), "a reason is one line");
    }
}

void checkReason(const WaitingReason& reason)
{
    require(!reason.message.isEmpty() && reason.message.hasKey(), "a reason is a sentence of ours");
    require(isOneLine(reason.message), "a reason is one line");
    require(reason.message.size() < 8'192, "a reason is short");
}

void checkText(const QString& text)
{
    const QMap<QString, qint64> requests{{u"cpu"_s, 1'500}, {u"memory"_s, 1ll << 33}, {u"nvidia.com/gpu"_s, 2}};
    checkReason(unschedulableReason(text, requests));
    checkReason(unschedulableReason(text, {}));
    checkReason(createRefusal(text));
    for (const QString& word :
        {u"ErrImagePull"_s, u"ImagePullBackOff"_s, u"RegistryUnavailable"_s, u"InvalidImageName"_s})
        checkReason(imageReason(word, text, text));
    require(imageReason(u"ContainerCreating"_s, text, text).message.isEmpty(), "that word is not about an image");
    const QList<QStringView> lines = QStringView(text).split(u'\n');
    for (const QStringView line : lines.first(std::min<qsizetype>(lines.size(), 100))) {
        const std::optional<qint64> milli = quantityMilli(line);
        const std::optional<qint64> value = quantityValue(line);
        require(!milli || *milli >= 0, "an amount is not negative");
        require(
            !milli || (value && *value == *milli / 1'000 + (*milli % 1'000 > 0)), "thousandths are of the same amount");
        checkTime(kubeTime(line));
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    checkText(QString::fromUtf8(bytes));
    const Result<Json> read = parseJson(bytes);
    if (!read)
        return;
    QList<JobView> jobs;
    QList<PodView> pods;
    QList<EventView> events;
    QList<QuotaView> quotas;
    QList<NodeView> nodes;
    const auto keep = [](auto& list, const auto& one) {
        if (one && list.size() < mostOfAKind)
            list.append(*one);
    };
    const auto take = [&](const Json& object) {
        keep(jobs, readJob(object));
        keep(pods, readPod(object));
        keep(events, readEvent(object));
        keep(quotas, readQuota(object));
        keep(nodes, readNode(object));
    };
    if (read->is_array())
        for (const Json& object : *read)
            take(object);
    else
        take(*read);
    for (const PodView& pod : pods)
        checkPod(pod);
    for (const EventView& event : events)
        require(event.time >= 0 && event.count >= 1, "an event happened");
    for (const QuotaView& quota : quotas) {
        checkAmounts(quota.hard);
        checkAmounts(quota.used);
    }
    for (const NodeView& node : nodes)
        checkMachine(node, pods);
    checkQueues(quotas);
    for (const JobView& job : jobs)
        for (const qint64 now : {noon, noon + 3'600'000, qint64(0)}) {
            checkFact(job, nullptr, events, now);
            for (const PodView& pod : pods) {
                checkFact(job, &pod, events, now);
                JobView own = job; // whose pod it is whatever its names are
                own.uid = pod.ownerUid;
                own.name = pod.jobName;
                checkFact(own, &pod, events, now);
            }
        }
}
