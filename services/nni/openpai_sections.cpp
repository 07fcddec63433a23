// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_sections.h"

using namespace Qt::StringLiterals;

namespace nni {

namespace {

void put(Json& out, const char* name, const std::optional<QString>& value)
{
    if (value)
        out[name] = *value;
}

/// Where NNI takes this scheme for an address without one.
QString addressOf(const QString& host, const QString& scheme)
{
    return host.contains(u"://"_s) ? host : scheme + u"://"_s + host;
}

/// The first lines that a trial is, of a whole job: those of the role that our platform takes for it.
QString commandOf(const Json& job)
{
    const auto roles = job.is_object() ? job.find("taskRoles") : job.end();
    if (!job.is_object() || roles == job.end() || !roles->is_object() || roles->empty())
        return {};
    const Json& role = roles->items().begin().value();
    const auto commands = role.is_object() ? role.find("commands") : role.end();
    if (!role.is_object() || commands == role.end() || !commands->is_array())
        return {};
    QStringList lines;
    for (const Json& line : *commands)
        if (line.is_string())
            lines.append(line.get<QString>().trimmed());
    return lines.join(u'\n');
}

/// A job of the person's own. `field` of `section` named or held it.
void takeJob(Section& section, const char* field, const QByteArray& text, const PlatformParts& parts)
{
    const Result<YamlDocument> document = yaml::parseYaml(text);
    if (!document) {
        section.refuse(field, u"is no job: %1"_m.arg(document.error().message));
        return;
    }
    const QString command = commandOf(document->value);
    if (command.isEmpty()) {
        section.refuse(field, u"is no job of OpenPAI: a role with commands is missing in taskRoles."_m);
        return;
    }
    parts.options["openpaiConfig"] = QString::fromUtf8(text);
    parts.experiment["trialCommand"] = command;
    section.reading().note(
        section.pathOf(field), u"has the commands that run; the trial's own command is not used, as with NNI."_m);
}

void takeJobFile(Section& section, const char* field, const PlatformParts& parts, const NamedFiles& files)
{
    const std::optional<QString> name = section.text(field);
    if (!name)
        return;
    const QString path = files.absolute(*name);
    const std::optional<QByteArray> text = files.read(path);
    if (!text)
        section.refuse(field, u"names %1, which cannot be read."_m.arg(path));
    else
        takeJob(section, field, *text, parts);
}

/// A number of MB, or a text with a unit.
void readTrialMemory(Section& section, const char* name, Json& options)
{
    const Json* value = section.take(name);
    if (!value)
        return;
    if (value->is_number_integer() && *value > 0 && *value < 1'000'000'000)
        options["trialMemorySize"] = value->dump() + " MB";
    else if (value->is_string())
        options["trialMemorySize"] = *value;
    else
        section.refuse(name, u"must be a size such as 8 GB, or a number of MB."_m);
}

/// What one trial takes: `trial` has it, or else `paiConfig`.
void readResources(Section& trial, Section& config, const PlatformParts& parts, bool needed)
{
    Section& cpus = trial.isGiven("cpuNum") ? trial : config;
    if (const auto number = cpus.whole("cpuNum", 1))
        parts.options["trialCpuNumber"] = *number;
    Section& memory = trial.isGiven("memoryMB") ? trial : config;
    if (needed)
        memory.require("memoryMB");
    readTrialMemory(memory, "memoryMB", parts.options);
    if (!parts.experiment.contains("gpuNumber"))
        if (const auto number = config.whole("gpuNum", 0))
            parts.experiment["gpuNumber"] = *number;
}

} // namespace

void readPaiV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files)
{
    Section config = top.inner("paiConfig");
    for (const char* name : {"host", "userName"})
        config.require(name);
    if (const auto host = config.text("host"))
        parts.settings["host"] = addressOf(*host, u"http"_s);
    put(parts.settings, "username", config.text("userName"));
    put(parts.settings, "token", config.text("token"));
    put(parts.settings, "password", config.text("passWord"));
    if (config.isGiven("token") == config.isGiven("passWord"))
        config.refuse("token", u"or passWord is needed, and not both."_m);

    const bool hasJob = trial.isGiven("paiConfigPath");
    for (const char* name : {"nniManagerNFSMountPath", "containerNFSMountPath", "paiStorageConfigName"})
        trial.require(name);
    if (const auto path = trial.text("nniManagerNFSMountPath"))
        parts.settings["localStorageMountPoint"] = files.absolute(*path);
    put(parts.settings, "containerStorageMountPoint", trial.text("containerNFSMountPath"));
    put(parts.settings, "storageConfigName", trial.text("paiStorageConfigName"));
    put(parts.options, "virtualCluster", trial.text("virtualCluster"));
    if (!hasJob)
        trial.require("image");
    put(parts.options, "dockerImage", trial.text("image"));
    readResources(trial, config, parts, !hasJob);
    if (const auto shared = trial.whole("shmMB", 1))
        parts.options["sharedMemorySize"] = u"%1 MB"_s.arg(*shared);
    takeJobFile(trial, "paiConfigPath", parts, files);
    config.finish();
}

void readOpenPaiV2(Section& service, const PlatformParts& parts, const NamedFiles& files)
{
    for (const char* name : {"host", "username", "storageConfigName", "localStorageMountPoint",
             "containerStorageMountPoint", "trialMemorySize"})
        service.require(name);
    if (const auto host = service.text("host"))
        parts.settings["host"] = addressOf(*host, u"https"_s);
    for (const char* name : {"username", "token", "password", "storageConfigName", "containerStorageMountPoint"})
        put(parts.settings, name, service.text(name));
    if (!service.isGiven("token") && !service.isGiven("password"))
        service.require("token");
    if (const auto path = service.text("localStorageMountPoint"))
        parts.settings["localStorageMountPoint"] = files.absolute(*path);
    parts.options["dockerImage"] = service.text("dockerImage").value_or(QString::fromLatin1(imageOfNni));
    put(parts.options, "virtualCluster", service.text("virtualCluster"));
    if (const auto number = service.whole("trialCpuNumber", 1))
        parts.options["trialCpuNumber"] = *number;
    readTrialMemory(service, "trialMemorySize", parts.options);
    if (service.isGiven("openpaiConfig") && service.isGiven("openpaiConfigFile"))
        service.refuse("openpaiConfig", u"and openpaiConfigFile are both given: one is enough."_m);
    else if (const Json* job = service.take("openpaiConfig"))
        takeJob(service, "openpaiConfig", dumpJson(*job), parts);
    else
        takeJobFile(service, "openpaiConfigFile", parts, files);
}

} // namespace nni
