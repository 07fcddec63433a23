// SPDX-License-Identifier: GPL-3.0-or-later
// The object that is a trial in the namespace, whatever kind it is: a Job, or one of an operator with several pods. Pure.
#pragma once

#include "services/platforms/kubernetes/facts/pod_facts.h"
#include "services/platforms/kubernetes/operators/workload_facts.h"

namespace platforms::kubernetes {

/// Labels of the objects of operators, and of their pods: which kind they are (kindWord()).
inline constexpr const char* kindLabel = "trialdeck-kind";

struct TrialObject
{
    JobView job;                          ///< in the terms of a Job
    std::optional<WorkloadView> workload; ///< of an operator; nothing: it is a Job
};

/// What of an object of this kind is kept, and what it says; `kind`: nothing for Jobs.
[[nodiscard]] Json slimTrialObject(std::optional<WorkloadKind> kind, const Json& object);
[[nodiscard]] std::optional<TrialObject> readTrialObject(std::optional<WorkloadKind> kind, const Json& object);
[[nodiscard]] KubeResource trialResource(std::optional<WorkloadKind> kind);
/// A pod of a trial; its `jobName` is the name of the trial's object.
[[nodiscard]] std::optional<PodView> readTrialPod(const Json& object);
/// The trial whose object has this name; empty: no trial of this service has.
[[nodiscard]] TrialId trialOfObject(
    std::optional<WorkloadKind> kind, const QString& serviceId, const QString& objectName);
/// The kind that an object's or a pod's labels name; nothing: a Job's.
[[nodiscard]] std::optional<WorkloadKind> labelledKind(const QMap<QString, QString>& labels);

[[nodiscard]] bool isPodOf(const PodView& pod, const TrialObject& object);
/// The pod whose log has the trial's metrics and end; null: there is none.
[[nodiscard]] const PodView* decidingPod(const QList<PodView>& pods, const TrialObject& object);
/// As factOf() and workloadFact().
[[nodiscard]] JobFact factOf(const TrialId& trial, const TrialObject& object, const QList<PodView>& pods,
    const QList<EventView>& events, const PlatformId& platform, qint64 now, const KueueWorkload* queued);
[[nodiscard]] std::optional<qint64> factChangesAt(const TrialObject& object, const QList<PodView>& pods, qint64 now);

} // namespace platforms::kubernetes
