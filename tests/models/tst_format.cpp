// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format.h"

#include <QLocale>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace models;

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;
constexpr qint64 kib = 1024;

} // namespace

class TstFormat : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void numbers();
    void bytes();
    void durations();
    void times();
};

void TstFormat::numbers()
{
    QCOMPARE(metricText(0.97314), u"0.9731"_s);
    QCOMPARE(metricText(0.000012), u"1.2e-5"_s);
    QCOMPARE(metricText(std::nan("")), u"NaN"_s);
    QCOMPARE(metricText(-HUGE_VAL), u"−∞"_s);
    QCOMPARE(parameterText(128), u"128"_s);
    QCOMPARE(parameterText(0.0074), u"0.0074"_s);
    QCOMPARE(parameterText(0.00052), u"0.00052"_s);
    QCOMPARE(parameterText(5.2e-5), u"5.2e-5"_s);
    QCOMPARE(numberText(0.9), u"0.9"_s);
    QCOMPARE(numberText(0.97256), u"0.9726"_s);
    QCOMPARE(numberText(HUGE_VAL), u"∞"_s);
}

void TstFormat::bytes()
{
    QCOMPARE(bytesText(0), u"0 bytes"_s);
    QCOMPARE(bytesText(kib + kib / 2), u"1.5 KiB"_s);
    QCOMPARE(bytesText(412 * kib), u"412 KiB"_s);
    QCOMPARE(bytesText(1536 * kib), u"1.5 MiB"_s);
    QCOMPARE(bytesText(80 * kib * kib * kib), u"80.0 GiB"_s);
    QCOMPARE(bytesText(128 * kib * kib * kib), u"128 GiB"_s);
}

void TstFormat::durations()
{
    QCOMPARE(durationText(-1), u"0 s"_s);
    QCOMPARE(durationText(42'999), u"42 s"_s);
    QCOMPARE(durationText(38 * minute), u"38 min"_s);
    QCOMPARE(durationText(3 * hour + 36 * minute), u"3 h 36 min"_s);
    QCOMPARE(durationText(3 * hour), u"3 h"_s);
    QCOMPARE(durationText(52 * hour), u"2 d 4 h"_s);
    QCOMPARE(durationText(48 * hour), u"2 d"_s);
    QCOMPARE(shortDurationText(42'000), u"42 s"_s);
    QCOMPARE(shortDurationText(hour + 4 * minute), u"1 h 04"_s);
    QCOMPARE(shortDurationText(3 * hour), u"3 h 00"_s);
    QCOMPARE(shortDurationText(25 * hour), u"1 d 1 h"_s);
}

void TstFormat::times()
{
    QCOMPARE(agoText(0, hour), QString()); // never
    QCOMPARE(agoText(1, 4'000), u"just now"_s);
    QCOMPARE(agoText(minute, 42 * minute), u"41 min ago"_s);
    const qint64 noon = QDateTime(QDate(2024, 3, 1), QTime(12, 0)).toMSecsSinceEpoch();
    QCOMPARE(clockText(0, noon), QString());
    QCOMPARE(clockText(noon - 5 * minute, noon), u"11:55"_s);
    QCOMPARE(clockText(noon - 5'000, noon, true), u"11:59:55"_s);
    QVERIFY(clockText(noon - 24 * hour, noon).endsWith(u" 12:00"_s));
    QVERIFY(clockText(noon - 24 * hour, noon).size() > 6);
    QCOMPARE(bandText({noon, noon + 30'000}, noon), u"about 12:00"_s);
    QCOMPARE(bandText({noon, noon + 5 * minute}, noon), u"12:00 to 12:05"_s);
}

QTEST_GUILESS_MAIN(TstFormat)
#include "tst_format.moc"
