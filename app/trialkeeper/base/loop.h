// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io.h"

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace trialkeeper {

/// The agent's event loop over epoll. One thread; callbacks may add and remove anything.
class Loop
{
public:
    using Callback = std::function<void(std::uint32_t events)>;

    Loop();
    /// False (errno) where the descriptor cannot be waited for, such as a regular file.
    [[nodiscard]] bool watch(int fd, std::uint32_t events, Callback callback);
    void change(int fd, std::uint32_t events);
    void unwatch(int fd);

    using Timer = std::uint64_t;
    Timer after(int ms, std::function<void()> callback); ///< once; 0 is never a timer
    void cancel(Timer timer);

    /// Runs after the callbacks of each turn. While it returns true there is more to do: the loop continues without
    /// waiting.
    void addPump(std::function<bool()> pump) { m_pumps.push_back(std::move(pump)); }

    void run();
    void stop() { m_stopped = true; }

private:
    struct Watched
    {
        std::uint64_t generation = 0;
        Callback callback;
    };
    struct TimerEntry
    {
        Timer id;
        std::function<void()> callback;
    };
    int timeout() const;
    void fireTimers();

    Fd m_epoll;
    std::unordered_map<int, Watched> m_watched;
    std::multimap<std::int64_t, TimerEntry> m_timers;
    std::vector<std::function<bool()>> m_pumps;
    std::uint64_t m_generation = 0;
    Timer m_nextTimer = 1;
    bool m_stopped = false;
};

} // namespace trialkeeper
