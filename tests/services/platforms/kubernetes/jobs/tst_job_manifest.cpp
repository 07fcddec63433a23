// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/jobs/job_manifest.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

JobValues plainValues()
{
    JobValues values;
    values.name = u"td-s1-t1"_s;
    values.labels = {{u"trialdeck-trial"_s, u"t1"_s}};
    values.image = u"python:3.12-slim"_s;
    values.trialId = u"t1"_s;
    values.command = "python3 train.py";
    values.parameters = R"({"lr":0.1})";
    values.keeperMap = u"keeper"_s;
    values.gpuResource = u"nvidia.com/gpu"_s;
    return values;
}

Json podOf(const JobValues& values)
{
    const Result<Json> job = jobManifest(values);
    return job ? (*job)["spec"]["template"]["spec"] : Json(nullptr);
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

const Json* variableOf(const Json& container, const std::string& name)
{
    for (const Json& one : container["env"])
        if (one["name"] == name)
            return &one;
    return nullptr;
}

} // namespace

class TestJobManifest : public QObject
{
    Q_OBJECT
private slots:
    void plain();
    void textsAreNoShellWords();
    void gpus();
    void code();
    void sentCode();
    void restricted();
    void everything();
    void templateIsUnderIt();
    void refusals();
};

void TestJobManifest::plain()
{
    const Result<Json> job = jobManifest(plainValues());
    QVERIFY(job);
    const Json& spec = (*job)["spec"];
    QVERIFY((*job)["metadata"]["name"] == "td-s1-t1");
    QVERIFY((*job)["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(spec["template"]["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(spec["backoffLimit"] == 0);
    QVERIFY(!spec.contains("activeDeadlineSeconds"));
    QVERIFY(!spec.contains("suspend"));
    const Json& pod = spec["template"]["spec"];
    QVERIFY(pod["restartPolicy"] == "Never");
    QVERIFY(pod["automountServiceAccountToken"] == false);
    QVERIFY(!pod.contains("initContainers"));
    QVERIFY(!pod.contains("securityContext"));
    QCOMPARE(pod["containers"].size(), 1U);
    const Json& trial = pod["containers"][0];
    QVERIFY(trial["name"] == "trial");
    QVERIFY(trial["command"][0] == "/trialdeck/bin/trialkeeper-pod");
    QCOMPARE(wordOf(trial, "--shell"), "text:python3 train.py");
    QCOMPARE(wordOf(trial, "--parameters"), R"(text:{"lr":0.1})");
    QCOMPARE(wordOf(trial, "--code"), "/trialdeck/trial");
    QCOMPARE(wordOf(trial, "--parameter-cfg"), "absent");
    QVERIFY(trial["resources"]["limits"]["cpu"] == "1000m");
    QVERIFY(!trial["resources"]["limits"].contains("memory"));
    QVERIFY(!trial["resources"]["limits"].contains("nvidia.com/gpu"));
    QVERIFY(pod["volumes"][0]["configMap"]["defaultMode"] == 0555);
}

void TestJobManifest::textsAreNoShellWords()
{
    JobValues values = plainValues();
    values.command = "echo $$ $(HOME) \"$HOME\" '$x'\nexit 3";
    values.parameters = QByteArray("\x01\xff", 2);
    values.environment = {{u"PRICE"_s, u"$5 $(X)"_s}};
    const Json trial = podOf(values)["containers"][0];
    // One $ of each two is taken away by Kubernetes, which puts values for $(NAME).
    QCOMPARE(wordOf(trial, "--shell"), "text:echo $$$$ $$(HOME) \"$$HOME\" '$$x'\nexit 3");
    QCOMPARE(wordOf(trial, "--parameters"), "base64:Af8=");
    QVERIFY((*variableOf(trial, "PRICE"))["value"] == "$$5 $$(X)");
}

void TestJobManifest::gpus()
{
    JobValues values = plainValues();
    values.gpus = 2;
    Json trial = podOf(values)["containers"][0];
    QVERIFY(trial["resources"]["limits"]["nvidia.com/gpu"] == "2");
    QVERIFY(!variableOf(trial, "CUDA_VISIBLE_DEVICES"));
    values.gpus = 0;
    trial = podOf(values)["containers"][0];
    QVERIFY(!trial["resources"]["limits"].contains("nvidia.com/gpu"));
    QVERIFY((*variableOf(trial, "CUDA_VISIBLE_DEVICES"))["value"] == "-1");
}

void TestJobManifest::code()
{
    JobValues values = plainValues();
    values.codeMaps = {u"code-0"_s, u"code-1"_s};
    const Json pod = podOf(values);
    const Json& init = pod["initContainers"][0];
    QVERIFY(init["image"] == "python:3.12-slim");
    QCOMPARE(wordOf(pod["containers"][0], "--code"), "/trialdeck/code");
    const auto archive = std::find_if(pod["volumes"].begin(), pod["volumes"].end(),
        [](const Json& one) { return one["name"] == "trialdeck-archive"; });
    QVERIFY(archive != pod["volumes"].end());
    const Json& sources = (*archive)["projected"]["sources"];
    QCOMPARE(sources.size(), 2U);
    QVERIFY(sources[1]["configMap"]["items"][0]["path"] == "001"); // in order for cat
    values.codeMaps.clear();
    values.codeFolder = u"/opt/code"_s;
    QCOMPARE(wordOf(podOf(values)["containers"][0], "--code"), "/opt/code");
}

void TestJobManifest::sentCode()
{
    JobValues values = plainValues();
    values.isCodeSent = true;
    values.isRestricted = true;
    values.annotations = {{u"trialdeck/code"_s, u"abc"_s}};
    const Result<Json> job = jobManifest(values);
    QVERIFY(job);
    QVERIFY((*job)["metadata"]["annotations"]["trialdeck/code"] == "abc");
    const Json pod = (*job)["spec"]["template"]["spec"];
    const Json& init = pod["initContainers"][0];
    QVERIFY(init["name"] == "code");
    QVERIFY((init["command"] == Json{"/trialdeck/bin/trialkeeper-pod", "receive", "/trialdeck/inbox"}));
    QVERIFY(init["securityContext"]["allowPrivilegeEscalation"] == false);
    QCOMPARE(init["volumeMounts"].size(), 2U);
    QVERIFY(init["volumeMounts"][1]["mountPath"] == "/trialdeck/inbox");
    const Json& trial = pod["containers"][0];
    QCOMPARE(wordOf(trial, "--code"), "/trialdeck/code");
    const auto& mounts = trial["volumeMounts"];
    const auto code = std::find_if(
        mounts.begin(), mounts.end(), [](const Json& one) { return one["mountPath"] == "/trialdeck/code"; });
    QVERIFY(code != mounts.end());
    QVERIFY((*code)["name"] == init["volumeMounts"][1]["name"]);
    QVERIFY((*code)["subPath"] == "code");
    for (const Json& volume : pod["volumes"])
        QVERIFY(!volume.contains("projected"));
}

void TestJobManifest::restricted()
{
    JobValues values = plainValues();
    values.isRestricted = true;
    values.user = 4'711;
    values.codeMaps = {u"code-0"_s};
    const Json pod = podOf(values);
    QVERIFY(pod["securityContext"]["runAsNonRoot"] == true);
    QVERIFY(pod["securityContext"]["runAsUser"] == 4'711);
    QVERIFY(pod["securityContext"]["fsGroup"] == 4'711);
    QVERIFY(pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault");
    for (const Json& container : {pod["initContainers"][0], pod["containers"][0]}) {
        QVERIFY(container["securityContext"]["allowPrivilegeEscalation"] == false);
        QVERIFY(container["securityContext"]["capabilities"]["drop"] == Json::array({"ALL"}));
    }
    QVERIFY((*variableOf(pod["containers"][0], "HOME"))["value"] == "/trialdeck/trial");
}

void TestJobManifest::everything()
{
    JobValues values = plainValues();
    values.deadlineSeconds = 60;
    values.queue = u"team"_s;
    values.cpus = 0.5;
    values.memoryMb = 2'048;
    values.sharedMemoryMb = 512;
    values.nodeSelector = {{u"gpu"_s, u"a100"_s}};
    values.tolerations = {{u"gpu"_s, {}, u"NoSchedule"_s}, {u"team"_s, u"ml"_s, {}}};
    values.priorityClass = u"low"_s;
    values.serviceAccount = u"trials"_s;
    values.pullSecret = u"registry"_s;
    values.pullPolicy = u"Always"_s;
    values.environmentSecrets = {u"wandb"_s};
    values.claims = {{u"data"_s, u"/data"_s}};
    values.parameterCfg = "{}";
    values.graceSeconds = 7;
    const Result<Json> job = jobManifest(values);
    QVERIFY(job);
    const Json& spec = (*job)["spec"];
    QVERIFY(spec["activeDeadlineSeconds"] == 60);
    QVERIFY(spec["suspend"] == true);
    QVERIFY((*job)["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "team");
    const Json& pod = spec["template"]["spec"];
    QVERIFY(pod["terminationGracePeriodSeconds"] == 17);
    QVERIFY(pod["nodeSelector"]["gpu"] == "a100");
    QVERIFY(pod["tolerations"][0]["operator"] == "Exists");
    QVERIFY(pod["tolerations"][1]["operator"] == "Equal");
    QVERIFY(pod["priorityClassName"] == "low");
    QVERIFY(pod["serviceAccountName"] == "trials");
    QVERIFY(!pod.contains("automountServiceAccountToken"));
    QVERIFY(pod["imagePullSecrets"][0]["name"] == "registry");
    const Json& trial = pod["containers"][0];
    QVERIFY(trial["imagePullPolicy"] == "Always");
    QVERIFY(trial["envFrom"][0]["secretRef"]["name"] == "wandb");
    QVERIFY(trial["resources"]["limits"]["cpu"] == "500m");
    QVERIFY(trial["resources"]["limits"]["memory"] == "2048Mi");
    QCOMPARE(wordOf(trial, "--grace"), "7");
    QCOMPARE(wordOf(trial, "--parameter-cfg"), "text:{}");
    QCOMPARE(trial["volumeMounts"].size(), 4U);
}

void TestJobManifest::templateIsUnderIt()
{
    JobValues values = plainValues();
    values.podTemplate = {{"metadata", {{"labels", {{"trialdeck-trial", "theirs"}, {"team", "ml"}}}}},
        {"spec",
            {{"hostNetwork", true},
                {"containers", Json::array({{{"name", "trial"}, {"command", Json::array({"sh"})}, {"tty", true}}})}}}};
    const Result<Json> job = jobManifest(values);
    QVERIFY(job);
    const Json& pod = (*job)["spec"]["template"];
    QVERIFY(pod["spec"]["hostNetwork"] == true);
    QVERIFY(pod["spec"]["containers"][0]["tty"] == true);
    QVERIFY(pod["spec"]["containers"][0]["command"][0] == "/trialdeck/bin/trialkeeper-pod");
    QVERIFY(pod["metadata"]["labels"]["trialdeck-trial"] == "t1");
    QVERIFY(pod["metadata"]["labels"]["team"] == "ml");
}

void TestJobManifest::refusals()
{
    JobValues values = plainValues();
    values.image.clear();
    QVERIFY(jobManifest(values).error().message.text().contains(u"image"));
    values = plainValues();
    values.command.clear();
    QVERIFY(!jobManifest(values));
    values = plainValues();
    values.parameters = QByteArray(maxKeeperArgument, 'x');
    const auto job = jobManifest(values);
    QVERIFY(!job);
    QVERIFY(job.error().message.text().contains(u"parameters"));
}

QTEST_GUILESS_MAIN(TestJobManifest)
#include "tst_job_manifest.moc"
