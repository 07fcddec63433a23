// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "tests/services/core/sample_records.h"

#include <QtTest>

using namespace core;
using namespace Qt::StringLiterals;

class TestExperimentSpecJson : public QObject
{
    Q_OBJECT
private slots:
    void smallest();
    void roundTrip();
    void nniNames();
    void durations_data();
    void durations();
    void nullIsAbsent();
    void refused_data();
    void refused();
};

void TestExperimentSpecJson::smallest()
{
    const auto spec = experimentSpecFromJson(*parseJson(R"({"trialCommand":"true"})"));
    QVERIFY(spec);
    ExperimentSpec expected;
    expected.trialCommand = u"true"_s;
    QVERIFY(*spec == expected);
    QCOMPARE(spec->objective.metric, u"default"_s);
    QVERIFY(spec->objective.maximize);
    QVERIFY(spec->searchSpace.is_null());
}

void TestExperimentSpecJson::roundTrip()
{
    ExperimentSpec spec = samples::fullExperiment().spec;
    spec.codeHash.clear();
    const auto back = experimentSpecFromJson(*parseJson(dumpJson(toJson(spec))));
    QVERIFY2(back, back ? "" : qPrintable(back.error().message));
    QVERIFY(*back == spec);

    spec.codeHash = QString(64, u'0');
    spec.codeDir.clear();
    spec.codeInPlace = false;
    const auto upload = experimentSpecFromJson(toJson(spec));
    QVERIFY(upload && *upload == spec);
}

void TestExperimentSpecJson::nniNames()
{
    const auto spec =
        experimentSpecFromJson(*parseJson(R"({"experimentName":"n","trialCommand":"c","trialCodeDirectory":"/c",
        "trialGpuNumber":0,"maxExperimentDuration":"2h","maxTrialDuration":90,"maxTrialNumber":5,"trialConcurrency":2})"));
    QVERIFY2(spec, spec ? "" : qPrintable(spec.error().message));
    QCOMPARE(spec->name, u"n"_s);
    QCOMPARE(spec->codeDir, u"/c"_s);
    QVERIFY(spec->gpuNumber == 0);
    QVERIFY(spec->maxDurationSeconds == 7'200);
    QVERIFY(spec->maxTrialDurationSeconds == 90);
    QVERIFY(spec->maxTrialNumber == 5);
    QCOMPARE(spec->trialConcurrency, 2);
}

void TestExperimentSpecJson::durations_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("seconds");
    QTest::newRow("number") << QByteArray("60") << qint64(60);
    QTest::newRow("fraction rounds up") << QByteArray("1.2") << qint64(2);
    QTest::newRow("text") << QByteArray("\"60\"") << qint64(60);
    QTest::newRow("s") << QByteArray("\"90s\"") << qint64(90);
    QTest::newRow("m") << QByteArray("\"30m\"") << qint64(1'800);
    QTest::newRow("h") << QByteArray("\"1.5h\"") << qint64(5'400);
    QTest::newRow("d") << QByteArray("\" 2 d \"") << qint64(172'800);
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("negative") << QByteArray("\"-1h\"") << qint64(0);
    QTest::newRow("unit unknown") << QByteArray("\"1w\"") << qint64(0);
    QTest::newRow("list") << QByteArray("[]") << qint64(0);
    QTest::newRow("huge") << QByteArray("1e300") << qint64(0);
}

void TestExperimentSpecJson::durations()
{
    QFETCH(QByteArray, value);
    QFETCH(qint64, seconds);
    const auto spec = experimentSpecFromJson(*parseJson("{\"trialCommand\":\"c\",\"maxTrialDuration\":" + value + "}"));
    if (seconds == 0) {
        QVERIFY(!spec);
        QVERIFY(spec.error().message.startsWith(u"maxTrialDuration must be"));
    } else {
        QVERIFY(spec);
        QVERIFY(spec->maxTrialDurationSeconds == seconds);
    }
}

void TestExperimentSpecJson::nullIsAbsent()
{
    Json json = toJson(ExperimentSpec{});
    json["trialCommand"] = "c";
    for (auto& [name, value] : json.items()) {
        if (name != "trialCommand")
            value = nullptr;
    }
    json["experimentName"] = "kept";
    const auto spec = experimentSpecFromJson(json);
    QVERIFY2(spec, spec ? "" : qPrintable(spec.error().message));
    QCOMPARE(spec->name, u"kept"_s);
    QCOMPARE(spec->trialConcurrency, 1);
}

void TestExperimentSpecJson::refused_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* members, const char16_t* message) {
        QTest::newRow(members) << QByteArray(members) << QStringView(message).toString();
    };
    row("\"trialCommand\":5", u"trialCommand must be a string.");
    row("\"trialCommand\":\"a\\u0000b\"", u"trialCommand holds a character with code 0");
    row("\"trialCommand\":\"c\",\"trialComand\":\"c\"", u"Unknown field trialComand.");
    row("\"trialCommand\":\"c\",\"name\":\"a\",\"experimentName\":\"b\"", u"name and experimentName mean the same");
    row("\"trialCommand\":\"c\",\"gpuNumber\":1,\"trialGpuNumber\":1", u"gpuNumber and trialGpuNumber mean the same");
    row("\"trialCommand\":\"c\",\"maxDurationSeconds\":1,\"maxExperimentDuration\":1",
        u"maxDurationSeconds and maxExperimentDuration");
    row("\"trialCommand\":\"c\",\"gpuNumber\":-1", u"gpuNumber must not be negative");
    row("\"trialCommand\":\"c\",\"gpuNumber\":1.5", u"gpuNumber must be a whole number.");
    row("\"trialCommand\":\"c\",\"trialConcurrency\":0", u"trialConcurrency must be between");
    row("\"trialCommand\":\"c\",\"trialConcurrency\":100000", u"trialConcurrency must be between");
    row("\"trialCommand\":\"c\",\"maxTrialNumber\":0", u"maxTrialNumber must be greater than 0");
    row("\"trialCommand\":\"c\",\"maxDurationSeconds\":\"2h\"", u"maxDurationSeconds must be a whole number.");
    row("\"trialCommand\":\"c\",\"maxTrialDurationSeconds\":-5", u"maxTrialDurationSeconds must be greater than 0");
    row("\"trialCommand\":\"c\",\"codeMode\":\"link\"", u"codeMode must be");
    row("\"trialCommand\":\"c\",\"codeHash\":\"abc\"", u"codeHash must be the SHA-256");
    row("\"trialCommand\":\"c\",\"objective\":{\"metric\":\"\"}", u"objective.metric must not be empty");
    row("\"trialCommand\":\"c\",\"objective\":{\"direction\":\"up\"}", u"objective.direction must be");
    row("\"trialCommand\":\"c\",\"objective\":{\"goal\":1}", u"Unknown field objective.goal.");
    row("\"trialCommand\":\"c\",\"objective\":[]", u"objective must be a JSON object.");
    row("\"trialCommand\":\"c\",\"tuner\":{}", u"tuner.name is required");
    row("\"trialCommand\":\"c\",\"tuner\":{\"name\":\"Random\",\"classArgs\":[]}",
        u"tuner.classArgs must be a JSON object.");
    row("\"trialCommand\":\"c\",\"tuner\":{\"name\":\"Random\",\"className\":\"x\"}",
        u"Unknown field tuner.className.");
    row("\"trialCommand\":\"c\",\"searchSpace\":[]", u"searchSpace must be a JSON object.");
    row("\"trialCommand\":\"c\",\"environment\":{\"A\":1}", u"environment.A must be a string.");
    row("\"trialCommand\":\"c\",\"environment\":{\"A=B\":\"1\"}", u"environment has a name that is no variable's");
    row("\"trialCommand\":\"c\",\"tags\":[1]", u"tags must be a list of strings.");
    row("\"trialCommand\":\"c\",\"loginShell\":\"yes\"", u"loginShell must be true or false.");
}

void TestExperimentSpecJson::refused()
{
    QFETCH(QByteArray, members);
    QFETCH(QString, message);
    const auto json = parseJson('{' + members + '}');
    QVERIFY(json);
    const auto spec = experimentSpecFromJson(*json);
    QVERIFY(!spec);
    QVERIFY(spec.error().kind == Kind::invalid);
    QVERIFY2(spec.error().message.startsWith(message), qPrintable(spec.error().message));
    QVERIFY(!experimentSpecFromJson(Json::array()));
    QVERIFY(experimentSpecFromJson(Json::array()).error().message.contains(u"JSON object"));
    QString both = u"{\"trialCommand\":\"c\",\"codeDir\":\"/x\",\"codeHash\":\"%1\"}"_s.arg(QString(64, u'a'));
    QVERIFY(experimentSpecFromJson(*parseJson(both.toUtf8()))
                .error()
                .message.startsWith(u"codeDir and codeHash are both given"));
    both = u"{\"trialCommand\":\"c\",\"codeMode\":\"inPlace\",\"codeHash\":\"%1\"}"_s.arg(QString(64, u'a'));
    QVERIFY(experimentSpecFromJson(*parseJson(both.toUtf8()))
                .error()
                .message.startsWith(u"codeMode \"inPlace\" needs codeDir"));
}

QTEST_GUILESS_MAIN(TestExperimentSpecJson)
#include "tst_experiment_spec_json.moc"
