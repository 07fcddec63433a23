// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/workload.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

using Labels = QMap<QString, QString>;

class TestPodPlace : public QObject
{
    Q_OBJECT
private slots:
    void places_data();
    void places();
    void logs();
    void whoDecides_data();
    void whoDecides();
    void whoDecidesOfAFramework();
};

void TestPodPlace::places_data()
{
    QTest::addColumn<Labels>("labels");
    QTest::addColumn<QString>("place"); // empty: none
    QTest::addColumn<QString>("workload");
    const auto row = [](const char* name, const Labels& labels, const char* place, const char* workload) {
        QTest::newRow(name) << labels << QString::fromLatin1(place) << QString::fromLatin1(workload);
    };
    row("Training Operator",
        {{u"training.kubeflow.org/job-name"_s, u"j"_s}, {u"training.kubeflow.org/replica-type"_s, u"worker"_s},
            {u"training.kubeflow.org/replica-index"_s, u"12"_s}},
        "worker-12", "j");
    row("launcher, without index",
        {{u"training.kubeflow.org/job-name"_s, u"j"_s}, {u"training.kubeflow.org/replica-type"_s, u"launcher"_s}},
        "launcher-0", "j");
    row("FrameworkController",
        {{u"FC_FRAMEWORK_NAME"_s, u"f"_s}, {u"FC_TASKROLE_NAME"_s, u"ps"_s}, {u"FC_TASK_INDEX"_s, u"1"_s}}, "ps-1",
        "f");
    row("JobSet",
        {{u"jobset.sigs.k8s.io/jobset-name"_s, u"t"_s}, {u"jobset.sigs.k8s.io/replicatedjob-name"_s, u"node"_s},
            {u"batch.kubernetes.io/job-completion-index"_s, u"3"_s}, {u"batch.kubernetes.io/job-name"_s, u"t-node-0"_s},
            {u"job-name"_s, u"t-node-0"_s}},
        "node-3", "t");
    row("operators before it",
        {{u"job-name"_s, u"j"_s}, {u"replica-type"_s, u"Worker"_s}, {u"replica-index"_s, u"0"_s}}, "worker-0", "j");
    row("tf-operator", {{u"tf-job-name"_s, u"j"_s}, {u"tf-replica-type"_s, u"ps"_s}, {u"tf-replica-index"_s, u"1"_s}},
        "ps-1", "j");
    row("pytorch-operator",
        {{u"pytorch-job-name"_s, u"j"_s}, {u"pytorch-replica-type"_s, u"master"_s},
            {u"pytorch-replica-index"_s, u"0"_s}},
        "master-0", "j");
    row("a Job's pod", {{u"job-name"_s, u"j"_s}, {u"batch.kubernetes.io/job-name"_s, u"j"_s}}, "", "");
    row("no number", {{u"FC_TASKROLE_NAME"_s, u"ps"_s}, {u"FC_TASK_INDEX"_s, u"-1"_s}}, "", "");
    row("too large a number", {{u"FC_TASKROLE_NAME"_s, u"ps"_s}, {u"FC_TASK_INDEX"_s, u"10000"_s}}, "", "");
    row("none", {}, "", "");
}

void TestPodPlace::places()
{
    QFETCH(Labels, labels);
    QFETCH(QString, place);
    QFETCH(QString, workload);
    const std::optional<PodPlace> found = placeOf(labels);
    QCOMPARE(found ? logNameOf(*found) : QString(), place);
    QCOMPARE(workloadOf(labels), workload);
    QVERIFY(!found || placeOfLog(place) == found);
}

void TestPodPlace::logs()
{
    QCOMPARE(logNames({{u"worker"_s, 10}, {u"worker"_s, 2}, {u"master"_s, 0}, {u"worker"_s, 2}}, {u"master"_s, 0}),
        (QStringList{u"stdout"_s, u"worker-2"_s, u"worker-10"_s}));
    QCOMPARE(logNames({}, {u"node"_s, 0}), QStringList{u"stdout"_s});
    for (const QString& name : {u"stdout"_s, u"worker"_s, u"worker-"_s, u"-1"_s, u"worker-01"_s, u"worker-x"_s, u""_s})
        QVERIFY2(!placeOfLog(name), qPrintable(name));
}

void TestPodPlace::whoDecides_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("roles");
    QTest::addColumn<QString>("deciding");
    const auto row = [](const char* kind, const QStringList& roles, const char* deciding) {
        QTest::addRow("%s %s", kind, qPrintable(roles.join(u' ')))
            << QString::fromLatin1(kind) << roles << QString::fromLatin1(deciding);
    };
    row("PyTorchJob", {u"Worker"_s, u"Master"_s}, "Master");
    row("PyTorchJob", {u"Worker"_s}, "Worker");
    row("TFJob", {u"PS"_s, u"Worker"_s, u"Evaluator"_s, u"Chief"_s}, "Chief");
    row("TFJob", {u"Worker"_s, u"Master"_s}, "Master");
    row("TFJob", {u"PS"_s, u"Worker"_s}, "Worker");
    row("MPIJob", {u"Worker"_s, u"Launcher"_s}, "Launcher");
    row("TrainJob", {u"node"_s}, "node");
    row("TFJob", {}, "");
}

void TestPodPlace::whoDecides()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, roles);
    QFETCH(QString, deciding);
    QList<RoleSize> sizes;
    for (const QString& role : roles)
        sizes.append({role, 1});
    QCOMPARE(decidingRoleOf(workloadKind(kind).value(), sizes), deciding);
}

void TestPodPlace::whoDecidesOfAFramework()
{
    QCOMPARE(decidingRoleOf({{1, -1}, {-1, -1}, {1, 1}, {-1, 2}}), 2); // the first whose success ends it
    QCOMPARE(decidingRoleOf({{-1, -1}, {1, -1}}), 1);                  // else the first whose failure does
    QCOMPARE(decidingRoleOf({{-1, -1}, {-1, -1}}), 0);
    QCOMPARE(decidingRoleOf(QList<CompletionPolicy>()), 0);
}

QTEST_APPLESS_MAIN(TestPodPlace)
#include "tst_pod_place.moc"
