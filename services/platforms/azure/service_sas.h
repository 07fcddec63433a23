// SPDX-License-Identifier: GPL-3.0-or-later
// A signature of our own for a container of Blob storage, made with the account's key. Pure. Source: "Create a service SAS" of Azure Storage's
// reference, version 2020-12-06.
#pragma once

#include "services/core/result.h"

#include <QUrl>

namespace platforms::azure {

using namespace core;

struct SasGrant
{
    QString account;
    QString container;
    QString permissions;    ///< in the order that Azure wants: `rcwl`
    bool isForHttp = false; ///< also without TLS
    qint64 startMs = 0;     ///< milliseconds since the epoch; used as whole seconds
    qint64 endMs = 0;
};

/// The query of URLs of the container and its blobs. `key`: base64, as Azure gives it. Kind::platform: it is no key.
[[nodiscard]] Result<QByteArray> serviceSas(const SasGrant& grant, const QByteArray& key);

} // namespace platforms::azure
