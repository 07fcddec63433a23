// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "folder_types.h"

#include "services/core/task.h"
#include "services/platforms/platform.h"

namespace platforms {

/// A folder that this computer and a cluster's nodes both see. Paths are relative to it (isFolderPath(), else Kind::invalid). Lives on the service
/// thread; pending calls must have returned before it is destroyed.
class SharedFolder
{
public:
    SharedFolder() = default;
    virtual ~SharedFolder() = default;
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;
    /// Ends pending calls. Nothing is called after it.
    [[nodiscard]] virtual Task<> close() { co_return; }

    /// Whether it keeps whole files alone, as they are once they are closed, and no modes: an archive stays packed there (archiveOf()), and who
    /// wants to see a file grow writes it in pieces.
    [[nodiscard]] virtual bool isObjectStore() const { return false; }
    [[nodiscard]] static QString archiveOf(const QString& folder) { return folder + QStringLiteral(".tar.gz"); }

    /// Makes the folder where it is not there, and writes to it.
    [[nodiscard]] virtual Task<Result<FolderSpace>> prepare() = 0;
    /// Each file appears whole, in place of an earlier one; folders above it are made, of mode 0700 where there are modes. After an error some
    /// may be there.
    [[nodiscard]] virtual Task<Result<>> put(QList<FolderFile> files) = 0;
    /// Unpacks a .tar.gz of this computer. The folder appears whole; one that is there already, as content of the same name, stays. In an object
    /// store the archive appears whole.
    [[nodiscard]] virtual Task<Result<>> putArchive(QString folder, QString archive) = 0;
    /// Copies a file of this computer; it appears whole.
    [[nodiscard]] virtual Task<Result<>> putCopy(QString path, QString source, bool executable) = 0;
    /// One answer for each; at most `total` bytes in all, shared fairly: what one file does not need goes to those behind it.
    [[nodiscard]] virtual Task<Result<QList<FolderBytes>>> read(QList<FolderRead> reads, qint64 total) = 0;
    /// All that is below a folder, in the order of the names' bytes, at most `limit` entries behind `after`, which is empty or `next`
    /// of the call before. Of very many (4 MB of names) not all.
    [[nodiscard]] virtual Task<Result<FileList>> list(QString folder, QString after, qint64 limit) = 0;
    /// The names of the folders in a folder; of one that is not there none.
    [[nodiscard]] virtual Task<Result<QStringList>> folders(QString folder) = 0;
    /// Removes trees; what is not there is removed. Links are removed, never followed. An error names one that is left.
    [[nodiscard]] virtual Task<Result<>> remove(QStringList paths) = 0;

    /// For a person.
    [[nodiscard]] virtual QString root() const = 0;
};

} // namespace platforms
