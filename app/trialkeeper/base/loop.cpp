// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop.h"

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>

namespace trialkeeper {

Loop::Loop()
    : m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
}

bool Loop::watch(int fd, std::uint32_t events, Callback callback)
{
    // The generation distinguishes an event of a descriptor that was closed in this turn from one of its successor with the
    // same number.
    const std::uint64_t generation = ++m_generation & 0xffffffff;
    epoll_event event{};
    event.events = events;
    event.data.u64 = generation << 32 | std::uint32_t(fd);
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        return false;
    m_watched[fd] = {generation, std::move(callback)};
    return true;
}

void Loop::change(int fd, std::uint32_t events)
{
    const auto found = m_watched.find(fd);
    if (found == m_watched.end())
        return;
    epoll_event event{};
    event.events = events;
    event.data.u64 = found->second.generation << 32 | std::uint32_t(fd);
    ::epoll_ctl(m_epoll.get(), EPOLL_CTL_MOD, fd, &event);
}

void Loop::unwatch(int fd)
{
    if (m_watched.erase(fd) > 0)
        ::epoll_ctl(m_epoll.get(), EPOLL_CTL_DEL, fd, nullptr);
}

Loop::Timer Loop::after(int ms, std::function<void()> callback)
{
    m_timers.emplace(steadyMs() + ms, TimerEntry{m_nextTimer, std::move(callback)});
    return m_nextTimer++;
}

void Loop::cancel(Timer timer)
{
    const auto found =
        std::find_if(m_timers.begin(), m_timers.end(), [&](const auto& entry) { return entry.second.id == timer; });
    if (found != m_timers.end())
        m_timers.erase(found);
}

int Loop::timeout() const
{
    if (m_timers.empty())
        return -1;
    return int(std::clamp<std::int64_t>(m_timers.begin()->first - steadyMs(), 0, 3600 * 1000));
}

void Loop::fireTimers()
{
    const std::int64_t now = steadyMs();
    while (!m_stopped && !m_timers.empty() && m_timers.begin()->first <= now) {
        auto node = m_timers.extract(m_timers.begin());
        node.mapped().callback();
    }
}

void Loop::run()
{
    bool busy = true; // the pumps may have work before the first event
    while (!m_stopped) {
        epoll_event events[64];
        const int count = ::epoll_wait(m_epoll.get(), events, 64, busy ? 0 : timeout());
        if (count < 0 && errno != EINTR)
            return;
        for (int i = 0; i < count && !m_stopped; ++i) {
            const auto found = m_watched.find(int(events[i].data.u64 & 0xffffffff));
            if (found == m_watched.end() || found->second.generation != events[i].data.u64 >> 32)
                continue;
            const Callback callback = found->second.callback; // it may remove itself
            callback(events[i].events);
        }
        if (!m_timers.empty())
            fireTimers();
        busy = false;
        for (std::size_t i = 0; i < m_pumps.size() && !m_stopped; ++i)
            busy = m_pumps[i]() || busy;
    }
}

} // namespace trialkeeper
