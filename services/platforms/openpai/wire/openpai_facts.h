// SPDX-License-Identifier: GPL-3.0-or-later
// OpenPAI's jobs and virtual clusters as what every cluster has. Pure.
#pragma once

#include "services/platforms/cluster/job_course.h"
#include "services/platforms/openpai/openpai_answers.h"

namespace platforms::openpai {

/// `handle`: USER~NAME. Of a job that failed the cause is known from a detail alone.
[[nodiscard]] JobFact factOf(const PaiJob& job, const TrialId& trial, const PlatformId& platform);

[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& virtualCluster);
/// A virtual cluster as a machine: OpenPAI tells nothing of nodes. `now`: milliseconds since the epoch.
[[nodiscard]] Machine machineOf(const VirtualCluster& cluster, const PlatformId& platform, qint64 now);
[[nodiscard]] PlatformQueue queueOf(const VirtualCluster& cluster);

} // namespace platforms::openpai
