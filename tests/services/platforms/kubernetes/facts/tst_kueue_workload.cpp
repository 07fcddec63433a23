// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/facts/kueue_workload.h"

#include "kube_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

std::optional<KueueWorkload> workload(const char* patch)
{
    core::Json object = kube_objects::json(R"({
        "apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",
        "metadata": {"name": "job-td-s1-t1-1a2b3", "namespace": "ml",
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "td-s1-t1", "uid": "job-1", "controller": true}]},
        "spec": {"queueName": "team"}, "status": {}})");
    object.merge_patch(kube_objects::json(patch));
    return readWorkload(object);
}

} // namespace

class TestKueueWorkload : public QObject
{
    Q_OBJECT
private slots:
    void reads();
    void notOfAJob();
    void reasons_data();
    void reasons();
};

void TestKueueWorkload::reads()
{
    const auto pending =
        workload(R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending",
        "message": "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed"}]}})");
    QVERIFY(pending);
    QCOMPARE(pending->jobUid, u"job-1"_s);
    QCOMPARE(pending->queue, u"team"_s);
    QCOMPARE(pending->pendingReason, u"Pending"_s);
    QVERIFY(!pending->isAdmitted);
    const auto admitted = workload(R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "True"},
        {"type": "Admitted", "status": "True"}, {"type": "Evicted", "status": "False", "reason": "QuotaReserved"}]}})");
    QVERIFY(admitted && admitted->isAdmitted && admitted->pendingReason.isEmpty() && admitted->evictedReason.isEmpty());
}

void TestKueueWorkload::notOfAJob()
{
    QVERIFY(!workload(R"({"metadata": {"ownerReferences": null}})"));
    QVERIFY(!workload(R"({"metadata": {"ownerReferences": [{"kind": "RayCluster", "uid": "r"}]}})"));
    QVERIFY(!readWorkload(core::Json(nullptr)));
    QVERIFY(!readWorkload(kube_objects::json("[]")));
}

void TestKueueWorkload::reasons_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QString>("said");
    QTest::addColumn<bool>("needsAPerson");
    QTest::newRow("no word yet") << "{}"_ba
                                 << u"It waits in the queue team (Kueue), which starts it when there is room."_s
                                 << false;
    QTest::newRow("quota")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending",
        "message": "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed."}]})"_ba
        << u"It waits in the queue team (Kueue): insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed."_s
        << false;
    QTest::newRow("no queue")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Inadmissible",
        "message": "LocalQueue team doesn't exist"}]})"_ba
        << u"The queue team (Kueue) does not take it: LocalQueue team doesn't exist. Choose another queue, or have it put right."_s
        << true;
    QTest::newRow("admitted") << R"({"conditions": [{"type": "QuotaReserved", "status": "True"},
        {"type": "Admitted", "status": "True"}]})"_ba
                              << u"The queue team (Kueue) has let it begin."_s << false;
    QTest::newRow("preempted")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": ""},
        {"type": "Evicted", "status": "True", "reason": "Preempted", "message": "Preempted to accommodate a workload."}]})"_ba
        << u"Kueue took its place in the queue team away (Preempted), and starts it again when there is room: Preempted to accommodate a workload."_s
        << false;
    QTest::newRow("preempted without a word")
        << R"({"conditions": [{"type": "Evicted", "status": "True", "reason": "Preempted"}]})"_ba
        << u"Kueue took its place in the queue team away (Preempted), and starts it again when there is room."_s
        << false;
    QTest::newRow("preempted, and its Job not suspended yet")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "True"}, {"type": "Admitted", "status": "True"},
        {"type": "Evicted", "status": "True", "reason": "PodsReadyTimeout", "message": "Exceeded the PodsReady timeout"}]})"_ba
        << u"Kueue took its place in the queue team away (PodsReadyTimeout), and starts it again when there is room: Exceeded the PodsReady timeout."_s
        << false;
    QTest::newRow("preempted, and no room")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending",
        "message": "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed"},
        {"type": "Evicted", "status": "True", "reason": "Preempted", "message": "Preempted to accommodate a workload"}]})"_ba
        << u"Kueue took its place in the queue team away (Preempted), and starts it again when there is room: insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed."_s
        << false;
    QTest::newRow("preempted, and the queue is gone")
        << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Inadmissible", "message": "LocalQueue team doesn't exist"},
        {"type": "Evicted", "status": "True", "reason": "Preempted", "message": "Preempted to accommodate a workload"}]})"_ba
        << u"The queue team (Kueue) does not take it: LocalQueue team doesn't exist. Choose another queue, or have it put right."_s
        << true;
    QTest::newRow("deactivated")
        << R"({"conditions": [{"type": "Evicted", "status": "True", "reason": "DeactivatedDueToRequeuingLimitExceeded",
        "message": "The workload is deactivated"}]})"_ba
        << u"Kueue has taken it out of the queue team (DeactivatedDueToRequeuingLimitExceeded). It starts when somebody activates its Workload again."_s
        << true;
    QTest::newRow("hostile") << R"({"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending",
        "message": "a\u001b[31m\nb"}]})"_ba
                             << QString() << false;
}

void TestKueueWorkload::reasons()
{
    QFETCH(QByteArray, status);
    QFETCH(QString, said);
    QFETCH(bool, needsAPerson);
    const auto read = workload(("{\"status\": " + status + '}').constData());
    QVERIFY(read);
    const WaitingReason reason = queueReason(u"team"_s, &*read);
    QCOMPARE(reason.needsAPerson, needsAPerson);
    if (said.isEmpty())
        QVERIFY(!reason.message.text().contains(u'\n') && !reason.message.text().contains(u'\x1b'));
    else
        QCOMPARE(reason.message.text(), said);
    QCOMPARE(queueReason(u"q"_s, nullptr).message.text(),
        u"It waits in the queue q (Kueue), which starts it when there is room."_s);
}

QTEST_GUILESS_MAIN(TestKueueWorkload)
#include "tst_kueue_workload.moc"
