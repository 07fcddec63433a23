// SPDX-License-Identifier: GPL-3.0-or-later
#include "retry_policy.h"

#include "services/core/json_text.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <cmath>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr qint64 leastRetryAfterMs = 1'000;
constexpr qint64 mostRetryAfterMs = 5 * 60 * 1'000;
constexpr qint64 mostBackoffMs = 60'000;

std::optional<qint64> retryAfterMs(const AttemptEnd& end, qint64 nowMs)
{
    const QByteArray text = end.retryAfter.trimmed();
    if (text.isEmpty())
        return std::nullopt;
    if (std::all_of(text.begin(), text.end(), isDigit))
        return text.size() > 9 ? mostRetryAfterMs : text.toLongLong() * 1'000;
    const std::optional<qint64> then = httpDateMs(text);
    if (!then)
        return std::nullopt;
    return *then - httpDateMs(end.date).value_or(nowMs); // the two clocks may differ
}

} // namespace

bool isWorthRepeating(const AttemptEnd& end, bool isRepeatable)
{
    if (end.error)
        return isRepeatable && retryable(*end.error);
    if (end.status == 429)
        return true;
    if ((end.status == 408 || end.status == 503) && !end.retryAfter.isEmpty())
        return true;
    return isRepeatable && (end.status == 408 || end.status >= 500);
}

qint64 retryDelayMs(const AttemptEnd& end, int failures, double random, qint64 nowMs)
{
    if (!end.error)
        if (const std::optional<qint64> asked = retryAfterMs(end, nowMs)) {
            const qint64 wait = std::clamp(*asked, leastRetryAfterMs, mostRetryAfterMs);
            return wait + qint64(random * 0.1 * double(wait));
        }
    const qint64 bound = std::min<qint64>(mostBackoffMs, 1'000LL << std::clamp(failures - 1, 0, 6));
    return qint64(random * double(bound));
}

std::optional<qint64> httpDateMs(QByteArrayView text)
{
    if (text.size() > 40)
        return std::nullopt;
    const QString date = QString::fromLatin1(text).simplified();
    const QLocale english = QLocale::c();
    QDateTime read = english.toDateTime(date, u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    if (!read.isValid())
        read = english.toDateTime(date, u"ddd MMM d hh:mm:ss yyyy"_s);
    if (!read.isValid()) {
        // `Sunday, 06-Nov-94 08:49:37 GMT`: a year of two digits, which Qt takes to be of the last century; so would the day of the week.
        read = english.toDateTime(date.section(u", "_s, 1), u"dd-MMM-yy hh:mm:ss 'GMT'"_s);
        if (read.isValid() && read.date().year() < 1970)
            read = read.addYears(100);
    }
    if (!read.isValid())
        return std::nullopt;
    return QDateTime(read.date(), read.time(), Qt::UTC).toMSecsSinceEpoch();
}

} // namespace transport
