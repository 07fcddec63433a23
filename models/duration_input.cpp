// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration_input.h"

#include <QRegularExpression>
#include <QStringList>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

namespace {

struct Unit
{
    QLatin1StringView word;
    QLatin1StringView group; ///< of the expression below
    qint64 seconds;
};

constexpr Unit units[] = {
    {"d"_L1, "d"_L1, 86'400}, {"h"_L1, "h"_L1, 3'600}, {"min"_L1, "m"_L1, 60}, {"s"_L1, "s"_L1, 1}};
constexpr double longest = 100 * 366 * 86'400.0; ///< seconds

} // namespace

QString durationInput(qint64 seconds)
{
    QStringList parts;
    for (const Unit& unit : units) {
        if (seconds >= unit.seconds)
            parts += u"%1 %2"_s.arg(seconds / unit.seconds).arg(unit.word);
        seconds = std::max<qint64>(0, seconds) % unit.seconds;
    }
    return parts.isEmpty() ? u"0 s"_s : parts.join(u' ');
}

std::optional<qint64> secondsOfInput(const QString& text)
{
    static const QRegularExpression pattern(
        uR"(^\s*(?:(?<d>[0-9.]{1,12})\s*d)?\s*(?:(?<h>[0-9.]{1,12})\s*h)?\s*(?:(?<m>[0-9.]{1,12})\s*m(?:in)?)?\s*(?:(?<s>[0-9.]{1,12})\s*s?)?\s*$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch() || text.trimmed().isEmpty())
        return std::nullopt;
    double seconds = 0;
    for (const Unit& unit : units) {
        const QString number = match.captured(unit.group);
        bool isNumber = true;
        const double value = number.isEmpty() ? 0 : number.toDouble(&isNumber);
        if (!isNumber)
            return std::nullopt;
        seconds += value * double(unit.seconds);
    }
    if (seconds > longest)
        return std::nullopt;
    return qint64(std::llround(seconds));
}

} // namespace models
