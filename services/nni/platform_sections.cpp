// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_sections.h"

using namespace Qt::StringLiterals;

namespace nni {

namespace {

/// Of a platform or a machine: what both schemas say of GPUs, under each one's names.
void readGpus(Section& section, Json& settings, const char* mostTrials)
{
    if (const auto most = section.whole(mostTrials, 1))
        settings["maxTrialNumberPerGpu"] = *most;
    if (const auto indices = section.indices("gpuIndices"))
        settings["gpuIndices"] = *indices;
    if (const auto active = section.flag("useActiveGpu"))
        settings["useActiveGpu"] = *active;
}

void readLocalV1(Section& top, Json& settings, const PathReader&)
{
    Section local = top.inner("localConfig");
    readGpus(local, settings, "maxTrialNumPerGpu");
    local.finish();
}

void readLocalV2(Section& service, const PlatformParts& parts, const PathReader&)
{
    readGpus(service, parts.settings, "maxTrialNumberPerGpu");
}

struct MachineNames
{
    const char* host;
    const char* user;
    const char* password;
    const char* key;
    const char* passphrase;
    const char* mostTrials;
};

Json readMachine(Section& machine, const MachineNames& names, const PathReader& absolute)
{
    Json settings = Json::object();
    const auto put = [&](const char* name, const auto& value) {
        if (value)
            settings[name] = *value;
    };
    machine.require(names.host);
    machine.require(names.user);
    put("host", machine.text(names.host));
    if (const auto port = machine.whole("port", 1)) {
        if (*port > 65535)
            machine.refuse("port", u"must be 65535 at most."_m);
        settings["port"] = *port;
    }
    put("user", machine.text(names.user));
    put("password", machine.text(names.password));
    if (const auto key = machine.text(names.key))
        settings["sshKeyFile"] = absolute(*key);
    put("sshPassphrase", machine.text(names.passphrase));
    readGpus(machine, settings, names.mostTrials);
    put("pythonPath", machine.text("pythonPath"));
    machine.finish();
    return settings;
}

void readMachines(Section& section, Json& settings, const MachineNames& names, const PathReader& absolute)
{
    section.require("machineList");
    Json machines = Json::array();
    for (Section& machine : section.list("machineList"))
        machines.push_back(readMachine(machine, names, absolute));
    if (section.isGiven("machineList") && machines.empty())
        section.refuse("machineList", u"names no machine."_m);
    settings["machineList"] = std::move(machines);
}

void readRemoteV1(Section& top, Json& settings, const PathReader& absolute)
{
    Section remote = top.inner("remoteConfig");
    remote.finish();
    readMachines(
        top, settings, {"ip", "username", "passwd", "sshKeyPath", "passphrase", "maxTrialNumPerGpu"}, absolute);
}

void readRemoteV2(Section& service, const PlatformParts& parts, const PathReader& absolute)
{
    readMachines(service, parts.settings,
        {"host", "user", "password", "sshKeyFile", "sshPassphrase", "maxTrialNumberPerGpu"}, absolute);
}

/// Not NNI's; in the manner of its sections, with the names of our settings and options.
void readSlurmV2(Section& service, const PlatformParts& parts, const PathReader& absolute)
{
    const auto put = [](Json& out, const char* name, const auto& value) {
        if (value)
            out[name] = *value;
    };
    for (const char* name : {"transport", "host", "user", "password", "sshPassphrase", "workingDirectory", "slurmConf",
             "gpuOption", "preamble", "containerRuntime"})
        put(parts.settings, name, service.text(name));
    put(parts.settings, "port", service.whole("port", 1));
    put(parts.settings, "maxSubmit", service.whole("maxSubmit", 0));
    put(parts.settings, "pollInterval", service.whole("pollInterval", 10));
    if (const auto key = service.text("sshKeyFile"))
        parts.settings["sshKeyFile"] = absolute(*key);
    // Of one trial: other experiments on the platform may choose others.
    for (const char* name : {"partition", "account", "qos", "reservation", "constraint", "extraArgs", "gpuType",
             "trialMemorySize", "timeLimit", "containerImage"})
        put(parts.options, name, service.text(name));
    for (const char* name : {"exclusive", "requeue"})
        put(parts.options, name, service.flag(name));
    put(parts.options, "trialCpuNumber", service.whole("trialCpuNumber", 1));
    put(parts.options, "signalBeforeEnd", service.whole("signalBeforeEnd", 0));
}

constexpr PlatformSection sections[] = {
    {"local", true, readLocalV1, readLocalV2},
    {"remote", false, readRemoteV1, readRemoteV2},
    {"slurm", false, nullptr, readSlurmV2},
};

const QStringList& names()
{
    static const QStringList all = {u"local"_s, u"remote"_s, u"openpai"_s, u"pai"_s, u"paiYarn"_s, u"kubeflow"_s,
        u"frameworkcontroller"_s, u"dlts"_s, u"aml"_s, u"adl"_s, u"dlc"_s, u"hybrid"_s};
    return all;
}

} // namespace

const PlatformSection* platformSection(const QString& name)
{
    for (const PlatformSection& section : sections)
        if (name == QLatin1String(section.kind))
            return &section;
    return nullptr;
}

bool isPlatformOfNni(const QString& name)
{
    return names().contains(name);
}

QString platformsOfNni()
{
    return names().join(u", "_s);
}

} // namespace nni
