// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_nodes.h"

#include "slurm_fixtures.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

QString text(const QList<SlurmGres>& all)
{
    QStringList parts;
    for (const SlurmGres& one : all) {
        QStringList indices;
        for (const int index : one.usedIndices)
            indices.append(QString::number(index));
        parts.append(
            u"%1:%2 %3/%4 [%5]"_s.arg(one.name, one.type).arg(one.used).arg(one.total).arg(indices.join(u' ')));
    }
    return parts.join(u"; "_s);
}

SlurmNode nodeOf(const QByteArray& rest)
{
    const auto nodes = readNodes({.out = "NodeName=n1 " + rest + '\n'});
    if (!nodes || nodes->isEmpty())
        qFatal("no node");
    return nodes->first();
}

} // namespace

class TestSlurmNodes : public QObject
{
    Q_OBJECT
private slots:
    void recordedNode();
    void drained();
    void states_data();
    void states();
    void gres_data();
    void gres();
    void reasons_data();
    void reasons();
    void recordedPartitions();
    void errors();
};

void TestSlurmNodes::recordedNode()
{
    const auto nodes = readNodes({.out = slurmFixture(u"22.05/nodes.txt"_s)});
    QVERIFY(nodes);
    QCOMPARE(nodes->size(), 1);
    const SlurmNode& node = nodes->first();
    QCOMPARE(node.name, u"vm"_s);
    QCOMPARE(node.states, QStringList{u"MIXED"_s});
    QVERIFY(node.usable);
    QCOMPARE(node.cpus, 2);
    QCOMPARE(node.cpusAllocated, 1);
    QCOMPARE(node.memoryMb, 2'000);
    QCOMPARE(node.memoryAllocatedMb, 50);
    QCOMPARE(text(node.gres), u"gpu:fake 1/2 [0]"_s);
    QCOMPARE(node.partitions, (QStringList{u"debug"_s, u"long"_s, u"closed"_s}));
    QCOMPARE(node.reason, QString());
}

void TestSlurmNodes::drained()
{
    const auto draining = readNodes({.out = slurmFixture(u"22.05/nodes_draining.txt"_s)});
    QCOMPARE(draining->first().states, (QStringList{u"MIXED"_s, u"DRAIN"_s}));
    const auto nodes = readNodes({.out = slurmFixture(u"22.05/nodes_drained.txt"_s)});
    const SlurmNode& node = nodes->first();
    QCOMPARE(node.states, (QStringList{u"IDLE"_s, u"DRAIN"_s})); // not the State= of the reason
    QVERIFY(!node.usable);
    QCOMPARE(node.reason, u"bad disk: \"sda\" State=DOWN"_s);
    QCOMPARE(node.reasonBy, u"root"_s);
    QCOMPARE(node.reasonTime, 1'795'476'450'000);
    QCOMPARE(text(node.gres), u"gpu:fake 0/2 []"_s);
}

void TestSlurmNodes::states_data()
{
    QTest::addColumn<QStringList>("states");
    QTest::addColumn<bool>("usable");
    QTest::newRow("IDLE") << QStringList{u"IDLE"_s} << true;
    QTest::newRow("ALLOCATED") << QStringList{u"ALLOCATED"_s} << true;
    QTest::newRow("IDLE*") << QStringList{u"IDLE"_s, u"NOT_RESPONDING"_s} << false;
    QTest::newRow("DOWN*+DRAIN") << QStringList{u"DOWN"_s, u"NOT_RESPONDING"_s, u"DRAIN"_s} << false;
    QTest::newRow("idle+cloud+powered_down") << QStringList{u"IDLE"_s, u"CLOUD"_s, u"POWERED_DOWN"_s} << true;
    QTest::newRow("IDLE~") << QStringList{u"IDLE"_s, u"POWERED_DOWN"_s} << true;
    QTest::newRow("MIXED+PLANNED") << QStringList{u"MIXED"_s, u"PLANNED"_s} << true;
    QTest::newRow("IDLE+INVALID_REG") << QStringList{u"IDLE"_s, u"INVALID_REG"_s} << false;
    QTest::newRow("RESERVED") << QStringList{u"RESERVED"_s} << false;
    QTest::newRow("FUTURE") << QStringList{u"FUTURE"_s} << false;
    QTest::newRow("NEW_WORD") << QStringList{u"NEW_WORD"_s} << true;
    QTest::newRow("") << QStringList{} << false;
}

void TestSlurmNodes::states()
{
    QFETCH(QStringList, states);
    QFETCH(bool, usable);
    const SlurmNode node = nodeOf(QByteArray("State=") + QTest::currentDataTag() + " CPUTot=4");
    QCOMPARE(node.states, states);
    QCOMPARE(node.usable, usable);
    QCOMPARE(node.cpus, 4);
}

void TestSlurmNodes::gres_data()
{
    QTest::addColumn<QString>("gres");
    QTest::addColumn<QString>("used");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* gres, const char* used, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(gres) << QString::fromLatin1(used) << QString::fromLatin1(expected);
    };
    row("sockets and indices", "gpu:a100:4(S:0-1)", "gpu:a100:3(IDX:0-1,3)", "gpu:a100 3/4 [0 1 3]");
    row("without a type", "gpu:2", "gpu:0(IDX:N/A)", "gpu: 0/2 []");
    row("two types", "gpu:a100:2(S:0),gpu:v100:4(S:1),shard:8", "gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:3),shard:0",
        "gpu:a100 2/2 [0 1]; gpu:v100 1/4 [3]; shard: 0/8 []");
    row("a type twice", "gpu:a100:2(S:0),gpu:a100:2(S:1)", "gpu:a100:1(IDX:2)", "gpu:a100 1/4 [2]");
    row("none", "(null)", "", "");
    row("a name alone", "gpu", "gpu:1", "gpu: 1/1 []");
    row("thousands", "lustre:2K", "", "lustre: 0/2048 []");
    row("no_consume", "bandwidth:lustre:no_consume:4G", "", "bandwidth:lustre 0/4294967296 []");
    row("used, and not there", "gpu:2", "tpu:1(IDX:0)", "gpu: 0/2 []");
    row("hostile indices", "gpu:2", "gpu:2(IDX:0-99999999)", "gpu: 2/2 []");
    row("unbalanced", "gpu:2(S:0", "gpu:1(IDX:0", "gpu: 1/2 [0]");
}

void TestSlurmNodes::gres()
{
    QFETCH(QString, gres);
    QFETCH(QString, used);
    QFETCH(QString, expected);
    QCOMPARE(text(readGres(gres, used)), expected);
}

void TestSlurmNodes::reasons_data()
{
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("by");
    QTest::newRow("plain") << "disk [root@1795476450]"_ba << u"disk"_s << u"root"_s;
    QTest::newRow("a local time") << "disk [ada@2026-11-21T00:26:21]"_ba << u"disk"_s << u"ada"_s;
    QTest::newRow("keys in it") << "NodeName=x CPUTot=9 State=IDLE [slurm@1]"_ba << u"NodeName=x CPUTot=9 State=IDLE"_s
                                << u"slurm"_s;
    QTest::newRow("brackets in it") << "a [b@c] d [root@1795476450]"_ba << u"a [b@c] d"_s << u"root"_s;
    QTest::newRow("nobody") << "disk"_ba << u"disk"_s << QString();
    QTest::newRow("a bracket alone") << "disk [x"_ba << u"disk [x"_s << QString();
    QTest::newRow("keys behind") << "disk [root@1795476450] Comment=x"_ba << u"disk"_s << u"root"_s;
}

void TestSlurmNodes::reasons()
{
    QFETCH(QByteArray, reason);
    QFETCH(QString, text);
    QFETCH(QString, by);
    const SlurmNode node = nodeOf("OS=Linux 6.1 #1 SMP State=DOWN CPUTot=4 Reason=" + reason);
    QCOMPARE(node.reason, text);
    QCOMPARE(node.reasonBy, by);
    QCOMPARE(node.states, QStringList{u"DOWN"_s});
    QCOMPARE(node.cpus, 4);
}

void TestSlurmNodes::recordedPartitions()
{
    const auto partitions = readPartitions({.out = slurmFixture(u"22.05/partitions.txt"_s)});
    QVERIFY(partitions);
    QCOMPARE(partitions->size(), 3);
    const SlurmPartition debug{.name = u"debug"_s,
        .state = u"UP"_s,
        .isDefault = true,
        .maxSeconds = 3'600,
        .defaultSeconds = {},
        .nodes = u"vm"_s,
        .totalNodes = 1,
        .totalCpus = 2,
        .totalGpus = 0};
    QCOMPARE(partitions->at(0), debug);
    QCOMPARE(partitions->at(1).name, u"long"_s);
    QCOMPARE(partitions->at(1).maxSeconds, std::nullopt);
    QVERIFY(!partitions->at(1).isDefault);
    QCOMPARE(partitions->at(2).state, u"DOWN"_s);
    const auto counted = readPartitions(
        {.out = "PartitionName=g State=UP TRES=cpu=64,mem=1T,node=2,billing=64,gres/gpu=8,gres/gpu:a100=8\n"});
    QCOMPARE(counted->first().totalGpus, 8);
}

void TestSlurmNodes::errors()
{
    QCOMPARE(readNodes({.exitCode = 1,
                           .err = "slurm_load_node error: Unable to contact slurm controller (connect failure)\n"})
                 .error()
                 .kind,
        Kind::network);
    QVERIFY(!readNodes({.out = "NodeName=a State=IDLE"})); // cut
    QVERIFY(!readNodes({.out = "NodeName=a State=IDLE\n", .cut = true}));
    QVERIFY(!readPartitions({.err = "slurm_load_partitions error: x"}));
    QCOMPARE(readNodes({.out = "No nodes in the system\n"})->size(), 0);
    QCOMPARE(readNodes({.out = "NodeName=a CPUTot=1\nNodeName=a CPUTot=2\n"})->size(), 1);
}

QTEST_GUILESS_MAIN(TestSlurmNodes)
#include "tst_slurm_nodes.moc"
