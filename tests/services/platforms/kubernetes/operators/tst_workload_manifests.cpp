// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/framework_manifest.h"
#include "services/platforms/kubernetes/operators/train_job_manifest.h"
#include "services/platforms/kubernetes/operators/training_manifest.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

PodValues plainPod()
{
    PodValues pod;
    pod.labels = {{u"trialdeck-trial"_s, u"t1"_s}};
    pod.image = u"python:3.12-slim"_s;
    pod.trialId = u"t1"_s;
    pod.command = "python3 train.py";
    pod.parameters = "{}";
    pod.keeperMap = u"keeper"_s;
    pod.gpuResource = u"nvidia.com/gpu"_s;
    return pod;
}

RoleValues role(const char* name, int count = 1, const CompletionPolicy& completion = {})
{
    return {.name = QString::fromLatin1(name), .count = count, .pod = plainPod(), .completion = completion};
}

template <typename Values>
Values valuesOf(const QList<RoleValues>& roles)
{
    Values values;
    values.name = u"td-s1-t1"_s;
    values.labels = {{u"trialdeck-trial"_s, u"t1"_s}};
    values.roles = roles;
    return values;
}

/// The word behind `option` among the container's.
std::string wordOf(const Json& container, const std::string& option)
{
    const Json& words = container["command"];
    for (size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == option)
            return words[i + 1].get<std::string>();
    return "absent";
}

const Json* named(const Json& list, const std::string& name)
{
    for (const Json& one : list)
        if (one["name"] == name)
            return &one;
    return nullptr;
}

QString problemOf(const Result<Json>& made)
{
    return made ? QString() : made.error().message.text();
}

} // namespace

class TestWorkloadManifests : public QObject
{
    Q_OBJECT
private slots:
    void framework();
    void frameworkWithABarrier();
    void policies();
    void trainingJobs_data();
    void trainingJobs();
    void mpiJob();
    void limitsAndQueues();
    void templatesNameTheTrialsContainer();
    void roles_data();
    void roles();
    void ownRuntime();
    void podTemplateOverrides();
    void runtimePatches();
    void whatOverridesCannot_data();
    void whatOverridesCannot();
    void badPods();
};

void TestWorkloadManifests::framework()
{
    FrameworkValues values = valuesOf<FrameworkValues>({role("ps", 1, {1, -1}), role("worker", 2, {1, 2})});
    values.name = u"tds1t1"_s;
    values.deadlineSeconds = 60;
    const Result<Json> made = frameworkManifest(values);
    QVERIFY2(made, qPrintable(problemOf(made)));
    QVERIFY((*made)["apiVersion"] == "frameworkcontroller.microsoft.com/v1" && (*made)["kind"] == "Framework");
    QVERIFY((*made)["metadata"]["name"] == "tds1t1");
    QVERIFY((*made)["metadata"]["labels"]["trialdeck-trial"] == "t1");
    const Json& spec = (*made)["spec"];
    QVERIFY(spec["executionType"] == "Start");
    QVERIFY(spec["retryPolicy"]["maxRetryCount"] == 0 && spec["retryPolicy"]["fancyRetryPolicy"] == false);
    QCOMPARE(spec["taskRoles"].size(), 2U);
    const Json& worker = spec["taskRoles"][1];
    QVERIFY(worker["name"] == "worker" && worker["taskNumber"] == 2);
    QVERIFY(worker["frameworkAttemptCompletionPolicy"]["minFailedTaskCount"] == 1);
    QVERIFY(worker["frameworkAttemptCompletionPolicy"]["minSucceededTaskCount"] == 2);
    QVERIFY(worker["task"]["retryPolicy"]["maxRetryCount"] == 0);
    const Json& pod = worker["task"]["pod"];
    QVERIFY(pod["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(pod["spec"]["restartPolicy"] == "Never");
    QVERIFY(pod["spec"]["activeDeadlineSeconds"] == 60);
    QVERIFY(pod["spec"]["containers"][0]["name"] == "framework");
    QCOMPARE(wordOf(pod["spec"]["containers"][0], "--linger"), "15"); // its log goes as soon as it has ended
    QVERIFY(pod["spec"]["terminationGracePeriodSeconds"] == 30);
    QVERIFY(!pod["spec"].contains("initContainers"));
    for (RoleValues& role : values.roles)
        role.pod.isLogRead = false;
    const Result<Json> unread = frameworkManifest(values);
    QVERIFY(unread);
    QCOMPARE(wordOf((*unread)["spec"]["taskRoles"][1]["task"]["pod"]["spec"]["containers"][0], "--linger"), "absent");
}

void TestWorkloadManifests::frameworkWithABarrier()
{
    FrameworkValues values = valuesOf<FrameworkValues>({role("ps"), role("worker", 2)});
    values.barrierImage = u"frameworkcontroller/frameworkbarrier"_s;
    values.roles[1].pod.codeMaps = {u"code-0"_s};
    values.roles[1].pod.isRestricted = true;
    const Result<Json> made = frameworkManifest(values);
    QVERIFY2(made, qPrintable(problemOf(made)));
    const Json& pod = (*made)["spec"]["taskRoles"][1]["task"]["pod"]["spec"];
    QCOMPARE(pod["initContainers"].size(), 2U); // behind the code's
    const Json& barrier = pod["initContainers"][1];
    QVERIFY(barrier["name"] == "frameworkbarrier" && barrier["image"] == "frameworkcontroller/frameworkbarrier");
    QVERIFY(barrier["securityContext"]["allowPrivilegeEscalation"] == false);
    QVERIFY(named(pod["volumes"], "frameworkbarrier-volume"));
    QVERIFY(named(pod["containers"][0]["volumeMounts"], "frameworkbarrier-volume"));
    QVERIFY(pod["containers"][0]["ports"][0]["containerPort"] == 4'001);
    QVERIFY(!pod.contains("automountServiceAccountToken"));
    QCOMPARE(wordOf(pod["containers"][0], "--shell"),
        "text:export FB_PS_PORT=4000\nexport FB_WORKER_PORT=4001\n. /mnt/frameworkbarrier/injector.sh\npython3 "
        "train.py");
    // One task has nobody to wait for.
    values.roles = {role("worker")};
    const Result<Json> alone = frameworkManifest(values);
    QVERIFY(alone && !(*alone)["spec"]["taskRoles"][0]["task"]["pod"]["spec"].contains("initContainers"));
}

void TestWorkloadManifests::policies()
{
    QCOMPARE(defaultPolicies({{u"worker"_s, 3}}), (QList<CompletionPolicy>{{1, -1}}));
    QCOMPARE(defaultPolicies({{u"chief"_s, 1}, {u"worker"_s, 3}}), (QList<CompletionPolicy>{{1, 1}, {1, -1}}));
}

void TestWorkloadManifests::trainingJobs_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("member");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("container");
    QTest::newRow("PyTorchJob") << u"PyTorchJob"_s << QByteArray("pytorchReplicaSpecs") << QByteArray("Master")
                                << QByteArray("pytorch");
    QTest::newRow("TFJob") << u"TFJob"_s << QByteArray("tfReplicaSpecs") << QByteArray("Chief")
                           << QByteArray("tensorflow");
    QTest::newRow("TFJob whose worker decides")
        << u"TFJob"_s << QByteArray("tfReplicaSpecs") << QByteArray("PS") << QByteArray("tensorflow");
}

void TestWorkloadManifests::trainingJobs()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, member);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, container);
    auto values = valuesOf<TrainingJobValues>({role(first.constData()), role("Worker", 3)});
    values.kind = workloadKind(kind).value();
    values.roles[1].pod.gpus = 1;
    const Result<Json> made = trainingJobManifest(values);
    QVERIFY2(made, qPrintable(problemOf(made)));
    QVERIFY((*made)["apiVersion"] == "kubeflow.org/v1");
    QCOMPARE((*made)["kind"].get<QString>(), kind);
    const Json& spec = (*made)["spec"];
    QVERIFY(spec["runPolicy"] == Json({{"cleanPodPolicy", "Running"}})); // no backoffLimit, with which pods are deleted
    QVERIFY(!spec.contains("slotsPerWorker"));
    const Json& replicas = spec[member.constData()];
    QCOMPARE(replicas.size(), 2U);
    QVERIFY(replicas[first.constData()]["replicas"] == 1);
    const Json& worker = replicas["Worker"];
    QVERIFY(worker["replicas"] == 3 && worker["restartPolicy"] == "Never");
    QVERIFY(worker["template"]["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(!worker["template"]["spec"].contains("restartPolicy")); // the operator would warn of it
    QVERIFY(worker["template"]["spec"]["automountServiceAccountToken"] == false);
    QVERIFY(worker["template"]["spec"]["containers"][0]["name"] == container.constData());
    const bool isDeciding = first == "PS";
    QCOMPARE(wordOf(worker["template"]["spec"]["containers"][0], "--linger"), isDeciding ? "absent" : "15");
    QCOMPARE(wordOf(replicas[first.constData()]["template"]["spec"]["containers"][0], "--linger"),
        isDeciding ? "15" : "absent");
    QVERIFY(worker["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1");
}

void TestWorkloadManifests::mpiJob()
{
    auto values = valuesOf<TrainingJobValues>({role("Launcher"), role("Worker", 2)});
    values.kind = WorkloadKind::mpiJob;
    values.slotsPerWorker = 4;
    const Result<Json> made = trainingJobManifest(values);
    QVERIFY2(made, qPrintable(problemOf(made)));
    QVERIFY((*made)["spec"]["slotsPerWorker"] == 4);
    const Json& replicas = (*made)["spec"]["mpiReplicaSpecs"];
    // It starts ranks by exec, so the operator gives it an account.
    QVERIFY(!replicas["Launcher"]["template"]["spec"].contains("automountServiceAccountToken"));
    QVERIFY(replicas["Worker"]["template"]["spec"]["automountServiceAccountToken"] == false);
    QVERIFY(replicas["Launcher"]["template"]["spec"]["containers"][0]["name"] == "mpi");
}

void TestWorkloadManifests::limitsAndQueues()
{
    auto values = valuesOf<TrainingJobValues>({role("Master")});
    values.deadlineSeconds = 60;
    values.queue = u"team"_s;
    const Result<Json> made = trainingJobManifest(values);
    QVERIFY(made);
    QVERIFY((*made)["spec"]["runPolicy"]["activeDeadlineSeconds"] == 60);
    QVERIFY((*made)["spec"]["runPolicy"]["suspend"] == true);
    QVERIFY((*made)["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "team");
}

void TestWorkloadManifests::templatesNameTheTrialsContainer()
{
    auto values = valuesOf<TrainingJobValues>({role("Master")});
    values.roles[0].pod.podTemplate = {{"spec",
        {{"containers", Json::array({{{"name", "trial"}, {"tty", true}}, {{"name", "sidecar"}, {"image", "x"}}})}}}};
    const Result<Json> made = trainingJobManifest(values);
    QVERIFY(made);
    const Json& containers = (*made)["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"];
    QCOMPARE(containers.size(), 2U);
    QVERIFY(containers[0]["name"] == "pytorch" && containers[0]["tty"] == true);
    QVERIFY(containers[1]["name"] == "sidecar");
}

void TestWorkloadManifests::roles_data()
{
    using Roles = QList<std::pair<QString, int>>;
    QTest::addColumn<QString>("kind");
    QTest::addColumn<Roles>("roles");
    QTest::addColumn<QString>("words"); // empty: they are good
    const auto row = [](const char* name, const char* kind, const Roles& roles, const char* words) {
        QTest::newRow(name) << QString::fromLatin1(kind) << roles << QString::fromLatin1(words);
    };
    row("workers alone", "PyTorchJob", {{u"Worker"_s, 2}}, "");
    row("one master", "PyTorchJob", {{u"Master"_s, 2}}, "A PyTorchJob has one Master, not 2.");
    row("parameter servers and workers", "TFJob", {{u"PS"_s, 2}, {u"Worker"_s, 1}}, "");
    row("no worker", "TFJob", {{u"PS"_s, 2}}, "A TFJob needs a Chief, a Master or a Worker");
    row("chief and master", "TFJob", {{u"Chief"_s, 1}, {u"Master"_s, 1}}, "not both");
    row("no launcher", "MPIJob", {{u"Worker"_s, 2}}, "An MPIJob needs the role Launcher");
    row("no role", "TrainJob", {}, "A TrainJob needs a role at least.");
    row("unknown", "TrainJob", {{u"worker"_s, 2}}, "A TrainJob has no role \"worker\". There is: node.");
    row("unknown to MPI", "MPIJob", {{u"Master"_s, 1}}, "There is: Launcher, Worker.");
    row("twice", "Framework", {{u"a"_s, 1}, {u"a"_s, 1}}, "The role \"a\" is there twice.");
    row("a dash", "Framework", {{u"ps-1"_s, 1}}, "without a dash");
    row("none of it", "Framework", {{u"a"_s, 0}}, "must have 1 to 10000 pods, not 0");
    row("too many", "PyTorchJob", {{u"Worker"_s, 10'001}}, "must have 1 to 10000 pods");
}

void TestWorkloadManifests::roles()
{
    using Roles = QList<std::pair<QString, int>>;
    QFETCH(QString, kind);
    QFETCH(Roles, roles);
    QFETCH(QString, words);
    QList<RoleSize> sizes;
    for (const auto& [name, count] : roles)
        sizes.append({name, count});
    const Result<> good = checkRoles(workloadKind(kind).value(), sizes);
    QCOMPARE(good.has_value(), words.isEmpty());
    QVERIFY2(good || good.error().message.contains(words), qPrintable(good ? QString() : good.error().message.text()));
}

void TestWorkloadManifests::ownRuntime()
{
    auto values = valuesOf<TrainJobValues>({role("node", 2)});
    values.deadlineSeconds = 60;
    values.processesPerNode = 4;
    values.roles[0].pod.codeMaps = {u"code-0"_s};
    const Result<Json> job = trainJobManifest(values);
    QVERIFY2(job, qPrintable(problemOf(job)));
    QVERIFY((*job)["apiVersion"] == "trainer.kubeflow.org/v1alpha1" && (*job)["kind"] == "TrainJob");
    const Json& spec = (*job)["spec"];
    QVERIFY(spec["runtimeRef"]["kind"] == "TrainingRuntime" && spec["runtimeRef"]["name"] == "td-s1-t1");
    QVERIFY(spec["trainer"] == Json({{"numNodes", 2}, {"numProcPerNode", 4}}));
    QVERIFY(!spec.contains("activeDeadlineSeconds")); // this Trainer has none
    const Result<Json> runtime = trainingRuntimeManifest(values);
    QVERIFY2(runtime, qPrintable(problemOf(runtime)));
    QVERIFY((*runtime)["kind"] == "TrainingRuntime" && (*runtime)["metadata"]["name"] == "td-s1-t1");
    QVERIFY((*runtime)["spec"]["mlPolicy"]["numNodes"] == 2);
    const Json& replicated = (*runtime)["spec"]["template"]["spec"]["replicatedJobs"][0];
    QVERIFY(replicated["name"] == "node");
    QVERIFY(replicated["template"]["metadata"]["labels"]["trainer.kubeflow.org/trainjob-ancestor-step"] == "trainer");
    const Json& inner = replicated["template"]["spec"];
    QVERIFY(inner["backoffLimit"] == 0 && inner["activeDeadlineSeconds"] == 60);
    QVERIFY(inner["template"]["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(inner["template"]["spec"]["restartPolicy"] == "Never");
    QVERIFY(inner["template"]["spec"]["containers"][0]["name"] == "node");
    QCOMPARE(inner["template"]["spec"]["initContainers"].size(), 1U);
    values.hasDeadlineField = true;
    values.queue = u"team"_s;
    const Result<Json> later = trainJobManifest(values);
    QVERIFY(later && (*later)["spec"]["activeDeadlineSeconds"] == 60 && (*later)["spec"]["suspend"] == true);
    QVERIFY((*later)["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "team");
    QVERIFY(!(*trainingRuntimeManifest(values))["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]
                 .contains("activeDeadlineSeconds"));
}

void TestWorkloadManifests::podTemplateOverrides()
{
    auto values = valuesOf<TrainJobValues>({role("node")});
    values.form = TrainForm::podTemplateOverrides;
    values.runtime = u"torch-distributed"_s;
    values.roles[0].pod.codeMaps = {u"code-0"_s};
    values.roles[0].pod.nodeSelector = {{u"gpu"_s, u"a100"_s}};
    const Result<Json> job = trainJobManifest(values);
    QVERIFY2(job, qPrintable(problemOf(job)));
    const Json& spec = (*job)["spec"];
    QVERIFY(
        spec["runtimeRef"]["kind"] == "ClusterTrainingRuntime" && spec["runtimeRef"]["name"] == "torch-distributed");
    const Json& trainer = spec["trainer"];
    QVERIFY(trainer["image"] == "python:3.12-slim" && trainer["numNodes"] == 1);
    QVERIFY(trainer["command"][0] == "/trialdeck/bin/trialkeeper-pod");
    QVERIFY(trainer["resourcesPerNode"]["limits"]["cpu"] == "1000m");
    QVERIFY(named(trainer["env"], "TRIALDECK_NODE"));
    // There is no init container: the command's own shell unpacks.
    QCOMPARE(wordOf(trainer, "--shell"),
        "text:cat /trialdeck/archive/* | gzip -dc | tar -xf - -C /trialdeck/code || exit 127\npython3 train.py");
    QVERIFY(!spec.contains("runtimePatches"));
    const Json& entry = spec["podTemplateOverrides"][0];
    QVERIFY(entry["targetJobs"] == Json::array({{{"name", "node"}}}));
    QVERIFY(entry["metadata"]["labels"]["trialdeck-trial"] == "t1");
    const Json& pod = entry["spec"];
    QVERIFY(pod["nodeSelector"]["gpu"] == "a100");
    QVERIFY(named(pod["volumes"], "trialdeck-bin") && named(pod["volumes"], "trialdeck-archive"));
    const Json& node = pod["containers"][0];
    QVERIFY(node["name"] == "node" && !node.contains("env"));
    QVERIFY(named(node["volumeMounts"], "trialdeck-archive") && named(node["volumeMounts"], "trialdeck-code"));
    QVERIFY(!pod.contains("initContainers") && !pod.contains("restartPolicy"));
}

void TestWorkloadManifests::runtimePatches()
{
    auto values = valuesOf<TrainJobValues>({role("node")});
    values.form = TrainForm::runtimePatches;
    values.runtime = u"torch-distributed"_s;
    values.hasDeadlineField = true;
    values.deadlineSeconds = 60;
    values.roles[0].pod.isRestricted = true;
    const Result<Json> job = trainJobManifest(values);
    QVERIFY2(job, qPrintable(problemOf(job)));
    const Json& spec = (*job)["spec"];
    QVERIFY(spec["activeDeadlineSeconds"] == 60);
    QVERIFY(!spec.contains("podTemplateOverrides"));
    const Json& patch = spec["runtimePatches"][0];
    QVERIFY(patch["manager"] == "trialdeck/manager");
    const Json& replicated = patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"][0];
    QVERIFY(replicated["name"] == "node");
    const Json& pod = replicated["template"]["spec"]["template"];
    QVERIFY(pod["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(pod["spec"]["securityContext"]["runAsNonRoot"] == true);
    QVERIFY(pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] == false);
    QVERIFY(named(pod["spec"]["volumes"], "trialdeck-trial"));
}

void TestWorkloadManifests::whatOverridesCannot_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<bool>("isPatched"); // refused there, too
    for (const char* field :
        {"environmentSecrets", "podTemplate", "priorityClass", "imagePullPolicy", "code", "runtime"})
        QTest::newRow(field) << QString::fromLatin1(field) << true;
    QTest::newRow("podSecurity") << u"podSecurity"_s << false;
    QTest::newRow("timeLimit") << u"timeLimit"_s << true;
}

void TestWorkloadManifests::whatOverridesCannot()
{
    QFETCH(QString, field);
    QFETCH(bool, isPatched);
    auto values = valuesOf<TrainJobValues>({role("node")});
    values.runtime = u"torch-distributed"_s;
    PodValues& pod = values.roles[0].pod;
    if (field == "environmentSecrets"_L1)
        pod.environmentSecrets = {u"wandb"_s};
    else if (field == "podTemplate"_L1)
        pod.podTemplate = {{"spec", Json::object()}};
    else if (field == "priorityClass"_L1)
        pod.priorityClass = u"top"_s;
    else if (field == "imagePullPolicy"_L1)
        pod.pullPolicy = u"Always"_s;
    else if (field == "podSecurity"_L1)
        pod.isRestricted = true;
    else if (field == "timeLimit"_L1)
        values.deadlineSeconds = 60;
    else if (field == "code"_L1)
        pod.isCodeSent = true;
    else
        values.runtime.clear();
    for (const TrainForm form : {TrainForm::podTemplateOverrides, TrainForm::runtimePatches}) {
        values.form = form;
        const Result<Json> made = trainJobManifest(values);
        QCOMPARE(made.has_value(), form == TrainForm::runtimePatches && !isPatched);
        QVERIFY2(made || problemOf(made).contains(field, Qt::CaseInsensitive), qPrintable(problemOf(made)));
    }
    values.form = TrainForm::ownRuntime; // can do all of it
    QVERIFY(trainJobManifest(values) && trainingRuntimeManifest(values));
}

void TestWorkloadManifests::badPods()
{
    RoleValues bad = role("Worker");
    bad.pod.image.clear();
    const Result<Json> made = trainingJobManifest(valuesOf<TrainingJobValues>({role("Master"), bad}));
    QVERIFY2(problemOf(made).startsWith(u"Worker: image"), qPrintable(problemOf(made)));
    bad.name = u"worker"_s;
    QVERIFY(problemOf(frameworkManifest(valuesOf<FrameworkValues>({bad}))).startsWith(u"worker: image"));
    bad.name = u"node"_s;
    QVERIFY(!trainingRuntimeManifest(valuesOf<TrainJobValues>({bad})));
    QVERIFY(!trainJobManifest(valuesOf<TrainJobValues>({})));
}

QTEST_GUILESS_MAIN(TestWorkloadManifests)
#include "tst_workload_manifests.moc"
