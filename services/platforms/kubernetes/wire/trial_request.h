// SPDX-License-Identifier: GPL-3.0-or-later
// What a trial asks of the cluster: the object that it is, with its pods, from the settings of the platform, the options of its experiment
// and its own values. Pure.
#pragma once

#include "services/platforms/kubernetes/operators/operator_options.h"
#include "services/platforms/platform.h"

namespace platforms::kubernetes {

/// What is the same for all trials of a platform.
struct RequestContext
{
    QString platformKind; ///< `kubernetes`, `kubeflow`, `frameworkcontroller`
    Json settings;
    QString serviceId;
    QString architecture; ///< of nodes, where the experiment does not say it: `amd64`
    TrainSupport train;
};

struct TrialRequest
{
    std::optional<WorkloadKind> kind; ///< nothing: a Job
    QString name;                     ///< of the object
    JobValues values;                 ///< what each pod has; of a Job all
    OperatorOptions options;          ///< of an operator's object
    QByteArray setup;                 ///< in front of a role's own command

    [[nodiscard]] KubeResource resource() const;
    /// Of resource(), with which resources the objects go: of a TrainJob its runtime first.
    [[nodiscard]] Result<QList<std::pair<KubeResource, Json>>> objects(const TrainSupport& train) const;
};

/// Whether settings and options can be used: Kind::invalid names the field. `isWhole`: they are all that there is, so that each pod must have
/// an image.
[[nodiscard]] Result<> checkRequest(
    const QString& platformKind, const Json& settings, const Json& options, bool isWhole = false);
/// Kind::invalid for what cannot be asked for.
[[nodiscard]] Result<TrialRequest> trialRequest(const RequestContext& context, const TrialSpec& spec);

} // namespace platforms::kubernetes
