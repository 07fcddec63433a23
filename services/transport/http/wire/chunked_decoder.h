// SPDX-License-Identifier: GPL-3.0-or-later
// The transfer coding `chunked` (RFC 9112, 7.1), in whatever pieces it arrives. Pure.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace transport {

class ChunkedDecoder
{
public:
    /// Appends what `coded` holds of the body to `body`. Returns how many bytes of `coded` were used, all but what follows the end of
    /// the body; -1 for what is no chunk, a size line over 4 KiB, or trailers over 16 KiB. Nothing may be decoded after -1.
    [[nodiscard]] qsizetype decode(QByteArrayView coded, QByteArray& body);
    [[nodiscard]] bool isDone() const { return m_state == State::done; }

private:
    enum class State { size, extension, sizeEnd, data, dataEnd, dataFeed, trailer, done };

    [[nodiscard]] bool step(char c);

    State m_state = State::size;
    qint64 m_left = 0;         ///< of the chunk
    int m_digits = 0;          ///< of its size
    int m_lineBytes = 0;       ///< of the size line
    int m_trailerBytes = 0;    ///< of all trailers
    bool m_isLineEmpty = true; ///< of the trailer line so far
};

} // namespace transport
