// SPDX-License-Identifier: GPL-3.0-or-later
// Records with every member set to something that is not its default, so that a test notices one that gets lost.
#pragma once

#include "services/core/record_json.h"

namespace samples {

inline core::MetricSummary summary(qint64 sequence, const QByteArray& text)
{
    core::MetricSummary out;
    out.sequence = sequence;
    out.step = sequence * 10;
    out.value = core::parseMetricValue(text);
    out.time = 1'750'000'000'500 + sequence;
    return out;
}

/// What the public JSON shows; the members that it does not show keep their defaults.
inline core::Trial publicTrial()
{
    using namespace core;
    Trial t;
    t.id = TrialId(QStringLiteral("t1h2j3k4m5n6p7q"));
    t.clientId = QStringLiteral("AbC-12");
    t.experimentId = ExperimentId(QStringLiteral("e1"));
    t.platformId = PlatformId(QStringLiteral("lab"));
    t.sequenceId = 41;
    t.status = TrialStatus::failed;
    t.submitTime = 1'750'000'000'001;
    t.startTime = 1'750'000'000'002;
    t.endTime = 1'750'000'000'003;
    t.lastContact = 1'750'000'000'004;
    t.parameters = R"({"lr":0.001,"batch":32,"name":"größe"})";
    t.parameterCfg = "{\"parameter_id\": 41,  \"parameters\": {\"lr\": 1e-3}}";
    t.parameterIndex = 2;
    t.formSequenceId = 40;
    t.tags = {QStringLiteral("a"), QStringLiteral("b c")};
    t.note = QStringLiteral("größer \"batch\":\nonce more");
    t.priority = -3;
    t.queueOrder = -(qint64(1) << 41);
    t.hold = true;
    t.gpuNumber = 2;
    t.machineId = MachineId(QStringLiteral("gpu-box-1"));
    t.gpuIndices = {0, 3};
    t.pid = 4'711;
    t.url = QStringLiteral("file://gpu-box-1:/work");
    t.workingDirectory = QStringLiteral("/data/trials/t1");
    t.cancelIntent = CancelIntent::early;
    t.exitCode = 137;
    t.signal = 9;
    t.reason = u"The trial ran out of memory (%1 of %2)."_m.arg(9, u"%1 GiB"_m.arg(8));
    t.failureClass = core::FailureClass::outOfMemory;
    t.attempt = 3;
    t.retryOf = TrialId(QStringLiteral("t0"));
    t.usage = {123'456'789, 4'321, 1'234};
    t.metricCount = 17;
    t.latestMetric = summary(16, R"({"default":0.5,"loss":"NaN"})");
    t.finalMetric = summary(15, "NaN");
    t.bestMetric = 0.75;
    return t;
}

inline core::Trial fullTrial()
{
    core::Trial t = publicTrial();
    // Not UTF-8, with bytes of every kind: kept as they came.
    t.parameters = QByteArray("{\"x\": \"\xff\xfe\x80\"}\n", 13);
    t.parameterCfg = QByteArray("\x00\x01 raw \xc3\x28 \r\n", 12);
    t.wantedMachine = core::MachineId(QStringLiteral("gpu-box-2"));
    t.cancelIntent = core::CancelIntent::system;
    return t;
}

inline core::Experiment fullExperiment()
{
    using namespace core;
    Experiment e;
    e.id = ExperimentId(QStringLiteral("e1h2j3k4m5n6p7q"));
    e.spec.name = QStringLiteral("mnist");
    e.spec.platformId = PlatformId(QStringLiteral("lab"));
    e.spec.trialCommand = QStringLiteral("python3 train.py --lr {lr}");
    e.spec.codeDir = QStringLiteral("/home/me/code");
    e.spec.codeHash = QString(64, QLatin1Char('a'));
    e.spec.codeInPlace = true;
    e.spec.gpuNumber = 1;
    e.spec.trialConcurrency = 8;
    e.spec.maxTrialNumber = 100;
    e.spec.maxDurationSeconds = 7'200;
    e.spec.maxTrialDurationSeconds = 600;
    e.spec.objective = {QStringLiteral("loss"), false};
    e.spec.searchSpace = *parseJson(
        R"({"lr":{"_type":"loguniform","_value":[0.0001,0.1]},"batch":{"_type":"choice","_value":[16,32]}})");
    e.spec.tunerName = QStringLiteral("Random");
    e.spec.tunerArgs = *parseJson(R"({"seed":7})");
    e.spec.metricPattern = QStringLiteral("loss=(?<value>\\S+)");
    e.spec.interpreter = QStringLiteral("/opt/venv/bin/python3");
    e.spec.setup = QStringLiteral("module load cuda");
    e.spec.loginShell = true;
    e.spec.environment = {{QStringLiteral("A"), QStringLiteral("1")}, {QStringLiteral("B"), QStringLiteral("x y")}};
    e.spec.tags = {QStringLiteral("demo")};
    e.spec.platformOptions = *parseJson(R"({"image":"x:1"})");
    e.state = ExperimentState::paused;
    e.message = u"Paused by a person."_m;
    e.createdTime = 1'750'000'000'000;
    e.startTime = 1'750'000'000'100;
    e.endTime = 1'750'000'009'100;
    e.version = 5;
    for (size_t i = 0; i < trialStatusCount; ++i)
        e.counts[i] = qint64(i) * 3 + 1;
    e.best = BestTrial{TrialId(QStringLiteral("t9")), 0.125};
    return e;
}

inline core::Platform fullPlatform()
{
    using namespace core;
    Platform p;
    p.id = PlatformId(QStringLiteral("lab"));
    p.kind = QStringLiteral("remote");
    p.settings = *parseJson(R"({"machineList":[{"host":"h","password":{"set":true}}]})");
    p.state = PlatformState::question;
    p.message = u"Waits for %1."_m.arg(u"an answer"_m);
    p.capabilities = {true, true, true, true, true, true};
    p.version = 3;
    p.retryTime = 1'750'000'000'500;
    p.queues = {PlatformQueue{.name = QStringLiteral("gpu"),
                    .isDefault = true,
                    .machines = 3,
                    .cpus = {96, 40},
                    .gpus = {24, 5},
                    .maxSeconds = 172'800},
        PlatformQueue{.name = QStringLiteral("old"), .isOpen = false, .message = u"It is %1."_m.arg(u"closed"_m)}};
    return p;
}

inline core::Machine fullMachine()
{
    using namespace core;
    Machine m;
    m.id = MachineId(QStringLiteral("lab.gpu-box-1"));
    m.platformId = PlatformId(QStringLiteral("lab"));
    m.address = QStringLiteral("me@gpu-box-1:22");
    m.state = MachineState::drained;
    m.message = u"Drained."_m;
    m.lastContact = 1'750'000'000'000;
    m.cpuCount = 32;
    m.cpuPercent = 12.5;
    m.loadAverage = 3.25;
    m.memoryTotal = 1LL << 38;
    m.memoryUsed = 1LL << 35;
    m.diskFree = 1LL << 40;
    m.gpuMessage = QStringLiteral("two GPUs");
    Gpu gpu;
    gpu.index = 1;
    gpu.uuid = QStringLiteral("GPU-1");
    gpu.model = QStringLiteral("H200");
    gpu.memoryTotal = 1LL << 37;
    gpu.memoryUsed = 1LL << 30;
    gpu.utilization = 97;
    gpu.temperature = 61;
    gpu.migParent = QStringLiteral("GPU-0");
    gpu.processes = {
        {4711, QStringLiteral("me"), QStringLiteral("python3"), 1 << 20, true, TrialId(QStringLiteral("t1"))}};
    gpu.reservations = {
        {core::GpuHolder::trial, TrialId(QStringLiteral("t1")), 1'750'000'000'000, QStringLiteral("mine")},
        {core::GpuHolder::person, {}, 1'750'000'000'001, QStringLiteral("until Monday")}};
    m.gpus = {gpu};
    m.maxTrialsPerGpu = 2;
    m.useActiveGpu = true;
    m.usableGpus = QList<int>{0, 1};
    return m;
}

inline core::Prompt fullPrompt()
{
    return {core::PromptId(QStringLiteral("p1")), QStringLiteral("secret"), QStringLiteral("gpu-box-1"),
        QStringLiteral("Passphrase?"), {{QStringLiteral("Passphrase"), false}, {QStringLiteral("Code"), true}},
        1'750'000'000'000, QStringLiteral("ABCD-1234"), QStringLiteral("https://login.example.org/device")};
}

inline core::Operation fullOperation()
{
    using namespace core;
    core::Operation r;
    r.id = core::OperationId(QStringLiteral("r1"));
    r.kind = QStringLiteral("check");
    r.subject = QStringLiteral("lab");
    r.state = core::OperationState::succeeded;
    r.message = u"All is well."_m;
    r.steps = {{QStringLiteral("login"), QStringLiteral("Log in"), core::CheckState::ok, QStringLiteral("as me"),
        QStringLiteral("none")}};
    r.createdTime = 1'750'000'000'000;
    r.endTime = 1'750'000'000'900;
    return r;
}

inline core::Metric metric(
    qint64 sequence, const QByteArray& text, core::MetricType type = core::MetricType::periodical)
{
    core::Metric m;
    m.sequence = sequence;
    m.type = type;
    m.parameterId = 41;
    m.parameterIndex = 1;
    m.step = sequence * 2;
    m.data = text;
    m.value = core::parseMetricValue(text);
    m.time = 1'750'000'000'000 + sequence;
    return m;
}

} // namespace samples
