// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_stream.h"

namespace transport {

HttpStream::HttpStream(std::shared_ptr<HttpAnswer> answer, std::unique_ptr<JoinedStop> stop, int silenceMs, QUrl url)
    : m_answer(std::move(answer))
    , m_stop(std::move(stop))
    , m_silenceMs(silenceMs)
    , m_url(std::move(url))
{
}

HttpStream::~HttpStream() = default;

Task<Result<QByteArray>> HttpStream::read(qsizetype most)
{
    const auto self = shared_from_this();
    const Patience patience{m_stop->token(), never, m_silenceMs};
    auto reading = m_answer->read(most, patience);
    co_return co_await reading;
}

Task<Result<HttpReply>> HttpStream::rest(qint64 most)
{
    const auto self = shared_from_this();
    const Patience patience{m_stop->token(), never, m_silenceMs};
    auto reading = m_answer->readAll(most, patience);
    const Result<QByteArray> body = co_await reading;
    if (!body)
        co_return fail(body);
    HttpReply reply;
    reply.status = status();
    reply.headers = m_answer->head().headers;
    reply.body = *body;
    reply.url = m_url;
    co_return reply;
}

void HttpStream::abort()
{
    const auto self = shared_from_this();
    m_stop->request();
    m_answer->abort();
}

} // namespace transport
