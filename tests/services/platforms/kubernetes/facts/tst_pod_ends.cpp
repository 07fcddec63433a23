// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include "services/platforms/kubernetes/facts/pod_ends.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;
using core::statusName;

class TestPodEnds : public QObject
{
    Q_OBJECT
private slots:
    void ends_data();
    void ends();
    void jobs_data();
    void jobs();
    void lostNodes();
};

void TestPodEnds::ends_data()
{
    QTest::addColumn<QByteArray>("terminated");
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QString>("end"); ///< status, class, exit code, signal, `!` where it is decisive
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* terminated, const char* patch, const char* end,
                         const char* reason) {
        QTest::newRow(name) << QByteArray(terminated) << QByteArray(patch) << QString::fromLatin1(end)
                            << QString::fromUtf8(reason);
    };
    row("success", R"({"exitCode": 0, "reason": "Completed"})", "{}", "SUCCEEDED  0 -", "");
    row("exit code", R"({"exitCode": 3, "reason": "Error"})", "{}", "FAILED exitCode 3 -", "");
    row("its last words", R"({"exitCode": 3, "reason": "Error", "message": "loss is NaN\n"})", "{}",
        "FAILED exitCode 3 -", "exit code 3: loss is NaN");
    row("signal", R"({"exitCode": 139, "reason": "Error"})", "{}", "FAILED signal - 11", "");
    row("signal's last words", R"({"exitCode": 139, "message": "stack"})", "{}", "FAILED signal - 11",
        "killed by signal 11: stack");
    row("nothing said", "{}", "{}", "FAILED platform - -", "its container ended, and the cluster does not say how");
    row("out of memory", R"({"exitCode": 137, "reason": "OOMKilled"})", "{}", "FAILED outOfMemory - - !",
        "it used more memory than its limit of 8 GiB (OOMKilled)");
    row("out of memory, no limit", R"({"exitCode": 137, "reason": "OOMKilled"})",
        R"({"spec": {"containers": [{"name": "trial", "image": "x"}]}})", "FAILED outOfMemory - - !",
        "it used more memory than it may (OOMKilled)");
    row("no command",
        R"({"exitCode": 128, "reason": "StartError", "message": "failed to create containerd task: runc create failed: exec: \"trian\": executable file not found in $PATH: unknown"})",
        "{}", "FAILED commandNotFound - - !", "its image has no command trian");
    row("no file",
        R"({"exitCode": 127, "reason": "ContainerCannotRun", "message": "exec: \"/x/run.sh\": stat /x/run.sh: no such file or directory"})",
        "{}", "FAILED commandNotFound - - !", "its image has no command /x/run.sh");
    row("no permission",
        R"({"exitCode": 126, "reason": "ContainerCannotRun", "message": "exec: \"/x/run.sh\": permission denied: unknown"})",
        "{}", "FAILED startFailed - - !", "the command /x/run.sh of its image may not be executed");
    row("start error", R"({"exitCode": 128, "reason": "StartError", "message": "no such device: /dev/nvidia0."})", "{}",
        "FAILED startFailed - - !", "its container could not be started: no such device: /dev/nvidia0");
    row("127 of its shell", R"({"exitCode": 127, "reason": "Error"})", "{}", "FAILED exitCode 127 -", "");
    row("evicted", R"({"exitCode": 137, "reason": "Error"})",
        R"({"status": {"reason": "Evicted", "message": "The node was low on resource: memory. "}})",
        "FAILED infrastructure - - !", "its node n1 evicted it: The node was low on resource: memory");
    row("evicted, and it left in order", R"({"exitCode": 0, "reason": "Completed"})",
        R"({"status": {"reason": "Evicted", "conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "TerminationByKubelet"}]}})",
        "FAILED infrastructure - - !", "its node n1 evicted it");
    row("eviction API", R"({"exitCode": 143})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}]}})",
        "FAILED infrastructure - - !", "it was evicted: somebody or something empties its node n1");
    row("preempted", R"({"exitCode": 143})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}]}})",
        "FAILED infrastructure - - !", "a pod of a higher priority took its place (preemption)");
    row("preempted on its node", R"({"exitCode": 143})", R"({"status": {"reason": "Preempting"}})",
        "FAILED infrastructure - - !", "a pod of a higher priority took its place (preemption)");
    row("taint", R"({"exitCode": 143})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "DeletionByTaintManager"}]}})",
        "FAILED infrastructure - - !", "its node n1 got a taint that it does not tolerate, or does not answer");
    row("node lost", R"({"exitCode": 137})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "DeletionByPodGC"}]}})",
        "FAILED infrastructure - - !", "its node n1 is lost");
    row("node shutdown", R"({"exitCode": 137})",
        R"({"status": {"reason": "Terminated", "message": "Pod was terminated in response to imminent node shutdown.",
            "conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "TerminationByKubelet"}]}})",
        "FAILED infrastructure - - !", "its node n1 was shut down");
    row("ended by its node", R"({"exitCode": 137})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "TerminationByKubelet"}]}})",
        "FAILED infrastructure - - !", "its node n1 ended it");
    row("another disruption", R"({"exitCode": 137})",
        R"({"status": {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "Moved", "message": "defragmenting."}]}})",
        "FAILED infrastructure - - !", "the cluster ended it (Moved): defragmenting");
    row("lost container", R"({"exitCode": 137, "reason": "ContainerStatusUnknown"})", "{}", "FAILED infrastructure - -",
        "its node n1 lost its container");
    row("deadline", R"({"exitCode": 137})", R"({"status": {"reason": "DeadlineExceeded"}})", "SYS_CANCELED  - - !",
        "it reached the time limit of its Job");
    row("deleted", R"({"exitCode": 143})", R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})",
        "SYS_CANCELED  - - !", "its pod was deleted on the cluster");
    row("it ended before it was deleted", R"({"exitCode": 2})",
        R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})", "FAILED exitCode 2 -", "");
    row("not admitted", "null", R"({"status": {"phase": "Failed", "reason": "UnexpectedAdmissionError",
        "message": "Allocate failed due to no healthy devices present.", "containerStatuses": null}})",
        "FAILED infrastructure - - !",
        "its node n1 did not take it (UnexpectedAdmissionError): Allocate failed due to no healthy devices present");
    row("out of GPUs", "null",
        R"({"status": {"phase": "Failed", "reason": "OutOfnvidia.com/gpu", "containerStatuses": null}})",
        "FAILED infrastructure - - !", "its node n1 did not take it (OutOfnvidia.com/gpu)");
    row("init container", "null",
        R"({"spec": {"initContainers": [{"name": "code", "image": "alpine"}]}, "status": {"containerStatuses": null,
        "initContainerStatuses": [{"name": "code", "state": {"terminated": {"exitCode": 1, "message": "no space left"}}}]}})",
        "FAILED startFailed - - !", "its init container code ended with exit code 1: no space left");
    row("lost init container", "null",
        R"({"spec": {"initContainers": [{"name": "code", "image": "alpine"}]}, "status": {"containerStatuses": null,
        "initContainerStatuses": [{"name": "code", "state": {"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown",
        "message": "The container could not be located when the pod was terminated"}}}]}})",
        "FAILED infrastructure - - !", "its node n1 lost its init container code");
    row("init container's memory", "null",
        R"({"spec": {"initContainers": [{"name": "code", "image": "alpine"}]}, "status": {"containerStatuses": null,
        "initContainerStatuses": [{"name": "code", "state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}})",
        "FAILED outOfMemory - - !", "its container code used more memory than it may (OOMKilled)");
    row("phase alone: failed", "null", R"({"status": {"containerStatuses": null, "message": "x"}})",
        "FAILED platform - -", "its pod failed (BackoffLimitExceeded)");
    row("phase alone: why", "null",
        R"({"status": {"containerStatuses": null, "reason": "Haunted", "message": "boo."}})", "FAILED platform - -",
        "its pod failed (Haunted): boo");
    row("phase alone: success", "null", R"({"status": {"phase": "Succeeded", "containerStatuses": null}})",
        "SUCCEEDED  - -", "");
    row("phase alone: deleted", "null",
        R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}, "status": {"containerStatuses": null}})",
        "SYS_CANCELED  - - !", "its pod was deleted on the cluster");
}

static QString textOfEnd(const PodEnd& end)
{
    const auto number = [](std::optional<int> value) { return value ? QString::number(*value) : u"-"_s; };
    return u"%1 %2 %3 %4%5"_s.arg(statusName(end.status), end.failureClass.word(), number(end.exitCode),
        number(end.signal), end.isDecisive ? u" !"_s : QString());
}

void TestPodEnds::ends()
{
    QFETCH(QByteArray, terminated);
    QFETCH(QByteArray, patch);
    QFETCH(QString, end);
    QFETCH(QString, reason);
    const PodView pod = placedPod("Failed", ("{\"terminated\": " + terminated + "}").constData(), patch.constData());
    const PodEnd found = podEnd(failedJob("BackoffLimitExceeded"), &pod);
    QCOMPARE(textOfEnd(found), end);
    QCOMPARE(found.reason.text(), reason);
}

void TestPodEnds::jobs_data()
{
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QString>("end");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* patch, const char* end, const char* reason) {
        QTest::newRow(name) << QByteArray(patch) << QString::fromLatin1(end) << QString::fromUtf8(reason);
    };
    row("complete", R"({"status": {"conditions": [{"type": "Complete", "status": "True"}]}})", "SUCCEEDED  - -", "");
    row("deadline", R"({"spec": {"activeDeadlineSeconds": 7200},
        "status": {"conditions": [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded"}]}})",
        "SYS_CANCELED  - - !", "it reached the time limit of its Job, 2 h");
    row("deleted", R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})", "SYS_CANCELED  - - !",
        "its Job was deleted on the cluster");
    row("failed",
        R"({"status": {"conditions": [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded"}]}})",
        "FAILED platform - -", "its Job failed on the cluster (BackoffLimitExceeded), and its pod is gone");
    row("failed without a word", R"({"status": {"conditions": [{"type": "Failed", "status": "True"}]}})",
        "FAILED platform - -", "its Job failed on the cluster, and its pod is gone");
}

void TestPodEnds::jobs()
{
    QFETCH(QByteArray, patch);
    QFETCH(QString, end);
    QFETCH(QString, reason);
    const PodEnd found = podEnd(jobView(patch.constData()), nullptr);
    QCOMPARE(textOfEnd(found), end);
    QCOMPARE(found.reason.text(), reason);
}

void TestPodEnds::lostNodes()
{
    const PodEnd end = lostEnd(placedPod("Unknown", "{}"), 600'000);
    QCOMPARE(textOfEnd(end), u"FAILED infrastructure - - !"_s);
    QCOMPARE(end.reason.text(), u"its node n1 has been lost for 10 min"_s);
}

QTEST_APPLESS_MAIN(TestPodEnds)
#include "tst_pod_ends.moc"
