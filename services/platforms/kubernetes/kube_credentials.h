// SPDX-License-Identifier: GPL-3.0-or-later
// What a request to a cluster shows of us, beside a client certificate: values.
#pragma once

#include "kubeconfig.h"

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
/// An ID token of an OpenID Connect provider, which is used until it expires.
struct IdToken
{
    QByteArray token;
};
using KubeCredentials = std::variant<NoCredentials, StaticToken, TokenFile, BasicLogin, PluginLogin, IdToken>;

} // namespace platforms::kubernetes
