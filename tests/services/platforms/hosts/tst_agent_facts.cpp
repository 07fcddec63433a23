// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/hosts/agent_facts.h"
#include "services/platforms/hosts/host_check.h"
#include "services/platforms/hosts/placement_proof.h"
#include "services/platforms/hosts/start_spec.h"
#include "services/platforms/keeper/doctor_words.h"
#include "services/platforms/keeper/keeper_events.h"
#include "services/transport/agent_limits.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

class TestAgentFacts : public QObject
{
    Q_OBJECT
private slots:
    void observations_data();
    void observations();
    void exitIsComplete();
    void reasonsHaveTemplates_data();
    void reasonsHaveTemplates();
    void whatTheDoctorSaysIsKnown();
    void stepsHaveTemplates_data();
    void stepsHaveTemplates();
    void eventsThatTellNothing();
    void loadIsRounded();
    void gpuStates_data();
    void gpuStates();
    void processesOfGpus();
    void textsAreBounded();
    void tablesAreBounded();
    void logNames_data();
    void logNames();
    void startSpec();
    void gpusOfAStart();
    void placements();
};

namespace {

Json json(const QByteArray& text)
{
    return *parseJson(text);
}

} // namespace

void TestAgentFacts::observations_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<TrialStatus>("status");
    QTest::addColumn<QString>("failureClass");
    const auto row = [](const char* name, const char* event, TrialStatus status, const char* failureClass = "") {
        QTest::newRow(name) << QByteArray(event) << status << QString::fromLatin1(failureClass);
    };
    row("running", R"({"type":"running","pid":5,"time":7,"next":9})", TrialStatus::running);
    row("done", R"({"type":"exited","final":true,"exitCode":0,"signal":0,"success":true})", TrialStatus::succeeded);
    row("failed",
        R"({"type":"exited","final":true,"exitCode":1,"success":false,"reason":"r","failureClass":"exitCode"})",
        TrialStatus::failed, "exitCode");
    row("user",
        R"({"type":"exited","final":true,"exitCode":null,"signal":15,"success":false,"intent":"user","reason":"r","failureClass":"signal"})",
        TrialStatus::user_canceled);
    row("early", R"({"type":"exited","final":true,"success":false,"intent":"early"})", TrialStatus::early_stopped);
    row("system", R"({"type":"exited","final":true,"success":false,"intent":"sys"})", TrialStatus::sys_canceled);
    row("keeper lost", R"({"type":"lost","final":true,"reason":"r","failureClass":"keeperLost"})", TrialStatus::failed,
        "keeperLost");
    row("lost while cancelled",
        R"({"type":"lost","final":true,"reason":"r","failureClass":"keeperLost","intent":"user"})",
        TrialStatus::user_canceled, "keeperLost");
}

void TestAgentFacts::observations()
{
    QFETCH(QByteArray, event);
    const auto out = observationOf(TrialId(u"t"_s), json(event));
    QVERIFY(out);
    QCOMPARE(out->trial.value, u"t"_s);
    QTEST(out->status, "status");
    QTEST(out->failureClass.word(), "failureClass");
}

void TestAgentFacts::exitIsComplete()
{
    const auto out = observationOf(TrialId(u"t"_s),
        json(
            R"({"type":"exited","final":true,"time":5000,"next":77,"exitCode":null,"signal":9,"success":false,"reason":"Killed.",
                 "failureClass":"outOfMemory","usage":{"peakMemoryBytes":1000,"userMs":20,"systemMs":3,"wallMs":4000}})"));
    QVERIFY(out);
    QVERIFY(!out->exitCode);
    QCOMPARE(out->signal, 9);
    QCOMPARE(out->endTime, 5000);
    QCOMPARE(out->startTime, 1000);
    QCOMPARE(out->journalCursor, 77);
    QCOMPARE(out->reason, u"Killed."_s);
    QCOMPARE(*out->usage, (ResourceUsage{1000, 20, 3}));
}

void TestAgentFacts::reasonsHaveTemplates_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* reason, const char* key) {
        QTest::newRow(reason) << QString::fromLatin1(reason) << QString::fromLatin1(key);
    };
    row("The command ended with exit code 3.", "The command ended with exit code %1.");
    row("The command ended with exit code 139 (SIGSEGV of a program in it).",
        "The command ended with exit code %1 (%2 of a program in it).");
    row("The command was ended by SIGKILL (signal 9).", "The command was ended by %1 (signal %2).");
    row("The command was ended by signal 60.", "The command was ended by signal %1.");
    row("A program of the command was not found (exit code 127).",
        "A program of the command was not found (exit code 127).");
    row("The system killed it because memory ran out.", "The system killed it because memory ran out.");
    row("Its keeper ended before it started the command.", "Its keeper ended before it started the command.");
    row("Killed.", "");
    row("", "");
    row("The command ended with exit code .", "");
    row("The command ended with exit code 3. And more.", "");
    row("xThe command ended with exit code 3.", "");
}

/// So that a person reads them in another language, too; what another version of the keeper says stands as it is.
void TestAgentFacts::reasonsHaveTemplates()
{
    QFETCH(QString, reason);
    for (const char* type : {"exited", "lost"}) {
        const auto out = observationOf(TrialId(u"t"_s),
            Json{{"type", type}, {"final", true}, {"success", false}, {"reason", reason.toStdString()}});
        QVERIFY(out);
        QCOMPARE(out->reason.text(), reason);
        QTEST(out->reason.key(), "key");
    }
}

/// Each sentence and each title in the agent's source.
void TestAgentFacts::whatTheDoctorSaysIsKnown()
{
    QFile source(QStringLiteral(TRIALDECK_SOURCE_DIR "/app/trialkeeper/agent/doctor.cpp"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(source.readAll());
    text.remove(QRegularExpression(u"\"\\s*\\n\\s*\""_s)); // literals of several lines
    QSet<QString> said;
    static const QRegularExpression sentence(u"\"([A-Z/][^\"%\\\\]*\\.)\""_s);
    static const QRegularExpression title(u"tell\\(\"\\w+\", \"([^\"]+)\""_s);
    for (const QRegularExpression& form : {sentence, title})
        for (auto match = form.globalMatch(text); match.hasNext();)
            said.insert(match.next().captured(1));
    QVERIFY(said.size() > 30);
    const QSet<QString> same{u"Python"_s, u"gzip"_s}; // in each language
    for (const QString& one : said)
        QVERIFY2(same.contains(one) || doctorMessage(one).hasKey(), qPrintable(one));
}

void TestAgentFacts::stepsHaveTemplates_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* text, const char* key) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(key);
    };
    row("27.5 GiB free", "%1 GiB free");
    row("0.5 GiB free, only 12 more files", "%1 GiB free, only %2 more files");
    row("23.5 GiB, 21.3 GiB available", "%1 GiB, %2 GiB available");
    row("4 GPUs: NVIDIA A100-SXM4-80GB, 550.54.15", "%1 GPUs: %2");
    row("on NFS: machines that share it keep apart by their names",
        "on %1: machines that share it keep apart by their names");
    row("2 answer", "%1 answer");
    row("/data, /home does not answer.", "%1 does not answer.");
    row("Run once on it: loginctl enable-linger", "Run once on it: %1");
    row("none", "none");
    row("GNU bash, version 5.2.15(1)-release", "");
    row("/scratch/%1", "");
    row("", "");
}

void TestAgentFacts::stepsHaveTemplates()
{
    QFETCH(QString, text);
    const std::string said = text.toStdString();
    const CheckStep step =
        checkStepOf(Json{{"id", "x"}, {"title", said}, {"state", "ok"}, {"detail", said}, {"remedy", said}}, {});
    for (const Message& message : {step.title, step.detail, step.remedy}) {
        QCOMPARE(message.text(), text);
        QTEST(message.key(), "key");
    }
}

void TestAgentFacts::eventsThatTellNothing()
{
    QVERIFY(!observationOf(TrialId(u"t"_s), json(R"({"type":"cancelling","intent":"user"})")));
    QVERIFY(!observationOf(TrialId(u"t"_s), json(R"({"type":"of tomorrow"})")));
    QVERIFY(!observationOf(TrialId(u"t"_s), json(R"({})")));
    QVERIFY(!observationOf(TrialId(u"t"_s), json(R"({"type":7})")));
    const auto odd = observationOf(
        TrialId(u"t"_s), json(R"({"type":"exited","exitCode":"0","usage":[],"success":"yes","time":"x"})"));
    QVERIFY(odd && !odd->exitCode && !odd->usage);
    QCOMPARE(odd->status, TrialStatus::failed);
}

void TestAgentFacts::loadIsRounded()
{
    Machine machine;
    const Json load{{"cpuPercent", 12.3}, {"loadAverage", 1.04}, {"memoryTotal", 8'000'000'000},
        {"memoryUsed", 1'600'000'000}, {"diskFree", 100'000'000'000}, {"cpuCount", 8}};
    QVERIFY(applyLoad(machine, load));
    QCOMPARE(machine.cpuCount, 8);
    QCOMPARE(machine.cpuPercent, 12.3);
    QVERIFY(!applyLoad(machine, load));
    Json little = load;
    little["cpuPercent"] = 12.4;
    little["loadAverage"] = 1.01;
    little["memoryUsed"] = 1'600'001'000;
    QVERIFY(!applyLoad(machine, little)); // not a visible change
    little["cpuPercent"] = 14;
    QVERIFY(applyLoad(machine, little));
}

void TestAgentFacts::gpuStates_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("xml");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("gpus");
    QTest::newRow("none") << QByteArray(R"({"state":"none"})") << QByteArray() << u"no NVIDIA GPU: trials use 8 cores"_s
                          << 0;
    QTest::newRow("tool") << QByteArray(R"({"state":"toolMissing"})") << QByteArray() << u"nvidia-smi"_s << 0;
    QTest::newRow("timeout") << QByteArray(R"({"state":"timeout"})") << QByteArray() << u"in time"_s << 1;
    QTest::newRow("driver") << QByteArray(
        R"({"state":"driverError","message":"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."})")
                            << QByteArray() << u"driver"_s << 0;
    QTest::newRow("too large") << QByteArray(R"({"state":"tooLarge"})") << QByteArray() << u"more than 8 MiB"_s << 1;
    QTest::newRow("cut") << QByteArray(R"({"state":"ok"})") << QByteArray("<nvidia_smi_log><gpu>") << QString() << 0;
}

void TestAgentFacts::gpuStates()
{
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, xml);
    QFETCH(QString, says);
    Machine machine;
    machine.cpuCount = 8;
    machine.gpus = {Gpu{.index = 0, .uuid = u"GPU-old"_s}};
    QVERIFY(applyGpus(machine, json(message), xml));
    QVERIFY(!machine.gpuMessage.isEmpty());
    QVERIFY2(machine.gpuMessage.contains(says), qPrintable(machine.gpuMessage));
    QTEST(int(machine.gpus.size()), "gpus");
    QVERIFY(!applyGpus(machine, json(message), xml));
}

void TestAgentFacts::processesOfGpus()
{
    const QByteArray xml = "<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu id=\"0:1:0.0\"><product_name>Test"
                           "</product_name><uuid>GPU-1</uuid><fb_memory_usage><total>1000 MiB</total><used>9 MiB</used>"
                           "</fb_memory_usage><processes><process_info><pid>7</pid><type>C</type><process_name>python"
                           "</process_name></process_info><process_info><pid>8</pid><type>C</type><process_name>a.out"
                           "</process_name></process_info></processes></gpu></nvidia_smi_log>";
    Machine machine;
    QVERIFY(applyGpus(machine,
        json(
            R"({"state":"ok","processes":[{"pid":7,"user":"anna","command":"python train.py","trial":"t1"},3,{"pid":9}]})"),
        xml));
    const QList<GpuProcess> found = machine.gpus.value(0).processes;
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].user, u"anna"_s);
    QCOMPARE(found[0].name, u"python train.py"_s);
    QCOMPARE(found[0].trialId, TrialId(u"t1"_s));
    QCOMPARE(found[1], (GpuProcess{8, {}, u"a.out"_s, 0, true, {}})); // the machine did not say
}

void TestAgentFacts::textsAreBounded()
{
    namespace limits = transport::limits;
    const QString evil = u"\u001b[2Ja\nb"_s + QString(500'000, u'x');
    for (const char* type : {"exited", "lost"}) {
        const auto seen = observationOf(
            TrialId(u"t"_s), Json{{"type", type}, {"final", true}, {"reason", evil}, {"failureClass", evil}});
        QVERIFY(seen);
        QCOMPARE(seen->reason.size(), limits::messageChars);
        QVERIFY(seen->reason.startsWith(u"[2Ja\nb"_s));
        QCOMPARE(seen->failureClass.word().size(), limits::wordChars);
    }
    const CheckStep step = checkStepOf(
        Json{{"id", evil}, {"title", evil}, {"state", evil}, {"detail", evil}, {"remedy", evil}}, MachineId());
    QCOMPARE(step.id.size(), limits::wordChars);
    QCOMPARE(step.title.size(), limits::nameChars);
    QVERIFY(step.title.startsWith(u"[2Jab"_s));
    QCOMPARE(step.detail.size(), limits::messageChars);
    QCOMPARE(step.remedy.size(), limits::messageChars);
    Machine machine;
    QVERIFY(applyLoad(machine, Json{{"cpuCount", qint64(1) << 40}}));
    QCOMPARE(machine.cpuCount, limits::mostCpus);
    QVERIFY(applyGpus(machine, Json{{"state", "driverError"}, {"message", evil}}, {}));
    QVERIFY(machine.gpuMessage.size() < limits::messageChars + 200);
}

void TestAgentFacts::tablesAreBounded()
{
    namespace limits = transport::limits;
    const auto gpu = [](int number, const QByteArray& name, const QByteArray& processes) {
        return "<gpu id=\"" + QByteArray::number(number) + "\"><product_name>" + name + "</product_name><uuid>GPU-"
            + QByteArray::number(number) + "</uuid><processes>" + processes + "</processes></gpu>";
    };
    const auto table = [](const QByteArray& gpus) { return "<nvidia_smi_log>" + gpus + "</nvidia_smi_log>"; };
    QByteArray processes;
    Json facts = Json::array();
    for (int pid = 1; pid <= 2 * limits::mostGpuProcesses; ++pid) {
        processes += "<process_info><pid>" + QByteArray::number(pid) + "</pid><type>C</type><process_name>"
            + QByteArray(pid == 1 ? 100'000 : 1, 'p') + "</process_name></process_info>";
        facts.push_back(
            Json{{"pid", pid}, {"user", QString(pid == 2 ? 100'000 : 1, u'u')}, {"trial", QString(500, u't')}});
    }
    Machine machine;
    QVERIFY(applyGpus(
        machine, Json{{"state", "ok"}, {"processes", facts}}, table(gpu(0, QByteArray(100'000, 'n'), processes))));
    QCOMPARE(machine.gpus.size(), 1);
    const Gpu& first = machine.gpus.first();
    QCOMPARE(first.model.size(), limits::nameChars);
    QCOMPARE(first.processes.size(), limits::mostGpuProcesses);
    QCOMPARE(first.processes[0].name.size(), limits::messageChars);
    QCOMPARE(first.processes[1].user.size(), limits::nameChars);
    QCOMPARE(first.processes[1].trialId.value.size(), limits::idChars);
    QByteArray many;
    for (int i = 0; i <= limits::mostGpus; ++i)
        many += gpu(i, "n", {});
    QVERIFY(applyGpus(machine, Json{{"state", "ok"}}, table(many)));
    QVERIFY(machine.gpus.isEmpty());
    QVERIFY2(machine.gpuMessage.contains(u"257 GPUs"_s), qPrintable(machine.gpuMessage));
}

void TestAgentFacts::logNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("good");
    for (const char* name : {"stdout", "stderr", "trial.log", "output/a", "output/a/b.txt", "output/..a", "output/a b"})
        QTest::newRow(name) << QString::fromUtf8(name) << true;
    for (const char* name : {"", "output", "output/", "output/..", "output/../spec.json", "output/a/../../x",
             "/output/a", "output//a", "spec.json", "output/a/", "stdout/", "STDOUT", "output/a/.."})
        QTest::newRow(name) << QString::fromUtf8(name) << false;
}

void TestAgentFacts::logNames()
{
    QFETCH(QString, name);
    QTEST(isLogName(name), "good");
}

void TestAgentFacts::startSpec()
{
    TrialSpec spec;
    spec.id = TrialId(u"t1"_s);
    spec.jobId = u"job"_s;
    spec.experimentId = ExperimentId(u"e1"_s);
    spec.sequenceId = 4;
    spec.command = u"echo \"ü\""_s;
    spec.setup = u"source x"_s;
    spec.loginShell = true;
    spec.environment = {{u"A"_s, u"1"_s}};
    spec.parameterCfg = "{\"x\": NaN}";
    spec.parameters = "{}";
    spec.code = CodeSource{CodeSource::Kind::inPlace, {}, u"/code"_s, {}};
    spec.graceMs = 7;
    const auto text = startSpecText(spec, u"local"_s, localCode(spec.code), {});
    QVERIFY(text);
    QCOMPARE(QString::fromUtf8(*text),
        u"{\"id\":\"t1\",\"jobId\":\"job\",\"experimentId\":\"e1\",\"sequenceId\":4,\"command\":\"echo "
        u"\\\"ü\\\"\",\"setup\":\"source x\","
        "\"loginShell\":true,\"environment\":{\"A\":\"1\"},\"parameterCfg\":\"{\\\"x\\\": NaN}\",\"parameters\":\"{}\","
        "\"code\":{\"kind\":\"inPlace\",\"path\":\"/code\"},\"platform\":\"local\",\"stdoutMode\":\"sdk\",\"graceMs\":7}"_s);
}

void TestAgentFacts::placements()
{
    TrialSpec spec;
    spec.id = TrialId(u"t1"_s);
    const MachineId machine(u"box"_s);
    const auto text = startSpecText(spec, u"remote"_s, {}, {}, placementProof("key", spec.id, machine));
    QVERIFY(text);
    QVERIFY(holdsPlacementProof(*text, "key", spec.id, machine));
    // Of another data directory, trial or machine; cut; without one; not JSON.
    QVERIFY(!holdsPlacementProof(*text, "other", spec.id, machine));
    QVERIFY(!holdsPlacementProof(*text, "key", TrialId(u"t2"_s), machine));
    QVERIFY(!holdsPlacementProof(*text, "key", spec.id, MachineId(u"box2"_s)));
    QVERIFY(!holdsPlacementProof(text->first(text->size() / 2), "key", spec.id, machine));
    QVERIFY(!holdsPlacementProof(*startSpecText(spec, u"remote"_s, {}, {}), "key", spec.id, machine));
    for (const char* odd : {"", "[]", "{\"placement\":7}", "{\"placement\":\"\"}", "\xff"})
        QVERIFY(!holdsPlacementProof(odd, "key", spec.id, machine));
}

void TestAgentFacts::gpusOfAStart()
{
    const QList<Gpu> gpus{Gpu{.index = 0, .uuid = u"GPU-a"_s}, Gpu{.index = 1, .uuid = u"GPU-b"_s},
        Gpu{.index = 2, .uuid = u"MIG-x"_s, .migParent = u"GPU-b"_s}};
    TrialSpec spec;
    spec.id = TrialId(u"t1"_s);
    const auto gpuPart = [&](std::optional<int> number, QList<int> indices) {
        spec.gpuNumber = number;
        spec.gpuIndices = indices;
        const auto text = startSpecText(spec, u"local"_s, {}, gpus);
        if (!text)
            return "refused: " + text.error().message.toUtf8();
        const Json all = json(*text);
        return dumpJson(all.value("gpu", Json())) + ' ' + dumpJson(all.value("gpuLocks", Json()));
    };
    QCOMPARE(gpuPart({}, {}), QByteArray("null null"));
    QCOMPARE(gpuPart(0, {}), QByteArray(R"({"visible":"-1"} null)"));
    QCOMPARE(gpuPart(2, {0, 1}), QByteArray(R"({"visible":"0,1"} ["GPU-a","GPU-b"])"));
    QCOMPARE(gpuPart(1, {2}), QByteArray(R"({"visible":"MIG-x"} ["MIG-x"])"));
    QCOMPARE(gpuPart(1, {7}), QByteArray(R"({"visible":"7"} null)")); // a table that is not known yet
    QVERIFY(gpuPart(2, {0}).startsWith("refused: The trial needs 2 GPUs"));
}

QTEST_GUILESS_MAIN(TestAgentFacts)
#include "tst_agent_facts.moc"
