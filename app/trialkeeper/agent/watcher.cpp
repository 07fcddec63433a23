// SPDX-License-Identifier: GPL-3.0-or-later
#include "watcher.h"

#include <cerrno>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

namespace trialkeeper {

namespace {

// One mask for all: adding a second watch on a file replaces the mask of the first. A file that is unlinked while a process
// has it open gives IN_ATTRIB alone.
constexpr std::uint32_t mask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVE_SELF;
constexpr std::uint32_t mayBeAnother = IN_ATTRIB | IN_MOVE_SELF | IN_IGNORED;
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
    const Id id = m_next++;
    Watch& watch = m_watches[id];
    watch.path = path;
    watch.callback = std::move(callback);
    ++m_polling; // until it is placed
    place(id, watch);
    return id;
}

void Watcher::place(Id id, Watch& watch)
{
    int descriptor = m_inotify ? ::inotify_add_watch(m_inotify.get(), watch.path.c_str(), mask) : -1;
    int error = m_inotify ? errno : m_initError;
    watch.onFolder = descriptor < 0 && error == ENOENT;
    if (watch.onFolder) {
        const std::string folder = watch.path.substr(0, watch.path.rfind('/'));
        descriptor = ::inotify_add_watch(m_inotify.get(), folder.c_str(), mask);
        error = errno;
    }
    if (descriptor >= 0 && descriptor == watch.descriptor)
        return;
    const int before = std::exchange(watch.descriptor, descriptor);
    if (before < 0)
        --m_polling;
    else
        dropDescriptor(id, before);
    if (descriptor >= 0) {
        m_byDescriptor[descriptor].push_back(id);
        return;
    }
    if (error != ENOENT && !m_toldLimit && onLimit) {
        m_toldLimit = true;
        // inotify_init1(2) and inotify_add_watch(2) each have a limit of their own.
        onLimit(errorText(error) + "; raise fs.inotify.max_user_" + (m_inotify ? "watches" : "instances"));
    }
    ++m_polling;
    if (m_timer == 0)
        m_timer = m_loop.after(pollMs, [this] { poll(); });
}

void Watcher::dropDescriptor(Id id, int descriptor)
{
    const auto found = m_byDescriptor.find(descriptor);
    if (found == m_byDescriptor.end())
        return;
    std::erase(found->second, id);
    if (!found->second.empty())
        return;
    m_byDescriptor.erase(found);
    ::inotify_rm_watch(m_inotify.get(), descriptor);
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
    dropDescriptor(id, descriptor);
}

void Watcher::call(int descriptor, bool replaced)
{
    const auto found = m_byDescriptor.find(descriptor);
    if (found == m_byDescriptor.end())
        return;
    const std::vector<Id> ids = found->second;
    for (const Id id : ids) {
        const auto watch = m_watches.find(id);
        if (watch == m_watches.end())
            continue;
        if (replaced || watch->second.onFolder)
            place(id, watch->second);
        const Callback callback = watch->second.callback;
        callback();
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
                call(descriptor, true);
        } else {
            call(event->wd, (event->mask & mayBeAnother) != 0);
        }
    }
}

void Watcher::poll()
{
    m_timer = m_polling > 0 ? m_loop.after(pollMs, [this] { poll(); }) : 0;
    std::vector<Id> ids;
    for (const auto& [id, watch] : m_watches) {
        if (watch.descriptor < 0)
            ids.push_back(id);
    }
    for (const Id id : ids) {
        const auto watch = m_watches.find(id);
        if (watch == m_watches.end())
            continue;
        place(id, watch->second);
        const Callback callback = watch->second.callback;
        callback();
    }
}

} // namespace trialkeeper
