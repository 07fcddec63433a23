// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_exchange.h"

using namespace Qt::StringLiterals;

namespace transport {

static constexpr int maxInterimAnswers = 16;

HttpExchange::HttpExchange(std::shared_ptr<HttpConnection> connection, QByteArray method)
    : m_connection(std::move(connection))
    , m_method(std::move(method))
{
}

Task<Result<>> HttpExchange::start(QByteArray head, QByteArray body, Patience patience)
{
    auto writing = m_connection->write(head + body, patience);
    const Result<bool> written = co_await writing;
    if (!written)
        co_return fail(written);
    m_isSent = *written;
    for (int answers = 0; answers < maxInterimAnswers; ++answers) {
        m_parser = {};
        for (;;) {
            auto reading = m_connection->read(HttpConnection::readAheadBytes, patience);
            Result<QByteArray> bytes = co_await reading;
            if (!bytes)
                co_return fail(bytes);
            if (bytes->isEmpty() && m_parser.isEmpty())
                co_return fail(Kind::network,
                    u"%1 closed the connection without an answer."_m.arg(originText(m_connection->plan().origin)));
            if (bytes->isEmpty())
                co_return tl::unexpected(damaged(u"it ends in its head"_m));
            m_isAnswered = true;
            const ResponseHeadParser::State state = m_parser.take(*bytes);
            if (state == ResponseHeadParser::State::broken)
                co_return tl::unexpected(damaged(u"its head is not HTTP/1.1, malformed, or larger than 64 KiB"_m));
            m_connection->unread(*bytes);
            if (state == ResponseHeadParser::State::done)
                break;
        }
        if (m_parser.head().isInterim())
            continue;
        m_body = BodyDecoder::of(m_parser.head(), m_method);
        if (!m_body)
            co_return tl::unexpected(damaged(u"its length or coding cannot be understood"_m));
        co_return Result<>();
    }
    co_return tl::unexpected(damaged(u"interim answers do not end"_m));
}

Task<Result<QByteArray>> HttpExchange::read(qsizetype most, Patience patience)
{
    for (;;) {
        std::optional<QByteArray> taken = m_body->take(most);
        if (!taken)
            co_return tl::unexpected(damaged(u"its compression is broken"_m));
        if (!taken->isEmpty() || m_body->isDone())
            co_return std::move(*taken);
        if (m_body->isTruncated())
            co_return tl::unexpected(damaged(u"its compressed data stops in the middle"_m));
        auto reading = m_connection->read(HttpConnection::readAheadBytes, patience);
        Result<QByteArray> bytes = co_await reading;
        if (!bytes)
            co_return fail(bytes);
        if (bytes->isEmpty()) {
            if (!m_body->end())
                co_return tl::unexpected(damaged(u"the connection ended before it did"_m));
            continue;
        }
        if (!m_body->push(*bytes))
            co_return tl::unexpected(damaged(u"its chunks are malformed"_m));
        if (!bytes->isEmpty())
            m_connection->unread(*bytes);
    }
}

std::shared_ptr<HttpConnection> HttpExchange::takeReusable()
{
    if (!m_isSent || !m_body || !m_body->isDone() || !keepsAlive(m_parser.head(), m_body->framing())
        || !m_connection->isIdle())
        return nullptr;
    return m_connection;
}

} // namespace transport
