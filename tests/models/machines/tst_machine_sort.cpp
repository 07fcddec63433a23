// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/machine_sort.h"
#include "models/machines/running_trials.h"
#include "tests/fakes/fake_engine_client.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::MachineModel;

namespace {

/// `use`: percent of each of its GPUs; a negative one is another user's.
MachinePtr machine(const QString& name, MachineState state, const QList<int>& use, qint64 memoryUsed = 1)
{
    Machine one;
    one.id = MachineId(name);
    one.platformId = PlatformId(u"lab"_s);
    one.address = name;
    one.state = state;
    one.memoryTotal = 100;
    one.memoryUsed = memoryUsed;
    for (const int percent : use) {
        Gpu gpu{int(one.gpus.size()), name + QString::number(one.gpus.size()), u"A100"_s, 100, 1};
        gpu.utilization = std::abs(percent);
        if (percent < 0)
            gpu.processes = {{41, u"anna"_s, u"python"_s, 25, true, {}}};
        one.gpus.append(gpu);
    }
    return std::make_shared<const Machine>(one);
}

} // namespace

class TestMachineSort : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
        m_running = std::make_unique<models::RunningTrials>(*m_mirror);
        m_model = std::make_unique<MachineModel>(*m_mirror);
        m_model->countTrials(*m_running);
        m_sort = std::make_unique<models::MachineSort>(*m_model);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_sort.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        api::Change lab;
        lab.machines = {machine(u"lab10"_s, MachineState::ready, {5, 10}, 30),
            machine(u"lab2"_s, MachineState::silent, {}, 20),
            machine(u"lab1"_s, MachineState::ready, {90, -80, -70}, 40)};
        Trial trial;
        trial.id = TrialId(u"t1"_s);
        trial.status = TrialStatus::running;
        trial.machineId = MachineId(u"lab2"_s);
        lab.trials = {std::make_shared<const Trial>(trial)};
        m_client->begin(lab);
        QTRY_COMPARE(m_sort->rowCount(), 3);
    }
    void cleanup()
    {
        m_tester.reset();
        m_sort.reset();
        m_model.reset();
        m_running.reset();
        m_mirror.reset();
        m_client.reset();
    }

    void eachColumnSorts_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("settings") << -1 << QStringList{u"lab10"_s, u"lab2"_s, u"lab1"_s};
        QTest::newRow("name") << int(MachineModel::NameColumn) << QStringList{u"lab1"_s, u"lab2"_s, u"lab10"_s};
        QTest::newRow("state") << int(MachineModel::StateColumn) << QStringList{u"lab1"_s, u"lab10"_s, u"lab2"_s};
        QTest::newRow("GPUs") << int(MachineModel::GpusColumn) << QStringList{u"lab2"_s, u"lab10"_s, u"lab1"_s};
        QTest::newRow("free") << int(MachineModel::FreeColumn) << QStringList{u"lab2"_s, u"lab1"_s, u"lab10"_s};
        QTest::newRow("use") << int(MachineModel::UseColumn) << QStringList{u"lab2"_s, u"lab10"_s, u"lab1"_s};
        QTest::newRow("memory") << int(MachineModel::MemoryColumn) << QStringList{u"lab2"_s, u"lab10"_s, u"lab1"_s};
        QTest::newRow("trials") << int(MachineModel::TrialsColumn) << QStringList{u"lab1"_s, u"lab10"_s, u"lab2"_s};
    }
    void eachColumnSorts()
    {
        QFETCH(int, column);
        m_sort->sort(column);
        QTEST(names(), "names");
    }

    void aChangedMachineMovesAlone()
    {
        m_sort->sort(MachineModel::UseColumn, Qt::DescendingOrder);
        QCOMPARE(names(), (QStringList{u"lab1"_s, u"lab10"_s, u"lab2"_s}));
        QSignalSpy resets(m_sort.get(), &QAbstractItemModel::modelReset);
        QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
        m_client->publish({.machines = {machine(u"lab10"_s, MachineState::ready, {100, 100})}});
        QTRY_COMPARE(names(), (QStringList{u"lab10"_s, u"lab1"_s, u"lab2"_s}));
        QCOMPARE(changed.size(), 1);
        m_client->publish({.machines = {machine(u"lab3"_s, MachineState::ready, {95})}});
        QTRY_COMPARE(names(), (QStringList{u"lab10"_s, u"lab3"_s, u"lab1"_s, u"lab2"_s}));
        m_client->publish({.removed = {.machines = {MachineId(u"lab1"_s)}}});
        QTRY_COMPARE(names(), (QStringList{u"lab10"_s, u"lab3"_s, u"lab2"_s}));
        QCOMPARE(resets.size(), 0);
    }

    void cellsHaveWordsForScreenReaders()
    {
        const QModelIndex gpus = m_model->find(MachineId(u"lab1"_s)).siblingAtColumn(MachineModel::GpusColumn);
        QCOMPARE(gpus.data().toString(), QString());
        QCOMPARE(gpus.data(Qt::AccessibleTextRole).toString(), u"3 GPUs: 0 ours, 2 of others, 1 free"_s);
    }

private:
    [[nodiscard]] QStringList names() const
    {
        QStringList names;
        for (int row = 0; row < m_sort->rowCount(); ++row)
            names += m_sort->index(row, 0).data().toString();
        return names;
    }

    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<models::RunningTrials> m_running;
    std::unique_ptr<MachineModel> m_model;
    std::unique_ptr<models::MachineSort> m_sort;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_MAIN(TestMachineSort)
#include "tst_machine_sort.moc"
