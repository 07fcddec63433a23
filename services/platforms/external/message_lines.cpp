// SPDX-License-Identifier: GPL-3.0-or-later
#include "message_lines.h"

namespace platforms::external {

QByteArrayList MessageLines::take(QByteArrayView bytes)
{
    QByteArrayList lines;
    while (!m_isTooLong && !bytes.isEmpty()) {
        const qsizetype end = bytes.indexOf('\n');
        const QByteArrayView piece = end < 0 ? bytes : bytes.first(end);
        m_isTooLong = m_rest.size() + piece.size() > longestLine;
        if (m_isTooLong) {
            m_rest = {};
            break;
        }
        m_rest.append(piece);
        if (end < 0)
            break;
        const QByteArray line = std::exchange(m_rest, {}).trimmed();
        if (!line.isEmpty())
            lines.append(line);
        bytes = bytes.sliced(end + 1);
    }
    return lines;
}

std::optional<Json> messageOf(const QByteArray& line)
{
    const Result<Json> parsed = parseJson(line);
    return parsed && parsed->is_object() ? std::optional(*parsed) : std::nullopt;
}

} // namespace platforms::external
