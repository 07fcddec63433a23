// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/kubernetes/kube_access.h"

/// Files of a test, by path.
struct KubeFiles
{
    QHash<QString, QByteArray> files;

    [[nodiscard]] platforms::kubernetes::KubeFileReader reader() const
    {
        return [files = files](const QString& path) -> core::Result<QByteArray> {
            if (!files.contains(path))
                return core::fail(core::Kind::not_found,
                    core::Message::fromKey(QStringLiteral("The file %1 is not there.")).arg(path));
            return files.value(path);
        };
    }
};

/// A kubeconfig of one context `lab` with the members of cluster, user and context as YAML of one line each.
[[nodiscard]] inline QByteArray kubeconfigText(
    const QByteArray& cluster, const QByteArray& user, const QByteArray& context = "cluster: c, user: u")
{
    return "apiVersion: v1\nkind: Config\ncurrent-context: lab\n"
           "clusters:\n- {name: c, cluster: {"
        + cluster + "}}\nusers:\n- {name: u, user: {" + user + "}}\ncontexts:\n- {name: lab, context: {" + context
        + "}}\n";
}

/// All text of the access that a person may see, and of an error.
[[nodiscard]] inline QString shownAccess(const core::Result<platforms::kubernetes::KubeAccess>& access)
{
    if (!access)
        return core::kindName(access.error().kind) + QStringLiteral(": ") + access.error().message.text()
            + access.error().detail;
    QStringList words;
    for (const core::Message& warning : access->warnings)
        words += warning.text();
    return words.join(u'\n');
}
