// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/operator_fields.h"
#include "services/platforms/kubernetes/operators/operator_options.h"
#include "services/platforms/kubernetes/operators/workload.h"

#include "services/platforms/platform_fields.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

Json parsedOrNull(const char* text)
{
    auto read = parseJson(text);
    return read ? *read : Json(nullptr);
}

Result<OperatorOptions> read(const KindDescription& kind, const char* settings, const char* options)
{
    const Result<Json> checked = checkedSettings(kind.fields, parsedOrNull(settings));
    if (!checked)
        return fail(checked);
    const Result<Json> chosen = checkedOptions(kind.experimentFields, parsedOrNull(options));
    if (!chosen)
        return fail(chosen);
    return readOperatorOptions(kind.kind, *checked, *chosen);
}

QString problemOf(const Result<OperatorOptions>& read)
{
    return read ? QString() : read.error().message.text();
}

QStringList namesOf(const QList<Field>& fields)
{
    QStringList names;
    for (const Field& field : fields)
        names.append(field.name);
    return names;
}

PodValues podOf(const OperatorOptions& options)
{
    PodValues pod = options.base;
    pod.labels = {{u"trialdeck-trial"_s, u"t1"_s}};
    pod.trialId = u"t1"_s;
    pod.command = "python3 train.py";
    pod.keeperMap = u"keeper"_s;
    return pod;
}

Result<QList<Json>> objectsOf(const OperatorOptions& options, const TrainSupport& support = {})
{
    const auto roles = roleValues(options.kind, options.roles, podOf(options), {});
    return roles ? workloadObjects(options, u"td-s1-t1"_s, {}, *roles, support) : fail(roles);
}

} // namespace

class TestOperatorOptions : public QObject
{
    Q_OBJECT
private slots:
    void fields();
    void kubeflow();
    void rolesAsAListOrAsAText();
    void theTableOfRoles();
    void anExperimentsWordStandsOverThePlatforms();
    void frameworks();
    void refusals_data();
    void refusals();
    void objectsOfEachKind_data();
    void objectsOfEachKind();
    void aRuntimeOfSomebody();
};

void TestOperatorOptions::fields()
{
    for (const KindDescription& kind : {kubeflowKind(), frameworkControllerKind()}) {
        QVERIFY(kind.ownRoles && kind.capabilities.logs);
        for (const QList<Field>& fields : {kind.fields, kind.experimentFields}) {
            const QStringList names = namesOf(fields);
            QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size());
            QVERIFY(names.contains(u"image"_s) && names.contains(u"podTemplate"_s));
            for (const Field& field : fields)
                QVERIFY2(!field.title.isEmpty() && !field.help.isEmpty(), qPrintable(field.name));
        }
        QVERIFY(namesOf(kind.experimentFields).contains(u"roles"_s));
        QVERIFY(!namesOf(kind.fields).contains(u"roles"_s)); // what runs is the experiment's
    }
    QCOMPARE(kubeflowKind().kind, u"kubeflow"_s);
    QCOMPARE(frameworkControllerKind().kind, u"frameworkcontroller"_s);
    QVERIFY(namesOf(kubeflowKind().fields).contains(u"queue"_s));
    QVERIFY(!namesOf(frameworkControllerKind().fields).contains(u"queue"_s));
    QVERIFY(!namesOf(frameworkControllerKind().experimentFields).contains(u"queue"_s));
}

void TestOperatorOptions::kubeflow()
{
    const auto options = read(kubeflowKind(), R"({"image": "a:1", "queue": "team"})",
        R"({"roles": "- {name: master}\n- {name: worker, count: 3}", "timeLimit": 60, "processesPerPod": 2})");
    QVERIFY2(options, qPrintable(problemOf(options)));
    QVERIFY(options->kind == WorkloadKind::pytorchJob); // what a platform has by default
    QCOMPARE(options->sizes(), (QList<RoleSize>{{u"Master"_s, 1}, {u"Worker"_s, 3}}));
    QCOMPARE(options->base.image, u"a:1"_s);
    QCOMPARE(options->base.queue, u"team"_s);
    QCOMPARE(options->base.deadlineSeconds, 60);
    QCOMPARE(options->processesPerPod, 2);
    QVERIFY(options->runtime.isEmpty());
}

void TestOperatorOptions::rolesAsAListOrAsAText()
{
    const auto list =
        read(kubeflowKind(), "{}", R"({"roles": [{"name": "master"}, {"name": "Worker", "count": 2, "cpu": 0.5}]})");
    const auto text =
        read(kubeflowKind(), "{}", R"({"roles": "- {name: Master}\n- {name: worker, count: 2, cpu: 0.5}"})");
    QVERIFY2(list, qPrintable(problemOf(list)));
    QVERIFY2(text, qPrintable(problemOf(text)));
    QVERIFY(list->roles == text->roles);
    QCOMPARE(list->roles.at(1).cpus, 0.5);
    const auto none = read(kubeflowKind(), "{}", R"({"roles": null})");
    QVERIFY(none && none->roles.size() == 1);
}

/// Columns are what readRoles() takes, and the words of each kind of job what checkRoles() takes.
void TestOperatorOptions::theTableOfRoles()
{
    for (const KindDescription& kind : {kubeflowKind(), frameworkControllerKind()}) {
        const auto roles = std::find_if(kind.experimentFields.begin(), kind.experimentFields.end(),
            [](const Field& field) { return field.name == u"roles"; });
        QVERIFY(roles != kind.experimentFields.end());
        QCOMPARE(roles->type, u"table"_s);
        const bool isFramework = kind.kind == u"frameworkcontroller";
        Json row = {{"name", isFramework ? "worker" : "Master"}};
        for (const Field& item : roles->items) {
            QVERIFY(!item.title.isEmpty());
            if (item.type == u"integer")
                row[item.name.toStdString()] = std::max<qint64>(1, item.minimum.value_or(1));
        }
        const auto made =
            readRoles(isFramework ? WorkloadKind::framework : WorkloadKind::pytorchJob, Json::array({row}));
        QVERIFY2(made, qPrintable(made ? QString() : made.error().message.text()));
        const QStringList limits{u"minSucceeded"_s, u"minFailed"_s};
        QVERIFY(roles->leadBy == (isFramework ? limits : QStringList()));
        const std::optional<FieldWords>& words = roles->items.first().wordsBy;
        QCOMPARE(words.has_value(), !isFramework);
        if (!words)
            continue;
        QCOMPARE(words->field, u"jobKind"_s);
        QCOMPARE(words->sets.size(), 4);
        for (const FieldWords::Set& set : words->sets) {
            const WorkloadKind job = workloadKind(set.value.get<QString>()).value();
            for (const QString& word : set.words)
                QCOMPARE(roleName(job, word), word);
            QCOMPARE(decidingRoleOf(job, {{set.words.last(), 1}, {set.words.first(), 1}}), set.words.first());
        }
    }
}

void TestOperatorOptions::anExperimentsWordStandsOverThePlatforms()
{
    const char* const settings = R"({"jobKind": "TrainJob", "runtime": "torch-distributed"})";
    const auto platforms = read(kubeflowKind(), settings, "{}");
    QVERIFY(platforms && platforms->kind == WorkloadKind::trainJob);
    QCOMPARE(platforms->runtime, u"torch-distributed"_s);
    const auto other = read(kubeflowKind(), settings, R"({"jobKind": "MPIJob"})");
    QVERIFY(other && other->kind == WorkloadKind::mpiJob);
    QVERIFY(other->runtime.isEmpty()); // a TrainJob's
    const auto runtime = read(kubeflowKind(), settings, R"({"runtime": "mine"})");
    QVERIFY(runtime && runtime->runtime == u"mine"_s);
}

void TestOperatorOptions::frameworks()
{
    const auto options = read(frameworkControllerKind(), R"({"barrierImage": "frameworkcontroller/frameworkbarrier"})",
        R"({"roles": "[{\"name\": \"worker\", \"count\": 2}]"})");
    QVERIFY2(options, qPrintable(problemOf(options)));
    QVERIFY(options->kind == WorkloadKind::framework);
    QCOMPARE(options->barrierImage, u"frameworkcontroller/frameworkbarrier"_s);
    QCOMPARE(options->sizes(), (QList<RoleSize>{{u"worker"_s, 2}}));
}

void TestOperatorOptions::refusals_data()
{
    QTest::addColumn<bool>("isKubeflow");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, bool isKubeflow, const char* options, const char* words) {
        QTest::newRow(name) << isKubeflow << QByteArray(options) << QString::fromLatin1(words);
    };
    row("kind", true, R"({"jobKind": "Framework"})", "jobKind");
    row("runtime", true, R"({"jobKind": "TrainJob", "runtime": "No Name"})", "runtime: \"No Name\" is no name");
    row("roles", true, R"({"roles": "- {name: ps}"})", "roles[0].name: A PyTorchJob has no role \"ps\"");
    row("roles as a list", true, R"({"roles": [{"name": "master"}, {"name": "worker", "count": 0}]})",
        "roles[1].count");
    row("roles of another form", true, R"({"roles": ["master"]})", "platformOptions.roles must be a list of objects");
    row("the pod's own", true, R"({"trialCpuNumber": "many"})", "trialCpuNumber");
    row("barrier", false, R"({"barrierImage": "a b"})", "barrierImage: \"a b\" is no name of an image");
    row("another kind's option", false, R"({"jobKind": "TFJob"})", "jobKind");
}

void TestOperatorOptions::refusals()
{
    QFETCH(bool, isKubeflow);
    QFETCH(QByteArray, options);
    QFETCH(QString, words);
    const auto made = read(isKubeflow ? kubeflowKind() : frameworkControllerKind(), "{}", options.constData());
    QVERIFY(!made);
    QCOMPARE(made.error().kind, Kind::invalid);
    QVERIFY2(problemOf(made).contains(words), qPrintable(problemOf(made)));
}

void TestOperatorOptions::objectsOfEachKind_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("objects");
    for (const char* kind : {"PyTorchJob", "TFJob", "MPIJob"})
        QTest::newRow(kind) << QString::fromLatin1(kind) << QStringList{QString::fromLatin1(kind)};
    QTest::newRow("TrainJob") << u"TrainJob"_s << QStringList{u"TrainingRuntime"_s, u"TrainJob"_s};
    QTest::newRow("Framework") << u"Framework"_s << QStringList{u"Framework"_s};
}

void TestOperatorOptions::objectsOfEachKind()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, objects);
    const bool isFramework = kind == "Framework"_L1;
    const QByteArray chosen = isFramework ? QByteArray("{}") : R"({"jobKind": ")" + kind.toLatin1() + R"("})";
    const auto options =
        read(isFramework ? frameworkControllerKind() : kubeflowKind(), R"({"image": "a:1"})", chosen.constData());
    QVERIFY2(options, qPrintable(problemOf(options)));
    const Result<QList<Json>> made = objectsOf(*options);
    QVERIFY2(made, qPrintable(made ? QString() : made.error().message.text()));
    QStringList kinds;
    for (const Json& object : *made)
        kinds.append(object["kind"].get<QString>());
    QCOMPARE(kinds, objects);
}

void TestOperatorOptions::aRuntimeOfSomebody()
{
    const auto options =
        read(kubeflowKind(), R"({"image": "a:1"})", R"({"jobKind": "TrainJob", "runtime": "torch-distributed"})");
    QVERIFY(options);
    const Result<QList<Json>> old = objectsOf(*options); // Trainer 2.0
    QVERIFY(!old && old.error().message.contains(u"Name no runtime"));
    const Result<QList<Json>> made = objectsOf(*options, {TrainForm::runtimePatches, true});
    QVERIFY(made && made->size() == 1 && made->first()["spec"].contains("runtimePatches"));
}

QTEST_APPLESS_MAIN(TestOperatorOptions)
#include "tst_operator_options.moc"
