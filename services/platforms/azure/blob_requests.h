// SPDX-License-Identifier: GPL-3.0-or-later
// Blob storage by URLs with a signature (SAS) as their query: what is asked, and what is answered. Pure. Targets are whole URLs; the signature is
// among the secrets of each request. Source: the reference of the Blob service's REST API, version 2020-12-06.
#pragma once

#include "services/core/result.h"
#include "services/transport/http/http_types.h"

namespace platforms::azure {

using namespace core;

/// Bytes of a block; the last one of a blob has what is left.
inline constexpr qint64 blockBytes = 4 * 1024 * 1024;
/// As many as Azure takes.
inline constexpr int mostBlocks = 50'000;

/// Names of one answer to listRequest(); Azure gives up to 5,000.
inline constexpr int mostListedBlobs = 1'000;

/// The URL of `path` below `folder`, with the query of `signature` as it is written there.
[[nodiscard]] QUrl blobUrl(const QUrl& folder, const QString& path, const QUrl& signature);
/// When the signature ends (`se`), milliseconds since the epoch; nothing: it does not say.
[[nodiscard]] std::optional<qint64> signatureEndMs(const QUrl& blob);

[[nodiscard]] int blockCount(qint64 bytes); ///< at least 1
/// Base64, of the same length for each block of a blob.
[[nodiscard]] QByteArray blockId(int index);
[[nodiscard]] QByteArray blockListText(int blocks); ///< XML

[[nodiscard]] transport::HttpRequest putBlockRequest(const QUrl& blob, int index, const QByteArray& bytes);
/// Makes a blob of its blocks. `md5`: of the whole, kept with it; empty: none.
[[nodiscard]] transport::HttpRequest putBlockListRequest(const QUrl& blob, int blocks, const QByteArray& md5);
/// Makes a small blob in one go.
[[nodiscard]] transport::HttpRequest putBlobRequest(const QUrl& blob, const QByteArray& bytes);
/// With its snapshots.
[[nodiscard]] transport::HttpRequest deleteRequest(const QUrl& blob);
struct BlobListing
{
    QString prefix;             ///< of the names
    QString marker;             ///< of the answer before; empty: from the beginning
    bool isFlat = true;         ///< else what has a `/` behind the prefix is one name, up to that
    int most = mostListedBlobs; ///< names
};
[[nodiscard]] transport::HttpRequest listRequest(const QUrl& container, const BlobListing& listing);
[[nodiscard]] transport::HttpRequest sizeRequest(const QUrl& blob);
[[nodiscard]] transport::HttpRequest readRequest(const QUrl& blob, qint64 offset, qint64 limit);

struct BlobPiece
{
    QByteArray bytes;
    qint64 size = 0;     ///< of the whole blob now
    QByteArray identity; ///< another one: the blob was made anew; empty: not said
};

/// Of the answer to readRequest(). An offset at or behind the end gives no bytes. Kind::not_found: there is no such blob. Kind::auth: the
/// signature is not good (any more).
[[nodiscard]] Result<BlobPiece> readPiece(const transport::HttpReply& reply, qint64 offset);
/// Of the answer to sizeRequest().
[[nodiscard]] Result<qint64> readSize(const transport::HttpReply& reply);
/// Whether putBlockRequest(), putBlockListRequest() or putBlobRequest() succeeded, by its answer.
[[nodiscard]] bool isStored(const transport::HttpReply& reply);
/// Of the answer to deleteRequest(). What is not there is deleted.
[[nodiscard]] bool isDeleted(const transport::HttpReply& reply);
/// What another answer than the one hoped for says.
[[nodiscard]] Error blobError(const transport::HttpReply& reply);

} // namespace platforms::azure
