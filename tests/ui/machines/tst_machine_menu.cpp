// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/machines/gpu_cells_delegate.h"
#include "ui/machines/machine_menu.h"

#include <QClipboard>
#include <QMenu>
#include <QSysInfo>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

class TestMachineMenu : public QObject
{
    Q_OBJECT
private slots:
    void thisComputerHasNoRemoval();
    void aRemoteMachineHasAll();
    void aClusterPlacesItself();
    void noTerminalSaysWhy();
    void cellsStayInTheirColumn();

private:
    struct Bench : fakes::PageBench
    {
        Bench()
        {
            client.start();
            (void)QTest::qWaitFor([this] { return mirror.state().isReady(); });
            Platform lab{PlatformId(u"lab"_s), u"remote"_s};
            lab.capabilities.placement = true;
            lab.settings = Json{{"machineList", Json::array({{{"host", "lab1"}, {"port", 2222}}})}};
            Machine machine{MachineId(u"lab.lab1"_s), lab.id, u"lab1:2222"_s};
            machine.state = MachineState::drained;
            machine.gpus = {Gpu{0, u"a"_s, u"A100"_s, 100, 1}, Gpu{1, u"b"_s, u"A100"_s, 100, 1}};
            machine.gpus[1].reservations = {{GpuHolder::person, {}, 1, {}}};
            port.publish({.platforms = {fakes::shared(lab)}, .machines = {fakes::shared(machine)}});
            (void)QTest::qWaitFor([&] { return mirror.state().machines().find(machine.id) != nullptr; });
            menu.setPrograms(
                [this](const QString& name) { return programs.contains(name) ? u"/bin/"_s + name : QString(); },
                [this](const models::ProgramStart& start) {
                    started.append(start);
                    return true;
                });
        }
        [[nodiscard]] const Machine& machine(const QString& id) const
        {
            return *mirror.state().machines().find(MachineId(id));
        }

        QStringList programs{u"xterm"_s, u"ssh"_s};
        QList<models::ProgramStart> started;
        QWidget page;
        ui::MachineMenu menu{context, &page};
    };
    static QAction* action(const QMenu& menu, const QString& text)
    {
        for (QAction* one : menu.actions())
            if (one->text().startsWith(text))
                return one;
        return nullptr;
    }
};

void TestMachineMenu::thisComputerHasNoRemoval()
{
    Bench bench;
    const auto menu = bench.menu.make(bench.machine(u"gpu-box-1"_s), {});
    QVERIFY(action(*menu, u"Check again"_s) && action(*menu, u"Drain"_s) && action(*menu, u"Reserve GPUs"_s));
    QVERIFY(!action(*menu, u"Remove"_s));
    // Its service is asked about by the name of its host, which is not this one's.
    QVERIFY(!action(*menu, u"Open a terminal"_s)->isEnabled());
    Machine here = bench.machine(u"gpu-box-1"_s);
    here.address = QSysInfo::machineHostName();
    action(*bench.menu.make(here, {}), u"Open a terminal"_s)->trigger();
    QCOMPARE(bench.started.size(), 1);
    QVERIFY((bench.started[0] == models::ProgramStart{u"/bin/xterm"_s, {}}));
}

void TestMachineMenu::aRemoteMachineHasAll()
{
    Bench bench;
    const Machine& machine = bench.machine(u"lab.lab1"_s);
    const auto menu = bench.menu.make(machine, 1);
    QVERIFY(action(*menu, u"Remove"_s));
    action(*menu, u"Check again"_s)->trigger();
    action(*menu, u"Accept trials again"_s)->trigger();
    const QList<api::ActOnMachine> acted = bench.asked<api::ActOnMachine>();
    QCOMPARE(acted.size(), 2);
    QVERIFY(acted[0].action == api::MachineAction::check && acted[1].action == api::MachineAction::undrain);
    QCOMPARE(acted[1].machine, machine.id);
    action(*menu, u"Give back GPU 1"_s)->trigger();
    QMenu* gpus = action(*menu, u"Reserve GPUs"_s)->menu();
    QCOMPARE(gpus->actions().size(), 2);
    QVERIFY(!gpus->actions()[0]->isChecked() && gpus->actions()[1]->isChecked());
    gpus->actions()[0]->trigger();
    const QList<api::ReserveGpu> reserved = bench.asked<api::ReserveGpu>();
    QCOMPARE(reserved.size(), 2);
    QVERIFY(reserved[0].release && reserved[0].index == 1);
    QVERIFY(!reserved[1].release && reserved[1].index == 0);
    action(*menu, u"Copy address"_s)->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"lab1:2222"_s);
    action(*menu, u"Open a terminal"_s)->trigger();
    QCOMPARE(bench.started.size(), 1);
    QCOMPARE(bench.started[0].arguments, (QStringList{u"-e"_s, u"/bin/ssh"_s, u"-p"_s, u"2222"_s, u"--"_s, u"lab1"_s}));
}

void TestMachineMenu::aClusterPlacesItself()
{
    Bench bench;
    const Platform cluster{PlatformId(u"lab"_s), u"slurm"_s};
    bench.port.publish({.platforms = {fakes::shared(cluster)}});
    QTRY_COMPARE(bench.mirror.state().platforms().find(cluster.id)->kind, u"slurm"_s);
    const auto menu = bench.menu.make(bench.machine(u"lab.lab1"_s), 1);
    QVERIFY(action(*menu, u"Check again"_s));
    for (const QString& text : {u"Drain"_s, u"Accept"_s, u"Give back"_s, u"Reserve"_s, u"Remove"_s})
        QVERIFY2(!action(*menu, text), qPrintable(text));
}

void TestMachineMenu::noTerminalSaysWhy()
{
    Bench bench;
    bench.programs = {u"ssh"_s};
    const auto menu = bench.menu.make(bench.machine(u"lab.lab1"_s), {});
    const QAction* open = action(*menu, u"Open a terminal"_s);
    QVERIFY(!open->isEnabled());
    QVERIFY2(open->text().contains(u"No terminal program was found"_s), qPrintable(open->text()));
}

void TestMachineMenu::cellsStayInTheirColumn()
{
    const QRect cell(100, 28, 240, 28);
    QCOMPARE(ui::GpuCellsDelegate::cellRects(cell, 8).size(), 8);
    const QList<QRect> many = ui::GpuCellsDelegate::cellRects(cell, 16);
    QCOMPARE(many.size(), 8);
    for (const QRect& one : many)
        QVERIFY(cell.contains(one));
    QCOMPARE(ui::GpuCellsDelegate::cellRects(cell, 0).size(), 0);
}

QTEST_MAIN(TestMachineMenu)
#include "tst_machine_menu.moc"
