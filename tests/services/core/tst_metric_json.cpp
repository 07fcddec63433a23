// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "tests/services/core/sample_records.h"

#include <QElapsedTimer>
#include <QtTest>

#include <cmath>

using namespace core;
using namespace Qt::StringLiterals;

class TestMetricJson : public QObject
{
    Q_OBJECT
private slots:
    void numbers_data();
    void numbers();
    void objects_data();
    void objects();
    void noValue_data();
    void noValue();
    void deepObjectIsNoValue();
    void writesOneMetric();
    void metricRoundTrip_data();
    void metricRoundTrip();
    void hasNoLineBreak();
    void strings_data();
    void strings();
    void everyByteIsValidJson();
    void strict();
    void speed();
};

void TestMetricJson::numbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<double>("number");
    const double inf = std::numeric_limits<double>::infinity();
    QTest::newRow("plain") << QByteArray("0.93") << 0.93;
    QTest::newRow("whole") << QByteArray("17") << 17.0;
    QTest::newRow("negative") << QByteArray("-2.5e-3") << -0.0025;
    QTest::newRow("spaces") << QByteArray(" 1.5\r\n") << 1.5;
    QTest::newRow("plus") << QByteArray("+0.5") << 0.5;
    QTest::newRow("no leading digit") << QByteArray(".5") << 0.5;
    QTest::newRow("point at the end") << QByteArray("5.") << 5.0;
    QTest::newRow("Infinity") << QByteArray("Infinity") << inf;
    QTest::newRow("-Infinity") << QByteArray("-Infinity") << -inf;
    QTest::newRow("inf") << QByteArray("inf") << inf;
    QTest::newRow("-inf") << QByteArray("-inf") << -inf;
    QTest::newRow("too large") << QByteArray("1e999") << inf;
    QTest::newRow("too small") << QByteArray("1e-999") << 0.0;
    QTest::newRow("long") << QByteArray("0.1000000000000000055511151231257827021181583404541015625") << 0.1;
}

void TestMetricJson::numbers()
{
    QFETCH(QByteArray, text);
    QFETCH(double, number);
    const MetricValue value = parseMetricValue(text);
    QVERIFY(value.kind == MetricValue::Kind::number);
    QVERIFY(value.number == number);
    QVERIFY(value.object.isNull());
    for (const char* nan : {"NaN", "nan", "-nan"}) {
        const MetricValue none = parseMetricValue(nan);
        QVERIFY(none.kind == MetricValue::Kind::number);
        QVERIFY(std::isnan(none.number));
    }
}

void TestMetricJson::objects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("strict");
    QTest::addColumn<double>("number");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    QTest::newRow("as it is") << QByteArray(R"({"default": 0.9, "loss": 1})")
                              << QByteArray(R"({"default": 0.9, "loss": 1})") << 0.9;
    QTest::newRow("empty") << QByteArray("{}") << QByteArray("{}") << nan;
    QTest::newRow("spaces") << QByteArray(" { } ") << QByteArray("{ }") << nan;
    QTest::newRow("no default") << QByteArray(R"({"a":{"default":1}})") << QByteArray(R"({"a":{"default":1}})") << nan;
    QTest::newRow("default is text") << QByteArray(R"({"default":"1"})") << QByteArray(R"({"default":"1"})") << nan;
    QTest::newRow("default is a list") << QByteArray(R"({"default":[1]})") << QByteArray(R"({"default":[1]})") << nan;
    QTest::newRow("default is an object")
        << QByteArray(R"({"default":{"x":1}})") << QByteArray(R"({"default":{"x":1}})") << nan;
    QTest::newRow("default last") << QByteArray(R"({"x":[{},[]],"default":-1e-2})")
                                  << QByteArray(R"({"x":[{},[]],"default":-1e-2})") << -0.01;
    QTest::newRow("nan") << QByteArray(R"({"default": NaN, "b": [Infinity, -Infinity]})")
                         << QByteArray(R"({"default": "NaN", "b": ["Infinity", "-Infinity"]})") << nan;
    QTest::newRow("infinite") << QByteArray(R"({"default": -Infinity})") << QByteArray(R"({"default": "-Infinity"})")
                              << -inf;
    QTest::newRow("words in strings") << QByteArray(R"({"NaN": "-Infinity \" NaN", "default": 2})")
                                      << QByteArray(R"({"NaN": "-Infinity \" NaN", "default": 2})") << 2.0;
    QTest::newRow("escapes") << QByteArray(R"({"\ud83d\ude00\n":true,"default":3})")
                             << QByteArray(R"({"\ud83d\ude00\n":true,"default":3})") << 3.0;
}

void TestMetricJson::objects()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, strict);
    QFETCH(double, number);
    const MetricValue value = parseMetricValue(text);
    QVERIFY(value.kind == MetricValue::Kind::object);
    QCOMPARE(value.object, strict);
    QVERIFY(value == (MetricValue{MetricValue::Kind::object, number, strict}));
    QVERIFY(parseJson(value.object));
    QVERIFY(value.toJson().is_object());
}

void TestMetricJson::noValue_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
        {"", " ", "\"0.9\"", "true", "null", "[1, 2]", "abc", "1 2", "0x10", "1e", "--1", "+-1", "nan(1)", "{",
            "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":nan}", "{'a':1}",
            "{\"a\":\"\\x\"}", "{\"a\":\"\t\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\u12\"}", "{\"a\":+1}",
            "{\"a\":\"\xff\"}", "{\"a\":\"\xc0\x80\"}", "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":1", "{\"a\":\"", "{1:2}"})
        QTest::newRow(text) << QByteArray(text);
}

void TestMetricJson::noValue()
{
    QFETCH(QByteArray, text);
    const MetricValue value = parseMetricValue(text);
    QVERIFY(value == MetricValue{});
    QVERIFY(value.toJson().is_null());
}

void TestMetricJson::deepObjectIsNoValue()
{
    QByteArray deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "{\"a\":";
    QVERIFY(parseMetricValue(deep).kind == MetricValue::Kind::none);
    const QByteArray good = QByteArray("{\"a\":").repeated(64) + "1" + QByteArray("}").repeated(64);
    QVERIFY(parseMetricValue(good).kind == MetricValue::Kind::object);
}

void TestMetricJson::writesOneMetric()
{
    QByteArray out = "x";
    appendMetricJson(out, TrialId(u"t1"_s), samples::metric(3, "0.25", MetricType::final));
    QCOMPARE(out,
        R"(x{"trialId":"t1","sequence":3,"type":"FINAL","parameterId":41,"parameterIndex":1,"step":6,"data":"0.25","value":0.25,"time":1750000000003})");
    Metric bare;
    bare.data = "\"x\"";
    out.clear();
    appendMetricJson(out, TrialId(u"a\"b\u00e9"_s), bare);
    QCOMPARE(out,
        "{\"trialId\":\"a\\\"b\xc3\xa9\",\"sequence\":0,\"type\":\"PERIODICAL\",\"parameterId\":null,"
        "\"parameterIndex\":0,"
        "\"step\":null,\"data\":\"\\\"x\\\"\",\"value\":null,\"time\":0}");
}

void TestMetricJson::metricRoundTrip_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"0.93", "1e300", "-0.1", "5", "NaN", "-Infinity",
             "{\"default\": NaN, \"x\": {\"y\": [1]}}", "\"text\"", "[1,2]", "line\nbreak\ttab \x01 \x7f \"quoted\" \\",
             "gr\xc3\xb6\xc3\x9f"
             "e \xf0\x9f\x98\x80"})
        QTest::newRow(text) << QByteArray(text);
}

void TestMetricJson::metricRoundTrip()
{
    QFETCH(QByteArray, text);
    for (const MetricType type : {MetricType::periodical, MetricType::final, MetricType::request_parameter}) {
        Metric metric = samples::metric(9'000'000'000, text, type);
        QByteArray line;
        appendMetricJson(line, TrialId(u"t1"_s), metric);
        const auto json = parseJson(line);
        QVERIFY2(json, line.constData());
        QCOMPARE(json->at("trialId").get<std::string>(), "t1");
        QVERIFY(json->at("value") == metric.value.toJson());
        const auto back = metricFromJson(*json);
        QVERIFY(back);
        QVERIFY(*back == metric);
    }
    const auto withoutData = metricFromJson(*parseJson(R"({"sequence":1,"value":{"default":"-Infinity"}})"));
    QVERIFY(withoutData);
    QVERIFY(std::isinf(withoutData->value.number));
}

void TestMetricJson::hasNoLineBreak()
{
    QByteArray out;
    appendMetricJson(out, TrialId(u"t1"_s), samples::metric(1, "{\n\"default\":\r\n 1}"));
    QVERIFY(!out.contains('\n'));
    QVERIFY(!out.contains('\r'));
    QCOMPARE(parseJson(out)->at("value").at("default").get<int>(), 1);
    QCOMPARE(parseJson(out)->at("data").get<std::string>(), "{\n\"default\":\r\n 1}");
}

void TestMetricJson::strings_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray() << QByteArray("\"\"");
    QTest::newRow("plain") << QByteArray("a b") << QByteArray("\"a b\"");
    QTest::newRow("escapes") << QByteArray("\"\\\n\r\t\b\f\x01\x1f", 9)
                             << QByteArray(R"("\"\\\n\r\t\b\f\u0001\u001f")");
    QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray(R"("a\u0000b")");
    QTest::newRow("utf-8") << QByteArray("\xe2\x82\xac") << QByteArray("\"\xe2\x82\xac\"");
    QTest::newRow("invalid") << QByteArray("a\xff\xe2\x82z")
                             << QByteArray("\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

void TestMetricJson::strings()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    QByteArray out;
    appendJsonString(out, bytes);
    QCOMPARE(out, text);
}

void TestMetricJson::everyByteIsValidJson()
{
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const char bytes[] = {char(a), char(b), 'x'};
            QByteArray out;
            appendJsonString(out, QByteArrayView(bytes, 3));
            QVERIFY2(parseJson(out), out.toHex().constData());
        }
    }
}

void TestMetricJson::strict()
{
    QCOMPARE(strictJson(" [NaN, {\"a\": -Infinity}] "), R"(["NaN", {"a": "-Infinity"}])");
    QCOMPARE(strictJson("NaN"), "\"NaN\"");
    QCOMPARE(strictJson("[1"), QByteArray());
    QCOMPARE(strictJson(""), QByteArray());
}

void TestMetricJson::speed()
{
    const QByteArray texts[] = {"0.9312", "0.125", "17", "1.2345e-05"};
    constexpr int count = 200'000;
    QElapsedTimer timer;
    timer.start();
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += parseMetricValue(texts[i & 3]).number;
    const double parseNs = double(timer.nsecsElapsed());
    QVERIFY(sum > 0);

    const TrialId trial(u"t1h2j3k4m5n6p7q"_s);
    const Metric metric = samples::metric(12'345, "0.9312345");
    QByteArray out;
    timer.restart();
    for (int i = 0; i < count; ++i)
        appendMetricJson(out, trial, metric);
    const double writeNs = double(timer.nsecsElapsed());
    QVERIFY(out.size() > count * 100);
    qInfo("parse %.1f million a second, write %.1f million a second", count / parseNs * 1e3, count / writeNs * 1e3);
}

QTEST_GUILESS_MAIN(TestMetricJson)
#include "tst_metric_json.moc"
