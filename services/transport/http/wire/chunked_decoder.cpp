// SPDX-License-Identifier: GPL-3.0-or-later
#include "chunked_decoder.h"

#include "services/core/json_text.h"

#include <algorithm>

namespace transport {

static constexpr int maxSizeDigits = 12; // 256 TiB
static constexpr int maxSizeLineBytes = 4 * 1024;
static constexpr int maxTrailerBytes = 16 * 1024;

/// One byte that is none of a chunk's data. False: broken.
bool ChunkedDecoder::step(char c)
{
    switch (m_state) {
    case State::size:
        if (const int digit = core::hexDigit(c); digit >= 0) {
            m_left = m_left * 16 + digit;
            return ++m_digits <= maxSizeDigits;
        }
        if (m_digits == 0)
            return false;
        if (c == ';' || c == ' ' || c == '\t') {
            m_state = State::extension;
            return true;
        }
        [[fallthrough]];
    case State::extension:
        if (c == '\r')
            m_state = State::sizeEnd;
        else if (m_state == State::size || uchar(c) < 0x20)
            return c == '\t' && m_state == State::extension;
        return ++m_lineBytes <= maxSizeLineBytes;
    case State::sizeEnd:
        m_state = m_left > 0 ? State::data : State::trailer;
        m_digits = 0;
        m_lineBytes = 0;
        return c == '\n';
    case State::dataEnd:
        m_state = State::dataFeed;
        return c == '\r';
    case State::dataFeed:
        m_state = State::size;
        return c == '\n';
    case State::trailer:
        if (c == '\n') {
            if (m_isLineEmpty)
                m_state = State::done;
            m_isLineEmpty = true;
        } else if (c != '\r') {
            m_isLineEmpty = false;
        }
        return ++m_trailerBytes <= maxTrailerBytes;
    case State::data:
    case State::done:
        break;
    }
    return false;
}

qsizetype ChunkedDecoder::decode(QByteArrayView coded, QByteArray& body)
{
    qsizetype at = 0;
    while (at < coded.size() && m_state != State::done) {
        if (m_state == State::data) {
            const qsizetype bytes = qsizetype(std::min<qint64>(m_left, coded.size() - at));
            body.append(coded.data() + at, bytes);
            at += bytes;
            m_left -= bytes;
            if (m_left == 0)
                m_state = State::dataEnd;
        } else if (!step(coded[at++])) {
            return -1;
        }
    }
    return at;
}

} // namespace transport
