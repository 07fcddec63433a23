// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"

#include "wire/body_decoder.h"

namespace transport {

/// The bytes of a request's head.
struct RequestHead
{
    QByteArray method;
    QUrl url;
    QByteArray authorization;                 ///< empty: none
    HttpHeaders headers;                      ///< all others, but Host and Content-Length
    std::optional<qint64> length;             ///< of the body
    QByteArray tokenHeader = "Authorization"; ///< of `authorization`
};
/// Kind::invalid when a method, name or value would break the request's syntax. `proxy`: the one that forwards it, or none.
[[nodiscard]] Result<QByteArray> requestHeadBytes(const RequestHead& head, const QNetworkProxy* proxy);

/// One request and its answer on a connection. Held by shared_ptr; a coroutine that awaits one of its tasks holds it, too.
/// Damaged answers are Kind::network, as broken connections are: the next one may be whole.
class HttpExchange
{
public:
    HttpExchange(std::shared_ptr<HttpConnection> connection, QByteArray method);

    /// Sends, and waits for the head of the answer. Interim answers (1xx but 101) are passed over.
    [[nodiscard]] Task<Result<>> start(QByteArray head, QByteArray body, Patience patience);
    [[nodiscard]] const ResponseHead& head() const { return m_parser.head(); }
    /// A byte of the answer came: the server got the request.
    [[nodiscard]] bool isAnswered() const { return m_isAnswered; }

    /// 1 to `most` bytes of the body, decompressed; none: it is complete.
    [[nodiscard]] Task<Result<QByteArray>> read(qsizetype most, Patience patience);
    /// What follows, at the most `most` bytes: more is Kind::platform.
    [[nodiscard]] Task<Result<QByteArray>> readAll(qint64 most, Patience patience);
    /// The connection, when it can serve another request; null otherwise. The exchange is over then.
    [[nodiscard]] std::shared_ptr<HttpConnection> takeReusable();
    /// The connection after 101.
    [[nodiscard]] std::shared_ptr<HttpConnection> connection() const { return m_connection; }

private:
    [[nodiscard]] Error damaged(const core::Message& how) const;

    std::shared_ptr<HttpConnection> m_connection;
    QByteArray m_method;
    ResponseHeadParser m_parser;
    std::optional<BodyDecoder> m_body;
    bool m_isSent = false;
    bool m_isAnswered = false;
};

} // namespace transport
