// SPDX-License-Identifier: GPL-3.0-or-later
// Where a cloud of Azure has its parts: the public one, those of single countries, or one that the settings name themselves. Pure.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

#include <QStringList>
#include <QUrl>

namespace platforms::azure {

struct AzureCloud
{
    QUrl management;  ///< of Azure Resource Manager
    QUrl login;       ///< of Entra ID
    QUrl studio;      ///< of Azure Machine Learning, for a person
    QString resource; ///< whose tokens Resource Manager takes; ends with a slash

    [[nodiscard]] QString scope() const { return resource + QStringLiteral(".default"); }
};

/// The words of the setting `cloud`.
[[nodiscard]] QStringList cloudNames();

/// Of the settings `cloud` and, where they are given, `armEndpoint` and `loginEndpoint`. Kind::invalid names the setting.
[[nodiscard]] Result<AzureCloud> azureCloud(const Json& settings);

} // namespace platforms::azure
