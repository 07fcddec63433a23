// SPDX-License-Identifier: GPL-3.0-or-later
// How a client reads replies: unknown members and words are no error, so that it goes on working beside a newer service.
#include "record_json.h"

#include "message/message_json.h"

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace core {

namespace {

/// Reads a reply as a client does: a member that is missing or of another type leaves the value as it was.
class Reply
{
public:
    explicit Reply(const Json& object)
        : m_object(object)
    {
    }

    const Json* member(const char* name) const
    {
        if (!m_object.is_object())
            return nullptr;
        const auto it = m_object.find(name);
        return it == m_object.end() || it->is_null() ? nullptr : &*it;
    }
    Reply inner(const char* name) const
    {
        static const Json none;
        const Json* m = member(name);
        return Reply(m ? *m : none);
    }
    void read(const char* name, QString& out) const
    {
        if (const Json* m = member(name); m && m->is_string())
            out = QString::fromStdString(m->get_ref<const std::string&>());
    }
    void read(const char* name, Message& out) const
    {
        if (const Json* m = member(name); m && m->is_string())
            out = readMessage(m_object, name);
    }
    void read(const char* name, QByteArray& out) const
    {
        if (const Json* m = member(name); m && m->is_string())
            out = QByteArray::fromStdString(m->get_ref<const std::string&>());
    }
    template <typename Tag>
    void read(const char* name, Id<Tag>& out) const
    {
        read(name, out.value);
    }
    template <typename Enum>
    void read(const char* name, OpenWord<Enum>& out) const
    {
        if (const Json* m = member(name); m && m->is_string())
            out = OpenWord<Enum>::fromWord(QString::fromStdString(m->get_ref<const std::string&>()));
    }
    void read(const char* name, bool& out) const
    {
        if (const Json* m = member(name); m && m->is_boolean())
            out = m->get<bool>();
    }
    void read(const char* name, int& out) const
    {
        if (const std::optional<qint64> number = whole(name); number && qint64(int(*number)) == *number)
            out = int(*number);
    }
    void read(const char* name, qint64& out) const
    {
        if (const std::optional<qint64> number = whole(name))
            out = *number;
    }
    void read(const char* name, double& out) const
    {
        const Json* m = member(name);
        if (!m)
            return;
        if (m->is_number())
            out = m->get<double>();
        else if (m->is_string())
            out = parseMetricValue(m->get_ref<const std::string&>()).number;
    }
    void read(const char* name, QStringList& out) const
    {
        const Json* m = member(name);
        if (!m || !m->is_array())
            return;
        out.clear();
        for (const Json& entry : *m) {
            if (entry.is_string())
                out.append(QString::fromStdString(entry.get_ref<const std::string&>()));
        }
    }
    void read(const char* name, QList<int>& out) const
    {
        const Json* m = member(name);
        if (!m || !m->is_array())
            return;
        out.clear();
        for (const Json& entry : *m) {
            if (entry.is_number_integer())
                out.append(entry.get<int>());
        }
    }
    void read(const char* name, Json& out) const
    {
        if (const Json* m = member(name))
            out = *m;
    }
    template <typename T>
    void read(const char* name, std::optional<T>& out) const
    {
        if (!member(name))
            return;
        T value{};
        read(name, value);
        out = std::move(value);
    }
    template <typename Enum>
    void read(const char* name, Enum& out, std::optional<Enum> (*fromName)(QStringView)) const
    {
        QString word;
        read(name, word);
        out = fromName(word).value_or(Enum{});
    }
    template <typename Record>
    void read(const char* name, QList<Record>& out, Record (*decode)(const Reply&)) const
    {
        const Json* m = member(name);
        if (!m || !m->is_array())
            return;
        for (const Json& entry : *m)
            out.append(decode(Reply(entry)));
    }

private:
    std::optional<qint64> whole(const char* name) const
    {
        const Json* m = member(name);
        if (!m || !m->is_number())
            return std::nullopt;
        if (m->is_number_integer())
            return m->get<qint64>();
        const double number = m->get<double>();
        return std::abs(number) <= 9e15 ? std::optional(qint64(number)) : std::nullopt;
    }

    const Json& m_object;
};

Result<> expectObject(const Json& json, const QString& what)
{
    if (!json.is_object())
        return fail(Kind::invalid, u"The service's reply holds no %1 where one is expected."_m.arg(what));
    return {};
}

MetricValue valueFromJson(const Json& json)
{
    MetricValue value;
    if (json.is_number()) {
        value.kind = MetricValue::Kind::number;
        value.number = json.get<double>();
    } else if (json.is_string()) {
        value = parseMetricValue(json.get_ref<const std::string&>());
    } else if (json.is_object()) {
        value.kind = MetricValue::Kind::object;
        value.object = dumpJson(json);
        value.number = std::numeric_limits<double>::quiet_NaN();
        const auto member = json.find("default");
        if (member != json.end() && (member->is_number() || member->is_string())) {
            const MetricValue inner = valueFromJson(*member);
            if (inner.kind == MetricValue::Kind::number)
                value.number = inner.number;
        }
    }
    return value;
}

MetricSummary summaryFrom(const Reply& reply)
{
    MetricSummary summary;
    reply.read("sequence", summary.sequence);
    reply.read("step", summary.step);
    reply.read("time", summary.time);
    if (const Json* value = reply.member("value"))
        summary.value = valueFromJson(*value);
    return summary;
}

CheckStep stepFrom(const Reply& reply)
{
    CheckStep step;
    reply.read("id", step.id);
    reply.read("title", step.title);
    reply.read("state", step.state);
    reply.read("detail", step.detail);
    reply.read("remedy", step.remedy);
    reply.read("machineId", step.machineId);
    return step;
}

PromptField fieldFrom(const Reply& reply)
{
    PromptField field;
    reply.read("label", field.label);
    reply.read("echo", field.echo);
    return field;
}

GpuProcess processFrom(const Reply& reply)
{
    GpuProcess process;
    reply.read("pid", process.pid);
    reply.read("user", process.user);
    reply.read("name", process.name);
    reply.read("memoryUsed", process.memoryUsed);
    reply.read("compute", process.compute);
    reply.read("trialId", process.trialId);
    return process;
}

GpuReservation reservationFrom(const Reply& reply)
{
    GpuReservation reservation;
    reply.read("holder", reservation.holder);
    reply.read("trialId", reservation.trialId);
    reply.read("since", reservation.since);
    reply.read("note", reservation.note);
    return reservation;
}

Gpu gpuFrom(const Reply& reply)
{
    Gpu gpu;
    reply.read("index", gpu.index);
    reply.read("uuid", gpu.uuid);
    reply.read("model", gpu.model);
    reply.read("memoryTotal", gpu.memoryTotal);
    reply.read("memoryUsed", gpu.memoryUsed);
    reply.read("utilization", gpu.utilization);
    reply.read("temperature", gpu.temperature);
    reply.read("migParent", gpu.migParent);
    reply.read("processes", gpu.processes, processFrom);
    reply.read("reservations", gpu.reservations, reservationFrom);
    return gpu;
}

ExperimentSpec specFrom(const Reply& reply)
{
    ExperimentSpec spec;
    reply.read("name", spec.name);
    reply.read("platformId", spec.platformId);
    reply.read("trialCommand", spec.trialCommand);
    reply.read("codeDir", spec.codeDir);
    reply.read("codeHash", spec.codeHash);
    QString word;
    reply.read("codeMode", word);
    spec.codeInPlace = word == u"inPlace";
    reply.read("gpuNumber", spec.gpuNumber);
    reply.read("trialConcurrency", spec.trialConcurrency);
    reply.read("maxTrialNumber", spec.maxTrialNumber);
    reply.read("maxDurationSeconds", spec.maxDurationSeconds);
    reply.read("maxTrialDurationSeconds", spec.maxTrialDurationSeconds);
    const Reply objective = reply.inner("objective");
    objective.read("metric", spec.objective.metric);
    word.clear();
    objective.read("direction", word);
    spec.objective.maximize = word != u"minimize";
    reply.read("searchSpace", spec.searchSpace);
    const Reply tuner = reply.inner("tuner");
    tuner.read("name", spec.tunerName);
    tuner.read("classArgs", spec.tunerArgs);
    reply.read("metricPattern", spec.metricPattern);
    reply.read("interpreter", spec.interpreter);
    reply.read("setup", spec.setup);
    reply.read("loginShell", spec.loginShell);
    if (const Json* environment = reply.member("environment"); environment && environment->is_object()) {
        for (const auto& [name, value] : environment->items()) {
            if (value.is_string())
                spec.environment.insert(QString::fromStdString(name), QString::fromStdString(value.get<std::string>()));
        }
    }
    reply.read("tags", spec.tags);
    reply.read("platformOptions", spec.platformOptions);
    return spec;
}

} // namespace

Result<Trial> trialFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"trial"_s); !good)
        return fail(good);
    const Reply reply(json);
    Trial trial;
    reply.read("id", trial.id);
    reply.read("clientId", trial.clientId);
    reply.read("experimentId", trial.experimentId);
    reply.read("platformId", trial.platformId);
    reply.read("sequenceId", trial.sequenceId);
    reply.read("status", trial.status, statusFromName);
    reply.read("submitTime", trial.submitTime);
    reply.read("startTime", trial.startTime);
    reply.read("endTime", trial.endTime);
    reply.read("lastContact", trial.lastContact);
    reply.read("tags", trial.tags);
    reply.read("note", trial.note);
    reply.read("url", trial.url);
    reply.read("workingDirectory", trial.workingDirectory);
    const Reply form = reply.inner("form");
    form.read("sequenceId", trial.formSequenceId);
    form.inner("hyperParameters").read("value", trial.parameterCfg);
    form.inner("hyperParameters").read("index", trial.parameterIndex);
    reply.read("machineId", trial.machineId);
    reply.read("gpuIndices", trial.gpuIndices);
    reply.read("pid", trial.pid);
    reply.read("exitCode", trial.exitCode);
    reply.read("signal", trial.signal);
    reply.read("reason", trial.reason);
    reply.read("failureClass", trial.failureClass);
    reply.read("attempt", trial.attempt);
    reply.read("retryOf", trial.retryOf);
    reply.read("priority", trial.priority);
    reply.read("queueOrder", trial.queueOrder);
    reply.read("hold", trial.hold);
    reply.read("gpuNumber", trial.gpuNumber);
    if (const Json* parameters = reply.member("parameters"))
        trial.parameters = dumpJson(*parameters);
    if (const Json* metric = reply.member("latestMetric"))
        trial.latestMetric = summaryFrom(Reply(*metric));
    if (const Json* metric = reply.member("finalMetric"))
        trial.finalMetric = summaryFrom(Reply(*metric));
    reply.read("bestMetric", trial.bestMetric);
    reply.read("metricCount", trial.metricCount);
    reply.read("peakMemory", trial.usage.peakMemoryBytes);
    reply.read("userTimeMs", trial.usage.userMs);
    reply.read("systemTimeMs", trial.usage.systemMs);
    bool requested = false;
    bool early = false;
    reply.read("cancelRequested", requested);
    reply.read("isEarlyStopped", early);
    if (requested) {
        trial.cancelIntent = early                      ? CancelIntent::early
            : trial.status == TrialStatus::sys_canceled ? CancelIntent::system
                                                        : CancelIntent::user;
    }
    return trial;
}

Result<Experiment> experimentFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"experiment"_s); !good)
        return fail(good);
    const Reply reply(json);
    Experiment experiment;
    reply.read("id", experiment.id);
    experiment.spec = specFrom(reply);
    reply.read("state", experiment.state, experimentStateFromName);
    reply.read("message", experiment.message);
    reply.read("createdTime", experiment.createdTime);
    reply.read("startTime", experiment.startTime);
    reply.read("endTime", experiment.endTime);
    reply.read("version", experiment.version);
    const Reply counts = reply.inner("counts");
    for (const TrialStatus status : allTrialStatuses)
        counts.read(statusName(status).toLatin1().constData(), experiment.counts[size_t(status)]);
    if (const Json* best = reply.member("best")) {
        experiment.best.emplace();
        Reply(*best).read("trialId", experiment.best->trialId);
        Reply(*best).read("value", experiment.best->value);
    }
    return experiment;
}

static PlatformQueue queueFrom(const Reply& reply)
{
    PlatformQueue queue;
    reply.read("name", queue.name);
    reply.read("isOpen", queue.isOpen);
    reply.read("isDefault", queue.isDefault);
    reply.read("message", queue.message);
    reply.read("machines", queue.machines);
    for (const auto& [name, share] : {std::pair("cpus", &queue.cpus), std::pair("gpus", &queue.gpus)}) {
        const Reply inner = reply.inner(name);
        inner.read("total", share->total);
        inner.read("free", share->free);
    }
    reply.read("maxSeconds", queue.maxSeconds);
    return queue;
}

Result<Platform> platformFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"platform"_s); !good)
        return fail(good);
    const Reply reply(json);
    Platform platform;
    reply.read("id", platform.id);
    reply.read("kind", platform.kind);
    reply.read("settings", platform.settings);
    reply.read("state", platform.state, platformStateFromName);
    reply.read("message", platform.message);
    const Reply capabilities = reply.inner("capabilities");
    capabilities.read("logs", platform.capabilities.logs);
    capabilities.read("parameters", platform.capabilities.parameters);
    capabilities.read("machines", platform.capabilities.machines);
    capabilities.read("placement", platform.capabilities.placement);
    capabilities.read("files", platform.capabilities.files);
    capabilities.read("requeue", platform.capabilities.requeue);
    reply.read("version", platform.version);
    reply.read("retryTime", platform.retryTime);
    reply.read("queues", platform.queues, queueFrom);
    return platform;
}

Result<Machine> machineFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"machine"_s); !good)
        return fail(good);
    const Reply reply(json);
    Machine machine;
    reply.read("id", machine.id);
    reply.read("platformId", machine.platformId);
    reply.read("address", machine.address);
    reply.read("state", machine.state, machineStateFromName);
    reply.read("message", machine.message);
    reply.read("lastContact", machine.lastContact);
    const Reply cpu = reply.inner("cpu");
    cpu.read("count", machine.cpuCount);
    cpu.read("percent", machine.cpuPercent);
    cpu.read("loadAverage", machine.loadAverage);
    reply.inner("memory").read("total", machine.memoryTotal);
    reply.inner("memory").read("used", machine.memoryUsed);
    reply.inner("disk").read("free", machine.diskFree);
    reply.read("gpus", machine.gpus, gpuFrom);
    reply.read("gpuMessage", machine.gpuMessage);
    reply.read("maxTrialNumberPerGpu", machine.maxTrialsPerGpu);
    reply.read("useActiveGpu", machine.useActiveGpu);
    reply.read("gpuIndices", machine.usableGpus);
    return machine;
}

Result<Prompt> promptFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"question"_s); !good)
        return fail(good);
    const Reply reply(json);
    Prompt prompt;
    reply.read("id", prompt.id);
    reply.read("kind", prompt.kind);
    reply.read("subject", prompt.subject);
    reply.read("text", prompt.text);
    reply.read("fields", prompt.fields, fieldFrom);
    reply.read("expires", prompt.expires);
    reply.read("code", prompt.code);
    reply.read("url", prompt.url);
    return prompt;
}

Result<Operation> operationFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"request"_s); !good)
        return fail(good);
    const Reply reply(json);
    Operation request;
    reply.read("id", request.id);
    reply.read("kind", request.kind);
    reply.read("subject", request.subject);
    reply.read("state", request.state);
    reply.read("message", request.message);
    reply.read("steps", request.steps, stepFrom);
    reply.read("createdTime", request.createdTime);
    reply.read("endTime", request.endTime);
    return request;
}

Result<Metric> metricFromJson(const Json& json)
{
    if (auto good = expectObject(json, u"metric"_s); !good)
        return fail(good);
    const Reply reply(json);
    Metric metric;
    reply.read("sequence", metric.sequence);
    reply.read("type", metric.type, metricTypeFromName);
    reply.read("parameterId", metric.parameterId);
    reply.read("parameterIndex", metric.parameterIndex);
    reply.read("step", metric.step);
    reply.read("data", metric.data);
    reply.read("time", metric.time);
    // The exact text gives the same value as the service had; a reply may come without it.
    if (!metric.data.isEmpty())
        metric.value = parseMetricValue(metric.data);
    else if (const Json* value = reply.member("value"))
        metric.value = valueFromJson(*value);
    return metric;
}

} // namespace core
