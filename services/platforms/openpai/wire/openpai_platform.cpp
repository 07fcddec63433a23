// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_platform.h"

#include "openpai_wire.h"

#include "services/platforms/cluster/web_settings.h"
#include "services/platforms/openpai/openpai_fields.h"
#include "services/platforms/openpai/openpai_job.h"

using namespace Qt::StringLiterals;

namespace platforms {

using namespace openpai;

namespace {

const QString exampleAddress = u"https://pai.example.org"_s;

/// Whether an option that a trial needs is there in the settings or the experiment.
Result<> checkWish(const JobWish& wish)
{
    const Result<QByteArray> document = jobDocument(wish, u"name"_s, wish.mountPath + u"/job.sh"_s);
    return document ? Result<>{} : fail(document);
}

} // namespace

OpenPaiPlatform::OpenPaiPlatform(QObject* parent)
    : ClusterPlatform(parent)
{
}

OpenPaiPlatform::~OpenPaiPlatform() = default;

KindDescription OpenPaiPlatform::describe() const
{
    return openPaiKind();
}

Result<Json> OpenPaiPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    if (const Result<> checked = checkAbsolute(settings, {"localStorageMountPoint", "containerStorageMountPoint"});
        !checked)
        return fail(checked);
    if (const Result<QUrl> address = addressIn(settings, "host", exampleAddress); !address)
        return fail(address);
    StorageDetail some;
    some.account = some.container = u"some"_s;
    some.key = "key";
    if (const Result<QUrl> storage = containerUrl(some, textOf(settings, "storageEndpoint")); !storage)
        return fail(storage);
    if (textOf(settings, "token").isEmpty() && textOf(settings, "tokenFile").isEmpty()
        && textOf(settings, "password").isEmpty())
        return fail(Kind::invalid, u"token: OpenPAI needs a token, here or in a file (tokenFile), or your password."_m);
    if (const Result<JobWish> wish = jobWish(settings, Json::object(), {}); !wish)
        return fail(wish);
    return settings;
}

Result<> OpenPaiPlatform::checkOptions(const Json& settings, const Json& options) const
{
    const Result<JobWish> wish = jobWish(settings, options, {});
    return wish ? checkWish(*wish) : fail(wish);
}

Result<std::unique_ptr<OpenPaiWire>> OpenPaiPlatform::wireOf(const Json& settings, const Context& context)
{
    OpenPaiCalls::Plan plan;
    const Result<QUrl> address = addressIn(settings, "host", exampleAddress);
    const Result<QByteArray> authorities = authoritiesIn(settings, "caFile");
    if (!address || !authorities)
        return tl::unexpected(address ? authorities.error() : address.error());
    plan.http.base = *address;
    plan.http.tls.authorities = *authorities;
    plan.token.user = textOf(settings, "username").trimmed();
    plan.token.token = transport::Secret(textOf(settings, "token"));
    plan.token.file = textOf(settings, "tokenFile");
    plan.token.password = transport::Secret(textOf(settings, "password"));
    plan.clock = context.clock;
    plan.stop = context.stop;
    auto calls = OpenPaiCalls::make(std::move(plan));
    if (!calls)
        return fail(calls);
    return std::make_unique<OpenPaiWire>(settings, context, std::move(*calls));
}

Result<std::unique_ptr<ClusterWire>> OpenPaiPlatform::makeWire(const Json& settings, const Context& context) const
{
    auto wire = wireOf(settings, context);
    if (!wire)
        return fail(wire);
    return std::unique_ptr<ClusterWire>(std::move(*wire));
}

Task<Result<QStringList>> OpenPaiPlatform::choices(QString field, Json partialSettings, Context context)
{
    if (field != u"virtualCluster"_s && field != u"storageConfigName"_s && field != u"skuType"_s)
        co_return QStringList();
    auto made = wireOf(partialSettings, context);
    if (!made)
        co_return fail(made);
    OpenPaiCalls& calls = (*made)->calls();
    Result<QStringList> names = QStringList();
    if (field == u"virtualCluster"_s) {
        auto asking = calls.virtualClusters();
        const Result<QList<VirtualCluster>> clusters = co_await asking;
        if (!clusters)
            names = fail(clusters);
        else
            for (const VirtualCluster& cluster : *clusters)
                names->append(cluster.name);
    } else if (field == u"storageConfigName"_s) {
        auto asking = calls.storages();
        const Result<QList<Storage>> storages = co_await asking;
        if (!storages)
            names = fail(storages);
        else
            for (const Storage& storage : *storages)
                names->append(storage.name);
    } else {
        QString cluster = textOf(partialSettings, "virtualCluster").trimmed();
        if (cluster.isEmpty())
            cluster = u"default"_s;
        auto asking = calls.skuTypes(cluster);
        names = co_await asking;
    }
    co_await (*made)->close();
    co_return names;
}

} // namespace platforms
