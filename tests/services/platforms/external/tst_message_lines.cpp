// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/external/message_lines.h"

#include <QTest>

using namespace platforms::external;

class TestMessageLines : public QObject
{
    Q_OBJECT
private slots:
    void anyPieces();
    void tooLong();
    void messages();
};

/// However the bytes are cut, the lines are the same.
void TestMessageLines::anyPieces()
{
    const QByteArray text = "{\"id\": 1}\r\n\n  \n{\"text\": \"\xc3\xa9\"}\nhalf";
    for (qsizetype size = 1; size <= text.size(); ++size) {
        MessageLines lines;
        QByteArrayList found;
        for (qsizetype at = 0; at < text.size(); at += size)
            found += lines.take(QByteArrayView(text).sliced(at, std::min(size, text.size() - at)));
        QCOMPARE(found, QByteArrayList({"{\"id\": 1}", "{\"text\": \"\xc3\xa9\"}"}));
        QVERIFY(!lines.isTooLong());
        QCOMPARE(lines.take(" a line\n"), QByteArrayList{"half a line"});
    }
}

void TestMessageLines::tooLong()
{
    MessageLines lines;
    QCOMPARE(lines.take(QByteArray(longestLine, 'x')), QByteArrayList());
    QVERIFY(!lines.isTooLong());
    QCOMPARE(lines.take("\nshort\n").size(), 2);
    QCOMPARE(lines.take("good\n" + QByteArray(longestLine + 1, 'x')), QByteArrayList{"good"});
    QVERIFY(lines.isTooLong());
    QCOMPARE(lines.take("\n{}\n"), QByteArrayList());
}

void TestMessageLines::messages()
{
    for (const char* line : {"", "text", "[]", "1", "null", "\"x\"", "{", "{}x", "{\"a\": 1,}", "\xff\xfe"})
        QVERIFY2(!messageOf(line), line);
    QVERIFY(messageOf("{}"));
    QCOMPARE(messageOf("{\"id\": 7}")->at("id").get<int>(), 7);
}

QTEST_GUILESS_MAIN(TestMessageLines)
#include "tst_message_lines.moc"
