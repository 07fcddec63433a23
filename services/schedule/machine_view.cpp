// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_view.h"

#include "gpu_inventory.h"

#include <tuple>

namespace schedule {

GpuAvailability gpuAvailability(const Machine& machine, const Gpu& gpu)
{
    GpuAvailability found;
    bool person = false;
    bool service = false;
    for (const GpuReservation& reservation : gpu.reservations) {
        if (reservation.holder == GpuHolder::trial)
            ++found.own;
        else if (reservation.holder == GpuHolder::person)
            person = true;
        else
            service = true;
    }
    for (const GpuProcess& process : gpu.processes) {
        if (process.compute && process.trialId.isEmpty())
            found.foreign = true;
    }
    if (isSplitGpu(gpu)) {
        found.block = GpuBlock::split;
        return found;
    }
    if (machine.usableGpus && !machine.usableGpus->contains(gpu.index)) {
        // A MIG device is also meant by the index of the GPU that it is a part of.
        bool parentNamed = false;
        if (isMigDevice(gpu)) {
            for (const Gpu& other : machine.gpus)
                parentNamed = parentNamed || (other.uuid == gpu.migParent && machine.usableGpus->contains(other.index));
        }
        if (!parentNamed) {
            found.block = GpuBlock::excluded;
            return found;
        }
    }
    const int room = std::max(1, machine.maxTrialsPerGpu) - found.own;
    if (person)
        found.block = GpuBlock::person;
    else if (service)
        found.block = GpuBlock::service;
    else if (room <= 0)
        found.block = GpuBlock::full;
    else if (found.foreign && !machine.useActiveGpu && found.own == 0)
        found.block = GpuBlock::foreign;
    else
        found.room = room;
    return found;
}

MachineView::MachineView(const Machine& of, int trialsThere, bool withGpus)
    : machine(&of)
    , open(of.state == MachineState::ready)
    , trials(trialsThere)
{
    if (!withGpus)
        return;
    gpus.reserve(size_t(of.gpus.size()));
    for (const Gpu& gpu : of.gpus) {
        GpuView view{&gpu, gpuAvailability(of, gpu), !isMigDevice(gpu)};
        if (view.now.block != GpuBlock::split && view.now.block != GpuBlock::excluded) {
            ++usable;
            usableWhole += view.whole;
            roomTotal += std::max(1, of.maxTrialsPerGpu);
        }
        if (view.now.room > 0) {
            ++free;
            freeWhole += view.whole;
            room += view.now.room;
        }
        gpus.push_back(view);
    }
}

QList<int> MachineView::takeGpus(int wanted, Policy policy)
{
    std::vector<GpuView*> candidates;
    for (GpuView& view : gpus) {
        if (view.now.room > 0 && (wanted == 1 || view.whole))
            candidates.push_back(&view);
    }
    Q_ASSERT(int(candidates.size()) >= wanted);
    // A GPU that computes for others comes last (useActiveGpu allows it, nobody likes it); a MIG device before a whole
    // GPU.
    const auto rank = [policy](const GpuView* view) {
        return std::tuple(view->now.foreign && view->now.own == 0, view->whole,
            policy == Policy::pack ? -view->now.own : view->now.own, view->gpu->index);
    };
    std::sort(
        candidates.begin(), candidates.end(), [&](const GpuView* a, const GpuView* b) { return rank(a) < rank(b); });
    QList<int> indices;
    for (int i = 0; i < wanted; ++i) {
        GpuView& view = *candidates[size_t(i)];
        indices.append(view.gpu->index);
        give(view);
    }
    std::sort(indices.begin(), indices.end());
    return indices;
}

void MachineView::takenElsewhere(const QString& uuid)
{
    for (GpuView& view : gpus) {
        if (!uuid.isEmpty() && view.gpu->uuid == uuid && view.now.room > 0)
            give(view);
    }
}

/// One more trial on a GPU that has room for it.
void MachineView::give(GpuView& view)
{
    ++view.now.own;
    --room;
    if (--view.now.room == 0) {
        view.now.block = GpuBlock::full;
        --free;
        freeWhole -= view.whole;
    }
}

} // namespace schedule
