// SPDX-License-Identifier: GPL-3.0-or-later
// From checked settings of the platform and options of the experiment to what an operator is asked for. Pure.
#pragma once

#include "operator_support.h"
#include "role_text.h"

#include "services/platforms/kubernetes/jobs/job_options.h"

namespace platforms::kubernetes {

struct OperatorOptions
{
    WorkloadKind kind = WorkloadKind::framework;
    JobValues base; ///< of applyOptions(): what each pod has, the time limit and the queue
    QList<RoleText> roles;
    QString runtime; ///< of a TrainJob; empty: one of ours
    QString barrierImage;
    int processesPerPod = 0; ///< 0: nothing is said

    /// Their names and sizes, for workloadName() and decidingRoleOf().
    [[nodiscard]] QList<RoleSize> sizes() const;
};

/// `platformKind`: `kubeflow` or `frameworkcontroller` (operator_fields.h). Kind::invalid, with the field's name in front, for a value that
/// cannot be read.
[[nodiscard]] Result<OperatorOptions> readOperatorOptions(
    const QString& platformKind, const Json& settings, const Json& options);

/// The objects to make for a trial, in this order; the last one is the trial's, the one before it the runtime of a TrainJob. `roles`: of
/// roleValues(). `support`: of the cluster, for a TrainJob.
[[nodiscard]] Result<QList<Json>> workloadObjects(const OperatorOptions& options, const QString& name,
    const QMap<QString, QString>& labels, const QList<RoleValues>& roles, const TrainSupport& support);

} // namespace platforms::kubernetes
