// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_processes.h"

#include "models/printable.h"
#include "services/api/mirror.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

QList<MachineProcess> processesOf(
    const core::Machine& machine, const QList<core::TrialPtr>& running, const api::Mirror& state)
{
    QList<MachineProcess> rows;
    QSet<core::TrialId> reported;
    for (const core::Gpu& gpu : machine.gpus)
        for (const core::GpuProcess& process : gpu.processes) {
            MachineProcess row{.gpu = QString::number(gpu.index),
                .name = printable(process.name, 200),
                .user = printable(process.user, 40),
                .isOurs = !process.trialId.isEmpty(),
                .isCompute = process.compute,
                .trial = process.trialId,
                .isNamed = true,
                .pid = process.pid,
                .memory = process.memoryUsed};
            if (gpu.memoryTotal > 0)
                row.memoryShare = std::clamp(double(process.memoryUsed) / double(gpu.memoryTotal), 0.0, 1.0);
            if (const core::TrialPtr trial = row.isOurs ? state.trial(process.trialId) : core::TrialPtr()) {
                row.number = QString::number(trial->sequenceId);
                row.since = trial->startTime;
            }
            reported.insert(process.trialId);
            rows.append(row);
        }
    for (const core::TrialPtr& trial : running) {
        if (reported.contains(trial->id))
            continue;
        const core::ExperimentPtr experiment = state.experiments().find(trial->experimentId);
        QStringList gpus;
        for (const int index : trial->gpuIndices)
            gpus += QString::number(index);
        rows.append({.gpu = gpus.join(u", "_s),
            .name = printable(experiment ? experiment->spec.name : trial->experimentId.value, 200),
            .isOurs = true,
            .isCompute = true,
            .trial = trial->id,
            .number = QString::number(trial->sequenceId),
            .pid = trial->pid,
            .since = trial->startTime});
    }
    return rows;
}

} // namespace models
