// SPDX-License-Identifier: GPL-3.0-or-later
// From an experiment file of NNI to the object that is made of a trial: services/platforms/kubernetes/operators/nni_objects.md.
#include "services/nni/experiment_file.h"
#include "services/platforms/kubernetes/operators/operator_fields.h"
#include "services/platforms/kubernetes/operators/operator_options.h"
#include "services/platforms/platform_fields.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

const QByteArray v1Head = "trialConcurrency: 1\nmaxTrialNum: 10\nsearchSpacePath: s.json\nuseAnnotation: false\n"
                          "tuner:\n  builtinTunerName: TPE\n  classArgs: {optimize_mode: maximize}\n";
const QByteArray v2Head = "trialConcurrency: 1\nsearchSpaceFile: s.json\ntuner:\n  name: TPE\n";

const QByteArray tensorflow = v1Head + R"(trainingServicePlatform: kubeflow
trial:
  codeDir: .
  worker: {replicas: 2, command: python3 dist.py, gpuNum: 1, cpuNum: 1, memoryMB: 8196, image: "ml/tf:1"}
  ps: {replicas: 1, command: python3 serve.py, gpuNum: 0, cpuNum: 2, memoryMB: 2048, image: "ml/tf:1"}
kubeflowConfig:
  operator: tf-operator
  apiVersion: v1alpha2
  storage: nfs
  nfs: {server: 10.10.10.10, path: /var/nfs/general}
)";
const QByteArray pytorch = v2Head + R"(trainingService:
  platform: kubeflow
  operator: pytorch-operator
  apiVersion: v1
  namespace: ml
  reuseMode: true
  storage: {storageType: azureStorage, azureAccount: a, azureShare: b, keyVaultName: c, keyVaultKey: d}
  master: {replicas: 1, command: python3 m.py, gpuNumber: 1, cpuNumber: 1, memorySize: 2 GB, codeDirectory: .}
  worker: {replicas: 3, command: python3 w.py, cpuNumber: 1, memorySize: 2048, codeDirectory: ., dockerImage: "ml/torch:2"}
)";
const QByteArray oneTask = v1Head + R"(trainingServicePlatform: frameworkcontroller
trial:
  codeDir: .
  taskRoles:
    - name: worker
      taskNum: 1
      command: python3 t.py
      gpuNum: 1
      cpuNum: 1
      memoryMB: 8192
      image: ml/nni:1
      frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 1}
frameworkcontrollerConfig:
  storage: nfs
  serviceAccountName: fc
  nfs: {server: 10.10.10.10, path: /exports}
)";
const QByteArray tasks = v2Head + R"(trainingService:
  platform: frameworkcontroller
  serviceAccountName: fc
  namespace: ml
  storage: {storageType: nfs, server: 10.10.10.10, path: /exports}
  taskRoles:
    - {name: ps, taskNumber: 1, command: python3 p.py, gpuNumber: 0, cpuNumber: 1, memorySize: 1 GB, dockerImage: "ml/nni:1",
       frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceedTaskCount: 0}}
    - {name: worker, taskNumber: 2, command: python3 w.py, gpuNumber: 2, cpuNumber: 4, memorySize: 8192,
       framework_attempt_completion_policy: {min_failed_task_count: 1, minSucceedTaskCount: 2}}
)";

struct Made
{
    Json object;
    QString error;
};

Made made(const QByteArray& yaml)
{
    nni::FileOptions disk;
    disk.folder = u"/w"_s;
    disk.readFile = [](const QString&) -> std::optional<QByteArray> {
        return R"({"lr": {"_type": "choice", "_value": [1]}})";
    };
    disk.isFolder = [](const QString&) { return true; };
    const auto file = nni::readExperimentFile(yaml, disk);
    if (!file)
        return {{}, file.error().message.text()};
    const KindDescription kind = file->kind == u"kubeflow" ? kubeflowKind() : frameworkControllerKind();
    const auto settings = checkedSettings(kind.fields, file->settings);
    const auto chosen = checkedOptions(kind.experimentFields, file->experiment["platformOptions"]);
    if (!settings || !chosen)
        return {{}, (settings ? chosen : settings).error().message.text()};
    const auto options = readOperatorOptions(kind.kind, *settings, *chosen);
    if (!options)
        return {{}, options.error().message.text()};
    PodValues pod = options->base;
    pod.trialId = u"t1"_s;
    pod.keeperMap = u"keeper"_s;
    const auto roles = roleValues(options->kind, options->roles, pod, {});
    if (!roles)
        return {{}, roles.error().message.text()};
    const auto objects = workloadObjects(*options, u"td-s1-t1"_s, {}, *roles, {});
    return objects ? Made{objects->last(), {}} : Made{{}, objects.error().message.text()};
}

/// The value of a variable of the container; empty: it has none.
QString variable(const Json& container, const char* name)
{
    for (const Json& one : container["env"])
        if (one["name"] == name && one.contains("value"))
            return one["value"].get<QString>();
    return {};
}

QStringList namesIn(const Json& list)
{
    QStringList names;
    for (const Json& one : list)
        names.append(one["name"].get<QString>());
    return names;
}

} // namespace

class TestNniObjects : public QObject
{
    Q_OBJECT
private slots:
    void fields_data();
    void fields();
    void whatIsNotTaken_data();
    void whatIsNotTaken();
    void commandsOfRoles();
    void theBarrierOfSeveralTasks();
};

/// By JSON pointer, what each file says of the object.
void TestNniObjects::fields_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("expected"); // an object: values by pointer
    const QByteArray nfs = R"({"name":"nni-vol","nfs":{"server":"10.10.10.10","path":"/exports"}})";
    QTest::newRow("TFJob") << tensorflow << QByteArray(R"({
        "/apiVersion": "kubeflow.org/v1",
        "/kind": "TFJob",
        "/spec/runPolicy": {"cleanPodPolicy": "Running"},
        "/spec/tfReplicaSpecs/Worker/replicas": 2,
        "/spec/tfReplicaSpecs/Worker/restartPolicy": "Never",
        "/spec/tfReplicaSpecs/Worker/template/spec/containers/0/name": "tensorflow",
        "/spec/tfReplicaSpecs/Worker/template/spec/containers/0/image": "ml/tf:1",
        "/spec/tfReplicaSpecs/Worker/template/spec/containers/0/resources":
            {"limits": {"cpu": "1000m", "memory": "8196Mi", "nvidia.com/gpu": "1"}},
        "/spec/tfReplicaSpecs/PS/replicas": 1,
        "/spec/tfReplicaSpecs/PS/template/spec/containers/0/resources":
            {"limits": {"cpu": "2000m", "memory": "2048Mi"}}
    })");
    QTest::newRow("PyTorchJob") << pytorch << QByteArray(R"({
        "/apiVersion": "kubeflow.org/v1",
        "/kind": "PyTorchJob",
        "/spec/pytorchReplicaSpecs/Master/replicas": 1,
        "/spec/pytorchReplicaSpecs/Master/template/spec/containers/0/name": "pytorch",
        "/spec/pytorchReplicaSpecs/Master/template/spec/containers/0/image": "msranni/nni:latest",
        "/spec/pytorchReplicaSpecs/Master/template/spec/containers/0/resources":
            {"limits": {"cpu": "1000m", "memory": "2048Mi", "nvidia.com/gpu": "1"}},
        "/spec/pytorchReplicaSpecs/Worker/replicas": 3,
        "/spec/pytorchReplicaSpecs/Worker/restartPolicy": "Never",
        "/spec/pytorchReplicaSpecs/Worker/template/spec/containers/0/image": "ml/torch:2",
        "/spec/pytorchReplicaSpecs/Worker/template/spec/containers/0/resources":
            {"limits": {"cpu": "1000m", "memory": "2048Mi"}}
    })");
    QTest::newRow("Framework of one task") << oneTask << QByteArray(R"({
        "/apiVersion": "frameworkcontroller.microsoft.com/v1",
        "/kind": "Framework",
        "/spec/executionType": "Start",
        "/spec/retryPolicy/maxRetryCount": 0,
        "/spec/taskRoles/0/name": "worker",
        "/spec/taskRoles/0/taskNumber": 1,
        "/spec/taskRoles/0/frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": 1},
        "/spec/taskRoles/0/task/podGracefulDeletionTimeoutSec": 600,
        "/spec/taskRoles/0/task/pod/spec/restartPolicy": "Never",
        "/spec/taskRoles/0/task/pod/spec/serviceAccountName": "fc",
        "/spec/taskRoles/0/task/pod/spec/containers/0/name": "framework",
        "/spec/taskRoles/0/task/pod/spec/containers/0/image": "ml/nni:1",
        "/spec/taskRoles/0/task/pod/spec/containers/0/resources":
            {"limits": {"cpu": "1000m", "memory": "8192Mi", "nvidia.com/gpu": "1"}}
    })");
    QTest::newRow("Framework") << tasks << QByteArray(R"({
        "/spec/taskRoles/0/name": "ps",
        "/spec/taskRoles/0/frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": -1},
        "/spec/taskRoles/0/task/pod/spec/containers/0/ports": [{"containerPort": 4000}],
        "/spec/taskRoles/1/taskNumber": 2,
        "/spec/taskRoles/1/frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": 2},
        "/spec/taskRoles/1/task/pod/spec/containers/0/image": "msranni/nni:latest",
        "/spec/taskRoles/1/task/pod/spec/containers/0/ports": [{"containerPort": 4001}],
        "/spec/taskRoles/1/task/pod/spec/containers/0/resources":
            {"limits": {"cpu": "4000m", "memory": "8192Mi", "nvidia.com/gpu": "2"}}
    })");
}

void TestNniObjects::fields()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, expected);
    const Made one = made(yaml);
    QVERIFY2(one.error.isEmpty(), qPrintable(one.error));
    const auto values = parseJson(expected);
    QVERIFY(values && !values->empty());
    for (const auto& [pointer, value] : values->items()) {
        const Json::json_pointer at(pointer);
        QVERIFY2(one.object.contains(at), pointer.c_str());
        QCOMPARE(dumpJson(one.object[at]), dumpJson(value));
    }
}

void TestNniObjects::whatIsNotTaken_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("pod"); // pointer
    QTest::addColumn<bool>("isMounted");
    QTest::newRow("TFJob") << tensorflow << QByteArray("/spec/tfReplicaSpecs/PS/template/spec") << true;
    QTest::newRow("PyTorchJob") << pytorch << QByteArray("/spec/pytorchReplicaSpecs/Worker/template/spec") << false;
    QTest::newRow("Framework of one task") << oneTask << QByteArray("/spec/taskRoles/0/task/pod/spec") << true;
    QTest::newRow("Framework") << tasks << QByteArray("/spec/taskRoles/1/task/pod/spec") << true;
}

void TestNniObjects::whatIsNotTaken()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, pod);
    QFETCH(bool, isMounted);
    const Made one = made(yaml);
    QVERIFY2(one.error.isEmpty(), qPrintable(one.error));
    const Json spec = one.object[Json::json_pointer(pod.toStdString())];
    QVERIFY(!spec.contains("hostNetwork") && !spec.contains("imagePullSecrets"));
    const Json& container = spec["containers"][0];
    QCOMPARE(spec["containers"].size(), size_t(1));
    QVERIFY(!container.contains("args"));
    QCOMPARE(namesIn(spec["volumes"]).contains(u"nni-vol"_s), isMounted);
    QCOMPARE(namesIn(container["volumeMounts"]).contains(u"nni-vol"_s), isMounted);
    if (!isMounted)
        return;
    const auto named = [](const Json& list) {
        return *std::find_if(list.begin(), list.end(), [](const Json& volume) { return volume["name"] == "nni-vol"; });
    };
    QVERIFY(named(spec["volumes"])["nfs"]["server"] == "10.10.10.10");
    QVERIFY(named(container["volumeMounts"])["mountPath"] == "/tmp/mount");
}

void TestNniObjects::commandsOfRoles()
{
    const Made one = made(tensorflow);
    QVERIFY2(one.error.isEmpty(), qPrintable(one.error));
    const Json& replicas = one.object["spec"]["tfReplicaSpecs"];
    for (const auto& [role, command, gpus] :
        {std::tuple("Worker", "python3 dist.py", ""), {"PS", "python3 serve.py", "-1"}}) {
        const Json& container = replicas[role]["template"]["spec"]["containers"][0];
        const Json& words = container["command"];
        QVERIFY(std::find(words.begin(), words.end(), Json(std::string("text:") + command)) != words.end());
        QCOMPARE(variable(container, "CUDA_VISIBLE_DEVICES"), QString::fromLatin1(gpus)); // hidden from a pod of none
    }
}

void TestNniObjects::theBarrierOfSeveralTasks()
{
    const Made several = made(tasks);
    const Made one = made(oneTask);
    QVERIFY2(several.error.isEmpty() && one.error.isEmpty(), qPrintable(several.error + one.error));
    const Json& pod = several.object["spec"]["taskRoles"][1]["task"]["pod"]["spec"];
    QCOMPARE(namesIn(pod["initContainers"]), QStringList{u"frameworkbarrier"_s});
    QVERIFY(pod["initContainers"][0]["image"] == "frameworkcontroller/frameworkbarrier");
    const std::string words = pod["containers"][0]["command"].dump();
    QVERIFY(words.find("export FB_PS_PORT=4000\\nexport FB_WORKER_PORT=4001\\n. /mnt/frameworkbarrier/injector.sh")
        != std::string::npos);
    QVERIFY(!one.object["spec"]["taskRoles"][0]["task"]["pod"]["spec"].contains("initContainers"));
}

QTEST_APPLESS_MAIN(TestNniObjects)
#include "tst_nni_objects.moc"
