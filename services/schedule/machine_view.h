// SPDX-License-Identifier: GPL-3.0-or-later
// A pass's own account of the machines: what is free, counted down as the pass gives places away.
#pragma once

#include "gpu_scheduler.h"

namespace schedule {

struct GpuView
{
    const Gpu* gpu = nullptr;
    GpuAvailability now;
    bool whole = true; ///< not a MIG device
};

struct MachineView
{
    explicit MachineView(const Machine& machine, int trials, bool withGpus);

    /// GPUs open to a request of `wanted`: several GPUs are never put together from MIG devices, CUDA shows a process
    /// only one.
    [[nodiscard]] int freeFor(int wanted) const { return wanted > 1 ? freeWhole : free; }
    [[nodiscard]] int usableFor(int wanted) const { return wanted > 1 ? usableWhole : usable; }
    /// Trials a CPU core, if one more came: what evens out requests without GPUs.
    [[nodiscard]] double loadWithOneMore() const { return double(trials + 1) / std::max(1, machine->cpuCount); }

    /// Takes `wanted` GPUs, which must be free, and returns their indices, ascending.
    QList<int> takeGpus(int wanted, Policy policy);
    /// A trial takes the GPU with this uuid under another name of the same computer.
    void takenElsewhere(const QString& uuid);

    const Machine* machine;
    bool open;      ///< gives places
    int trials;     ///< of ours
    int usable = 0; ///< GPUs that trials may use at all, with nothing running
    int usableWhole = 0;
    int free = 0; ///< GPUs with room for a trial
    int freeWhole = 0;
    int room = 0; ///< trials that still fit, over all GPUs
    int roomTotal = 0;
    std::vector<GpuView> gpus;
    QString computer; ///< boot id; empty: not known

private:
    void give(GpuView& view);
};

} // namespace schedule
