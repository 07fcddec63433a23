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
    QMap<TrialId, int> left;
    const auto hold = [&](Gpu& gpu, const TrialId& trial) {
        gpu.processes.clear(); // they are the trial's
        gpu.reservations.append(GpuReservation{GpuHolder::trial, trial, trials.value(trial).since, {}});
        --left[trial];
    };
    for (auto trial = trials.begin(); trial != trials.end(); ++trial)
        left[trial.key()] = trial->gpus;
    bool areNamed = false;
    for (Gpu& gpu : machine.gpus) {
        const TrialId named = gpu.processes.isEmpty() ? TrialId() : gpu.processes.first().trialId;
        areNamed = areNamed || !named.isEmpty();
        if (gpu.reservations.isEmpty() && left.value(named) > 0)
            hold(gpu, named);
    }
    QList<Gpu*> order;
    for (const bool taken : {!areNamed, areNamed})
        for (Gpu& gpu : machine.gpus) {
            const bool isNamed = !gpu.processes.isEmpty() && !gpu.processes.first().trialId.isEmpty();
            if (gpu.reservations.isEmpty() && !isNamed && gpu.processes.isEmpty() != taken)
                order.append(&gpu);
        }
    qsizetype next = 0;
    for (auto trial = trials.begin(); trial != trials.end(); ++trial)
        while (left.value(trial.key()) > 0 && next < order.size())
            hold(*order[next++], trial.key());
}

} // namespace engine
