// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm's jobs and nodes as what every cluster has: which trial a job is of, what is believed of it, what a person reads. Pure.
#pragma once

#include "services/platforms/cluster/job_course.h"
#include "services/platforms/cluster/job_name.h"
#include "services/platforms/slurm/slurm_job.h"
#include "services/platforms/slurm/slurm_nodes.h"

namespace platforms::slurm {

/// `now`: milliseconds since the epoch, for the estimate of a waiting job's start.
[[nodiscard]] JobFact factOf(const SlurmJob& job, const TrialId& trial, const PlatformId& platform,
    const QList<SlurmPartition>& partitions, qint64 now);

/// One of each trial: of two jobs that run, or wait, the older. A trial is submitted twice where its first submission got no answer.
[[nodiscard]] QList<JobFact> bestOfEach(QList<JobFact> facts);

[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& node);
/// A node as a machine of the platform: what it has, what of it is taken, why it is not used.
[[nodiscard]] Machine machineOf(const SlurmNode& node, const PlatformId& platform, qint64 now);
/// The partitions with what is free on their nodes that can start jobs.
[[nodiscard]] QList<PlatformQueue> queuesOf(const QList<SlurmPartition>& partitions, const QList<SlurmNode>& nodes);

} // namespace platforms::slurm
