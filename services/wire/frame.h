// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trialkeeper {

/// Appends one frame (protocol.h, 1) to `out`. False, and nothing appended, if it would break a limit: raw above
/// maxRaw, JSON above maxJsonWithRaw beside raw bytes, or the whole above maxFrame.
[[nodiscard]] bool appendFrame(std::string& out, std::string_view json, std::string_view raw = {});

/// One decoded frame; both views live until the decoder's next call.
struct FrameView
{
    std::string_view json;
    std::string_view raw;
};

/// Cuts a byte stream into frames. Pure: no I/O, no JSON parsing; any bytes may be fed. Memory stays below two
/// maximal frames plus what one feed() brings. Not thread-safe.
class FrameDecoder
{
public:
    enum class Status { Frame, NeedMore, Error };

    void feed(std::span<const char> bytes);
    /// Takes the next frame. After Error (a length beyond the limits, a JSON length beyond the frame) it stays Error:
    /// close the connection.
    [[nodiscard]] Status next(FrameView& frame);
    /// Bytes held and not yet returned.
    [[nodiscard]] std::size_t buffered() const { return m_buffer.size() - m_begin; }

private:
    std::string m_buffer;
    std::size_t m_begin = 0;
    bool m_broken = false;
};

} // namespace trialkeeper
