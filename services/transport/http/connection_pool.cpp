// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection_pool.h"

namespace transport {

ConnectionPool::ConnectionPool(Clock* clock, int most)
    : m_clock(clock)
    , m_most(most)
{
}

std::shared_ptr<HttpConnection> ConnectionPool::take(const HttpOrigin& origin, qint64 idleMs)
{
    std::erase_if(m_idle, [](const Idle& idle) { return !idle.connection->isIdle(); });
    const qint64 now = m_clock->steadyMs();
    for (auto idle = m_idle.rbegin(); idle != m_idle.rend(); ++idle) {
        if (idle->connection->plan().origin != origin || now - idle->sinceMs >= std::min(idleMs, keptMs))
            continue;
        std::shared_ptr<HttpConnection> connection = std::move(idle->connection);
        m_idle.erase(std::next(idle).base());
        return connection;
    }
    return nullptr;
}

void ConnectionPool::give(std::shared_ptr<HttpConnection> connection)
{
    m_idle.push_back({std::move(connection), m_clock->steadyMs()});
    if (int(m_idle.size()) > m_most)
        m_idle.pop_front();
    if (!m_timer)
        m_timer = m_clock->after(keptMs, [this] { expire(); });
}

void ConnectionPool::expire()
{
    m_timer.reset();
    const qint64 now = m_clock->steadyMs();
    std::erase_if(
        m_idle, [now](const Idle& idle) { return now - idle.sinceMs >= keptMs || !idle.connection->isIdle(); });
    if (!m_idle.empty())
        m_timer = m_clock->after(m_idle.front().sinceMs + keptMs - now, [this] { expire(); });
}

void ConnectionPool::clear()
{
    m_timer.reset();
    m_idle.clear();
}

Task<Result<std::shared_ptr<RequestPlaces::Place>>> RequestPlaces::take(std::stop_token stop)
{
    if (m_free > 0) {
        --m_free;
        co_return std::make_shared<Place>(this);
    }
    const OneShot<bool> shot;
    m_waiting.push_back(shot);
    auto waiting = patiently(shot, m_clock, never, stop, false, false);
    const bool isMine = co_await waiting;
    if (!isMine)
        co_return tl::unexpected(cancelledError());
    co_return std::make_shared<Place>(this);
}

void RequestPlaces::free()
{
    while (!m_waiting.empty()) {
        OneShot<bool> next = m_waiting.front();
        m_waiting.pop_front();
        if (next.set(true))
            return;
    }
    ++m_free;
}

} // namespace transport
