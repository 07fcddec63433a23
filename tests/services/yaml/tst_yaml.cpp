// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/yaml/yaml.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace yaml;
using core::Kind;

class TestYaml : public QObject
{
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char* name, const char* yaml, const char* json) {
            QTest::newRow(name) << QByteArray(yaml) << QByteArray(json);
        };
        row("empty", "", "null");
        row("nulls", "[~, null, ]", "[null,null]");
        row("booleans", "[true, False, YES, off]", "[true,false,true,false]");
        row("whole", "[0, -12, +3, 0x1F, 010, 0o17, 1_000, 0b101]", "[0,-12,3,31,8,15,1000,5]");
        row("real", "[1.5, -2., .5, 1e-3, 6.02E+23]", "[1.5,-2.0,0.5,0.001,6.02e+23]");
        row("too large for a whole number", "[99999999999999999999]", "[1e+20]");
        row("words", "[python3, 1h, 1.2.3, 0x, e5, -, y]", R"(["python3","1h","1.2.3","0x","e5","-","y"])");
        row("quoted", R"(["12", 'true', "a\tb"])", R"(["12","true","a\tb"])");
        row("tagged", "[!!str 12, !!int '12', !!float 1]", R"(["12",12,1])");
        row("order stays", "b: 1\na: 2\n", R"({"b":1,"a":2})");
        row("block text", "a: |\n  x\n  y\n", R"({"a":"x\ny\n"})");
        row("anchors", "a: &x {k: 1}\nb: *x\n", R"({"a":{"k":1},"b":{"k":1}})");
        row("merge", "d: &d {k: 1, m: 2}\ne:\n  <<: *d\n  k: 3\n", R"({"d":{"k":1,"m":2},"e":{"k":3,"m":2}})");
        row("merge of several", "e: {<<: [{a: 1}, {a: 2, b: 3}]}", R"({"e":{"a":1,"b":3}})");
        row("number as a name", "{1: a}", R"({"1":"a"})");
        row("comments", "# one\na: 1 # two\n", R"({"a":1})");
        row("quoted over lines", "a: \"x\n  y\"\nb:\n  - 'p\n    q' # why\nc: {d: 'r\n  s', e: 1}\n",
            R"({"a":"x y","b":["p q"],"c":{"d":"r s","e":1}})");
        row("quotes inside", "a: 'it''s so'\nb: \"\\\"q\\\"\"\nc: say \"hi\"\n",
            "{\"a\":\"it's so\",\"b\":\"\\\"q\\\"\",\"c\":\"say \\\"hi\\\"\"}");
        row("a mark of byte order",
            "\xEF\xBB\xBF"
            "a: 'x'\nb: \"y\n  z\"\n",
            R"({"a":"x","b":"y z"})");
        row("a quoted text under an anchor", "a: &q 'x\n  y'\nb:\n    c: *q\n", R"({"a":"x y","b":{"c":"x y"}})");
    }

    void reads()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, json);
        const auto read = parseYaml(yaml);
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        QCOMPARE(dumpJson(read->value), json);
    }

    void infinities()
    {
        const auto read = parseYaml("[.inf, -.inf, .nan]");
        QVERIFY(read);
        QVERIFY(std::isinf(read->value[0].get<double>()) && read->value[0].get<double>() > 0);
        QVERIFY(std::isinf(read->value[1].get<double>()) && read->value[1].get<double>() < 0);
        QVERIFY(std::isnan(read->value[2].get<double>()));
    }

    void linesAreKnown()
    {
        const auto read = parseYaml("a: 1\nlist:\n  - x: 1\n    y:\n      z: 2\n");
        QVERIFY(read);
        QCOMPARE(read->lines.value(u"a"_s), 1);
        QCOMPARE(read->lines.value(u"list"_s), 2);
        QCOMPARE(read->lines.value(u"list[0]"_s), 3);
        QCOMPARE(read->lines.value(u"list[0].y.z"_s), 5);
        QCOMPARE(read->columns.value(u"a"_s), 1);
        QCOMPARE(read->columns.value(u"list[0].y"_s), 5);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& yaml, const char* words) {
            QTest::newRow(name) << yaml << QString::fromUtf8(words);
        };
        row("broken", "a: [1\nb: 2\n", "this is no YAML");
        row("twice", "a: 1\nb: 2\na: 3\n", "Line 3, column 1: `a` is given twice");
        row("two documents", "a: 1\n---\nb: 2\n", "more than one YAML document");
        row("no document's beginning", ", a: 1\nb: 2\n", "YAML");
        row("quote that takes the fields after it", "a: \"x\nb: 'y'\nc: \"z\"\n", "Line 1, column 4");
        row("quote that closes in the next field", "a: 'x\nb: it's\n", "Line 1, column 4");
        row("quote in an entry of a list", "a:\n  - k: \"x\n    m: 1\n    n: y\"\n", "Line 2, column 8");
        row("quote never closed", "a: 1\nb: \"x\nc: 2\n", "Line 2, column 4");
        row("text behind a quote", "a: 1\nb: \"x\" y\n", "Line 2");
        row("not UTF-8", "a: 1\nb: caf\xe9\n", "Line 2, column 7: this is no UTF-8");
        row("foreign tag", "a: !!python/object:os.system x", "the tag");
        row("unknown anchor", "a: *nowhere", "this is no YAML");
        row("a list as a name", "[a]: 1", "a name must be one word");
        row("deep", QByteArray(80, '[') + QByteArray(80, ']'), "levels deep");
        row("large", QByteArray(1024 * 1024 + 1, ' '), "larger than 1 MiB");
        QByteArray laughs = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
        for (char c = 'b'; c < 'j'; ++c)
            laughs += QByteArray(1, c) + ": &" + c + " ["
                + QByteArray("*x,").replace('x', c - 1).repeated(10).chopped(1) + "]\n";
        row("aliases of aliases", laughs, "more than 100000 values");
        row("itself", "a: &a [*a]", "");
    }

    void refuses()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, words);
        const auto read = parseYaml(yaml);
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Kind::invalid);
        QVERIFY2(read.error().message.contains(words), qPrintable(read.error().message));
    }
};

QTEST_APPLESS_MAIN(TestYaml)
#include "tst_yaml.moc"
