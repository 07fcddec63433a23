// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duration_input.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestDurationInput : public QObject
{
    Q_OBJECT
private slots:
    void isWrittenWhole_data()
    {
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0LL << u"0 s"_s;
        QTest::newRow("negative") << -5LL << u"0 s"_s;
        QTest::newRow("seconds") << 59LL << u"59 s"_s;
        QTest::newRow("a minute") << 60LL << u"1 min"_s;
        QTest::newRow("no unit is lost") << 90'061LL << u"1 d 1 h 1 min 1 s"_s;
    }
    void isWrittenWhole()
    {
        QFETCH(qint64, seconds);
        QFETCH(QString, text);
        QCOMPARE(models::durationInput(seconds), text);
        QCOMPARE(models::secondsOfInput(text), std::optional<qint64>(std::max<qint64>(0, seconds)));
    }

    void isRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("seconds"); ///< -1: refused
        QTest::newRow("bare") << u"90"_s << 90LL;
        QTest::newRow("glued") << u"1h30m"_s << 5'400LL;
        QTest::newRow("capitals") << u" 2 MIN "_s << 120LL;
        QTest::newRow("half") << u"1.5 h"_s << 5'400LL;
        QTest::newRow("rest in seconds") << u"1 min 5"_s << 65LL;
        QTest::newRow("empty") << u""_s << -1LL;
        QTest::newRow("unit alone") << u"h"_s << -1LL;
        QTest::newRow("wrong order") << u"5 s 1 h"_s << -1LL;
        QTest::newRow("twice") << u"1 h 1 h"_s << -1LL;
        QTest::newRow("negative") << u"-1 h"_s << -1LL;
        QTest::newRow("two points") << u"1.2.3 h"_s << -1LL;
        QTest::newRow("too long") << u"99999999 d"_s << -1LL;
        QTest::newRow("word") << u"forever"_s << -1LL;
    }
    void isRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, seconds);
        QCOMPARE(models::secondsOfInput(text).value_or(-1), seconds);
    }
};

QTEST_APPLESS_MAIN(TestDurationInput)
#include "tst_duration_input.moc"
