// SPDX-License-Identifier: GPL-3.0-or-later
#include "object_list.h"

#include "watch_lines.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

std::optional<KubeObject> readObject(const Json& object, const SlimObject& slim, bool allNamespaces)
{
    KubeObject read;
    const QString name = metadataOf(object, "name");
    if (name.isEmpty())
        return std::nullopt;
    read.key = allNamespaces ? metadataOf(object, "namespace") + u'/' + name : name;
    read.uid = metadataOf(object, "uid");
    read.version = metadataOf(object, "resourceVersion");
    read.kept = slim(object);
    return read;
}

Result<ObjectPage> readObjectPage(const QByteArray& body, const SlimObject& slim, bool allNamespaces)
{
    Result<Json> json = parseJson(body);
    if (!json)
        return fail(Kind::network, u"The list of the API server is damaged: it is no valid JSON."_m,
            u"%1 bytes"_s.arg(body.size()));
    const auto items = json->is_object() ? json->find("items") : json->end();
    ObjectPage page;
    page.version = metadataOf(*json, "resourceVersion");
    page.next = metadataOf(*json, "continue");
    // A list of nothing has `items: null` on some servers.
    if (page.version.isEmpty() || items == json->end() || !(items->is_array() || items->is_null()))
        return fail(Kind::platform,
            u"What answers there is no API server of Kubernetes: it sent no list. Check the server's address."_m,
            u"%1 bytes"_s.arg(body.size()));
    page.objects.reserve(qsizetype(items->size()));
    for (Json& item : *items) {
        dropManagedFields(item);
        if (std::optional<KubeObject> object = readObject(item, slim, allNamespaces))
            page.objects.append(*std::move(object));
    }
    return page;
}

} // namespace platforms::kubernetes
