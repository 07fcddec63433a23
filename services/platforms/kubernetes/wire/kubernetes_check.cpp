// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_check.h"

#include "kubernetes_wire.h"

#include "services/core/printable.h"
#include "services/platforms/check_steps.h"
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

/// What the account may not do of it, in kubectl's words.
Task<Result<QStringList>> missingRights(KubernetesWire* wire, QList<NeededRight> rights, QString inNamespace)
{
    QList<OneRight> all;
    for (const NeededRight& right : rights)
        for (const QByteArray& verb : right.verbs)
            all.append({right, verb});
    const std::function<Task<Result<Json>>(OneRight)> ask = [wire, inNamespace](const OneRight& one) {
        const KubeResource reviews{"authorization.k8s.io", "v1", "selfsubjectaccessreviews"};
        return wire->objects().post({reviews, {}, {}, {}}, reviewOf(one, inNamespace));
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
    return nodes == 1 ? u"%1 × %2 on one node"_m.arg(gpus).arg(gpuResource)
                      : u"%1 × %2 on %3 nodes"_m.arg(gpus).arg(gpuResource).arg(nodes);
}

} // namespace

QList<NeededRight> neededRights(const QList<KubeResource>& trials)
{
    const KubeResource maps{"", "v1", "configmaps"};
    QList<NeededRight> all;
    for (const KubeResource& resource : trials)
        all.append({resource, {}, {"create", "get", "list", "watch", "delete"}});
    if (trials.contains(workloadResource(WorkloadKind::trainJob)))
        all.append({trainingRuntimesResource(), {}, {"create", "get", "delete"}});
    return all
        + QList<NeededRight>{{podsResource(), {}, {"get", "list", "watch"}}, {podsResource(), "log", {"get"}},
            {eventsResource(), {}, {"list", "watch"}}, {maps, {}, {"create", "get", "list", "delete"}}};
}

NeededRight sendingRight()
{
    return {podsResource(), "exec", {"get", "create"}};
}

/// Of a RoleBinding.
static QString subjectText(const QString& account)
{
    const QStringList parts = account.split(u':');
    if (parts.size() == 4 && account.startsWith("system:serviceaccount:"_L1))
        return u"- kind: ServiceAccount\n  namespace: %1\n  name: %2\n"_s.arg(parts.at(2), parts.at(3));
    return u"- apiGroup: rbac.authorization.k8s.io\n  kind: User\n  name: \"%1\"\n"_s.arg(account);
}

QString roleText(const QList<KubeResource>& trials, const QString& inNamespace, const QString& account)
{
    QString rules;
    for (const NeededRight& right : neededRights(trials) + QList<NeededRight>{sendingRight()}) {
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
           "subjects:\n%3"_s.arg(inNamespace, rules, subjectText(account));
}

/// Who the account is to the cluster; what the kubeconfig calls it, where older servers do not tell.
static Task<QString> accountOf(KubernetesWire* wire)
{
    const KubeResource reviews{"authentication.k8s.io", "v1", "selfsubjectreviews"};
    Json review = {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "SelfSubjectReview"}};
    auto asking = wire->objects().post({reviews, {}, {}, {}}, std::move(review));
    const Result<Json> answer = co_await asking;
    const Json* status = answer ? memberOf(*answer, "status") : nullptr;
    const Json* user = status ? memberOf(*status, "userInfo") : nullptr;
    const QString name = user ? textOf(*user, "username") : QString();
    co_return name.isEmpty() ? wire->access().user : core::printable(name, 300);
}

Task<Result<>> checkCluster(KubernetesWire* wire, OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(request, sink);
    JobValues values;
    const Result<> options = applyOptions(values, wire->settings(), Json::object());
    if (!options) {
        step(u"settings"_s, u"Settings"_m, fail(options), u"Correct the setting."_m);
        co_return step.all();
    }
    auto connecting = wire->connectClient();
    const Result<> connected = co_await connecting;
    step(u"kubeconfig"_s, u"Kubeconfig"_m,
        connected ? Result<Message>(u"context %1 of %2, namespace %3"_m.arg(
            wire->access().context, wire->access().file, wire->objects().inNamespace()))
                  : Result<Message>(fail(connected)),
        u"`kubectl config get-contexts` shows what there is."_m);
    if (!connected)
        co_return step.all();
    for (const Message& warning : wire->access().warnings)
        sink->finding(request, CheckStep{u"kubeconfig"_s, u"Kubeconfig"_m, CheckState::warn, warning, {}, {}});

    auto versioning = wire->objects().getPath("/version");
    const Result<Json> version = co_await versioning;
    step(u"server"_s, u"API server"_m,
        version ? Result<Message>(u"Kubernetes %1"_m.arg(core::printable(textOf(*version, "gitVersion"), 60)))
                : Result<Message>(fail(version)),
        u"`kubectl version` must work from this computer; look at the server's address, the proxy and the certificate."_m);
    if (!version)
        co_return step.all();

    if (wire->platformKind() != u"kubernetes"_s) {
        auto finding = wire->findKinds();
        const Result<> found = co_await finding;
        QStringList words;
        for (const KubeResource& resource : wire->trialResources())
            words.append(QString::fromLatin1(resource.plural));
        step(u"operator"_s, u"Operator"_m,
            found ? Result<Message>(u"the cluster serves %1"_m.arg(words.join(u", "_s))) : Result<Message>(fail(found)),
            u"Trials are objects of an operator, which the cluster's administrators install. The kind kubernetes needs none."_m);
        if (!found)
            co_return step.all();
    }

    const QString inNamespace = wire->objects().inNamespace();
    const Message namespaces = u"`kubectl get namespaces` shows which there are."_m;
    // Lists of a namespace that is not there are empty. An account that may not see namespaces learns it by the test job.
    auto looking = wire->objects().getPath("/api/v1/namespaces/" + QUrl::toPercentEncoding(inNamespace));
    const Result<Json> there = co_await looking;
    if (!there && there.error().kind == Kind::not_found) {
        step(u"namespace"_s, u"Namespace"_m,
            fail(Kind::not_found, u"the cluster has no namespace %1"_m.arg(inNamespace)), namespaces);
        co_return step.all();
    }

    QList<NeededRight> needed = neededRights(wire->trialResources());
    if (values.isCodeSent)
        needed.append(sendingRight());
    auto asking = missingRights(wire, needed, inNamespace);
    const Result<QStringList> missing = co_await asking;
    const Result<Message> rights = !missing ? Result<Message>(fail(missing))
        : missing->isEmpty()
        ? Result<Message>(u"the account may do what is needed in %1"_m.arg(wire->objects().inNamespace()))
        : fail(Kind::auth, u"the account may not: %1"_m.arg(missing->join(u", "_s)));
    auto naming = accountOf(wire);
    const QString account = co_await naming;
    step(u"rights"_s, u"Rights"_m, rights,
        u"Ask the cluster's administrators to apply this:\n%1"_m.arg(
            roleText(wire->trialResources(), wire->objects().inNamespace(), account)));

    QList<NeededRight> sending{sendingRight()};
    auto askingMore = missingRights(wire, sending, inNamespace);
    const Result<QStringList> notSent = co_await askingMore;
    if (!values.isCodeSent && notSent && !notSent->isEmpty())
        sink->finding(request,
            CheckStep{u"code"_s, u"Large code"_m, CheckState::warn,
                u"code of more than 16 MB cannot be brought to trials: the account may not %1"_m.arg(
                    notSent->join(u", "_s)),
                u"The Role has this right, too. Code may also lie in the image or on a volume (codeFolder)."_m, {}});

    auto counting = wire->objects().get({nodesResource(), {}, {}, {}}, {{"limit", u"1000"_s}});
    const Result<Json> nodes = co_await counting;
    // Not needed: trials run without it, but what is free cannot be shown.
    sink->finding(request,
        nodes ? CheckStep{u"nodes"_s, u"Nodes"_m, CheckState::ok, nodesText(*nodes, values.gpuResource), {}, {}}
              : CheckStep{u"nodes"_s, u"Nodes"_m, CheckState::warn,
                  u"the account may not see them, so the machines page stays empty"_m,
                  u"A ClusterRole with get, list and watch of nodes shows them; trials run without it."_m, {}});
    QList<NeededRight> seeing{{podsResource(), {}, {"list", "watch"}}};
    auto askingAll = missingRights(wire, seeing, QString());
    const Result<QStringList> notSeen = co_await askingAll;
    if (nodes && notSeen && !notSeen->isEmpty())
        sink->finding(request,
            CheckStep{u"holders"_s, u"Pods of others"_m, CheckState::warn,
                u"the account may not see pods of other namespaces, so GPUs that they hold look free"_m,
                u"A ClusterRole with list and watch of pods shows them; trials run without it."_m, {}});
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    if (values.image.isEmpty()) {
        step.warn(u"job"_s, u"Test job"_m, u"not run: the settings name no image"_m,
            u"Name a container image in the settings to have a job run at each check."_m);
        co_return step.all();
    }
    auto opening = wire->open();
    const Result<> opened = co_await opening;
    std::optional<PostReach> reach;
    Result<Message> tested = opened ? Result<Message>(Message()) : Result<Message>(fail(opened));
    if (opened) {
        auto testing = wire->runTestJob(&reach);
        tested = co_await testing;
    }
    const bool isNowhere = !tested && tested.error().kind == Kind::not_found;
    step(u"job"_s, u"Test job"_m, tested,
        isNowhere ? namespaces : u"`kubectl describe` of the job and its pod says more."_m);
    if (reach)
        PostProbe(&wire->context()).report(*reach, step);
    co_return step.all();
}

} // namespace platforms::kubernetes
