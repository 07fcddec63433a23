// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_facts.h"

#include "services/platforms/slurm/slurm_reasons.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

void setEnd(JobFact& fact, const SlurmJob& job)
{
    const auto decisive = [&](TrialStatus status, FailureClass failureClass, const Message& reason) {
        fact.end = status;
        fact.failureClass = failureClass;
        fact.reason = reason;
        fact.isDecisive = true;
    };
    switch (job.state.end) {
    case JobEnd::succeeded:
        fact.end = TrialStatus::succeeded;
        break;
    case JobEnd::cancelled:
        decisive(TrialStatus::sys_canceled, FailureClass::none,
            job.state.cancelledBy.isEmpty() ? u"it was cancelled on the cluster"_m
                                            : u"it was cancelled on the cluster by %1"_m.arg(job.state.cancelledBy));
        break;
    case JobEnd::timeLimit:
        decisive(TrialStatus::sys_canceled, FailureClass::none, u"it reached the time limit of its job"_m);
        break;
    case JobEnd::deadline:
        decisive(TrialStatus::sys_canceled, FailureClass::none, u"it reached the deadline of its job"_m);
        break;
    case JobEnd::outOfMemory:
        decisive(TrialStatus::failed, FailureClass::outOfMemory, u"it used more memory than its job had asked for"_m);
        break;
    case JobEnd::nodeFailure:
    case JobEnd::bootFailure:
        decisive(TrialStatus::sys_canceled, FailureClass::none,
            job.nodes.isEmpty() ? u"its node failed"_m : u"its node %1 failed"_m.arg(job.nodes));
        break;
    case JobEnd::preempted:
        decisive(TrialStatus::sys_canceled, FailureClass::none, u"another job took its place (preemption)"_m);
        break;
    case JobEnd::revoked:
        decisive(TrialStatus::sys_canceled, FailureClass::none, u"another cluster of the federation runs it"_m);
        break;
    case JobEnd::launchFailed:
        decisive(TrialStatus::failed, FailureClass::startFailed,
            job.reason.isEmpty() ? u"Slurm could not start it"_m : u"Slurm could not start it: %1"_m.arg(job.reason));
        break;
    case JobEnd::failed:
        fact.end = TrialStatus::failed;
        if (job.reason == "BadConstraints"_L1)
            decisive(TrialStatus::failed, FailureClass::startFailed, u"no node of the cluster has what it asks for"_m);
        break;
    case JobEnd::none:
        break;
    }
}

} // namespace

QList<JobFact> bestOfEach(QList<JobFact> facts)
{
    using Phase = JobFact::Phase;
    const auto rank = [](const JobFact& fact) {
        return fact.phase == Phase::running ? 0
            : fact.phase == Phase::waiting  ? 1
            : fact.phase == Phase::unknown  ? 2
                                            : 3;
    };
    std::stable_sort(facts.begin(), facts.end(), [&](const JobFact& a, const JobFact& b) {
        return std::tuple(a.trial, rank(a)) < std::tuple(b.trial, rank(b));
    });
    facts.erase(
        std::unique(facts.begin(), facts.end(), [](const JobFact& a, const JobFact& b) { return a.trial == b.trial; }),
        facts.end());
    return facts;
}

MachineId machineIdOf(const PlatformId& platform, const QString& node)
{
    return MachineId(u"%1.%2"_s.arg(platform.value, node));
}

JobFact factOf(const SlurmJob& job, const TrialId& trial, const PlatformId& platform,
    const QList<SlurmPartition>& partitions, qint64 now)
{
    JobFact fact;
    fact.trial = trial;
    fact.handle = QString::number(job.id);
    fact.restarts = job.restarts;
    if (!job.nodes.isEmpty() && !job.nodes.contains(u',') && !job.nodes.contains(u'['))
        fact.machine = machineIdOf(platform, job.nodes);
    switch (job.state.phase) {
    case JobPhase::waiting: {
        fact.phase = JobFact::Phase::waiting;
        ReasonFacts facts;
        facts.partition = job.partition;
        for (const SlurmPartition& partition : partitions)
            if (partition.name == job.partition)
                facts.partitionLimitSeconds = partition.maxSeconds;
        if (job.startTime && *job.startTime > now)
            facts.startsInMs = *job.startTime - now;
        fact.reason = pendingReason(job.reason, facts).message;
        break;
    }
    case JobPhase::running:
        fact.phase = JobFact::Phase::running;
        fact.startTime = job.startTime;
        break;
    case JobPhase::ended:
        fact.phase = JobFact::Phase::ended;
        fact.startTime = job.startTime;
        fact.endTime = job.endTime;
        fact.exitCode = job.exitCode;
        fact.signal = job.signal;
        setEnd(fact, job);
        break;
    case JobPhase::completing: // its final word follows
    case JobPhase::unknown:
        break;
    }
    return fact;
}

Machine machineOf(const SlurmNode& node, const PlatformId& platform, qint64 now)
{
    Machine machine;
    machine.id = machineIdOf(platform, node.name);
    machine.platformId = platform;
    machine.address = node.name;
    machine.lastContact = now;
    machine.cpuCount = int(std::clamp<qint64>(node.cpus, 0, 1'000'000));
    if (node.cpus > 0)
        machine.cpuPercent = 100.0 * double(node.cpusAllocated) / double(node.cpus);
    machine.memoryTotal = node.memoryMb * 1024 * 1024;
    machine.memoryUsed = node.memoryAllocatedMb * 1024 * 1024;
    machine.state = node.usable ? MachineState::ready : MachineState::failed;
    if (!node.usable)
        machine.message = node.reason.isEmpty()
            ? u"Slurm does not use it: %1."_m.arg(node.states.join(u'+').toLower())
            : u"Slurm does not use it: %1 (%2)."_m.arg(node.states.join(u'+').toLower(), node.reason);
    for (const SlurmGres& gres : node.gres) {
        if (gres.name != "gpu"_L1)
            continue;
        for (qint64 i = 0; i < gres.total && machine.gpus.size() < 64; ++i) {
            Gpu gpu;
            gpu.index = int(machine.gpus.size());
            gpu.model = gres.type.isEmpty() ? u"GPU"_s : gres.type;
            const bool isUsed = gres.usedIndices.isEmpty() ? i < gres.used : gres.usedIndices.contains(gpu.index);
            if (isUsed)
                gpu.processes.append({.name = u"Slurm"_s, .compute = true});
            machine.gpus.append(gpu);
        }
    }
    if (machine.gpus.isEmpty())
        machine.gpuMessage = u"Slurm counts no GPU here."_m;
    return machine;
}

QList<PlatformQueue> queuesOf(const QList<SlurmPartition>& partitions, const QList<SlurmNode>& nodes)
{
    QList<PlatformQueue> queues;
    for (const SlurmPartition& partition : partitions) {
        PlatformQueue queue;
        queue.name = partition.name;
        queue.isDefault = partition.isDefault;
        queue.isOpen = partition.state == "UP"_L1;
        if (!queue.isOpen)
            queue.message = u"Slurm starts no jobs in it: %1."_m.arg(partition.state.toLower());
        queue.maxSeconds = partition.maxSeconds;
        for (const SlurmNode& node : nodes) {
            if (!node.partitions.contains(partition.name))
                continue;
            ++queue.machines;
            if (!node.usable)
                continue;
            queue.cpus.total += node.cpus;
            queue.cpus.free += std::max<qint64>(0, node.cpus - node.cpusAllocated);
            for (const SlurmGres& gres : node.gres) {
                if (gres.name != "gpu"_L1)
                    continue;
                queue.gpus.total += gres.total;
                queue.gpus.free += std::max<qint64>(0, gres.total - gres.used);
            }
        }
        queues.append(queue);
    }
    return queues;
}

} // namespace platforms::slurm
