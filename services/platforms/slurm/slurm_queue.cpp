// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_queue.h"

#include "slurm_values.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

// Names of squeue's --Format; free text comes last only for the eye.
constexpr const char* queueFields[] = {"jobid", "jobarrayid", "username", "partition", "state", "reason", "exit_code",
    "restartcnt", "submittime", "starttime", "endtime", "nodelist", "tres-per-node", "comment", "name"};
constexpr qsizetype queueFieldCount = qsizetype(std::size(queueFields));

Error incomplete(const QByteArray& answer)
{
    return Error{Kind::network,
        u"The answer of squeue is incomplete or has another form than expected. It is asked again."_m,
        QString::fromUtf8(answer.left(512))};
}

/// What a reply with exit code 0 hides.
std::optional<Error> queueError(const Reply& reply)
{
    if (std::optional<Error> error = commandError(reply, u"squeue"_s))
        return error;
    if (reply.cut)
        return Error{Kind::platform, u"The queue of Slurm is larger than what is read of it."_m, {}};
    return {};
}

std::optional<Error> hiddenQueueError(const Reply& reply, bool empty)
{
    if (!reply.err.contains("slurm_load_jobs") && !(empty && reply.err.contains("error")))
        return {};
    Reply failed = reply;
    failed.exitCode = 1;
    return commandError(failed, u"squeue"_s);
}

/// How a job ended is known only of one that ran and has ended: 22.05 gives refused ones the status 1, which is no signal.
void setEnd(SlurmJob& job, const WaitStatus& end)
{
    if (job.state.phase != JobPhase::ended || job.nodes.isEmpty())
        return;
    job.exitCode = end.exitCode;
    job.signal = end.signal;
}

std::optional<SlurmJob> textJob(const QList<QByteArray>& fields)
{
    const auto text = [&fields](qsizetype at) { return slurmText(QString::fromUtf8(fields[at])); };
    SlurmJob job;
    const std::optional<qint64> id = slurmNumber(text(0));
    if (!id || *id == 0 || text(4).isEmpty())
        return {};
    job.id = *id;
    const QString shown = text(1);
    if (shown.contains(u'_'))
        job.arrayId = shown;
    job.user = text(2);
    job.partition = text(3);
    job.state = jobState({text(4)});
    job.reason = text(5);
    job.restarts = int(std::clamp<qint64>(slurmNumber(text(7)).value_or(0), 0, 1'000'000));
    job.submitTime = slurmTime(text(8));
    job.startTime = slurmTime(text(9));
    job.endTime = slurmTime(text(10));
    job.nodes = text(11);
    job.gres = text(12);
    job.comment = text(13);
    job.name = QString::fromUtf8(fields[14]);
    setEnd(job, waitStatus(slurmNumber(text(6)).value_or(-1)));
    return job;
}

std::optional<qint64> jsonTime(const Json& job, const char* name)
{
    const std::optional<qint64> seconds = jsonNumber(memberOf(job, name));
    return seconds ? slurmTime(QString::number(*seconds)) : std::nullopt;
}

/// A string, or a list of strings.
QStringList wordsOf(const Json* value)
{
    if (value && value->is_string())
        return {value->get<QString>()};
    QStringList words;
    if (value && value->is_array()) {
        for (const Json& word : *value) {
            if (word.is_string())
                words.append(word.get<QString>());
        }
    }
    return words;
}

/// A wait status, or since 23.02 {"status": …, "return_code": …, "signal": {"id": …, "name": …}}.
WaitStatus jsonEnd(const Json* value)
{
    if (!value)
        return {};
    if (!value->is_object() || value->contains("number"))
        return waitStatus(jsonNumber(value).value_or(-1));
    WaitStatus end;
    const Json* signal = memberOf(*value, "signal");
    const Json* id = signal && signal->is_object() ? memberOf(*signal, "id") : signal;
    if (signal && signal->is_object() && !id)
        id = memberOf(*signal, "signal_id");
    const std::optional<qint64> number = jsonNumber(id);
    const std::optional<qint64> code = jsonNumber(memberOf(*value, "return_code"));
    if (number && *number > 0 && *number < 128)
        end.signal = int(*number);
    else if (code && *code >= 0 && *code < 256)
        end.exitCode = int(*code);
    return end;
}

QString jsonArrayId(const Json& job)
{
    const qint64 array = jsonNumber(memberOf(job, "array_job_id")).value_or(0);
    if (array <= 0)
        return {};
    if (const QString rows = textOf(job, "array_task_string"); !rows.isEmpty())
        return u"%1_[%2]"_s.arg(QString::number(array), rows);
    const std::optional<qint64> task = jsonNumber(memberOf(job, "array_task_id"));
    return task ? u"%1_%2"_s.arg(array).arg(*task) : QString();
}

std::optional<SlurmJob> jsonJob(const Json& json)
{
    SlurmJob job;
    const std::optional<qint64> id = jsonNumber(memberOf(json, "job_id"));
    const QStringList words = wordsOf(memberOf(json, "job_state"));
    if (!id || *id <= 0 || words.isEmpty())
        return {};
    job.id = *id;
    job.arrayId = jsonArrayId(json);
    job.name = textOf(json, "name");
    const Json* comment = memberOf(json, "comment");
    job.comment = comment && comment->is_object() ? textOf(*comment, "job") : textOf(json, "comment");
    job.user = textOf(json, "user_name");
    job.partition = textOf(json, "partition");
    job.state = jobState(words);
    job.reason = slurmText(textOf(json, "state_reason"));
    job.restarts = int(std::clamp<qint64>(jsonNumber(memberOf(json, "restart_cnt")).value_or(0), 0, 1'000'000));
    job.submitTime = jsonTime(json, "submit_time");
    job.startTime = jsonTime(json, "start_time");
    job.endTime = jsonTime(json, "end_time");
    job.nodes = textOf(json, "nodes");
    job.gres = textOf(json, "tres_per_node");
    setEnd(job, jsonEnd(memberOf(json, "exit_code")));
    return job;
}

/// The sentence of a non-empty list of errors.
Error jsonErrors(const Json& errors)
{
    Reply told;
    told.exitCode = 1;
    bool loading = false;
    for (const Json& error : errors) {
        for (const char* name : {"description", "error"}) {
            const QString words = error.is_object() ? textOf(error, name) : QString();
            if (!words.isEmpty())
                told.err += words.toUtf8().left(1'000) + '\n';
        }
        loading |= textOf(error, "source").startsWith("slurm_load_jobs"_L1);
    }
    Error error = *commandError(told, u"squeue"_s);
    // 22.05 knows no better words for a controller that is down than "Unspecified error".
    if (error.kind == Kind::platform && loading)
        error = Error{Kind::network,
            u"Slurm could not load its jobs (%1). It is asked again."_m.arg(slurmWords(told.err)), error.detail};
    return error;
}

} // namespace

QueueForm queueForm(const SlurmVersion& version)
{
    return version < filteredJson ? QueueForm::text : QueueForm::json;
}

QString queueMark(quint64 random)
{
    // squeue reads what follows the colon of a field as its width, if it begins with a digit or a dot.
    return u"|%1|"_s.arg(random, 16, 16, QChar(u'0'));
}

QStringList queueTextCommand(const QString& mark)
{
    QStringList fields;
    for (const char* name : queueFields)
        fields.append(QString::fromLatin1(name) + u':' + mark);
    return {
        u"squeue"_s, u"--noheader"_s, u"--me"_s, u"--states=all"_s, u"--Format="_s + fields.join(u',') + u'.' + mark};
}

QStringList queueJsonCommand()
{
    return {u"squeue"_s, u"--me"_s, u"--states=all"_s, u"--json"_s};
}

Result<QList<SlurmJob>> readQueueText(const Reply& reply, const QString& mark)
{
    if (std::optional<Error> error = queueError(reply))
        return tl::unexpected(*std::move(error));
    const QByteArray field = mark.toUtf8();
    const QByteArray recordEnd = field + '.' + field + '\n';
    QList<SlurmJob> jobs;
    for (qsizetype at = 0; at < reply.out.size();) {
        const qsizetype end = reply.out.indexOf(recordEnd, at);
        if (field.isEmpty() || end < 0)
            return tl::unexpected(incomplete(reply.out.mid(at)));
        QList<QByteArray> fields;
        for (qsizetype from = at; from <= end && fields.size() <= queueFieldCount;) {
            const qsizetype to = std::min(reply.out.indexOf(field, from), end);
            fields.append(reply.out.mid(from, to - from));
            from = to + field.size();
        }
        const std::optional<SlurmJob> job = fields.size() == queueFieldCount ? textJob(fields) : std::nullopt;
        if (!job)
            return tl::unexpected(incomplete(reply.out.mid(at)));
        if (!fields[1].contains('+'))
            jobs.append(*job);
        at = end + recordEnd.size();
    }
    if (std::optional<Error> error = hiddenQueueError(reply, jobs.isEmpty()))
        return tl::unexpected(*std::move(error));
    return jobs;
}

Result<QList<SlurmJob>> readQueueJson(const Reply& reply)
{
    if (std::optional<Error> error = queueError(reply))
        return tl::unexpected(*std::move(error));
    const Result<Json> json = parseJson(reply.out);
    if (!json || !json->is_object()) {
        if (std::optional<Error> error = hiddenQueueError(reply, true))
            return tl::unexpected(*std::move(error));
        return tl::unexpected(incomplete(reply.out));
    }
    if (const Json* errors = memberOf(*json, "errors"); errors && (!errors->is_array() || !errors->empty()))
        return tl::unexpected(errors->is_array() ? jsonErrors(*errors) : incomplete(reply.out));
    const Json* list = memberOf(*json, "jobs");
    if (!list || !list->is_array())
        return tl::unexpected(incomplete(reply.out));
    QList<SlurmJob> jobs;
    for (const Json& entry : *list) {
        const std::optional<SlurmJob> job = jsonJob(entry);
        if (!job)
            return tl::unexpected(incomplete(dumpJson(entry)));
        if (jsonNumber(memberOf(entry, "het_job_id")).value_or(0) == 0)
            jobs.append(*job);
    }
    if (std::optional<Error> error = hiddenQueueError(reply, jobs.isEmpty()))
        return tl::unexpected(*std::move(error));
    return jobs;
}

} // namespace platforms::slurm
