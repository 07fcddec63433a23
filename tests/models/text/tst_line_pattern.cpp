// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text/line_pattern.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TstLinePattern : public QObject
{
    Q_OBJECT
private slots:
    void patterns_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("stays");
        QTest::addColumn<QString>("literal");
        const auto row = [](const char16_t* pattern, bool stays, const char16_t* literal = u"") {
            QTest::addRow("%s", qPrintable(QString::fromUtf16(pattern)))
                << QString::fromUtf16(pattern) << stays << QString::fromUtf16(literal);
        };
        row(u"lab1", true, u"lab1");
        row(u"lab1.$", true, u"lab1");
        row(u"^batch.*sgd", true, u"batch");
        row(u"ab?cd", true, u"cd");
        row(u"abc+de", true, u"abc");
        row(u"ab{2,3}cde", true, u"cde");
        row(u"ab{0}c", true, u"a");
        row(u"0\\.0[1-3]", true, u"0.0");
        row(u"lab1|lab22", true);
        row(u"(lab1|lab22)x", true, u"x");
        row(u"(?:a|b)", true);
        row(u"(a)*bc", true, u"bc");
        row(u"a\\bbc", true, u"bc");
        row(u"straße", true, u"straße");
        // These may match a line end, or are not understood.
        row(u"a\\sb", false);
        row(u"[^x]", false);
        row(u"a\\Db", false);
        row(u"a\\nb", false);
        row(u"[\\s]a", false);
        row(u"[[:space:]]a", false);
        row(u"(?s).a", false);
        row(u"(?!a)b", false);
        row(u"\\Aab", false);
        row(u"a\nb", false);
        row(u"ab)", false);
        row(u"(ab", false);
        row(u"a{,3}", false);
        row(u"a\\", false);
        // These match the empty text.
        row(u"a*", false);
        row(u"lab1|", false);
        row(u"(a|)", false);
        row(u"(a|b)?", false);
        row(u"^$", false);
        row(u"", false);
    }
    void patterns()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, literal);
        QTEST(models::staysInLine(pattern), "stays");
        QCOMPARE(models::literalOf(pattern), literal);
    }
};

QTEST_APPLESS_MAIN(TstLinePattern)
#include "tst_line_pattern.moc"
