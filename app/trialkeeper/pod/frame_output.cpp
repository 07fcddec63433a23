// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_output.h"

#include "app/trialkeeper/base/io.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr int retryMs = 500;

/// A pipe that poll() calls writable takes PIPE_BUF bytes without blocking. The descriptor is not made non-blocking: the parent
/// process shares it.
ssize_t writePortion(int fd, const char* bytes, std::size_t size)
{
    const ssize_t sent = ::send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 && errno == ENOTSOCK ? ::write(fd, bytes, std::min<std::size_t>(size, PIPE_BUF)) : sent;
}

} // namespace

FrameOutput::FrameOutput(int fd, std::string_view id, std::string_view run)
    : m_fd(fd)
    , m_writer(id, run)
{
}

void FrameOutput::add(PodStream stream, std::string_view bytes, bool reset)
{
    std::uint64_t& at = m_sizes[std::size_t(stream)];
    const bool isMetric = stream == PodStream::nni || stream == PodStream::file;
    const bool hasRoom = m_queue.size() - m_written < (isMetric ? metricRoom : logRoom);
    if (m_state == State::Open || (m_state == State::Failing && hasRoom))
        m_writer.addBytes(m_queue, stream, at, bytes, reset);
    at += bytes.size();
}

void FrameOutput::event(std::string_view json)
{
    std::uint64_t& at = m_sizes[std::size_t(PodStream::events)];
    if (m_state != State::Closed)
        (void)m_writer.addWhole(m_queue, podStreamLetter(PodStream::events), at, json);
    at += json.size();
}

std::string FrameOutput::endText(std::string_view finalJson) const
{
    std::string text;
    for (std::size_t i = 0; i < podByteStreams; ++i)
        text += std::to_string(m_sizes[i]) + ' ';
    text += finalJson;
    return text;
}

void FrameOutput::end(std::string_view finalJson)
{
    if (m_state != State::Closed)
        (void)m_writer.addWhole(m_queue, 'x', size(PodStream::events), endText(finalJson));
}

bool FrameOutput::write()
{
    bool wrote = false;
    while (!isEmpty() && m_state != State::Closed) {
        pollfd ready{m_fd, POLLOUT, 0};
        if (::poll(&ready, 1, 0) == 0)
            break;
        const ssize_t taken = writePortion(m_fd, m_queue.data() + m_written, m_queue.size() - m_written);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        if (taken < 0 && (errno == EPIPE || errno == EBADF || errno == ECONNRESET || errno == EINVAL)) {
            close();
            break;
        }
        if (taken < 0) {
            m_state = State::Failing;
            m_retryAt = steadyMs() + retryMs;
            break;
        }
        m_state = State::Open;
        m_written += std::size_t(taken);
        wrote = wrote || taken > 0;
        if (taken == 0)
            break;
    }
    if (isEmpty()) {
        m_queue.clear();
        m_written = 0;
    } else if (m_written > m_queue.size() / 2) {
        m_queue.erase(0, m_written);
        m_written = 0;
    }
    return wrote;
}

void FrameOutput::close()
{
    m_state = State::Closed;
    m_queue.clear();
    m_written = 0;
}

} // namespace trialkeeper
