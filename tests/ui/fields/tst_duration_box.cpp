// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fields/duration_box.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestDurationBox : public QObject
{
    Q_OBJECT
private slots:
    void isTypedWithUnits_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("seconds");
        QTest::addColumn<QString>("shown");
        QTest::newRow("bare") << u"90"_s << 90 << u"1 min 30 s"_s;
        QTest::newRow("hours") << u"1.5h"_s << 5'400 << u"1 h 30 min"_s;
        QTest::newRow("nothing") << u"0"_s << 0 << u"no limit"_s;
        QTest::newRow("more than fits") << u"30000d"_s << 7 << u"7 s"_s; // as it was
        QTest::newRow("no time") << u"soon"_s << 7 << u"7 s"_s;
    }
    void isTypedWithUnits()
    {
        QFETCH(QString, typed);
        QFETCH(int, seconds);
        QFETCH(QString, shown);
        ui::DurationBox box(u"Time"_s, u"no limit"_s);
        box.setKeyboardTracking(false);
        box.setValue(7);
        box.show();
        box.selectAll();
        QTest::keyClicks(&box, typed);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.value(), seconds);
        QCOMPARE(box.text(), shown);
    }

    void stepsByItsUnit_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("to");
        QTest::newRow("seconds") << 90 << 1 << 91;
        QTest::newRow("minutes") << 120 << 1 << 180;
        QTest::newRow("hours") << 7'200 << 1 << 10'800;
        QTest::newRow("down from an hour") << 3'600 << -1 << 3'540;
        QTest::newRow("not below nothing") << 0 << -1 << 0;
        QTest::newRow("up from nothing") << 0 << 1 << 60;
    }
    void stepsByItsUnit()
    {
        QFETCH(int, from);
        QFETCH(int, steps);
        QFETCH(int, to);
        ui::DurationBox box(u"Time"_s, u"no limit"_s);
        box.setValue(from);
        box.stepBy(steps);
        QCOMPARE(box.value(), to);
    }
};

QTEST_MAIN(TestDurationBox)
#include "tst_duration_box.moc"
