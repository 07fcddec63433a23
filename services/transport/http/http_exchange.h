// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_answer.h"

#include "wire/body_decoder.h"

namespace transport {

/// One request and its answer on a connection of HTTP/1.1; the body is decompressed.
class HttpExchange : public HttpAnswer
{
public:
    HttpExchange(std::shared_ptr<HttpConnection> connection, QByteArray method);

    /// Sends, and waits for the head of the answer. Interim answers (1xx but 101) are passed over.
    [[nodiscard]] Task<Result<>> start(QByteArray head, QByteArray body, Patience patience);
    [[nodiscard]] const ResponseHead& head() const override { return m_parser.head(); }
    [[nodiscard]] const HttpOrigin& origin() const override { return m_connection->plan().origin; }
    /// A byte of the answer came: the server got the request.
    [[nodiscard]] bool isAnswered() const { return m_isAnswered; }

    [[nodiscard]] Task<Result<QByteArray>> read(qsizetype most, Patience patience) override;
    void abort() override { m_connection->abort(); }
    [[nodiscard]] std::shared_ptr<HttpConnection> takeReusable() override;
    [[nodiscard]] std::shared_ptr<HttpConnection> connection() const override { return m_connection; }

private:
    std::shared_ptr<HttpConnection> m_connection;
    QByteArray m_method;
    ResponseHeadParser m_parser;
    std::optional<BodyDecoder> m_body;
    bool m_isSent = false;
    bool m_isAnswered = false;
};

} // namespace transport
