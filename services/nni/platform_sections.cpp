// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_sections.h"

#include "aml_sections.h"
#include "kubernetes_sections.h"
#include "openpai_sections.h"

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

void readLocalV1(Section& top, Section&, const PlatformParts& parts, const NamedFiles&)
{
    Section local = top.inner("localConfig");
    readGpus(local, parts.settings, "maxTrialNumPerGpu");
    local.finish();
}

void readLocalV2(Section& service, const PlatformParts& parts, const NamedFiles&)
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

Json readMachine(Section& machine, const MachineNames& names, const NamedFiles& files)
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
        settings["sshKeyFile"] = files.absolute(*key);
    put("sshPassphrase", machine.text(names.passphrase));
    readGpus(machine, settings, names.mostTrials);
    put("pythonPath", machine.text("pythonPath"));
    machine.finish();
    return settings;
}

void readMachines(Section& section, Json& settings, const MachineNames& names, const NamedFiles& files)
{
    section.require("machineList");
    Json machines = Json::array();
    for (Section& machine : section.list("machineList"))
        machines.push_back(readMachine(machine, names, files));
    if (section.isGiven("machineList") && machines.empty())
        section.refuse("machineList", u"names no machine."_m);
    settings["machineList"] = std::move(machines);
}

void readRemoteV1(Section& top, Section&, const PlatformParts& parts, const NamedFiles& files)
{
    Section remote = top.inner("remoteConfig");
    remote.finish();
    readMachines(
        top, parts.settings, {"ip", "username", "passwd", "sshKeyPath", "passphrase", "maxTrialNumPerGpu"}, files);
}

void readRemoteV2(Section& service, const PlatformParts& parts, const NamedFiles& files)
{
    readMachines(service, parts.settings,
        {"host", "user", "password", "sshKeyFile", "sshPassphrase", "maxTrialNumberPerGpu"}, files);
}

/// Not NNI's; in the manner of its sections, with the names of our settings and options.
void readSlurmV2(Section& service, const PlatformParts& parts, const NamedFiles& files)
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
        parts.settings["sshKeyFile"] = files.absolute(*key);
    // Of one trial: other experiments on the platform may choose others.
    for (const char* name : {"partition", "account", "qos", "reservation", "constraint", "extraArgs", "gpuType",
             "trialMemorySize", "timeLimit", "containerImage"})
        put(parts.options, name, service.text(name));
    for (const char* name : {"exclusive", "requeue"})
        put(parts.options, name, service.flag(name));
    put(parts.options, "trialCpuNumber", service.whole("trialCpuNumber", 1));
    put(parts.options, "signalBeforeEnd", service.whole("signalBeforeEnd", 0));
}

/// NNI ran trials in the folders of its own computer, which had to be the same in jobs. Other shares have the names of our settings.
void readShare(Section& section, Json& settings, const NamedFiles& files)
{
    const char* const here = "localStorageMountPoint";
    const char* const there = "containerStorageMountPoint";
    if (!section.isGiven(here) && !section.isGiven(there)) {
        const QString home = files.absolute(u"~"_s);
        settings[here] = home;
        settings[there] = home;
        section.reading().note(section.pathOf(here),
            u"is not given: trials are kept in %1, which must be the same folder in jobs, as with NNI. Else give it and %2."_m
                .arg(home, section.pathOf(there)));
        return;
    }
    for (const char* name : {here, there})
        section.require(name);
    if (const auto path = section.text(here))
        settings[here] = files.absolute(*path);
    if (const auto path = section.text(there))
        settings[there] = *path;
}

void readDltsAccount(Section& section, const PlatformParts& parts, const NamedFiles& files)
{
    section.require("dashboard");
    for (const char* name : {"dashboard", "cluster", "team", "email", "password"})
        if (const auto value = section.text(name))
            parts.settings[name] = *value;
    readShare(section, parts.settings, files);
}

void readDltsV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files)
{
    Section config = top.inner("dltsConfig");
    readDltsAccount(config, parts, files);
    trial.require("image");
    if (const auto image = trial.text("image"))
        parts.options["dockerImage"] = *image;
    config.finish();
}

/// Not NNI's: it had no DLTS any more when it had this schema.
void readDltsV2(Section& service, const PlatformParts& parts, const NamedFiles& files)
{
    readDltsAccount(service, parts, files);
    if (const auto path = service.text("passwordFile"))
        parts.settings["passwordFile"] = files.absolute(*path);
    for (const char* name : {"dockerImage", "gpuType", "workPath", "dataPath"})
        if (const auto value = service.text(name))
            parts.options[name] = *value;
    if (const auto allowed = service.flag("preemptionAllowed"))
        parts.options["preemptionAllowed"] = *allowed;
}

/// Not NNI's: a program of the person's own, whose fields are its kind's to check.
void readExternalV2(Section& service, const PlatformParts& parts, const NamedFiles&)
{
    for (const auto& [name, into] : {std::pair("settings", &parts.settings), std::pair("options", &parts.options)}) {
        const Json* given = service.take(name);
        if (given && given->is_object())
            *into = *given;
        else if (given)
            service.refuse(name, u"is no mapping."_m);
    }
}

constexpr PlatformSection external{"external", nullptr, false, false, {}, nullptr, readExternalV2};
constexpr PlatformSection sections[] = {
    {"local", "local", true, false, {}, readLocalV1, readLocalV2},
    {"remote", "remote", false, false, {}, readRemoteV1, readRemoteV2},
    {"slurm", "slurm", false, false, {}, nullptr, readSlurmV2},
    {"kubeflow", "kubeflow", false, true, {}, readKubeflowV1, readKubeflowV2},
    {"frameworkcontroller", "frameworkcontroller", false, true, {}, readFrameworksV1, readFrameworksV2},
    {"pai", "openpai", false, false, {"paiConfigPath"}, readPaiV1, nullptr},
    {"openpai", "openpai", false, false, {"openpaiConfig", "openpaiConfigFile"}, nullptr, readOpenPaiV2},
    {"dlts", "dlts", false, false, {}, readDltsV1, readDltsV2},
    {"aml", "aml", false, false, {}, readAmlV1, readAmlV2},
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
        if (name == QLatin1String(section.name))
            return &section;
    if (name.startsWith(u"external."))
        return &external;
    return nullptr;
}

Message whyGone(const QString& name)
{
    if (name == u"paiYarn"_s)
        return u"is paiYarn, which spoke with OpenPAI up to 0.14: later ones have not got that interface any more. Write pai, with paiConfig and the storage that trials share."_m;
    return {};
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
