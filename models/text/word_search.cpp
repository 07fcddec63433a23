// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_search.h"

#include <algorithm>
#include <charconv>

namespace models {

namespace {

enum class Found { no, yes, unknown };

template <typename Unit>
constexpr Unit lowered(Unit c)
{
    return c >= 'A' && c <= 'Z' ? Unit(c + ('a' - 'A')) : c;
}

/// Unknown where the text is not ASCII and does not have the word as it stands: other letters have cases of their own.
template <typename Unit>
Found findAscii(const Unit* text, qsizetype size, QByteArrayView lower)
{
    const Unit first = Unit(lower.front());
    bool isAscii = true;
    for (qsizetype i = 0; i < size; ++i) {
        if (text[i] >= 0x80)
            isAscii = false;
        if (lowered(text[i]) != first || i + lower.size() > size)
            continue;
        qsizetype same = 1;
        while (same < lower.size() && lowered(text[i + same]) == Unit(lower[same]))
            ++same;
        if (same == lower.size())
            return Found::yes;
    }
    return isAscii ? Found::no : Found::unknown;
}

} // namespace

WordSearch::WordSearch(const QString& word)
    : m_word(word)
{
    if (!word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) { return c.unicode() < 0x80; }))
        m_lower = word.toLower().toLatin1();
    m_isNumber = !m_lower.isEmpty()
        && std::all_of(m_lower.begin(), m_lower.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
}

bool WordSearch::isIn(QStringView text) const
{
    if (!m_lower.isEmpty()) {
        const Found found = findAscii(text.utf16(), text.size(), m_lower);
        if (found != Found::unknown)
            return found == Found::yes;
    }
    return text.contains(m_word, Qt::CaseInsensitive);
}

bool WordSearch::isInUtf8(QByteArrayView text) const
{
    if (!m_lower.isEmpty()) {
        const Found found = findAscii(reinterpret_cast<const unsigned char*>(text.data()), text.size(), m_lower);
        if (found != Found::unknown)
            return found == Found::yes;
    }
    return QString::fromUtf8(text).contains(m_word, Qt::CaseInsensitive);
}

bool WordSearch::isInNumber(qint64 number) const
{
    if (!m_isNumber)
        return m_word.isEmpty();
    char digits[24];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    return QByteArrayView(digits, end - digits).contains(m_lower);
}

} // namespace models
