// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"
#include "services/platforms/kubernetes/kube_client.h"
#include "services/platforms/kubernetes/kube_paths.h"

namespace platforms::kubernetes {

struct NamedObject
{
    QString name;
    TrialId trial; ///< by its labels; empty: of none
};

/// Single requests about objects of one service in one namespace. Errors are those of refusalOf(). On the service thread.
class NamespaceObjects
{
public:
    /// `client` outlives this; `stop` ends what is under way with Kind::cancelled.
    NamespaceObjects(KubeClient* client, QString inNamespace, QString serviceId, std::stop_token stop);

    [[nodiscard]] const QString& inNamespace() const { return m_namespace; }
    /// An object of this namespace; without a name all of them.
    [[nodiscard]] KubeTarget target(const KubeResource& resource, const QString& name = {}) const;
    [[nodiscard]] Task<Result<Json>> get(KubeTarget target, KubeParameters parameters = {});
    [[nodiscard]] Task<Result<Json>> getPath(QByteArray path);
    [[nodiscard]] Task<Result<Json>> post(KubeTarget target, Json object);
    /// DELETE, with what belongs to it (a Job's pods would stay otherwise). One that is gone is no error; one that
    /// is not this service's stays, and is none either.
    [[nodiscard]] Task<Result<>> drop(KubeResource resource, QString name);
    /// Those with these labels, which must name the service. Without those that are being deleted: one that goes after its pods stays
    /// listed for a while.
    [[nodiscard]] Task<Result<QList<NamedObject>>> listed(KubeResource resource, QMap<QString, QString> labels);
    /// drop() of all of them; all are tried, and the first error is returned.
    [[nodiscard]] Task<Result<>> dropAll(KubeResource resource, QMap<QString, QString> labels);
    [[nodiscard]] Task<Result<>> dropThese(KubeResource resource, QStringList names);

private:
    KubeClient* m_client;
    const QString m_namespace;
    const QString m_serviceId;
    const std::stop_token m_stop;
};

} // namespace platforms::kubernetes
