// SPDX-License-Identifier: GPL-3.0-or-later
// Names of blobs, as Blob storage lists them. Pure. Source: "List Blobs" of the reference of its REST API, version 2020-12-06.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace platforms::azure {

using namespace core;

struct BlobEntry
{
    QString name;          ///< in the container
    qint64 size = 0;       ///< bytes
    qint64 modified = 0;   ///< milliseconds since the epoch; 0: not said
    bool isFolder = false; ///< an empty blob by which a mounted container has a folder (metadata hdi_isfolder)

    bool operator==(const BlobEntry&) const = default;
};

struct BlobPage
{
    QList<BlobEntry> blobs;
    QStringList folders; ///< with the `/` at their ends; where the listing was not flat
    QString marker;      ///< of the next page; empty: this was the last
};

/// Of the body of an answer to listRequest(). Kind::network: it is none, or not whole.
[[nodiscard]] Result<BlobPage> readBlobPage(const QByteArray& xml);

} // namespace platforms::azure
