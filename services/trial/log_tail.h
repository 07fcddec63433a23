// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and lines of logs that are too large to hold. Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

struct LogRange
{
    qint64 offset = 0;
    qint64 length = 0;

    bool operator==(const LogRange&) const = default;
};

/// What to read of a file of `size` bytes for offset and limit, or with `tail` for its last bytes; cut to the file, at
/// most `limit`.
[[nodiscard]] LogRange logRange(qint64 size, qint64 offset, qint64 limit, std::optional<qint64> tail = std::nullopt);

/// Where in a file the last `lines` lines begin, given its last part `block`, which begins at `blockOffset`. Nothing if
/// they begin before the block: read further back. A line end at the very end begins no line.
[[nodiscard]] std::optional<qint64> lastLinesOffset(QByteArrayView block, qint64 blockOffset, int lines);

/// The last lines that are not blank, oldest first: UTF-8 with replacements, without colour codes, of a line that was
/// overwritten (\r) what one saw last. `tail` may begin inside a line.
[[nodiscard]] QStringList lastTextLines(QByteArrayView tail, int lines);

/// Where lines begin, for a view that scrolls a growing log: it keeps one offset for every so many lines, and fewer
/// when the log is very long, so its memory is bounded.
class LineIndex
{
public:
    explicit LineIndex(qint64 every = 256, qsizetype maxEntries = 65'536);

    /// Bytes in order; what was not indexed yet begins at bytes().
    void append(QByteArrayView bytes);
    [[nodiscard]] qint64 bytes() const { return m_bytes; }
    /// Lines begun; a line end at the end of the log begins none.
    [[nodiscard]] qint64 lineCount() const { return m_lines + (m_lineOpen ? 1 : 0); }

    struct Place
    {
        qint64 line = 0;
        qint64 offset = 0;
    };
    /// The last known beginning at or before a line; from there lines are counted by reading.
    [[nodiscard]] Place placeBefore(qint64 line) const;
    /// The log was cut or replaced.
    void clear();

private:
    qint64 m_firstEvery;
    qint64 m_every;
    qsizetype m_maxEntries;
    qint64 m_bytes = 0;
    qint64 m_lines = 0; ///< line ends seen
    bool m_lineOpen = false;
    std::vector<qint64> m_offsets; ///< of the lines 0, m_every, 2 m_every …
};

} // namespace trial
