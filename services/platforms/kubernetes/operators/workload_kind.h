// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of objects that operators make pods from, what sets them apart, and how ours are named. Pure.
#pragma once

#include "services/core/ids.h"
#include "services/core/result.h"
#include "services/platforms/kubernetes/kube_paths.h"

#include <QList>

#include <optional>
#include <span>

namespace platforms::kubernetes {

/// The first three are of Kubeflow's Training Operator (v1), `trainJob` is of its Trainer (v2), `framework` of FrameworkController.
enum class WorkloadKind { pytorchJob, tfJob, mpiJob, trainJob, framework };

inline constexpr int mostReplicas = 10'000; ///< of one role, as FrameworkController has it
/// How long a pod that its operator deletes stays after its end: with it goes what was not read of its log.
inline constexpr int lingerSeconds = 15;

/// A role that the kind's operator knows.
struct RoleRule
{
    const char* name; ///< as manifests write it; in any case on input
    int most;         ///< replicas
};

struct WorkloadTraits
{
    WorkloadKind kind;
    const char* word; ///< `PyTorchJob`, as manifests name the kind
    const char* group;
    const char* version;
    const char* plural;
    const char* container; ///< the container that the operator takes for the role's, and whose exit code it reads
    const char* replicas;  ///< the member of `spec` with the roles; null: it has none of that form
    std::span<const RoleRule> roles; ///< in the order of who decides; empty: any name, see isRoleName()
};

[[nodiscard]] std::span<const WorkloadTraits> workloadTraits();
[[nodiscard]] const WorkloadTraits& traitsOf(WorkloadKind kind);
/// By its word, in any case: `PyTorchJob`, `pytorchjob`.
[[nodiscard]] std::optional<WorkloadKind> workloadKind(QStringView word);
[[nodiscard]] QString kindWord(WorkloadKind kind);
[[nodiscard]] KubeResource workloadResource(WorkloadKind kind);
/// What a DELETE of it must say: FrameworkController asks for `Foreground`, the others are gone at once with `Background`.
[[nodiscard]] QString deletionPolicy(WorkloadKind kind);

/// The name as the kind's operator writes it; nothing: it knows no such role. Of a framework the name itself, where it can be one.
[[nodiscard]] std::optional<QString> roleName(WorkloadKind kind, QStringView word);
/// Of a framework: 1 to 63 of `a-z 0-9`; the controller refuses a dash.
[[nodiscard]] bool isFrameworkName(QStringView text);

/// A role, and how many pods it has.
struct RoleSize
{
    QString name; ///< roleName()
    int count = 1;

    bool operator==(const RoleSize&) const = default;
};

/// The name of a trial's object: `td-SERVICE-TRIAL`, of a framework without dashes. Kind::invalid where a pod of it would have a name of
/// more than 63 characters, which the cluster cuts or refuses.
[[nodiscard]] Result<QString> workloadName(
    WorkloadKind kind, const QString& serviceId, const TrialId& trial, const QList<RoleSize>& roles);
/// The trial whose object has this name; empty: no trial of this service has.
[[nodiscard]] TrialId trialOfWorkload(WorkloadKind kind, const QString& serviceId, const QString& name);
/// The name of a pod of it, or what the name of one of a TrainJob begins with.
[[nodiscard]] QString workloadPodName(WorkloadKind kind, const QString& name, const QString& role, int index);

} // namespace platforms::kubernetes
