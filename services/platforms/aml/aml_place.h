// SPDX-License-Identifier: GPL-3.0-or-later
// Which workspace of Azure Machine Learning settings mean, and the paths of Azure Resource Manager in it. Pure.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

namespace platforms::aml {

/// The version of Azure ML's part of Resource Manager that is spoken here; each target has it.
inline constexpr const char* apiVersion = "api-version=2023-10-01";

struct WorkspacePlace
{
    QString subscription;
    QString group; ///< resource group
    QString workspace;

    /// `/subscriptions/…/workspaces/NAME`, as other objects name it; not encoded.
    [[nodiscard]] QString id() const;
    /// Of the service in a resource group, without the workspace.
    [[nodiscard]] QString providerId() const;
    [[nodiscard]] QString computeId(const QString& compute) const
    {
        return id() + QStringLiteral("/computes/") + compute;
    }

    bool operator==(const WorkspacePlace&) const = default;
};

/// From `subscriptionId`, `resourceGroup` and `workspaceName`. Kind::invalid names the one that cannot be.
[[nodiscard]] Result<WorkspacePlace> workspacePlace(const Json& settings);

/// An id of an object as a target, percent-encoded, with the version of the API.
[[nodiscard]] QByteArray targetOf(const QString& id, const QByteArray& query = {});
/// The last part of an id, which is the object's name; ids come back in other cases than they were sent in.
[[nodiscard]] QString nameIn(const QString& id);

} // namespace platforms::aml
