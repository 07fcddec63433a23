// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs and teams of DLTS as what every cluster has. Pure.
#pragma once

#include "services/platforms/cluster/job_course.h"
#include "services/platforms/dlts/dlts_answers.h"

namespace platforms::dlts {

/// `ranBefore`: an earlier list said that it runs, so that one which waits was taken back.
[[nodiscard]] JobFact factOf(const DltsJob& job, const TrialId& trial, const MachineId& machine, bool ranBefore);

[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& team);
/// A team's share of its cluster as a machine: its nodes are everybody's. `now`: milliseconds since the epoch.
[[nodiscard]] Machine machineOf(const Team& team, const PlatformId& platform, qint64 now);
[[nodiscard]] PlatformQueue queueOf(const Team& team);
/// What is free of each GPU model.
[[nodiscard]] Message gpuText(const Team& team);

} // namespace platforms::dlts
