// SPDX-License-Identifier: GPL-3.0-or-later
#include "blob_client.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/transport/http/patience.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr int requestsAtOnce = 16; ///< of one account: logs are read beside an upload

} // namespace

BlobClient::BlobClient(QByteArray authorities, transport::HttpEnvironment environment)
    : m_authorities(std::move(authorities))
    , m_environment(std::move(environment))
{
}

Result<transport::HttpClient*> BlobClient::clientFor(const QUrl& url)
{
    if (m_isClosed)
        return tl::unexpected(transport::cancelledError());
    const QUrl account = url.adjusted(QUrl::RemovePath | QUrl::RemoveQuery | QUrl::RemoveFragment);
    std::unique_ptr<transport::HttpClient>& client = m_clients[account.toString()];
    if (!client) {
        transport::HttpSettings settings;
        settings.base = account;
        settings.tls.authorities = m_authorities;
        settings.maxParallel = requestsAtOnce;
        auto made = transport::HttpClient::make(settings, m_environment);
        if (!made) {
            m_clients.erase(account.toString());
            return fail(Kind::platform, u"Azure named a storage whose address cannot be used."_m, account.host());
        }
        client = std::move(*made);
    }
    return client.get();
}

Task<Result<transport::HttpReply>> BlobClient::send(transport::HttpRequest request, std::stop_token stop)
{
    const Result<transport::HttpClient*> client = clientFor(QUrl::fromEncoded(request.target));
    if (!client)
        co_return fail(client);
    auto sending = (*client)->send(std::move(request), stop);
    co_return co_await sending;
}

Task<Result<BlobPiece>> BlobClient::read(QUrl blob, qint64 offset, qint64 limit, std::stop_token stop)
{
    auto sending = send(readRequest(blob, offset, limit), stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    co_return readPiece(*reply, offset);
}

Task<Result<>> BlobClient::putBlock(QUrl blob, int index, qint64 size, BlobSource source, Blocks done,
    std::shared_ptr<bool> hasFailed, std::stop_token stop)
{
    if (done->contains(index) || *hasFailed) // what was not sent does not hide the failure, which another one has
        co_return Result<>{};
    const qint64 offset = index * blockBytes;
    const qint64 wanted = std::min(blockBytes, size - offset);
    auto reading = source(offset, wanted);
    const Result<QByteArray> bytes = co_await reading;
    *hasFailed = *hasFailed || !bytes;
    if (!bytes)
        co_return fail(bytes);
    if (bytes->size() != wanted)
        co_return fail(Kind::conflict, u"The file changed while it was uploaded."_m);
    auto sending = send(putBlockRequest(blob, index, *bytes), stop);
    const Result<transport::HttpReply> reply = co_await sending;
    *hasFailed = *hasFailed || !reply || !isStored(*reply);
    if (!reply)
        co_return fail(reply);
    if (!isStored(*reply))
        co_return tl::unexpected(blobError(*reply));
    done->insert(index);
    co_return Result<>{};
}

Task<Result<>> BlobClient::upload(
    QUrl blob, qint64 size, QByteArray md5, BlobSource source, Blocks done, std::stop_token stop)
{
    if (size > blockBytes * mostBlocks)
        co_return fail(Kind::invalid, u"The file is larger than a blob can be."_m);
    QList<int> indices;
    for (int i = 0; i < blockCount(size); ++i)
        indices.append(i);
    // Where one fails, those of its turn are still sent: they count when it is tried again.
    const auto hasFailed = std::make_shared<bool>(false);
    const std::function<Task<Result<>>(int)> one = [=, this](int index) {
        return putBlock(blob, index, size, source, done, hasFailed, stop);
    };
    auto sending = inTurns<Result<>>(indices, blocksAtOnce, one);
    const std::vector<Result<>> sent = co_await sending;
    for (const Result<>& result : sent)
        if (!result)
            co_return fail(result);
    auto finishing = send(putBlockListRequest(blob, blockCount(size), md5), stop);
    const Result<transport::HttpReply> reply = co_await finishing;
    if (!reply)
        co_return fail(reply);
    if (reply->status == 400) // a block is not there, whatever was answered for it
        done->clear();
    if (!isStored(*reply))
        co_return tl::unexpected(blobError(*reply));
    co_return Result<>{};
}

Task<> BlobClient::close()
{
    m_isClosed = true;
    for (const auto& [account, client] : m_clients) {
        auto closing = client->close();
        co_await closing;
    }
}

} // namespace platforms::azure
