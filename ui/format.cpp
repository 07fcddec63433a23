// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

struct FormatWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::Format)
};

} // namespace

QString numberText(double value)
{
    if (std::isnan(value))
        return u"NaN"_s;
    if (std::isinf(value))
        return value > 0 ? u"∞"_s : u"−∞"_s;
    return QString::number(value, 'g', 4);
}

QString countText(qint64 count)
{
    return QLocale().toString(count);
}

QString bytesText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes >= 100LL * 1024 * 1024 * 1024 ? 0 : bytes < 1024 * 1024 ? 0 : 1);
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
    const QString clock = when.toString(seconds ? u"HH:mm:ss"_s : u"HH:mm"_s);
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

QString fullTimeText(qint64 time)
{
    return time <= 0 ? QString() : QLocale().toString(QDateTime::fromMSecsSinceEpoch(time), QLocale::LongFormat);
}

} // namespace ui
