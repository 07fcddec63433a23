// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_archive.h"

#include <QHostAddress>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Result;

bool isElsewhere(const QUrl& service)
{
    const QString host = service.host();
    return !host.isEmpty()
        && (service.scheme() == u"ssh"_s || (host != u"localhost"_s && !QHostAddress(host).isLoopback()));
}

Result<CodeArchive> packFolder(const QString& folder, const QStringList& ownFolders)
{
    package::WalkOptions options;
    options.ownFolders = ownFolders;
    auto place = std::make_shared<QTemporaryDir>();
    if (!place->isValid())
        return fail(
            core::Kind::resource, u"No folder could be made to pack the code in: %1."_s.arg(place->errorString()));
    const auto packed = package::takeCode(folder, options, {},
        [&](const package::FileList& files) { return package::packCode(files, place->filePath(u"code.tar.gz"_s)); });
    if (!packed)
        return fail(packed);
    return CodeArchive{*packed, place};
}

} // namespace app
