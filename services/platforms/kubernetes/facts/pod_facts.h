// SPDX-License-Identifier: GPL-3.0-or-later
// What is believed of a trial by its Job and its pod. Pure. Times are milliseconds since the epoch, of the cluster's clock.
//
// The Job decides that a trial has ended, the pod says how. A Job does not say that anything runs: the pod's container `trial` does, and its
// end is the trial's, whatever other containers do. They are watched apart, so one of them may say its end before the other: the Job's word
// may be a deadline, and the pod's is the cause, so it is waited for a moment. Both must have been listed whole before: a pod that is not
// known counts as gone.
#pragma once

#include "event_view.h"
#include "job_view.h"
#include "pod_view.h"

#include "services/platforms/cluster/job_course.h"

namespace platforms::kubernetes {

/// How long is waited for the Job's word after the trial's container has ended, and for the pod's after the Job has failed.
inline constexpr qint64 wordMs = 30'000;
/// How long a node may be lost before a trial on it has failed.
inline constexpr qint64 lostNodeMs = 600'000;

/// `PLATFORM.NODE`
[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& node);

/// Whether it is the Job's own pod: one of an earlier Job of the same name is not.
[[nodiscard]] bool isPodOf(const PodView& pod, const JobView& job);

/// `pod`: null where none is listed. `events`: of the Job and the pod. JobFact::Phase::unknown: nothing can be said now.
[[nodiscard]] JobFact factOf(const TrialId& trial, const JobView& job, const PodView* pod,
    const QList<EventView>& events, const PlatformId& platform, qint64 now);

/// When factOf() may say something else although nothing changed; nothing: never.
[[nodiscard]] std::optional<qint64> factChangesAt(const JobView& job, const PodView* pod, qint64 now);

} // namespace platforms::kubernetes
