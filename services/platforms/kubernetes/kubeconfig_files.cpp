// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig_files.h"

#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

const QString accountFolder = u"/var/run/secrets/kubernetes.io/serviceaccount"_s;

QString expanded(const QString& path, const KubeSurroundings& surroundings)
{
    return path.startsWith("~/"_L1) ? surroundings.home + path.mid(1) : path;
}

/// The service account of a pod. Nothing where this is none.
std::optional<Kubeconfig> inClusterConfig(const KubeSurroundings& surroundings, const KubeFileReader& read)
{
    QString host = surroundings.environment.value(u"KUBERNETES_SERVICE_HOST"_s);
    const QString port = surroundings.environment.value(u"KUBERNETES_SERVICE_PORT"_s);
    if (host.isEmpty() || port.isEmpty())
        return std::nullopt;
    if (host.contains(u':') && !host.startsWith(u'['))
        host = u'[' + host + u']';
    const QString name = inClusterContext.toString();
    ConfigCluster cluster;
    cluster.name = name;
    cluster.file = accountFolder;
    cluster.server = u"https://%1:%2"_s.arg(host, port);
    cluster.authority.path = accountFolder + u"/ca.crt"_s;
    ConfigUser user;
    user.name = name;
    user.file = accountFolder;
    user.tokenFile = accountFolder + u"/token"_s;
    ConfigContext context{name, accountFolder, name, name, surroundings.environment.value(u"POD_NAMESPACE"_s)};
    if (context.inNamespace.isEmpty())
        if (const Result<QByteArray> own = read(accountFolder + u"/namespace"_s))
            context.inNamespace = QString::fromUtf8(own->trimmed());
    return Kubeconfig{name, {context}, {cluster}, {user}, {accountFolder}};
}

} // namespace

KubeSurroundings systemSurroundings()
{
    KubeSurroundings surroundings{QDir::homePath(), QDir::currentPath(), {}};
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& name : environment.keys())
        surroundings.environment.insert(name, environment.value(name));
    return surroundings;
}

Result<QByteArray> readKubeFile(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return fail(Kind::not_found, u"The file %1 is not there."_m.arg(path));
    if (info.isDir())
        return fail(Kind::invalid, u"%1 is a folder, not a file."_m.arg(path));
    if (!info.isFile()) // a pipe would be waited for
        return fail(Kind::invalid, u"%1 is no ordinary file."_m.arg(path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Kind::invalid, u"The file %1 cannot be read: %2"_m.arg(path, file.errorString()));
    const QByteArray bytes = file.read(maxKubeFileBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return fail(Kind::invalid, u"The file %1 cannot be read: %2"_m.arg(path, file.errorString()));
    if (bytes.size() > maxKubeFileBytes)
        return fail(Kind::invalid, u"The file %1 is larger than 1 MiB, more than is read."_m.arg(path));
    return bytes;
}

Result<KubeconfigPaths> kubeconfigPaths(const QString& given, const KubeSurroundings& surroundings)
{
    if (const QString path = expanded(given.trimmed(), surroundings); !path.isEmpty()) {
        if (!QDir::isAbsolutePath(path))
            return fail(
                Kind::invalid, u"The path of the kubeconfig, %1, must be absolute, or begin with ~/."_m.arg(path));
        return KubeconfigPaths{{QDir::cleanPath(path)}, true};
    }
    KubeconfigPaths out;
    const QString list = surroundings.environment.value(u"KUBECONFIG"_s);
    for (const QString& entry : list.split(u':', Qt::SkipEmptyParts)) {
        const QString path = QDir::cleanPath(QDir(surroundings.folder).absoluteFilePath(entry));
        if (!out.paths.contains(path))
            out.paths += path;
    }
    if (out.paths.isEmpty() && !surroundings.home.isEmpty())
        out.paths += surroundings.home + u"/.kube/config"_s;
    return out;
}

Result<Kubeconfig> loadKubeconfig(
    const QString& given, const KubeSurroundings& surroundings, const KubeFileReader& read)
{
    const Result<KubeconfigPaths> places = kubeconfigPaths(given, surroundings);
    if (!places)
        return fail(places);
    QList<Kubeconfig> configs;
    for (const QString& path : places->paths) {
        const Result<QByteArray> text = read(path);
        if (!text && text.error().kind == Kind::not_found && !places->isGiven)
            continue;
        if (!text)
            return fail(text, u"The kubeconfig cannot be used"_m);
        Result<Kubeconfig> config = readKubeconfig(*text, path);
        if (!config)
            return config;
        configs.append(*std::move(config));
    }
    const Kubeconfig merged = mergedKubeconfigs(configs);
    if (!merged.contexts.isEmpty() || places->isGiven)
        return merged;
    if (const std::optional<Kubeconfig> own = inClusterConfig(surroundings, read))
        return *own;
    if (!configs.isEmpty())
        return merged;
    return fail(Kind::not_found,
        u"There is no kubeconfig: %1 is not there. Get one as the cluster's documentation says, or name its file in the settings."_m
            .arg(places->paths.join(u", "_s)));
}

} // namespace platforms::kubernetes
