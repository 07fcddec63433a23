// SPDX-License-Identifier: GPL-3.0-or-later
// How a trial of several pods ended. Pure.
#pragma once

#include "workload.h"

#include "services/platforms/kubernetes/facts/pod_ends.h"

namespace platforms::kubernetes {

/// Its trial's container has ended, or it has as a whole.
[[nodiscard]] bool hasPodEnded(const PodView& pod);
/// It has ended without success.
[[nodiscard]] bool hasPodFailed(const PodView& pod);
/// Milliseconds since the epoch; the largest number where it is not known.
[[nodiscard]] qint64 podEndTime(const PodView& pod);

/// The failure of a pod that is not the one that decides. It stands over what the log of that one says.
[[nodiscard]] PodEnd partEnd(const WorkloadView& view, const PodView& pod);
/// Another pod than the one that decides succeeded, and that was enough.
[[nodiscard]] PodEnd otherSuccess();
/// Of an object that failed and none of whose pods says how.
[[nodiscard]] PodEnd workloadEnd(const WorkloadView& view);

} // namespace platforms::kubernetes
