// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

class TestTrainJobView : public QObject
{
    Q_OBJECT
private slots:
    void theObject();
    void courses_data();
    void courses();
    void whoDecides();
    void whatIsNoJob();
    void slimObjectsAreReadAlike();
};

void TestTrainJobView::theObject()
{
    const WorkloadView view = workloadView(
        WorkloadKind::trainJob, R"({"trainer": {"numNodes": 2}, "activeDeadlineSeconds": 60, "suspend": false})");
    QCOMPARE(view.job.name, u"td-s1-t1"_s);
    QCOMPARE(view.job.deadlineSeconds, 60);
    QCOMPARE(view.roles, (QList<RoleSize>{{u"node"_s, 2}}));
    QVERIFY(!view.isSeen && !view.isRunning && !view.job.isSuspended);
    QVERIFY(!workloadView(WorkloadKind::trainJob, R"({"activeDeadlineSeconds": 0})").job.deadlineSeconds);
}

void TestTrainJobView::courses_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* status, const char* words) {
        QTest::newRow(name) << QByteArray(status) << QString::fromLatin1(words);
    };
    row("nothing", "{}", "");
    row("waiting", R"({"jobsStatus": [{"name": "node", "ready": 0, "active": 1}]})", "seen 1 0");
    row("running", R"({"jobsStatus": [{"name": "node", "ready": 1, "active": 1, "succeeded": 0, "failed": 0}]})",
        "seen running 1 0");
    row("another job runs", R"({"jobsStatus": [{"name": "dataset-initializer", "ready": 1, "active": 1}]})", "seen");
    row("suspended", R"({"conditions": [{"type": "Suspended", "status": "True", "reason": "Suspended"}]})",
        "seen suspended");
    row("resumed", R"({"conditions": [{"type": "Suspended", "status": "False", "reason": "Resumed"}]})", "seen");
    row("complete", R"({"conditions": [{"type": "Complete", "status": "True", "reason": "AllJobsCompleted",
        "lastTransitionTime": "2026-05-01T12:00:07Z"}], "jobsStatus": [{"name": "node", "succeeded": 1, "ready": 1}]})",
        "seen complete at 7 0 1");
    for (const char* reason : {"FailedJobs", "TrainingRuntimeNotSupported", "DeadlineExceeded"})
        row(reason,
            (QByteArray(R"({"conditions": [{"type": "Failed", "status": "True", "message": "m", "reason": ")") + reason
                + R"(", "lastTransitionTime": "2026-05-01T12:00:08Z"}]})")
                .constData(),
            (QByteArray("seen failed ") + reason + " at 8").constData());
    row("not failed",
        R"({"conditions": [{"type": "Failed", "status": "False"}, {"type": "Complete", "status": "Unknown"}]})",
        "seen");
    row("odd", R"({"conditions": {"type": "Failed"}, "jobsStatus": [3, {"name": "node", "ready": -1, "active": "x"}]})",
        "seen");
}

void TestTrainJobView::courses()
{
    QFETCH(QByteArray, status);
    QFETCH(QString, words);
    const WorkloadView view = workloadView(WorkloadKind::trainJob, "{}", status.constData());
    QStringList said;
    if (view.isSeen)
        said.append(u"seen"_s);
    if (view.job.isSuspended)
        said.append(u"suspended"_s);
    if (view.isRunning)
        said.append(u"running"_s);
    if (view.job.isComplete)
        said.append(u"complete"_s);
    if (view.job.isFailed)
        said.append(u"failed "_s + view.job.failedReason);
    if (view.job.endTime)
        said.append(u"at %1"_s.arg((*view.job.endTime - noon) / 1'000));
    if (view.job.active > 0 || view.job.ended > 0)
        said.append(u"%1 %2"_s.arg(view.job.active).arg(view.job.ended));
    QCOMPARE(said.join(u' '), words);
}

void TestTrainJobView::whoDecides()
{
    const char* const twoNodes = R"({"trainer": {"numNodes": 2}})";
    const WorkloadView nodes = workloadView(WorkloadKind::trainJob, twoNodes);
    QCOMPARE(logNameOf(nodes.deciding), u"node-0"_s);
    QVERIFY(!nodes.endsWithDecider); // all nodes must succeed
    QVERIFY(workloadView(WorkloadKind::trainJob, "{}").endsWithDecider);
    const WorkloadView mpi = workloadView(
        WorkloadKind::trainJob, twoNodes, R"({"jobsStatus": [{"name": "node"}, {"name": "launcher", "ready": 1}]})");
    QCOMPARE(logNameOf(mpi.deciding), u"launcher-0"_s);
    QVERIFY(mpi.endsWithDecider && mpi.isRunning);
    QCOMPARE(mpi.podCount(), 3);
}

void TestTrainJobView::whatIsNoJob()
{
    for (const char* text : {"null", "[]", "7", "{}", R"({"metadata": {"name": 1}})"})
        QVERIFY2(!readTrainJob(json(text)), text);
    const auto odd = readTrainJob(json(R"({"metadata": {"name": "x"}, "spec": 3, "status": []})"));
    QVERIFY(odd && !odd->job.isFailed && !odd->isSeen);
}

void TestTrainJobView::slimObjectsAreReadAlike()
{
    const Json object = workloadObject(WorkloadKind::trainJob,
        R"({"trainer": {"numNodes": 2, "env": [{"name": "A"}]}, "activeDeadlineSeconds": 60, "runtimeRef": {"name": "r"}})",
        R"({"jobsStatus": [{"name": "node", "ready": 1}]})");
    const Json slim = slimOperatorObject(WorkloadKind::trainJob, object);
    QVERIFY(readWorkload(WorkloadKind::trainJob, slim) == readWorkload(WorkloadKind::trainJob, object));
    QVERIFY(!slim["spec"]["trainer"].contains("env"));
}

QTEST_APPLESS_MAIN(TestTrainJobView)
#include "tst_train_job_view.moc"
