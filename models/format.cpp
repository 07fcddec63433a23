// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

namespace {

struct FormatWords
{
    Q_DECLARE_TR_FUNCTIONS(models::Format)
};

/// Text for NaN and infinities; empty for finite numbers.
QString oddNumber(double value)
{
    if (std::isnan(value))
        return u"NaN"_s;
    if (std::isinf(value))
        return value > 0 ? u"∞"_s : u"−∞"_s;
    return {};
}

/// `5.2e-4` rather than `5.2e-04`.
QString scientific(double value, int places)
{
    QString text = QString::number(value, 'e', places);
    const qsizetype e = text.indexOf(u'e');
    QString mantissa = text.left(e);
    if (mantissa.contains(u'.')) {
        while (mantissa.endsWith(u'0'))
            mantissa.chop(1);
        if (mantissa.endsWith(u'.'))
            mantissa.chop(1);
    }
    return mantissa + u'e' + QString::number(text.mid(e + 1).toInt());
}

} // namespace

QString numberText(double value)
{
    const QString odd = oddNumber(value);
    return odd.isEmpty() ? QString::number(value, 'g', 4) : odd;
}

QString metricText(double value)
{
    if (QString odd = oddNumber(value); !odd.isEmpty())
        return odd;
    const double size = std::abs(value);
    if (size != 0 && (size < 0.001 || size >= 1e7))
        return scientific(value, 3);
    if (size >= 1000)
        return QLocale().toString(value, 'f', size == std::floor(size) ? 0 : 1);
    return QString::number(value, 'f', size >= 100 ? 1 : size >= 10 ? 2 : 4);
}

QString parameterText(double value)
{
    if (QString odd = oddNumber(value); !odd.isEmpty())
        return odd;
    const double size = std::abs(value);
    if (value == std::floor(value) && size < 1e9)
        return QString::number(qint64(value));
    if (size < 0.0001 || size >= 1e7)
        return scientific(value, 2);
    return QString::number(value, 'g', size < 0.01 ? 2 : size < 1 ? 3 : 4);
}

QString countText(qint64 count)
{
    return QLocale().toString(count);
}

QString bytesText(qint64 bytes)
{
    constexpr qint64 kib = 1024;
    const bool isWhole = bytes < kib || (bytes >= 100 * kib && bytes < kib * kib) || bytes >= 100 * kib * kib * kib;
    return QLocale().formattedDataSize(bytes, isWhole ? 0 : 1);
}

QString durationText(qint64 ms)
{
    const qint64 seconds = std::max<qint64>(0, ms) / 1'000;
    if (seconds < 60)
        return FormatWords::tr("%1 s").arg(seconds);
    const qint64 minutes = seconds / 60;
    if (minutes < 60)
        return FormatWords::tr("%1 min").arg(minutes);
    const qint64 hours = minutes / 60;
    if (hours < 24)
        return minutes % 60 ? FormatWords::tr("%1 h %2 min").arg(hours).arg(minutes % 60)
                            : FormatWords::tr("%1 h").arg(hours);
    return hours % 24 ? FormatWords::tr("%1 d %2 h").arg(hours / 24).arg(hours % 24)
                      : FormatWords::tr("%1 d").arg(hours / 24);
}

QString shortDurationText(qint64 ms)
{
    const qint64 minutes = std::max<qint64>(0, ms) / 60'000;
    if (minutes >= 60 && minutes < 24 * 60)
        return FormatWords::tr("%1 h %2").arg(minutes / 60).arg(minutes % 60, 2, 10, QLatin1Char('0'));
    return durationText(ms);
}

QString agoText(qint64 time, qint64 now)
{
    if (time <= 0)
        return {};
    if (now - time < 5'000)
        return FormatWords::tr("just now");
    return FormatWords::tr("%1 ago").arg(durationText(now - time));
}

QString clockText(qint64 time, qint64 now, bool seconds)
{
    if (time <= 0)
        return {};
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(time);
    QString clock = when.toString(seconds ? u"HH:mm:ss"_s : u"HH:mm"_s);
    if (when.date() == QDateTime::fromMSecsSinceEpoch(now).date())
        return clock;
    return QLocale().toString(when.date(), QLocale::ShortFormat) + u' ' + clock;
}

QString bandText(const std::pair<qint64, qint64>& band, qint64 now)
{
    const QString from = clockText(band.first, now);
    const QString to = clockText(band.second, now);
    return from == to ? FormatWords::tr("about %1").arg(from) : FormatWords::tr("%1 to %2").arg(from, to);
}

} // namespace models
