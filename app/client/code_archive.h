// SPDX-License-Identifier: GPL-3.0-or-later
// Code of this computer on its way to a service that cannot read it here.
#pragma once

#include "services/package/archive.h"

#include <QUrl>

#include <memory>

class QTemporaryDir;

namespace app {

/// Whether a service at this address is likely not to read the files of this computer. Pure.
[[nodiscard]] bool isElsewhere(const QUrl& service);

struct CodeArchive
{
    package::PackedCode code;
    std::shared_ptr<QTemporaryDir> place; ///< holds the file
};
/// Packs a folder as the service would, without `ownFolders` (Paths::folders()). Blocks.
[[nodiscard]] core::Result<CodeArchive> packFolder(const QString& folder, const QStringList& ownFolders);

} // namespace app
