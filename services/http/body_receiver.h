// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "admission.h"
#include "server_core.h"

#include "services/http/net/read_buffer.h"

namespace http {

class Upload;

/// The body of a request on its way in: within the limits of its route, counted together with those of all connections, kept in
/// memory or, of an upload, written to a file as it comes.
class BodyReceiver
{
public:
    enum class Need {
        bytes,  ///< more of them
        store,  ///< what came must be written first
        nothing ///< it is whole
    };

    explicit BodyReceiver(ServerCore& core);
    ~BodyReceiver();

    /// Whether the header announces one.
    [[nodiscard]] static bool isAnnounced(const Parser& parser);

    /// Checks the header. An answer: the request is refused.
    [[nodiscard]] std::optional<Answer> begin(Parser& parser, const Route& route, Call& call);
    /// An upload is to be stored even when it is empty.
    [[nodiscard]] bool isUpload() const { return m_upload != nullptr; }
    /// Takes what was received. An answer: it is refused.
    [[nodiscard]] std::variant<Need, Answer> take(Parser& parser, ReadBuffer& in);

    /// Writes what came; uncount() is then due. `done` may be called after the connection has closed.
    void store(Parser& parser, std::function<void(const Result<>&)> done);
    /// The path of the stored file, once its hash is the announced one; the caller owns the file.
    void finish(std::function<void(const Result<QString>&)> done);
    [[nodiscard]] const QString& sha() const { return m_sha; }

    /// What came is no longer held.
    void uncount();
    /// All of it is over, the file of an upload too.
    void release();

private:
    void count(qint64 bytes);

    ServerCore& m_core;
    std::uint64_t m_limit = 0;
    qint64 m_counted = 0;
    std::shared_ptr<Upload> m_upload;
    QString m_sha;
};

} // namespace http
