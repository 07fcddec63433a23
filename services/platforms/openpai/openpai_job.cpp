// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_job.h"

#include "services/platforms/memory_size.h"
#include "services/trial/trial_command.h"
#include "services/yaml/yaml.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

constexpr qsizetype maxBody = 100 * 1024; // of body-parser, before OpenPAI sees it
constexpr const char* trialRole = "taskrole";
constexpr const char* imageName = "docker_image_0";

/// The experiment's where it says something, else the platform's.
QString chosen(const Json& settings, const Json& options, const char* name)
{
    const QString own = textOf(options, name).trimmed();
    return own.isEmpty() ? textOf(settings, name).trimmed() : own;
}

Result<qint64> megabytes(const Json& options, const char* name)
{
    const QString text = textOf(options, name).trimmed();
    if (text.isEmpty())
        return 0;
    Result<qint64> size = memorySizeMb(text);
    if (!size)
        return fail(size, QString::fromLatin1(name));
    return size;
}

/// The name of the role whose first instance is the trial.
Result<std::string> ownRole(const Json& config)
{
    const Json* roles = memberOf(config, "taskRoles");
    if (!roles || !roles->is_object() || roles->empty())
        return fail(Kind::invalid, u"openpaiConfig: a job has taskRoles, with at least one role."_m);
    for (const auto& [name, role] : roles->items()) {
        const Json* commands = memberOf(role, "commands");
        bool isGood = commands && commands->is_array() && !commands->empty();
        for (size_t i = 0; isGood && i < commands->size(); ++i)
            isGood = (*commands)[i].is_string();
        if (!isGood)
            return fail(Kind::invalid,
                u"openpaiConfig: the role \"%1\" has no list of commands."_m.arg(QString::fromStdString(name)));
    }
    return std::string(roles->items().begin().key()); // as it was written
}

QString commandsOf(const Json& role)
{
    QStringList lines;
    if (const Json* commands = memberOf(role, "commands"); commands && commands->is_array())
        for (const Json& line : *commands)
            if (line.is_string())
                lines.append(line.get<QString>().trimmed());
    return lines.join(u'\n');
}

/// A script's path for a command line of a job, whose `<%` OpenPAI would take for a template.
Result<QString> started(const QString& script)
{
    if (script.contains(u"<%"_s) || script.contains(u'\n'))
        return fail(
            Kind::invalid, u"containerStorageMountPoint: \"%1\" cannot stand in a command of OpenPAI."_m.arg(script));
    return u"exec bash "_s + trial::shellQuoted(script);
}

void addHived(Json& job, const JobWish& wish, const std::string& role)
{
    if (wish.skuType.isEmpty() && wish.jobPriority.isEmpty())
        return;
    Json& hived = job["extras"]["hivedScheduler"];
    if (!wish.jobPriority.isEmpty())
        hived["jobPriorityClass"] = wish.jobPriority;
    if (!wish.skuType.isEmpty()) {
        hived["taskRoles"][role]["skuType"] = wish.skuType;
        hived["taskRoles"][role]["skuNumber"] = std::max(1, wish.gpus);
    }
}

/// The person's job, with what the service decides laid over it.
Result<Json> ownJob(const JobWish& wish, const QString& command)
{
    Json job = *wish.config;
    const Result<std::string> role = ownRole(job);
    if (!role)
        return fail(role);
    Json& own = job["taskRoles"][*role];
    const Json* instances = memberOf(own, "instances");
    const bool isOne = !instances || (instances->is_number_integer() && instances->get<qint64>() == 1);
    // Of several instances the first is the trial; the others run what the person wrote.
    own["commands"] = isOne
        ? Json::array({command})
        : Json::array(
            {u"[ \"${PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX:-0}\" != 0 ] || %1"_s.arg(command), commandsOf(own)});
    addHived(job, wish, *role);
    return job;
}

Json plainJob(const JobWish& wish, const QString& command)
{
    Json role = {{"instances", 1}, {"completion", {{"minFailedInstances", 1}, {"minSucceededInstances", -1}}},
        {"taskRetryCount", 0}, {"dockerImage", imageName},
        {"resourcePerInstance", {{"gpu", wish.gpus}, {"cpu", wish.cpus}, {"memoryMB", wish.memoryMb}}},
        {"commands", Json::array({command})}};
    if (wish.sharedMemoryMb > 0)
        role["extraContainerOptions"] = {{"shmMB", wish.sharedMemoryMb}};
    Json job = {{"jobRetryCount", 0},
        {"prerequisites", Json::array({{{"type", "dockerimage"}, {"name", imageName}, {"uri", wish.image}}})},
        {"taskRoles", {{trialRole, role}}}};
    addHived(job, wish, trialRole);
    return job;
}

/// The storage's entry; another one of the same name gives way.
void addStorage(Json& job, const JobWish& wish)
{
    Json storages = Json::array({{{"name", wish.storage}, {"mountPath", wish.mountPath}}});
    Json& extras = job["extras"];
    if (const Json* given = memberOf(extras, "storages"); given && given->is_array())
        for (const Json& one : *given)
            if (textOf(one, "name") != wish.storage)
                storages.push_back(one);
    extras["storages"] = storages;
    if (!extras.contains("submitFrom"))
        extras["submitFrom"] = "submit-job-v2";
}

} // namespace

Result<JobWish> jobWish(const Json& settings, const Json& options, std::optional<int> gpuNumber)
{
    JobWish wish;
    wish.image = chosen(settings, options, "dockerImage");
    wish.virtualCluster = chosen(settings, options, "virtualCluster");
    wish.skuType = chosen(settings, options, "skuType");
    wish.jobPriority = chosen(settings, options, "jobPriority");
    wish.storage = textOf(settings, "storageConfigName").trimmed();
    wish.mountPath = QDir::cleanPath(textOf(settings, "containerStorageMountPoint").trimmed());
    wish.gpus = std::max(0, gpuNumber.value_or(0));
    wish.cpus = int(std::clamp<qint64>(wholeOf(options, "trialCpuNumber").value_or(1), 1, 100'000));
    const Result<qint64> memory = megabytes(options, "trialMemorySize");
    const Result<qint64> shared = megabytes(options, "sharedMemorySize");
    if (!memory || !shared)
        return fail(memory ? shared : memory);
    wish.memoryMb = *memory;
    wish.sharedMemoryMb = *shared;
    if (const QString text = textOf(options, "openpaiConfig"); !text.trimmed().isEmpty()) {
        const Result<yaml::YamlDocument> document = yaml::parseYaml(text.toUtf8());
        if (!document)
            return fail(document, u"openpaiConfig"_s);
        if (!document->value.is_object())
            return fail(Kind::invalid, u"openpaiConfig: a job is an object with protocolVersion and taskRoles."_m);
        if (const Result<std::string> role = ownRole(document->value); !role)
            return fail(role);
        for (const char* name : {"extras", "defaults"})
            if (const Json* member = memberOf(document->value, name); member && !member->is_object())
                return fail(Kind::invalid, u"openpaiConfig: %1 is no object."_m.arg(QLatin1StringView(name)));
        wish.config = document->value;
    }
    return wish;
}

QString ownCommand(const JobWish& wish)
{
    if (!wish.config)
        return {};
    const Result<std::string> role = ownRole(*wish.config);
    return role ? commandsOf((*wish.config)["taskRoles"][*role]) : QString();
}

Result<QByteArray> jobDocument(const JobWish& wish, const QString& name, const QString& script)
{
    const Result<QString> command = started(script);
    if (!command)
        return fail(command);
    if (!wish.config && wish.image.isEmpty())
        return fail(Kind::invalid, u"dockerImage: OpenPAI runs trials in containers; name an image."_m);
    if (!wish.config && wish.memoryMb <= 0)
        return fail(Kind::invalid, u"trialMemorySize: OpenPAI wants to know how much memory a trial may use."_m);
    Result<Json> job = wish.config ? ownJob(wish, *command) : Result<Json>(plainJob(wish, *command));
    if (!job)
        return fail(job);
    (*job)["protocolVersion"] = 2;
    (*job)["name"] = name;
    (*job)["type"] = "job";
    addStorage(*job, wish);
    if (!wish.virtualCluster.isEmpty())
        (*job)["defaults"]["virtualCluster"] = wish.virtualCluster;
    const std::string text = job->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (qsizetype(text.size()) > maxBody)
        return fail(Kind::invalid,
            u"openpaiConfig: the job has %1 KiB, and OpenPAI takes at most 100. Put long commands into a file of the code."_m
                .arg(qint64(text.size()) / 1024));
    return QByteArray::fromStdString(text);
}

} // namespace platforms::openpai
