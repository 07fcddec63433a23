// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/nni/experiment_file.h"

#include "services/core/record_json.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace nni;

namespace {

FileOptions disk()
{
    FileOptions options;
    options.folder = u"/w"_s;
    options.readFile = [](const QString&) -> std::optional<QByteArray> {
        return R"({"x": {"_type": "choice", "_value": [1]}})";
    };
    options.isFolder = [](const QString&) { return true; };
    return options;
}

const QByteArray v1Head = "trialConcurrency: 2\nsearchSpacePath: search.json\ntuner:\n  builtinTunerName: Random\n";
const QByteArray v2Head = "trialConcurrency: 2\nsearchSpaceFile: search.json\ntuner:\n  name: Random\n";

const QByteArray kubeflowV1 = v1Head + R"(trainingServicePlatform: kubeflow
trial:
  codeDir: .
  worker: {replicas: 2, command: python3 dist.py, gpuNum: 1, cpuNum: 4, memoryMB: 8192, image: "a:1"}
  ps: {replicas: 1, command: python3 ps.py, gpuNum: 0, cpuNum: 0, memoryMB: 0, image: "a:1", privateRegistryAuthPath: ~/.docker/config.json}
kubeflowConfig:
  operator: tf-operator
  apiVersion: v1beta2
  storage: nfs
  nfs: {server: 10.0.0.1, path: /exports}
  reuse: true
  namespace: ml
)";
const QByteArray kubeflowV2 = v2Head + R"(trainingService:
  platform: kubeflow
  operator: pytorch-operator
  api_version: v1
  reuseMode: true
  storage: {storageType: nfs, server: 10.0.0.1, path: /exports}
  master: {replicas: 1, command: python3 m.py, gpuNumber: 1, cpuNumber: 2, memorySize: 8 GB, codeDirectory: .}
  worker: {replicas: 3, command: python3 w.py, cpuNumber: 2, memorySize: 512, dockerImage: "b:2", codeDirectory: .}
)";
const QByteArray frameworksV1 = v1Head + R"(trainingServicePlatform: frameworkcontroller
trial:
  codeDir: .
  taskRoles:
    - {name: worker, taskNum: 2, command: python3 w.py, gpuNum: 1, cpuNum: 4, memoryMB: 512, image: "a:1",
       frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 2}}
frameworkcontrollerConfig:
  storage: azureStorage
  serviceAccountName: frameworkcontroller
  keyVault: {vaultName: v, name: n}
  azureStorage: {accountName: acc, azureShare: share}
  uploadRetryCount: 3
)";
const QByteArray frameworksV2 = v2Head + R"(trainingService:
  platform: frameworkcontroller
  serviceAccountName: trials
  namespace: ml
  storage: {storageType: azureStorage, azureAccount: acc, azureShare: share, keyVaultName: v, keyVaultKey: k}
  taskRoles:
    - {name: ps, dockerImage: "a:1", taskNumber: 1, command: run, gpuNumber: 0, cpuNumber: 1, memorySize: 1 GB,
       frameworkAttemptCompletionPolicy: {minFailedTaskCount: 0, minSucceedTaskCount: -1}}
)";

const QByteArray nfsTemplate =
    R"({"spec":{"containers":[{"name":"trial","volumeMounts":[{"name":"nni-vol","mountPath":"/tmp/mount"}]}],)"
    R"("volumes":[{"name":"nni-vol","nfs":{"server":"10.0.0.1","path":"/exports"}}]}})";

QStringList notesOf(const ExperimentFile& file)
{
    QStringList fields;
    for (const FileNote& note : file.notes)
        fields.append(note.field);
    return fields;
}

} // namespace

class TestNniKubernetesSections : public QObject
{
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void oldVersionsAreNamed();
    void theBarrierIsForSeveralTasks();
    void reuseIsNamedWithItsReason();
    void aClaimIsNamed();
    void refuses_data();
    void refuses();
};

void TestNniKubernetesSections::reads_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QByteArray>("options"); // without the roles
    QTest::addColumn<QByteArray>("roles");
    QTest::addColumn<QStringList>("notes");
    QTest::addColumn<bool>("isMounted");
    QTest::newRow("kubeflow, v1")
        << kubeflowV1 << QByteArray(R"({"namespace":"ml"})") << QByteArray(R"({"jobKind":"TFJob"})")
        << QByteArray(
               R"([{"name":"Worker","count":2,"command":"python3 dist.py","image":"a:1","cpu":4,"memory":"8192 MB","gpus":1},)"
               R"({"name":"PS","count":1,"command":"python3 ps.py","image":"a:1","gpus":0}])")
        << QStringList{u"trial.ps.privateRegistryAuthPath"_s, u"kubeflowConfig.apiVersion"_s,
               u"kubeflowConfig.nfs.server"_s, u"kubeflowConfig.reuse"_s}
        << true;
    QTest::newRow("kubeflow, v2")
        << kubeflowV2 << QByteArray("{}") << QByteArray(R"({"jobKind":"PyTorchJob"})")
        << QByteArray(
               R"([{"name":"Master","count":1,"command":"python3 m.py","image":"msranni/nni:latest","cpu":2,"memory":"8 GB","gpus":1},)"
               R"({"name":"Worker","count":3,"command":"python3 w.py","image":"b:2","cpu":2,"memory":"512 MB"}])")
        << QStringList{u"trainingService.reuseMode"_s, u"trainingService.storage.server"_s,
               u"trainingService.master.codeDirectory"_s, u"trainingService.worker.codeDirectory"_s}
        << true;
    QTest::newRow("frameworkcontroller, v1")
        << frameworksV1 << QByteArray(R"({"serviceAccount":"frameworkcontroller"})")
        << QByteArray(R"({"barrierImage":"frameworkcontroller/frameworkbarrier"})")
        << QByteArray(
               R"([{"name":"worker","count":2,"command":"python3 w.py","image":"a:1","cpu":4,"memory":"512 MB","gpus":1,)"
               R"("minFailed":1,"minSucceeded":2}])")
        << QStringList{u"frameworkcontrollerConfig.keyVault"_s, u"frameworkcontrollerConfig.azureStorage"_s,
               u"frameworkcontrollerConfig.uploadRetryCount"_s}
        << false;
    QTest::newRow("frameworkcontroller, v2")
        << frameworksV2 << QByteArray(R"({"serviceAccount":"trials","namespace":"ml"})") << QByteArray("{}")
        << QByteArray(R"([{"name":"ps","count":1,"command":"run","image":"a:1","cpu":1,"memory":"1 GB","gpus":0,)"
                      R"("minFailed":-1,"minSucceeded":-1}])")
        << QStringList{u"trainingService.storage.azureAccount"_s, u"trainingService.storage.azureShare"_s,
               u"trainingService.storage.keyVaultName"_s, u"trainingService.storage.keyVaultKey"_s}
        << false;
}

void TestNniKubernetesSections::reads()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, settings);
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, roles);
    QFETCH(QStringList, notes);
    QFETCH(bool, isMounted);
    const auto read = readExperimentFile(yaml, disk());
    QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
    QCOMPARE(dumpJson(read->settings), settings);
    Json chosen = read->experiment["platformOptions"];
    QCOMPARE(chosen["roles"].get<QString>().toUtf8(), roles);
    chosen.erase("roles");
    QCOMPARE(chosen.contains("podTemplate"), isMounted);
    if (isMounted)
        QCOMPARE(chosen["podTemplate"].get<QString>().toUtf8(), nfsTemplate);
    chosen.erase("podTemplate");
    QCOMPARE(dumpJson(chosen), options);
    QCOMPARE(notesOf(*read), notes);
    // The roles have the commands.
    QVERIFY(!read->experiment.contains("trialCommand") && !read->experiment.contains("codeMode"));
    const auto spec = experimentSpecFromJson(read->experiment);
    QVERIFY2(spec, qPrintable(spec ? QString() : spec.error().message.text()));
}

void TestNniKubernetesSections::oldVersionsAreNamed()
{
    const auto read = readExperimentFile(kubeflowV1, disk());
    QVERIFY(read);
    QCOMPARE(
        read->notes.at(1).text, u"kubeflowConfig.apiVersion is v1beta2, and v1 of the Training Operator is used."_s);
}

void TestNniKubernetesSections::theBarrierIsForSeveralTasks()
{
    const auto one = readExperimentFile(QByteArray(frameworksV1).replace("taskNum: 2", "taskNum: 1"), disk());
    QVERIFY(one && !one->experiment["platformOptions"].contains("barrierImage"));
    const auto nameless =
        readExperimentFile(QByteArray(frameworksV1).replace("  serviceAccountName: frameworkcontroller\n", ""), disk());
    QVERIFY(nameless && !nameless->experiment["platformOptions"].contains("barrierImage"));
}

void TestNniKubernetesSections::reuseIsNamedWithItsReason()
{
    for (const QByteArray& yaml : {kubeflowV1, kubeflowV2,
             QByteArray(frameworksV1).replace("  storage: azureStorage\n", "  storage: azureStorage\n  reuse: true\n"),
             QByteArray(frameworksV2).replace("  namespace: ml\n", "  namespace: ml\n  reuseMode: true\n")}) {
        const auto read = readExperimentFile(yaml, disk());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        const auto note = std::find_if(read->notes.begin(), read->notes.end(),
            [](const FileNote& one) { return one.field.endsWith(u"reuse") || one.field.endsWith(u"reuseMode"); });
        QVERIFY(note != read->notes.end());
        QVERIFY2(note->text.contains(u"has no effect: each trial has pods of its own"), qPrintable(note->text.text()));
    }
}

void TestNniKubernetesSections::aClaimIsNamed()
{
    QByteArray yaml = frameworksV1;
    yaml.replace("  storage: azureStorage\n", "  storage: pvc\n  pvc: {path: /tmp/mount}\n");
    yaml.replace("  keyVault: {vaultName: v, name: n}\n  azureStorage: {accountName: acc, azureShare: share}\n", "");
    const auto read = readExperimentFile(yaml, disk());
    QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
    QCOMPARE(notesOf(*read),
        (QStringList{u"frameworkcontrollerConfig.pvc"_s, u"frameworkcontrollerConfig.uploadRetryCount"_s}));
    QVERIFY(read->notes.front().text.contains(u"with the option volumes"));
    QVERIFY(!read->experiment["platformOptions"].contains("podTemplate"));
}

void TestNniKubernetesSections::refuses_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, QByteArray yaml, const char* from, const char* to, const char* words) {
        QTest::newRow(name) << yaml.replace(from, to) << QString::fromLatin1(words);
    };
    row("operator", kubeflowV1, "tf-operator", "mpi-operator", "operator must be tf-operator or pytorch-operator");
    row("no operator", kubeflowV2, "  operator: pytorch-operator\n", "", "trainingService.operator is missing");
    row("a role of another operator", kubeflowV1, "  ps:", "  master:", "trial.master is no role of this operator");
    row("no master", kubeflowV2, "  master:", "  ps:", "trainingService.master is missing");
    row("no command", kubeflowV1, "command: python3 ps.py, ", "", "trial.ps.command is missing");
    row("no image", frameworksV1, ", image: \"a:1\"", "", "trial.taskRoles[0].image is missing");
    row("no count", frameworksV2, "taskNumber: 1, ", "", "trainingService.taskRoles[0].taskNumber is missing");
    row("no policy", frameworksV2,
        ",\n       frameworkAttemptCompletionPolicy: {minFailedTaskCount: 0, minSucceedTaskCount: -1}", "",
        "frameworkAttemptCompletionPolicy is missing");
    row("memory", kubeflowV2, "memorySize: 512", "memorySize: [1]", "trainingService.worker.memorySize must be a size");
    row("a place holder", kubeflowV1, "server: 10.0.0.1", "server: {your_server}",
        "kubeflowConfig.nfs.server is a place holder: write what it stands for.");
    row("nfs without a path", kubeflowV2, ", path: /exports", "", "trainingService.storage.path is missing");
    row("storage", frameworksV2, "storageType: azureStorage", "storageType: s3",
        "trainingService.storage.storageType must be nfs or azureStorage");
    row("old storage", kubeflowV1, "storage: nfs", "storage: s3", "kubeflowConfig.storage must be nfs");
    row("a template of one's own", frameworksV1,
        "  taskRoles:\n    - {name: worker, taskNum: 2, command: python3 w.py, gpuNum: 1, cpuNum: 4, memoryMB: 512, "
        "image: "
        "\"a:1\",\n       frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 2}}\n"
        "frameworkcontrollerConfig:\n",
        "frameworkcontrollerConfig:\n  configPath: fc_template.yml\n",
        "frameworkcontrollerConfig.configPath is not read: write the roles");
    row("no roles", frameworksV2, "  taskRoles:", "  taskRolez:", "trainingService.taskRoles is missing");
    row("an unknown field", kubeflowV1, "  reuse: true", "  colour: red", "kubeflowConfig.colour is no field");
    row("no config", kubeflowV1, "kubeflowConfig:", "frameworkcontrollerConfig:", "kubeflowConfig is missing");
}

void TestNniKubernetesSections::refuses()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, words);
    const auto read = readExperimentFile(yaml, disk());
    QVERIFY(!read);
    QVERIFY2(read.error().message.contains(words), qPrintable(read.error().message.text()));
}

QTEST_APPLESS_MAIN(TestNniKubernetesSections)
#include "tst_nni_kubernetes_sections.moc"
