// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blob_requests.h"

#include "services/transport/http/http_client.h"

#include <functional>
#include <map>
#include <set>

namespace platforms::azure {

/// Bytes of what is uploaded, from `offset`; as many as are asked for. Called for one block at a time or for several at once.
using BlobSource = std::function<Task<Result<QByteArray>>(qint64 offset, qint64 bytes)>;

/// Blob storage, of whatever accounts the addresses name: a client for each. It has no credentials but the signatures in the addresses. On the
/// service thread; before it is destroyed, close() must have returned.
class BlobClient
{
public:
    static constexpr int blocksAtOnce = 4;

    /// `authorities`: PEM that is trusted alone; empty: those of the system. What `environment` points to outlives this.
    BlobClient(QByteArray authorities, transport::HttpEnvironment environment);

    /// A request of blob_requests.h.
    [[nodiscard]] Task<Result<transport::HttpReply>> send(transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<Result<BlobPiece>> read(QUrl blob, qint64 offset, qint64 limit, std::stop_token stop);

    /// Which blocks of a blob are there already, so that an upload that broke goes on.
    using Blocks = std::shared_ptr<std::set<int>>;
    /// Makes the blob of `size` bytes, a few blocks at a time, each with its checksum. `done` is asked and told. After an error the same call goes on.
    [[nodiscard]] Task<Result<>> upload(
        QUrl blob, qint64 size, QByteArray md5, BlobSource source, Blocks done, std::stop_token stop);
    [[nodiscard]] Task<> close();

private:
    [[nodiscard]] Result<transport::HttpClient*> clientFor(const QUrl& url);
    /// Nothing where it is there, or another one has failed (`hasFailed`).
    [[nodiscard]] Task<Result<>> putBlock(QUrl blob, int index, qint64 size, BlobSource source, Blocks done,
        std::shared_ptr<bool> hasFailed, std::stop_token stop);

    const QByteArray m_authorities;
    const transport::HttpEnvironment m_environment;
    std::map<QString, std::unique_ptr<transport::HttpClient>> m_clients; ///< by the address of the account
    bool m_isClosed = false;
};

} // namespace platforms::azure
