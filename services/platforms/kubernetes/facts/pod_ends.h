// SPDX-License-Identifier: GPL-3.0-or-later
// How a trial's Job and pod ended: the status, the cause, and whether the cluster's word stands over the trial's log. Pure.
#pragma once

#include "job_view.h"
#include "pod_view.h"

#include "services/core/records.h"

namespace platforms::kubernetes {

/// The class of what befell a trial from outside (an eviction, a lost node): the same trial may succeed elsewhere.
inline constexpr QStringView infrastructureClass = u"infrastructure";

struct PodEnd
{
    TrialStatus status = TrialStatus::failed; ///< SUCCEEDED, FAILED or SYS_CANCELED
    OpenWord<FailureClass> failureClass;
    Message reason; ///< part of a sentence: "its node n1 was shut down"
    std::optional<int> exitCode;
    std::optional<int> signal;
    bool isDecisive = false; ///< as JobFact::isDecisive

    bool operator==(const PodEnd&) const = default;
};

/// Of what has ended. `pod`: null where it is gone.
[[nodiscard]] PodEnd podEnd(const JobView& job, const PodView* pod);
/// Its node has been silent, or its pod should have been gone, for so long.
[[nodiscard]] PodEnd lostEnd(const PodView& pod, qint64 lostMs);

} // namespace platforms::kubernetes
