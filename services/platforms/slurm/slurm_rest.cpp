// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_rest.h"

#include "slurm_values.h"

#include "services/core/printable.h"

#include <QSet>

#include <string>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr qsizetype maxErrorText = 1'000; ///< bytes of one error

/// The environment of a job whose submitter has none: what a login has is set by the script (ScriptValues::isBare).
constexpr const char* barePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

void putText(Json& job, const char* name, const QString& value)
{
    if (!value.isEmpty())
        job[name] = value.toStdString();
}

/// "gpu:a100:2" with what stands in front of it, which the versions disagree about.
QString gpuWish(const ScriptValues& values, QStringView head)
{
    return head.toString() + (values.gpuType.isEmpty() ? QString() : values.gpuType + u':')
        + QString::number(values.gpus.value_or(0));
}

/// What v0.0.38 has to itself.
Result<> putOldOptions(Json& job, const ScriptValues& values)
{
    job["environment"] = Json::object({{"PATH", barePath}});
    job["open_mode"] = "append";
    job["nodes"] = Json::array({1, 1});
    job[values.requeue ? "requeue" : "no_requeue"] = true;
    if (values.exclusive)
        job["exclusive"] = "exclusive";
    if (values.gpus.value_or(0) > 0)
        putText(job, values.gpusOption ? "gpus_per_node" : "gres", gpuWish(values, values.gpusOption ? u"" : u"gpu:"));
    if (values.signalSecondsBefore > 0)
        return fail(Kind::invalid,
            u"signalBeforeEnd: slurmrestd of Slurm 22.05 cannot send a signal to the trial itself. Set it to 0, or let Slurm's commands be called (transport cli or ssh)."_m);
    return {};
}

void putOptions(Json& job, const ScriptValues& values, int version)
{
    job["environment"] = Json::array({std::string("PATH=") + barePath});
    job["open_mode"] = Json::array({"APPEND"});
    job["minimum_nodes"] = 1;
    job["maximum_nodes"] = 1;
    job["requeue"] = values.requeue;
    if (values.exclusive)
        job["shared"] = Json::array({"none"});
    if (values.gpus.value_or(0) > 0) // renamed in 23.11
        putText(job, "tres_per_node", gpuWish(values, version < 40 ? u"gres:gpu:" : u"gres/gpu:"));
    if (values.signalSecondsBefore > 0) {
        job["kill_warning_signal"] = "USR1";
        job["kill_warning_delay"] = values.signalSecondsBefore;
        job["kill_warning_flags"] = Json::array({"BATCH_JOB"});
    }
}

Error incompleteAnswer(const Reply& reply)
{
    return Error{Kind::network, u"The answer of slurmrestd is incomplete. It is asked again."_m,
        QString::fromUtf8(reply.out.right(512))};
}

/// The objects of a list that answers a question.
Result<std::vector<const Json*>> listed(const Json& json, const char* name, const Reply& reply)
{
    const Json* list = memberOf(json, name);
    if (!list || !list->is_array())
        return tl::unexpected(incompleteAnswer(reply));
    std::vector<const Json*> entries;
    QSet<QString> seen;
    for (const Json& entry : *list) {
        const QString entryName = entry.is_object() ? textOf(entry, "name") : QString();
        if (entryName.isEmpty() || seen.contains(entryName))
            continue;
        seen.insert(entryName);
        entries.push_back(&entry);
    }
    return entries;
}

/// A word, or a list of them.
QStringList wordsIn(const Json* value)
{
    QStringList words;
    if (value && value->is_string())
        words.append(QString::fromStdString(value->get<std::string>()).toUpper());
    else if (value && value->is_array())
        for (const Json& one : *value)
            if (one.is_string())
                words.append(QString::fromStdString(one.get<std::string>()).toUpper());
    return words;
}

/// `outer.inner`, or in v0.0.38 `flat`.
const Json* eitherOf(const Json& object, const char* outer, const char* inner, const char* flat)
{
    const Json* nested = memberOf(object, outer);
    return nested && nested->is_object() ? memberOf(*nested, inner) : memberOf(object, flat);
}

/// The text of such a member.
QString eitherText(const Json& object, const char* outer, const char* inner, const char* flat)
{
    const Json* value = eitherOf(object, outer, inner, flat);
    return value && value->is_string() ? QString::fromStdString(value->get<std::string>()) : QString();
}

std::optional<qint64> minutesAsSeconds(const Json* value)
{
    const std::optional<qint64> minutes = jsonNumber(value);
    return minutes && *minutes > 0 && *minutes < 0xffff'fffe ? std::optional(*minutes * 60) : std::nullopt;
}

/// The object of an answer without an error.
Result<Json> answerOf(const Reply& reply)
{
    if (std::optional<Error> error = restError(reply))
        return tl::unexpected(*std::move(error));
    Result<Json> json = parseJson(reply.out);
    if (!json || !json->is_object())
        return tl::unexpected(incompleteAnswer(reply));
    return json;
}

} // namespace

QByteArray restPath(int version, const QByteArray& rest)
{
    return "/slurm/v0.0." + QByteArray::number(version) + '/' + rest;
}

Reply restReply(int status, const QByteArray& body)
{
    Reply reply;
    const Result<Json> json = parseJson(body);
    const bool isGood = status >= 200 && status <= 299;
    if (!json || !json->is_object()) {
        (isGood ? reply.out : reply.err) = isGood ? body : body.left(maxErrorText);
        reply.cut = isGood;
        reply.exitCode = isGood ? 0 : 1;
        return reply;
    }
    reply.out = body;
    if (const Json* errors = memberOf(*json, "errors"); errors && errors->is_array()) {
        for (const Json& error : *errors) {
            for (const char* name : {"description", "error"}) {
                const QString words = error.is_object() ? textOf(error, name) : QString();
                if (!words.isEmpty())
                    reply.err += words.toUtf8().left(maxErrorText) + '\n';
            }
        }
        reply.exitCode = errors->empty() ? 0 : 1;
    }
    if (!isGood)
        reply.exitCode = 1;
    return reply;
}

std::optional<Error> restError(const Reply& reply)
{
    std::optional<Error> error = commandError(reply, u"slurmrestd"_s);
    if (!error || error->kind != Kind::platform)
        return error;
    const QString words = slurmWords(reply.err);
    if (words.contains("unspecified error"_L1, Qt::CaseInsensitive))
        return Error{Kind::network,
            u"Slurm's controller does not answer slurmrestd (%1). Jobs that run are not affected; it is asked again."_m
                .arg(words),
            error->detail};
    error->message = words.isEmpty()
        ? u"slurmrestd refused the request and said nothing."_m
        : u"slurmrestd refused the request: %1."_m.arg(words.endsWith(u'.') ? words.chopped(1) : words);
    return error;
}

Result<SlurmVersion> readRestVersion(const Reply& reply)
{
    const Result<Json> json = answerOf(reply);
    if (!json)
        return tl::unexpected(json.error());
    const Json* meta = memberOf(*json, "meta");
    const Json* slurm = meta ? memberOf(*meta, "Slurm") : nullptr;
    if (meta && !slurm)
        slurm = memberOf(*meta, "slurm"); // since 23.11
    const QString release = slurm ? textOf(*slurm, "release") : QString();
    return readVersion({.out = "slurm " + release.toUtf8() + '\n'});
}

Result<QByteArray> submitBody(const ScriptValues& values, const QByteArray& script, int version)
{
    if (!values.extraArguments.isEmpty())
        return fail(noRestArguments());
    Json job = Json::object();
    putText(job, "name", values.name);
    putText(job, "comment", values.name);
    putText(job, "current_working_directory", values.folder);
    putText(job, "standard_output", QString(values.log).replace(u'%', u"%%"_s));
    putText(job, "standard_error", QString(values.log).replace(u'%', u"%%"_s));
    putText(job, "standard_input", u"/dev/null"_s);
    putText(job, "partition", values.partition);
    putText(job, "account", values.account);
    putText(job, "qos", values.qos);
    putText(job, "reservation", values.reservation);
    putText(job, "constraints", values.constraint);
    job["tasks"] = 1;
    job["cpus_per_task"] = values.cpus;
    if (values.memoryMb > 0)
        job["memory_per_node"] = values.memoryMb;
    if (values.timeLimitSeconds > 0)
        job["time_limit"] = (values.timeLimitSeconds + 59) / 60;
    Json body = Json::object();
    if (version <= oldRestVersion) {
        if (const Result<> put = putOldOptions(job, values); !put)
            return fail(put);
    } else {
        putOptions(job, values, version);
    }
    body["script"] = script.toStdString(); // batchScript() makes UTF-8
    body["job"] = std::move(job);
    return dumpJson(body);
}

SubmitAnswer readRestSubmit(const Reply& reply)
{
    const Result<Json> json = parseJson(reply.out);
    const std::optional<qint64> id = json && json->is_object() ? jsonNumber(memberOf(*json, "job_id")) : std::nullopt;
    // As sbatch would have printed it; an error beside an id means that the job may be there.
    Reply printed = reply;
    printed.out = id && *id > 0 ? QByteArray::number(*id) + '\n' : QByteArray();
    return readSubmit(printed);
}

std::optional<Error> restCancelError(const Reply& reply)
{
    if (reply.exitCode == 0)
        return {};
    const QByteArray words = reply.err.toLower();
    if (words.contains("invalid job id") || words.contains("already completing or completed")
        || words.contains("job/step already completing"))
        return {};
    return restError(reply);
}

Result<QList<SlurmNode>> readRestNodes(const Reply& reply)
{
    const Result<Json> json = answerOf(reply);
    if (!json)
        return tl::unexpected(json.error());
    const auto entries = listed(*json, "nodes", reply);
    if (!entries)
        return tl::unexpected(entries.error());
    QList<SlurmNode> nodes;
    for (const Json* entry : *entries) {
        SlurmNode node;
        node.name = textOf(*entry, "name");
        node.states = wordsIn(memberOf(*entry, "state")) + wordsIn(memberOf(*entry, "state_flags"));
        node.states.removeDuplicates();
        node.usable = isUsable(node.states);
        node.cpus = jsonNumber(memberOf(*entry, "cpus")).value_or(0);
        node.cpusAllocated = jsonNumber(memberOf(*entry, "alloc_cpus")).value_or(0);
        node.memoryMb = jsonNumber(memberOf(*entry, "real_memory")).value_or(0);
        node.memoryAllocatedMb = jsonNumber(memberOf(*entry, "alloc_memory")).value_or(0);
        node.gres = readGres(textOf(*entry, "gres"), textOf(*entry, "gres_used"));
        if (const Json* partitions = memberOf(*entry, "partitions"); partitions && partitions->is_array())
            for (const Json& one : *partitions)
                if (one.is_string())
                    node.partitions.append(QString::fromStdString(one.get<std::string>()));
        node.reason = printable(slurmText(textOf(*entry, "reason")));
        node.reasonBy = printable(slurmText(textOf(*entry, "reason_set_by_user")));
        if (const auto at = jsonNumber(memberOf(*entry, "reason_changed_at")); at && *at > 0 && !node.reason.isEmpty())
            node.reasonTime = *at * 1'000;
        nodes.append(node);
    }
    return nodes;
}

Result<QList<SlurmPartition>> readRestPartitions(const Reply& reply)
{
    const Result<Json> json = answerOf(reply);
    if (!json)
        return tl::unexpected(json.error());
    const auto entries = listed(*json, "partitions", reply);
    if (!entries)
        return tl::unexpected(entries.error());
    QList<SlurmPartition> partitions;
    for (const Json* entry : *entries) {
        SlurmPartition partition;
        partition.name = textOf(*entry, "name");
        partition.state = wordsIn(eitherOf(*entry, "partition", "state", "state")).value(0, u"UP"_s);
        partition.isDefault = wordsIn(memberOf(*entry, "flags")).contains("DEFAULT"_L1);
        partition.maxSeconds = minutesAsSeconds(eitherOf(*entry, "maximums", "time", "max_time_limit"));
        partition.defaultSeconds = minutesAsSeconds(eitherOf(*entry, "defaults", "time", "default_time_limit"));
        partition.nodes = eitherText(*entry, "nodes", "configured", "nodes");
        partition.totalNodes = jsonNumber(eitherOf(*entry, "nodes", "total", "total_nodes")).value_or(0);
        partition.totalCpus = jsonNumber(eitherOf(*entry, "cpus", "total", "total_cpus")).value_or(0);
        partition.totalGpus = gpusOfTres(eitherText(*entry, "tres", "configured", "tres"));
        partitions.append(partition);
    }
    return partitions;
}

} // namespace platforms::slurm
