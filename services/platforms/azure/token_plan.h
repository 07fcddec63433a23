// SPDX-License-Identifier: GPL-3.0-or-later
// How tokens of Entra ID are got, from settings and environment. Pure.
#pragma once

#include "azure_cloud.h"

#include "services/transport/ssh/secret.h"

#include <QProcessEnvironment>

namespace platforms::azure {

enum class TokenWay {
    azCli,           ///< the program `az`, in which a person has logged in
    deviceCode,      ///< a person enters a code on a page of Microsoft's
    clientSecret,    ///< an application with its secret
    clientAssertion, ///< an application with a token of another provider, in a file that something renews
    managedIdentity, ///< the identity of the machine in Azure that the service runs on
};

struct TokenPlan
{
    TokenWay way = TokenWay::azCli;
    QUrl login;       ///< of Entra ID
    QString resource; ///< that the token is for; ends with a slash
    QString tenant;   ///< empty: that of az; else an id, a domain, or `organizations`
    QString clientId; ///< of the application; of a managed identity one of several, or empty
    transport::Secret clientSecret;
    QString assertionFile;
    transport::Secret refreshToken; ///< of an earlier login with a code; empty: there was none
    QUrl identityAddress;           ///< of the managed identity's service, with its path
    transport::Secret
        identityHeader; ///< X-IDENTITY-HEADER of App Service and of Azure ML's computes; empty: IMDS of a virtual machine
    QByteArray authorities; ///< PEM of Entra ID's authorities; empty: those of the system

    [[nodiscard]] QString scope() const { return resource + QStringLiteral(".default"); }
};

/// The application that Azure's own command line logs in as: public, and known in each organization.
inline constexpr const char* publicClientId = "04b07795-8ddb-461a-bbee-02f9e1bf7b46";
/// Any account of work or school.
inline constexpr const char* anyTenant = "organizations";

/// Words of the setting `auth`: azcli, devicecode, serviceprincipal, managedidentity, environment.
[[nodiscard]] QStringList loginWays();

/// From the settings `auth`, `tenantId`, `clientId`, `clientSecret` and `refreshToken`. `environment` counts for a managed identity
/// (IDENTITY_ENDPOINT, IDENTITY_HEADER, AZURE_POD_IDENTITY_AUTHORITY_HOST), and for `environment` (AZURE_TENANT_ID, AZURE_CLIENT_ID,
/// AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE, AZURE_AUTHORITY_HOST). Kind::invalid names what is missing.
[[nodiscard]] Result<TokenPlan> tokenPlan(
    const Json& settings, const AzureCloud& cloud, const QProcessEnvironment& environment);

} // namespace platforms::azure
