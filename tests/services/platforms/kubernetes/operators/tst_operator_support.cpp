// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/operator_support.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

Json parsed(const char* text)
{
    auto read = parseJson(text);
    return read ? *read : Json("damaged");
}

/// The answer to `GET /apis`.
const char* const groups = R"({"kind": "APIGroupList", "groups": [
    {"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}]},
    {"name": "kubeflow.org", "versions": [{"groupVersion": "kubeflow.org/v2beta1", "version": "v2beta1"},
        {"groupVersion": "kubeflow.org/v1", "version": "v1"}], "preferredVersion": {"version": "v1"}},
    {"name": "trainer.kubeflow.org", "versions": [{"version": "v2"}]}]})";
const char* const resources = R"({"kind": "APIResourceList", "groupVersion": "kubeflow.org/v1", "resources": [
    {"name": "pytorchjobs", "kind": "PyTorchJob", "namespaced": true, "verbs": ["create"]},
    {"name": "pytorchjobs/status", "kind": "PyTorchJob"}, {"name": "tfjobs", "kind": "Other"}]})";

Json definitionWith(const char* members)
{
    Json definition =
        parsed(R"({"spec": {"versions": [{"name": "v0", "schema": {"openAPIV3Schema": {"properties": {"spec":
        {"properties": {"runtimePatches": {}}}}}}}, {"name": "v1alpha1", "served": true}]}})");
    definition["spec"]["versions"][1]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] =
        parsed(members);
    return definition;
}

} // namespace

class TestOperatorSupport : public QObject
{
    Q_OBJECT
private slots:
    void versions();
    void kinds();
    void findings_data();
    void findings();
    void trainers();
    void anyAnswerCanBeRead();
};

void TestOperatorSupport::versions()
{
    QCOMPARE(servedVersions(WorkloadKind::tfJob, parsed(groups)), (QStringList{u"v1"_s, u"v2beta1"_s}));
    QCOMPARE(servedVersions(WorkloadKind::trainJob, parsed(groups)), QStringList{u"v2"_s});
    QVERIFY(servedVersions(WorkloadKind::framework, parsed(groups)).isEmpty());
    QCOMPARE(definitionName(WorkloadKind::trainJob), u"trainjobs.trainer.kubeflow.org"_s);
}

void TestOperatorSupport::kinds()
{
    QVERIFY(servesKind(WorkloadKind::pytorchJob, parsed(resources)));
    QVERIFY(!servesKind(WorkloadKind::tfJob, parsed(resources)));
    QVERIFY(!servesKind(WorkloadKind::mpiJob, parsed(resources)));
}

void TestOperatorSupport::findings_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("isThere");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* kind, bool isThere, const char* words) {
        QTest::newRow(kind) << QString::fromLatin1(kind) << isThere << QString::fromLatin1(words);
    };
    row("PyTorchJob", true, "Kubeflow Training Operator serves PyTorchJob v1");
    row("MPIJob", false,
        "The cluster knows no MPIJob: it has no Kubeflow Training Operator, or another version of it. How it is "
        "installed is on "
        "the page \"Training Operator: Installation\".");
    row("TrainJob", false,
        "The cluster knows a TrainJob only as v2, and v1alpha1 is needed: its Kubeflow Trainer is another version. How "
        "it is "
        "installed is on the page \"Kubeflow Trainer: Installation\".");
    row("Framework", false,
        "The cluster knows no Framework: it has no FrameworkController, or another version of it. How it is installed "
        "is on the "
        "page \"FrameworkController: Run Controller\".");
}

void TestOperatorSupport::findings()
{
    QFETCH(QString, kind);
    QFETCH(bool, isThere);
    QFETCH(QString, words);
    const Result<Message> found = operatorFinding(workloadKind(kind).value(), parsed(groups), parsed(resources));
    QCOMPARE(found.has_value(), isThere);
    QCOMPARE(found ? found->text() : found.error().message.text(), words);
    QVERIFY(found || found.error().kind == Kind::not_found);
}

void TestOperatorSupport::trainers()
{
    QVERIFY(trainSupport(definitionWith(R"({"podSpecOverrides": {}, "trainer": {}})")) == TrainSupport{}); // 2.0
    QVERIFY(trainSupport(definitionWith(R"({"podTemplateOverrides": {}})"))
        == (TrainSupport{TrainForm::podTemplateOverrides, false}));
    QVERIFY(trainSupport(definitionWith(R"({"runtimePatches": {}, "activeDeadlineSeconds": {}})"))
        == (TrainSupport{TrainForm::runtimePatches, true}));
}

void TestOperatorSupport::anyAnswerCanBeRead()
{
    for (const char* text :
        {"null", "[]", "7", "{}", R"({"groups": {"name": "kubeflow.org"}})",
            R"({"groups": [null, {"name": "kubeflow.org", "versions": [3, {"version": 5}], "preferredVersion": "v1"}]})",
            R"({"resources": [{"name": 3}]})", R"({"spec": {"versions": [{"name": "v1alpha1", "schema": []}]}})"}) {
        const Json answer = parsed(text);
        QVERIFY2(servedVersions(WorkloadKind::tfJob, answer).isEmpty(), text);
        QVERIFY2(!servesKind(WorkloadKind::tfJob, answer), text);
        QVERIFY2(trainSupport(answer) == TrainSupport{}, text);
        QVERIFY2(!operatorFinding(WorkloadKind::tfJob, answer, answer), text);
    }
}

QTEST_APPLESS_MAIN(TestOperatorSupport)
#include "tst_operator_support.moc"
