// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_platform.h"

#include "kubernetes_wire.h"

#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/jobs/kubernetes_fields.h"
#include "services/platforms/kubernetes/kubeconfig_files.h"

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

} // namespace

KubernetesPlatform::KubernetesPlatform(QObject* parent)
    : ClusterPlatform(parent)
{
}

KubernetesPlatform::~KubernetesPlatform() = default;

KindDescription KubernetesPlatform::describe() const
{
    return kubernetesKind();
}

Result<Json> KubernetesPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    JobValues values;
    if (const Result<> applied = applyOptions(values, settings, Json::object()); !applied)
        return fail(applied);
    if (const QString name = textOf(settings, "namespace").trimmed(); !name.isEmpty() && !isDnsLabel(name))
        return fail(Kind::invalid, u"namespace: \"%1\" is no name of a namespace."_m.arg(name));
    return settings;
}

Result<> KubernetesPlatform::checkOptions(const Json& settings, const Json& options) const
{
    JobValues values;
    if (const Result<> applied = applyOptions(values, settings, options); !applied)
        return applied;
    if (values.image.isEmpty())
        return fail(Kind::invalid,
            u"image: a container image is needed, for example python:3.12-slim, here or in the platform's settings."_m);
    return {};
}

Result<std::unique_ptr<ClusterWire>> KubernetesPlatform::makeWire(const Json& settings, const Context& context) const
{
    return std::unique_ptr<ClusterWire>(std::make_unique<KubernetesWire>(settings, context));
}

Task<Result<QStringList>> KubernetesPlatform::choices(QString field, Json partialSettings, Context context)
{
    if (field == u"context"_s) {
        Strand strand(u"kubeconfig"_s);
        auto reading =
            strand.run([given = textOf(partialSettings, "kubeconfig").trimmed()] { return contextsIn(given); });
        co_return co_await reading;
    }
    if (field != u"namespace"_s && field != u"gpuResource"_s)
        co_return QStringList();
    KubernetesWire wire(partialSettings, context);
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
        if (!list)
            names = fail(list);
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
