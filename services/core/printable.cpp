// SPDX-License-Identifier: GPL-3.0-or-later
#include "printable.h"

#include "message/localized.h"

#include <QStringList>

#include <algorithm>

namespace core {

QChar printable(QChar c)
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
    const bool noCharacter = (u >= 0xfdd0 && u <= 0xfdef) || u >= 0xfffe;
    return controls || directs || breaks || noCharacter ? QChar(QChar::ReplacementCharacter) : c;
}

QString printable(const QString& text, qsizetype longest)
{
    QString out = text.left(longest);
    if (text.size() > longest && !out.isEmpty() && out.back().isHighSurrogate())
        out.chop(1);
    std::transform(out.cbegin(), out.cend(), out.begin(), [](QChar c) { return printable(c); });
    return text.size() > longest ? out + u'…' : out;
}

QString printableLines(const QString& text, qsizetype longestLine)
{
    QStringList lines = text.split(u'\n');
    for (QString& line : lines)
        line = printable(line.endsWith(u'\r') ? line.chopped(1) : line, longestLine);
    return lines.join(u'\n');
}

QString printable(const Message& message, qsizetype longest)
{
    return printable(localized(message), longest);
}

QString printableLines(const Message& message, qsizetype longestLine)
{
    return printableLines(localized(message), longestLine);
}

} // namespace core
