// SPDX-License-Identifier: GPL-3.0-or-later
// A trial of several pods: what each role of it is. Pure.
#pragma once

#include "workload.h"

#include "services/platforms/kubernetes/jobs/pod_template.h"

namespace platforms::kubernetes {

struct RoleValues
{
    QString name; ///< roleName()
    int count = 1;
    PodValues pod;               ///< `containerName` is set where the manifest is made
    CompletionPolicy completion; ///< of a framework
};

/// What objects of all kinds need.
struct WorkloadValues
{
    QString name; ///< workloadName()
    QMap<QString, QString> labels;
    QList<RoleValues> roles;
    qint64 deadlineSeconds = 0; ///< from its start; 0: none
};

/// The pod of a role, with the container called as the kind's operator wants it, also in the person's template.
[[nodiscard]] Result<Json> rolePod(WorkloadKind kind, PodValues values);
[[nodiscard]] QList<RoleSize> sizesOf(const QList<RoleValues>& roles);

/// Whether roles of the kind can be called so, and be so many. Kind::invalid with a sentence that names the role.
[[nodiscard]] Result<> checkRoleName(WorkloadKind kind, const QString& name);
[[nodiscard]] Result<> checkRoleCount(WorkloadKind kind, const RoleSize& role);
/// What an operator would refuse, or would never end: no role, one that it does not know, one twice, a count that it does not allow, a
/// missing launcher. Kind::invalid with a sentence that names the role.
[[nodiscard]] Result<> checkRoles(WorkloadKind kind, const QList<RoleSize>& roles);

} // namespace platforms::kubernetes
