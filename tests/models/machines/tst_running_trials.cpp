// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/running_trials.h"
#include "tests/fakes/fake_engine_client.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::RunningTrials;

namespace {

TrialPtr trial(int number, TrialStatus status, const QString& machine, qint64 metrics = 0)
{
    Trial one;
    one.id = TrialId(u"t%1"_s.arg(number, 3, 10, QLatin1Char('0')));
    one.experimentId = ExperimentId(u"e1"_s);
    one.sequenceId = number;
    one.status = status;
    one.machineId = MachineId(machine);
    one.metricCount = metrics;
    return std::make_shared<const Trial>(one);
}

} // namespace

class TestRunningTrials : public QObject
{
    Q_OBJECT
private slots:
    void followsWhatRunsWhere()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        RunningTrials running(mirror);
        QSignalSpy changed(&running, &RunningTrials::changed);
        const auto on = [&running](const QString& machine) {
            QList<qint64> numbers;
            for (const TrialPtr& one : running.on(MachineId(machine)))
                numbers.append(one->sequenceId);
            return numbers;
        };
        Experiment experiment;
        experiment.id = ExperimentId(u"e1"_s);
        client.begin({.experiments = {std::make_shared<const Experiment>(experiment)},
            .trials = {trial(1, TrialStatus::running, u"a"_s), trial(2, TrialStatus::succeeded, u"a"_s),
                trial(3, TrialStatus::running, u"b"_s), trial(4, TrialStatus::waiting, {})}});
        QTRY_COMPARE(on(u"a"_s), QList<qint64>{1});
        QCOMPARE(on(u"b"_s), QList<qint64>{3});
        QCOMPARE(running.count(MachineId(u"a"_s)), 1);
        changed.clear();
        // A value changes nothing about who runs where.
        client.publish({.trials = {trial(1, TrialStatus::running, u"a"_s, 7)}});
        client.publish({.trials = {trial(4, TrialStatus::running, u"b"_s)}});
        QTRY_COMPARE(on(u"b"_s), (QList<qint64>{3, 4}));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][0].value<QSet<MachineId>>(), QSet<MachineId>{MachineId(u"b"_s)});
        QCOMPARE(running.on(MachineId(u"a"_s))[0]->metricCount, 7);
        // It goes on elsewhere, ends, or is deleted.
        client.publish({.trials = {trial(3, TrialStatus::running, u"a"_s)}});
        QTRY_COMPARE(on(u"a"_s), (QList<qint64>{1, 3}));
        client.publish({.trials = {trial(1, TrialStatus::failed, u"a"_s)}});
        QTRY_COMPARE(on(u"a"_s), QList<qint64>{3});
        client.publish({.removed = {.trials = {TrialId(u"t003"_s)}}});
        QTRY_COMPARE(running.count(MachineId(u"a"_s)), 0);
        client.publish({.removed = {.experiments = {ExperimentId(u"e1"_s)}}});
        QTRY_COMPARE(running.count(MachineId(u"b"_s)), 0);
        client.begin({.trials = {trial(9, TrialStatus::running, u"a"_s)}});
        QTRY_COMPARE(on(u"a"_s), QList<qint64>{9});
    }
};

QTEST_MAIN(TestRunningTrials)
#include "tst_running_trials.moc"
