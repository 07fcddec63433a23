// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/running_trials.h"
#include "tests/fakes/page_bench.h"
#include "ui/machines/machine_box_layout.h"
#include "ui/machines/machine_boxes.h"
#include "ui/machines/process_table.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace core;
using namespace Qt::StringLiterals;
using ui::BoxContent;
using ui::BoxLayout;

namespace {

MachinePtr cpuMachine(const QString& id)
{
    Machine machine;
    machine.id = MachineId(id);
    machine.platformId = PlatformId(u"lab"_s);
    machine.address = id;
    machine.state = MachineState::ready;
    machine.cpuCount = 8;
    machine.cpuPercent = 12;
    machine.memoryTotal = 64'000'000'000;
    machine.memoryUsed = 8'000'000'000;
    machine.lastContact = 1'750'000'000'000;
    return std::make_shared<const Machine>(machine);
}

TrialPtr running(int number, const QString& machine)
{
    Trial trial = fakes::sampleTrial(number);
    trial.status = TrialStatus::running;
    trial.machineId = MachineId(machine);
    trial.startTime = 1'750'000'000'000;
    return fakes::shared(trial);
}

} // namespace

class TestMachineBoxes : public QObject
{
    Q_OBJECT
private slots:
    void everythingIsInsideTheBox_data();
    void everythingIsInsideTheBox();
    void eightCellsAreOneRow();
    void narrowListsKeepTheNameAndTheTrial();
    void trialsOfACpuMachineAreListed();
    void theMenuIsReachedByKeys();
    void manyMachinesComeAndGo();

private:
    struct Bench : fakes::PageBench
    {
        Bench()
        {
            client.start();
            (void)QTest::qWaitFor([this] { return mirror.state().isReady(); });
            boxes.resize(900, 600);
            boxes.show();
        }
        models::MachineModel model{mirror};
        models::RunningTrials running{mirror};
        ui::MachineBoxes boxes{mirror, model, running};
    };
};

void TestMachineBoxes::everythingIsInsideTheBox_data()
{
    QTest::addColumn<int>("width");
    // A page of 1440 × 900; of 1024 × 700 with the inspector; of 1440 × 900 at a scale of 2, with the inspector; narrower still.
    for (const int width : {1200, 830, 620, 432, 360, 280, 240})
        QTest::addRow("%d", width) << width;
}

void TestMachineBoxes::everythingIsInsideTheBox()
{
    QFETCH(int, width);
    for (const BoxContent& content : QList<BoxContent>{{0, 2, 0, false}, {0, 1, 3, true}, {0, 0, 0, true},
             {1, 0, 2, true}, {4, 0, 0, true}, {8, 0, 9, true}, {16, 2, 0, false}, {4, 0, 0, false, true},
             {8, 0, 0, true, true}, {0, 0, 0, false, true}}) {
        const BoxLayout at = ui::layOutBox({16, 100}, width, content);
        QCOMPARE(at.box.topLeft(), QPoint(16, 100));
        QCOMPARE(at.box.width(), width);
        QCOMPARE(at.cells.size(), content.cells);
        QCOMPARE(at.meters.size(), content.cells > 0 ? 0 : content.meters);
        QList<QRect> inHead = at.cells + at.meters + QList<QRect>{at.name, at.menu};
        for (const QRect& optional : {at.load, at.message})
            if (!optional.isNull())
                inHead.append(optional);
        for (const QRect& one : std::as_const(inHead)) {
            QVERIFY2(at.head.contains(one),
                qPrintable(u"%1 %2: %3 %4 %5 %6"_s.arg(width)
                               .arg(content.cells)
                               .arg(one.x())
                               .arg(one.y())
                               .arg(one.width())
                               .arg(one.height())));
            for (const QRect& other : std::as_const(inHead))
                QVERIFY(one == other || !one.intersects(other));
        }
        for (const QRect& row : at.processes + QList<QRect>{at.processHead, at.noProcess})
            QVERIFY(row.isNull() || (at.box.contains(row) && row.top() > at.head.bottom()));
        for (const QRect& meter : at.meters)
            QVERIFY(meter.width() >= 100);
    }
}

void TestMachineBoxes::eightCellsAreOneRow()
{
    // A page of 1440 pixels with the inspector.
    const BoxLayout at = ui::layOutBox({16, 4}, 830, {8, 0, 0, false});
    for (const QRect& cell : at.cells)
        QCOMPARE(cell.top(), at.cells.first().top());
    QVERIFY(at.load.isNull());
    QVERIFY(!ui::layOutBox({16, 4}, 830, {4, 0, 0, false, true}).load.isNull());
}

void TestMachineBoxes::narrowListsKeepTheNameAndTheTrial()
{
    using Kind = ui::ProcessColumn::Kind;
    const auto kinds = [](int width, bool hasGpus) {
        QList<Kind> out;
        int before = 0;
        for (const ui::ProcessColumn& column : ui::processColumns(width, hasGpus)) {
            [&] { QVERIFY(column.x >= before && column.width > 0 && column.x + column.width <= width); }();
            before = column.x + column.width;
            out.append(column.kind);
        }
        return out;
    };
    QCOMPARE(kinds(900, true),
        (QList<Kind>{Kind::gpu, Kind::name, Kind::user, Kind::trial, Kind::pid, Kind::memory, Kind::time}));
    QCOMPARE(kinds(430, true), (QList<Kind>{Kind::gpu, Kind::name, Kind::user, Kind::trial, Kind::time}));
    QCOMPARE(kinds(280, true), (QList<Kind>{Kind::gpu, Kind::name, Kind::trial}));
    QCOMPARE(kinds(900, false), (QList<Kind>{Kind::trial, Kind::name, Kind::pid, Kind::time}));
    QCOMPARE(kinds(240, false), (QList<Kind>{Kind::trial, Kind::name}));
}

void TestMachineBoxes::trialsOfACpuMachineAreListed()
{
    Bench bench;
    const MachineId id(u"cpu-1"_s);
    bench.port.publish({.machines = {cpuMachine(id.value)}});
    QTRY_VERIFY(bench.mirror.state().machines().find(id));
    bench.boxes.showMachine(id, true);
    QCOMPARE(bench.boxes.processes(id).size(), 0);
    bench.port.publish({.trials = {running(7, id.value), running(8, u"elsewhere"_s)}});
    QTRY_COMPARE(bench.boxes.processes(id).size(), 1);
    QCOMPARE(bench.boxes.processes(id)[0].number, u"7"_s);
    QCOMPARE(bench.boxes.processes(id)[0].name, u"demo"_s);
    // A press on its row shows the trial.
    QSignalSpy chosen(&bench.boxes, &ui::MachineBoxes::trialChosen);
    const BoxLayout at = ui::layOutBox({16, 4}, bench.boxes.viewport()->width() - 32, {1, 0, 0, false});
    const BoxLayout below =
        ui::layOutBox({16, at.box.bottom() + 13}, bench.boxes.viewport()->width() - 32, {0, 2, 1, true});
    QTest::mouseClick(bench.boxes.viewport(), Qt::LeftButton, {}, below.processes[0].center());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<TrialId>(), fakes::sampleTrial(7).id);
    Trial ended = *running(7, id.value);
    ended.status = TrialStatus::succeeded;
    bench.port.publish({.trials = {fakes::shared(ended)}});
    QTRY_COMPARE(bench.boxes.processes(id).size(), 0);
}

void TestMachineBoxes::theMenuIsReachedByKeys()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.boxes));
    QSignalSpy wanted(&bench.boxes, &ui::MachineBoxes::menuWanted);
    QTRY_COMPARE(bench.boxes.currentMachine(), MachineId(u"gpu-box-1"_s));
    bench.boxes.setFocus();
    QTest::keyClick(&bench.boxes, Qt::Key_Tab);
    auto* button = qobject_cast<QToolButton*>(bench.boxes.focusWidget());
    QVERIFY(button && button->isVisible());
    QVERIFY(button->accessibleName().contains(u"this computer"_s));
    QVERIFY(bench.boxes.viewport()->rect().contains(button->geometry()));
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(bench.boxes.currentMachine(), MachineId(u"gpu-box-1"_s));
}

void TestMachineBoxes::manyMachinesComeAndGo()
{
    Bench bench;
    api::Change many;
    for (int i = 0; i < 100; ++i)
        many.machines.append(cpuMachine(u"cpu-%1"_s.arg(i, 3, 10, QLatin1Char('0'))));
    bench.port.publish(many);
    QTRY_COMPARE(bench.model.rowCount(), 101);
    const MachineId kept(u"cpu-050"_s);
    bench.boxes.showMachine(kept, true);
    QSignalSpy resets(&bench.model, &QAbstractItemModel::modelReset);
    api::Change gone;
    for (int i = 0; i < 50; ++i)
        gone.removed.machines.append(MachineId(u"cpu-%1"_s.arg(i, 3, 10, QLatin1Char('0'))));
    gone.trials = {running(7, kept.value)};
    bench.port.publish(gone);
    QTRY_COMPARE(bench.model.rowCount(), 51);
    QTRY_COMPARE(bench.boxes.processes(kept).size(), 1);
    QCOMPARE(bench.boxes.currentMachine(), kept); // the choice goes with the machine, not with its place
    QCOMPARE(resets.size(), 0);
}

QTEST_MAIN(TestMachineBoxes)
#include "tst_machine_boxes.moc"
