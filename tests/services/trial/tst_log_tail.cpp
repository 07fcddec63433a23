// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/log_tail.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trial;

class TestLogTail : public QObject
{
    Q_OBJECT

private slots:
    void textLines()
    {
        QCOMPARE(lastTextLines("one\n\ntwo\r\n \nthree", 2), (QStringList{u"two"_s, u"three"_s}));
        QCOMPARE(lastTextLines("  10%|#\r 50%|###\r100%|######\n", 1), QStringList{u"100%|######"_s});
        QCOMPARE(lastTextLines("\x1b[31mred\x1b[0m \x1b(Bx\x07\n", 1), QStringList{u"red Bx"_s});
        QCOMPARE(lastTextLines("\xff\xfe bad\n", 1), QStringList{u"\uFFFD\uFFFD bad"_s});
        QVERIFY(lastTextLines("\n\n\n", 5).isEmpty());
        QVERIFY(lastTextLines("", 5).isEmpty());
        QCOMPARE(lastTextLines("a\x1b[", 1), QStringList{u"a"_s});
    }
};

QTEST_GUILESS_MAIN(TestLogTail)
#include "tst_log_tail.moc"
