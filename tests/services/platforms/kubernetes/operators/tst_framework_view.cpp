// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_objects.h"

#include "tests/fakes/gzip_text.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

namespace {

/// One task of role `worker`, with this completion; null: it has not ended.
Json statusOf(const char* state, const char* taskState, const char* completion)
{
    Json status = json(R"({"startTime": "2026-05-01T12:00:01Z", "runTime": null, "completionTime": null,
        "retryPolicyStatus": {"totalRetriedCount": 0, "accountableRetriedCount": 0, "retryDelaySec": null},
        "attemptStatus": {"id": 0, "completionStatus": null, "taskRoleStatuses": [{"name": "worker", "taskStatuses": [
            {"index": 0, "deletionPending": false, "attemptStatus": {"podName": "tds1t1-worker-0", "podUID": "pod-1",
                "podNodeName": "n1", "startTime": "2026-05-01T12:00:02Z", "runTime": "2026-05-01T12:00:09Z",
                "completionTime": null, "completionStatus": null}}]}]}})");
    status["state"] = state;
    Json& task = status["attemptStatus"]["taskRoleStatuses"][0]["taskStatuses"][0];
    task["state"] = taskState;
    const Json ended = json(completion);
    if (ended.is_object()) {
        task["attemptStatus"]["completionStatus"] = ended;
        task["attemptStatus"]["completionTime"] = "2026-05-01T13:00:00Z";
        status["attemptStatus"]["completionStatus"] = ended;
        status["attemptStatus"]["completionStatus"].erase("pod");
        status["attemptStatus"]["completionStatus"]["trigger"] = json(
            R"({"message": "FailedTaskCount 1 has reached MinFailedTaskCount 1", "taskRoleName": "worker", "taskIndex": 0})");
        if (state == std::string("Completed"))
            status["completionTime"] = "2026-05-01T13:00:01Z";
    }
    return status;
}

WorkloadView viewOf(const Json& status, const char* spec = oneTask)
{
    return workloadView(WorkloadKind::framework, spec, dumpJson(status).constData());
}

const char* const podSucceeded = R"({"code": 0, "phrase": "Succeeded", "type": {"name": "Succeeded", "attributes": []},
    "diagnostics": "Pod succeeded", "pod": {"containers": [{"name": "framework", "reason": "Completed", "message": "end", "code": 0}]}})";
const char* const outOfMemory = R"({"code": -1200, "phrase": "ContainerDockerOOMKilled",
    "type": {"name": "Failed", "attributes": ["Permanent"]}, "diagnostics": "PodPattern matched: {}",
    "pod": {"containers": [{"name": "framework", "reason": "OOMKilled", "signal": 9, "code": 137},
        {"name": "code", "reason": "Completed", "code": 0}]}})";

} // namespace

class TestFrameworkView : public QObject
{
    Q_OBJECT
private slots:
    void states_data();
    void states();
    void theEnd();
    void aPodThatIsRemembered();
    void codes_data();
    void codes();
    void aRetryFollows();
    void packedStatuses();
    void damagedPackedStatuses();
    void whoDecides();
    void whatIsNoFramework();
    void slimObjectsAreReadAlike();
};

void TestFrameworkView::states_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("taskState");
    QTest::addColumn<bool>("isRunning");
    const auto row = [](const char* state, const char* taskState, bool isRunning) {
        QTest::newRow(state) << QByteArray(state) << QByteArray(taskState) << isRunning;
    };
    row("AttemptCreationPending", "AttemptCreationPending", false);
    row("AttemptCreationRequested", "AttemptCreationRequested", false);
    row("AttemptPreparing", "AttemptPreparing", false);
    row("AttemptRunning", "AttemptRunning", true);
    row("AttemptDeletionPending", "AttemptRunning", true); // pods are still closing
    row("AttemptDeletionRequested", "AttemptRunning", true);
    row("AttemptDeleting", "AttemptDeleting", false);
    row("AttemptCompleted", "AttemptCompleted", false);
}

void TestFrameworkView::states()
{
    QFETCH(QByteArray, state);
    QFETCH(QByteArray, taskState);
    QFETCH(bool, isRunning);
    const WorkloadView view = viewOf(statusOf(state.constData(), taskState.constData(), "null"));
    QVERIFY(view.isSeen);
    QCOMPARE(view.isRunning, isRunning);
    QVERIFY(!view.job.isComplete && !view.job.isFailed && !view.isWaitingAgain && !view.job.isSuspended);
    QCOMPARE(view.job.active, 1); // its pod exists
    QCOMPARE(view.job.startTime, noon + 1'000);
    QVERIFY(view.remembered.isEmpty());
}

void TestFrameworkView::theEnd()
{
    const WorkloadView good = viewOf(statusOf("Completed", "Completed", podSucceeded));
    QVERIFY(good.job.isComplete && !good.job.isFailed && !good.isRunning);
    QCOMPARE(good.job.endTime, noon + 3'601'000);
    QCOMPARE(good.job.active, 0);
    QCOMPARE(good.job.ended, 1);
    const WorkloadView bad = viewOf(statusOf("Completed", "Completed", outOfMemory));
    QVERIFY(bad.job.isFailed && !bad.job.isComplete);
    QCOMPARE(bad.job.failedReason, u"ContainerDockerOOMKilled"_s);
    QVERIFY(bad.cause == (PodPlace{u"worker"_s, 0}));
    // The outcome is known, but pods are still closing.
    const WorkloadView closing = viewOf(statusOf("AttemptDeleting", "AttemptDeleting", outOfMemory));
    QVERIFY(!closing.job.isFailed && closing.job.ended == 1);
}

void TestFrameworkView::aPodThatIsRemembered()
{
    const WorkloadView view = viewOf(statusOf("Completed", "Completed", outOfMemory));
    QCOMPARE(view.remembered.size(), 1);
    const PodView& pod = view.remembered.first();
    QCOMPARE(pod.name, u"tds1t1-worker-0"_s);
    QCOMPARE(pod.uid, u"pod-1"_s);
    QCOMPARE(pod.node, u"n1"_s);
    QCOMPARE(pod.phase, u"Failed"_s);
    QVERIFY(placeOf(pod.labels) == (PodPlace{u"worker"_s, 0}));
    QCOMPARE(pod.initContainers.size(), 1);
    QCOMPARE(pod.containers.size(), 1);
    const ContainerView& trial = pod.containers.first();
    QCOMPARE(trial.name, u"trial"_s);
    QCOMPARE(trial.reason, u"OOMKilled"_s);
    QCOMPARE(trial.exitCode, 137);
    QCOMPARE(trial.signal, 9);
    QCOMPARE(trial.startedAt, noon + 9'000);
    QCOMPARE(trial.finishedAt, noon + 3'600'000);
    const WorkloadView good = viewOf(statusOf("Completed", "Completed", podSucceeded));
    QCOMPARE(good.remembered.first().phase, u"Succeeded"_s);
    QCOMPARE(good.remembered.first().containers.first().message, u"end"_s); // the termination message
    QVERIFY(!good.remembered.first().containers.first().signal);
}

void TestFrameworkView::codes_data()
{
    QTest::addColumn<QByteArray>("phrase");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("isRemembered");
    QTest::addColumn<bool>("isDeleted");
    const auto row = [](const char* phrase, int code, bool isRemembered, bool isDeleted) {
        QTest::newRow(phrase) << QByteArray(phrase) << code << isRemembered << isDeleted;
    };
    row("ContainerTransientFailed", 200, true, false);
    row("ContainerTransientConflictFailed", 201, true, false);
    row("ContainerPermanentFailed", 210, true, false);
    row("ContainerUnrecognizedFailed", 3, true, false);
    row("ConfigMapExternalDeleted", -100, true, true);
    row("PodExternalDeleted", -101, true, true);
    row("ConfigMapLocalCacheCreationTimeout", -110, true, false);
    row("PodLocalCacheCreationTimeout", -111, true, false);
    row("PodCreationTransientError", -120, false, false);
    row("PodCreationPermanentError", -200, false, false);
    row("StopFrameworkRequested", -210, true, false);
    row("FrameworkAttemptCompletion", -220, true, false);
    row("DeleteTaskRequested", -230, true, false);
    row("PodFailedWithoutFailedContainer", -300, true, false);
    row("PodCreationUnknownError", -310, false, false);
}

void TestFrameworkView::codes()
{
    QFETCH(QByteArray, phrase);
    QFETCH(int, code);
    QFETCH(bool, isRemembered);
    QFETCH(bool, isDeleted);
    Json completion = json(R"({"type": {"name": "Failed", "attributes": []}, "diagnostics": "why"})");
    completion["code"] = code;
    completion["phrase"] = phrase.toStdString();
    const WorkloadView view = viewOf(statusOf("Completed", "Completed", dumpJson(completion).constData()));
    QVERIFY(view.job.isFailed);
    QCOMPARE(view.job.failedReason, QString::fromLatin1(phrase));
    QCOMPARE(view.job.failedMessage, u"why"_s);
    QCOMPARE(!view.remembered.isEmpty(), isRemembered);
    QCOMPARE(view.job.ended, isRemembered ? 1 : 0); // else there is no log to wait for
    QCOMPARE(isRemembered && view.remembered.first().isDeleting, isDeleted);
}

void TestFrameworkView::aRetryFollows()
{
    Json status = statusOf("AttemptCompleted", "Completed", outOfMemory);
    QVERIFY(!viewOf(status).isWaitingAgain); // it is not known yet whether one does
    QCOMPARE(viewOf(status).job.ended, 1);
    status["retryPolicyStatus"]["retryDelaySec"] = 30;
    const WorkloadView again = viewOf(status);
    QVERIFY(again.isWaitingAgain && again.remembered.isEmpty());
    QCOMPARE(again.job.active, 0);
    QCOMPARE(again.job.ended, 0);
}

void TestFrameworkView::packedStatuses()
{
    Json status = statusOf("Completed", "Completed", outOfMemory);
    const WorkloadView plain = viewOf(status);
    Json& attempt = status["attemptStatus"];
    attempt["taskRoleStatusesCompressed"] = gzipText(dumpJson(attempt["taskRoleStatuses"])).toBase64().toStdString();
    attempt["taskRoleStatuses"] = nullptr;
    QVERIFY(viewOf(status) == plain);
}

void TestFrameworkView::damagedPackedStatuses()
{
    const QByteArray whole = gzipText(R"([{"name": "worker", "taskStatuses": []}])");
    for (const QByteArray& packed : {QByteArray("%%"), QByteArray("bm8gZ3ppcA=="), whole.chopped(3).toBase64(),
             gzipText("[1").toBase64(), gzipText("{}").toBase64(), gzipText("[3, {\"taskStatuses\": 5}]").toBase64()}) {
        Json status = statusOf("AttemptRunning", "AttemptRunning", "null");
        status["attemptStatus"]["taskRoleStatuses"] = nullptr;
        status["attemptStatus"]["taskRoleStatusesCompressed"] = packed.toStdString();
        const WorkloadView view = viewOf(status);
        QVERIFY(view.isSeen && view.remembered.isEmpty() && !view.isRunning);
    }
}

void TestFrameworkView::whoDecides()
{
    const WorkloadView view = workloadView(WorkloadKind::framework, chiefAndWorkers);
    QCOMPARE(logNameOf(view.deciding), u"chief-0"_s);
    QVERIFY(view.endsWithDecider);
    QCOMPARE(view.podCount(), 4);
    const WorkloadView all = workloadView(WorkloadKind::framework, R"({"taskRoles": [{"name": "worker", "taskNumber": 3,
        "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": -1}}]})");
    QCOMPARE(logNameOf(all.deciding), u"worker-0"_s);
    QVERIFY(!all.endsWithDecider); // all of them must succeed
    QVERIFY(workloadView(WorkloadKind::framework, oneTask).endsWithDecider);
}

void TestFrameworkView::whatIsNoFramework()
{
    for (const char* text : {"null", "[]", "7", "{}", R"({"metadata": {"name": null}})"})
        QVERIFY2(!readFramework(json(text)), text);
    const auto odd =
        readFramework(json(R"({"metadata": {"name": "x"}, "spec": {"taskRoles": [3, {"name": 5}]}, "status": []})"));
    QVERIFY(odd && !odd->isSeen && !odd->job.isFailed);
    const auto held = workloadView(WorkloadKind::framework, R"({"executionType": "Create"})", "null");
    QVERIFY(held.job.isSuspended && !held.isSeen);
}

void TestFrameworkView::slimObjectsAreReadAlike()
{
    Json object = workloadObject(WorkloadKind::framework, chiefAndWorkers,
        dumpJson(statusOf("Completed", "Completed", outOfMemory)).constData());
    object["spec"]["taskRoles"][0]["task"] = {{"pod", {{"spec", Json::object()}}}};
    const Json slim = slimOperatorObject(WorkloadKind::framework, object);
    QVERIFY(readWorkload(WorkloadKind::framework, slim) == readWorkload(WorkloadKind::framework, object));
    QVERIFY(!slim["spec"]["taskRoles"][0].contains("task"));
}

QTEST_APPLESS_MAIN(TestFrameworkView)
#include "tst_framework_view.moc"
