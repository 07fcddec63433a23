// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration_text.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace core {

/// `width`: digits of the second number.
static QString twoUnits(qint64 first, const QString& unit, qint64 second, int width, const QString& smallerUnit)
{
    QString words = QString::number(first) + u' ' + unit;
    if (second == 0)
        return words;
    return words + u' ' + QString::number(second).rightJustified(width, u'0') + u' ' + smallerUnit;
}

QString durationText(qint64 ms)
{
    ms = std::max<qint64>(ms, 0);
    if (ms < 1'000)
        return u"%1 ms"_s.arg(ms);
    const qint64 seconds = ms / 1'000;
    if (seconds < 10)
        return u"%1.%2 s"_s.arg(seconds).arg(ms / 100 % 10);
    if (seconds < 60)
        return u"%1 s"_s.arg(seconds);
    if (seconds < 3'600)
        return twoUnits(seconds / 60, u"min"_s, seconds % 60, 2, u"s"_s);
    if (seconds < 86'400)
        return twoUnits(seconds / 3'600, u"h"_s, seconds % 3'600 / 60, 2, u"min"_s);
    return twoUnits(seconds / 86'400, u"d"_s, seconds % 86'400 / 3'600, 1, u"h"_s);
}

} // namespace core
