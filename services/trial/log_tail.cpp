// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_tail.h"

#include <cstring>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

/// A line as a terminal would have left it.
QString shownText(QByteArrayView line)
{
    while (line.endsWith('\r'))
        line.chop(1);
    if (const qsizetype overwritten = line.lastIndexOf('\r'); overwritten >= 0)
        line = line.sliced(overwritten + 1);
    QByteArray plain;
    plain.reserve(line.size());
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            if (uchar(line[i]) >= 0x20 || line[i] == '\t')
                plain += line[i];
            continue;
        }
        // ESC [ parameters letter; any other escape is one character more.
        if (i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && (uchar(line[i]) < 0x40 || uchar(line[i]) > 0x7e))
                ++i;
        } else {
            ++i;
        }
    }
    return QString::fromUtf8(plain);
}

} // namespace

LogRange logRange(qint64 size, qint64 offset, qint64 limit, std::optional<qint64> tail)
{
    size = std::max<qint64>(size, 0);
    limit = std::max<qint64>(limit, 0);
    if (tail) {
        const qint64 length = std::clamp<qint64>(*tail, 0, std::min(limit, size));
        return {size - length, length};
    }
    offset = std::clamp<qint64>(offset, 0, size);
    return {offset, std::min(limit, size - offset)};
}

std::optional<qint64> lastLinesOffset(QByteArrayView block, qint64 blockOffset, int lines)
{
    qsizetype end = block.size();
    if (lines <= 0)
        return blockOffset + end;
    if (end > 0 && block[end - 1] == '\n')
        --end;
    for (qsizetype at = end - 1; at >= 0; --at) {
        if (block[at] == '\n' && --lines == 0)
            return blockOffset + at + 1;
    }
    return blockOffset == 0 ? std::optional<qint64>(0) : std::nullopt;
}

QStringList lastTextLines(QByteArrayView tail, int lines)
{
    QStringList found;
    qsizetype end = tail.size();
    while (end > 0 && found.size() < lines) {
        const qsizetype newline = end >= 2 ? tail.first(end - 1).lastIndexOf('\n') : -1;
        QByteArrayView line = tail.sliced(newline + 1, end - newline - 1);
        if (line.endsWith('\n'))
            line.chop(1);
        const QString text = shownText(line);
        if (!text.trimmed().isEmpty())
            found.prepend(text);
        end = newline + 1;
    }
    return found;
}

LineIndex::LineIndex(qint64 every, qsizetype maxEntries)
    : m_firstEvery(std::max<qint64>(every, 1))
    , m_every(m_firstEvery)
    , m_maxEntries(std::max<qsizetype>(maxEntries, 2))
    , m_offsets{0}
{
}

void LineIndex::append(QByteArrayView bytes)
{
    qsizetype at = 0;
    while (at < bytes.size()) {
        const void* found = std::memchr(bytes.data() + at, '\n', size_t(bytes.size() - at));
        if (!found)
            break;
        at = static_cast<const char*>(found) - bytes.data() + 1;
        ++m_lines;
        if (m_lines % m_every == 0) {
            m_offsets.push_back(m_bytes + at);
            if (qsizetype(m_offsets.size()) > m_maxEntries) {
                // Twice as many lines an entry from now on.
                for (size_t i = 0; 2 * i < m_offsets.size(); ++i)
                    m_offsets[i] = m_offsets[2 * i];
                m_offsets.resize((m_offsets.size() + 1) / 2);
                m_every *= 2;
            }
        }
    }
    if (!bytes.isEmpty())
        m_lineOpen = bytes.back() != '\n';
    m_bytes += bytes.size();
}

LineIndex::Place LineIndex::placeBefore(qint64 line) const
{
    const qint64 entry = std::clamp<qint64>(line / m_every, 0, qint64(m_offsets.size()) - 1);
    return {entry * m_every, m_offsets[size_t(entry)]};
}

void LineIndex::clear()
{
    *this = LineIndex(m_firstEvery, m_maxEntries);
}

} // namespace trial
