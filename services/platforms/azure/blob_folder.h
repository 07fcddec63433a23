// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blob_client.h"
#include "blob_list.h"

#include "services/core/strand.h"
#include "services/platforms/commands/shared_folder.h"

namespace platforms::azure {

/// A folder of a container of Blob storage, which nodes have mounted (blobfuse).
class BlobFolder : public SharedFolder
{
public:
    struct Place
    {
        QUrl container;
        QString folder; ///< in the container
        /// The query with the signature for the container and its blobs, good for now.
        std::function<Result<QByteArray>()> signature;
    };
    static constexpr int callsAtOnce = 8;

    /// `authorities`: as BlobClient has them. The strand of `environment` is not used. After `stop` calls end with Kind::cancelled.
    BlobFolder(
        Place place, QByteArray authorities, const transport::HttpEnvironment& environment, std::stop_token stop);
    [[nodiscard]] Task<> close() override;

    [[nodiscard]] bool isObjectStore() const override { return true; }
    [[nodiscard]] Task<Result<FolderSpace>> prepare() override;
    [[nodiscard]] Task<Result<>> put(QList<FolderFile> files) override;
    [[nodiscard]] Task<Result<>> putArchive(QString folder, QString archive) override;
    [[nodiscard]] Task<Result<>> putCopy(QString path, QString source, bool executable) override;
    [[nodiscard]] Task<Result<QList<FolderBytes>>> read(QList<FolderRead> reads, qint64 total) override;
    [[nodiscard]] Task<Result<FileList>> list(QString folder, QString after, qint64 limit) override;
    [[nodiscard]] Task<Result<QStringList>> folders(QString folder) override;
    [[nodiscard]] Task<Result<>> remove(QStringList paths) override;
    [[nodiscard]] QString root() const override;

private:
    [[nodiscard]] Result<> checked(const QStringList& paths) const;
    [[nodiscard]] QString nameOf(const QString& path) const { return m_place.folder + u'/' + path; }
    [[nodiscard]] Result<QUrl> urlOf(const QString& name) const; ///< empty: of the container
    [[nodiscard]] Task<Result<transport::HttpReply>> ask(transport::HttpRequest request);
    [[nodiscard]] Task<Result<>> putOne(FolderFile file);
    [[nodiscard]] Task<Result<FolderBytes>> readOne(FolderRead read, qint64 limit);
    [[nodiscard]] Task<Result<BlobPage>> page(BlobListing listing);
    [[nodiscard]] Task<Result<>> removeBlob(QString name);
    [[nodiscard]] Task<Result<>> removeTree(QString path);

    const Place m_place;
    const std::stop_token m_stop;
    Strand m_strand;
    BlobClient m_client;
};

} // namespace platforms::azure
