// SPDX-License-Identifier: GPL-3.0-or-later
// Files of this computer as what BlobClient::upload() sends.
#pragma once

#include "blob_client.h"

#include "services/core/strand.h"

namespace platforms::azure {

struct FileSum
{
    qint64 size = 0; ///< bytes
    QByteArray md5;
};

/// Blocks while it reads. Kind::internal: it cannot be read.
[[nodiscard]] Result<FileSum> fileSum(const QString& path);
/// `strand`, on which the file is read, is not owned.
[[nodiscard]] BlobSource fileSource(Strand* strand, const QString& path);

} // namespace platforms::azure
