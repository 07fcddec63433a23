// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include "services/platforms/kubernetes/facts/pod_facts.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;
using namespace kube_objects;

using Phase = JobFact::Phase;

namespace {

const PlatformId labPlatform(u"lab"_s);
const TrialId t1(u"t1"_s);
constexpr qint64 later = noon + 3'600'000; ///< 13:00

const char* const running = R"({"running": {"startedAt": "2026-05-01T12:00:09Z"}})";
const char* const exitThree = R"({"terminated": {"exitCode": 3, "reason": "Error", "startedAt": "2026-05-01T12:00:09Z",
    "finishedAt": "2026-05-01T13:00:00Z"}})";
const char* const deletedAtOne = R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})";

JobFact fact(const JobView& job, const PodView* pod, qint64 now = later)
{
    return factOf(t1, job, pod, {}, labPlatform, now);
}

} // namespace

class TestPodFacts : public QObject
{
    Q_OBJECT
private slots:
    void whatWaits();
    void whatRuns();
    void theJobDecides();
    void theContainerEndsBeforeTheJobSaysSo();
    void theJobFailsBeforeThePodSaysHow();
    void aSidecarKeepsThePodRunning();
    void podsThatAreNotIts();
    void aPodThatIsNotListed();
    void lostNodes();
    void deletedOutside();
    void suspendedWhileItRan();
    void resumed();
    void factsChangeByTimeAlone();
};

void TestPodFacts::whatWaits()
{
    const PodView pod =
        podView(R"({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."}]}})");
    const JobFact waiting = fact(jobView(), &pod);
    QVERIFY(waiting.phase == Phase::waiting);
    QCOMPARE(waiting.trial, t1);
    QCOMPARE(waiting.handle, u"job-1"_s);
    QVERIFY2(waiting.reason.contains(u"less than 2 nvidia.com/gpu free"), qPrintable(waiting.reason.text()));
    QVERIFY(waiting.machine.isEmpty());
    QCOMPARE(waiting.restarts, 0);
    const PodView creating = placedPod("Pending", R"({"waiting": {"reason": "ContainerCreating"}})");
    QVERIFY(fact(jobView(), &creating).phase == Phase::waiting);
    QCOMPARE(fact(jobView(), &creating).machine, MachineId(u"lab.n1"_s));
}

void TestPodFacts::whatRuns()
{
    const PodView pod = placedPod("Running", running);
    const JobFact runs = fact(jobView(), &pod);
    QVERIFY(runs.phase == Phase::running);
    QCOMPARE(runs.startTime, noon + 9'000);
    QCOMPARE(runs.machine, MachineId(u"lab.n1"_s));
    QVERIFY(runs.reason.isEmpty());
    const PodView plain =
        placedPod("Running", "{}", R"({"status": {"containerStatuses": null}})"); // no kubelet fills them in
    QVERIFY(fact(jobView(), &plain).phase == Phase::running);
    QCOMPARE(fact(jobView(), &plain).startTime, noon + 5'000);
    const PodView pulling = placedPod("Running", R"({"waiting": {"reason": "ContainerCreating"}})"); // a sidecar runs
    QVERIFY(fact(jobView(), &pulling).phase == Phase::waiting);
    const PodView ending =
        placedPod("Running", running, R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:30Z"}})");
    QVERIFY(fact(jobView(), &ending).phase == Phase::running); // in its grace
}

void TestPodFacts::theJobDecides()
{
    const JobView complete = jobView(R"({"status": {"completionTime": "2026-05-01T13:00:02Z",
        "conditions": [{"type": "Complete", "status": "True"}]}})");
    const JobFact gone = fact(complete, nullptr);
    QVERIFY(gone.phase == Phase::ended);
    QCOMPARE(gone.end, TrialStatus::succeeded);
    QCOMPARE(gone.endTime, later + 2'000);
    QVERIFY(!gone.isDecisive);
    const PodView pod = placedPod("Succeeded", R"({"terminated": {"exitCode": 0, "startedAt": "2026-05-01T12:00:09Z",
        "finishedAt": "2026-05-01T13:00:00Z"}})");
    const JobFact succeeded = fact(complete, &pod);
    QCOMPARE(succeeded.end, TrialStatus::succeeded);
    QCOMPARE(succeeded.exitCode, 0);
    QCOMPARE(succeeded.startTime, noon + 9'000);
    QCOMPARE(succeeded.endTime, later);

    const PodView three = placedPod("Failed", exitThree);
    const JobFact failed = fact(failedJob("BackoffLimitExceeded"), &three);
    QVERIFY(failed.phase == Phase::ended);
    QCOMPARE(failed.end, TrialStatus::failed);
    QCOMPARE(failed.exitCode, 3);
    QVERIFY(!failed.isDecisive);
    QCOMPARE(fact(failedJob("BackoffLimitExceeded"), nullptr).endTime, later + 1'000);
    const PodView still = placedPod("Running", running);
    const JobFact deadline = fact(jobView(R"({"status": {"conditions": [{"type": "FailureTarget", "status": "True",
        "reason": "DeadlineExceeded"}]}})"),
        &still);
    QCOMPARE(deadline.end, TrialStatus::sys_canceled);
    QVERIFY(deadline.isDecisive);
}

void TestPodFacts::theContainerEndsBeforeTheJobSaysSo()
{
    const PodView pod = placedPod("Failed", exitThree);
    QVERIFY(fact(jobView(), &pod, later).phase == Phase::unknown);
    QVERIFY(fact(jobView(), &pod, later + wordMs - 1).phase == Phase::unknown);
    const JobFact believed = fact(jobView(), &pod, later + wordMs);
    QVERIFY(believed.phase == Phase::ended);
    QCOMPARE(believed.exitCode, 3);
    QVERIFY(fact(failedJob("BackoffLimitExceeded"), &pod, later).phase == Phase::ended);
    // A clock that is an hour behind makes no one wait for an hour.
    QVERIFY(fact(jobView(), &pod, noon).phase == Phase::ended);
    const PodView timeless = placedPod("Failed", R"({"terminated": {"exitCode": 3}})");
    QVERIFY(fact(jobView(), &timeless).phase == Phase::ended);
}

void TestPodFacts::theJobFailsBeforeThePodSaysHow()
{
    const JobView failed = failedJob("BackoffLimitExceeded"); // at 13:00:01
    const PodView stale = placedPod("Running", running);
    QVERIFY(fact(failed, &stale, later + 1'000).phase == Phase::unknown);
    QCOMPARE(factChangesAt(failed, &stale, later + 1'000), later + 1'000 + wordMs);
    const JobFact believed = fact(failed, &stale, later + 1'000 + wordMs);
    QVERIFY(believed.phase == Phase::ended);
    QCOMPARE(believed.end, TrialStatus::failed);
    QVERIFY(!believed.isDecisive);
    const PodView fresh = placedPod("Failed", R"({"terminated": {"exitCode": 137, "reason": "OOMKilled"}})");
    QCOMPARE(fact(failed, &fresh, later + 1'000).failureClass, FailureClass::outOfMemory);
    QVERIFY(fact(failedJob("DeadlineExceeded"), &stale, later + 1'000).phase == Phase::ended); // the Job knows it alone
}

void TestPodFacts::aSidecarKeepsThePodRunning()
{
    const PodView pod = placedPod("Running", exitThree);
    QVERIFY(fact(jobView(), &pod, later).phase == Phase::unknown);
    const JobFact ended = fact(jobView(), &pod, later + wordMs);
    QVERIFY(ended.phase == Phase::ended);
    QCOMPARE(ended.exitCode, 3);
}

void TestPodFacts::podsThatAreNotIts()
{
    // Of a Job of the same name that was deleted before.
    const PodView older = placedPod("Failed", exitThree,
        R"({"metadata": {"ownerReferences": [{"kind": "Job", "name": "td-s1-t1", "uid": "job-0"}]}})");
    QVERIFY(!isPodOf(older, jobView()));
    const JobFact waiting = fact(jobView(R"({"status": {"active": null}})"), &older);
    QVERIFY(waiting.phase == Phase::waiting);
    QVERIFY(waiting.machine.isEmpty());
    const PodView byName = placedPod("Running", running, R"({"metadata": {"ownerReferences": null}})");
    QVERIFY(isPodOf(byName, jobView()));
}

void TestPodFacts::aPodThatIsNotListed()
{
    QVERIFY(fact(jobView(), nullptr).phase == Phase::unknown); // the Job counts one
    QVERIFY(fact(jobView(R"({"status": {"active": null, "failed": 1}})"), nullptr).phase == Phase::unknown);
    const JobFact waiting = fact(jobView(R"({"status": {"active": null}})"), nullptr);
    QVERIFY(waiting.phase == Phase::waiting);
    QCOMPARE(waiting.reason.text(), u"The cluster has not made its pod yet."_s);
}

void TestPodFacts::lostNodes()
{
    const PodView unknown = placedPod("Unknown", running,
        R"({"status": {"reason": "NodeLost", "conditions": [{"type": "Ready", "status": "False", "lastTransitionTime": "2026-05-01T13:00:00Z"}]}})");
    QVERIFY(fact(jobView(), &unknown, later + 1'000).phase == Phase::unknown);
    QVERIFY(fact(jobView(), &unknown, later + lostNodeMs - 1).phase == Phase::unknown);
    const JobFact lost = fact(jobView(), &unknown, later + lostNodeMs);
    QVERIFY(lost.phase == Phase::ended);
    QCOMPARE(lost.end, TrialStatus::failed);
    QCOMPARE(lost.failureClass.word(), u"infrastructure"_s);
    QVERIFY(lost.isDecisive);
    QCOMPARE(lost.reason.text(), u"its node n1 has been lost for 10 min"_s);
    const PodView timeless = placedPod("Unknown", running);
    QVERIFY(fact(jobView(), &timeless, later + 10 * lostNodeMs).phase == Phase::unknown);
    // Its grace is over, and no kubelet says that it is gone.
    const PodView overdue = placedPod("Running", running, deletedAtOne);
    QVERIFY(fact(jobView(), &overdue, later).phase == Phase::running);
    QVERIFY(fact(jobView(), &overdue, later + 1).phase == Phase::unknown);
    QVERIFY(fact(jobView(), &overdue, later + lostNodeMs).phase == Phase::ended);
}

void TestPodFacts::deletedOutside()
{
    const PodView pod = placedPod("Running", running);
    const JobFact job = fact(jobView(deletedAtOne), &pod);
    QVERIFY(job.phase == Phase::ended);
    QCOMPARE(job.end, TrialStatus::sys_canceled);
    QCOMPARE(job.reason.text(), u"its Job was deleted on the cluster"_s);
    QVERIFY(job.isDecisive);
    const PodView killed = placedPod("Failed", R"({"terminated": {"exitCode": 143}})", deletedAtOne);
    const JobFact deleted = fact(failedJob("BackoffLimitExceeded"), &killed);
    QCOMPARE(deleted.end, TrialStatus::sys_canceled);
    QCOMPARE(deleted.reason.text(), u"its pod was deleted on the cluster"_s);
    const PodView unplaced = podView(deletedAtOne);
    QVERIFY(fact(jobView(), &unplaced).phase == Phase::unknown);
}

void TestPodFacts::suspendedWhileItRan()
{
    const JobView job =
        jobView(R"({"spec": {"suspend": true}, "metadata": {"labels": {"kueue.x-k8s.io/queue-name": "q"}}})");
    // Its pod has not been ended yet, and then it has its grace.
    const PodView runs = placedPod("Running", running);
    const PodView ends = placedPod("Running", running, deletedAtOne);
    for (const PodView* pod : {&runs, &ends}) {
        const JobFact held = fact(job, pod);
        QVERIFY(held.phase == Phase::running);
        QVERIFY(!held.isTakenBack);
        QVERIFY(held.logEnd == LogEnd::ofPart);
    }
    QCOMPARE(factChangesAt(job, &ends, later), later + 1);
    // It has ended, is gone, or should be.
    const PodView killed = placedPod("Failed", R"({"terminated": {"exitCode": 143}})", deletedAtOne);
    const PodView done = placedPod("Succeeded", R"({"terminated": {"exitCode": 0}})", deletedAtOne);
    for (const JobFact& held :
        {fact(job, &killed), fact(job, &done), fact(job, nullptr), fact(job, &ends, later + 1)}) {
        QVERIFY(held.phase == Phase::waiting);
        QVERIFY(held.isTakenBack);
        QVERIFY2(held.reason.contains(u"queue q"), qPrintable(held.reason.text()));
    }
    QCOMPARE(factChangesAt(job, &killed, later), std::nullopt);
    QCOMPARE(factChangesAt(job, &ends, later + 1), std::nullopt);
    // One that had not begun.
    const PodView pulling = placedPod("Pending", R"({"waiting": {"reason": "ContainerCreating"}})", deletedAtOne);
    QVERIFY(fact(job, &pulling).phase == Phase::waiting);
    QVERIFY(!fact(job, &pulling).isTakenBack);
    // One that had ended before: the Job will say how.
    const PodView ended = placedPod("Failed", exitThree);
    QVERIFY(fact(job, &ended).phase == Phase::unknown);
    core::Json failing = jobObject(R"({"spec": {"suspend": true}})");
    failing["status"]["conditions"] =
        json(R"([{"type": "Failed", "status": "True", "lastTransitionTime": "2026-05-01T13:00:01Z"}])");
    QVERIFY(fact(*readJob(failing), &ended).phase == Phase::ended);
}

void TestPodFacts::resumed()
{
    core::Json object = jobObject();
    object["status"]["conditions"] =
        json(R"([{"type": "Suspended", "status": "False", "lastTransitionTime": "2026-05-01T13:30:00Z"}])");
    const JobView job = *readJob(object);
    QCOMPARE(job.resumedAt, later + 1'800'000);
    // What is left of the run before.
    const PodView killed = placedPod("Failed", R"({"terminated": {"exitCode": 143}})", deletedAtOne);
    const PodView ends = placedPod("Running", running, deletedAtOne);
    for (const PodView* pod : {&killed, &ends}) {
        QVERIFY(!isPodOf(*pod, job));
        QVERIFY(fact(job, pod, later + 3'600'000).phase == Phase::unknown); // it counts another pod
    }
    // Of a cluster whose clocks differ, and the next one that is deleted.
    QVERIFY(isPodOf(placedPod("Running", running), job));
    const PodView next = placedPod("Running", running,
        R"({"metadata": {"creationTimestamp": "2026-05-01T13:30:00Z", "deletionTimestamp": "2026-05-01T14:00:00Z"}})");
    QVERIFY(isPodOf(next, job));
}

void TestPodFacts::factsChangeByTimeAlone()
{
    const PodView ended = placedPod("Failed", exitThree);
    QCOMPARE(factChangesAt(jobView(), &ended, later), later + wordMs);
    QCOMPARE(factChangesAt(jobView(), &ended, later + wordMs), std::nullopt);
    QCOMPARE(factChangesAt(failedJob("x"), &ended, later), std::nullopt);
    const PodView runs = placedPod("Running", running);
    QCOMPARE(factChangesAt(jobView(), &runs, later), std::nullopt);
    const PodView overdue = placedPod("Running", running, deletedAtOne);
    QCOMPARE(factChangesAt(jobView(), &overdue, later), later + 1);
    QCOMPARE(factChangesAt(jobView(), &overdue, later + 1), later + lostNodeMs);
    QCOMPARE(factChangesAt(jobView(), &overdue, later + lostNodeMs), std::nullopt);
    QCOMPARE(factChangesAt(jobView(), nullptr, later), std::nullopt);
}

QTEST_APPLESS_MAIN(TestPodFacts)
#include "tst_pod_facts.moc"
