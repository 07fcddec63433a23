// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/workload_kind.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

const QString service = u"s0123456789abcde"_s;
const TrialId trial(u"t1nb4ka9000001"_s);

} // namespace

class TestWorkloadKind : public QObject
{
    Q_OBJECT
private slots:
    void kinds_data();
    void kinds();
    void roles_data();
    void roles();
    void names_data();
    void names();
    void longNamesAreRefused();
};

void TestWorkloadKind::kinds_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("resource");
    QTest::addColumn<QString>("container");
    QTest::addColumn<QString>("policy");
    const auto row = [](const char* word, const char* resource, const char* container, const char* policy) {
        QTest::newRow(word) << QString::fromLatin1(word) << QString::fromLatin1(resource)
                            << QString::fromLatin1(container) << QString::fromLatin1(policy);
    };
    row("PyTorchJob", "pytorchjobs.kubeflow.org", "pytorch", "Background");
    row("TFJob", "tfjobs.kubeflow.org", "tensorflow", "Background");
    row("MPIJob", "mpijobs.kubeflow.org", "mpi", "Background");
    row("TrainJob", "trainjobs.trainer.kubeflow.org", "node", "Background");
    row("Framework", "frameworks.frameworkcontroller.microsoft.com", "framework", "Foreground");
}

void TestWorkloadKind::kinds()
{
    QFETCH(QString, word);
    QFETCH(QString, resource);
    QFETCH(QString, container);
    QFETCH(QString, policy);
    const std::optional<WorkloadKind> kind = workloadKind(word.toLower());
    QVERIFY(kind);
    QCOMPARE(kindWord(*kind), word);
    QCOMPARE(resourceText(workloadResource(*kind)), resource);
    QCOMPARE(QString::fromLatin1(traitsOf(*kind).container), container);
    QCOMPARE(deletionPolicy(*kind), policy);
    QVERIFY(!workloadKind(word + u'x'));
}

void TestWorkloadKind::roles_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("name"); // empty: none
    const auto row = [](const char* kind, const char* word, const char* name) {
        QTest::addRow("%s %s", kind, word)
            << QString::fromLatin1(kind) << QString::fromLatin1(word) << QString::fromLatin1(name);
    };
    row("PyTorchJob", "master", "Master");
    row("PyTorchJob", "ps", "");
    row("TFJob", "Ps", "PS");
    row("TFJob", "chief", "Chief");
    row("MPIJob", "LAUNCHER", "Launcher");
    row("MPIJob", "master", "");
    row("TrainJob", "Node", "node");
    row("Framework", "worker2", "worker2");
    row("Framework", "worker-2", "");
    row("Framework", "Worker", "");
    row("Framework", "", "");
}

void TestWorkloadKind::roles()
{
    QFETCH(QString, kind);
    QFETCH(QString, word);
    QFETCH(QString, name);
    QCOMPARE(roleName(workloadKind(kind).value(), word), name.isEmpty() ? std::nullopt : std::optional(name));
}

void TestWorkloadKind::names_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("role");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("pod");
    const auto row = [](const char* kind, const char* role, const char* name, const char* pod) {
        QTest::addRow("%s %s", kind, role) << QString::fromLatin1(kind) << QString::fromLatin1(role)
                                           << QString::fromLatin1(name) << QString::fromLatin1(pod);
    };
    const char* const name = "td-s0123456789abcde-t1nb4ka9000001";
    row("PyTorchJob", "Worker", name, "td-s0123456789abcde-t1nb4ka9000001-worker-2");
    row("TFJob", "PS", name, "td-s0123456789abcde-t1nb4ka9000001-ps-2");
    row("MPIJob", "Worker", name, "td-s0123456789abcde-t1nb4ka9000001-worker-2");
    row("MPIJob", "Launcher", name, "td-s0123456789abcde-t1nb4ka9000001-launcher");
    row("TrainJob", "node", name, "td-s0123456789abcde-t1nb4ka9000001-node-0-2");
    row("Framework", "worker", "tds0123456789abcdet1nb4ka9000001", "tds0123456789abcdet1nb4ka9000001-worker-2");
}

void TestWorkloadKind::names()
{
    QFETCH(QString, kind);
    QFETCH(QString, role);
    QFETCH(QString, name);
    QFETCH(QString, pod);
    const WorkloadKind is = workloadKind(kind).value();
    const Result<QString> made = workloadName(is, service, trial, {{role, 3}});
    QVERIFY(made);
    QCOMPARE(*made, name);
    QCOMPARE(workloadPodName(is, *made, role, 2), pod);
    QCOMPARE(trialOfWorkload(is, service, *made), trial);
    QVERIFY(trialOfWorkload(is, u"s2"_s, *made).isEmpty());
    QVERIFY(trialOfWorkload(is, service, {}).isEmpty());
}

void TestWorkloadKind::longNamesAreRefused()
{
    // 32 of "td" and the ids leave 31 for two dashes, the role and its index.
    QVERIFY(workloadName(WorkloadKind::framework, service, trial, {{QString(27, u'r'), 100}}));
    const auto tooLong = workloadName(WorkloadKind::framework, service, trial, {{QString(27, u'r'), 1'001}});
    QVERIFY(!tooLong);
    QVERIFY2(tooLong.error().message.contains(u"Shorten the names"), qPrintable(tooLong.error().message.text()));
    // 48 of the name, "-node-0-" with the index, and six that the Job puts behind.
    const TrialId longTrial(QString(28, u't'));
    QVERIFY(workloadName(WorkloadKind::trainJob, service, longTrial, {{u"node"_s, 10}}));
    QVERIFY(!workloadName(WorkloadKind::trainJob, service, longTrial, {{u"node"_s, 1'000}}));
    QVERIFY(!workloadName(WorkloadKind::pytorchJob, service, TrialId(QString(60, u't')), {}));
    QVERIFY(!workloadName(WorkloadKind::framework, service, TrialId(u"t_1"_s), {}));
}

QTEST_APPLESS_MAIN(TestWorkloadKind)
#include "tst_workload_kind.moc"
