// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a PyTorchJob, TFJob or MPIJob of Kubeflow's Training Operator. Pure.
#pragma once

#include "role_values.h"

namespace platforms::kubernetes {

struct TrainingJobValues : WorkloadValues
{
    WorkloadKind kind = WorkloadKind::pytorchJob; ///< one of the three
    QString queue;                                ///< of Kueue; empty: none. Such a job begins suspended
    int slotsPerWorker = 1;                       ///< of an MPIJob
};

/// Kind::invalid, with a sentence that names the value, for what no such job can express.
[[nodiscard]] Result<Json> trainingJobManifest(const TrainingJobValues& values);

} // namespace platforms::kubernetes
