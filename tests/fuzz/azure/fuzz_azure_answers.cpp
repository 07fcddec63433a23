// SPDX-License-Identifier: GPL-3.0-or-later
// What Entra ID, the program az, Azure Resource Manager and Blob storage answer.
#include "tests/fuzz/fuzz_driver.h"

#include "services/platforms/azure/arm_refusal.h"
#include "services/platforms/azure/blob_list.h"
#include "services/platforms/azure/blob_requests.h"
#include "services/platforms/azure/token_answers.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::azure;

namespace {

constexpr qint64 now = 1'750'000'000'000;
const QByteArray token("eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.c2VjcmV0"); ///< that seeds hold

void checkToken(const Result<EntraToken>& read)
{
    if (!read)
        return;
    require(!read->access.isEmpty(), "a token is one");
    for (const char c : read->access)
        require(c > ' ' && c < 0x7f, "and can stand in a header");
    require(read->livesMs >= 0 && read->expiresMs == now + read->livesMs, "it ends after it begins");
}

void checkError(const Error& error, const QByteArray& text)
{
    require(!error.message.isEmpty() && !error.message.text().contains(u'\n'), "an error is a sentence of one line");
    require(!text.contains("\"access_token\":\"" + token) || !error.detail.contains(QLatin1StringView(token)),
        "which holds no secret");
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const Json json = Json::parse(data.begin(), data.end(), nullptr, false);
    checkToken(readToken(json, now));
    checkToken(readAzToken(text, now));
    if (const auto code = readDeviceCode(json)) {
        require(!code->userCode.contains(u'\n') && code->userCode.size() <= 64, "a code can be shown");
        require(code->intervalMs >= 1'000 && code->expiresInMs >= 1'000, "and is asked for in peace");
    }
    checkError(azError(1, text), text);
    for (const int status : {302, 400, 401, 403, 404, 409, 429, 500, 503}) {
        checkError(readTokenRefusal(status, text).error, text);
        checkError(readArmRefusal(status, text).error, text);
    }
    if (const auto page = readBlobPage(text)) {
        for (const BlobEntry& blob : page->blobs)
            require(!blob.name.isEmpty() && blob.size >= 0 && blob.modified >= 0, "a blob has a name and a size");
        require(!page->folders.contains(QString()), "a folder has a name");
    } else {
        checkError(page.error(), text);
    }
    transport::HttpReply reply;
    reply.body = text;
    reply.headers = {{"Content-Range", text.left(40)}, {"x-ms-creation-time", text.left(200)}};
    for (const int status : {200, 206, 416, 403}) {
        reply.status = status;
        if (const auto piece = readPiece(reply, 3)) {
            require(piece->size >= 0 && piece->bytes.size() <= text.size(), "a piece is of what came");
            require(piece->identity.size() <= 100, "an identity is short");
        } else {
            checkError(piece.error(), text);
        }
    }
    const QUrl url = QUrl::fromEncoded(text.left(2'000));
    (void)signatureEndMs(url);
    if (url.isValid() && !url.host().isEmpty())
        require(!putBlockRequest(blobUrl(url, u"a b"_s, url), 1, "x").target.contains(' '), "a target is encoded");
}
