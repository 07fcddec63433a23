// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_facts.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr int mostGpusShown = 256;
constexpr int outOfMemoryExit = 137; ///< SIGKILL of a container

/// Of OpenPAI's exit specification: codes of its own are negative.
void setFailure(JobFact& fact, const PaiJob& job)
{
    fact.end = TrialStatus::failed;
    const bool isOwn = job.exitCode && *job.exitCode < 0;
    if (job.exitCode && *job.exitCode >= 0 && *job.exitCode <= 255)
        fact.exitCode = job.exitCode;
    const QString said = job.exitPhrase + u' ' + job.diagnostics;
    if (said.contains("OOMKilled"_L1) || said.contains("OutOfMemory"_L1) || said.contains("ContainerOOM"_L1)) {
        fact.failureClass = FailureClass::outOfMemory;
        fact.reason = u"it used more memory than its job had asked for"_m;
        fact.isDecisive = true;
        return;
    }
    if (isOwn) {
        fact.failureClass = FailureClass::platform;
        fact.isDecisive = true;
    }
    const QString words = job.exitPhrase.isEmpty() ? firstLine(job.diagnostics) : job.exitPhrase;
    if (!words.isEmpty())
        fact.reason = u"OpenPAI: %1"_m.arg(words);
    else if (job.exitCode == outOfMemoryExit)
        fact.reason = u"its container was killed, often because it used more memory than its job had asked for"_m;
}

int wholeUp(double amount)
{
    return int(std::clamp(std::ceil(amount), 0.0, 1e6));
}

int wholeDown(double amount)
{
    return int(std::clamp(std::floor(amount), 0.0, 1e6));
}

} // namespace

MachineId machineIdOf(const PlatformId& platform, const QString& virtualCluster)
{
    return virtualCluster.isEmpty() ? MachineId() : MachineId(u"%1.%2"_s.arg(platform.value, virtualCluster));
}

JobFact factOf(const PaiJob& job, const TrialId& trial, const PlatformId& platform)
{
    using Phase = JobFact::Phase;
    JobFact fact;
    fact.trial = trial;
    fact.handle = job.user + u'~' + job.name;
    fact.restarts = job.retries;
    fact.machine = machineIdOf(platform, job.virtualCluster);
    fact.startTime = job.launchedTime;
    switch (job.state) {
    case JobState::waiting:
        fact.phase = Phase::waiting;
        fact.startTime.reset();
        fact.reason = job.diagnostics.isEmpty()
            ? u"it waits for a place in the virtual cluster \"%1\""_m.arg(job.virtualCluster)
            : u"OpenPAI: %1"_m.arg(firstLine(job.diagnostics));
        break;
    case JobState::running:
    case JobState::stopping: // its final word follows
        fact.phase = Phase::running;
        break;
    case JobState::stopped:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::sys_canceled;
        fact.isDecisive = true;
        fact.reason = u"it was stopped in OpenPAI"_m;
        break;
    case JobState::succeeded:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::succeeded;
        fact.exitCode = 0;
        break;
    case JobState::failed:
        fact.phase = Phase::ended;
        setFailure(fact, job);
        break;
    case JobState::unknown:
        break;
    }
    if (fact.phase == Phase::ended)
        fact.endTime = job.completedTime;
    return fact;
}

Machine machineOf(const VirtualCluster& cluster, const PlatformId& platform, qint64 now)
{
    Machine machine;
    machine.id = machineIdOf(platform, cluster.name);
    machine.platformId = platform;
    machine.address = cluster.name;
    machine.state = MachineState::ready;
    machine.lastContact = now;
    machine.cpuCount = wholeDown(cluster.cpusTotal);
    if (cluster.cpusTotal > 0)
        machine.cpuPercent = std::min(100.0, 100.0 * cluster.cpusUsed / cluster.cpusTotal);
    machine.memoryTotal = qint64(cluster.memoryTotalMb) * 1024 * 1024;
    machine.memoryUsed = qint64(cluster.memoryUsedMb) * 1024 * 1024;
    const int gpus = wholeDown(cluster.gpusTotal);
    const int used = wholeUp(cluster.gpusUsed);
    for (int i = 0; i < std::min(gpus, mostGpusShown); ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.model = u"GPU"_s;
        if (i < used)
            gpu.processes.append({.name = u"OpenPAI"_s, .compute = true});
        machine.gpus.append(gpu);
    }
    if (gpus == 0)
        machine.gpuMessage = u"This virtual cluster has no GPU."_m;
    else if (gpus > mostGpusShown)
        machine.gpuMessage = u"%1 GPUs, %2 of them free; the first %3 are shown."_m.arg(gpus)
                                 .arg(std::max(0, gpus - used))
                                 .arg(mostGpusShown);
    return machine;
}

PlatformQueue queueOf(const VirtualCluster& cluster)
{
    PlatformQueue queue;
    queue.name = cluster.name;
    queue.isDefault = cluster.name == u"default"_s;
    queue.cpus.total = wholeDown(cluster.cpusTotal);
    queue.cpus.free = std::max(0, wholeDown(cluster.cpusTotal - cluster.cpusUsed));
    queue.gpus.total = wholeDown(cluster.gpusTotal);
    queue.gpus.free = std::max(0, wholeDown(cluster.gpusTotal - cluster.gpusUsed));
    return queue;
}

} // namespace platforms::openpai
