// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/trial_filter.h"
#include "models/text/trial_text_index.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using namespace models;

static Trial made(QRandomGenerator& random, int number)
{
    const QStringList words = {u"lab1"_s, u"lab17"_s, u"LAB1"_s, u"Straße 1"_s, u"STRASSE"_s, u"\u212Aelvin"_s,
        u"out of\nmemory"_s, u"naïve"_s, u"x"_s, QString(), u"日本"_s, u"a\U0001F600b"_s};
    const auto any = [&] { return words.at(random.bounded(words.size())); };
    Trial trial;
    trial.id = TrialId(u"t%1"_s.arg(number, 6, 10, QLatin1Char('0')));
    trial.sequenceId = number;
    trial.status = allTrialStatuses[random.bounded(quint32(trialStatusCount))];
    trial.machineId = MachineId(random.bounded(8) ? any() : u"local"_s);
    trial.platformId = PlatformId(u"local"_s);
    trial.clientId = any();
    trial.reason = random.bounded(50) ? any() : any().repeated(2000);
    for (int i = random.bounded(3); i > 0; --i)
        trial.tags += any();
    trial.parameters =
        R"({"lr": 0.)" + QByteArray::number(random.bounded(100)) + R"(, "name": ")" + any().toUtf8() + "\"}";
    return trial;
}

class TstTrialTextIndex : public QObject
{
    Q_OBJECT
private slots:
    void findsBytesAsTheStandardDoes()
    {
        QRandomGenerator random(3);
        for (int round = 0; round < 3000; ++round) {
            std::string text(size_t(random.bounded(80)), 'a');
            for (char& c : text)
                c = char('a' + random.bounded(3));
            std::string needle(size_t(random.bounded(5)), 'a');
            for (char& c : needle)
                c = char('a' + random.bounded(3));
            const auto from = size_t(random.bounded(90));
            QCOMPARE(findBytes(text, needle, from), std::string_view(text).find(needle, from));
        }
    }

    void foldsAsQtCompares()
    {
        for (const auto& [a, b] : {std::pair(u"LAB"_s, u"lab"_s), std::pair(u"\u212A"_s, u"k"_s),
                 std::pair(u"Straße"_s, u"strasse"_s), std::pair(u"Ünder"_s, u"üNDER"_s),
                 std::pair(u"\u03C2"_s, u"\u03A3"_s), std::pair(u"\U00010400"_s, u"\U00010428"_s)}) {
            std::string one;
            std::string other;
            std::string utf8;
            appendFolded(one, a);
            appendFolded(other, b);
            appendFoldedUtf8(utf8, a.toUtf8());
            QCOMPARE(one == other, a.compare(b, Qt::CaseInsensitive) == 0);
            QCOMPARE(utf8, one);
        }
    }

    /// With or without an index, with a whole one or one that is behind: the same rows.
    void findsWhatTheRecordsSay()
    {
        QRandomGenerator random(5);
        constexpr int rows = 1400;
        TrialTable table;
        TrialTextIndex index;
        for (int i = 0; i < rows; ++i) {
            const Trial trial = made(random, i);
            table.put(std::make_shared<const Trial>(trial));
            if (i < 1300)
                index.append(trial);
        }
        int found = 0;
        for (int round = 0; round < 2; ++round) {
            for (const QString& text : {u"lab1"_s, u"!lab1"_s, u"STRASSE"_s, u"straße"_s, u"k"_s, u"12"_s, u"run"_s,
                     u"computer"_s, u"日"_s, u"\"\""_s, u"\"out of\nmem\""_s, u"lab1 0.5"_s, u"lab1 state:failed"_s,
                     u"!x lr>0.5"_s, u"/^lab1$/"_s, u"/lab1.$/"_s, u"!/lab1./"_s, u"/lab1|strasse/"_s,
                     u"/out of\\smem/"_s, u"/[^x]lab/"_s, u"/fail|local|this/"_s, u"/^memory$/"_s, u"/x*/"_s,
                     u"/0\\.[1-3]\\d,/"_s, u"/\u212Aelvin.*/"_s, u"/a.b/"_s, u"/[A-C]ï/"_s, u"/naÏve/"_s}) {
                auto filter = TrialFilter::parse(text);
                QVERIFY2(filter, qPrintable(text));
                filter->bind(table);
                for (quint32 first = 0; first < table.size(); first += TrialTextIndex::blockRows) {
                    std::vector<char> fits(std::min(table.size() - first, TrialTextIndex::blockRows), 2);
                    filter->matchRows(table, index, first, 0, fits);
                    for (quint32 i = 0; i < fits.size(); ++i) {
                        QVERIFY2(fits[i] == char(filter->matches(table, first + i, 0)),
                            qPrintable(u"%1, row %2"_s.arg(text).arg(first + i)));
                        found += fits[i];
                    }
                }
            }
            // Rows that change keep their places, whatever their length becomes.
            for (int i = 0; i < 300; ++i) {
                const auto row = random.bounded(quint32(rows));
                const Trial trial = made(random, int(row));
                table.put(std::make_shared<const Trial>(trial));
                if (row < index.size())
                    index.replace(row, trial);
            }
        }
        QVERIFY(found > 5000);
        QVERIFY(index.textBytes() < size_t(rows) * 300);
    }

    void aLongRowIsLeftOut()
    {
        Trial trial;
        trial.reason = QString(5000, u'a');
        TrialTextIndex index;
        index.append(trial);
        QVERIFY(index.isLeftOut(0));
        trial.reason = u"short"_s;
        index.replace(0, trial);
        QVERIFY(!index.isLeftOut(0));
        std::vector<char> hits(1, 0);
        index.find(0, "short", hits);
        QCOMPARE(hits[0], char(1));
        trial.parameters = "{\"a\": \"" + QByteArray(5000, 'b') + "\"}";
        index.replace(0, trial);
        QVERIFY(index.isLeftOut(0));
        QCOMPARE(index.textBytes(), size_t(0));
    }
};

QTEST_APPLESS_MAIN(TstTrialTextIndex)
#include "tst_trial_text_index.moc"
