// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/csv.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;

class TstCsv : public QObject
{
    Q_OBJECT
private slots:
    void cells_data()
    {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QByteArray>("line");
        const auto same = [](const QString& cell) { QTest::newRow(qPrintable(cell)) << cell << cell.toUtf8() + '\n'; };
        for (const QString& cell :
            {u"-0.5"_s, u"+1e-3"_s, u"-.5"_s, u"0"_s, u"-inf"_s, u"nan"_s, u"größer"_s, u"a=b"_s, u"lr"_s})
            same(cell);
        QTest::newRow("empty") << QString() << QByteArray("\n");
        QTest::newRow("equals") << u"=1+1"_s << QByteArray("'=1+1\n");
        QTest::newRow("plus") << u"+cmd|' /C calc'!A0"_s << QByteArray("'+cmd|' /C calc'!A0\n");
        QTest::newRow("minus") << u"-2+3"_s << QByteArray("'-2+3\n");
        QTest::newRow("minus alone") << u"-"_s << QByteArray("'-\n");
        QTest::newRow("at") << u"@SUM(A1)"_s << QByteArray("'@SUM(A1)\n");
        QTest::newRow("tab") << u"\t=1"_s << QByteArray("\"'\t=1\"\n");
        QTest::newRow("return") << u"\r=1"_s << QByteArray("\"'\r=1\"\n");
        QTest::newRow("line") << u"a\n=1"_s << QByteArray("\"a\n=1\"\n");
        QTest::newRow("another separator") << u"a;=1"_s << QByteArray("\"a;=1\"\n");
        QTest::newRow("quotes") << u"=HYPERLINK(\"x\",\"y\")"_s << QByteArray("\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"\n");
    }

    void cells()
    {
        QFETCH(QString, cell);
        QFETCH(QByteArray, line);
        QCOMPARE(models::csvLine({cell}), line);
    }

    void separates() { QCOMPARE(models::csvLine({u"a"_s, QString(), u"b,c"_s}), QByteArray("a,,\"b,c\"\n")); }

    void numbersReadBackTheSame()
    {
        for (const double value : {0.1, -1e-300, 1.0 / 3, 12345678901234.5})
            QCOMPARE(models::csvNumber(value).toDouble(), value);
        QCOMPARE(models::csvNumber(4), u"4"_s);
        QCOMPARE(models::csvNumber(std::nan("")), u"NaN"_s);
    }
};

QTEST_GUILESS_MAIN(TstCsv)
#include "tst_csv.moc"
