// SPDX-License-Identifier: GPL-3.0-or-later
// What a request to a cluster shows of us, beside a client certificate: values.
#pragma once

#include "kubeconfig.h"

#include <QHash>

#include <variant>

namespace platforms::kubernetes {

struct NoCredentials
{
};
struct StaticToken
{
    QByteArray token;
};
struct TokenFile
{
    QString path;
    QByteArray first; ///< while the file cannot be read; empty: none
};
struct BasicLogin
{
    QByteArray user;
    QByteArray password;
};
struct PluginLogin
{
    ExecPlugin plugin;
    Json cluster; ///< `spec.cluster` of its input (provideClusterInfo); null: not passed
};
/// Of an account of an OpenID Connect provider.
struct OidcTokens
{
    QByteArray id;      ///< shown to the cluster; empty: there is none
    QByteArray refresh; ///< for another one; empty: there is none

    bool operator==(const OidcTokens&) const = default;
};
/// Such an account (auth-provider oidc). Its ID token is renewed where issuer, client and a refresh token are known.
struct OidcLogin
{
    QString user; ///< its entry in the kubeconfig
    QString file; ///< that holds the entry; renewed tokens are written there
    QString issuer;
    QString clientId;
    QByteArray clientSecret; ///< empty: the client has none
    OidcTokens tokens;
    QByteArray authorities; ///< PEM, of the provider; they alone are trusted then. Empty: those of the system
    QHash<QString, QString> environment; ///< names the proxy to the provider
};
using KubeCredentials = std::variant<NoCredentials, StaticToken, TokenFile, BasicLogin, PluginLogin, OidcLogin>;

} // namespace platforms::kubernetes
