// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal_text.h"

#include "services/core/printable.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace app {

namespace {

constexpr qsizetype longestSequence = 24;
constexpr char16_t firstMark = 0xfdd0;
constexpr char16_t endMark = 0xfddf;
constexpr std::array roleCodes = {""_L1, "1"_L1, "2"_L1, "32"_L1, "31"_L1, "36"_L1, "33"_L1}; // in the order of Role
const QString noColour = u"\x1b[0m"_s;

bool isParameter(QChar c)
{
    return (c >= u'0' && c <= u'9') || c == u';' || c == u':';
}

/// Of the characters ESC [ and parameters that `text` begins with.
qsizetype sequenceBegin(QStringView text)
{
    if (!text.startsWith(u'\x1b'))
        return 0;
    if (text.size() < 2 || text[1] != u'[')
        return 1;
    const auto end = std::find_if_not(text.begin() + 2, text.end(), isParameter);
    return end - text.begin();
}

/// Bytes at the end that are the begin of a character of UTF-8.
qsizetype unfinishedCharacter(QByteArrayView bytes)
{
    for (qsizetype length = 1; length <= std::min<qsizetype>(3, bytes.size()); ++length) {
        const uchar first = uchar(bytes[bytes.size() - length]);
        if ((first & 0xc0) == 0x80)
            continue;
        const qsizetype wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
        return wanted > length ? length : 0;
    }
    return 0;
}

} // namespace

qsizetype colourSequence(QStringView text)
{
    const qsizetype begin = sequenceBegin(text.first(std::min(text.size(), longestSequence)));
    return begin >= 2 && begin < std::min(text.size(), longestSequence) && text[begin] == u'm' ? begin + 1 : 0;
}

QString painted(const QString& text, Role role)
{
    return role == Role::plain || text.isEmpty() ? text
                                                 : QChar(char16_t(firstMark + int(role))) + text + QChar(endMark);
}

QString terminalText(const QString& text)
{
    QString shown;
    shown.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text[i].unicode();
        if (c > firstMark && c < firstMark + roleCodes.size())
            shown += u"\x1b[%1m"_s.arg(roleCodes[c - firstMark]);
        else if (c == endMark)
            shown += noColour;
        else if (c == u'\n')
            shown += u'\n';
        else if (c != u'\r' || i + 1 == text.size() || text[i + 1] != u'\n')
            shown += core::printable(text[i]);
    }
    return shown;
}

QString oneLine(const QString& text)
{
    QString plain;
    plain.reserve(text.size());
    for (qsizetype i = 0; i < text.size();) {
        const qsizetype colour = colourSequence(QStringView(text).sliced(i));
        if (colour == 0)
            plain += core::printable(text[i]);
        i += std::max<qsizetype>(1, colour);
    }
    return plain;
}

QByteArray TerminalStream::take(QByteArrayView bytes)
{
    // Not by a decoder with a state: that of Qt 6.4 drops the byte behind a character that is cut.
    QByteArray whole = std::exchange(m_bytes, {}) + bytes.toByteArray();
    m_bytes = whole.last(unfinishedCharacter(whole));
    whole.chop(m_bytes.size());
    const QString text = std::exchange(m_held, {}) + QString::fromUtf8(whole);
    QString shown;
    shown.reserve(text.size());
    for (qsizetype i = 0; i < text.size();) {
        const QStringView rest = QStringView(text).sliced(i);
        if (rest[0] != u'\x1b') {
            const bool passes = rest[0] == u'\n' || rest[0] == u'\r' || rest[0] == u'\t';
            shown += passes ? rest[0] : core::printable(rest[0]);
            ++i;
        } else if (const qsizetype colour = colourSequence(rest)) {
            const QStringView sequence = rest.first(colour);
            m_coloured = sequence != noColour && sequence != u"\x1b[m";
            shown += sequence;
            i += colour;
        } else if (sequenceBegin(rest) == rest.size() && rest.size() < longestSequence) {
            m_held = rest.toString(); // its end may be in the next piece
            break;
        } else {
            shown += core::printable(rest[0]);
            ++i;
        }
    }
    return shown.toUtf8();
}

QByteArray TerminalStream::end()
{
    QString shown = terminalText(std::exchange(m_held, {}) + QString::fromUtf8(std::exchange(m_bytes, {})));
    if (std::exchange(m_coloured, false))
        shown += noColour;
    return shown.toUtf8();
}

} // namespace app
