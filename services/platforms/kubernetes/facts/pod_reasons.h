// SPDX-License-Identifier: GPL-3.0-or-later
// Why a trial's pod does not run yet, as sentences for a person. Pure.
#pragma once

#include "event_view.h"
#include "job_view.h"
#include "pod_view.h"
#include "kueue_workload.h"

namespace platforms::kubernetes {

/// The container that the trial runs in (trialContainerName).
[[nodiscard]] const ContainerView* trialContainer(const PodView& pod); ///< null: it has none

/// Of a Job that has not ended and whose trial does not run. `pod`: null, or its pod. `events`: of the Job and the pod, in any order;
/// those of others are passed over. `workload`: Kueue's, null where none is known.
[[nodiscard]] WaitingReason waitingReason(
    const JobView& job, const PodView* pod, const QList<EventView>& events, const KueueWorkload* workload = nullptr);

/// The pod has its node and holds what it requests there, and what it needs besides is refused to it: an image, a secret.
[[nodiscard]] bool isStuck(const PodView& pod, const QList<EventView>& events);

} // namespace platforms::kubernetes
