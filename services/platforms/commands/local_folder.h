// SPDX-License-Identifier: GPL-3.0-or-later
// The work of folder_scripts.h in a folder that this computer reaches itself. Every function blocks as long as the file system does:
// for a strand. Paths as isFolderPath() has them; errors as folderError() makes them.
#pragma once

#include "folder_types.h"

#include "services/platforms/platform.h"

namespace platforms {

/// `root` is absolute.
class LocalFolder
{
public:
    LocalFolder(Message host, QString root);

    [[nodiscard]] Result<FolderSpace> prepare() const;
    [[nodiscard]] Result<QList<FolderBytes>> read(const QList<FolderRead>& reads, qint64 total) const;
    [[nodiscard]] Result<FileList> list(const QString& folder, const QString& after, qint64 limit) const;
    [[nodiscard]] Result<> remove(const QStringList& paths) const;
    [[nodiscard]] Result<> put(const QList<FolderFile>& files) const;
    [[nodiscard]] Result<> unpack(const QString& archive, const QString& folder) const;
    /// A copy of the file `source`.
    [[nodiscard]] Result<> copy(const QString& source, const QString& path, bool executable) const;

private:
    [[nodiscard]] FolderBytes readOne(const FolderRead& read, qint64& left, qint64 files) const;
    [[nodiscard]] Result<> replace(const QString& path, QByteArrayView bytes, bool executable) const;
    [[nodiscard]] QByteArray full(const QString& path) const;

    Message m_host;
    QString m_root;
};

} // namespace platforms
