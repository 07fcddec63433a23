// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_use.h"

namespace core {

GpuUse gpuUse(const Machine& machine, const Gpu& gpu)
{
    if (machine.state == MachineState::silent || machine.state == MachineState::failed)
        return GpuUse::silent;
    const auto heldBy = [&](GpuHolder holder) {
        return std::any_of(gpu.reservations.begin(), gpu.reservations.end(),
            [&](const GpuReservation& reservation) { return reservation.holder == holder; });
    };
    if (heldBy(GpuHolder::trial))
        return GpuUse::ours;
    if (heldBy(GpuHolder::person))
        return GpuUse::reserved;
    // A holder that only a newer service knows is not us: the GPU is not free.
    if (heldBy(GpuHolder::service) || heldBy(GpuHolder::other))
        return GpuUse::service;
    return largestForeign(gpu) ? GpuUse::foreign : GpuUse::free;
}

const GpuProcess* largestForeign(const Gpu& gpu)
{
    const GpuProcess* largest = nullptr;
    for (const GpuProcess& process : gpu.processes)
        if (process.compute && process.trialId.isEmpty() && (!largest || process.memoryUsed > largest->memoryUsed))
            largest = &process;
    return largest;
}

GpuCounts& GpuCounts::operator+=(const GpuCounts& other)
{
    gpus += other.gpus;
    ours += other.ours;
    foreign += other.foreign;
    reserved += other.reserved;
    silent += other.silent;
    free += other.free;
    return *this;
}

GpuCounts& GpuCounts::operator-=(const GpuCounts& other)
{
    return *this += {-other.gpus, -other.ours, -other.foreign, -other.reserved, -other.silent, -other.free};
}

GpuCounts gpuCounts(const Machine& machine, const QSet<QString>& counted)
{
    GpuCounts counts;
    for (const Gpu& gpu : machine.gpus) {
        if (counted.contains(gpu.uuid))
            continue;
        ++counts.gpus;
        switch (gpuUse(machine, gpu)) {
        case GpuUse::free:
            ++counts.free;
            break;
        case GpuUse::ours:
            ++counts.ours;
            break;
        case GpuUse::foreign:
        case GpuUse::service:
            ++counts.foreign;
            break;
        case GpuUse::reserved:
            ++counts.reserved;
            break;
        case GpuUse::silent:
            ++counts.silent;
            break;
        }
    }
    return counts;
}

} // namespace core
