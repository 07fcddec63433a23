// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/format.h"
#include "app/cli/table.h"
#include "app/cli/terminal_text.h"

#include <QProcessEnvironment>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace app;

class TestTable : public QObject
{
    Q_OBJECT
private slots:
    void alignsColumns()
    {
        const QStringList lines = tableLines({{u"ID"_s}, {u"#"_s, true}, {u"STATUS"_s}},
            {{Cell(u"t1"_s), Cell(u"7"_s), Cell(u"RUNNING"_s)}, {Cell(u"t200"_s), Cell(u"12"_s), Cell(u"FAILED"_s)}}, 0,
            false);
        QCOMPARE(lines, (QStringList{u"ID     #  STATUS"_s, u"t1     7  RUNNING"_s, u"t200  12  FAILED"_s}));
    }

    void leavesOutEmptyColumns()
    {
        const QStringList lines = tableLines(
            {{u"A"_s}, {u"B"_s}, {u"C"_s}}, {{Cell(u"1"_s), Cell(), Cell(u"3"_s)}, {Cell(u"4"_s)}}, 0, false);
        QCOMPARE(lines, (QStringList{u"A  C"_s, u"1  3"_s, u"4"_s}));
    }

    void showsTheHeadOfAnEmptyTable()
    {
        QCOMPARE(tableLines({{u"ID"_s}, {u"KIND"_s}}, {}, 0, false), QStringList{u"ID  KIND"_s});
    }

    void fitsATerminal()
    {
        const QStringList lines = tableLines({{u"ID"_s}, {u"REASON"_s, false, true}, {u"N"_s, true}},
            {{Cell(u"t1"_s), Cell(u"a very long reason that does not fit"_s), Cell(u"5"_s)}}, 24, false);
        QCOMPARE(lines[1], u"t1  a very long reas…  5"_s);
        QCOMPARE(displayWidth(lines[1]), 24);
    }

    void coloursOnlyWhenAsked()
    {
        const QList<QList<Cell>> rows = {{Cell(u"FAILED"_s, Role::bad), Cell(u"x"_s)}};
        QVERIFY(!tableLines({{u"S"_s}, {u"T"_s}}, rows, 0, false).join(u'\n').contains(u'\x1b'));
        const QString line = tableLines({{u"S"_s}, {u"T"_s}}, rows, 0, true)[1];
        QVERIFY(!line.contains(u'\x1b')); // the console makes the colours, so that only its own reach a terminal
        QCOMPARE(terminalText(line), u"\x1b[31mFAILED\x1b[0m  x"_s);
    }

    void nothingControlsTheTerminal_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("escape") << u"a\x1b[31mred\x1b[0m"_s << u"ared"_s;
        QTest::newRow("a long sequence") << u"a\x1b[99999999999999999999999mb"_s << u"a␛[99999999999999999999999mb"_s;
        QTest::newRow("a sequence cut off") << u"a\x1b[3"_s << u"a␛[3"_s;
        QTest::newRow("no colour") << u"a\x1b[2Jb"_s << u"a␛[2Jb"_s;
        QTest::newRow("title") << u"\x1b]0;title\x07x"_s << u"␛]0;title␇x"_s;
        QTest::newRow("lines") << u"a\nb\r\tc"_s << u"a⏎b⏎ c"_s;
        QTest::newRow("c1") << u"a\u009b31mb"_s << u"a\ufffd31mb"_s;
        QTest::newRow("delete") << u"a\x7f"_s << u"a␡"_s;
        QTest::newRow("direction") << u"a\u202eb"_s << u"a\ufffdb"_s;
        QTest::newRow("plain") << u"größer 中"_s << u"größer 中"_s;
    }
    void nothingControlsTheTerminal()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(oneLine(text), shown);
        QCOMPARE(tableLines({{u"A"_s}}, {{Cell(text)}}, 0, false)[1].trimmed(), shown.trimmed());
    }

    void measuresWideText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("width");
        QTest::newRow("ascii") << u"abc"_s << 3;
        QTest::newRow("accents") << u"äöé"_s << 3;
        QTest::newRow("chinese") << u"中文"_s << 4;
        QTest::newRow("korean") << u"한"_s << 2;
        QTest::newRow("combining") << u"e\u0301"_s << 1;
        QTest::newRow("emoji") << u"🚀"_s << 2;
        QTest::newRow("empty") << QString() << 0;
    }
    void measuresWideText()
    {
        QFETCH(QString, text);
        QFETCH(int, width);
        QCOMPARE(displayWidth(text), width);
    }

    void cuts()
    {
        QCOMPARE(elided(u"abcdef"_s, 4), u"abc…"_s);
        QCOMPARE(elided(u"abcd"_s, 4), u"abcd"_s);
        QCOMPARE(elided(u"中文字"_s, 4), u"中…"_s);
        QCOMPARE(elided(u"abc"_s, 0), QString());
    }

    void pairs()
    {
        QCOMPARE(
            pairLines({{u"id"_s, u"t1"_s}, {u"empty"_s, QString()}, {u"status"_s, Cell(u"DONE"_s, Role::good)}}, false),
            (QStringList{u"id      t1"_s, u"status  DONE"_s}));
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(-1) << QString();
        QTest::newRow("0") << qint64(0) << u"0 ms"_s;
        QTest::newRow("min") << qint64(200'000) << u"3 min 20 s"_s;
    }
    void durations()
    {
        QFETCH(qint64, ms);
        QFETCH(QString, text);
        QCOMPARE(humanDuration(ms), text);
    }

    void sizes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("B") << qint64(512) << u"512 B"_s;
        QTest::newRow("KiB") << qint64(1'536) << u"1.5 KiB"_s;
        QTest::newRow("carry") << qint64(1'048'575) << u"1.0 MiB"_s;
        QTest::newRow("GiB") << (qint64(80) << 30) << u"80.0 GiB"_s;
        QTest::newRow("hundreds") << (qint64(250) << 20) << u"250 MiB"_s;
    }
    void sizes()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(humanBytes(bytes), text);
    }

    void values_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("text");
        QTest::newRow("number") << QByteArray("0.93") << u"0.93"_s;
        QTest::newRow("digits") << QByteArray("0.123456789") << u"0.123457"_s;
        QTest::newRow("whole") << QByteArray("12345678") << u"12345678"_s;
        QTest::newRow("nan") << QByteArray("\"NaN\"") << u"NaN"_s;
        QTest::newRow("object") << QByteArray("{\"default\": 0.5, \"loss\": 2}") << u"0.5"_s;
        QTest::newRow("no default") << QByteArray("{\"loss\":2}") << u"{\"loss\":2}"_s;
        QTest::newRow("null") << QByteArray("null") << QString();
    }
    void values()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, text);
        QCOMPARE(valueText(*core::parseJson(json)), text);
    }

    void parameters()
    {
        QCOMPARE(parametersText(*core::parseJson(R"({"lr": 0.01, "opt": "adam", "deep": {"a": 1}, "n": 3})")),
            u"lr=0.01 opt=adam deep={\"a\":1} n=3"_s);
        QCOMPARE(parametersText(Json()), QString());
    }

    void trialParts()
    {
        const Json trial =
            *core::parseJson(R"({"machineId":"box","gpuIndices":[0,3],"submitTime":1000,"startTime":3000,"endTime":null,
            "latestMetric":{"value":0.5},"finalMetric":null,"status":"RUNNING"})");
        QCOMPARE(placeOfTrial(trial), u"box GPU 0,3"_s);
        QCOMPARE(metricOfTrial(trial), u"0.5"_s);
        QCOMPARE(waitedMs(trial, 9'000), 2'000);
        QCOMPARE(ranMs(trial, 9'000), 6'000);
        QCOMPARE(ranMs(Json::object(), 9'000), -1);
        QVERIFY(isFinalStatus(u"EARLY_STOPPED"_s));
        QVERIFY(!isFinalStatus(u"UNKNOWN"_s));
        QVERIFY(!isFinalStatus(u"SOMETHING_NEW"_s));
    }

    void liveLinesAreReplaced()
    {
        QByteArray out;
        QByteArray err;
        Console::Settings settings;
        settings.terminal = true;
        settings.width = 20;
        Console console(
            settings, [&](QByteArrayView b) { out.append(b); }, [&](QByteArrayView b) { err.append(b); },
            [](bool) { return std::nullopt; });
        console.live(u"one"_s);
        console.liveLines({u"a"_s, u"b"_s});
        console.print(u"result"_s);
        QCOMPARE(err, QByteArray("one\r\x1b[Ja\nb\r\x1b[1A\x1b[J"));
        QCOMPARE(out, QByteArray("result\n"));
        err.clear();
        console.live(u"a line that is wider than the terminal"_s);
        QCOMPARE(displayWidth(QString::fromUtf8(err)), 19);
    }

    void withoutATerminalNothingIsLiveAndNothingIsAsked()
    {
        QByteArray err;
        int reads = 0;
        Console console(
            {}, [](QByteArrayView) {}, [&](QByteArrayView b) { err.append(b); },
            [&](bool) -> std::optional<QString> {
                ++reads;
                return u"y"_s;
            });
        console.live(u"x"_s);
        QVERIFY(!console.ask(u"Sure?"_s));
        QCOMPARE(err, QByteArray());
        QCOMPARE(reads, 0);
    }

    void asks_data()
    {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("yes");
        QTest::newRow("y") << u"y"_s << true;
        QTest::newRow("Yes") << u" Yes "_s << true;
        QTest::newRow("enter") << u""_s << false;
        QTest::newRow("n") << u"n"_s << false;
        QTest::newRow("other") << u"yeah"_s << false;
    }
    void asks()
    {
        QFETCH(QString, answer);
        QFETCH(bool, yes);
        Console::Settings settings;
        settings.interactive = true;
        Console console(
            settings, [](QByteArrayView) {}, [](QByteArrayView) {}, [&](bool) { return std::optional(answer); });
        QCOMPARE(console.ask(u"Sure?"_s), yes);
    }
};

QTEST_GUILESS_MAIN(TestTable)
#include "tst_table.moc"
