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
/// `trials`: of the objects that trials are.
[[nodiscard]] QList<NeededRight> neededRights(const QList<KubeResource>& trials);
/// What code takes that is sent into pods. A WebSocket begins with a GET, which older servers take for `get`, newer ones for `create`.
[[nodiscard]] NeededRight sendingRight();

/// YAML of a Role with all these rights, and of a RoleBinding for the account, to be applied by whoever may.
[[nodiscard]] QString roleText(const QList<KubeResource>& trials, const QString& inNamespace, const QString& account);

/// Kubeconfig, server, namespace, rights, nodes; of extent `whole` at last a job in the platform's image, where it names one. `wire` is open
/// or not, and outlives the task.
[[nodiscard]] Task<Result<>> checkCluster(KubernetesWire* wire, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::kubernetes
