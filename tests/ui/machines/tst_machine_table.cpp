// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/machine_model.h"
#include "models/machines/machine_sort.h"
#include "tests/fakes/page_bench.h"
#include "ui/machines/gpu_cells_delegate.h"
#include "ui/machines/machine_table.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

MachinePtr machineWith(const QString& id, int gpus)
{
    Machine machine;
    machine.id = MachineId(id);
    machine.platformId = PlatformId(u"lab"_s);
    machine.address = id;
    machine.state = MachineState::ready;
    machine.lastContact = 1'750'000'000'000;
    for (int index = 0; index < gpus; ++index) {
        Gpu gpu{index, u"GPU-%1"_s.arg(index), u"A100"_s, 100, 0};
        if (index == 1)
            gpu.reservations = {{GpuHolder::trial, fakes::sampleTrial(1).id, 5'000, {}}};
        machine.gpus.append(gpu);
    }
    return std::make_shared<const Machine>(machine);
}

} // namespace

/// What the mouse reaches in the table of machines, by keys.
class TestMachineTable : public QObject
{
    Q_OBJECT
private slots:
    void arrowsGoThroughTheGpus()
    {
        Bench bench;
        QSignalSpy chosen(&bench.table, &ui::MachineTable::chosen);
        QTest::keyClick(&bench.table, Qt::Key_Down);
        QCOMPARE(bench.table.machine(), MachineId(u"lab-2"_s));
        QVERIFY(!bench.table.gpu());
        for (int index = 0; index < 3; ++index) {
            QTest::keyClick(&bench.table, Qt::Key_Right);
            QCOMPARE(bench.table.gpu(), std::optional(index));
            QVERIFY2(bench.table.accessibleDescription().contains(u"GPU %1"_s.arg(index)),
                qPrintable(bench.table.accessibleDescription()));
        }
        QTest::keyClick(&bench.table, Qt::Key_Right); // there is no fourth
        QCOMPARE(bench.table.gpu(), std::optional(2));
        for (int index = 1; index >= 0; --index) {
            QTest::keyClick(&bench.table, Qt::Key_Left);
            QCOMPARE(bench.table.gpu(), std::optional(index));
        }
        QTest::keyClick(&bench.table, Qt::Key_Left);
        QVERIFY(!bench.table.gpu());
        QTest::keyClick(&bench.table, Qt::Key_Right);
        QVERIFY(bench.table.gpu());
        QTest::keyClick(&bench.table, Qt::Key_Up); // another machine has its own GPUs
        QCOMPARE(bench.table.machine(), MachineId(u"lab-1"_s));
        QVERIFY(!bench.table.gpu());
        QVERIFY(chosen.size() >= 8);
    }

    void enterShowsTheTrialOrTheMachine()
    {
        Bench bench;
        QTest::keyClick(&bench.table, Qt::Key_Down);
        QSignalSpy chosen(&bench.table, &ui::MachineTable::chosen);
        QSignalSpy trial(&bench.table, &ui::MachineTable::trialChosen);
        QTest::keyClick(&bench.table, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(&bench.table, Qt::Key_Right);
        QTest::keyClick(&bench.table, Qt::Key_Right);
        QTest::keyClick(&bench.table, Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(trial.size(), 1);
        QCOMPARE(trial[0][0].value<TrialId>(), fakes::sampleTrial(1).id);
    }

    void theMenuKeyOpensWhereTheGpuIs()
    {
        Bench bench;
        QSignalSpy wanted(&bench.table, &ui::MachineTable::menuWanted);
        QTest::keyClick(&bench.table, Qt::Key_Down);
        QTest::keyClick(&bench.table, Qt::Key_Right);
        QTest::keyClick(&bench.table, Qt::Key_Right);
        QContextMenuEvent byKey(QContextMenuEvent::Keyboard, QPoint(3, 3), QPoint(3, 3));
        QApplication::sendEvent(bench.table.viewport(), &byKey);
        QCOMPARE(wanted.size(), 1);
        const QModelIndex cell =
            bench.machines.find(MachineId(u"lab-2"_s)).siblingAtColumn(models::MachineModel::GpusColumn);
        const QRect gpu = ui::GpuCellsDelegate::cellRects(bench.table.visualRect(cell), 3)[1];
        QVERIFY(gpu.contains(bench.table.viewport()->mapFromGlobal(wanted[0][0].toPoint())));
        QCOMPARE(bench.table.gpu(), std::optional(1)); // still the chosen one
    }

    void aPressChoosesTheSame()
    {
        Bench bench;
        const QModelIndex cell =
            bench.machines.find(MachineId(u"lab-1"_s)).siblingAtColumn(models::MachineModel::GpusColumn);
        QTest::mouseClick(bench.table.viewport(), Qt::LeftButton, {},
            ui::GpuCellsDelegate::cellRects(bench.table.visualRect(cell), 2)[1].center());
        QCOMPARE(bench.table.machine(), MachineId(u"lab-1"_s));
        QCOMPARE(bench.table.gpu(), std::optional(1));
        QTest::keyClick(&bench.table, Qt::Key_Left);
        QCOMPARE(bench.table.gpu(), std::optional(0));
    }

private:
    struct Bench : fakes::PageBench
    {
        Bench()
        {
            Trial trial = fakes::sampleTrial(1);
            trial.status = TrialStatus::running;
            trial.machineId = MachineId(u"lab-2"_s);
            trial.gpuIndices = {1};
            api::Change change;
            change.trials = {fakes::shared(trial)};
            change.machines = {machineWith(u"lab-1"_s, 2), machineWith(u"lab-2"_s, 3)};
            port.publish(change);
            client.start();
            (void)QTest::qWaitFor([this] { return model.rowCount() >= 2; });
            table.resize(1000, 300);
            table.show();
            table.showMachine(MachineId(u"lab-1"_s));
        }

        models::MachineModel model{mirror};
        models::MachineSort machines{model};
        ui::MachineTable table{context, machines};
    };
};

QTEST_MAIN(TestMachineTable)
#include "tst_machine_table.moc"
