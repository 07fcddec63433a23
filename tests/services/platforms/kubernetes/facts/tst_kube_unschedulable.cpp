// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/facts/unschedulable.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestKubeUnschedulable : public QObject
{
    Q_OBJECT
private slots:
    void sentences_data();
    void sentences();
    void withoutRequests();
};

void TestKubeUnschedulable::sentences_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<bool>("needsAPerson");
    const auto row = [](const char* name, const char* message, const char* sentence, bool needsAPerson = false) {
        QTest::newRow(name) << QString::fromUtf8(message) << QString::fromUtf8(sentence) << needsAPerson;
    };
    row("GPUs and a taint",
        "0/5 nodes are available: 2 Insufficient nvidia.com/gpu, 3 node(s) had untolerated taint "
        "{node-role.kubernetes.io/control-plane: }. preemption: 0/5 nodes are available: 2 No preemption victims found "
        "for "
        "incoming pod, 3 Preemption is not helpful for scheduling.",
        "None of the 5 nodes can take it: less than 2 nvidia.com/gpu free on 2 of them, a taint that it does not "
        "tolerate "
        "(node-role.kubernetes.io/control-plane) on 3 of them. It starts when enough becomes free; if no node is so "
        "large, ask "
        "for less.");
    row("an older taint",
        "0/3 nodes are available: 1 node(s) had taint {team: blue}, that the pod didn't tolerate, 2 Insufficient cpu.",
        "None of the 3 nodes can take it: a taint that it does not tolerate (team) on 1 of them, less than 1.5 CPUs "
        "free on 2 of them. "
        "It starts "
        "when enough becomes free; if no node is so large, ask for less.");
    row("one node", "0/1 nodes are available: 1 Insufficient memory.",
        "The only node cannot take it: less than 8 GiB of memory free. It starts when enough becomes free; if no node "
        "is so "
        "large, ask for less.");
    row("no claims",
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are "
        "available.",
        "The only node cannot take it: less than 1.5 CPUs free. It starts when enough becomes free; if no node is so "
        "large, ask "
        "for less.");
    row("selector",
        "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are "
        "available: 2 "
        "Preemption is not helpful for scheduling.",
        "None of the 2 nodes can take it: another label than its node selector or affinity asks for on 2 of them. It "
        "does not "
        "start "
        "before its settings or the nodes change.",
        true);
    row("unready", "0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
        "None of the 2 nodes can take it: not ready on 2 of them. It starts when such a node is well again.");
    row("pressure",
        "0/2 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }, 1 node(s) were "
        "unschedulable.",
        "None of the 2 nodes can take it: short of disk space on 1 of them, closed by an administrator (cordoned) on 1 "
        "of them. It "
        "starts when "
        "such a node is well again.");
    row("anti-affinity", "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.",
        "None of the 2 nodes can take it: other pods there that it must not stand beside (pod anti-affinity) on 2 of "
        "them. It "
        "starts when "
        "enough becomes free; if no node is so large, ask for less.");
    row("affinity", "0/2 nodes are available: 2 node(s) didn't match pod affinity rules.",
        "None of the 2 nodes can take it: no pod there that it must stand beside (pod affinity) on 2 of them. It does "
        "not "
        "start before "
        "its settings or the nodes change.",
        true);
    row("spread", "0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints.",
        "None of the 2 nodes can take it: its topology spread constraints on 2 of them. It starts when enough becomes "
        "free; if "
        "no node "
        "is so large, ask for less.");
    row("volume elsewhere", "0/2 nodes are available: 2 node(s) had volume node affinity conflict.",
        "None of the 2 nodes can take it: its volume is in another place on 2 of them. It does not start before its "
        "settings "
        "or the "
        "nodes change.",
        true);
    row("unbound", "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
        "None of the 2 nodes can take it: its PersistentVolumeClaim has no volume. It does not start before its "
        "settings or the "
        "nodes change.",
        true);
    row("no volume", "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
        "None of the 2 nodes can take it: no volume for its PersistentVolumeClaim on 2 of them. It does not start "
        "before its "
        "settings or "
        "the nodes change.",
        true);
    row("no claim", "0/2 nodes are available: persistentvolumeclaim \"data\" not found.",
        "The namespace has no PersistentVolumeClaim data. Create it, or correct the volume in the settings.", true);
    row("pods and ports",
        "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't have free ports for the requested pod ports.",
        "None of the 2 nodes can take it: as many pods as it may have on 1 of them, its port in use on 1 of them. It "
        "starts when "
        "enough becomes "
        "free; if no node is so large, ask for less.");
    row("unknown words", "0/2 nodes are available: 2 node(s) are haunted.",
        "None of the 2 nodes can take it: \"are haunted\" on 2 of them. It starts when such a node is well again.");
    row("no node", "0/0 nodes are available.", "The cluster has no node that could take it.");
    row("no node, older", "no nodes available to schedule pods", "The cluster has no node that could take it.");
    row("other", "running PreBind plugin \"x\": timed out.",
        "The scheduler has no node for it: running PreBind plugin \"x\": timed out.");
    row("silence", "", "The scheduler has found no node for it yet.");
}

void TestKubeUnschedulable::sentences()
{
    QFETCH(QString, message);
    QFETCH(QString, sentence);
    QFETCH(bool, needsAPerson);
    const WaitingReason reason = unschedulableReason(
        message, {{u"cpu"_s, 1'500}, {u"memory"_s, 8ll * 1024 * 1024 * 1024}, {u"nvidia.com/gpu"_s, 2}});
    QCOMPARE(reason.message.text(), sentence);
    QCOMPARE(reason.needsAPerson, needsAPerson);
}

void TestKubeUnschedulable::withoutRequests()
{
    const QString said =
        unschedulableReason(u"0/2 nodes are available: 2 Insufficient ephemeral-storage."_s, {}).message.text();
    QVERIFY2(said.contains("too little ephemeral-storage free on 2 of them"_L1), qPrintable(said));
}

QTEST_APPLESS_MAIN(TestKubeUnschedulable)
#include "tst_kube_unschedulable.moc"
