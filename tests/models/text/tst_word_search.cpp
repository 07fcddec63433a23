// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text/word_search.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestWordSearch : public QObject
{
    Q_OBJECT
private slots:
    void findsWhatQtFinds_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("text");
        for (const char16_t* word :
            {u"a", u"Lab3", u"b3", u"ss", u"k", u"ü", u"straße", u"0.5", u"12", u"-1", u"\"lr\":", u"z"})
            for (const char16_t* text : {u"", u"a", u"lab3", u"LAB3 GPU 1", u"lala lab lab3", u"STRASSE", u"Straße",
                     u"\u212A elvin", u"Ünder", u"{\"LR\": 0.5, \"ü\": 12}", u"aab", u"x-1", u"naïve lab3"})
                QTest::addRow("%s in %s", qPrintable(QString::fromUtf16(word)), qPrintable(QString::fromUtf16(text)))
                    << QString::fromUtf16(word) << QString::fromUtf16(text);
    }
    void findsWhatQtFinds()
    {
        QFETCH(QString, word);
        QFETCH(QString, text);
        const models::WordSearch search(word);
        const bool expected = text.contains(word, Qt::CaseInsensitive);
        QCOMPARE(search.isIn(text), expected);
        QCOMPARE(search.isInUtf8(text.toUtf8()), expected);
    }

    void findsDigits()
    {
        for (const qint64 number : {0LL, 7LL, 12LL, 312LL, -5LL, 9'223'372'036'854'775'807LL})
            for (const QString& word : {u"1"_s, u"12"_s, u"7"_s, u"-"_s, u"-5"_s, u"1x"_s, u"lab"_s, u"5807"_s})
                QCOMPARE(models::WordSearch(word).isInNumber(number), QString::number(number).contains(word));
    }
};

QTEST_APPLESS_MAIN(TestWordSearch)
#include "tst_word_search.moc"
