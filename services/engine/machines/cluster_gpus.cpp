// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_gpus.h"

namespace engine {

std::optional<ClusterShare> clusterShareOf(const Trial& trial)
{
    const bool isThere = trial.status == TrialStatus::running || trial.status == TrialStatus::unknown;
    const int gpus = trial.gpuNumber.value_or(0);
    if (!isThere || gpus <= 0 || trial.machineId.isEmpty() || !trial.gpuIndices.isEmpty())
        return {};
    return ClusterShare{gpus, trial.startTime.value_or(0)};
}

void holdClusterGpus(Machine& machine, const QMap<TrialId, ClusterShare>& trials)
{
    QList<Gpu*> order;
    for (const bool taken : {true, false})
        for (Gpu& gpu : machine.gpus)
            if (gpu.reservations.isEmpty() && gpu.processes.isEmpty() != taken)
                order.append(&gpu);
    qsizetype next = 0;
    for (auto trial = trials.begin(); trial != trials.end(); ++trial)
        for (int held = 0; held < trial->gpus && next < order.size(); ++held, ++next) {
            order[next]->processes.clear(); // they are the trial's
            order[next]->reservations.append(GpuReservation{GpuHolder::trial, trial.key(), trial->since, {}});
        }
}

} // namespace engine
