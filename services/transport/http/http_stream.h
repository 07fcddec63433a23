// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_answer.h"

namespace transport {

/// An answer that is read as it comes: a watch, a log that is followed. Dropping the last pointer closes the connection. What is not read
/// stays with the server, but for 128 KiB. On the client's thread; survives the client's requests, and ends with its close().
class HttpStream : public std::enable_shared_from_this<HttpStream>
{
public:
    HttpStream(std::shared_ptr<HttpAnswer> answer, std::unique_ptr<JoinedStop> stop, int silenceMs, QUrl url);
    ~HttpStream();

    [[nodiscard]] int status() const { return m_answer->head().status; }
    [[nodiscard]] QByteArray header(QByteArrayView name) const { return headerValue(m_answer->head().headers, name); }

    /// 1 to `most` bytes as soon as there are any; none: the server ended the answer in order. Kind::network when it broke off, Kind::timeout
    /// after the request's silenceMs without a byte, counted only while this waits. One at a time.
    [[nodiscard]] Task<Result<QByteArray>> read(qsizetype most = HttpConnection::readAheadBytes);
    /// All that follows as a reply, for an answer that is no success.
    [[nodiscard]] Task<Result<HttpReply>> rest(qint64 most = 64 * 1024);
    /// What waits ends with Kind::cancelled.
    void abort();

private:
    std::shared_ptr<HttpAnswer> m_answer;
    std::unique_ptr<JoinedStop> m_stop;
    int m_silenceMs;
    QUrl m_url;
};

} // namespace transport
