// SPDX-License-Identifier: GPL-3.0-or-later
// Azure's jobs and computes as what every cluster has. Pure.
#pragma once

#include "services/platforms/aml/aml_answers.h"
#include "services/platforms/aml/aml_computes.h"
#include "services/platforms/cluster/job_course.h"

namespace platforms::aml {

/// `compute`: where it waits, as it was last seen; null: not known. `details`: of one that has ended; null: not asked for. `restarts`: how often
/// it was taken back.
[[nodiscard]] JobFact factOf(const AmlJob& job, const TrialId& trial, const PlatformId& platform,
    const Compute* compute, const RunDetails* details, int restarts);

/// Of a job with the name and the tag of one of this service; else empty: the name alone is anybody's to give.
[[nodiscard]] TrialId trialIn(const AmlJob& job, const QString& serviceId);

[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& compute);
/// A compute as a machine: its nodes come and go. `now`: milliseconds since the epoch.
[[nodiscard]] Machine machineOf(const Compute& compute, const VmSizes& sizes, const PlatformId& platform, qint64 now);
/// `target`: the compute of the settings.
[[nodiscard]] PlatformQueue queueOf(const Compute& compute, const VmSizes& sizes, const QString& target);

} // namespace platforms::aml
