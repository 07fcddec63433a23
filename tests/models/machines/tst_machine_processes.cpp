// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/machine_processes.h"
#include "services/api/mirror.h"
#include "tests/fakes/fake_engine_client.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestMachineProcesses : public QObject
{
    Q_OBJECT
private slots:
    void trialsWithoutAGpuAreListed()
    {
        Experiment experiment;
        experiment.id = ExperimentId(u"e1"_s);
        experiment.spec.name = u"tiny"_s;
        Trial trial;
        trial.id = TrialId(u"t1"_s);
        trial.experimentId = experiment.id;
        trial.sequenceId = 12;
        trial.status = TrialStatus::running;
        trial.machineId = MachineId(u"cpu"_s);
        trial.startTime = 5'000;
        trial.pid = 4'711;
        api::Mirror state;
        api::Change change{.full = true};
        change.experiments = {std::make_shared<const Experiment>(experiment)};
        change.trials = {std::make_shared<const Trial>(trial)};
        state.apply(change);
        Machine machine;
        machine.id = MachineId(u"cpu"_s);
        const QList<models::MachineProcess> rows = models::processesOf(machine, {state.trial(trial.id)}, state);
        QCOMPARE(rows.size(), 1);
        QVERIFY(rows[0].isOurs);
        QCOMPARE(rows[0].trial, trial.id);
        QCOMPARE(rows[0].number, u"12"_s);
        QCOMPARE(rows[0].name, u"tiny"_s);
        QCOMPARE(rows[0].since, trial.startTime);
        QCOMPARE(rows[0].pid, 4'711);
        QVERIFY(!rows[0].isNamed); // the name is the experiment's
        QCOMPARE(rows[0].gpu, QString());
        QCOMPARE(models::processesOf(machine, {}, state).size(), 0);
    }

    void aTrialStandsOnce()
    {
        const api::Change lab = fakes::sampleLab();
        api::Mirror state;
        api::Change change = lab;
        change.full = true;
        state.apply(change);
        Trial trial = *lab.trials[0];
        trial.id = TrialId(u"t-gpu"_s);
        trial.startTime = 7'000;
        Trial other = trial;
        other.id = TrialId(u"t-cpu"_s);
        other.gpuIndices = {};
        change = {};
        change.trials = {std::make_shared<const Trial>(trial), std::make_shared<const Trial>(other)};
        state.apply(change);
        Machine machine;
        Gpu gpu{2, u"GPU-2"_s, u"A100"_s, 100, 60};
        gpu.processes = {{41, u"anna"_s, u"python"_s, 25, true, {}}, {42, u"sam"_s, u"python3"_s, 50, true, trial.id}};
        machine.gpus = {gpu};
        const QList<models::MachineProcess> rows =
            models::processesOf(machine, {state.trial(trial.id), state.trial(other.id)}, state);
        QCOMPARE(rows.size(), 3);
        QVERIFY(!rows[0].isOurs);
        QCOMPARE(rows[0].user, u"anna"_s);
        QCOMPARE(rows[0].memoryShare, 0.25);
        QVERIFY(!rows[0].since);
        QCOMPARE(rows[1].trial, trial.id);
        QCOMPARE(rows[1].pid, 42);
        QCOMPARE(rows[1].gpu, u"2"_s);
        QCOMPARE(rows[1].since, std::optional<qint64>(7'000));
        QCOMPARE(rows[2].trial, other.id);
        QCOMPARE(rows[2].gpu, QString());
    }
};

QTEST_MAIN(TestMachineProcesses)
#include "tst_machine_processes.moc"
