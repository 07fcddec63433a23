// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/aml/aml_job.h"
#include "services/platforms/aml/result_metric.h"

#include <QTest>

using namespace platforms;
using namespace platforms::aml;
using namespace Qt::StringLiterals;

class TestAmlJob : public QObject
{
    Q_OBJECT
private slots:
    void places_data();
    void places();
    void theWholeJob();
    void whatIsAskedFor();
    void anExperimentWins();
    void environments_data();
    void environments();
    void theCommandTakesAnyText();
    void namesOfCode();
    void refused_data();
    void refused();
    void namesOfMetrics_data();
    void namesOfMetrics();
    void aResult();
};

static const Json settings = {{"subscriptionId", "s-1"}, {"resourceGroup", "lab(east)"}, {"workspaceName", "trials"},
    {"computeTarget", "gpu"}, {"dockerImage", "msranni/nni:latest"}};

static WorkspacePlace place()
{
    return *workspacePlace(settings);
}

static TrialSpec specOf(const QString& command = u"python3 mnist.py"_s)
{
    TrialSpec spec;
    spec.id = TrialId(u"t1"_s);
    spec.jobId = u"T-7"_s;
    spec.experimentId = ExperimentId(u"e1"_s);
    spec.sequenceId = 7;
    spec.command = command;
    spec.parameters = R"({"lr": 0.1})";
    spec.parameterCfg = R"({"parameter_id": 7})";
    spec.graceMs = 9'000;
    return spec;
}

static Json made(const Json& options, const TrialSpec& spec = specOf(), bool hasCode = true)
{
    const Result<JobWish> wish = jobWish(place(), settings, options);
    if (!wish)
        qFatal("%s", qPrintable(wish.error().message.text()));
    const JobValues values{u"td-s-t1"_s, u"s"_s, codeIdOf(place(), u"trialdeck-code-abc"_s), hasCode};
    const Result<QByteArray> document = jobDocument(place(), *wish, spec, values);
    if (!document)
        qFatal("%s", qPrintable(document.error().message.text()));
    return Json::parse(document->toStdString());
}

/// With the members in the order of their names.
static QString sorted(const Json& json)
{
    return QString::fromStdString(nlohmann::json::parse(json.dump()).dump());
}

void TestAmlJob::places_data()
{
    QTest::addColumn<Json>("changes");
    QTest::addColumn<QString>("field");
    QTest::newRow("good") << Json::object() << QString();
    QTest::newRow("no subscription") << Json{{"subscriptionId", ""}} << u"subscriptionId"_s;
    QTest::newRow("a path") << Json{{"subscriptionId", "a/b"}} << u"subscriptionId"_s;
    QTest::newRow("a group with a slash") << Json{{"resourceGroup", "a/../b"}} << u"resourceGroup"_s;
    QTest::newRow("a folder above") << Json{{"resourceGroup", ".."}} << u"resourceGroup"_s;
    QTest::newRow("a short workspace") << Json{{"workspaceName", "ab"}} << u"workspaceName"_s;
}

void TestAmlJob::places()
{
    QFETCH(Json, changes);
    QFETCH(QString, field);
    Json all = settings;
    all.update(changes);
    const Result<WorkspacePlace> read = workspacePlace(all);
    QCOMPARE(read.has_value(), field.isEmpty());
    if (!read) {
        QVERIFY(read.error().message.text().startsWith(field));
        return;
    }
    QCOMPARE(read->id(),
        u"/subscriptions/s-1/resourceGroups/lab(east)/providers/Microsoft.MachineLearningServices/workspaces/trials"_s);
    QCOMPARE(targetOf(read->id() + u"/jobs"_s, "tag=a"),
        "/subscriptions/s-1/resourceGroups/lab(east)/providers/Microsoft.MachineLearningServices/workspaces/trials/jobs?api-version=2023-10-01&tag=a"_ba);
}

void TestAmlJob::theWholeJob()
{
    const std::string id =
        "/subscriptions/s-1/resourceGroups/lab(east)/providers/Microsoft.MachineLearningServices/workspaces/trials";
    const std::string image = environmentName(u"msranni/nni:latest"_s).toStdString();
    Json expected = Json::parse(R"({"properties": {
        "jobType": "Command", "displayName": "e1 7", "experimentName": "trialdeck_e1",
        "tags": {"trialdeck-s": "t1", "trialdeck-experiment": "e1"},
        "environmentVariables": {"NNI_PLATFORM": "local", "NNI_EXP_ID": "e1", "NNI_TRIAL_JOB_ID": "T-7", "NNI_TRIAL_SEQ_ID": "7",
            "PYTHONUNBUFFERED": "1"},
        "resources": {"instanceCount": 1}, "identity": {"identityType": "AMLToken"}}})");
    expected["properties"]["computeId"] = id + "/computes/gpu";
    expected["properties"]["codeId"] = id + "/codes/trialdeck-code-abc/versions/1";
    expected["properties"]["environmentId"] = id + "/environments/" + image + "/versions/1";
    expected["properties"]["command"] =
        "mkdir -p keeper code outputs/trial && cp trialkeeper-pod keeper/ && chmod 755 keeper/trialkeeper-pod"
        " && tar -xzf code.tar.gz -C code && export TRIALDECK_NODE=\"$(hostname)\" && exec ./keeper/trialkeeper-pod "
        "--id t1"
        " --dir outputs/trial --code code --grace 9 --parameters base64:eyJsciI6IDAuMX0="
        " --parameter-cfg base64:eyJwYXJhbWV0ZXJfaWQiOiA3fQ== --shell base64:cHl0aG9uMyBtbmlzdC5weQ==";
    QCOMPARE(sorted(made(Json::object())), sorted(expected));
}

void TestAmlJob::whatIsAskedFor()
{
    TrialSpec spec = specOf();
    spec.gpuNumber = 2;
    spec.environment = {{u"A"_s, u"b $c"_s}, {u"PYTHONUNBUFFERED"_s, u"0"_s}};
    const Json job = made(
        {{"instanceType", "gpu2"}, {"sharedMemorySize", "8 GB"}, {"timeLimit", 3'600}, {"experimentName", "mnist"}},
        spec, false)["properties"];
    QCOMPARE(sorted(job["resources"]), uR"({"instanceCount":1,"instanceType":"gpu2","shmSize":"8192m"})"_s);
    QCOMPARE(sorted(job["limits"]), uR"({"jobLimitsType":"Command","timeout":"PT3600S"})"_s);
    QCOMPARE(textOf(job, "experimentName"), u"mnist"_s);
    QCOMPARE(textOf(job["environmentVariables"], "A"), u"b $c"_s);
    QCOMPARE(textOf(job["environmentVariables"], "PYTHONUNBUFFERED"), u"0"_s);
    QCOMPARE(textOf(job["environmentVariables"], "CUDA_DEVICE_ORDER"), u"PCI_BUS_ID"_s);
    QVERIFY(!textOf(job, "command").contains(u"tar "_s));
    spec.gpuNumber = 0;
    QCOMPARE(textOf(made(Json::object(), spec)["properties"]["environmentVariables"], "CUDA_VISIBLE_DEVICES"), u"-1"_s);
}

void TestAmlJob::anExperimentWins()
{
    const Json job = made({{"computeTarget", "cpu"}, {"environment", "azureml:torch:3"}})["properties"];
    QVERIFY(textOf(job, "computeId").endsWith(u"/computes/cpu"_s));
    QVERIFY(textOf(job, "environmentId").endsWith(u"/workspaces/trials/environments/torch/versions/3"_s));
}

void TestAmlJob::environments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("id");
    const QString own = place().id() + u"/environments/"_s;
    QTest::newRow("of the workspace") << u"azureml:torch:3"_s << own + u"torch/versions/3"_s;
    QTest::newRow("without a scheme") << u"torch-2.1:a.b"_s << own + u"torch-2.1/versions/a.b"_s;
    const QString curated = u"azureml://registries/azureml/environments/acft-hf-nlp-gpu/versions/11"_s;
    QTest::newRow("curated") << curated << curated;
    const QString whole = own + u"x/versions/1"_s;
    QTest::newRow("an id") << QString(whole).replace(u" (east)"_s, QString())
                           << QString(whole).replace(u" (east)"_s, QString());
    QTest::newRow("no version") << u"azureml:torch"_s << QString();
    QTest::newRow("a label") << u"azureml:torch@latest"_s << QString();
    QTest::newRow("an image") << u"docker.io/library/python:3.12"_s << QString();
}

void TestAmlJob::environments()
{
    QFETCH(QString, text);
    QFETCH(QString, id);
    const Result<JobWish> wish = jobWish(place(), settings, {{"environment", text}});
    QCOMPARE(wish.has_value(), !id.isEmpty());
    if (wish)
        QCOMPARE(environmentIdOf(place(), *wish), id);
    else
        QVERIFY(wish.error().message.text().startsWith(u"environment"_s));
}

/// Neither a shell nor Azure finds anything in it.
void TestAmlJob::theCommandTakesAnyText()
{
    const QString nasty = u"echo \"$HOME\" '${{inputs.x}}' `id`; exit $?\n# ä"_s;
    TrialSpec spec = specOf(nasty);
    spec.setup = u"set -e"_s;
    const Result<QString> line = jobCommand(spec, false);
    QVERIFY(line);
    QVERIFY(!line->contains(u"${{"_s) && !line->contains(u"`"_s) && !line->contains(u'\n'));
    const QString word = line->section(u"--shell base64:"_s, 1);
    QCOMPARE(QString::fromUtf8(QByteArray::fromBase64(word.toLatin1())), u"set -e\n"_s + nasty);
}

void TestAmlJob::namesOfCode()
{
    const QString one = codeName("aa", u"bb"_s);
    QVERIFY(one.startsWith(u"trialdeck-code-"_s) && one.size() == 15 + 64);
    QVERIFY(one != codeName("aa", QString()) && one != codeName("ab", u"bb"_s));
    QCOMPARE(one, codeName("aa", u"bb"_s));
    const Json document = Json::parse(
        codeDocument(QUrl(u"https://acc.blob.core.windows.net/c/d/code?sv=1&sig=geheim"_s), one).toStdString());
    QCOMPARE(textOf(document["properties"], "codeUri"), u"https://acc.blob.core.windows.net/c/d/code"_s);
    QCOMPARE(textOf(document["properties"]["properties"], "hash_sha256"), one.mid(15));
    QVERIFY(environmentName(u"a"_s) != environmentName(u"b"_s));
}

void TestAmlJob::refused_data()
{
    QTest::addColumn<Json>("changes");
    QTest::addColumn<Json>("options");
    QTest::addColumn<QString>("field");
    const Json none = Json::object();
    QTest::newRow("no compute") << Json{{"computeTarget", ""}} << none << u"computeTarget"_s;
    QTest::newRow("a compute with a path") << none << Json{{"computeTarget", "a/b"}} << u"computeTarget"_s;
    QTest::newRow("both") << none << Json{{"dockerImage", "i"}, {"environment", "a:1"}} << u"environment"_s;
    QTest::newRow("memory") << none << Json{{"sharedMemorySize", "much"}} << u"sharedMemorySize"_s;
    QTest::newRow("a name") << none << Json{{"experimentName", "a b"}} << u"experimentName"_s;
}

void TestAmlJob::refused()
{
    QFETCH(Json, changes);
    QFETCH(Json, options);
    QFETCH(QString, field);
    Json all = settings;
    all.update(changes);
    const Result<JobWish> wish = jobWish(place(), all, options);
    QVERIFY(!wish);
    QCOMPARE(wish.error().kind, Kind::invalid);
    QVERIFY2(wish.error().message.text().startsWith(field), qPrintable(wish.error().message.text()));
}

void TestAmlJob::namesOfMetrics_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    QTest::newRow("usual") << u"val_acc"_s << u"val_acc"_s;
    QTest::newRow("a path") << u"val/top-5 acc"_s << u"val/top-5 acc"_s;
    QTest::newRow("other letters") << u"acc@1 (\u7cbe\u5ea6)"_s << u"acc_1 ____"_s;
    QTest::newRow("none") << QString() << u"default"_s;
    QTest::newRow("blanks") << u"  "_s << u"default"_s;
    QTest::newRow("from the root") << u"/loss"_s << u"_loss"_s;
    QTest::newRow("upwards") << u"a/../loss"_s << u"a____loss"_s;
    QTest::newRow("a dot") << u"."_s << u"_"_s;
    QTest::newRow("twice") << u"a//b"_s << u"a__b"_s;
    QTest::newRow("long") << QString(300, u'x') << QString(250, u'x');
}

void TestAmlJob::namesOfMetrics()
{
    QFETCH(QString, name);
    QTEST(metricKey(name), "key");
}

void TestAmlJob::aResult()
{
    TrialResult result;
    result.metric = u"accuracy"_s;
    result.value = 0.1;
    result.step = 12;
    result.time = 1'700'000'000'123;
    QCOMPARE(metricBody(u"td-s-t1"_s, result),
        R"({"run_id":"td-s-t1","key":"accuracy","value":0.1,"timestamp":1700000000123,"step":12})"_ba);
}

QTEST_GUILESS_MAIN(TestAmlJob)
#include "tst_aml_job.moc"
