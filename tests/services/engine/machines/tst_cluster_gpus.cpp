// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/machines/cluster_gpus.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace engine;

namespace {

Machine node(int gpus, int taken)
{
    Machine machine;
    machine.id = MachineId(u"lab.node1"_s);
    for (int i = 0; i < gpus; ++i) {
        Gpu gpu;
        gpu.index = i;
        if (i < taken)
            gpu.processes.append({.name = u"Slurm"_s});
        machine.gpus.append(gpu);
    }
    return machine;
}

/// `t1 t1 other free`.
QString holders(const Machine& machine)
{
    QStringList words;
    for (const Gpu& gpu : machine.gpus)
        words += !gpu.reservations.isEmpty() ? gpu.reservations.first().trialId.value
            : gpu.processes.isEmpty()        ? u"free"_s
                                             : u"other"_s;
    return words.join(u' ');
}

Trial trial(const QString& id, TrialStatus status, int gpus)
{
    Trial one;
    one.id = TrialId(id);
    one.status = status;
    one.machineId = MachineId(u"lab.node1"_s);
    one.gpuNumber = gpus;
    one.startTime = 7;
    return one;
}

} // namespace

class TestClusterGpus : public QObject
{
    Q_OBJECT
private slots:
    void whoHolds_data()
    {
        QTest::addColumn<int>("taken");
        QTest::addColumn<QList<int>>("trials");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nobody") << 0 << QList<int>{} << u"free free free free"_s;
        QTest::newRow("others") << 2 << QList<int>{} << u"other other free free"_s;
        QTest::newRow("ours and others") << 3 << QList<int>{2} << u"t1 t1 other free"_s;
        QTest::newRow("all ours") << 3 << QList<int>{2, 1} << u"t1 t1 t2 free"_s;
        QTest::newRow("started since") << 1 << QList<int>{1, 2} << u"t1 t2 t2 free"_s;
        QTest::newRow("more than there are") << 4 << QList<int>{3, 3} << u"t1 t1 t1 t2"_s;
    }
    void whoHolds()
    {
        QFETCH(int, taken);
        QFETCH(QList<int>, trials);
        QFETCH(QString, expected);
        Machine machine = node(4, taken);
        QMap<TrialId, ClusterShare> shares;
        for (const int gpus : trials)
            shares.insert(TrialId(u"t%1"_s.arg(shares.size() + 1)), {gpus, 0});
        holdClusterGpus(machine, shares);
        QCOMPARE(holders(machine), expected);
        for (const Gpu& gpu : machine.gpus)
            QVERIFY(gpu.reservations.isEmpty() || gpu.processes.isEmpty()); // ours is nobody else's
    }
    void namedByTheCluster()
    {
        Machine machine = node(4, 3);
        machine.gpus[1].processes.first().trialId = TrialId(u"t1"_s);
        holdClusterGpus(machine, {{TrialId(u"t1"_s), {1, 0}}});
        QCOMPARE(holders(machine), u"other t1 other free"_s);
        // One that began since has a free one, and one that ended since is not shown as somebody else's for long.
        machine = node(4, 3);
        machine.gpus[1].processes.first().trialId = TrialId(u"t1"_s);
        machine.gpus[2].processes.first().trialId = TrialId(u"t9"_s);
        holdClusterGpus(machine, {{TrialId(u"t1"_s), {1, 0}}, {TrialId(u"t2"_s), {1, 0}}});
        QCOMPARE(holders(machine), u"other t1 other t2"_s);
    }
    void whatIsHeldOtherwiseStays()
    {
        Machine machine = node(2, 0);
        machine.gpus[0].reservations.append(GpuReservation{GpuHolder::person, {}, 1, {}});
        holdClusterGpus(machine, {{TrialId(u"t1"_s), {1, 0}}});
        QVERIFY(machine.gpus[0].reservations.first().holder == GpuHolder::person);
        QCOMPARE(machine.gpus[0].reservations.size(), 1);
        QCOMPARE(machine.gpus[1].reservations.first().trialId, TrialId(u"t1"_s));
    }
    void whichTrialsHaveAShare()
    {
        QVERIFY(clusterShareOf(trial(u"t"_s, TrialStatus::running, 2)) == (ClusterShare{2, 7}));
        QVERIFY(clusterShareOf(trial(u"t"_s, TrialStatus::unknown, 2)).has_value()); // it may run on
        QVERIFY(!clusterShareOf(trial(u"t"_s, TrialStatus::waiting, 2)));
        QVERIFY(!clusterShareOf(trial(u"t"_s, TrialStatus::succeeded, 2)));
        QVERIFY(!clusterShareOf(trial(u"t"_s, TrialStatus::running, 0)));
        Trial placed = trial(u"t"_s, TrialStatus::running, 1);
        placed.gpuIndices = {0};
        QVERIFY(!clusterShareOf(placed)); // it holds what the service chose
        placed.gpuIndices.clear();
        placed.machineId = {};
        QVERIFY(!clusterShareOf(placed));
    }
};

QTEST_APPLESS_MAIN(TestClusterGpus)
#include "tst_cluster_gpus.moc"
