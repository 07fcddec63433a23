// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include "services/platforms/kubernetes/facts/node_facts.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

namespace {

const PlatformId lab(u"lab"_s);

NodeView nodeView(const char* patch = "{}")
{
    Json node = json(R"({"metadata": {"name": "n1", "labels": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB",
        "nvidia.com/gpu.memory": "81920", "nvidia.com/gpu.count": "4"}},
        "spec": {"taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
            {"key": "soft", "effect": "PreferNoSchedule"}]},
        "status": {"allocatable": {"cpu": "31500m", "memory": "128Gi", "nvidia.com/gpu": "4", "pods": "110"},
            "capacity": {"cpu": "32", "nvidia.com/gpu": "4"},
            "conditions": [{"type": "MemoryPressure", "status": "False"}, {"type": "Ready", "status": "True", "reason": "KubeletReady",
                "message": "kubelet is posting ready status", "lastHeartbeatTime": "2026-05-01T12:00:00Z"}]}})");
    node.merge_patch(json(patch));
    return readNode(node).value_or(NodeView());
}

PodView onNode(const QString& name, const QString& phase, qint64 gpus, const QString& node = u"n1"_s)
{
    PodView pod;
    pod.namespaceName = u"ml"_s;
    pod.name = name;
    pod.phase = phase;
    pod.node = node;
    pod.requests = {{u"cpu"_s, 7'875}, {u"memory"_s, 32ll * 1024 * 1024 * 1024}, {u"nvidia.com/gpu"_s, gpus}};
    return pod;
}

QStringList usersOf(const Machine& machine)
{
    QStringList out;
    for (const Gpu& gpu : machine.gpus)
        out.append(gpu.processes.isEmpty() ? QString() : gpu.processes.first().name);
    return out;
}

} // namespace

class TestKubeNodeFacts : public QObject
{
    Q_OBJECT
private slots:
    void aNode();
    void aMachine();
    void gpusInUse();
    void states_data();
    void states();
    void oddNodes();
    void quotas();
    void quotasThatAreUsedUp();
    void oddQuotas();
};

void TestKubeNodeFacts::aNode()
{
    const NodeView node = nodeView();
    QCOMPARE(node.name, u"n1"_s);
    QVERIFY(node.ready == NodeView::Ready::yes);
    QVERIFY(node.isSchedulable);
    QCOMPARE(node.taints, QStringList{u"nvidia.com/gpu=present:NoSchedule"_s});
    QCOMPARE(node.allocatable.value(u"cpu"_s), 31'500);
    QCOMPARE(node.gpuProduct, u"NVIDIA-A100-SXM4-80GB"_s);
    QCOMPARE(node.gpuMemory, 81'920ll * 1024 * 1024);
    QCOMPARE(node.lastHeartbeat, noon);
    QVERIFY(node.reason.isEmpty());
}

void TestKubeNodeFacts::aMachine()
{
    const Machine machine =
        machineOf(nodeView(), {onNode(u"a"_s, u"Running"_s, 0)}, u"nvidia.com/gpu"_s, lab, noon + 5'000);
    QCOMPARE(machine.id, MachineId(u"lab.n1"_s));
    QCOMPARE(machine.platformId, lab);
    QCOMPARE(machine.address, u"n1"_s);
    QVERIFY(machine.state == MachineState::ready);
    QCOMPARE(
        machine.message.text(), u"Only what tolerates its taints starts on it: nvidia.com/gpu=present:NoSchedule."_s);
    QCOMPARE(machine.lastContact, noon + 5'000);
    QCOMPARE(machine.cpuCount, 31);
    QCOMPARE(machine.cpuPercent, 25.0);
    QCOMPARE(machine.memoryTotal, 128ll * 1024 * 1024 * 1024);
    QCOMPARE(machine.memoryUsed, 32ll * 1024 * 1024 * 1024);
    QCOMPARE(machine.gpus.size(), 4);
    QCOMPARE(machine.gpus[3].index, 3);
    QCOMPARE(machine.gpus[0].model, u"NVIDIA-A100-SXM4-80GB"_s);
    QCOMPARE(machine.gpus[0].memoryTotal, 81'920ll * 1024 * 1024);
}

void TestKubeNodeFacts::gpusInUse()
{
    const auto users = [](const QList<PodView>& pods) {
        return usersOf(machineOf(nodeView(), pods, u"nvidia.com/gpu"_s, lab, noon));
    };
    QCOMPARE(users({onNode(u"b"_s, u"Running"_s, 1), onNode(u"a"_s, u"Pending"_s, 2)}),
        (QStringList{u"ml/a"_s, u"ml/a"_s, u"ml/b"_s, u""_s}));
    QCOMPARE(users({onNode(u"a"_s, u"Succeeded"_s, 2), onNode(u"b"_s, u"Failed"_s, 2),
                 onNode(u"c"_s, u"Running"_s, 2, u"n2"_s)}),
        (QStringList{u""_s, u""_s, u""_s, u""_s}));
    QCOMPARE(users({onNode(u"a"_s, u"Running"_s, 100)}), (QStringList{u"ml/a"_s, u"ml/a"_s, u"ml/a"_s, u"ml/a"_s}));
    const Machine amd = machineOf(nodeView(), {}, u"amd.com/gpu"_s, lab, noon);
    QVERIFY(amd.gpus.isEmpty());
    QCOMPARE(amd.gpuMessage.text(), u"The node has no amd.com/gpu."_s);
}

void TestKubeNodeFacts::states_data()
{
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* patch, const char* state, const char* message) {
        QTest::newRow(name) << QByteArray(patch) << QString::fromLatin1(state) << QString::fromUtf8(message);
    };
    row("well", R"({"spec": {"taints": null}})", "READY", "");
    row("cordoned",
        R"({"spec": {"unschedulable": true, "taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]}})",
        "FAILED", "An administrator has closed the node (cordoned): nothing new starts on it.");
    row("not ready", R"({"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "KubeletNotReady",
        "message": "container runtime network not ready"}]}})",
        "FAILED", "The node is not ready: container runtime network not ready.");
    row("not ready, a word",
        R"({"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "KubeletNotReady"}]}})", "FAILED",
        "The node is not ready: KubeletNotReady.");
    row("silent", R"({"status": {"conditions": [{"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown",
        "lastHeartbeatTime": "2026-05-01T12:00:00Z"}]}})",
        "SILENT", "The node has been silent for 2 min.");
    row("never heard of", R"({"status": {"conditions": null}})", "SILENT", "The node is silent.");
    row("well, its taint says no more",
        R"({"spec": {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]}})", "READY", "");
}

void TestKubeNodeFacts::states()
{
    QFETCH(QByteArray, patch);
    QFETCH(QString, state);
    QFETCH(QString, message);
    const Machine machine = machineOf(nodeView(patch.constData()), {}, u"nvidia.com/gpu"_s, lab, noon + 120'000);
    QCOMPARE(machineStateName(machine.state), state);
    QCOMPARE(machine.message.text(), message);
}

void TestKubeNodeFacts::oddNodes()
{
    for (const char* text : {"null", "[]", "{}", R"({"metadata": {"name": 1}})"})
        QVERIFY2(!readNode(json(text)), text);
    const auto node = readNode(json(R"({"metadata": {"name": "n", "labels": {"nvidia.com/gpu.memory": "much"}},
        "spec": {"taints": [1, {"effect": "NoSchedule"}], "unschedulable": "yes"},
        "status": {"allocatable": {"cpu": "2e15", "memory": "lots", "nvidia.com/gpu": "1000000"}, "conditions": "Ready"}})"));
    QVERIFY(node && node->isSchedulable && !node->gpuMemory);
    const Machine machine = machineOf(*node, {}, u"nvidia.com/gpu"_s, lab, noon);
    QCOMPARE(machine.cpuCount, 1'000'000);
    QCOMPARE(machine.gpus.size(), 64);
    QCOMPARE(machine.memoryTotal, 0);
}

void TestKubeNodeFacts::quotas()
{
    const auto team = readQuota(json(R"({"metadata": {"name": "team"}, "spec": {"hard": {"requests.cpu": "1"}},
        "status": {"hard": {"requests.nvidia.com/gpu": "8", "requests.cpu": "64", "pods": "20"},
            "used": {"requests.nvidia.com/gpu": "5", "requests.cpu": "12500m", "pods": "3"}}})"));
    const auto cpus = readQuota(json(R"({"metadata": {"name": "cpus"}, "spec": {"hard": {"cpu": "10"}}})"));
    const auto services =
        readQuota(json(R"({"metadata": {"name": "services"}, "status": {"hard": {"services": "5"}}})"));
    QVERIFY(team && cpus && services);
    const QList<PlatformQueue> queues = queuesOf({*team, *services, *cpus});
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues[0], (PlatformQueue{.name = u"cpus"_s, .cpus = {10, 10}}));
    QCOMPARE(queues[1], (PlatformQueue{.name = u"team"_s, .cpus = {64, 51}, .gpus = {8, 3}}));
}

void TestKubeNodeFacts::quotasThatAreUsedUp()
{
    QuotaView quota;
    quota.name = u"team"_s;
    quota.hard = {{u"requests.nvidia.com/gpu"_s, 8}, {u"requests.cpu"_s, 64'000}, {u"requests.memory"_s, 1ll << 40},
        {u"pods"_s, 5}};
    quota.used = {{u"requests.nvidia.com/gpu"_s, 9}, {u"requests.memory"_s, 1ll << 40}};
    const PlatformQueue gpus = queuesOf({quota}).value(0);
    QCOMPARE(gpus.gpus, (QueueShare{8, 0}));
    QVERIFY(gpus.isOpen); // for what needs no GPU
    QCOMPARE(gpus.message.text(), u"Used up: requests.memory (1 TiB of 1 TiB), requests.nvidia.com/gpu (9 of 8)."_s);
    quota.used = {{u"pods"_s, 5}};
    const PlatformQueue pods = queuesOf({quota}).value(0);
    QVERIFY(!pods.isOpen);
    QCOMPARE(pods.message.text(), u"Used up: pods (5 of 5)."_s);
}

void TestKubeNodeFacts::oddQuotas()
{
    for (const char* text : {"null", "[]", "{}", "3"})
        QVERIFY2(!readQuota(json(text)), text);
    const auto odd =
        readQuota(json(R"({"metadata": {"name": "q"}, "spec": 5, "status": {"hard": [], "used": {"pods": {}}}})"));
    QVERIFY(odd && odd->hard.isEmpty() && odd->used.isEmpty());
    QVERIFY(queuesOf({*odd}).isEmpty());
}

QTEST_APPLESS_MAIN(TestKubeNodeFacts)
#include "tst_kube_node_facts.moc"
