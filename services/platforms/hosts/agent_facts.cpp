// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_facts.h"

#include "services/schedule/gpu_inventory.h"
#include "services/transport/agent_limits.h"
#include "services/transport/wire_json.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::lineOf;
using transport::linesOf;
using transport::numberOf;
using transport::realOf;
using transport::textOf;
using transport::withoutControls;
namespace limits = transport::limits;

namespace {

/// Sets `target` if it differs from `value` after rounding both to `step`. Returns whether it was set.
template <typename T>
bool setRounded(T& target, T value, double step)
{
    const auto rounded = [step](T v) { return std::llround(double(v) / step); };
    if (rounded(target) == rounded(value))
        return false;
    target = value;
    return true;
}

bool setRounded(std::optional<double>& target, double value, double step)
{
    if (target)
        return setRounded(*target, value, step);
    target = value;
    return true;
}

Message cores(const Machine& machine)
{
    if (machine.cpuCount <= 0)
        return {};
    return machine.cpuCount == 1 ? u": trials use 1 core"_m : u": trials use %1 cores"_m.arg(machine.cpuCount);
}

} // namespace

const char* intentWord(CancelIntent intent)
{
    switch (intent) {
    case CancelIntent::user:
        return trialkeeper::intent::user;
    case CancelIntent::early:
        return trialkeeper::intent::early;
    case CancelIntent::system:
        return trialkeeper::intent::system;
    }
    Q_UNREACHABLE();
}

bool applyLoad(Machine& machine, const Json& load)
{
    bool changed = false;
    const int count = int(std::clamp<qint64>(numberOf(load, "cpuCount"), 0, limits::mostCpus));
    if (count > 0 && count != machine.cpuCount) {
        machine.cpuCount = count;
        changed = true;
    }
    changed |= setRounded(machine.memoryTotal, numberOf(load, "memoryTotal"), 1);
    changed |= setRounded(machine.memoryUsed, numberOf(load, "memoryUsed"), 16.0 * 1024 * 1024);
    changed |= setRounded(machine.diskFree, numberOf(load, "diskFree"), 64.0 * 1024 * 1024);
    changed |= setRounded(machine.cpuPercent, realOf(load, "cpuPercent"), 1);
    changed |= setRounded(machine.loadAverage, realOf(load, "loadAverage"), 0.1);
    return changed;
}

/// Adds the machine's facts about the processes that nvidia-smi lists.
static void describeProcesses(QList<Gpu>& gpus, const Json& facts)
{
    QHash<qint64, const Json*> known;
    for (const Json& one : facts)
        if (one.is_object())
            known.insert(numberOf(one, "pid"), &one);
    for (Gpu& gpu : gpus)
        for (GpuProcess& process : gpu.processes)
            if (const Json* one = known.value(process.pid)) {
                process.user = lineOf(*one, "user", limits::nameChars);
                process.trialId = TrialId(lineOf(*one, "trial", limits::idChars));
                if (const QString command = lineOf(*one, "command", limits::messageChars); !command.isEmpty())
                    process.name = command;
            }
}

/// A table of nvidia-smi within the limits; the program may be anything that has its name.
static void bound(QList<Gpu>& gpus)
{
    for (Gpu& gpu : gpus) {
        for (QString* text : {&gpu.uuid, &gpu.model, &gpu.migParent})
            *text = withoutControls(*text, limits::nameChars, false);
        if (gpu.processes.size() > limits::mostGpuProcesses)
            gpu.processes.resize(limits::mostGpuProcesses);
        for (GpuProcess& process : gpu.processes)
            process.name = withoutControls(process.name, limits::messageChars, false);
    }
}

bool applyGpus(Machine& machine, const Json& gpu, const QByteArray& xml)
{
    const QString state = textOf(gpu, "state");
    QList<Gpu> gpus;
    Message message;
    if (state == u"ok") {
        auto parsed = schedule::parseGpuInventory(xml);
        if (parsed && parsed->size() > limits::mostGpus)
            message = u"nvidia-smi lists %1 GPUs, and %2 are the most that a machine may have; none is used."_m
                          .arg(parsed->size())
                          .arg(limits::mostGpus);
        else if (parsed)
            gpus = std::move(*parsed);
        else if (parsed.error().kind != Kind::not_found)
            message = parsed.error().message;
    } else if (state == u"toolMissing") {
        message = u"An NVIDIA driver is loaded, but there is no nvidia-smi; install the utilities of that driver."_m;
    } else if (state == u"driverError") {
        message = schedule::gpuToolError(linesOf(gpu, "message", limits::messageChars).toUtf8()).message;
    } else if (state == u"timeout") {
        // Keep the last table: running trials hold GPUs of it, and a timeout more often means a busy driver than a broken one.
        gpus = machine.gpus;
        message = u"nvidia-smi did not answer in time; the table of GPUs is an old one."_m;
    } else if (state == QLatin1StringView(limits::gpuTooLarge)) {
        gpus = machine.gpus;
        message =
            u"The machine's agent sent a table of GPUs of more than %1 MiB, which was dropped; the table is an old one."_m
                .arg(limits::gpuTableBytes / (1024 * 1024));
    }
    bound(gpus);
    if (const auto processes = gpu.find("processes"); processes != gpu.end() && processes->is_array())
        describeProcesses(gpus, *processes);
    if (gpus.isEmpty() && message.isEmpty())
        message = u"no NVIDIA GPU"_m + cores(machine);
    const bool changed = gpus != machine.gpus || message != machine.gpuMessage;
    machine.gpus = std::move(gpus);
    machine.gpuMessage = message;
    return changed;
}

bool isLogName(const QString& name)
{
    if (name == u"stdout" || name == u"stderr" || name == u"trial.log")
        return true;
    const QByteArray bytes = name.toUtf8();
    if (!bytes.startsWith("output/") || bytes.contains('\0') || bytes.contains("//") || bytes.endsWith('/'))
        return false;
    return trialkeeper::isSafeRelativePath(std::string_view(bytes.constData(), size_t(bytes.size())));
}

} // namespace platforms
