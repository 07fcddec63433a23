// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_facts.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

constexpr int mostGpusShown = 256;

int wholeDown(double amount)
{
    return int(std::clamp(std::floor(amount), 0.0, 1e6));
}

QString firstLine(const QString& text)
{
    return text.section(u'\n', 0, 0).trimmed();
}

/// Why a job waits, in words that do not change with every list.
Message waitReason(const DltsJob& job)
{
    QString said = firstLine(job.message);
    if (job.state == JobState::queued
        || job.state == JobState::scheduling) // behind it stand the cluster's free resources of the moment
        said = said.section(u". "_s, 0, 0);
    if (job.state == JobState::paused)
        return u"it was paused in DLTS, and waits for somebody to resume it there"_m;
    if (!said.isEmpty())
        return u"DLTS: %1"_m.arg(said);
    if (job.state == JobState::unapproved)
        return u"it waits for DLTS to approve it"_m;
    return u"it waits for a place in the team \"%1\""_m.arg(job.team);
}

void setFailure(JobFact& fact, const DltsJob& job)
{
    fact.end = TrialStatus::failed;
    const QString& said = job.errorText;
    if (said.contains("OOMKilled"_L1) || said.contains("OutOfMemory"_L1)) {
        fact.failureClass = FailureClass::outOfMemory;
        fact.reason = u"it used more memory than its job may"_m;
        fact.isDecisive = true;
        return;
    }
    if (job.state == JobState::error) {
        fact.failureClass = FailureClass::platform;
        fact.isDecisive = true;
    }
    QString line = firstLine(said);
    if (line.endsWith(u'.')) // more may follow in the sentence
        line.chop(1);
    if (!line.isEmpty())
        fact.reason = u"DLTS: %1"_m.arg(line);
    else if (job.state == JobState::error)
        fact.reason = u"DLTS could not start its job, and does not say why"_m;
}

} // namespace

MachineId machineIdOf(const PlatformId& platform, const QString& team)
{
    return team.isEmpty() ? MachineId() : MachineId(u"%1.%2"_s.arg(platform.value, team));
}

JobFact factOf(const DltsJob& job, const TrialId& trial, const MachineId& machine, bool ranBefore)
{
    using Phase = JobFact::Phase;
    JobFact fact;
    fact.trial = trial;
    fact.handle = job.id;
    fact.machine = machine;
    switch (job.state) {
    case JobState::unapproved:
    case JobState::queued:
    case JobState::scheduling:
    case JobState::paused:
        fact.phase = Phase::waiting;
        fact.isTakenBack = ranBefore;
        fact.reason = waitReason(job);
        break;
    case JobState::running:
        fact.phase = Phase::running;
        fact.startTime = job.startedTime;
        break;
    case JobState::pausing: // what was reported stays until it is clear
    case JobState::killing:
    case JobState::unknown:
        break;
    case JobState::finished:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::succeeded;
        fact.exitCode = 0;
        break;
    case JobState::failed:
    case JobState::error:
        fact.phase = Phase::ended;
        setFailure(fact, job);
        break;
    case JobState::killed:
        fact.phase = Phase::ended;
        fact.end = TrialStatus::sys_canceled;
        fact.isDecisive = true;
        fact.reason = u"it was ended in DLTS"_m;
        break;
    }
    if (fact.phase == Phase::ended) {
        fact.startTime = job.startedTime;
        fact.endTime = job.finishedTime;
    }
    return fact;
}

Machine machineOf(const Team& team, const PlatformId& platform, qint64 now)
{
    Machine machine;
    machine.id = machineIdOf(platform, team.name);
    machine.platformId = platform;
    machine.address = team.name;
    machine.state = MachineState::ready;
    machine.lastContact = now;
    machine.cpuCount = wholeDown(team.cpusTotal);
    if (team.cpusTotal > 0)
        machine.cpuPercent = std::min(100.0, 100.0 * team.cpusUsed / team.cpusTotal);
    machine.memoryTotal = qint64(team.memoryTotal);
    machine.memoryUsed = qint64(team.memoryUsed);
    int gpus = 0;
    for (const GpuShare& share : team.gpus) {
        const int total = wholeDown(share.total);
        const int taken = total - wholeDown(share.free);
        for (int i = 0; i < total && gpus < mostGpusShown; ++i) {
            Gpu gpu;
            gpu.index = gpus++;
            gpu.model = share.type;
            if (i < taken)
                gpu.processes.append({.name = u"DLTS"_s, .compute = true});
            machine.gpus.append(gpu);
        }
    }
    const PlatformQueue queue = queueOf(team);
    if (queue.gpus.total == 0)
        machine.gpuMessage = u"The team has no GPU on this cluster."_m;
    else if (queue.gpus.total > mostGpusShown)
        machine.gpuMessage = u"%1 GPUs, %2 of them free; the first %3 are shown."_m.arg(queue.gpus.total)
                                 .arg(queue.gpus.free)
                                 .arg(mostGpusShown);
    return machine;
}

PlatformQueue queueOf(const Team& team)
{
    PlatformQueue queue;
    queue.name = team.name;
    queue.isDefault = true;
    queue.cpus.total = wholeDown(team.cpusTotal);
    queue.cpus.free = std::max(0, wholeDown(team.cpusTotal - team.cpusUsed));
    for (const GpuShare& share : team.gpus) {
        queue.gpus.total += wholeDown(share.total);
        queue.gpus.free += wholeDown(share.free);
    }
    return queue;
}

Message gpuText(const Team& team)
{
    QStringList shares;
    for (const GpuShare& share : team.gpus)
        shares.append(u"%1 %2/%3"_s.arg(share.type).arg(wholeDown(share.free)).arg(wholeDown(share.total)));
    if (shares.isEmpty())
        return u"%1: no GPU"_m.arg(team.name);
    return u"%1: free GPUs: %2"_m.arg(team.name, shares.join(u", "_s));
}

} // namespace platforms::dlts
