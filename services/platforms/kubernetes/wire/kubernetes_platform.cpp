// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_platform.h"

#include "kubernetes_wire.h"

#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/jobs/kubernetes_fields.h"
#include "services/platforms/kubernetes/kubeconfig_files.h"
#include "services/platforms/kubernetes/operators/operator_fields.h"

using namespace Qt::StringLiterals;

namespace platforms {

using namespace kubernetes;

namespace {

Result<QStringList> contextsIn(const QString& given)
{
    const Result<Kubeconfig> config = loadKubeconfig(given, systemSurroundings(), readKubeFile);
    if (!config)
        return fail(config);
    return contextNames(*config);
}

/// Those that the kubeconfig names.
QStringList namespacesIn(const QString& given, const QString& context)
{
    const Result<Kubeconfig> config = loadKubeconfig(given, systemSurroundings(), readKubeFile);
    return config ? namespacesOf(*config, context.isEmpty() ? config->currentContext : context) : QStringList();
}

} // namespace

KubernetesPlatform::KubernetesPlatform(QString kind, QObject* parent)
    : ClusterPlatform(parent)
    , m_kind(std::move(kind))
{
}

KubernetesPlatform::~KubernetesPlatform() = default;

KindDescription KubernetesPlatform::describe() const
{
    return m_kind == u"kubeflow"_s           ? kubeflowKind()
        : m_kind == u"frameworkcontroller"_s ? frameworkControllerKind()
                                             : kubernetesKind();
}

Result<Json> KubernetesPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    if (const Result<> checked = checkRequest(m_kind, settings, Json::object()); !checked)
        return fail(checked);
    if (const QString name = textOf(settings, "namespace").trimmed(); !name.isEmpty() && !isDnsLabel(name))
        return fail(Kind::invalid, u"namespace: \"%1\" is no name of a namespace."_m.arg(name));
    return settings;
}

Result<> KubernetesPlatform::checkOptions(const Json& settings, const Json& options) const
{
    return checkRequest(m_kind, settings, options, true);
}

Result<std::unique_ptr<ClusterWire>> KubernetesPlatform::makeWire(const Json& settings, const Context& context) const
{
    return std::unique_ptr<ClusterWire>(std::make_unique<KubernetesWire>(m_kind, settings, context));
}

Task<Result<QStringList>> KubernetesPlatform::choices(QString field, Json partialSettings, Context context)
{
    Strand strand(u"kubeconfig"_s);
    if (field == u"context"_s) {
        auto reading =
            strand.run([given = textOf(partialSettings, "kubeconfig").trimmed()] { return contextsIn(given); });
        co_return co_await reading;
    }
    if (field != u"namespace"_s && field != u"gpuResource"_s)
        co_return QStringList();
    KubernetesWire wire(m_kind, partialSettings, context);
    Result<QStringList> names = QStringList();
    auto connecting = wire.connectClient();
    const Result<> connected = co_await connecting;
    if (!connected) {
        names = fail(connected);
    } else {
        const bool forNamespaces = field == u"namespace"_s;
        auto asking = wire.objects().get(
            {forNamespaces ? namespacesResource() : nodesResource(), {}, {}, {}}, {{"limit", u"1000"_s}});
        const Result<Json> list = co_await asking;
        const Json* items = list ? memberOf(*list, "items") : nullptr;
        if (!list && forNamespaces) { // few accounts may list them
            auto reading = strand.run(
                [given = textOf(partialSettings, "kubeconfig").trimmed(),
                    context = textOf(partialSettings, "context").trimmed()] { return namespacesIn(given, context); });
            const QStringList named = co_await reading;
            names = named.isEmpty() ? Result<QStringList>(fail(list)) : Result<QStringList>(named);
        } else if (!list) {
            names = fail(list);
        }
        for (size_t i = 0; items && items->is_array() && i < items->size(); ++i) {
            const Json& item = (*items)[i];
            if (forNamespaces) {
                names->append(metadataOf(item, "name"));
                continue;
            }
            // What has a vendor's name in front is counted by a device plugin.
            const Json* status = memberOf(item, "status");
            const Json* allocatable = status ? memberOf(*status, "allocatable") : nullptr;
            if (!allocatable || !allocatable->is_object())
                continue;
            for (const auto& [name, amount] : allocatable->items())
                if (const QString word = QString::fromStdString(name); word.contains(u'/') && !names->contains(word))
                    names->append(word);
        }
    }
    co_await wire.close();
    co_return names;
}

} // namespace platforms
