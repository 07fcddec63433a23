// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_sections.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

/// What each schema calls the members of a role.
struct RoleNames
{
    const char* count;
    const char* gpus;
    const char* cpus;
    const char* memory;
    const char* image;
    const char* defaultImage; ///< null: one must be named
    const char* minSucceeded; ///< of a completion policy
};

constexpr RoleNames kubeflowV1{"replicas", "gpuNum", "cpuNum", "memoryMB", "image", nullptr, nullptr};
constexpr RoleNames kubeflowV2{"replicas", "gpuNumber", "cpuNumber", "memorySize", "dockerImage", imageOfNni, nullptr};
constexpr RoleNames frameworkV1{"taskNum", "gpuNum", "cpuNum", "memoryMB", "image", nullptr, "minSucceededTaskCount"};
constexpr RoleNames frameworkV2{
    "taskNumber", "gpuNumber", "cpuNumber", "memorySize", "dockerImage", imageOfNni, "minSucceedTaskCount"};

/// MB as a number, or a text with a unit.
void readMemory(Section& role, Json& out, const char* name)
{
    const Json* value = role.take(name);
    if (!value)
        return;
    if (value->is_number_integer() && *value > 0 && *value < 1'000'000'000)
        out["memory"] = value->dump() + " MB";
    else if (value->is_string())
        out["memory"] = *value;
    else if (*value != 0)
        role.refuse(name, u"must be a size such as 8 GB, or a number of MB."_m);
}

void readPolicy(Section& role, Json& out, const RoleNames& names)
{
    role.require("frameworkAttemptCompletionPolicy");
    Section policy = role.inner("frameworkAttemptCompletionPolicy");
    // In files of the v2 schema both words are found.
    const char* succeeded = policy.isGiven(names.minSucceeded) ? names.minSucceeded : "minSucceededTaskCount";
    for (const auto& [name, ours] : {std::pair("minFailedTaskCount", "minFailed"), {succeeded, "minSucceeded"}})
        if (const auto limit = policy.whole(name, -1))
            out[ours] = *limit < 1 ? -1 : *limit;
    policy.finish();
}

Json readRole(Section& role, const QString& name, const RoleNames& names)
{
    Json out = {{"name", name}};
    for (const char* needed : {names.count, "command"})
        role.require(needed);
    if (const auto count = role.whole(names.count, 1))
        out["count"] = *count;
    if (const auto command = role.text("command"))
        out["command"] = *command;
    const std::optional<QString> image = role.text(names.image);
    if (image)
        out["image"] = *image;
    else if (names.defaultImage)
        out["image"] = names.defaultImage;
    else
        role.require(names.image);
    if (const auto cpus = role.whole(names.cpus, 0); cpus && *cpus > 0)
        out["cpu"] = *cpus;
    readMemory(role, out, names.memory);
    if (const auto gpus = role.whole(names.gpus, 0))
        out["gpus"] = *gpus;
    if (names.minSucceeded)
        readPolicy(role, out, names);
    role.finish();
    return out;
}

/// What NNI mounts into each pod at /tmp/mount. Here the code is not on it, but what trials read or write may be.
void mountNfs(Section& nfs, const PlatformParts& parts)
{
    for (const char* needed : {"server", "path"})
        nfs.require(needed);
    const std::optional<QString> server = nfs.text("server");
    const std::optional<QString> path = nfs.text("path");
    if (!server || !path)
        return;
    const Json mount = {{"name", "nni-vol"}, {"mountPath", "/tmp/mount"}};
    const Json volume = {{"name", "nni-vol"}, {"nfs", {{"server", *server}, {"path", *path}}}};
    const Json pod = {{"spec",
        {{"containers", Json::array({{{"name", "trial"}, {"volumeMounts", Json::array({mount})}}})},
            {"volumes", Json::array({volume})}}}};
    parts.options["podTemplate"] = QString::fromUtf8(dumpJson(pod));
    nfs.reading().note(nfs.pathOf("server"),
        u"is mounted at /tmp/mount, as NNI does it. Leave the storage out where trials use nothing of it."_m);
}

/// Each kind of storage has a section of its own.
void readStorageV1(Section& config, const PlatformParts& parts)
{
    const QString kind = config.text("storage").value_or(u"nfs"_s);
    if (kind != u"nfs" && kind != u"azureStorage" && kind != u"pvc")
        config.refuse("storage", u"must be nfs, azureStorage or pvc."_m);
    if (!config.isGiven("nfs"))
        return;
    Section nfs = config.inner("nfs");
    if (kind == u"nfs") {
        mountNfs(nfs, parts);
        nfs.finish();
    } else {
        nfs.leave();
    }
}

/// Platforms of machines have the same member in v2 files, and another reason.
void readReuseV2(Section& service)
{
    if (service.flag("reuseMode"))
        service.reading().note(service.pathOf("reuseMode"),
            u"has no effect: each trial has pods of its own, which end with it, so that no trial meets what another one left."_m);
}

void readStorageV2(Section& service, const PlatformParts& parts)
{
    if (!service.isGiven("storage"))
        return;
    Section storage = service.inner("storage");
    storage.require("storageType");
    const QString kind = storage.text("storageType").value_or(QString());
    if (kind == u"nfs")
        mountNfs(storage, parts);
    else if (!kind.isEmpty() && kind != u"azureStorage")
        storage.refuse("storageType", u"must be nfs or azureStorage."_m);
    storage.finish();
}

void putRoles(const Json& roles, const PlatformParts& parts)
{
    parts.options["roles"] = QString::fromUtf8(dumpJson(roles));
}

/// `where`: the section with ps, worker and master.
void readReplicas(Section& where, bool isTensorflow, const RoleNames& names, const PlatformParts& parts)
{
    Json roles = Json::array();
    for (const auto& [member, role] : {std::pair("master", "Master"), {"worker", "Worker"}, {"ps", "PS"}}) {
        if (!where.isGiven(member))
            continue;
        Section section = where.inner(member);
        roles.push_back(readRole(section, QString::fromLatin1(role), names));
    }
    const char* other = isTensorflow ? "master" : "ps";
    if (where.isGiven(other))
        where.refuse(other, u"is no role of this operator."_m);
    where.require(isTensorflow ? "worker" : "master");
    putRoles(roles, parts);
}

/// True: TensorFlow's.
bool readOperator(Section& section, const PlatformParts& parts)
{
    section.require("operator");
    const QString name = section.text("operator").value_or(QString());
    const bool isTensorflow = name == u"tf-operator";
    if (!name.isEmpty() && !isTensorflow && name != u"pytorch-operator")
        section.refuse("operator", u"must be tf-operator or pytorch-operator."_m);
    parts.options["jobKind"] = isTensorflow ? "TFJob" : "PyTorchJob";
    if (const auto version = section.text("apiVersion"); version && *version != u"v1")
        section.reading().note(
            section.pathOf("apiVersion"), u"is %1, and v1 of the Training Operator is used."_m.arg(*version));
    if (const auto space = section.text("namespace"))
        parts.settings["namespace"] = *space;
    return isTensorflow;
}

void readTaskRoles(Section& where, const RoleNames& names, const PlatformParts& parts)
{
    where.require("taskRoles");
    Json roles = Json::array();
    qint64 tasks = 0;
    for (Section& role : where.list("taskRoles")) {
        role.require("name");
        const QString name = role.text("name").value_or(QString());
        roles.push_back(readRole(role, name, names));
        tasks += roles.back().value("count", qint64(1));
    }
    if (where.isGiven("taskRoles") && roles.empty())
        where.refuse("taskRoles", u"names no role."_m);
    putRoles(roles, parts);
    // Commands may use the addresses that the barrier provides, for which it needs a service account.
    if (tasks > 1 && parts.settings.contains("serviceAccount"))
        parts.options["barrierImage"] = "frameworkcontroller/frameworkbarrier";
}

void readController(Section& section, const PlatformParts& parts)
{
    if (const auto account = section.text("serviceAccountName"))
        parts.settings["serviceAccount"] = *account;
    if (const auto space = section.text("namespace"))
        parts.settings["namespace"] = *space;
}

} // namespace

void readKubeflowV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles&)
{
    top.require("kubeflowConfig");
    Section config = top.inner("kubeflowConfig");
    const bool isTensorflow = readOperator(config, parts);
    readStorageV1(config, parts);
    config.finish();
    readReplicas(trial, isTensorflow, kubeflowV1, parts);
}

void readKubeflowV2(Section& service, const PlatformParts& parts, const NamedFiles&)
{
    const bool isTensorflow = readOperator(service, parts);
    readReuseV2(service);
    readStorageV2(service, parts);
    readReplicas(service, isTensorflow, kubeflowV2, parts);
}

void readFrameworksV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles&)
{
    Section config = top.inner("frameworkcontrollerConfig");
    readController(config, parts);
    readStorageV1(config, parts);
    if (!trial.isGiven("taskRoles") && config.isGiven("configPath"))
        config.refuse("configPath", u"is not read: write the roles of its Framework as trial.taskRoles."_m);
    config.finish();
    readTaskRoles(trial, frameworkV1, parts);
}

void readFrameworksV2(Section& service, const PlatformParts& parts, const NamedFiles&)
{
    readController(service, parts);
    readReuseV2(service);
    readStorageV2(service, parts);
    readTaskRoles(service, frameworkV2, parts);
}

} // namespace nni
