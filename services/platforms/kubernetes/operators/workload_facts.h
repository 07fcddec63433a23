// SPDX-License-Identifier: GPL-3.0-or-later
// What is believed of a trial by the object of an operator and by its pods. Pure. Times are milliseconds since the epoch, of the cluster's
// clock.
//
// It is decided as it is of a Job (facts/pod_facts.h), from the pod that decides, and:
//   - the operator has the last word: that pod may end while others, whose success is needed, run on;
//   - a failure is that of the pod which ended first without success, whichever part of the trial it is;
//   - what FrameworkController keeps of the pods that it has deleted stands for them;
//   - a TrainJob has failed once it says so for failedStandsMs, or once a pod of it has failed.
#pragma once

#include "workload.h"

#include "services/platforms/kubernetes/facts/pod_facts.h"

namespace platforms::kubernetes {

/// How long a TrainJob must say that it failed.
inline constexpr qint64 failedStandsMs = 5'000;
/// After so long without a word of its operator the reason asks whether that runs.
inline constexpr qint64 unseenMs = 60'000;

/// A pod of an operator, as facts/ and workloadFact() take it: its owner is the object by name, and the container that the operator takes
/// for the role's is the trial's (trialContainerName), whatever it is called in the cluster (WorkloadTraits::container). Nothing for what
/// has no name.
[[nodiscard]] std::optional<PodView> readWorkloadPod(WorkloadKind kind, const Json& object);
/// Whether it is a pod of this object: one of an earlier object of the same name is not.
[[nodiscard]] bool isPodOfWorkload(const PodView& pod, const WorkloadView& view);
/// The newest pod in the place that decides; null where none is listed.
[[nodiscard]] const PodView* decidingPod(const QList<PodView>& pods, const WorkloadView& view);

/// `pods`: of readWorkloadPod(); those of others are passed over. `events`: of the object and its pods. `queued`: Kueue's word, null where
/// none is known.
[[nodiscard]] JobFact workloadFact(const TrialId& trial, const WorkloadView& view, const QList<PodView>& pods,
    const QList<EventView>& events, const PlatformId& platform, qint64 now, const KueueWorkload* queued = nullptr);
/// When workloadFact() may say something else although nothing changed; nothing: never.
[[nodiscard]] std::optional<qint64> workloadFactChangesAt(
    const WorkloadView& view, const QList<PodView>& pods, qint64 now);

} // namespace platforms::kubernetes
