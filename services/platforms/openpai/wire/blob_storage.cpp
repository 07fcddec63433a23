// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_storage.h"

#include "services/platforms/azure/service_sas.h"
#include "services/platforms/cluster/web_settings.h"
#include "services/platforms/json_members.h"
#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr qint64 clocksDifferMs = 10 * 60'000;
constexpr qint64 validMs = 3'600'000;

} // namespace

Result<std::unique_ptr<azure::BlobFolder>> blobFolder(
    const StorageDetail& storage, const Json& settings, const Context& context)
{
    if (!storage.isBlob())
        return fail(Kind::invalid,
            u"localStorageMountPoint: the storage %1 is of the type %2: mount it on this computer, and name the folder."_m
                .arg(storage.name, storage.type.isEmpty() ? u"?"_s : printable(storage.type, 40)));
    if (storage.isReadOnly)
        return fail(Kind::invalid,
            u"storageConfigName: the storage %1 is read-only, and trials write into it. Choose another one."_m.arg(
                storage.name));
    const QString endpoint = textOf(settings, "storageEndpoint").trimmed();
    const Result<QUrl> container = containerUrl(storage, endpoint);
    if (!container)
        return fail(container);
    // The file of authorities is for the cluster's own addresses.
    const Result<QByteArray> authorities = endpoint.isEmpty() ? QByteArray() : authoritiesIn(settings, "caFile");
    if (!authorities)
        return fail(authorities);
    azure::BlobFolder::Place place;
    place.container = *container;
    place.folder = u"trialdeck/"_s + context.serviceId;
    place.signature = [storage, clock = context.clock,
                          isHttp = container->scheme() == "http"_L1]() -> Result<QByteArray> {
        if (storage.key.isEmpty())
            return storage.signature;
        const qint64 now = clock->nowMs();
        const azure::SasGrant grant{
            storage.account, storage.container, u"rcwdl"_s, isHttp, now - clocksDifferMs, now + validMs};
        return azure::serviceSas(grant, storage.key);
    };
    const transport::HttpEnvironment environment{.clock = context.clock, .strand = nullptr, .random = {}};
    return std::make_unique<azure::BlobFolder>(std::move(place), *authorities, environment, context.stop);
}

} // namespace platforms::openpai
