// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_objects.h"

#include "services/platforms/kubernetes/facts/pod_ends.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;
using namespace kube_objects;

using Phase = JobFact::Phase;

namespace {

const PlatformId lab(u"lab"_s);
const TrialId t1(u"t1"_s);
constexpr qint64 later = noon + 3'600'000; ///< 13:00

const char* const running = R"({"running": {"startedAt": "2026-05-01T12:00:09Z"}})";
const char* const good = R"({"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": "2026-05-01T12:00:09Z",
    "finishedAt": "2026-05-01T13:00:00Z"}})";
const char* const exitThree = R"({"terminated": {"exitCode": 3, "reason": "Error", "startedAt": "2026-05-01T12:00:09Z",
    "finishedAt": "2026-05-01T12:59:00Z"}})";
const char* const terminated =
    R"({"terminated": {"exitCode": 143, "reason": "Error", "startedAt": "2026-05-01T12:00:09Z",
    "finishedAt": "2026-05-01T13:00:00Z"}})";
const char* const succeededJob = R"({"conditions": [{"type": "Succeeded", "status": "True",
    "lastTransitionTime": "2026-05-01T13:00:00Z"}]})";
const char* const failedJobStatus =
    R"({"conditions": [{"type": "Failed", "status": "True", "reason": "PyTorchJobFailed",
    "message": "PyTorchJob td-s1-t1 is failed because 1 Worker replica(s) failed.",
    "lastTransitionTime": "2026-05-01T13:00:00Z"}]})";
const char* const runningJob = R"({"conditions": [{"type": "Running", "status": "True"}]})";

WorkloadView withMaster(const char* status)
{
    return workloadView(WorkloadKind::pytorchJob, masterAndWorkers, status);
}

WorkloadView workersAlone(const char* status)
{
    return workloadView(WorkloadKind::pytorchJob, twoWorkers, status);
}

JobFact fact(
    const WorkloadView& view, const QList<PodView>& pods = {}, qint64 now = later, const QList<EventView>& events = {})
{
    return workloadFact(t1, view, pods, events, lab, now);
}

/// A finished framework of a chief and workers, whose task has this completion.
WorkloadView endedFramework(const char* role, int index, const char* completion, const char* spec = chiefAndWorkers)
{
    Json status = json(R"({"state": "Completed", "completionTime": "2026-05-01T13:00:01Z"})");
    Json ended = json(completion);
    Json task = json(R"({"podName": "tds1t1-x", "podNodeName": "n1", "runTime": "2026-05-01T12:00:09Z",
        "completionTime": "2026-05-01T13:00:00Z"})");
    task["completionStatus"] = ended;
    status["attemptStatus"]["taskRoleStatuses"] =
        Json::array({{{"name", role}, {"taskStatuses", Json::array({{{"index", index}, {"attemptStatus", task}}})}}});
    ended.erase("pod");
    ended["trigger"] = {{"taskRoleName", role}, {"taskIndex", index}};
    status["attemptStatus"]["completionStatus"] = ended;
    return workloadView(WorkloadKind::framework, spec, dumpJson(status).constData());
}

const char* const taskExitThree = R"({"code": 3, "phrase": "ContainerUnrecognizedFailed", "type": {"name": "Failed"},
    "pod": {"containers": [{"name": "framework", "reason": "Error", "code": 3}]}})";

} // namespace

class TestWorkloadFacts : public QObject
{
    Q_OBJECT
private slots:
    void podsOfOperators();
    void podsThatAreNotIts();
    void whatWaits();
    void whatRuns();
    void theOperatorEndsIt();
    void anotherPartFails();
    void aPartThatGoesOnKeepsTheTrialRunning();
    void withoutAWordOfTheOperatorPodsAreBelieved();
    void anotherPartSucceeds();
    void deadlinesAndDeletion();
    void noPodSaysHow_data();
    void noPodSaysHow();
    void endedFrameworks();
    void aTrainJobsFailureMustStand();
    void whyItWaits();
    void heldAndStartedAgain();
    void factsChangeByTimeAlone();
};

void TestWorkloadFacts::podsOfOperators()
{
    const PodView replica = replicaPod("worker", 1, "Running", running);
    QCOMPARE(replica.ownerUid, u"job-1"_s);
    QCOMPARE(replica.jobName, u"td-s1-t1"_s);
    QCOMPARE(replica.containers.first().name, u"trial"_s);
    // A Job stands between a TrainJob and its pods, a ConfigMap between a Framework and its own.
    const auto node = readWorkloadPod(WorkloadKind::trainJob, json(R"({"metadata": {"name": "td-s1-t1-node-0-0-x7k2p",
        "labels": {"jobset.sigs.k8s.io/jobset-name": "td-s1-t1", "jobset.sigs.k8s.io/replicatedjob-name": "node",
            "batch.kubernetes.io/job-completion-index": "0", "job-name": "td-s1-t1-node-0"},
        "ownerReferences": [{"kind": "Job", "name": "td-s1-t1-node-0", "uid": "inner"}]},
        "spec": {"containers": [{"name": "node"}, {"name": "trial"}]}})"));
    QVERIFY(node && node->ownerUid.isEmpty());
    QCOMPARE(node->jobName, u"td-s1-t1"_s);
    const auto task = readWorkloadPod(WorkloadKind::framework, json(R"({"metadata": {"name": "tds1t1-worker-0",
        "labels": {"FC_FRAMEWORK_NAME": "tds1t1", "FC_TASKROLE_NAME": "worker", "FC_TASK_INDEX": "0"},
        "ownerReferences": [{"kind": "ConfigMap", "name": "tds1t1-attempt", "uid": "map"}]},
        "spec": {"containers": [{"name": "framework"}]}})"));
    QVERIFY(task && task->ownerUid.isEmpty());
    QCOMPARE(task->jobName, u"tds1t1"_s);
    QCOMPARE(task->containers.first().name, u"trial"_s);
    QVERIFY(!readWorkloadPod(WorkloadKind::framework, json("{}")));
}

void TestWorkloadFacts::podsThatAreNotIts()
{
    const WorkloadView view = withMaster(runningJob);
    const PodView master = replicaPod("master", 0, "Running", running);
    QCOMPARE(decidingPod({replicaPod("worker", 0, "Running", running), master}, view)->name, master.name);
    const PodView earlier = replicaPod("master", 0, "Failed", exitThree,
        R"({"metadata": {"ownerReferences": [{"kind": "PyTorchJob", "name": "td-s1-t1", "uid": "job-0"}]}})");
    QVERIFY(!decidingPod({earlier}, view));
    QVERIFY(fact(withMaster("{}"), {earlier}).phase == Phase::waiting);
    // Where its owner is not told, one that is older than the object is not its.
    PodView nameless = replicaPod("master", 0, "Running", running);
    nameless.ownerUid.clear();
    QVERIFY(isPodOfWorkload(nameless, view));
    nameless.createdAt = noon - 1'000;
    QVERIFY(!isPodOfWorkload(nameless, view));
    // The newest one in a place counts.
    const PodView newer =
        replicaPod("master", 0, "Running", running, R"({"metadata": {"creationTimestamp": "2026-05-01T12:30:00Z"}})");
    QCOMPARE(decidingPod({newer, master}, view)->createdAt, noon + 1'800'000);
    QCOMPARE(decidingPod({master, newer}, view)->createdAt, noon + 1'800'000);
}

void TestWorkloadFacts::whatWaits()
{
    const JobFact waiting = fact(withMaster("{}"), {}, noon + 1'000);
    QVERIFY(waiting.phase == Phase::waiting);
    QCOMPARE(waiting.trial, t1);
    QCOMPARE(waiting.handle, u"job-1"_s);
    QCOMPARE(waiting.reason, u"The cluster has not made its pod yet."_s);
    const PodView creating = replicaPod("master", 0, "Pending", R"({"waiting": {"reason": "ContainerCreating"}})");
    QVERIFY(
        fact(withMaster(runningJob), {creating, replicaPod("worker", 0, "Running", running)}).phase == Phase::waiting);
}

void TestWorkloadFacts::whatRuns()
{
    const QList<PodView> pods{replicaPod("worker", 0, "Pending", "{}"), replicaPod("master", 0, "Running", running)};
    const JobFact runs = fact(withMaster(runningJob), pods);
    QVERIFY(runs.phase == Phase::running);
    QCOMPARE(runs.startTime, noon + 9'000);
    QCOMPARE(runs.machine, MachineId(u"lab.n1"_s));
    QVERIFY(fact(withMaster(runningJob)).phase == Phase::running); // its pods are heard of later
    QVERIFY(fact(withMaster("{}"), pods).phase == Phase::running); // and so is what the operator says
}

void TestWorkloadFacts::theOperatorEndsIt()
{
    const PodView master = replicaPod("master", 0, "Succeeded", good);
    const JobFact succeeded = fact(withMaster(succeededJob), {master, replicaPod("worker", 0, "Running", running)});
    QVERIFY(succeeded.phase == Phase::ended);
    QCOMPARE(succeeded.end, TrialStatus::succeeded);
    QCOMPARE(succeeded.exitCode, 0);
    QVERIFY(!succeeded.isDecisive && succeeded.reason.isEmpty());
    const JobFact failed = fact(withMaster(failedJobStatus), {replicaPod("master", 0, "Failed", exitThree)});
    QCOMPARE(failed.end, TrialStatus::failed);
    QCOMPARE(failed.exitCode, 3);
    QVERIFY(!failed.isDecisive); // its log has the same
    const JobFact memory = fact(withMaster(failedJobStatus),
        {replicaPod("master", 0, "Failed", R"({"terminated": {"exitCode": 137, "reason": "OOMKilled"}})")});
    QVERIFY(memory.failureClass == FailureClass::outOfMemory && memory.isDecisive);
    QVERIFY2(memory.reason.contains(u"its limit of 8 GiB"), qPrintable(memory.reason.text()));
}

void TestWorkloadFacts::anotherPartFails()
{
    const PodView worker = replicaPod("worker", 1, "Failed", exitThree);
    // The one that decides was ended because of it, later.
    for (const PodView& master :
        {replicaPod("master", 0, "Failed", terminated), replicaPod("master", 0, "Running", running)}) {
        const JobFact failed = fact(withMaster(failedJobStatus), {master, worker});
        QVERIFY(failed.phase == Phase::ended);
        QCOMPARE(failed.end, TrialStatus::failed);
        QCOMPARE(failed.exitCode, 3);
        QCOMPARE(failed.reason, u"its part worker-1 failed: exit code 3"_s);
        QVERIFY(failed.isDecisive && failed.failureClass == FailureClass::exitCode);
    }
    const JobFact evicted = fact(withMaster(failedJobStatus),
        {replicaPod("master", 0, "Running", running),
            replicaPod(
                "worker", 0, "Failed", "{}", R"({"status": {"reason": "Evicted", "message": "low on memory."}})")});
    QCOMPARE(evicted.reason, u"its part worker-0 failed: its node n1 evicted it: low on memory"_s);
    QCOMPARE(evicted.failureClass.word(), infrastructureClass.toString());
    // The first one is the cause.
    const PodView second = replicaPod("worker", 0, "Failed", terminated);
    QVERIFY(fact(withMaster(failedJobStatus), {second, worker}).reason.startsWith(u"its part worker-1"));
}

void TestWorkloadFacts::aPartThatGoesOnKeepsTheTrialRunning()
{
    const PodView other = replicaPod("worker", 1, "Running", running);
    for (const char* end : {good, exitThree}) {
        const PodView first = replicaPod("worker", 0, "Succeeded", end);
        const JobFact runs = fact(workersAlone(runningJob), {first, other}, later + 10 * wordMs);
        QVERIFY(runs.phase == Phase::running);
        QCOMPARE(runs.startTime, noon + 9'000);
        QVERIFY(!runs.exitCode && !runs.endTime && runs.reason.isEmpty());
    }
}

void TestWorkloadFacts::withoutAWordOfTheOperatorPodsAreBelieved()
{
    const PodView first = replicaPod("worker", 0, "Succeeded", good);
    QVERIFY(fact(workersAlone(runningJob), {first, replicaPod("worker", 1, "Succeeded", good)}, later).phase
        == Phase::unknown);
    const JobFact succeeded =
        fact(workersAlone(runningJob), {first, replicaPod("worker", 1, "Succeeded", good)}, later + wordMs);
    QVERIFY(succeeded.phase == Phase::ended && succeeded.end == TrialStatus::succeeded);
    const JobFact failed =
        fact(workersAlone(runningJob), {first, replicaPod("worker", 1, "Failed", exitThree)}, later + wordMs);
    QVERIFY(failed.phase == Phase::ended && failed.end == TrialStatus::failed && failed.isDecisive);
    QCOMPARE(failed.reason, u"its part worker-1 failed: exit code 3"_s);
}

void TestWorkloadFacts::anotherPartSucceeds()
{
    // What its own log says of the signal that ended it is not the trial's end.
    const JobFact succeeded = fact(withMaster(succeededJob), {replicaPod("master", 0, "Failed", terminated)});
    QCOMPARE(succeeded.end, TrialStatus::succeeded);
    QVERIFY(succeeded.isDecisive && succeeded.exitCode == 0 && !succeeded.signal);
    const JobFact gone = fact(withMaster(succeededJob));
    QVERIFY(gone.phase == Phase::ended && gone.end == TrialStatus::succeeded);
    // All have succeeded, and the operator says that it was not enough.
    const JobFact odd = fact(withMaster(failedJobStatus), {replicaPod("master", 0, "Succeeded", good)});
    QCOMPARE(odd.end, TrialStatus::failed);
    QVERIFY(odd.isDecisive);
}

void TestWorkloadFacts::deadlinesAndDeletion()
{
    const JobFact deadline = fact(withMaster(R"({"conditions": [{"type": "Failed", "status": "True",
        "message": "Job td-s1-t1 has failed because it was active longer than specified deadline"}]})"));
    QCOMPARE(deadline.end, TrialStatus::sys_canceled);
    QCOMPARE(deadline.reason, u"it reached the time limit of its Job, 1 h"_s);
    Json object = workloadObject(WorkloadKind::pytorchJob, masterAndWorkers, runningJob);
    object["metadata"]["deletionTimestamp"] = "2026-05-01T13:00:00Z";
    const WorkloadView deleted = readWorkload(WorkloadKind::pytorchJob, object).value();
    QCOMPARE(fact(deleted).end, TrialStatus::sys_canceled);
    QVERIFY(fact(deleted).isDecisive);
}

void TestWorkloadFacts::noPodSaysHow_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* kind, const char* reason, const char* status, const char* words) {
        QTest::newRow(reason) << QString::fromLatin1(kind) << QByteArray(reason) << QString::fromLatin1(status)
                              << QString::fromUtf8(words);
    };
    row("TFJob", "TFJobFailed", "FAILED", "its TFJob failed on the cluster (TFJobFailed): why");
    row("TFJob", "", "FAILED", "its TFJob failed on the cluster: why");
    row("MPIJob", "MPIJobEvicted", "FAILED", "a pod of it was evicted: why");
}

void TestWorkloadFacts::noPodSaysHow()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, reason);
    QFETCH(QString, status);
    QFETCH(QString, words);
    const QByteArray said =
        R"({"conditions": [{"type": "Failed", "status": "True", "message": "why.", "reason": ")" + reason + R"("}]})";
    const JobFact failed = fact(workloadView(workloadKind(kind).value(), "{}", said.constData()));
    QVERIFY(failed.phase == Phase::ended);
    QCOMPARE(statusName(failed.end), status);
    QCOMPARE(failed.reason, words);
}

void TestWorkloadFacts::endedFrameworks()
{
    // Its pods are gone, and how they ended is not.
    const JobFact one = fact(endedFramework("worker", 0, taskExitThree, oneTask));
    QVERIFY(one.phase == Phase::ended);
    QCOMPARE(one.exitCode, 3);
    QVERIFY(!one.isDecisive);
    QCOMPARE(one.machine, MachineId(u"lab.n1"_s));
    QCOMPARE(one.startTime, noon + 9'000);
    QCOMPARE(one.endTime, later);
    const JobFact part = fact(endedFramework("worker", 1, taskExitThree));
    QCOMPARE(part.reason, u"its part worker-1 failed: exit code 3"_s);
    QVERIFY(part.isDecisive);
    const JobFact deleted = fact(endedFramework(
        "worker", 0, R"({"code": -101, "phrase": "PodExternalDeleted", "type": {"name": "Failed"}})", oneTask));
    QCOMPARE(deleted.end, TrialStatus::sys_canceled);
    QCOMPARE(deleted.reason, u"its pod was deleted on the cluster"_s);
    const JobFact refused = fact(endedFramework("worker", 0,
        R"({"code": -200, "phrase": "PodCreationPermanentError", "type": {"name": "Failed"},
            "diagnostics": "pods \"x\" is forbidden: no service account"})",
        oneTask));
    QCOMPARE(refused.reason, u"the cluster did not make its pod: pods \"x\" is forbidden: no service account"_s);
    QVERIFY(refused.failureClass == FailureClass::startFailed);
    const JobFact limit = fact(endedFramework("worker", 0,
        R"({"code": -300, "phrase": "PodFailedWithoutFailedContainer", "type": {"name": "Failed"},
            "pod": {"reason": "DeadlineExceeded"}})",
        oneTask));
    QCOMPARE(limit.end, TrialStatus::sys_canceled);
    const WorkloadView stopped = workloadView(WorkloadKind::framework, oneTask,
        R"({"state": "Completed", "attemptStatus": {"completionStatus": {"code": -210, "phrase": "StopFrameworkRequested",
            "type": {"name": "Failed"}}}})");
    QCOMPARE(fact(stopped).end, TrialStatus::sys_canceled);
    QCOMPARE(fact(stopped).reason, u"somebody stopped it on the cluster"_s);
    // A pod that is still listed as running is about to be gone; one that has ended says more.
    PodView listed = replicaPod("worker", 0, "Running", running);
    listed.ownerUid.clear();
    listed.labels = {{u"FC_TASKROLE_NAME"_s, u"worker"_s}, {u"FC_TASK_INDEX"_s, u"0"_s}};
    QCOMPARE(fact(endedFramework("worker", 0, taskExitThree, oneTask), {listed}).exitCode, 3);
    listed.containers.first().state = ContainerView::State::terminated;
    listed.containers.first().exitCode = 4;
    QCOMPARE(fact(endedFramework("worker", 0, taskExitThree, oneTask), {listed}).exitCode, 4);
    // Known, and not over: its pods are still closing.
    WorkloadView closing = endedFramework("worker", 0, taskExitThree, oneTask);
    closing.job.isFailed = false;
    QVERIFY(fact(closing).phase == Phase::unknown);
}

void TestWorkloadFacts::aTrainJobsFailureMustStand()
{
    const WorkloadView failed = workloadView(WorkloadKind::trainJob, "{}",
        R"({"conditions": [{"type": "Failed", "status": "True", "reason": "TrainingRuntimeNotSupported", "message": "m",
            "lastTransitionTime": "2026-05-01T13:00:00Z"}]})");
    QVERIFY(fact(failed, {}, later + failedStandsMs - 1).phase == Phase::unknown);
    QCOMPARE(workloadFactChangesAt(failed, {}, later + 1), later + failedStandsMs);
    const JobFact over = fact(failed, {}, later + failedStandsMs);
    QVERIFY(over.phase == Phase::ended);
    QCOMPARE(over.reason, u"its TrainJob failed on the cluster (TrainingRuntimeNotSupported): m"_s);
    QVERIFY(fact(failed, {}, later - failedStandsMs - 1).phase == Phase::ended); // of a clock that is far off
    PodView pod = replicaPod("worker", 0, "Failed", exitThree);
    pod.ownerUid.clear();
    pod.labels = {
        {u"jobset.sigs.k8s.io/jobset-name"_s, u"td-s1-t1"_s}, {u"jobset.sigs.k8s.io/replicatedjob-name"_s, u"node"_s}};
    QCOMPARE(fact(failed, {pod}, later).exitCode, 3); // a pod says the same
}

void TestWorkloadFacts::whyItWaits()
{
    const QList<EventView> refused{eventOf(u"job-1"_s, u"FailedCreatePod"_s,
        u"Error creating: pods \"x\" is forbidden: no PriorityClass with name top was found"_s)};
    QVERIFY2(fact(withMaster("{}"), {}, noon + 1'000, refused).reason.contains(u"no priority class top"),
        qPrintable(fact(withMaster("{}"), {}, noon + 1'000, refused).reason.text()));
    EventView inner = eventOf(u"inner"_s, u"FailedCreate"_s, u"Error creating: exceeded"_s);
    inner.objectKind = u"Job"_s;
    inner.objectName = u"td-s1-t1-node-0"_s;
    const WorkloadView train = workloadView(WorkloadKind::trainJob, "{}");
    QCOMPARE(fact(train, {}, noon + 1'000, {inner}).reason, u"The cluster refuses to make its pod: exceeded."_s);
    // Of an MPIJob the operator says it in its own words, and nothing in the status.
    const QList<EventView> noLauncher{eventOf(u"job-1"_s, u"MPIJobFailed"_s,
        u"launcher pod created failed: pods \"td-s1-t1-launcher\" is forbidden: exceeded quota: q, requested: pods=1"_s)};
    QCOMPARE(fact(workloadView(WorkloadKind::mpiJob, "{}"), {}, noon + unseenMs, noLauncher).reason,
        fact(withMaster("{}"), {}, noon + 1'000,
            {eventOf(u"job-1"_s, u"FailedCreatePod"_s,
                u"Error creating: pods \"td-s1-t1-launcher\" is forbidden: exceeded quota: q, requested: pods=1"_s)})
            .reason);
    // The operator may be missing.
    const JobFact unseen = fact(train, {}, noon + unseenMs);
    QVERIFY(unseen.phase == Phase::waiting);
    QCOMPARE(unseen.reason,
        u"Kubeflow Trainer has not looked at it yet. Ask the cluster's administrators whether it runs."_s);
    QCOMPARE(workloadFactChangesAt(train, {}, noon + 1), noon + unseenMs);
    QVERIFY(!workloadFactChangesAt(train, {}, noon + unseenMs));
    // What decides waits in its barrier for a part that gets no node.
    const PodView chief = replicaPod("master", 0, "Pending", R"({"waiting": {"reason": "PodInitializing"}})",
        R"({"spec": {"initContainers": [{"name": "barrier"}]},
            "status": {"initContainerStatuses": [{"name": "barrier", "state": {"running": {}}}]}})");
    const PodView worker = replicaPod("worker", 0, "Pending", "{}", R"({"spec": {"nodeName": null},
        "status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
            "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."}]}})");
    const JobFact held = fact(withMaster("{}"), {chief, worker});
    QVERIFY2(held.reason.startsWith(u"It waits for its part worker-0. ") && held.reason.contains(u"nvidia.com/gpu"),
        qPrintable(held.reason.text()));
    QVERIFY(fact(withMaster("{}"), {chief}).reason.contains(u"barrier"));
}

void TestWorkloadFacts::heldAndStartedAgain()
{
    const WorkloadView held = withMaster(R"({"conditions": [{"type": "Suspended", "status": "True"}]})");
    QVERIFY(fact(held).phase == Phase::waiting);
    QVERIFY(fact(held).reason.contains(u"suspended"));
    // Its place was taken away: it runs while its pod does, and how that ends is not the trial's end.
    const PodView ends =
        replicaPod("master", 0, "Running", running, R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})");
    const PodView killed =
        replicaPod("master", 0, "Failed", terminated, R"({"metadata": {"deletionTimestamp": "2026-05-01T13:00:00Z"}})");
    QVERIFY(fact(held, {ends}).phase == Phase::running && fact(held, {ends}).logEnd == LogEnd::ofPart);
    QVERIFY(fact(held, {killed}).phase == Phase::waiting && fact(held, {killed}).isTakenBack);
    const WorkloadView resumed = withMaster(
        R"({"conditions": [{"type": "Suspended", "status": "False", "lastTransitionTime": "2026-05-01T13:30:00Z"}]})");
    QVERIFY(fact(resumed, {killed}, later + 3'600'000).phase == Phase::waiting);
    const WorkloadView train = workloadView(WorkloadKind::trainJob, "{}",
        R"({"conditions": [{"type": "Suspended", "status": "False", "lastTransitionTime": "2026-05-01T13:30:00Z"}]})");
    QCOMPARE(train.job.resumedAt, resumed.job.resumedAt);
    const WorkloadView again = withMaster(R"({"conditions": [{"type": "Restarting", "status": "True"}]})");
    QVERIFY(fact(again).phase == Phase::waiting);
    QCOMPARE(fact(again).reason, u"An attempt of it is over, and the cluster starts another one."_s);
    QVERIFY(fact(again, {replicaPod("master", 0, "Running", running)}).phase == Phase::running);
}

void TestWorkloadFacts::factsChangeByTimeAlone()
{
    const PodView first = replicaPod("worker", 0, "Succeeded", good);
    QCOMPARE(workloadFactChangesAt(workersAlone(runningJob), {first}, later), later + wordMs);
    QVERIFY(!workloadFactChangesAt(withMaster(succeededJob), {first}, later));
    QVERIFY(!workloadFactChangesAt(withMaster(runningJob), {replicaPod("master", 0, "Running", running)}, later));
    // The cause is known: nothing is waited for.
    QVERIFY(!workloadFactChangesAt(withMaster(failedJobStatus),
        {replicaPod("master", 0, "Running", running), replicaPod("worker", 0, "Failed", exitThree)}, later));
}

QTEST_APPLESS_MAIN(TestWorkloadFacts)
#include "tst_workload_facts.moc"
