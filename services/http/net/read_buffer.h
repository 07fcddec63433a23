// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "link.h"

#include <vector>

namespace http {

/// Received bytes that were not used yet. One read at a time; the caller keeps this alive in `done`.
class ReadBuffer
{
public:
    using Done = std::function<void(error_code)>;

    explicit ReadBuffer(LinkPtr link);

    [[nodiscard]] bool isEmpty() const { return m_end == m_begin; }
    [[nodiscard]] net::const_buffer rest() const { return {m_bytes.data() + m_begin, m_end - m_begin}; }
    void use(std::size_t bytes) { m_begin += bytes; }

    /// Reads up to `piece` bytes more, behind the rest.
    void read(std::size_t piece, Done done);
    /// Reads what is of no use: to learn that the client left, and so that closing does not destroy what was sent. Nothing while a
    /// read is under way: its end reports the same.
    void discard(Done done);
    /// Gives its memory back, when nothing rests: an idle connection holds no more than `piece` bytes.
    void shrink(std::size_t piece);

private:
    void readInto(std::size_t piece, bool keep, Done done);

    LinkPtr m_link;
    std::vector<char> m_bytes; ///< m_begin..m_end is not used up yet
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_isReading = false; ///< into m_bytes: it must stay where it is
};

} // namespace http
