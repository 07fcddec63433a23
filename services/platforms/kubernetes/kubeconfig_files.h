// SPDX-License-Identifier: GPL-3.0-or-later
// Which kubeconfig counts: the given one, those of KUBECONFIG, the person's own, or the service account of the pod that this runs in.
#pragma once

#include "kubeconfig.h"

#include <QHash>

#include <functional>

namespace platforms::kubernetes {

/// What decides beside the settings.
struct KubeSurroundings
{
    QString home;
    QString folder; ///< that relative paths of KUBECONFIG are relative to
    QHash<QString, QString> environment;
};
[[nodiscard]] KubeSurroundings systemSurroundings();

/// The bytes of a file. Kind::not_found: it is not there. Any other error is a sentence that names it.
using KubeFileReader = std::function<Result<QByteArray>(const QString& path)>;

inline constexpr qint64 maxKubeFileBytes = 1024 * 1024; ///< of a kubeconfig, certificate, key or token
/// From the disk: waits for it, so on a strand.
[[nodiscard]] Result<QByteArray> readKubeFile(const QString& path);

struct KubeconfigPaths
{
    QStringList paths;
    bool isGiven = false; ///< by the settings: it must be there

    bool operator==(const KubeconfigPaths&) const = default;
};
/// `given`: of the settings, absolute or with `~/`; empty: none. Kind::invalid: it is relative.
[[nodiscard]] Result<KubeconfigPaths> kubeconfigPaths(const QString& given, const KubeSurroundings& surroundings);

/// All that counts, merged. Kind::not_found when there is none, and this is no pod.
[[nodiscard]] Result<Kubeconfig> loadKubeconfig(
    const QString& given, const KubeSurroundings& surroundings, const KubeFileReader& read);

inline constexpr QStringView inClusterContext = u"in-cluster"; ///< the context's name of a pod's service account

} // namespace platforms::kubernetes
