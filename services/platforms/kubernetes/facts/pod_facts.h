// SPDX-License-Identifier: GPL-3.0-or-later
// What is believed of a trial by its Job and its pod. Pure. Times are milliseconds since the epoch, of the cluster's clock.
//
// The Job decides that a trial has ended, the pod says how. A Job does not say that anything runs: the pod's container `trial` does, and its
// end is the trial's, whatever other containers do. They are watched apart, so one of them may say its end before the other: the Job's word
// may be a deadline, and the pod's is the cause, so it is waited for a moment. Both must have been listed whole before: a pod that is not
// known counts as gone.
//
// A Job that is suspended while it runs, as Kueue does when it takes its place away, loses its pod and gets another one when it is resumed.
// Until then what ends is not the trial: it runs while its pod does, then it waits again.
#pragma once

#include "event_view.h"
#include "job_view.h"
#include "kueue_workload.h"
#include "pod_view.h"

#include "services/platforms/cluster/job_course.h"

namespace platforms::kubernetes {

/// How long is waited for the Job's word after the trial's container has ended, and for the pod's after the Job has failed.
inline constexpr qint64 wordMs = 30'000;
/// How long a node may be lost before a trial on it has failed.
inline constexpr qint64 lostNodeMs = 600'000;

/// `PLATFORM.NODE`
[[nodiscard]] MachineId machineIdOf(const PlatformId& platform, const QString& node);

/// Whether it is the Job's own pod: one of an earlier Job of the same name is not, nor one that was ended when this Job was suspended, and
/// is being deleted since it was resumed.
[[nodiscard]] bool isPodOf(const PodView& pod, const JobView& job);

/// `pod`: null where none is listed. `events`: of the Job and the pod. `workload`: Kueue's, null where none is known.
/// JobFact::Phase::unknown: nothing can be said now.
[[nodiscard]] JobFact factOf(const TrialId& trial, const JobView& job, const PodView* pod,
    const QList<EventView>& events, const PlatformId& platform, qint64 now, const KueueWorkload* workload = nullptr);

/// When factOf() may say something else although nothing changed; nothing: never.
[[nodiscard]] std::optional<qint64> factChangesAt(const JobView& job, const PodView* pod, qint64 now);

} // namespace platforms::kubernetes
