// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/log_tail.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace trial;

class TestLogTail : public QObject
{
    Q_OBJECT

private slots:
    void ranges_data()
    {
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<qint64>("limit");
        QTest::addColumn<qint64>("tail"); // -1: none
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("length");
        const auto row = [](const char* name, qint64 offset, qint64 limit, qint64 tail, qint64 from, qint64 length) {
            QTest::newRow(name) << offset << limit << tail << from << length;
        };
        row("middle", 10, 20, -1, 10, 20);
        row("end", 90, 20, -1, 90, 10);
        row("behind the end", 500, 20, -1, 100, 0);
        row("negative", -5, 20, -1, 0, 20);
        row("tail", 0, 64, 30, 70, 30);
        row("tail over the limit", 0, 20, 30, 80, 20);
        row("tail over the size", 0, 1000, 300, 0, 100);
        row("negative limit", 5, -1, -1, 5, 0);
    }
    void ranges()
    {
        QFETCH(qint64, offset);
        QFETCH(qint64, limit);
        QFETCH(qint64, tail);
        QFETCH(qint64, from);
        QFETCH(qint64, length);
        const LogRange range = logRange(100, offset, limit, tail < 0 ? std::nullopt : std::optional(tail));
        QCOMPARE(range, (LogRange{from, length}));
    }

    void lastLines()
    {
        QCOMPARE(lastLinesOffset("a\nb\nc\n", 0, 1), 4);
        QCOMPARE(lastLinesOffset("a\nb\nc", 0, 1), 4);
        QCOMPARE(lastLinesOffset("a\nb\nc\n", 0, 2), 2);
        QCOMPARE(lastLinesOffset("a\nb\nc\n", 0, 3), 0);
        QCOMPARE(lastLinesOffset("a\nb\nc\n", 0, 9), 0);
        QCOMPARE(lastLinesOffset("a\nb\nc\n", 100, 2), 102);
        QVERIFY(!lastLinesOffset("a\nb\nc\n", 100, 3)); // its beginning may lie before the block
        QCOMPARE(lastLinesOffset("", 0, 3), 0);
        QCOMPARE(lastLinesOffset("abc", 7, 0), 10);
    }

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

    void indexFindsEveryLine()
    {
        std::mt19937 random(3);
        QByteArray text;
        QList<qint64> begins;
        for (int i = 0; i < 5000; ++i) {
            begins.append(text.size());
            text += QByteArray(int(random() % 30), 'x') + '\n';
        }
        LineIndex index(16, 20); // few entries: it has to thin out
        for (qint64 at = 0; at < text.size();) {
            const qint64 step = std::min<qint64>(1 + random() % 700, text.size() - at);
            QCOMPARE(index.bytes(), at);
            index.append(QByteArrayView(text).sliced(at, step));
            at += step;
        }
        QCOMPARE(index.lineCount(), 5000);
        QCOMPARE(index.bytes(), text.size());
        for (qint64 line = 0; line < 5000; line += 37) {
            const LineIndex::Place place = index.placeBefore(line);
            QVERIFY(place.line <= line);
            QVERIFY(line - place.line < 1024);
            QCOMPARE(place.offset, begins.at(place.line));
        }
        index.append("open");
        QCOMPARE(index.lineCount(), 5001);
        index.clear();
        QCOMPARE(index.lineCount(), 0);
        QCOMPARE(index.placeBefore(99).offset, 0);
    }
};

QTEST_GUILESS_MAIN(TestLogTail)
#include "tst_log_tail.moc"
