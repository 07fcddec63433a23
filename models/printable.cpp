// SPDX-License-Identifier: GPL-3.0-or-later
#include "printable.h"

#include <algorithm>

namespace models {

namespace {

QChar harmless(QChar c)
{
    const char16_t u = c.unicode();
    if (u == u'\n' || u == u'\r')
        return u'⏎';
    if (u == u'\t')
        return u' ';
    if (u < 0x20)
        return QChar(char16_t(0x2400 + u));
    if (u == 0x7f)
        return u'␡';
    const bool controls = u >= 0x80 && u < 0xa0;
    const bool directs = (u >= 0x202a && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069);
    const bool breaks = u == 0x2028 || u == 0x2029;
    return controls || directs || breaks ? QChar(QChar::ReplacementCharacter) : c;
}

} // namespace

QString printable(const QString& text, qsizetype longest)
{
    QString out = text.left(longest);
    if (text.size() > longest && !out.isEmpty() && out.back().isHighSurrogate())
        out.chop(1);
    std::transform(out.cbegin(), out.cend(), out.begin(), harmless);
    return text.size() > longest ? out + u'…' : out;
}

} // namespace models
