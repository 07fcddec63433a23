// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/jobs/kubernetes_fields.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

class TestJobOptions : public QObject
{
    Q_OBJECT
private slots:
    void usual();
    void theExperimentsWin();
    void refusals_data();
    void refusals();
    void everyFieldIsRead();
};

void TestJobOptions::usual()
{
    JobValues values;
    QVERIFY(applyOptions(values, Json::object(), Json::object()));
    QVERIFY(values.image.isEmpty());
    QCOMPARE(values.gpuResource, u"nvidia.com/gpu"_s);
    QCOMPARE(values.cpus, 1.0);
    QCOMPARE(values.memoryMb, 0);
    QVERIFY(values.podTemplate.is_null());
    QVERIFY(applyOptions(values, Json(nullptr), Json(nullptr)));
}

void TestJobOptions::theExperimentsWin()
{
    const Json settings = {{"image", "a:1"}, {"nodeSelector", "x=1"}, {"podSecurity", "restricted"}, {"runAsUser", 7}};
    const Json options = {{"image", "registry.example:5000/b@sha256:abc"}, {"trialCpuNumber", "0.5"},
        {"trialMemorySize", "8 GB"}, {"tolerations", "gpu, team=ml:NoExecute,:NoSchedule"},
        {"volumes", "data:/data, models:/models"}, {"timeLimit", 60}};
    JobValues values;
    const auto applied = applyOptions(values, settings, options);
    QVERIFY2(applied, qPrintable(applied ? QString() : applied.error().message.text()));
    QCOMPARE(values.image, u"registry.example:5000/b@sha256:abc"_s);
    QCOMPARE(values.nodeSelector, (QMap<QString, QString>{{u"x"_s, u"1"_s}}));
    QVERIFY(values.isRestricted);
    QCOMPARE(values.user, 7);
    QCOMPARE(values.cpus, 0.5);
    QCOMPARE(values.memoryMb, 8'192);
    QCOMPARE(values.deadlineSeconds, 60);
    QCOMPARE(values.tolerations,
        (QList<Toleration>{{u"gpu"_s, {}, {}}, {u"team"_s, u"ml"_s, u"NoExecute"_s}, {{}, {}, u"NoSchedule"_s}}));
    QCOMPARE(values.claims, (QList<ClaimMount>{{u"data"_s, u"/data"_s}, {u"models"_s, u"/models"_s}}));
}

void TestJobOptions::refusals_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* field, const char* value) {
        QTest::addRow("%s=%s", field, value) << QString::fromLatin1(field) << QString::fromUtf8(value);
    };
    row("image", "two words");
    row("trialCpuNumber", "0");
    row("trialCpuNumber", "many");
    row("trialCpuNumber", "nan");
    row("trialMemorySize", "8fish");
    row("sharedMemorySize", "-1");
    row("nodeSelector", "x");
    row("nodeSelector", "x=1,x=2");
    row("nodeSelector", "x=a b");
    row("tolerations", "gpu:Sometimes");
    row("tolerations", "=true");
    row("volumes", "data");
    row("volumes", "data:relative");
    row("volumes", "data:/a/../b");
    row("volumes", "data:/trialdeck/bin");
    row("volumes", "data:/a,more:/a");
    row("environmentSecrets", "Wandb");
    row("podTemplate", "spec: [");
    row("codeFolder", "relative");
    row("gpuResource", "nvidia gpu");
    row("priorityClass", "High");
    row("queue", "a_b");
}

void TestJobOptions::refusals()
{
    QFETCH(QString, field);
    QFETCH(QString, value);
    JobValues values;
    const auto applied =
        applyOptions(values, Json::object(), Json::object({{field.toStdString(), value.toStdString()}}));
    QVERIFY(!applied);
    QCOMPARE(applied.error().kind, Kind::invalid);
    QVERIFY2(applied.error().message.text().startsWith(field), qPrintable(applied.error().message.text()));
}

/// What a form shows has an effect: each field changes the Job, or how the cluster is reached.
void TestJobOptions::everyFieldIsRead()
{
    const QStringList reach{
        u"kubeconfig"_s, u"context"_s, u"namespace"_s, u"plugins"_s, u"maxJobs"_s, u"startPatience"_s};
    const QMap<QString, Json> samples{{u"image"_s, "b:2"}, {u"gpuResource"_s, "amd.com/gpu"},
        {u"nodeSelector"_s, "x=1"}, {u"tolerations"_s, "x"}, {u"priorityClass"_s, "low"}, {u"volumes"_s, "c:/c"},
        {u"codeFolder"_s, "/c"}, {u"codeDelivery"_s, "send"}, {u"environmentSecrets"_s, "s"},
        {u"sharedMemorySize"_s, "1 GB"}, {u"queue"_s, "q"}, {u"podTemplate"_s, "spec: {hostNetwork: true}"},
        {u"podSecurity"_s, "restricted"}, {u"runAsUser"_s, 7}, {u"serviceAccount"_s, "a"}, {u"imagePullSecret"_s, "p"},
        {u"imagePullPolicy"_s, "Always"}, {u"trialCpuNumber"_s, "3"}, {u"trialMemorySize"_s, "1 GB"},
        {u"timeLimit"_s, 9}};
    const KindDescription kind = kubernetesKind();
    const auto jobOf = [](const Json& settings, const Json& options) {
        JobValues values;
        values.image = u"a:1"_s;
        values.command = "x";
        values.gpus = 1;
        if (!applyOptions(values, settings, options))
            return Json(nullptr);
        return jobManifest(values).value_or(Json(nullptr));
    };
    Json settings = {{"image", "a:1"}, {"podSecurity", "image"}};
    for (const Field& field : kind.fields) {
        if (reach.contains(field.name))
            continue;
        QVERIFY2(samples.contains(field.name), qPrintable(field.name));
        Json changed = settings;
        if (field.name == u"runAsUser"_s)
            changed["podSecurity"] = "restricted";
        const Json before = jobOf(changed, Json::object());
        changed[field.name.toStdString()] = samples[field.name];
        const Json after = jobOf(changed, Json::object());
        QVERIFY2(!after.is_null() && after != before, qPrintable(field.name));
    }
    for (const Field& field : kind.experimentFields) {
        QVERIFY2(samples.contains(field.name), qPrintable(field.name));
        const Json after = jobOf(settings, Json::object({{field.name.toStdString(), samples[field.name]}}));
        QVERIFY2(!after.is_null() && after != jobOf(settings, Json::object()), qPrintable(field.name));
    }
}

QTEST_GUILESS_MAIN(TestJobOptions)
#include "tst_job_options.moc"
