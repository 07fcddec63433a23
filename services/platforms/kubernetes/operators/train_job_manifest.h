// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a TrainJob of Kubeflow's Trainer. A TrainJob has no volumes of its own: they come by a runtime of ours, or by overrides, which
// each version of the Trainer spells in its own way. Pure.
//
// With a runtime of ours (TrainingRuntime, one a trial, of the same name) the pod is all that podTemplate() makes, with one attempt. Overrides
// of somebody's runtime can do less: no init container, so code of ConfigMaps is unpacked by the command's own shell; no account without a
// token, no grace; and how often a failed pod is tried again is the runtime's.
#pragma once

#include "role_values.h"

namespace platforms::kubernetes {

/// How pods of a runtime are changed.
enum class TrainForm {
    ownRuntime,           ///< not at all: the runtime is ours
    podTemplateOverrides, ///< Trainer 2.1
    runtimePatches,       ///< Trainer 2.2 and later
};

struct TrainJobValues : WorkloadValues
{
    TrainForm form = TrainForm::ownRuntime;
    QString runtime;               ///< with overrides: the name of a ClusterTrainingRuntime
    bool hasDeadlineField = false; ///< the cluster's TrainJob has activeDeadlineSeconds (2.2)
    int processesPerNode = 0;      ///< 0: as the runtime says
    QString queue;                 ///< of Kueue; empty: none. Such a job begins suspended
};

/// Kind::invalid, with a sentence that names the value, for what cannot be expressed in this form. One role, `node`.
[[nodiscard]] Result<Json> trainJobManifest(const TrainJobValues& values);
/// The TrainingRuntime that the TrainJob names in the form ownRuntime; it must be there before the TrainJob.
[[nodiscard]] Result<Json> trainingRuntimeManifest(const TrainJobValues& values);

[[nodiscard]] KubeResource trainingRuntimesResource();

} // namespace platforms::kubernetes
