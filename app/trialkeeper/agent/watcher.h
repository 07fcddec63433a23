// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/loop.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace trialkeeper {

/// The agent's one inotify instance. Several watches may be on one file. A watch belongs to a path: when the file is deleted, moved
/// or replaced, its folder is watched until there is one of that name again. Where no watch can be had (limit, file system), the
/// callback is called every second instead.
class Watcher
{
public:
    using Callback = std::function<void()>;
    using Id = std::uint64_t; ///< 0 is none

    explicit Watcher(Loop& loop);
    /// Calls back when the file or folder, or what is in the folder, may have changed.
    [[nodiscard]] Id add(const std::string& path, Callback callback);
    void remove(Id id);
    /// Called once, when the first watch has to poll.
    std::function<void(const std::string& why)> onLimit;

private:
    struct Watch
    {
        std::string path;
        Callback callback;
        int descriptor = -1;   ///< -1: polls
        bool onFolder = false; ///< the descriptor is of the folder, because there is no such file
    };
    void read();
    /// Puts the watch on what is at its path now.
    void place(Id id, Watch& watch);
    void dropDescriptor(Id id, int descriptor);
    void call(int descriptor, bool replaced);
    void poll();

    Loop& m_loop;
    Fd m_inotify;
    int m_initError = 0; ///< why there is none
    std::unordered_map<Id, Watch> m_watches;
    std::unordered_map<int, std::vector<Id>> m_byDescriptor;
    std::size_t m_polling = 0;
    Loop::Timer m_timer = 0;
    Id m_next = 1;
    bool m_toldLimit = false;
};

} // namespace trialkeeper
