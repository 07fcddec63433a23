// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// https://owasp.org/www-community/attacks/CSV_Injection
bool isFormula(const QString& text)
{
    if (text.isEmpty() || !u"=+-@\t\r\n"_s.contains(text[0]))
        return false;
    bool isNumber = false;
    (void)text.toDouble(&isNumber);
    return !isNumber;
}

/// Some programs separate by semicolons or tabs, so these are quoted, too: no cell ends where it should not.
QString csvCell(QString text)
{
    if (isFormula(text))
        text.prepend(u'\'');
    if (std::any_of(text.cbegin(), text.cend(), [](QChar c) { return u",;\"\t\r\n"_s.contains(c); }))
        return u'"' + text.replace(u"\""_s, u"\"\""_s) + u'"';
    return text;
}

} // namespace

QByteArray csvLine(const QStringList& cells, char separator)
{
    QStringList line;
    line.reserve(cells.size());
    for (const QString& cell : cells)
        line.append(csvCell(cell));
    return line.join(QLatin1Char(separator)).toUtf8() + '\n';
}

QString csvNumber(double value)
{
    return std::isnan(value) ? u"NaN"_s : QString::number(value, 'g', 17);
}

} // namespace models
