// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

namespace {

/// What is read of the course, in words, with the seconds of the end.
QString wordsOf(const WorkloadView& view)
{
    QStringList words;
    if (!view.isSeen)
        words.append(u"unseen"_s);
    if (view.job.isSuspended)
        words.append(u"suspended"_s);
    if (view.isWaitingAgain)
        words.append(u"again"_s);
    if (view.isRunning)
        words.append(u"running"_s);
    if (view.job.isComplete)
        words.append(u"complete"_s);
    if (view.job.isFailed)
        words.append(u"failed "_s + view.job.failedReason);
    if (view.job.endTime)
        words.append(u"at %1"_s.arg((*view.job.endTime - noon) / 1'000));
    return words.join(u", "_s);
}

const char* const created = R"({"type": "Created", "status": "True", "reason": "PyTorchJobCreated"})";

} // namespace

class TestTrainingJobView : public QObject
{
    Q_OBJECT
private slots:
    void theObject();
    void conditions_data();
    void conditions();
    void successAndFailure_data();
    void successAndFailure();
    void deadlines();
    void roles_data();
    void roles();
    void whatIsNoJob();
    void slimObjectsAreReadAlike();
};

void TestTrainingJobView::theObject()
{
    const WorkloadView view = workloadView(WorkloadKind::pytorchJob, masterAndWorkers,
        R"({"startTime": "2026-05-01T12:00:01Z", "replicaStatuses": {"Master": {"active": 1}, "Worker": {"active": 2}},
            "conditions": [{"type": "Created", "status": "True"}, {"type": "Running", "status": "True"}]})");
    QCOMPARE(view.job.name, u"td-s1-t1"_s);
    QCOMPARE(view.job.uid, u"job-1"_s);
    QCOMPARE(view.job.labels.value(u"trialdeck-trial"_s), u"t1"_s);
    QCOMPARE(view.job.createdAt, noon);
    QCOMPARE(view.job.startTime, noon + 1'000);
    QCOMPARE(view.job.deadlineSeconds, 3'600);
    QCOMPARE(view.job.active, 1); // of the master alone
    QCOMPARE(view.job.ended, 0);
    QCOMPARE(view.podCount(), 3);
    QVERIFY(view.kind == WorkloadKind::pytorchJob);
    QVERIFY(!view.job.isDeleting);
}

void TestTrainingJobView::conditions_data()
{
    QTest::addColumn<QByteArray>("conditions"); // behind Created
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* conditions, const char* words) {
        QTest::newRow(name) << QByteArray(conditions) << QString::fromLatin1(words);
    };
    row("created", "", "");
    row("running", R"(, {"type": "Running", "status": "True", "reason": "PyTorchJobRunning"})", "running");
    row("running no more", R"(, {"type": "Running", "status": "False"})", "");
    row("restarting", R"(, {"type": "Restarting", "status": "True", "reason": "PyTorchJobRestarting"})", "again");
    row("running again", R"(, {"type": "Restarting", "status": "False"}, {"type": "Running", "status": "True"})",
        "running");
    row("suspended", R"(, {"type": "Suspended", "status": "True", "reason": "PyTorchJobSuspended"})", "suspended");
    row("resumed", R"(, {"type": "Suspended", "status": "False", "reason": "PyTorchJobResumed"})", "");
    row("succeeded", R"(, {"type": "Running", "status": "False"}, {"type": "Succeeded", "status": "True",
        "reason": "PyTorchJobSucceeded", "lastTransitionTime": "2026-05-01T12:00:07Z"})",
        "complete, at 7");
    row("succeeded, and it still says that it runs", R"(, {"type": "Succeeded", "status": "True"},
        {"type": "Running", "status": "True"})",
        "complete");
    row("failed", R"(, {"type": "Running", "status": "False"}, {"type": "Failed", "status": "True",
        "reason": "PyTorchJobFailed", "lastTransitionTime": "2026-05-01T12:00:08Z"})",
        "failed PyTorchJobFailed, at 8");
    row("evicted", R"(, {"type": "Failed", "status": "True", "reason": "MPIJobEvicted"})", "failed MPIJobEvicted");
    row("invalid", R"(, {"type": "Failed", "status": "True", "reason": "TFJobFailedValidation"})",
        "failed TFJobFailedValidation");
    row("failed no more", R"(, {"type": "Failed", "status": "False"})", "");
    row("the last of a type counts",
        R"(, {"type": "Running", "status": "True"}, {"type": "Running", "status": "False"})", "");
    row("odd", R"(, {"type": "Failed", "status": true}, "Succeeded", null, 7, {"type": 3})", "");
}

void TestTrainingJobView::conditions()
{
    QFETCH(QByteArray, conditions);
    QFETCH(QString, words);
    const QByteArray status = R"({"conditions": [)" + QByteArray(created) + conditions + "]}";
    for (const WorkloadKind kind : {WorkloadKind::pytorchJob, WorkloadKind::tfJob, WorkloadKind::mpiJob})
        QCOMPARE(wordsOf(workloadView(kind, "{}", status.constData())), words);
}

void TestTrainingJobView::successAndFailure_data()
{
    QTest::addColumn<QByteArray>("replicas");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* replicas, const char* words) {
        QTest::newRow(name) << QByteArray(replicas) << QString::fromLatin1(words);
    };
    row("the master succeeded", R"({"Master": {"succeeded": 1}, "Worker": {"failed": 1}})", "complete, at 9");
    row("the master did not", R"({"Master": {"active": 1}, "Worker": {"failed": 1, "succeeded": 1}})",
        "failed PyTorchJobFailed, at 8");
    row("nothing is known", "null", "failed PyTorchJobFailed, at 8");
}

/// Both conditions hold: Failed wins, unless all that decide have succeeded.
void TestTrainingJobView::successAndFailure()
{
    QFETCH(QByteArray, replicas);
    QFETCH(QString, words);
    const char* const succeeded =
        R"({"type": "Succeeded", "status": "True", "lastTransitionTime": "2026-05-01T12:00:07Z"})";
    const char* const failed = R"({"type": "Failed", "status": "True", "reason": "PyTorchJobFailed",
        "lastTransitionTime": "2026-05-01T12:00:08Z"})";
    for (const auto& [first, second] : {std::pair(succeeded, failed), std::pair(failed, succeeded)}) {
        const QByteArray status = QByteArray(R"({"completionTime": "2026-05-01T12:00:09Z", "conditions": [)") + first
            + ',' + second + R"(], "replicaStatuses": )" + replicas + '}';
        QCOMPARE(wordsOf(workloadView(WorkloadKind::pytorchJob, masterAndWorkers, status.constData())), words);
    }
}

void TestTrainingJobView::deadlines()
{
    const char* const status = R"({"conditions": [{"type": "Failed", "status": "True", "reason": "PyTorchJobFailed",
        "message": "Job td-s1-t1 has failed because it was active longer than specified deadline"}]})";
    QCOMPARE(wordsOf(workloadView(WorkloadKind::pytorchJob, masterAndWorkers, status)), u"failed DeadlineExceeded"_s);
    // It has none: then it is what the operator calls it.
    QCOMPARE(wordsOf(workloadView(WorkloadKind::pytorchJob, twoWorkers, status)), u"failed PyTorchJobFailed"_s);
}

void TestTrainingJobView::roles_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("spec");
    QTest::addColumn<QString>("deciding");
    QTest::addColumn<bool>("endsWithDecider");
    const auto row = [](const char* name, const char* kind, const char* spec, const char* deciding, bool isAlone) {
        QTest::newRow(name) << QString::fromLatin1(kind) << QByteArray(spec) << QString::fromLatin1(deciding)
                            << isAlone;
    };
    row("master and workers", "PyTorchJob", masterAndWorkers, "master-0", true);
    row("workers", "PyTorchJob", twoWorkers, "worker-0", false);
    row("one worker", "PyTorchJob", R"({"pytorchReplicaSpecs": {"Worker": {}}})", "worker-0", true);
    row("any case", "PyTorchJob", R"({"pytorchReplicaSpecs": {"worker": {"replicas": 2}, "MASTER": {}}})", "master-0",
        true);
    row("chief", "TFJob", R"({"tfReplicaSpecs": {"PS": {"replicas": 2}, "Worker": {"replicas": 2}, "Chief": {}}})",
        "chief-0", true);
    row("the first worker", "TFJob", R"({"tfReplicaSpecs": {"PS": {"replicas": 2}, "Worker": {"replicas": 2}}})",
        "worker-0", true);
    row("all workers", "TFJob", R"({"successPolicy": "AllWorkers", "tfReplicaSpecs": {"Worker": {"replicas": 2}}})",
        "worker-0", false);
    row("launcher", "MPIJob", R"({"mpiReplicaSpecs": {"Launcher": {"replicas": 1}, "Worker": {"replicas": 4}}})",
        "launcher-0", true);
}

void TestTrainingJobView::roles()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, spec);
    QFETCH(QString, deciding);
    QFETCH(bool, endsWithDecider);
    const WorkloadView view = workloadView(workloadKind(kind).value(), spec.constData());
    QCOMPARE(logNameOf(view.deciding), deciding);
    QCOMPARE(view.endsWithDecider, endsWithDecider);
}

void TestTrainingJobView::whatIsNoJob()
{
    for (const char* text : {"null", "[]", "7", "{}", R"({"metadata": {"name": null}})"})
        QVERIFY2(!readTrainingJob(WorkloadKind::tfJob, json(text)), text);
    const auto odd = readTrainingJob(WorkloadKind::pytorchJob,
        json(R"({"metadata": {"name": "x"}, "spec": {"pytorchReplicaSpecs": [1], "runPolicy": 3}, "status": []})"));
    QVERIFY(odd && odd->roles.isEmpty() && !odd->job.isFailed && !odd->isSeen);
    const WorkloadView suspended = workloadView(WorkloadKind::mpiJob, R"({"runPolicy": {"suspend": true}})");
    QVERIFY(suspended.job.isSuspended);
}

void TestTrainingJobView::slimObjectsAreReadAlike()
{
    Json object = workloadObject(WorkloadKind::pytorchJob, masterAndWorkers,
        R"({"conditions": [{"type": "Running", "status": "True"}], "replicaStatuses": {"Master": {"active": 1}}})");
    object["spec"]["pytorchReplicaSpecs"]["Master"]["template"] = {{"spec", {{"containers", Json::array()}}}};
    object["metadata"]["managedFields"] = Json::array({1});
    const Json slim = slimOperatorObject(WorkloadKind::pytorchJob, object);
    QVERIFY(readWorkload(WorkloadKind::pytorchJob, slim) == readWorkload(WorkloadKind::pytorchJob, object));
    QVERIFY(!slim["spec"]["pytorchReplicaSpecs"]["Master"].contains("template"));
    QVERIFY(!slim["metadata"].contains("managedFields"));
}

QTEST_APPLESS_MAIN(TestTrainingJobView)
#include "tst_training_job_view.moc"
