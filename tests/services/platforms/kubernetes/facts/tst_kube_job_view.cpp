// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

class TestKubeJobView : public QObject
{
    Q_OBJECT
private slots:
    void anActiveJob();
    void ends_data();
    void ends();
    void suspended();
    void whatIsNoJob();
};

void TestKubeJobView::anActiveJob()
{
    const JobView job = jobView(R"({"spec": {"activeDeadlineSeconds": 3600}})");
    QCOMPARE(job.name, u"td-s1-t1"_s);
    QCOMPARE(job.uid, u"job-1"_s);
    QCOMPARE(job.labels.value(u"trial"_s), u"t1"_s);
    QCOMPARE(job.annotations, (QMap<QString, QString>{{u"trialdeck/submission"_s, u"a1b2"_s}}));
    QCOMPARE(job.active, 1);
    QCOMPARE(job.ended, 0);
    QCOMPARE(job.deadlineSeconds, 3'600);
    QCOMPARE(job.startTime, noon);
    QCOMPARE(job.createdAt, noon - 1'000);
    QVERIFY(!job.isComplete && !job.isFailed && !job.isSuspended && !job.isDeleting);
    QVERIFY(jobView(R"({"metadata": {"deletionTimestamp": "2026-05-01T12:00:00Z"}})").isDeleting);
}

void TestKubeJobView::ends_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QString>("end");
    QTest::addColumn<qint64>("time");
    const auto row = [](const char* name, const char* status, const char* end, qint64 time) {
        QTest::newRow(name) << QByteArray(status) << QString::fromLatin1(end) << time;
    };
    row("complete", R"({"succeeded": 1, "completionTime": "2026-05-01T12:00:10Z",
        "conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": "2026-05-01T12:00:11Z"}]})",
        "complete", 10'000);
    row("complete without a time",
        R"({"conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": "2026-05-01T12:00:11Z"}]})",
        "complete", 11'000);
    row("criteria met",
        R"({"conditions": [{"type": "SuccessCriteriaMet", "status": "True", "lastTransitionTime": "2026-05-01T12:00:09Z"}]})",
        "complete", 9'000);
    row("failed", R"({"failed": 1, "conditions": [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded",
        "message": "Job has reached the specified backoff limit", "lastTransitionTime": "2026-05-01T12:00:12Z"}]})",
        "failed BackoffLimitExceeded", 12'000);
    row("about to fail", R"({"conditions": [{"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded",
        "lastTransitionTime": "2026-05-01T12:00:08Z"}]})",
        "failed DeadlineExceeded", 8'000);
    row("both", R"({"conditions": [{"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded",
        "lastTransitionTime": "2026-05-01T12:00:08Z"}, {"type": "Failed", "status": "True", "reason": "DeadlineExceeded",
        "lastTransitionTime": "2026-05-01T12:00:12Z"}]})",
        "failed DeadlineExceeded", 12'000);
    row("not failed",
        R"({"conditions": [{"type": "Failed", "status": "False"}, {"type": "Complete", "status": "Unknown"}]})", "", 0);
    row("odd", R"({"conditions": [{"type": "Failed", "status": true}, "Complete", null], "completionTime": 5})", "", 0);
    row("nothing", "{}", "", 0);
}

void TestKubeJobView::ends()
{
    QFETCH(QByteArray, status);
    QFETCH(QString, end);
    QFETCH(qint64, time);
    Json object = jobObject();
    object["status"] = json(status.constData());
    const JobView job = readJob(object).value();
    QCOMPARE(job.isComplete, end == "complete"_L1);
    QCOMPARE(job.isFailed, end.startsWith("failed"_L1));
    QCOMPARE(job.failedReason, end.startsWith("failed"_L1) ? end.mid(7) : QString());
    QCOMPARE(job.endTime, time ? std::optional(noon + time) : std::nullopt);
}

void TestKubeJobView::suspended()
{
    QVERIFY(jobView(R"({"spec": {"suspend": true}})").isSuspended);
    QVERIFY(jobView(R"({"status": {"conditions": [{"type": "Suspended", "status": "True"}]}})").isSuspended);
    QVERIFY(!jobView(R"({"status": {"conditions": [{"type": "Suspended", "status": "False"}]}})").isSuspended);
}

void TestKubeJobView::whatIsNoJob()
{
    for (const char* text : {"null", "[]", "7", "{}", R"({"metadata": {"name": null}})"})
        QVERIFY2(!readJob(json(text)), text);
    const auto odd = readJob(json(R"({"metadata": {"name": "x"}, "spec": 3, "status": []})"));
    QVERIFY(odd && !odd->isFailed && odd->active == 0);
}

QTEST_APPLESS_MAIN(TestKubeJobView)
#include "tst_kube_job_view.moc"
