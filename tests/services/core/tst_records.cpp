// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/records.h"

#include <QtTest>

#include <limits>

using namespace core;
using namespace Qt::StringLiterals;

class TestRecords : public QObject
{
    Q_OBJECT
private slots:
    void statusWords_data();
    void statusWords();
    void otherWords();
    void wordsOfOpenEnums();
    void metricValuesCompareNaN();
    void jobIdIsTheCallersWhenGiven();
};

void TestRecords::statusWords_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("word");
    QTest::addColumn<bool>("final");
    const QStringList words = {u"UNKNOWN"_s, u"WAITING"_s, u"RUNNING"_s, u"SUCCEEDED"_s, u"FAILED"_s,
        u"USER_CANCELED"_s, u"SYS_CANCELED"_s, u"EARLY_STOPPED"_s};
    for (int i = 0; i < words.size(); ++i)
        QTest::addRow("%s", qPrintable(words[i])) << i << words[i] << (i >= 3);
}

void TestRecords::statusWords()
{
    QFETCH(int, status);
    QFETCH(QString, word);
    QFETCH(bool, final);
    QCOMPARE(statusName(TrialStatus(status)), word);
    QVERIFY(statusFromName(word) == TrialStatus(status));
    QCOMPARE(isFinal(TrialStatus(status)), final);
}

void TestRecords::otherWords()
{
    QVERIFY(!statusFromName(u"running"));
    QVERIFY(!statusFromName(u""));
    QCOMPARE(metricTypeName(MetricType::request_parameter), u"REQUEST_PARAMETER"_s);
    QVERIFY(metricTypeFromName(u"FINAL") == MetricType::final);
    QVERIFY(!metricTypeFromName(u"OTHER"));
    QCOMPARE(experimentStateName(ExperimentState::error), u"ERROR"_s);
    QVERIFY(experimentStateFromName(u"STOPPING") == ExperimentState::stopping);
    QCOMPARE(platformStateName(PlatformState::closed), u"CLOSED"_s);
    QVERIFY(platformStateFromName(u"SILENT") == PlatformState::silent);
    QCOMPARE(machineStateName(MachineState::drained), u"DRAINED"_s);
    QVERIFY(machineStateFromName(u"CONNECTING") == MachineState::connecting);
    QVERIFY(!machineStateFromName(u"GONE"));
}

namespace {

/// Each value to its word and back, and a word outside the table as it came.
template <typename Enum>
void openWords(const QStringList& words)
{
    for (qsizetype i = 0; i < words.size(); ++i) {
        QCOMPARE(OpenWord<Enum>(Enum(i)).word(), words[i]);
        const auto read = OpenWord<Enum>::fromWord(words[i]);
        QVERIFY(read == Enum(i) && read == OpenWord<Enum>(Enum(i)));
        QVERIFY(read.value() != Enum::other);
    }
    QCOMPARE(words.size(), qsizetype(Enum::other));
    const auto newer = OpenWord<Enum>::fromWord(u"quantumFlip");
    QVERIFY(newer == Enum::other && newer != Enum{});
    QCOMPARE(newer.word(), u"quantumFlip"_s);
    QVERIFY(newer != OpenWord<Enum>::fromWord(u"QuantumFlip"));
    QVERIFY(newer == OpenWord<Enum>::fromWord(u"quantumFlip"));
}

} // namespace

void TestRecords::wordsOfOpenEnums()
{
    openWords<FailureClass>({u""_s, u"exitCode"_s, u"signal"_s, u"outOfMemory"_s, u"commandNotFound"_s, u"keeperLost"_s,
        u"machineRestarted"_s, u"startFailed"_s, u"trialFolderLost"_s, u"neverStarted"_s, u"platform"_s});
    openWords<GpuHolder>({u""_s, u"trial"_s, u"person"_s, u"service"_s});
    openWords<CheckState>({u"running"_s, u"ok"_s, u"warn"_s, u"fail"_s, u"skipped"_s, u"waiting"_s});
    openWords<OperationState>({u"running"_s, u"succeeded"_s, u"failed"_s});
    openWords<TrialEventKind>(
        {u"accepted"_s, u"placed"_s, u"status"_s, u"cancel"_s, u"finding"_s, u"parameter"_s, u"retry"_s});
}

void TestRecords::metricValuesCompareNaN()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const MetricValue a{MetricValue::Kind::number, nan, {}};
    const MetricValue b{MetricValue::Kind::number, 0, {}};
    QVERIFY(a == a);
    QVERIFY(!(a == b));
    QVERIFY(b == (MetricValue{MetricValue::Kind::number, -0.0, {}}));
    QVERIFY(!(b == (MetricValue{MetricValue::Kind::none, 0, {}})));
    QVERIFY(
        !((MetricValue{MetricValue::Kind::object, nan, "{}"}) == (MetricValue{MetricValue::Kind::object, nan, "{ }"})));
}

void TestRecords::jobIdIsTheCallersWhenGiven()
{
    Trial trial;
    trial.id = TrialId(u"t1"_s);
    QCOMPARE(trial.jobId(), u"t1"_s);
    trial.clientId = u"GtX2a"_s;
    QCOMPARE(trial.jobId(), u"GtX2a"_s);
}

QTEST_GUILESS_MAIN(TestRecords)
#include "tst_records.moc"
