// SPDX-License-Identifier: GPL-3.0-or-later
#include "namespace_objects.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/kubernetes/facts/job_view.h"
#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/platforms/kubernetes/operators/workload_kind.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int deletionsAtOnce = 8;

Json deleteOptions(const KubeResource& resource, const QString& uid)
{
    QString policy = u"Background"_s;
    for (const WorkloadTraits& traits : workloadTraits())
        if (resource.group == traits.group && resource.plural == traits.plural)
            policy = deletionPolicy(traits.kind);
    return {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"propagationPolicy", policy.toStdString()},
        {"preconditions", {{"uid", uid.toStdString()}}}};
}

} // namespace

NamespaceObjects::NamespaceObjects(KubeClient* client, QString inNamespace, QString serviceId, std::stop_token stop)
    : m_client(client)
    , m_namespace(std::move(inNamespace))
    , m_serviceId(std::move(serviceId))
    , m_stop(std::move(stop))
{
}

KubeTarget NamespaceObjects::target(const KubeResource& resource, const QString& name) const
{
    return {resource, m_namespace, name, {}};
}

Task<Result<Json>> NamespaceObjects::get(KubeTarget target, KubeParameters parameters)
{
    const Result<QByteArray> path = kubePath(target);
    if (!path)
        co_return fail(path);
    auto getting = getPath(withParameters(*path, parameters));
    co_return co_await getting;
}

Task<Result<Json>> NamespaceObjects::getPath(QByteArray path)
{
    transport::HttpRequest request;
    request.target = std::move(path);
    request.accept = "application/json";
    request.attempts = 2;
    auto sending = m_client->send(std::move(request), m_stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(refusalOf(*reply).error);
    co_return reply->json;
}

Task<Result<Json>> NamespaceObjects::post(KubeTarget target, Json object)
{
    const Result<QByteArray> path = kubePath(target);
    if (!path)
        co_return fail(path);
    transport::HttpRequest request;
    request.method = "POST";
    request.target = *path;
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = dumpJson(object);
    auto sending = m_client->send(std::move(request), m_stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(refusalOf(*reply).error);
    co_return reply->json;
}

Task<Result<>> NamespaceObjects::drop(KubeResource resource, QString name)
{
    const Result<QByteArray> path = kubePath(target(resource, name));
    if (!path)
        co_return fail(path);
    // Somebody else may have made one of this name, before or since.
    auto asking = getPath(*path);
    const Result<Json> there = co_await asking;
    if (!there && there.error().kind == Kind::not_found)
        co_return Result<>{};
    if (!there)
        co_return fail(there);
    const std::optional<JobView> object = readJob(*there); // any object has a name and labels
    if (!object || object->labels.value(QString::fromLatin1(serviceLabel)) != m_serviceId)
        co_return Result<>{};
    transport::HttpRequest request;
    request.method = "DELETE";
    request.target = *path;
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = dumpJson(deleteOptions(resource, object->uid));
    request.isRepeatable = true;
    auto sending = m_client->send(std::move(request), m_stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (reply->isOk())
        co_return Result<>{};
    const Error refused = refusalOf(*reply).error;
    if (refused.kind == Kind::not_found)
        co_return Result<>{};
    co_return tl::unexpected(Error(refused));
}

Task<Result<QList<NamedObject>>> NamespaceObjects::listed(KubeResource resource, QMap<QString, QString> labels)
{
    const Result<QString> selector = labelSelector(pairsOf(labels));
    if (!selector)
        co_return fail(selector);
    QList<NamedObject> objects;
    QString next;
    do {
        const KubeParameters parameters{{"labelSelector", *selector}, {"limit", u"500"_s}, {"continue", next}};
        auto asking = get(target(resource), parameters);
        const Result<Json> page = co_await asking;
        if (!page)
            co_return fail(page);
        const Json* items = memberOf(*page, "items");
        if (!items || !items->is_array())
            co_return fail(Kind::network, u"The cluster's list is incomplete. It is asked again."_m);
        for (const Json& item : *items)
            if (const auto object = readJob(item); object && !object->isDeleting) // any object has a name and labels
                objects.append({object->name, trialOf(m_serviceId, object->labels)});
        const Json* metadata = memberOf(*page, "metadata");
        next = metadata ? textOf(*metadata, "continue") : QString();
    } while (!next.isEmpty());
    co_return objects;
}

Task<Result<>> NamespaceObjects::dropThese(KubeResource resource, QStringList names)
{
    const std::function<Task<Result<>>(QString)> one = [this, resource](
                                                           QString name) { return drop(resource, std::move(name)); };
    auto dropping = inTurns<Result<>>(std::move(names), deletionsAtOnce, one);
    const std::vector<Result<>> results = co_await dropping;
    for (const Result<>& result : results)
        if (!result)
            co_return result;
    co_return Result<>{};
}

Task<Result<>> NamespaceObjects::dropAll(KubeResource resource, QMap<QString, QString> labels)
{
    auto listing = listed(resource, labels);
    const Result<QList<NamedObject>> objects = co_await listing;
    if (!objects)
        co_return fail(objects);
    QStringList names;
    for (const NamedObject& object : *objects)
        names.append(object.name);
    auto dropping = dropThese(resource, std::move(names));
    co_return co_await dropping;
}

} // namespace platforms::kubernetes
