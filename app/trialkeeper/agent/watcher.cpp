// SPDX-License-Identifier: GPL-3.0-or-later
#include "watcher.h"

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr std::uint32_t mask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_CLOSE_WRITE;
constexpr int pollMs = 1000;

} // namespace

Watcher::Watcher(Loop& loop)
    : m_loop(loop)
    , m_inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK))
{
    m_initError = m_inotify ? 0 : errno;
    if (m_inotify && !m_loop.watch(m_inotify.get(), EPOLLIN, [this](std::uint32_t) { read(); }))
        m_inotify.reset();
}

Watcher::Id Watcher::add(const std::string& path, Callback callback)
{
    const int descriptor = m_inotify ? ::inotify_add_watch(m_inotify.get(), path.c_str(), mask) : -1;
    const Id id = m_next++;
    if (descriptor < 0) {
        const int error = m_inotify ? errno : m_initError;
        if (error != ENOENT && !m_toldLimit && onLimit) {
            m_toldLimit = true;
            // inotify_init1(2) and inotify_add_watch(2) each have a limit of their own.
            onLimit(errorText(error) + "; raise fs.inotify.max_user_" + (m_inotify ? "watches" : "instances"));
        }
        ++m_polling;
        if (m_timer == 0)
            m_timer = m_loop.after(pollMs, [this] { poll(); });
    } else {
        m_byDescriptor[descriptor].push_back(id);
    }
    m_watches[id] = {descriptor, std::move(callback)};
    return id;
}

void Watcher::remove(Id id)
{
    const auto found = m_watches.find(id);
    if (found == m_watches.end())
        return;
    const int descriptor = found->second.descriptor;
    m_watches.erase(found);
    if (descriptor < 0) {
        if (--m_polling == 0) {
            m_loop.cancel(m_timer);
            m_timer = 0;
        }
        return;
    }
    std::vector<Id>& ids = m_byDescriptor[descriptor];
    ids.erase(std::remove(ids.begin(), ids.end(), id), ids.end());
    if (ids.empty()) {
        m_byDescriptor.erase(descriptor);
        ::inotify_rm_watch(m_inotify.get(), descriptor);
    }
}

void Watcher::call(int descriptor)
{
    const auto found = m_byDescriptor.find(descriptor);
    if (found == m_byDescriptor.end())
        return;
    const std::vector<Id> ids = found->second;
    for (const Id id : ids) {
        const auto watch = m_watches.find(id);
        if (watch != m_watches.end()) {
            const Callback callback = watch->second.callback;
            callback();
        }
    }
}

void Watcher::read()
{
    alignas(inotify_event) char buffer[16384];
    const ssize_t got = ::read(m_inotify.get(), buffer, sizeof buffer);
    for (ssize_t at = 0; at < got;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        at += ssize_t(sizeof(inotify_event)) + event->len;
        if (event->mask & IN_Q_OVERFLOW) {
            // Events were dropped: everything may have changed.
            std::vector<int> all;
            for (const auto& [descriptor, ids] : m_byDescriptor)
                all.push_back(descriptor);
            for (const int descriptor : all)
                call(descriptor);
        } else if (event->mask & IN_IGNORED) {
            // The file is gone and so is its watch; its reader looks for a new one of that name every second.
            const auto found = m_byDescriptor.find(event->wd);
            if (found == m_byDescriptor.end())
                continue;
            for (const Id id : found->second) {
                m_watches[id].descriptor = -1;
                ++m_polling;
            }
            m_byDescriptor.erase(found);
            if (m_timer == 0)
                m_timer = m_loop.after(pollMs, [this] { poll(); });
        } else {
            call(event->wd);
        }
    }
}

void Watcher::poll()
{
    m_timer = m_loop.after(pollMs, [this] { poll(); });
    std::vector<Id> ids;
    for (const auto& [id, watch] : m_watches) {
        if (watch.descriptor < 0)
            ids.push_back(id);
    }
    for (const Id id : ids) {
        const auto watch = m_watches.find(id);
        if (watch != m_watches.end()) {
            const Callback callback = watch->second.callback;
            callback();
        }
    }
}

} // namespace trialkeeper
