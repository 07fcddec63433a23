// SPDX-License-Identifier: GPL-3.0-or-later
// Where clusters are and who asks them, as kubectl's files say it. Pure.
#pragma once

#include "kube_json.h"

#include <QList>
#include <QMap>

namespace platforms::kubernetes {

/// A certificate or key: in the kubeconfig itself, or in a file beside it.
struct PemPlace
{
    QString data; ///< base64, as it stands there; wins over `path`
    QString path; ///< absolute

    [[nodiscard]] bool isEmpty() const { return data.isEmpty() && path.isEmpty(); }
    bool operator==(const PemPlace&) const = default;
};

struct ConfigCluster
{
    QString name;
    QString file; ///< that names it
    QString server;
    PemPlace authority;
    bool isInsecure = false;
    QString serverName;
    QString proxyUrl;
    Json pluginConfig; ///< what an exec plugin is told; null: nothing
};

/// A program that gives credentials.
struct ExecPlugin
{
    QString command; ///< absolute, or a bare name for PATH
    QStringList arguments;
    QList<std::pair<QString, QString>> environment;
    QString apiVersion;
    QString interactiveMode;
    QString installHint;
    bool wantsCluster = false;
};

struct AuthProvider
{
    QString name;
    QMap<QString, QString> config;
};

/// For whom the account acts.
struct Impersonation
{
    QString user;
    QString uid;
    QStringList groups;
    QList<std::pair<QString, QStringList>> extra;

    [[nodiscard]] bool isEmpty() const
    {
        return user.isEmpty() && uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
    }
};

struct ConfigUser
{
    QString name;
    QString file;
    PemPlace certificate;
    PemPlace key;
    QString token;
    QString tokenFile; ///< absolute
    QString userName;
    QString password;
    std::optional<ExecPlugin> exec;
    std::optional<AuthProvider> provider;
    Impersonation impersonation;
};

struct ConfigContext
{
    QString name;
    QString file;
    QString cluster;
    QString user;
    QString inNamespace; ///< empty: `default`

    bool operator==(const ConfigContext&) const = default;
};

/// Names are unique in each list.
struct Kubeconfig
{
    QString currentContext; ///< empty: none
    QList<ConfigContext> contexts;
    QList<ConfigCluster> clusters;
    QList<ConfigUser> users;
    QStringList files; ///< that were read
};

/// One file's text. `file`: its absolute path, for sentences and for what is relative to its folder. Kind::invalid names the file, the
/// line and the member; a value that may be a secret stands in no sentence.
[[nodiscard]] Result<Kubeconfig> readKubeconfig(QByteArrayView text, const QString& file);

/// The first one that defines a name wins with the whole entry, and the first current context.
[[nodiscard]] Kubeconfig mergedKubeconfigs(const QList<Kubeconfig>& configs);

/// For a form: all names, the current context first.
[[nodiscard]] QStringList contextNames(const Kubeconfig& config);
/// For a form, where the cluster does not tell: those that the contexts of the same cluster name, that of `context` first.
[[nodiscard]] QStringList namespacesOf(const Kubeconfig& config, const QString& context);

} // namespace platforms::kubernetes
