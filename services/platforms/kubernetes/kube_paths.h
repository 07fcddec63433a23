// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of the API server, and the names that may stand in them. Pure.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>

namespace platforms::kubernetes {

using namespace core;

/// A kind of object as paths name it.
struct KubeResource
{
    QByteArray group; ///< empty: the core group
    QByteArray version = "v1";
    QByteArray plural;

    bool operator==(const KubeResource&) const = default;
};
[[nodiscard]] inline KubeResource podsResource()
{
    return {"", "v1", "pods"};
}
[[nodiscard]] inline KubeResource jobsResource()
{
    return {"batch", "v1", "jobs"};
}
[[nodiscard]] inline KubeResource eventsResource()
{
    return {"", "v1", "events"};
}
[[nodiscard]] inline KubeResource nodesResource()
{
    return {"", "v1", "nodes"};
}
[[nodiscard]] inline KubeResource namespacesResource()
{
    return {"", "v1", "namespaces"};
}
/// `jobs.batch`, as kubectl and the server's own sentences name it.
[[nodiscard]] QString resourceText(const KubeResource& resource);

struct KubeTarget
{
    KubeResource resource;
    QString inNamespace;    ///< empty: all namespaces, or a resource that has none
    QString name;           ///< of one object; empty: all
    QByteArray subresource; ///< `log`, `exec`, `status`; only with a name

    bool operator==(const KubeTarget&) const = default;
};

/// `/apis/batch/v1/namespaces/ml/jobs/x`. Kind::invalid for a name that is none, so that no name can lead elsewhere.
[[nodiscard]] Result<QByteArray> kubePath(const KubeTarget& target);

using KubeParameters = QList<std::pair<QByteArray, QString>>;
/// The path with its query; values are percent-encoded as a whole, empty ones left out.
[[nodiscard]] QByteArray withParameters(const QByteArray& path, const KubeParameters& parameters);

/// `a=b,c=d`. Kind::invalid for a key or value that no label can have, and for no label at all: a selector of nothing selects everything.
[[nodiscard]] Result<QString> labelSelector(const QList<std::pair<QString, QString>>& labels);

/// RFC 1123, as Kubernetes reads it: at most 63 of `a-z 0-9 -`, a letter or digit at both ends. Namespaces, and what names are made of.
[[nodiscard]] bool isDnsLabel(QStringView text);
/// Labels joined by dots, at most 253 characters: names of most objects.
[[nodiscard]] bool isDnsSubdomain(QStringView text);
/// Empty, or at most 63 of `A-Z a-z 0-9 - _ .`, a letter or digit at both ends.
[[nodiscard]] bool isLabelValue(QStringView text);
/// `name` or `domain/name`.
[[nodiscard]] bool isLabelKey(QStringView text);

} // namespace platforms::kubernetes
