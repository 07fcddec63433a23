// SPDX-License-Identifier: GPL-3.0-or-later
#include "output.h"

#include "services/wire/frame.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace trialkeeper {

Output::Output(Loop& loop, int fd)
    : m_loop(loop)
    , m_fd(fd)
{
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

std::string toText(const nlohmann::json& message)
{
    return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void Output::control(const nlohmann::json& message)
{
    control(message, {});
}

void Output::control(const nlohmann::json& message, std::string_view raw)
{
    if (!appendFrame(m_control, toText(message), raw))
        std::fprintf(stderr, "trialkeeper: a reply is larger than a frame and was not sent\n");
}

bool Output::Queue::add(std::string_view json, std::string_view raw)
{
    std::string frame;
    if (!appendFrame(frame, json, raw))
        return false;
    bytes += frame.size();
    // Small frames share a buffer: a thousand trials that report at once are one write.
    if (!frames.empty() && frames.back().size() + frame.size() <= 32 * 1024)
        frames.back() += frame;
    else
        frames.push_back(std::move(frame));
    return true;
}

bool Output::Queue::take(std::string& into)
{
    if (frames.empty())
        return false;
    into = std::move(frames.front());
    frames.pop_front();
    bytes -= into.size();
    return true;
}

void Output::stream(std::string_view json, std::string_view raw)
{
    std::string text(json.substr(0, json.size() - 1));
    text += ",\"seq\":" + std::to_string(m_streamed + 1) + '}';
    m_streamed += m_streams.add(text, raw) ? 1 : 0;
}

void Output::read(std::string_view json, std::string_view raw)
{
    (void)m_reads.add(json, raw);
}

bool Output::refill()
{
    m_current.clear();
    m_sent = 0;
    if (!m_control.empty()) {
        m_current.swap(m_control);
        return true;
    }
    m_readsNext = !m_readsNext;
    return m_readsNext ? m_reads.take(m_current) || m_streams.take(m_current)
                       : m_streams.take(m_current) || m_reads.take(m_current);
}

bool Output::flush()
{
    bool wrote = false;
    while (!m_waiting && (m_sent < m_current.size() || refill())) {
        const ssize_t written = ::write(m_fd, m_current.data() + m_sent, m_current.size() - m_sent);
        if (written > 0) {
            m_sent += std::size_t(written);
            wrote = true;
        } else if (written < 0 && errno == EAGAIN) {
            m_waiting = m_loop.watch(m_fd, EPOLLOUT, [this](std::uint32_t) {
                m_loop.unwatch(m_fd);
                m_waiting = false;
            });
            if (!m_waiting)
                m_loop.stop();
            break;
        } else if (written < 0 && errno != EINTR) {
            m_loop.stop(); // the reading end is closed; trials keep running
            return false;
        }
    }
    return wrote && std::exchange(m_refused, false);
}

void Output::drain()
{
    const std::int64_t until = steadyMs() + 1000;
    while ((m_sent < m_current.size() || refill()) && steadyMs() < until) {
        const ssize_t written = ::write(m_fd, m_current.data() + m_sent, m_current.size() - m_sent);
        if (written > 0) {
            m_sent += std::size_t(written);
        } else if (written < 0 && errno == EAGAIN) {
            pollfd out{m_fd, POLLOUT, 0};
            ::poll(&out, 1, 100);
        } else if (written < 0 && errno != EINTR) {
            return;
        }
    }
}

} // namespace trialkeeper
