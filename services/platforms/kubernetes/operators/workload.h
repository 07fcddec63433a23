// SPDX-License-Identifier: GPL-3.0-or-later
// What the object of a trial says, whatever operator it is of. Times are milliseconds since the epoch.
#pragma once

#include "pod_place.h"

#include "services/platforms/kubernetes/facts/job_view.h"
#include "services/platforms/kubernetes/facts/pod_view.h"

namespace platforms::kubernetes {

struct WorkloadView
{
    WorkloadKind kind = WorkloadKind::pytorchJob;
    /// The object in the terms of a Job, which factOf() decides from: `active` and `ended` count pods of the deciding role alone,
    /// `isComplete` and `isFailed` are the object's last word.
    JobView job;
    QList<RoleSize> roles;         ///< as its specification has them, in its order
    PodPlace deciding;             ///< whose log has the trial's metrics and end
    bool endsWithDecider = true;   ///< the success of that pod is the trial's; else others must succeed, too
    bool isSeen = false;           ///< its operator has said anything of it
    bool isRunning = false;        ///< the operator says that the deciding role runs
    bool isWaitingAgain = false;   ///< it is started anew: an attempt is over, and another one comes
    std::optional<PodPlace> cause; ///< whose end made the operator end it, where it names one
    QList<PodView> remembered; ///< pods that are gone, with labels of their place, as the object describes their end

    [[nodiscard]] int podCount() const;

    bool operator==(const WorkloadView&) const = default;
};

/// Of the kind's own reader: readFramework(), readTrainingJob(), readTrainJob(). Nothing for what has no name. Any JSON can be read.
[[nodiscard]] std::optional<WorkloadView> readWorkload(WorkloadKind kind, const Json& object);
/// What of the object the readers read; the templates of pods, which are most of it, are left out.
[[nodiscard]] Json slimOperatorObject(WorkloadKind kind, const Json& object);

[[nodiscard]] std::optional<WorkloadView> readFramework(const Json& object);
/// Of a PyTorchJob, TFJob or MPIJob.
[[nodiscard]] std::optional<WorkloadView> readTrainingJob(WorkloadKind kind, const Json& object);
[[nodiscard]] std::optional<WorkloadView> readTrainJob(const Json& object);

/// The role that decides, by what the kind's operator takes for the end: master, chief, launcher, else the first worker; of a framework
/// `policies` says it (decidingRoleOf()).
[[nodiscard]] QString decidingRoleOf(WorkloadKind kind, const QList<RoleSize>& roles);

/// How the end of tasks of a framework's role ends the framework. -1: it does not.
struct CompletionPolicy
{
    int minFailed = -1;
    int minSucceeded = -1;

    bool operator==(const CompletionPolicy&) const = default;
};
/// Of a framework: the first role whose success ends it, else the first whose failure does, else the first one.
[[nodiscard]] qsizetype decidingRoleOf(const QList<CompletionPolicy>& policies);

} // namespace platforms::kubernetes
