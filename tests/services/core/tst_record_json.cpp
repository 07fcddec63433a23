// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "tests/services/core/sample_records.h"

#include <QtTest>

#include <limits>

using namespace core;
using namespace Qt::StringLiterals;

class TestRecordJson : public QObject
{
    Q_OBJECT
private slots:
    void trialRoundTrip();
    void trialShowsAbsentAsNull();
    void trialKeepsHyperParametersByteForByte();
    void trialParameters_data();
    void trialParameters();
    void cancelIntents_data();
    void cancelIntents();
    void metricSummaryValues_data();
    void metricSummaryValues();
    void experimentRoundTrip();
    void experimentShape();
    void platformRoundTrip();
    void machineRoundTrip();
    void promptAndRequestRoundTrip();
    void eventShape();
    void lenientReading();
    void unknownWordsAreKept();
    void wrongReplyIsRefused();
    void printing();
};

static QStringList keysOf(const Json& json)
{
    QStringList keys;
    for (const auto& [name, value] : json.items())
        keys.append(QString::fromStdString(name));
    return keys;
}

void TestRecordJson::trialRoundTrip()
{
    const Trial trial = samples::publicTrial();
    const Json json = toJson(trial);
    // Through text, as a client gets it.
    const auto back = trialFromJson(*parseJson(dumpJson(json)));
    QVERIFY(back);
    QCOMPARE(printed(*back), printed(trial));
    QVERIFY(*back == trial);

    const auto empty = trialFromJson(toJson(Trial{}));
    QVERIFY(empty);
    QVERIFY(*empty == Trial{});
}

void TestRecordJson::trialShowsAbsentAsNull()
{
    const Json json = toJson(Trial{});
    QCOMPARE(keysOf(json),
        QStringList({u"id"_s, u"clientId"_s, u"experimentId"_s, u"platformId"_s, u"sequenceId"_s, u"status"_s,
            u"submitTime"_s, u"startTime"_s, u"endTime"_s, u"lastContact"_s, u"tags"_s, u"note"_s, u"url"_s,
            u"workingDirectory"_s, u"form"_s, u"isEarlyStopped"_s, u"machineId"_s, u"gpuIndices"_s, u"pid"_s,
            u"exitCode"_s, u"signal"_s, u"reason"_s, u"reasonKey"_s, u"reasonArguments"_s, u"failureClass"_s,
            u"attempt"_s, u"retryOf"_s, u"priority"_s, u"queueOrder"_s, u"hold"_s, u"gpuNumber"_s, u"parameters"_s,
            u"latestMetric"_s, u"finalMetric"_s, u"bestMetric"_s, u"metricCount"_s, u"peakMemory"_s, u"userTimeMs"_s,
            u"systemTimeMs"_s, u"cancelRequested"_s}));
    for (const char* name :
        {"clientId", "startTime", "endTime", "lastContact", "url", "machineId", "exitCode", "signal", "failureClass",
            "retryOf", "reasonKey", "gpuNumber", "parameters", "latestMetric", "finalMetric", "bestMetric"})
        QVERIFY2(json.at(name).is_null(), name);
    QCOMPARE(dumpJson(json.at("tags")), "[]");
    QCOMPARE(dumpJson(json.at("reason")), "\"\"");
    QCOMPARE(dumpJson(json.at("cancelRequested")), "false");
}

void TestRecordJson::trialKeepsHyperParametersByteForByte()
{
    Trial trial;
    trial.parameterCfg =
        "{ \"parameter_id\":0,\t\"parameters\": {\"x\": NaN, \"y\": 1.50, \"\\u00e9\": \"\xc3\xa9\"}}\n";
    trial.parameterIndex = 7;
    trial.formSequenceId = 12;
    const Json json = *parseJson(dumpJson(toJson(trial)));
    const Json& hyper = json.at("form").at("hyperParameters");
    QCOMPARE(QByteArray::fromStdString(hyper.at("value").get<std::string>()), trial.parameterCfg);
    QCOMPARE(hyper.at("index").get<int>(), 7);
    QCOMPARE(json.at("form").at("sequenceId").get<int>(), 12);

    trial.parameterCfg = "\xff";
    QCOMPARE(dumpJson(toJson(trial).at("form").at("hyperParameters").at("value")), "\"\xef\xbf\xbd\"");
}

void TestRecordJson::trialParameters_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("none") << QByteArray() << QByteArray("null");
    QTest::newRow("object") << QByteArray(R"({ "b": 1, "a": [1, 2.5, null, "x"] })")
                            << QByteArray(R"({"b":1,"a":[1,2.5,null,"x"]})");
    QTest::newRow("nan") << QByteArray(R"({"lr": NaN, "up": Infinity, "down": [-Infinity], "s": "NaN, Infinity"})")
                         << QByteArray(R"({"lr":"NaN","up":"Infinity","down":["-Infinity"],"s":"NaN, Infinity"})");
    QTest::newRow("too large") << QByteArray(R"({"x": 1e999, "y": -1e999})")
                               << QByteArray(R"({"x":"Infinity","y":"-Infinity"})");
    QTest::newRow("not json") << QByteArray("lr=0.1") << QByteArray("null");
    QTest::newRow("list") << QByteArray("[1,NaN]") << QByteArray(R"([1,"NaN"])");
    QTest::newRow("invalid utf-8") << QByteArray("{\"a\":\"\xff\"}") << QByteArray("null");
}

void TestRecordJson::trialParameters()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    Trial trial;
    trial.parameters = text;
    QCOMPARE(dumpJson(toJson(trial).at("parameters")), shown);
}

void TestRecordJson::cancelIntents_data()
{
    QTest::addColumn<int>("intent");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("early");
    QTest::addColumn<bool>("requested");
    QTest::newRow("none") << -1 << int(TrialStatus::running) << false << false;
    QTest::newRow("early asked") << int(CancelIntent::early) << int(TrialStatus::running) << true << true;
    QTest::newRow("user asked") << int(CancelIntent::user) << int(TrialStatus::running) << false << true;
    QTest::newRow("system done") << int(CancelIntent::system) << int(TrialStatus::sys_canceled) << false << true;
    QTest::newRow("stopped early by a limit") << -1 << int(TrialStatus::early_stopped) << true << false;
}

void TestRecordJson::cancelIntents()
{
    QFETCH(int, intent);
    QFETCH(int, status);
    QFETCH(bool, early);
    QFETCH(bool, requested);
    Trial trial;
    trial.status = TrialStatus(status);
    if (intent >= 0)
        trial.cancelIntent = CancelIntent(intent);
    const Json json = toJson(trial);
    QCOMPARE(json.at("isEarlyStopped").get<bool>(), early);
    QCOMPARE(json.at("cancelRequested").get<bool>(), requested);
    const auto back = trialFromJson(json);
    QVERIFY(back);
    QVERIFY(*back == trial);
}

void TestRecordJson::metricSummaryValues_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("number") << QByteArray("0.93") << QByteArray("0.93");
    QTest::newRow("nan") << QByteArray("NaN") << QByteArray("\"NaN\"");
    QTest::newRow("inf") << QByteArray("inf") << QByteArray("\"Infinity\"");
    QTest::newRow("-inf") << QByteArray("-Infinity") << QByteArray("\"-Infinity\"");
    QTest::newRow("object") << QByteArray(R"({"default": 0.5, "f1": NaN})")
                            << QByteArray(R"({"default":0.5,"f1":"NaN"})");
    QTest::newRow("string") << QByteArray("\"good\"") << QByteArray("null");
}

void TestRecordJson::metricSummaryValues()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, value);
    const MetricSummary summary = samples::summary(4, text);
    const Json json = toJson(summary);
    QCOMPARE(keysOf(json), QStringList({u"sequence"_s, u"step"_s, u"value"_s, u"time"_s}));
    QCOMPARE(dumpJson(json.at("value")), value);
    QCOMPARE(json.at("step").get<int>(), 40);
}

void TestRecordJson::experimentRoundTrip()
{
    const Experiment experiment = samples::fullExperiment();
    const auto back = experimentFromJson(*parseJson(dumpJson(toJson(experiment))));
    QVERIFY(back);
    QCOMPARE(printed(*back), printed(experiment));
    QVERIFY(*back == experiment);
    const auto empty = experimentFromJson(toJson(Experiment{}));
    QVERIFY(empty && *empty == Experiment{});
}

void TestRecordJson::experimentShape()
{
    const Json json = toJson(samples::fullExperiment());
    QCOMPARE(keysOf(json),
        QStringList({u"id"_s, u"name"_s, u"platformId"_s, u"trialCommand"_s, u"codeDir"_s, u"codeHash"_s, u"codeMode"_s,
            u"gpuNumber"_s, u"trialConcurrency"_s, u"maxTrialNumber"_s, u"maxDurationSeconds"_s,
            u"maxTrialDurationSeconds"_s, u"objective"_s, u"searchSpace"_s, u"tuner"_s, u"metricPattern"_s,
            u"interpreter"_s, u"setup"_s, u"loginShell"_s, u"environment"_s, u"tags"_s, u"platformOptions"_s,
            u"state"_s, u"message"_s, u"messageKey"_s, u"messageArguments"_s, u"createdTime"_s, u"startTime"_s,
            u"endTime"_s, u"counts"_s, u"best"_s, u"version"_s}));
    QCOMPARE(json.at("counts").at("FAILED").get<int>(), 13);
    QCOMPARE(json.at("state").get<std::string>(), "PAUSED");
    QCOMPARE(json.at("codeMode").get<std::string>(), "inPlace");
    QCOMPARE(dumpJson(json.at("objective")), R"({"metric":"loss","direction":"minimize"})");
    QCOMPARE(dumpJson(json.at("tuner")), R"({"name":"Random","classArgs":{"seed":7}})");
    QCOMPARE(dumpJson(json.at("best")), R"({"trialId":"t9","value":0.125})");
    // The order of a search space is the person's.
    QCOMPARE(keysOf(json.at("searchSpace")), QStringList({u"lr"_s, u"batch"_s}));
    QVERIFY(toJson(Experiment{}).at("best").is_null());
    QVERIFY(toJson(Experiment{}).at("tuner").is_null());
    QVERIFY(toJson(Experiment{}).at("searchSpace").is_null());
}

void TestRecordJson::platformRoundTrip()
{
    const Platform platform = samples::fullPlatform();
    const auto back = platformFromJson(*parseJson(dumpJson(toJson(platform))));
    QVERIFY(back);
    QVERIFY(*back == platform);
    QCOMPARE(dumpJson(toJson(platform).at("capabilities")),
        R"({"logs":true,"parameters":true,"machines":true,"placement":true,"files":true,"requeue":true})");
}

void TestRecordJson::machineRoundTrip()
{
    const Machine machine = samples::fullMachine();
    const auto back = machineFromJson(*parseJson(dumpJson(toJson(machine))));
    QVERIFY(back);
    QCOMPARE(printed(*back), printed(machine));
    QVERIFY(*back == machine);
    const Json json = toJson(machine);
    QCOMPARE(dumpJson(json.at("cpu")), R"({"count":32,"percent":12.5,"loadAverage":3.25})");
    QCOMPARE(dumpJson(json.at("gpus").at(0).at("reservations").at(1)),
        R"({"holder":"person","trialId":null,"since":1750000000001,"note":"until Monday"})");
    const auto empty = machineFromJson(toJson(Machine{}));
    QVERIFY(empty && *empty == Machine{});
}

void TestRecordJson::promptAndRequestRoundTrip()
{
    const auto prompt = promptFromJson(*parseJson(dumpJson(toJson(samples::fullPrompt()))));
    QVERIFY(prompt && *prompt == samples::fullPrompt());
    const auto request = operationFromJson(*parseJson(dumpJson(toJson(samples::fullOperation()))));
    QVERIFY(request && *request == samples::fullOperation());
}

void TestRecordJson::eventShape()
{
    const TrialEvent event{3, 1'750'000'000'000, TrialEventKind::placed, u"Placed on \"gpu-box-1\"."_s};
    QCOMPARE(dumpJson(toJson(event)),
        R"({"sequence":3,"time":1750000000000,"kind":"placed","text":"Placed on \"gpu-box-1\"."})");
}

void TestRecordJson::lenientReading()
{
    // What a newer service may add, and words that this one does not know.
    const auto trial = trialFromJson(*parseJson(
        R"({"id":"t1","status":"HIBERNATING","sequenceId":"seven","novelty":{"a":[1]},"tags":["x",3],"attempt":2.0,"exitCode":1e300})"));
    QVERIFY(trial);
    QCOMPARE(trial->id.value, u"t1"_s);
    QVERIFY(trial->status == TrialStatus::unknown);
    QCOMPARE(trial->sequenceId, 0);
    QCOMPARE(trial->tags, QStringList({u"x"_s}));
    QCOMPARE(trial->attempt, 2);
    const auto machine = machineFromJson(*parseJson(R"({"id":"m","state":"MELTED","cpu":7,"gpus":{}})"));
    QVERIFY(machine);
    QVERIFY(machine->state == MachineState::connecting);
    QVERIFY(machine->gpus.isEmpty());
}

/// A word of a newer service that this version does not know is kept as it came.
void TestRecordJson::unknownWordsAreKept()
{
    Trial trial;
    trial.failureClass = OpenWord<FailureClass>::fromWord(u"cosmicRay");
    const auto trialBack = trialFromJson(toJson(trial));
    QVERIFY(trialBack && trialBack->failureClass == trial.failureClass);
    QCOMPARE(trialBack->failureClass.word(), u"cosmicRay"_s);

    const auto request = operationFromJson(*parseJson(
        R"({"id":"r1","state":"postponed","steps":[{"id":"a","title":"A","state":"doubtful","detail":"","remedy":""}]})"));
    QVERIFY(request && request->state == OperationState::other && request->steps.size() == 1);
    QCOMPARE(toJson(*request).at("state").get<QString>(), u"postponed"_s);
    QCOMPARE(toJson(*request).at("steps").at(0).at("state").get<QString>(), u"doubtful"_s);

    const auto machine = machineFromJson(*parseJson(R"({"id":"m","gpus":[{"reservations":[{"holder":"robot"}]}]})"));
    QVERIFY(machine && machine->gpus.size() == 1);
    QCOMPARE(toJson(*machine).at("gpus").at(0).at("reservations").at(0).at("holder").get<QString>(), u"robot"_s);
}

void TestRecordJson::wrongReplyIsRefused()
{
    const auto trial = trialFromJson(Json::array());
    QVERIFY(!trial);
    QVERIFY(trial.error().kind == Kind::invalid);
    QVERIFY(trial.error().message.contains(u"trial"));
    QVERIFY(!experimentFromJson(nullptr));
    QVERIFY(!platformFromJson("x"));
    QVERIFY(!machineFromJson(1));
    QVERIFY(!promptFromJson(true));
    QVERIFY(!operationFromJson(Json::array({1})));
    QVERIFY(!metricFromJson(nullptr));
}

void TestRecordJson::printing()
{
    QVERIFY(printed(samples::publicTrial()).contains(u"\"status\": \"FAILED\""));
    QVERIFY(printed(samples::fullTrial()).contains(u"\"id\": \"t1h2j3k4m5n6p7q\"")); // invalid bytes do not stop it
}

QTEST_GUILESS_MAIN(TestRecordJson)
#include "tst_record_json.moc"
