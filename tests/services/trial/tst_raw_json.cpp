// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/json_text.h"
#include "services/core/record_json.h"
#include "services/trial/raw_json.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace trial;

class TestRawJson : public QObject
{
    Q_OBJECT

private slots:
    void wholeValues_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("kind"); // -1: refused
        const auto row = [](const char* text, int kind) { QTest::newRow(text) << QByteArray(text) << kind; };
        row("{}", int(JsonKind::object));
        row(" {\"a\": [1, {\"b\": null}], \"c\": \"x\"} ", int(JsonKind::object));
        row("[]", int(JsonKind::array));
        row("[[],[{}]]", int(JsonKind::array));
        row("\"a\\\"b\\u00e9\\n\"", int(JsonKind::string));
        row("-0.5e-10", int(JsonKind::number));
        row("0", int(JsonKind::number));
        row("NaN", int(JsonKind::number));
        row("-Infinity", int(JsonKind::number));
        row("[NaN, Infinity]", int(JsonKind::array));
        row("true", int(JsonKind::boolean));
        row("null", int(JsonKind::null));
        for (const char* bad : {"", " ", "{", "}", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1,]",
                 "[,1]", "[1 2]", "\"abc", "\"a\nb\"", "\"\\x\"", "\"\\u12g4\"", "01", "1.", ".5", "1e", "+1", "-",
                 "--1", "nan", "inf", "tru", "nulll", "{} {}", "1 1", "{\"a\":1}}", "Infinit", "-NaN", "\"\\"})
            row(bad, -1);
    }
    void wholeValues()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, kind);
        const auto found = wholeRawValue(text);
        QCOMPARE(found ? int(found->kind) : -1, kind);
        if (found)
            QCOMPARE(found->text, text.trimmed());
    }

    void depthIsLimited()
    {
        QVERIFY(wholeRawValue(QByteArray(128, '[') + QByteArray(128, ']')));
        QVERIFY(!wholeRawValue(QByteArray(129, '[') + QByteArray(129, ']')));
        QVERIFY(!wholeRawValue(QByteArray(1'000'000, '[')));
        QVERIFY(!wholeRawValue(QByteArray("{\"a\":").repeated(100'000)));
    }

    void membersStayVerbatim()
    {
        const QByteArray text = "{ \"a\" : 1e-4 ,\"b\\u0041\":[ 1,2 ], \"c\":NaN,\"a\": 2.50 }";
        RawMembers members(text);
        QList<QByteArray> seen;
        while (members.next())
            seen.append(members.key().toByteArray() + '=' + members.value().text.toByteArray());
        QVERIFY(members.ok());
        QCOMPARE(seen, (QList<QByteArray>{"a=1e-4", "b\\u0041=[ 1,2 ]", "c=NaN", "a=2.50"}));
        QCOMPARE(rawMember(text, "a")->text, "2.50"); // the last one
        QCOMPARE(rawMember(text, "bA")->text, "[ 1,2 ]");
        QVERIFY(!rawMember(text, "z"));
        QVERIFY(!rawMember("{\"a\": 1", "a")); // cut
        QVERIFY(!rawMember("[1]", "a"));
    }

    void strings_data()
    {
        QTest::addColumn<QByteArray>("inner");
        QTest::addColumn<QByteArray>("plain");
        QTest::newRow("plain") << QByteArray("abc") << QByteArray("abc");
        QTest::newRow("escapes") << QByteArray("\\\"\\\\\\/\\b\\f\\n\\r\\t") << QByteArray("\"\\/\b\f\n\r\t");
        QTest::newRow("unit") << QByteArray("\\u00e9\\u20ac\\u0000") << QByteArray("\xc3\xa9\xe2\x82\xac\0", 6);
        QTest::newRow("pair") << QByteArray("\\ud83d\\ude00") << QByteArray("\xf0\x9f\x98\x80");
        QTest::newRow("high alone") << QByteArray("\\ud83dx") << QByteArray("\xef\xbf\xbdx");
        QTest::newRow("high and no low") << QByteArray("\\ud83d\\u0041")
                                         << QByteArray("\xef\xbf\xbd"
                                                       "A");
        QTest::newRow("low alone") << QByteArray("\\ude00") << QByteArray("\xef\xbf\xbd");
        QTest::newRow("cut") << QByteArray("\\u12") << QByteArray("\\u12");
        QTest::newRow("backslash at the end") << QByteArray("a\\") << QByteArray("a\\");
    }
    void strings()
    {
        QFETCH(QByteArray, inner);
        QFETCH(QByteArray, plain);
        QCOMPARE(unescapedJson(inner), plain);
    }

    void compact()
    {
        QCOMPARE(compactJson("{ \"a b\" : [ 1 , \"x \\\" y\" ] }"), "{\"a b\":[1,\"x \\\" y\"]}");
        QCOMPARE(rawInteger(*wholeRawValue("-12")), -12);
        QVERIFY(!rawInteger(*wholeRawValue("1.0")));
        QVERIFY(!rawInteger(*wholeRawValue("99999999999999999999")));
        QVERIFY(!rawInteger(*wholeRawValue("\"1\"")));
    }

    void agreesWithTheParser()
    {
        // What the strict parser takes, the scanner takes, and on damaged texts it never takes more than JSON with NaN.
        std::mt19937 random(7);
        const QByteArray seed =
            "{\"a\": [1, 2.5e3, {\"b\": \"x\\n\\u00e9\"}], \"c\": {\"d\": null, \"e\": true}, \"f\": -0}";
        int taken = 0;
        for (int i = 0; i < 6'000; ++i) {
            QByteArray text = seed;
            const int edits = int(random() % 4);
            for (int e = 0; e < edits; ++e) {
                const qsizetype at = qsizetype(random() % quint32(text.size()));
                switch (random() % 3) {
                case 0:
                    text.remove(at, 1);
                    break;
                case 1:
                    text.insert(at, "{}[],:\"\\ 0e-"[random() % 12]);
                    break;
                default:
                    text[at] = "{}[],:\"\\ 0e-"[random() % 12];
                }
            }
            const bool strict = parseJson(text).has_value();
            const bool ours = wholeRawValue(text).has_value();
            QVERIFY2(strict == ours, text.constData());
            taken += ours;
        }
        QVERIFY(taken > 300);
    }
};

QTEST_GUILESS_MAIN(TestRawJson)
#include "tst_raw_json.moc"
