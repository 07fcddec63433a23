// SPDX-License-Identifier: GPL-3.0-or-later
// What runs on a machine, as rows of its list of processes. Pure functions.
#pragma once

#include "services/core/records.h"

namespace api {
class Mirror;
}

namespace models {

/// A process on a GPU, or a trial of ours that uses none.
struct MachineProcess
{
    QString gpu;  ///< index; empty: it uses none
    QString name; ///< the process; of a trial whose process no GPU reports: its experiment
    QString user; ///< of another user; empty: not known
    bool isOurs = false;
    bool isCompute = false; ///< a graphics process alone does not make a GPU busy
    core::TrialId trial;
    QString number;       ///< the trial's
    bool isNamed = false; ///< `name` is the process's own
    qint64 pid = 0;       ///< of the process, or of the trial's command; 0: not known
    qint64 memory = 0;
    double memoryShare = -1;     ///< of its GPU's memory, 0 to 1; negative: not known
    std::optional<qint64> since; ///< start of the trial, milliseconds since the epoch
    bool operator==(const MachineProcess&) const = default;
};

/// The processes on its GPUs in their order, then those of `running` (the machine's running trials) that no GPU reports.
[[nodiscard]] QList<MachineProcess> processesOf(
    const core::Machine& machine, const QList<core::TrialPtr>& running, const api::Mirror& state);

} // namespace models
