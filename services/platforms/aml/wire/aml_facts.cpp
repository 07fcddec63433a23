// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_facts.h"

#include "services/platforms/aml/aml_job.h"
#include "services/platforms/cluster/job_name.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int mostGpusShown = 256;
constexpr int killedExit = 137; ///< SIGKILL of a container

Message whyItWaits(const AmlJob& job, const Compute* compute)
{
    const QString word = job.word.toLower();
    const QString name = job.compute;
    if (word == "preparing"_L1)
        return u"Azure prepares its container image"_m;
    if (word == "starting"_L1 || word == "provisioning"_L1)
        return u"Azure starts it on a node of \"%1\""_m.arg(name);
    if (word == "paused"_L1)
        return u"it is paused in Azure"_m;
    Message obstacle;
    if (compute && !takesJobs(*compute, obstacle))
        return u"it waits: %1"_m.arg(obstacle);
    if (compute && !compute->error.isEmpty())
        return u"it waits for a node of \"%1\": %2"_m.arg(name, compute->error);
    if (compute && compute->currentNodes == 0 && compute->type == "AmlCompute"_L1)
        return u"it waits for a node of \"%1\", which has none now: Azure needs some minutes for the first one"_m.arg(
            name);
    return u"it waits for a node of \"%1\""_m.arg(name);
}

/// Azure cancels a job whose time is up, and gives no reason.
bool reachedItsLimit(const AmlJob& job, const RunDetails* details)
{
    return job.timeLimitMs && details && details->startTime && details->endTime
        && *details->endTime - *details->startTime >= *job.timeLimitMs;
}

void setFailure(JobFact& fact, const RunDetails* details)
{
    fact.end = TrialStatus::failed;
    fact.failureClass = FailureClass::platform;
    if (!details)
        return;
    if (details->exitCode && *details->exitCode > 0) {
        fact.exitCode = details->exitCode;
        fact.failureClass = FailureClass::exitCode;
    }
    const QString& said = details->error;
    if (!said.isEmpty())
        fact.reason = u"Azure: %1"_m.arg(said);
    const bool isMemory = said.contains("OutOfMemory"_L1, Qt::CaseInsensitive)
        || said.contains("out of memory"_L1, Qt::CaseInsensitive) || said.contains("OOMKilled"_L1);
    if (isMemory) {
        fact.failureClass = FailureClass::outOfMemory;
        fact.isDecisive = true;
    } else if (details->errorCode == "JobTimedOut"_L1 || said.contains("timed out"_L1, Qt::CaseInsensitive)
        || said.contains("MaxRunDuration"_L1, Qt::CaseInsensitive)) {
        fact.failureClass = FailureClass::platform;
        fact.isDecisive = true;
    } else if (details->exitCode == killedExit && said.isEmpty()) {
        fact.reason = u"its container was killed, often because it used more memory than its node has"_m;
    }
}

const VmSize* sizeOf(const Compute& compute, const VmSizes& sizes)
{
    const auto found = sizes.constFind(compute.vmSize.toLower());
    return found == sizes.constEnd() ? nullptr : &*found;
}

} // namespace

TrialId trialIn(const AmlJob& job, const QString& serviceId)
{
    const TrialId trial = trialOf(serviceId, job.name);
    return job.tags.value(serviceTag(serviceId)) == trial.value ? trial : TrialId();
}

MachineId machineIdOf(const PlatformId& platform, const QString& compute)
{
    return compute.isEmpty() ? MachineId() : MachineId(u"%1.%2"_s.arg(platform.value, compute.toLower()));
}

JobFact factOf(const AmlJob& job, const TrialId& trial, const PlatformId& platform, const Compute* compute,
    const RunDetails* details, int restarts)
{
    using Phase = JobFact::Phase;
    JobFact fact;
    fact.trial = trial;
    fact.handle = job.name;
    fact.restarts = restarts;
    fact.machine = machineIdOf(platform, job.compute);
    switch (job.state) {
    case JobState::waiting:
        fact.phase = Phase::waiting;
        fact.reason = whyItWaits(job, compute);
        break;
    case JobState::running:
        fact.phase = Phase::running;
        break;
    case JobState::silent:
        fact.isSilent = true;
        fact.reason = u"Azure has lost contact with its node"_m;
        break;
    case JobState::completed:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::succeeded;
        fact.exitCode = 0;
        break;
    case JobState::canceled:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::sys_canceled;
        fact.isDecisive = true;
        fact.reason =
            reachedItsLimit(job, details) ? u"it reached the time limit of its job"_m : u"it was cancelled in Azure"_m;
        break;
    case JobState::failed:
        fact.phase = Phase::ended;
        setFailure(fact, details);
        break;
    case JobState::cancelling: // its final word follows
    case JobState::unknown:
        break;
    }
    if (details && fact.phase != Phase::waiting)
        fact.startTime = details->startTime;
    if (details && fact.phase == Phase::ended)
        fact.endTime = details->endTime;
    return fact;
}

Machine machineOf(const Compute& compute, const VmSizes& sizes, const PlatformId& platform, qint64 now)
{
    Machine machine;
    machine.id = machineIdOf(platform, compute.name);
    machine.platformId = platform;
    machine.address = compute.name;
    machine.lastContact = now;
    Message obstacle;
    machine.state = takesJobs(compute, obstacle) ? MachineState::ready : MachineState::failed;
    machine.message = obstacle.isEmpty() ? nodesText(compute) : obstacle;
    const VmSize* size = sizeOf(compute, sizes);
    if (size) {
        machine.cpuCount = std::min(size->cpus * compute.maxNodes, 1'000'000);
        machine.memoryTotal = qint64(size->memoryGb * compute.maxNodes * 1024) * 1024 * 1024;
    }
    const qint64 gpus = size ? qint64(size->gpus) * compute.maxNodes : 0;
    const qint64 used = size ? qint64(size->gpus) * compute.runningNodes : 0;
    for (int i = 0; i < std::min<qint64>(gpus, mostGpusShown); ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.model = compute.vmSize;
        if (i < used)
            gpu.processes.append({.name = u"Azure ML"_s, .compute = true});
        machine.gpus.append(gpu);
    }
    if (machine.gpus.isEmpty())
        machine.gpuMessage = size ? u"nodes of size %1 have no GPU"_m.arg(compute.vmSize)
                                  : u"Azure does not say which GPUs its nodes have"_m;
    else if (gpus > mostGpusShown)
        machine.gpuMessage = u"%1 GPUs, of which %2 are free; %3 are shown."_m.arg(
            gpus, std::max<qint64>(0, gpus - used), mostGpusShown);
    return machine;
}

PlatformQueue queueOf(const Compute& compute, const VmSizes& sizes, const QString& target)
{
    PlatformQueue queue;
    queue.name = compute.name;
    queue.isDefault = compute.name.compare(target, Qt::CaseInsensitive) == 0;
    queue.isOpen = takesJobs(compute, queue.message);
    queue.machines = compute.maxNodes;
    if (const VmSize* size = sizeOf(compute, sizes)) {
        const int free = std::max(0, compute.maxNodes - compute.runningNodes);
        queue.cpus.total = std::min(size->cpus * compute.maxNodes, 1'000'000);
        queue.cpus.free = std::min(size->cpus * free, 1'000'000);
        queue.gpus.total = std::min(size->gpus * compute.maxNodes, 1'000'000);
        queue.gpus.free = std::min(size->gpus * free, 1'000'000);
    }
    return queue;
}

} // namespace platforms::aml
