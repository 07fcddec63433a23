// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/gpu/gpu_usage_json.h"
#include "services/engine/machines/machine_registry.h"
#include "tests/fakes/fake_clock.h"

#include <QCoroTask>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

const PlatformId lab(u"lab"_s);

Machine machine(int number, const QString& gpu = QString())
{
    Machine machine;
    machine.id = MachineId(u"lab."_s + QString::number(number));
    machine.platformId = lab;
    machine.state = MachineState::ready;
    machine.cpuCount = 8;
    if (!gpu.isEmpty()) {
        Gpu only;
        only.uuid = gpu;
        machine.gpus = {only};
    }
    return machine;
}

} // namespace

class TestMachineRegistry : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void loadTouchesOneMachine();
    void whatMakesRoom_data();
    void whatMakesRoom();
    void sharedGpuCountsOnce();

private:
    struct Parts
    {
        QTemporaryDir folder;
        fakes::FakeClock clock;
        engine::ChangeFeed changes{u"e"_s, [] {}, [](engine::Change&) {}};
        store::Store store{folder.path()};
        engine::EngineState state{changes, store, clock};
        engine::MachineRegistry registry{state, store};
    };
    std::unique_ptr<Parts> m;
};

void TestMachineRegistry::init()
{
    m = std::make_unique<Parts>();
    QVERIFY(QCoro::waitFor(m->store.open()).has_value());
}

void TestMachineRegistry::cleanup()
{
    QCoro::waitFor(m->store.close());
    m.reset();
}

void TestMachineRegistry::loadTouchesOneMachine()
{
    QList<Machine> machines;
    for (int i = 0; i < 200; ++i)
        machines.append(machine(i));
    m->registry.seen(lab, machines);
    const auto before = m->state.machines;
    QSignalSpy room(&m->registry, &engine::MachineRegistry::roomMade);
    machines[7].loadAverage = 3.5;
    m->registry.seen(lab, machines);
    int touched = 0;
    for (auto it = before.begin(); it != before.end(); ++it)
        touched += m->state.machines.value(it.key()) != it.value() ? 1 : 0;
    QCOMPARE(touched, 1);
    QCOMPARE(m->state.machines.value(machines[7].id)->loadAverage, 3.5);
    QCOMPARE(room.size(), 0);
}

void TestMachineRegistry::whatMakesRoom_data()
{
    QTest::addColumn<std::function<void(Machine&)>>("change");
    QTest::addColumn<bool>("room");
    const auto row = [](const char* name, bool room, std::function<void(Machine&)> change) {
        QTest::newRow(name) << change << room;
    };
    row("nothing", false, [](Machine&) {});
    row("load", false, [](Machine& it) { it.cpuPercent = 50; });
    row("contact", false, [](Machine& it) { it.lastContact = 5; });
    row("free disk", false, [](Machine& it) { it.diskFree = 5; });
    row("state", true, [](Machine& it) { it.state = MachineState::silent; });
    row("another GPU", true, [](Machine& it) { it.gpus.append(Gpu()); });
    row("trials a GPU", true, [](Machine& it) { it.maxTrialsPerGpu = 2; });
    row("cores", true, [](Machine& it) { it.cpuCount = 9; });
}

void TestMachineRegistry::whatMakesRoom()
{
    QFETCH(std::function<void(Machine&)>, change);
    QFETCH(bool, room);
    QList<Machine> machines{machine(1, u"GPU-a"_s), machine(2)};
    m->registry.seen(lab, machines);
    QSignalSpy made(&m->registry, &engine::MachineRegistry::roomMade);
    change(machines[0]);
    m->registry.seen(lab, machines);
    QCOMPARE(made.size(), room ? 1 : 0);
    QCOMPARE(*m->state.machines.value(machines[0].id), machines[0]);
}

void TestMachineRegistry::sharedGpuCountsOnce()
{
    QList<Machine> machines{machine(1, u"GPU-a"_s), machine(2, u"GPU-a"_s), machine(3, u"GPU-a"_s)};
    const auto gpus = [&] {
        m->clock.advance(60'000); // samples are a minute apart
        machines[0].cpuPercent = machines[0].cpuPercent.value_or(0) + 1;
        m->registry.seen(lab, machines);
        const QList<GpuUsageSample> samples = gpuUsageFromJson(m->registry.usage({}).document);
        return samples.isEmpty() ? -1 : samples.last().counts.gpus;
    };
    m->registry.seen(lab, machines);
    QCOMPARE(gpus(), 3);
    for (const int i : {1, 0})
        m->registry.computer(machines[i].id, u"boot"_s);
    QCOMPARE(gpus(), 2); // the third is another computer
    machines.removeFirst();
    QCOMPARE(gpus(), 2);
    machines[0].gpus.clear();
    QCOMPARE(gpus(), 1);
    m->registry.computer(machines[1].id, u"boot"_s);
    machines[0].gpus = machines[1].gpus;
    QCOMPARE(gpus(), 1);
    m->registry.computer(machines[0].id, {});
    QCOMPARE(gpus(), 2);
}

QTEST_GUILESS_MAIN(TestMachineRegistry)
#include "tst_machine_registry.moc"
