// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/wire/pod_frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// Numbers the streams' bytes and writes them as frames to a descriptor that may be a pipe, a socket, a terminal or a file. Holds at most
/// metricRoom bytes and what one call adds (escaped, at most four bytes for each, and the frames around them). Never blocks: the caller reads no
/// more of a stream while mayAddLog() or mayAddMetrics() is false, so that the trial's own write waits.
/// A descriptor that takes no more for a while (a full disk) costs log, which the reader sees as a gap, but no metric; one that is
/// closed takes nothing any more. One thread.
class FrameOutput
{
public:
    /// `fd` is not owned.
    FrameOutput(int fd, std::string_view id, std::string_view run);

    [[nodiscard]] bool mayAddLog() const { return m_queue.size() - m_written < logRoom || m_state != State::Open; }
    [[nodiscard]] bool mayAddMetrics() const
    {
        return m_queue.size() - m_written < metricRoom || m_state == State::Closed;
    }
    /// The next bytes of a stream.
    void add(PodStream stream, std::string_view bytes, bool reset = false);
    void event(std::string_view json);
    /// The end, after which nothing is added.
    void end(std::string_view finalJson);
    /// How many bytes the stream had so far.
    [[nodiscard]] std::uint64_t size(PodStream stream) const { return m_sizes[std::size_t(stream)]; }
    [[nodiscard]] const PodFrameWriter& writer() const { return m_writer; }
    /// The text of an end frame with these sizes.
    [[nodiscard]] std::string endText(std::string_view finalJson) const;

    [[nodiscard]] bool isEmpty() const { return m_written == m_queue.size(); }
    /// Whether to wait until the descriptor can be written, then call write().
    [[nodiscard]] bool wantsWrite() const { return !isEmpty() && m_state == State::Open; }
    /// Writes what the descriptor takes now, in portions that do not block once poll() has said that it is ready. True: some was written.
    bool write();
    /// When write() should be tried although the descriptor failed, steadyMs(); 0: not at all.
    [[nodiscard]] std::int64_t retryAt() const { return m_state == State::Failing ? m_retryAt : 0; }
    [[nodiscard]] bool isClosed() const { return m_state == State::Closed; }
    /// Nothing is written any more.
    void close();

private:
    enum class State { Open, Failing, Closed };
    static constexpr std::size_t logRoom = 128 * 1024;
    static constexpr std::size_t metricRoom = 256 * 1024;

    int m_fd;
    PodFrameWriter m_writer;
    State m_state = State::Open;
    std::array<std::uint64_t, podByteStreams + 1> m_sizes{};
    std::string m_queue;
    std::size_t m_written = 0; ///< bytes of m_queue
    std::int64_t m_retryAt = 0;
};

} // namespace trialkeeper
