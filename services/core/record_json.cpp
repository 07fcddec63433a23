// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_json.h"

#include "json_scanner.h"
#include "message/message_json.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace core {

namespace {

Json orNull(const QString& text)
{
    return text.isEmpty() ? Json(nullptr) : Json(text.toStdString());
}

template <typename Tag>
Json orNull(const Id<Tag>& id)
{
    return orNull(id.value);
}

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// A time that is 0 when not known.
Json timeOrNull(qint64 time)
{
    return time == 0 ? Json(nullptr) : Json(time);
}

Json numberJson(double number)
{
    return MetricValue{MetricValue::Kind::number, number, {}}.toJson();
}

Json listJson(const QStringList& list)
{
    Json out = Json::array();
    for (const QString& entry : list)
        out.push_back(entry.toStdString());
    return out;
}

Json listJson(const QList<int>& list)
{
    Json out = Json::array();
    for (const int entry : list)
        out.push_back(entry);
    return out;
}

template <typename Record>
Json listJson(const QList<Record>& list, Json (*write)(const Record&))
{
    Json out = Json::array();
    for (const Record& entry : list)
        out.push_back(write(entry));
    return out;
}

Json textToJson(const QByteArray& text)
{
    // What an earlier version accepted must not make a whole reply unreadable.
    if (text.isEmpty() || isNestedDeeper(text, maxAcceptedDepth))
        return nullptr;
    if (auto json = parseJson(text))
        return *std::move(json);
    if (const QByteArray strict = strictJson(text); !strict.isEmpty()) {
        if (auto json = parseJson(strict))
            return *std::move(json);
    }
    return nullptr;
}

Json partJson(const GpuProcess& process)
{
    return {{"pid", process.pid}, {"user", process.user}, {"name", process.name}, {"memoryUsed", process.memoryUsed},
        {"compute", process.compute}, {"trialId", orNull(process.trialId)}};
}

Json partJson(const GpuReservation& reservation)
{
    return {{"holder", reservation.holder.word()}, {"trialId", orNull(reservation.trialId)},
        {"since", timeOrNull(reservation.since)}, {"note", reservation.note}};
}

Json partJson(const Gpu& gpu)
{
    return {{"index", gpu.index}, {"uuid", gpu.uuid}, {"model", gpu.model}, {"memoryTotal", gpu.memoryTotal},
        {"memoryUsed", gpu.memoryUsed}, {"utilization", orNull(gpu.utilization)},
        {"temperature", orNull(gpu.temperature)}, {"migParent", orNull(gpu.migParent)},
        {"processes", listJson<GpuProcess>(gpu.processes, partJson)},
        {"reservations", listJson<GpuReservation>(gpu.reservations, partJson)}};
}

Json partJson(const PromptField& field)
{
    Json json = {{"echo", field.echo}};
    addMessage(json, "label", field.label);
    return json;
}

Json specJson(const ExperimentSpec& spec)
{
    Json tuner = nullptr;
    if (!spec.tunerName.isEmpty())
        tuner = {{"name", spec.tunerName}, {"classArgs", spec.tunerArgs}};
    Json environment = Json::object();
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        environment[it.key().toStdString()] = it.value().toStdString();
    return {{"name", spec.name}, {"platformId", orNull(spec.platformId)}, {"trialCommand", spec.trialCommand},
        {"codeDir", orNull(spec.codeDir)}, {"codeHash", orNull(spec.codeHash)},
        {"codeMode", spec.codeInPlace ? "inPlace" : "snapshot"}, {"gpuNumber", orNull(spec.gpuNumber)},
        {"trialConcurrency", spec.trialConcurrency}, {"maxTrialNumber", orNull(spec.maxTrialNumber)},
        {"maxDurationSeconds", orNull(spec.maxDurationSeconds)},
        {"maxTrialDurationSeconds", orNull(spec.maxTrialDurationSeconds)},
        {"objective",
            {{"metric", spec.objective.metric}, {"direction", spec.objective.maximize ? "maximize" : "minimize"}}},
        {"searchSpace", spec.searchSpace}, {"tuner", std::move(tuner)}, {"metricPattern", orNull(spec.metricPattern)},
        {"interpreter", orNull(spec.interpreter)}, {"setup", orNull(spec.setup)}, {"loginShell", spec.loginShell},
        {"environment", std::move(environment)}, {"tags", listJson(spec.tags)},
        {"platformOptions", spec.platformOptions}};
}

} // namespace

Json toJson(const Trial& trial)
{
    const bool early =
        trial.cancelIntent ? *trial.cancelIntent == CancelIntent::early : trial.status == TrialStatus::early_stopped;
    // Invalid bytes in the texts are replaced when the document is dumped.
    Json form = {{"sequenceId", trial.formSequenceId},
        {"hyperParameters", {{"value", trial.parameterCfg.toStdString()}, {"index", trial.parameterIndex}}}};
    Json json = {{"id", trial.id.value}, {"clientId", orNull(trial.clientId)},
        {"experimentId", trial.experimentId.value}, {"platformId", trial.platformId.value},
        {"sequenceId", trial.sequenceId}, {"status", statusName(trial.status)}, {"submitTime", trial.submitTime},
        {"startTime", orNull(trial.startTime)}, {"endTime", orNull(trial.endTime)},
        {"lastContact", timeOrNull(trial.lastContact)}, {"tags", listJson(trial.tags)}, {"note", trial.note},
        {"url", orNull(trial.url)}, {"workingDirectory", trial.workingDirectory}, {"form", std::move(form)},
        {"isEarlyStopped", early}, {"machineId", orNull(trial.machineId)}, {"gpuIndices", listJson(trial.gpuIndices)},
        {"pid", trial.pid > 0 ? Json(trial.pid) : Json(nullptr)}, {"exitCode", orNull(trial.exitCode)},
        {"signal", orNull(trial.signal)}, {"reason", trial.reason.text()}, {"reasonKey", nullptr},
        {"reasonArguments", Json::array()}, {"failureClass", orNull(trial.failureClass.word())},
        {"attempt", trial.attempt}, {"retryOf", orNull(trial.retryOf)}, {"priority", trial.priority},
        {"queueOrder", trial.queueOrder}, {"hold", trial.hold}, {"gpuNumber", orNull(trial.gpuNumber)},
        {"parameters", textToJson(trial.parameters)},
        {"latestMetric", trial.latestMetric ? toJson(*trial.latestMetric) : Json(nullptr)},
        {"finalMetric", trial.finalMetric ? toJson(*trial.finalMetric) : Json(nullptr)},
        {"bestMetric", trial.bestMetric ? numberJson(*trial.bestMetric) : Json(nullptr)},
        {"metricCount", trial.metricCount}, {"peakMemory", trial.usage.peakMemoryBytes},
        {"userTimeMs", trial.usage.userMs}, {"systemTimeMs", trial.usage.systemMs},
        {"cancelRequested", trial.cancelIntent.has_value()}};
    addMessage(json, "reason", trial.reason);
    return json;
}

Json toJson(const ExperimentSpec& spec)
{
    return specJson(spec);
}

Json toJson(const Experiment& experiment)
{
    Json counts = Json::object();
    for (const TrialStatus status : allTrialStatuses)
        counts[statusName(status).toStdString()] = experiment.count(status);
    Json best = nullptr;
    if (experiment.best)
        best = {{"trialId", experiment.best->trialId.value}, {"value", numberJson(experiment.best->value)}};
    Json out = {{"id", experiment.id.value}};
    out.update(specJson(experiment.spec));
    out["state"] = experimentStateName(experiment.state);
    addMessage(out, "message", experiment.message);
    out["createdTime"] = experiment.createdTime;
    out["startTime"] = orNull(experiment.startTime);
    out["endTime"] = orNull(experiment.endTime);
    out["counts"] = std::move(counts);
    out["best"] = std::move(best);
    out["version"] = experiment.version;
    return out;
}

static Json partJson(const PlatformQueue& queue)
{
    const auto share = [](const QueueShare& one) { return Json{{"total", one.total}, {"free", one.free}}; };
    Json json = {{"name", queue.name}, {"isOpen", queue.isOpen}, {"isDefault", queue.isDefault},
        {"machines", queue.machines}, {"cpus", share(queue.cpus)}, {"gpus", share(queue.gpus)},
        {"maxSeconds", orNull(queue.maxSeconds)}};
    if (!queue.message.isEmpty())
        json["message"] = queue.message.text();
    addMessage(json, "message", queue.message);
    return json;
}

Json toJson(const Platform& platform)
{
    Json json = {{"id", platform.id.value}, {"kind", platform.kind}, {"settings", platform.settings},
        {"state", platformStateName(platform.state)}, {"message", platform.message.text()},
        {"capabilities",
            {{"logs", platform.capabilities.logs}, {"parameters", platform.capabilities.parameters},
                {"machines", platform.capabilities.machines}, {"placement", platform.capabilities.placement},
                {"files", platform.capabilities.files}, {"requeue", platform.capabilities.requeue}}},
        {"version", platform.version}, {"retryTime", orNull(platform.retryTime)}};
    addMessage(json, "message", platform.message);
    if (!platform.queues.isEmpty())
        json["queues"] = listJson<PlatformQueue>(platform.queues, partJson);
    return json;
}

Json toJson(const Machine& machine)
{
    Json json = {{"id", machine.id.value}, {"platformId", machine.platformId.value}, {"address", machine.address},
        {"state", machineStateName(machine.state)}, {"message", machine.message.text()},
        {"lastContact", timeOrNull(machine.lastContact)},
        {"cpu",
            {{"count", machine.cpuCount}, {"percent", orNull(machine.cpuPercent)},
                {"loadAverage", orNull(machine.loadAverage)}}},
        {"memory", {{"total", machine.memoryTotal}, {"used", machine.memoryUsed}}},
        {"disk", {{"free", machine.diskFree}}}, {"gpus", listJson<Gpu>(machine.gpus, partJson)},
        {"gpuMessage", machine.gpuMessage.text()}, {"maxTrialNumberPerGpu", machine.maxTrialsPerGpu},
        {"useActiveGpu", machine.useActiveGpu},
        {"gpuIndices", machine.usableGpus ? listJson(*machine.usableGpus) : Json(nullptr)}};
    addMessage(json, "message", machine.message);
    addMessage(json, "gpuMessage", machine.gpuMessage);
    return json;
}

Json toJson(const Prompt& prompt)
{
    Json json = {{"id", prompt.id.value}, {"kind", prompt.kind}, {"subject", prompt.subject},
        {"text", prompt.text.text()}, {"fields", listJson<PromptField>(prompt.fields, partJson)},
        {"expires", timeOrNull(prompt.expires)}};
    if (!prompt.code.isEmpty())
        json["code"] = prompt.code;
    if (!prompt.url.isEmpty())
        json["url"] = prompt.url;
    addMessage(json, "text", prompt.text);
    return json;
}

Json toJson(const Operation& request)
{
    Json json = {{"id", request.id.value}, {"kind", request.kind}, {"subject", request.subject},
        {"state", request.state.word()}, {"message", request.message.text()},
        {"steps", listJson<CheckStep>(request.steps, toJson)}, {"createdTime", request.createdTime},
        {"endTime", orNull(request.endTime)}};
    addMessage(json, "message", request.message);
    return json;
}

Json toJson(const TrialEvent& event)
{
    Json json = {
        {"sequence", event.sequence}, {"time", event.time}, {"kind", event.kind.word()}, {"text", event.text.text()}};
    addMessage(json, "text", event.text);
    return json;
}

Json toJson(const MetricSummary& summary)
{
    return {{"sequence", summary.sequence}, {"step", orNull(summary.step)}, {"value", summary.value.toJson()},
        {"time", summary.time}};
}

Json toJson(const CheckStep& step)
{
    Json json = {{"id", step.id}, {"title", step.title.text()}, {"state", step.state.word()},
        {"detail", step.detail.text()}, {"remedy", step.remedy.text()}};
    if (!step.machineId.isEmpty())
        json["machineId"] = step.machineId.value;
    addMessage(json, "title", step.title);
    addMessage(json, "detail", step.detail);
    addMessage(json, "remedy", step.remedy);
    return json;
}

} // namespace core
