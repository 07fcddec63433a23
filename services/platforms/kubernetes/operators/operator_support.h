// SPDX-License-Identifier: GPL-3.0-or-later
// Which operators a cluster has, by what its API server serves. Pure; any JSON can be read.
#pragma once

#include "train_job_manifest.h"

namespace platforms::kubernetes {

/// What the Trainer of a cluster can do, by the definition of TrainJobs.
struct TrainSupport
{
    std::optional<TrainForm>
        overrides; ///< how pods of a runtime are changed; nothing: not as a trial needs it (Trainer 2.0)
    bool hasDeadlineField = false; ///< activeDeadlineSeconds

    bool operator==(const TrainSupport&) const = default;
};
/// Of the CustomResourceDefinition of TrainJobs; of anything else what each version can do.
[[nodiscard]] TrainSupport trainSupport(const Json& definition);
/// `trainjobs.trainer.kubeflow.org`
[[nodiscard]] QString definitionName(WorkloadKind kind);
[[nodiscard]] KubeResource definitionsResource();

/// The versions of the kind's group that are served, the preferred one first. `groups`: of `GET /apis`, an APIGroupList.
[[nodiscard]] QStringList servedVersions(WorkloadKind kind, const Json& groups);
/// Whether its objects can be made. `resources`: of `GET /apis/GROUP/VERSION`, an APIResourceList.
[[nodiscard]] bool servesKind(WorkloadKind kind, const Json& resources);

/// What a check says of the operator: its name and version, or Kind::not_found with what is missing and the page that tells how it is
/// installed. `resources`: null where the group is not served.
[[nodiscard]] Result<Message> operatorFinding(WorkloadKind kind, const Json& groups, const Json& resources);
/// For such a sentence.
[[nodiscard]] QString operatorName(WorkloadKind kind);

} // namespace platforms::kubernetes
