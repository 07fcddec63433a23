// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/kubernetes/kube_paths.h"
#include "services/platforms/platform.h"

namespace platforms::kubernetes {

class KubernetesWire;

/// A right that the service needs in its namespace.
struct NeededRight
{
    KubeResource resource;
    QByteArray subresource;
    QByteArrayList verbs;
};
[[nodiscard]] QList<NeededRight> neededRights();

/// YAML of a Role with all needed rights, and of a RoleBinding for the account, to be applied by whoever may.
[[nodiscard]] QString roleText(const QString& inNamespace, const QString& account);

/// Kubeconfig, server, namespace, rights, nodes; of extent `whole` at last a job in the platform's image, where it names one. `wire` is open
/// or not, and outlives the task.
[[nodiscard]] Task<Result<>> checkCluster(KubernetesWire* wire, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::kubernetes
