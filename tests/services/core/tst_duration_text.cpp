// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/duration_text.h"

#include <QtTest>

using namespace Qt::StringLiterals;

class TestDurationText : public QObject
{
    Q_OBJECT
private slots:
    void texts_data();
    void texts();
};

void TestDurationText::texts_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("negative") << qint64(-4) << u"0 ms"_s;
    QTest::newRow("0") << qint64(0) << u"0 ms"_s;
    QTest::newRow("ms") << qint64(850) << u"850 ms"_s;
    QTest::newRow("short") << qint64(1'234) << u"1.2 s"_s;
    QTest::newRow("whole and short") << qint64(2'040) << u"2.0 s"_s;
    QTest::newRow("not 10.0") << qint64(9'990) << u"9.9 s"_s;
    QTest::newRow("s") << qint64(59'999) << u"59 s"_s;
    QTest::newRow("min and s") << qint64(200'000) << u"3 min 20 s"_s;
    QTest::newRow("padded s") << qint64(185'000) << u"3 min 05 s"_s;
    QTest::newRow("min") << qint64(120'000) << u"2 min"_s;
    QTest::newRow("h and min") << qint64(7'500'000) << u"2 h 05 min"_s;
    QTest::newRow("h") << qint64(7'230'000) << u"2 h"_s;
    QTest::newRow("d and h") << qint64(356'400'000) << u"4 d 3 h"_s;
    QTest::newRow("d") << qint64(86'400'000) << u"1 d"_s;
}

void TestDurationText::texts()
{
    QFETCH(qint64, ms);
    QFETCH(QString, text);
    QCOMPARE(core::durationText(ms), text);
}

QTEST_GUILESS_MAIN(TestDurationText)
#include "tst_duration_text.moc"
