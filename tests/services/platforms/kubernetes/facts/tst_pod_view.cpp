// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

using State = ContainerView::State;
using Amounts = QMap<QString, qint64>;
Q_DECLARE_METATYPE(Amounts)

class TestPodView : public QObject
{
    Q_OBJECT
private slots:
    void aNewPod();
    void aRunningPod();
    void anEndedContainer_data();
    void anEndedContainer();
    void conditions();
    void requests_data();
    void requests();
    void whatIsNoPod_data();
    void whatIsNoPod();
};

void TestPodView::aNewPod()
{
    const PodView pod = podView();
    QCOMPARE(pod.name, u"td-s1-t1-x7k2p"_s);
    QCOMPARE(pod.namespaceName, u"ml"_s);
    QCOMPARE(pod.uid, u"pod-1"_s);
    QCOMPARE(pod.jobName, u"td-s1-t1"_s);
    QCOMPARE(pod.ownerUid, u"job-1"_s);
    QCOMPARE(pod.createdAt, noon);
    QCOMPARE(pod.labels.value(u"trial"_s), u"t1"_s);
    QCOMPARE(pod.phase, u"Pending"_s);
    QVERIFY(pod.node.isEmpty());
    QVERIFY(!pod.isDeleting);
    QVERIFY(!pod.isUnschedulable);
    QVERIFY(pod.isActive());
    QCOMPARE(pod.containers.size(), 1);
    QVERIFY(pod.containers[0].state == State::none);
    QCOMPARE(pod.containers[0].memoryLimit, 8ll * 1024 * 1024 * 1024);
    QCOMPARE(pod.containers[0].image, u"images.example/lab/train:3"_s);
    const PodView orphan = podView(R"({"metadata": {"ownerReferences": null}})");
    QCOMPARE(orphan.jobName, u"td-s1-t1"_s); // by its label
    QVERIFY(orphan.ownerUid.isEmpty());
}

void TestPodView::aRunningPod()
{
    const PodView pod = placedPod("Running", R"({"running": {"startedAt": "2026-05-01T12:00:09Z"}})", R"({
        "metadata": {"deletionTimestamp": "2026-05-01T12:00:40Z"},
        "spec": {"initContainers": [{"name": "code", "image": "alpine"}, {"name": "proxy", "image": "envoy", "restartPolicy": "Always"}]},
        "status": {"initContainerStatuses": [
            {"name": "proxy", "state": {"running": {"startedAt": "2026-05-01T12:00:08Z"}}, "restartCount": 2,
                "lastState": {"terminated": {"reason": "OOMKilled", "exitCode": 137}}},
            {"name": "code", "state": {"terminated": {"exitCode": 0, "reason": "Completed",
                "startedAt": "2026-05-01T12:00:06Z", "finishedAt": "2026-05-01T12:00:07Z"}}}]}})");
    QCOMPARE(pod.node, u"n1"_s);
    QCOMPARE(pod.startedAt, noon + 5'000);
    QVERIFY(pod.isDeleting);
    QCOMPARE(pod.deletionTime, noon + 40'000);
    QVERIFY(pod.containers[0].state == State::running);
    QCOMPARE(pod.containers[0].startedAt, noon + 9'000);
    QCOMPARE(pod.initContainers.size(), 2); // in the order of the spec
    QCOMPARE(pod.initContainers[0].name, u"code"_s);
    QCOMPARE(pod.initContainers[0].exitCode, 0);
    QCOMPARE(pod.initContainers[0].finishedAt, noon + 7'000);
    QVERIFY(!pod.initContainers[0].isSidecar);
    QVERIFY(pod.initContainers[1].isSidecar);
    QCOMPARE(pod.initContainers[1].restarts, 2);
    QVERIFY(pod.initContainers[1].wasOutOfMemory);
}

void TestPodView::anEndedContainer_data()
{
    QTest::addColumn<QByteArray>("terminated");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    const auto row = [](const char* name, const char* json, int exitCode, int signal) {
        QTest::newRow(name) << QByteArray(json) << exitCode << signal;
    };
    row("success", R"({"exitCode": 0})", 0, 0);
    row("code", R"({"exitCode": 3})", 3, 0);
    row("killed", R"({"exitCode": 137, "reason": "OOMKilled"})", 137, 9);
    row("told signal", R"({"exitCode": 0, "signal": 15})", 0, 15);
    row("no signal", R"({"exitCode": 255})", 255, 0);
    row("128", R"({"exitCode": 128})", 128, 0);
    row("too large", R"({"exitCode": 256})", -1, 0);
    row("negative", R"({"exitCode": -1})", -1, 0);
    row("a text", R"({"exitCode": "7"})", 7, 0);
    row("odd", R"({"exitCode": [], "signal": {}})", -1, 0);
    row("nothing", "{}", -1, 0);
}

void TestPodView::anEndedContainer()
{
    QFETCH(QByteArray, terminated);
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    const PodView pod = placedPod("Failed", ("{\"terminated\": " + terminated + "}").constData());
    QVERIFY(pod.containers[0].state == State::terminated);
    QCOMPARE(pod.containers[0].exitCode.value_or(-1), exitCode);
    QCOMPARE(pod.containers[0].signal.value_or(0), signal);
    QVERIFY(!pod.isActive());
}

void TestPodView::conditions()
{
    const PodView pod = podView(R"({"status": {"conditions": [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes are available"},
        {"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting"},
        {"type": "Ready", "status": "False", "lastTransitionTime": "2026-05-01T12:00:30Z"}]}})");
    QVERIFY(pod.isUnschedulable);
    QCOMPARE(pod.schedulingReason, u"Unschedulable"_s);
    QCOMPARE(pod.schedulingMessage, u"0/1 nodes are available"_s);
    QCOMPARE(pod.disruption, u"EvictionByEvictionAPI"_s);
    QCOMPARE(pod.notReadySince, noon + 30'000);
    const PodView well = podView(R"({"status": {"conditions": [{"type": "PodScheduled", "status": "True"},
        {"type": "DisruptionTarget", "status": "False", "reason": "x"},
        {"type": "Ready", "status": "True", "lastTransitionTime": "2026-05-01T12:00:30Z"}]}})");
    QVERIFY(!well.isUnschedulable);
    QVERIFY(well.disruption.isEmpty());
    QVERIFY(!well.notReadySince);
}

void TestPodView::requests_data()
{
    QTest::addColumn<QByteArray>("spec");
    QTest::addColumn<Amounts>("amounts");
    const auto row = [](const char* name, const char* spec, const Amounts& amounts) {
        QTest::newRow(name) << QByteArray(spec) << amounts;
    };
    row("a sum",
        R"({"containers": [{"resources": {"requests": {"cpu": "500m", "memory": "1Ki"}}}, {"resources": {"requests": {"cpu": 2}}}]})",
        {{u"cpu"_s, 2'500}, {u"memory"_s, 1'024}});
    row("limits stand in",
        R"({"containers": [{"resources": {"limits": {"nvidia.com/gpu": "2", "cpu": "4"}, "requests": {"cpu": "1"}}}]})",
        {{u"cpu"_s, 1'000}, {u"nvidia.com/gpu"_s, 2}});
    row("a larger start",
        R"({"initContainers": [{"resources": {"requests": {"cpu": "3", "memory": "1"}}}, {"resources": {"requests": {"cpu": "4"}}}],
        "containers": [{"resources": {"requests": {"cpu": "1", "memory": "2"}}}]})",
        {{u"cpu"_s, 4'000}, {u"memory"_s, 2}});
    row("a sidecar stays", R"({"initContainers": [{"resources": {"requests": {"cpu": "4"}}},
        {"restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}, {"resources": {"requests": {"cpu": "4"}}}],
        "containers": [{"resources": {"requests": {"cpu": "3500m"}}}]})",
        {{u"cpu"_s, 5'000}});
    row("overhead", R"({"overhead": {"cpu": "250m"}, "containers": [{"resources": {"requests": {"cpu": "1"}}}]})",
        {{u"cpu"_s, 1'250}});
    row("too much",
        R"({"containers": [{"resources": {"requests": {"memory": "7Ei"}}}, {"resources": {"requests": {"memory": "7Ei"}}}]})",
        {{u"memory"_s, std::numeric_limits<qint64>::max()}});
    row("odd",
        R"({"containers": [{"resources": []}, {"resources": {"requests": {"cpu": "much"}}}, 5], "initContainers": {}, "overhead": 3})",
        {});
    row("nothing", "{}", {});
}

void TestPodView::requests()
{
    QFETCH(QByteArray, spec);
    QFETCH(Amounts, amounts);
    Json pod = podObject();
    pod["spec"] = json(spec.constData());
    QCOMPARE(readPod(pod).value().requests, amounts);
}

void TestPodView::whatIsNoPod_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"null", "[]", "5", "\"pod\"", "{}", R"({"metadata": null})",
             R"({"metadata": {"name": 5}})", R"({"metadata": [], "spec": [], "status": []})"})
        QTest::newRow(text) << QByteArray(text);
}

void TestPodView::whatIsNoPod()
{
    QFETCH(QByteArray, text);
    QVERIFY(!readPod(json(text.constData())));
    const auto pod =
        readPod(json(R"({"metadata": {"name": "x", "labels": 7, "ownerReferences": [1, {"kind": 2}]}, "spec": "s",
        "status": {"conditions": {"type": 3}, "phase": [], "startTime": 9}})"));
    QVERIFY(pod && pod->phase.isEmpty() && pod->containers.isEmpty() && !pod->startedAt);
}

QTEST_APPLESS_MAIN(TestPodView)
#include "tst_pod_view.moc"
