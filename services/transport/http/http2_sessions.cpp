// SPDX-License-Identifier: GPL-3.0-or-later
#include "http2_sessions.h"

namespace transport {

Http2Sessions::Http2Sessions(Clock* clock, HttpTls tls, Scope* scope)
    : m_clock(clock)
    , m_tls(std::move(tls))
    , m_scope(scope)
{
}

std::shared_ptr<Http2Session> Http2Sessions::withRoom(const HttpConnection::Plan& plan) const
{
    for (const std::shared_ptr<Http2Session>& session : m_sessions)
        if (session->hasRoom() && session->plan().origin == plan.origin && session->plan().proxy == plan.proxy)
            return session;
    return nullptr;
}

Task<Result<Http2Sessions::Place>> Http2Sessions::take(HttpConnection::Plan plan, Patience patience)
{
    for (;;) {
        if (const std::shared_ptr<Http2Session> session = withRoom(plan)) {
            session->reserve();
            co_return Place{session, true, nullptr};
        }
        if (!m_isOpening || m_isPlain)
            break;
        auto waiting = m_waiters.wait(m_clock, patience, plan.origin);
        const Result<> waited = co_await waiting;
        if (!waited)
            co_return fail(waited);
    }
    m_isOpening = true;
    auto opening = open(plan, patience);
    const Result<Place> place = co_await opening;
    m_isOpening = false;
    m_waiters.wake();
    co_return place;
}

Task<Result<Http2Sessions::Place>> Http2Sessions::open(HttpConnection::Plan plan, Patience patience)
{
    plan.offersHttp2 = true;
    const auto connection = std::make_shared<HttpConnection>(m_clock, m_tls, plan);
    auto opening = connection->open(patience);
    const Result<> opened = co_await opening;
    if (!opened)
        co_return fail(opened);
    m_isPlain = !connection->speaksHttp2();
    if (m_isPlain)
        co_return Place{nullptr, false, connection};
    const auto session = std::make_shared<Http2Session>(m_clock, connection);
    auto greeting = session->open(patience);
    const Result<> greeted = co_await greeting;
    if (!greeted)
        co_return fail(greeted);
    session->reserve();
    m_sessions.push_back(session);
    m_scope->spawn([this, session] { return keep(session); });
    co_return Place{session, false, nullptr};
}

Task<> Http2Sessions::keep(std::shared_ptr<Http2Session> session)
{
    auto running = session->run(m_scope->stopToken());
    co_await running;
    std::erase(m_sessions, session);
}

} // namespace transport
