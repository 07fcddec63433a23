// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/json.h"
#include "services/core/json_scanner.h"

#include <QTest>

using namespace core;

/// What the visitor sees, as one line a token.
struct Recorder
{
    QByteArray seen;

    void name(std::string_view quoted, int depth) { add('n', quoted, depth); }
    void number(const char* begin, const char* end, int depth)
    {
        add('#', std::string_view(begin, size_t(end - begin)), depth);
    }
    void bareWord(std::string_view word, int depth) { add('w', word, depth); }

private:
    void add(char what, std::string_view text, int depth)
    {
        seen += what + QByteArray::number(depth) + ' ' + QByteArray(text.data(), qsizetype(text.size())) + '\n';
    }
};

template <typename Policy>
static bool isWhole(const QByteArray& text)
{
    return JsonScanner<Policy>(text).wholeText();
}

class TestJsonScanner : public QObject
{
    Q_OBJECT
private slots:
    void policies_data();
    void policies();
    void problems_data();
    void problems();
    void depth();
    void visits();
    void stepsThroughMembers();
};

void TestJsonScanner::policies_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("takenBy"); // s: strict, p: Python's, l: lenient
    const auto row = [](const char* text, const char* takenBy) {
        QTest::addRow("%s", text) << QByteArray(text) << QByteArray(takenBy);
    };
    for (const char* text : {"{}", " [ ] ", "{\"a\":[{},[],{\"b\":null}],\"c\":-0.5e+10}",
             "\"\\ud83d\\ude00\\u00e9\\n\"", "\"gr\xc3\xb6\xc3\x9f\xf0\x9f\x98\x80\"", "0", "true", "[false,null]"})
        row(text, "spl");
    for (const char* text : {"NaN", "-Infinity", "[Infinity]", "{\"a\":NaN}"})
        row(text, "pl");
    for (const char* text : {"\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc3\"", "\"\\ud83d\"", "\"\\udc00\"",
             "\"\\ud83d\\u0041\"", "{\"\xff\":1}"})
        row(text, "l");
    for (const char* text : {"", " ", "{", "[", "]", "[}", "{]", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":}", "{\"a\":1,}",
             "{a:1}", "01", "1.", ".5", "1e", "+1", "-", "-NaN", "nan", "Infinit", "tru", "1 1", "\"", "\"\\",
             "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\t\""})
        row(text, "");
    QTest::newRow("zero byte") << QByteArray("\"\\\0\"", 4) << QByteArray();
}

void TestJsonScanner::policies()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, takenBy);
    QCOMPARE(isWhole<StrictJson>(text), takenBy.contains('s'));
    QCOMPARE(isWhole<PythonJson>(text), takenBy.contains('p'));
    QCOMPARE(isWhole<LenientJson>(text), takenBy.contains('l'));
}

void TestJsonScanner::problems_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("at");
    QTest::addColumn<QByteArray>("what");
    const auto row = [](const char* text, int at, const char* what) {
        QTest::addRow("%s", text) << QByteArray(text) << at << QByteArray(what);
    };
    row("[1, x]", 4, "a value is expected");
    row("NaN", 0, "a value is expected");
    row("[1", 2, "the text ends too early");
    row("[1}", 2, "a comma or a closing bracket is expected");
    row("{\"a\":1]", 6, "a comma or a closing brace is expected");
    row("{a", 1, "a name in quotes is expected");
    row("{\"a\" 1", 5, "a colon is expected");
    row("1 2", 2, "something follows the value");
    row("1.x", 2, "a digit is expected after the point");
    row("1e+", 3, "a digit is expected in the exponent");
    row("\"ab", 3, "the text ends inside a string");
    row("\"a\nb\"", 2, "a control character in a string must be escaped");
    row("\"a\xff\"", 2, "invalid UTF-8 in a string");
    row("\"\\ud83d\"", 7, "half of a surrogate pair in a string");
}

void TestJsonScanner::problems()
{
    QFETCH(QByteArray, text);
    QFETCH(int, at);
    QFETCH(QByteArray, what);
    JsonScanner<StrictJson> scanner(text);
    QVERIFY(!scanner.wholeText());
    QCOMPARE(QByteArray(scanner.problem()), what);
    QCOMPARE(int(scanner.at() - text.constData()), at);
}

void TestJsonScanner::depth()
{
    QVERIFY(isWhole<StrictJson>(QByteArray(128, '[') + QByteArray(128, ']')));
    QVERIFY(!isWhole<StrictJson>(QByteArray(129, '[') + QByteArray(129, ']')));
    QVERIFY(isWhole<LenientJson>(QByteArray("{\"a\":").repeated(128) + '1' + QByteArray(128, '}')));
    QVERIFY(!isWhole<LenientJson>(QByteArray("{\"a\":").repeated(100'000)));
}

void TestJsonScanner::visits()
{
    Recorder recorder;
    QVERIFY(JsonScanner<PythonJson>(R"({"a": [1, {"b": -Infinity}], "c\"": 2.50})").wholeText(recorder));
    QCOMPARE(recorder.seen, QByteArray("n1 \"a\"\n#2 1\nn3 \"b\"\nw3 -Infinity\nn1 \"c\\\"\"\n#1 2.50\n"));
}

void TestJsonScanner::stepsThroughMembers()
{
    const QByteArray text = R"( {"a" : [1, 2], "b": x)";
    JsonScanner<LenientJson> scanner(text);
    scanner.skipSpace();
    QVERIFY(scanner.take('{'));
    std::string_view name;
    QVERIFY(scanner.name(name));
    QVERIFY(name == "\"a\"");
    QVERIFY(scanner.value());
    QVERIFY(scanner.take(','));
    QVERIFY(scanner.name(name));
    QVERIFY(!scanner.value());
    QCOMPARE(*scanner.at(), 'x');
}

QTEST_GUILESS_MAIN(TestJsonScanner)
#include "tst_json_scanner.moc"
