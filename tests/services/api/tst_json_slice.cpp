// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/json_slice.h"
#include "services/core/json.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace api;

class TestJsonSlice : public QObject
{
    Q_OBJECT
private slots:
    void checks_data();
    void checks();
    void saysWhere();
    void agreesWithTheParser();
    void walks();
    void decodesStrings();
    void keepsNumbers();
};

void TestJsonSlice::checks_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");
    const auto row = [](const char* text, bool good) { QTest::addRow("%s", text) << QByteArray(text) << good; };
    for (const char* text : {"{}", "[]", "null", "true", "-0", "0.5", "1e-4", "1E+10", "\"\"", " [1 , 2] ",
             "{\"a\":{\"b\":[]}}", "\"\\u00e9\\n\\ud83d\\ude00\"", "\"\xc3\xa9\"", "[[],{}]"})
        row(text, true);
    for (const char* text :
        {"", " ", "{", "}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "-", "1e",
            "+1", "NaN", "Infinity", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\udc00\"", "\"\t\"",
            "\"\xc3\"", "\"\xff\"", "\"\xed\xa0\x80\"", "1 2", "[1 2]", "{\"a\" 1}", "[1}", "'a'", "// x\n1"})
        row(text, false);
    QTest::newRow("128 levels") << QByteArray(128, '[') + QByteArray(128, ']') << true;
    QTest::newRow("129 levels") << QByteArray(129, '[') + QByteArray(129, ']') << false;
    QTest::newRow("a million levels") << QByteArray(1'000'000, '[') << false;
}

void TestJsonSlice::checks()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);
    QCOMPARE(checkJson(text).has_value(), good);
}

void TestJsonSlice::saysWhere()
{
    const Result<> bad = checkJson("{\n \"a\": 1,\n \"b\": x}");
    QVERIFY(!bad);
    QCOMPARE(bad.error().kind, Kind::invalid);
    QVERIFY2(bad.error().message.contains(u"line 3, column 7"_s), qPrintable(bad.error().message));
}

/// Random edits of a document: what one accepts, the other accepts.
void TestJsonSlice::agreesWithTheParser()
{
    const QByteArray seed =
        R"({"trials":[{"clientId":"a\"b","parameters":{"lr":1e-4,"deep":[1,[2,{"x":null}]]}},{"hold":true}],"n":-1.50})";
    QRandomGenerator random(7);
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        QByteArray text = seed;
        for (int edits = random.bounded(4); edits > 0; --edits) {
            const qsizetype at = random.bounded(int(text.size()));
            static constexpr char alphabet[] = "{}[],:\"\\0123456789.eE+-truefalsn \x01\xc3\xa9";
            switch (random.bounded(3)) {
            case 0:
                text.remove(at, 1);
                break;
            case 1:
                text[at] = alphabet[random.bounded(int(sizeof alphabet - 1))];
                break;
            default:
                text.insert(at, alphabet[random.bounded(int(sizeof alphabet - 1))]);
            }
        }
        const bool wanted = core::Json::accept(text.begin(), text.end());
        accepted += wanted;
        QVERIFY2(checkJson(text).has_value() == wanted, text.constData());
        if (!wanted)
            continue;
        // The walkers see the same members.
        const core::Json parsed = core::Json::parse(text.begin(), text.end());
        if (!parsed.is_object())
            continue;
        for (MemberWalker member{JsonSlice(text)}; member.next();) {
            QVERIFY(checkJson(member.value().text()));
            QVERIFY(parsed.contains(member.key().toStdString()));
        }
    }
    QVERIFY(accepted > 1000);
}

void TestJsonSlice::walks()
{
    const QByteArray text = " { \"a\" : [ 1 , \"x]\" , { } ] , \"b\\n\" : { \"c\" : \"}\" } } ";
    QVERIFY(checkJson(text));
    QList<QByteArray> seen;
    for (MemberWalker member{JsonSlice(text)}; member.next();)
        seen.append(member.key() + '=' + member.value().text().toByteArray());
    QCOMPARE(seen, (QList<QByteArray>{"a=[ 1 , \"x]\" , { } ]", "b\n={ \"c\" : \"}\" }"}));
    QList<QByteArray> elements;
    for (ElementWalker element(*JsonSlice(text).member("a")); element.next();)
        elements.append(element.value().text().toByteArray());
    QCOMPARE(elements, (QList<QByteArray>{"1", "\"x]\"", "{ }"}));
    QVERIFY(!JsonSlice(text).member("c"));
}

void TestJsonSlice::decodesStrings()
{
    QCOMPARE(JsonSlice("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"").string(),
        QByteArray("a\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80"));
    QCOMPARE(JsonSlice("\"{\\\"lr\\\": 1e-4}\"").string(), QByteArray("{\"lr\": 1e-4}"));
    QCOMPARE(JsonSlice("12").string(), QByteArray());
}

void TestJsonSlice::keepsNumbers()
{
    QCOMPARE(JsonSlice("9007199254740993").whole(), 9007199254740993);
    QCOMPARE(JsonSlice("5.0").whole(), 5);
    QCOMPARE(JsonSlice("1e3").whole(), 1000);
    QVERIFY(!JsonSlice("1.5").whole());
    QVERIFY(!JsonSlice("1e300").whole());
    QVERIFY(!JsonSlice("\"5\"").whole());
    QCOMPARE(*JsonSlice("1e-4").number(), 1e-4);
    QVERIFY(std::isinf(*JsonSlice("1e999").number()));
}

QTEST_GUILESS_MAIN(TestJsonSlice)
#include "tst_json_slice.moc"
