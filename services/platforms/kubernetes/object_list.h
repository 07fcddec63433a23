// SPDX-License-Identifier: GPL-3.0-or-later
// One page of a list, made small. Pure, and on any thread.
#pragma once

#include "kube_json.h"

#include <QList>

#include <functional>

namespace platforms::kubernetes {

/// What is kept of an object. Called on other threads, too, so it uses nothing but its argument.
using SlimObject = std::function<Json(const Json& object)>;

struct KubeObject
{
    QString key; ///< the name; `namespace/name` where all namespaces are listed
    QString uid; ///< another object of the same name has another one
    QString version;
    Json kept;

    bool operator==(const KubeObject&) const = default;
};

/// Nothing for an object without a name. managedFields never reach `slim`.
[[nodiscard]] std::optional<KubeObject> readObject(const Json& object, const SlimObject& slim, bool allNamespaces);

struct ObjectPage
{
    QList<KubeObject> objects;
    QString version; ///< of the whole list: where a watch goes on
    QString next;    ///< for the parameter `continue`; empty: this is the last page
};

/// Kind::network for a body that is damaged, Kind::platform for one that is no list. Neither says what stands in it.
[[nodiscard]] Result<ObjectPage> readObjectPage(const QByteArray& body, const SlimObject& slim, bool allNamespaces);

} // namespace platforms::kubernetes
