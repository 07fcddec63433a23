// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/printable.h"

#include <QTest>

using namespace Qt::StringLiterals;
using core::printable;
using core::printableLines;

class TstPrintable : public QObject
{
    Q_OBJECT
private slots:
    void oneLine()
    {
        QCOMPARE(printable(u"a\nb\u202ec\x1b"_s), u"a⏎b\ufffdc␛"_s);
        QCOMPARE(printable(u"\x85\u2028\t\x7f"_s), u"\ufffd\ufffd ␡"_s);
        QCOMPARE(printable(u"a"_s + QChar(0xfdd4) + QChar(0xffff)), u"a\ufffd\ufffd"_s);
        QCOMPARE(printable(u"größer 中 😀"_s), u"größer 中 😀"_s);
    }

    void cut()
    {
        QCOMPARE(printable(u"abcdef"_s, 3), u"abc…"_s);
        QCOMPARE(printable(u"a😀b"_s, 2), u"a…"_s); // not half a character
    }

    void lines()
    {
        QCOMPARE(printableLines(u"a\x1b\r\nb\rc\n"_s), u"a␛\nb⏎c\n"_s);
        QCOMPARE(printableLines(u"abcdef\nab"_s, 3), u"abc…\nab"_s);
    }
};

QTEST_GUILESS_MAIN(TstPrintable)
#include "tst_printable.moc"
