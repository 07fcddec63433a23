// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/json.h"

#include <QtTest>

using namespace core;
using namespace Qt::StringLiterals;

class TestJson : public QObject
{
    Q_OBJECT
private slots:
    void malformed_data();
    void malformed();
    void depth();
    void dump();
    void readerReadsTypes();
    void readerRefuses_data();
    void readerRefuses();
    void firstProblemWins();
    void optionals();
};

void TestJson::malformed_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "{", "{\"a\":}", "[1,]", "nul", "NaN", "{\"a\":1}x", "\"\xff\"", "\"unclosed", "'a'"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("behind a zero byte") << QByteArray("1\0x", 3);
}

void TestJson::malformed()
{
    QFETCH(QByteArray, text);
    const auto json = parseJson(text);
    QVERIFY(!json);
    QVERIFY(json.error().kind == Kind::invalid);
    QVERIFY2(json.error().message.startsWith(u"This is not valid JSON: "), qPrintable(json.error().message));
    if (text == "{\"a\":}")
        QVERIFY2(json.error().message.contains(u"line 1, column 6"), qPrintable(json.error().message));
}

void TestJson::depth()
{
    QVERIFY(parseJson(QByteArray("[").repeated(128) + QByteArray("]").repeated(128)));
    const auto deep = parseJson(QByteArray("[").repeated(129) + QByteArray("]").repeated(129));
    QVERIFY(!deep);
    QVERIFY(deep.error().message.contains(u"128"));
    QVERIFY(!parseJson(QByteArray("[{\"a\":").repeated(1'000'000)));
    // Brackets inside strings are no depth.
    QVERIFY(parseJson("\"" + QByteArray("[").repeated(1'000) + "\\\"" + QByteArray("{").repeated(1'000) + "\""));
}

void TestJson::dump()
{
    const auto json = parseJson(R"({"b": 1, "a": [true, null, "ü"]})");
    QVERIFY(json);
    QCOMPARE(dumpJson(*json), "{\"b\":1,\"a\":[true,null,\"\xc3\xbc\"]}");
    QCOMPARE(dumpJson(Json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
    QCOMPARE(dumpJson(Json("\xff")), "\"\xef\xbf\xbd\"");
    QCOMPARE(dumpJson(Json(u"grün"_s)), "\"gr\xc3\xbcn\"");
    QCOMPARE(Json(u"grün"_s).get<QString>(), u"grün"_s);
}

void TestJson::readerReadsTypes()
{
    const auto json =
        parseJson(R"({"s":"x","b":true,"i":-5,"l":9000000000,"d":1.5,"w":3.0,"list":["a","b"],"any":{"k":1}})");
    QVERIFY(json);
    JsonReader reader(*json);
    QString s;
    bool b = false;
    int i = 0;
    qint64 l = 0;
    double d = 0;
    int w = 0;
    QStringList list = {u"old"_s};
    QVERIFY(reader.read("s", s));
    QVERIFY(reader.read("b", b));
    QVERIFY(reader.read("i", i));
    QVERIFY(reader.read("l", l));
    QVERIFY(reader.read("d", d));
    QVERIFY(reader.read("w", w));
    QVERIFY(reader.read("list", list));
    QVERIFY(!reader.read("absent", s));
    QVERIFY(reader.has("any"));
    QVERIFY(!reader.finish()); // `any` was not read
    QCOMPARE(reader.finish().error().message, u"Unknown field any."_s);
    const Json* any = reader.take("any");
    QVERIFY(any && any->at("k") == 1);
    QVERIFY(reader.finish());
    QCOMPARE(s, u"x"_s);
    QVERIFY(b);
    QCOMPARE(i, -5);
    QCOMPARE(l, 9'000'000'000);
    QCOMPARE(d, 1.5);
    QCOMPARE(w, 3);
    QCOMPARE(list, QStringList({u"a"_s, u"b"_s}));
}

void TestJson::readerRefuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("string") << QByteArray(R"({"s":1})") << u"trial.s must be a string."_s;
    QTest::newRow("bool") << QByteArray(R"({"b":1})") << u"trial.b must be true or false."_s;
    QTest::newRow("int") << QByteArray(R"({"i":1.5})") << u"trial.i must be a whole number."_s;
    QTest::newRow("int range") << QByteArray(R"({"i":3000000000})")
                               << u"trial.i must be a whole number from -2147483648 to 2147483647."_s;
    QTest::newRow("long range") << QByteArray(R"({"l":1e300})")
                                << u"trial.l must be a whole number from -9000000000000000 to 9000000000000000."_s;
    QTest::newRow("double") << QByteArray(R"({"d":"1"})") << u"trial.d must be a number."_s;
    QTest::newRow("list") << QByteArray(R"({"list":["a",1]})") << u"trial.list must be a list of strings."_s;
    QTest::newRow("unknown") << QByteArray(R"({"zz":1})") << u"Unknown field trial.zz."_s;
    QTest::newRow("no object") << QByteArray("[]") << u"trial must be a JSON object."_s;
}

void TestJson::readerRefuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const Json json = *parseJson(text);
    JsonReader reader(json, u"trial"_s);
    QString s;
    bool b = false;
    int i = 0;
    qint64 l = 0;
    double d = 0;
    QStringList list;
    reader.read("s", s);
    reader.read("b", b);
    reader.read("i", i);
    reader.read("l", l);
    reader.read("d", d);
    reader.read("list", list);
    const auto good = reader.finish();
    QVERIFY(!good);
    QVERIFY(good.error().kind == Kind::invalid);
    QCOMPARE(good.error().message, message);
}

void TestJson::firstProblemWins()
{
    const Json json = *parseJson(R"({"a":1,"b":2})");
    JsonReader reader(json);
    QString s;
    QVERIFY(!reader.read("b", s));
    reader.refuse(u"Another."_s);
    QCOMPARE(reader.finish().error().message, u"b must be a string."_s);
}

void TestJson::optionals()
{
    const Json json = *parseJson(R"({"a":null,"b":2})");
    JsonReader reader(json);
    std::optional<int> a = 1;
    std::optional<int> b;
    std::optional<int> c = 3;
    QVERIFY(!reader.read("a", a));
    QVERIFY(reader.read("b", b));
    QVERIFY(!reader.read("c", c));
    QVERIFY(b == 2);
    QVERIFY(c == 3);
    QVERIFY(reader.finish());
}

QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
