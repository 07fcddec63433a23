// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_check.h"

#include "kubernetes_wire.h"

#include "services/core/printable.h"
#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/kubernetes/facts/kube_quantity.h"
#include "services/platforms/kubernetes/jobs/job_options.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

struct OneRight
{
    NeededRight right;
    QByteArray verb;

    [[nodiscard]] QString text() const
    {
        const QString sub = right.subresource.isEmpty() ? QString() : u'/' + QString::fromLatin1(right.subresource);
        return QString::fromLatin1(verb) + u' ' + resourceText(right.resource) + sub;
    }
};

Json reviewOf(const OneRight& one, const QString& inNamespace)
{
    Json attributes = {{"namespace", inNamespace.toStdString()}, {"verb", one.verb.toStdString()},
        {"group", one.right.resource.group.toStdString()}, {"resource", one.right.resource.plural.toStdString()}};
    if (!one.right.subresource.isEmpty())
        attributes["subresource"] = one.right.subresource.toStdString();
    return {{"apiVersion", "authorization.k8s.io/v1"}, {"kind", "SelfSubjectAccessReview"},
        {"spec", {{"resourceAttributes", std::move(attributes)}}}};
}

/// What the account may not do, in kubectl's words.
Task<Result<QStringList>> missingRights(KubernetesWire* wire)
{
    QList<OneRight> all;
    for (const NeededRight& right : neededRights())
        for (const QByteArray& verb : right.verbs)
            all.append({right, verb});
    const std::function<Task<Result<Json>>(OneRight)> ask = [wire](OneRight one) {
        const KubeResource reviews{"authorization.k8s.io", "v1", "selfsubjectaccessreviews"};
        return wire->objects().post({reviews, {}, {}, {}}, reviewOf(one, wire->objects().inNamespace()));
    };
    auto asking = inTurns<Result<Json>>(all, 4, ask);
    const std::vector<Result<Json>> answers = co_await asking;
    QStringList missing;
    for (size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i])
            co_return fail(answers[i]);
        const Json* status = memberOf(*answers[i], "status");
        const Json* allowed = status ? memberOf(*status, "allowed") : nullptr;
        if (!allowed || !allowed->is_boolean() || !allowed->get<bool>())
            missing.append(all.at(qsizetype(i)).text());
    }
    co_return missing;
}

/// How many GPUs the nodes have.
Message nodesText(const Json& list, const QString& gpuResource)
{
    qint64 nodes = 0;
    qint64 gpus = 0;
    if (const Json* items = memberOf(list, "items"); items && items->is_array())
        for (const Json& item : *items) {
            ++nodes;
            const Json* status = memberOf(item, "status");
            const Json* allocatable = status ? memberOf(*status, "allocatable") : nullptr;
            if (allocatable)
                gpus += quantityValue(textOf(*allocatable, gpuResource.toUtf8().constData())).value_or(0);
        }
    return u"nodes: %1; %2: %3"_m.arg(nodes).arg(gpuResource).arg(gpus);
}

} // namespace

QList<NeededRight> neededRights()
{
    const KubeResource maps{"", "v1", "configmaps"};
    return {{jobsResource(), {}, {"create", "get", "list", "watch", "delete"}},
        {podsResource(), {}, {"get", "list", "watch"}}, {podsResource(), "log", {"get"}},
        {eventsResource(), {}, {"list", "watch"}}, {maps, {}, {"create", "get", "list", "delete"}}};
}

QString roleText(const QString& inNamespace, const QString& account)
{
    QString rules;
    for (const NeededRight& right : neededRights()) {
        QStringList verbs;
        for (const QByteArray& verb : right.verbs)
            verbs.append(QString::fromLatin1(verb));
        const QString resource = QString::fromLatin1(right.resource.plural)
            + (right.subresource.isEmpty() ? QString() : u'/' + QString::fromLatin1(right.subresource));
        rules += u"- apiGroups: [\"%1\"]\n  resources: [%2]\n  verbs: [%3]\n"_s.arg(
            QString::fromLatin1(right.resource.group), resource, verbs.join(u", "_s));
    }
    return u"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: trialdeck\n  namespace: "
           u"%1\nrules:\n%2"
           "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: trialdeck\n  "
           "namespace: %1\n"
           "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: Role\n  name: trialdeck\n"
           "subjects:\n- apiGroup: rbac.authorization.k8s.io\n  kind: User\n  name: %3\n"_s.arg(
               inNamespace, rules, account);
}

Task<Result<>> checkCluster(KubernetesWire* wire, OperationId request, CheckExtent extent, Sink* sink)
{
    Result<> all;
    const auto step = [&](const QString& id, const Message& title, const Result<Message>& said, const Message& remedy) {
        CheckStep one{id, title, said ? CheckState::ok : CheckState::fail, said ? *said : said.error().message,
            said ? Message() : remedy, {}};
        sink->finding(request, one);
        if (!said && all)
            all = fail(said);
    };
    JobValues values;
    const Result<> options = applyOptions(values, wire->settings(), Json::object());
    if (!options) {
        step(u"settings"_s, u"Settings"_m, fail(options), u"Correct the setting."_m);
        co_return all;
    }
    auto connecting = wire->connectClient();
    const Result<> connected = co_await connecting;
    step(u"kubeconfig"_s, u"Kubeconfig"_m,
        connected ? Result<Message>(u"context %1 of %2, namespace %3"_m.arg(
            wire->access().context, wire->access().file, wire->objects().inNamespace()))
                  : Result<Message>(fail(connected)),
        u"`kubectl config get-contexts` shows what there is."_m);
    if (!connected)
        co_return all;
    for (const Message& warning : wire->access().warnings)
        sink->finding(request, CheckStep{u"kubeconfig"_s, u"Kubeconfig"_m, CheckState::warn, warning, {}, {}});

    auto versioning = wire->objects().getPath("/version");
    const Result<Json> version = co_await versioning;
    step(u"server"_s, u"API server"_m,
        version ? Result<Message>(u"Kubernetes %1"_m.arg(core::printable(textOf(*version, "gitVersion"), 60)))
                : Result<Message>(fail(version)),
        u"`kubectl version` must work from this computer; look at the server's address, the proxy and the certificate."_m);
    if (!version)
        co_return all;

    auto listing = wire->objects().get(wire->objects().target(jobsResource()), {{"limit", u"1"_s}});
    const Result<Json> jobs = co_await listing;
    if (!jobs && jobs.error().kind == Kind::not_found)
        step(u"namespace"_s, u"Namespace"_m, fail(jobs), u"`kubectl get namespaces` shows which there are."_m);

    auto asking = missingRights(wire);
    const Result<QStringList> missing = co_await asking;
    const Result<Message> rights = !missing ? Result<Message>(fail(missing))
        : missing->isEmpty()
        ? Result<Message>(u"the account may do what is needed in %1"_m.arg(wire->objects().inNamespace()))
        : fail(Kind::auth, u"the account may not: %1"_m.arg(missing->join(u", "_s)));
    step(u"rights"_s, u"Rights"_m, rights,
        u"Ask the cluster's administrators to apply this:\n%1"_m.arg(
            roleText(wire->objects().inNamespace(), wire->access().user)));

    auto looking = wire->objects().get({nodesResource(), {}, {}, {}}, {{"limit", u"1000"_s}});
    const Result<Json> nodes = co_await looking;
    // Not needed: trials run without it, but what is free cannot be shown.
    sink->finding(request,
        nodes ? CheckStep{u"nodes"_s, u"Nodes"_m, CheckState::ok, nodesText(*nodes, values.gpuResource), {}, {}}
              : CheckStep{u"nodes"_s, u"Nodes"_m, CheckState::warn,
                  u"the account may not see them, so the machines page stays empty"_m,
                  u"A ClusterRole with get, list and watch of nodes shows them; trials run without it."_m, {}});
    if (!all || extent == CheckExtent::look)
        co_return all;
    if (values.image.isEmpty()) {
        sink->finding(request,
            CheckStep{u"job"_s, u"Test job"_m, CheckState::warn, u"not run: the settings name no image"_m,
                u"Name a container image in the settings to have a job run at each check."_m, {}});
        co_return all;
    }
    auto opening = wire->open();
    const Result<> opened = co_await opening;
    Result<Message> tested = opened ? Result<Message>(Message()) : Result<Message>(fail(opened));
    if (opened) {
        auto testing = wire->runTestJob();
        tested = co_await testing;
    }
    step(u"job"_s, u"Test job"_m, tested, u"`kubectl describe` of the job and its pod says more."_m);
    co_return all;
}

} // namespace platforms::kubernetes
