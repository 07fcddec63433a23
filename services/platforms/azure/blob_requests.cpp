// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_requests.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QUrlQuery>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr const char* serviceVersion = "2020-12-06";
constexpr int blobAttempts = 5;
constexpr qint64 pieceSlack = 64 * 1024; ///< bytes above what was asked for that an answer may have

transport::HttpRequest requestTo(const QUrl& blob, const QByteArray& more = {})
{
    const QByteArray query = blob.query(QUrl::FullyEncoded).toLatin1();
    transport::HttpRequest request;
    request.target = blob.adjusted(QUrl::RemoveQuery | QUrl::RemoveFragment).toEncoded();
    if (!more.isEmpty() || !query.isEmpty())
        request.target += '?';
    request.target += more;
    if (!more.isEmpty() && !query.isEmpty())
        request.target += '&';
    request.target += query;
    request.headers.append({"x-ms-version", QByteArray(serviceVersion)});
    request.isAuthorized = false;
    request.attempts = blobAttempts;
    const QString signature = QUrlQuery(blob).queryItemValue(u"sig"_s, QUrl::FullyEncoded);
    if (!signature.isEmpty())
        request.secrets = {signature.toLatin1(), QByteArray::fromPercentEncoding(signature.toLatin1())};
    return request;
}

/// `bytes 0-9/200` or `bytes */200`.
std::optional<qint64> wholeSize(const QByteArray& range)
{
    bool isNumber = false;
    const qint64 size = range.mid(range.lastIndexOf('/') + 1).trimmed().toLongLong(&isNumber);
    return range.contains('/') && isNumber && size >= 0 ? std::optional(size) : std::nullopt;
}

QByteArray md5Of(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Md5).toBase64();
}

} // namespace

QUrl blobUrl(const QUrl& folder, const QString& path, const QUrl& signature)
{
    QUrl url = folder.adjusted(QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::StripTrailingSlash);
    url.setPath(url.path(QUrl::FullyDecoded) + u'/' + path, QUrl::DecodedMode);
    url.setQuery(signature.query(QUrl::FullyEncoded), QUrl::StrictMode);
    return url;
}

std::optional<qint64> signatureEndMs(const QUrl& blob)
{
    const QString text = QUrlQuery(blob).queryItemValue(u"se"_s, QUrl::FullyDecoded);
    const QDateTime end = QDateTime::fromString(text, Qt::ISODate);
    return end.isValid() ? std::optional(end.toMSecsSinceEpoch()) : std::nullopt;
}

int blockCount(qint64 bytes)
{
    return int(std::clamp<qint64>((bytes + blockBytes - 1) / blockBytes, 1, mostBlocks));
}

QByteArray blockId(int index)
{
    return QByteArray::number(index).rightJustified(6, '0').toBase64();
}

QByteArray blockListText(int blocks)
{
    QByteArray text = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>";
    for (int i = 0; i < blocks; ++i)
        text += "<Latest>" + blockId(i) + "</Latest>";
    return text + "</BlockList>";
}

transport::HttpRequest putBlockRequest(const QUrl& blob, int index, const QByteArray& bytes)
{
    transport::HttpRequest request =
        requestTo(blob, "comp=block&blockid=" + QUrl::toPercentEncoding(QString::fromLatin1(blockId(index))));
    request.method = "PUT";
    request.headers.append({"Content-MD5", md5Of(bytes)});
    request.contentType = "application/octet-stream";
    request.body = bytes;
    request.isRepeatable = true;
    request.timeoutMs = 0; // a slow line takes its time; silence ends it
    return request;
}

transport::HttpRequest putBlockListRequest(const QUrl& blob, int blocks, const QByteArray& md5)
{
    transport::HttpRequest request = requestTo(blob, "comp=blocklist");
    request.method = "PUT";
    if (!md5.isEmpty())
        request.headers.append({"x-ms-blob-content-md5", md5.toBase64()});
    request.headers.append({"x-ms-blob-content-type", QByteArray("application/octet-stream")});
    request.contentType = "application/xml";
    request.body = blockListText(blocks);
    request.isRepeatable = true;
    request.timeoutMs = 60'000;
    return request;
}

transport::HttpRequest putBlobRequest(const QUrl& blob, const QByteArray& bytes)
{
    transport::HttpRequest request = requestTo(blob);
    request.method = "PUT";
    request.headers.append({"x-ms-blob-type", QByteArray("BlockBlob")});
    request.headers.append({"Content-MD5", md5Of(bytes)});
    request.contentType = "application/octet-stream";
    request.body = bytes;
    request.isRepeatable = true;
    request.timeoutMs = 0; // as of putBlockRequest()
    return request;
}

transport::HttpRequest deleteRequest(const QUrl& blob)
{
    transport::HttpRequest request = requestTo(blob);
    request.method = "DELETE";
    request.headers.append({"x-ms-delete-snapshots", QByteArray("include")});
    request.isRepeatable = true;
    return request;
}

transport::HttpRequest listRequest(const QUrl& container, const BlobListing& listing)
{
    constexpr qint64 bytesOfName = 4 * 1024;
    QByteArray more = "restype=container&comp=list&include=metadata&maxresults=" + QByteArray::number(listing.most)
        + "&prefix=" + QUrl::toPercentEncoding(listing.prefix);
    if (!listing.marker.isEmpty())
        more += "&marker=" + QUrl::toPercentEncoding(listing.marker);
    if (!listing.isFlat)
        more += "&delimiter=%2F";
    transport::HttpRequest request = requestTo(container, more);
    request.maxBytes = listing.most * bytesOfName + pieceSlack;
    return request;
}

transport::HttpRequest sizeRequest(const QUrl& blob)
{
    transport::HttpRequest request = requestTo(blob);
    request.method = "HEAD";
    return request;
}

transport::HttpRequest readRequest(const QUrl& blob, qint64 offset, qint64 limit)
{
    transport::HttpRequest request = requestTo(blob);
    request.headers.append(
        {"x-ms-range", "bytes=" + QByteArray::number(offset) + '-' + QByteArray::number(offset + limit - 1)});
    request.maxBytes = limit + pieceSlack;
    return request;
}

Result<BlobPiece> readPiece(const transport::HttpReply& reply, qint64 offset)
{
    BlobPiece piece;
    piece.identity = reply.header("x-ms-creation-time").left(100);
    const std::optional<qint64> size = wholeSize(reply.header("Content-Range"));
    if (reply.status == 416) { // no byte is there (yet)
        piece.size = size.value_or(offset);
        return piece;
    }
    if (reply.status != 206) // also a whole page, from whatever stands between
        return tl::unexpected(blobError(reply));
    piece.bytes = reply.body;
    piece.size = std::max(size.value_or(0), offset + piece.bytes.size());
    if (size && piece.bytes.isEmpty()) // as Azurite answers an offset behind the end
        piece.size = *size;
    return piece;
}

bool isStored(const transport::HttpReply& reply)
{
    return reply.status == 201;
}

bool isDeleted(const transport::HttpReply& reply)
{
    return reply.status == 202 || reply.status == 404;
}

Result<qint64> readSize(const transport::HttpReply& reply)
{
    if (!reply.isOk())
        return tl::unexpected(blobError(reply));
    bool isNumber = false;
    const qint64 size = reply.header("Content-Length").trimmed().toLongLong(&isNumber);
    if (!isNumber || size < 0)
        return fail(Kind::platform, u"The storage does not say how long the file is."_m);
    return size;
}

Error blobError(const transport::HttpReply& reply)
{
    Error error;
    error.kind = reply.isOk() ? Kind::network : transport::kindOfStatus(reply.status);
    QByteArray code = reply.header("x-ms-error-code");
    if (code.isEmpty()) {
        const qsizetype begin = reply.body.indexOf("<Code>");
        const qsizetype end = begin < 0 ? -1 : reply.body.indexOf("</Code>", begin);
        if (end > begin)
            code = reply.body.mid(begin + 6, end - begin - 6);
    }
    const QString said = printable(QString::fromLatin1(code.left(100)), 100);
    error.detail = u"HTTP %1: %2"_s.arg(reply.status)
                       .arg(printable(transport::redacted(QString::fromUtf8(reply.body.left(1'024))), 600));
    if (reply.status == 403)
        error.message =
            u"Azure's storage does not accept the address's signature (%1)."_m.arg(said.isEmpty() ? u"403"_s : said);
    else if (reply.status == 404)
        error.message = u"Azure's storage has no such file (%1)."_m.arg(said.isEmpty() ? u"404"_s : said);
    else
        error.message = u"Azure's storage answers with an error (%1)."_m.arg(
            said.isEmpty() ? u"HTTP %1"_s.arg(reply.status) : said);
    return error;
}

} // namespace platforms::azure
