// SPDX-License-Identifier: GPL-3.0-or-later
// Roles of a trial as a person writes them: a list, or a text with one in YAML or JSON. Pure.
//
//     - name: worker
//       count: 2
//       command: python3 train.py
//       image: pytorch/pytorch:2.3.0
//       cpu: 4
//       memory: 8 GB
//       gpus: 1
//
// Only the name is needed: what a role does not say is as the experiment and the platform say it, and its count is 1. Roles of a framework
// may have minFailed and minSucceeded, too: after how many tasks that failed, or succeeded, the trial has; -1: never.
#pragma once

#include "role_values.h"

namespace platforms::kubernetes {

inline constexpr int mostRoles = 32;

struct RoleText
{
    QString name; ///< roleName()
    int count = 1;
    QString command; ///< empty, and so on: as the experiment and the platform say
    QString image;
    std::optional<double> cpus;
    std::optional<qint64> memoryMb;
    std::optional<int> gpus;
    std::optional<int> minFailed, minSucceeded;

    bool operator==(const RoleText&) const = default;
};

/// Checked for the kind, also as a whole (checkRoles()). Of null and of an empty text the one role that the kind needs: the master, the
/// worker, the launcher. Kind::invalid with the place of each value that is wrong: `roles[1].count`.
[[nodiscard]] Result<QList<RoleText>> readRoles(WorkloadKind kind, const Json& roles);
/// An image that could be one; what it really is decides the node.
[[nodiscard]] bool isImageName(const QString& image);

/// The pods of the roles. `base`: what roles do not say, its command included, and the parameters that commands of roles name. `setup`: lines in front of a role's own command, as the base's
/// has them already; may be empty. Kind::invalid for a role without command or image.
[[nodiscard]] Result<QList<RoleValues>> roleValues(
    WorkloadKind kind, const QList<RoleText>& roles, const PodValues& base, const QByteArray& setup);

} // namespace platforms::kubernetes
