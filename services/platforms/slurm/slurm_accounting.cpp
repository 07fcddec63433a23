// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_accounting.h"

#include "slurm_values.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

// The first and the last field hold no line end, so that a record's end is known whatever stands between.
constexpr const char* accountingFields[] = {"JobIDRaw", "JobID", "User", "Partition", "State", "Reason", "Submit",
    "Start", "End", "NodeList", "AllocTRES", "Comment", "JobName", "ExitCode"};
constexpr qsizetype accountingFieldCount = qsizetype(std::size(accountingFields));

Error incompleteAccounting(const QByteArray& answer)
{
    return Error{Kind::network,
        u"The answer of sacct is incomplete or has another form than expected. It is asked again."_m,
        QString::fromUtf8(answer.left(512))};
}

QString gresOf(const QString& tres)
{
    QStringList gres;
    for (const QString& part : tres.split(u',')) {
        if (part.startsWith("gres/"_L1))
            gres.append(part);
    }
    return gres.join(u',');
}

/// Nothing where it is no job: "12.batch" is a step, "12+0" a part of a heterogeneous one.
std::optional<SlurmJob> accountedJob(const QStringList& fields)
{
    const std::optional<qint64> id = slurmNumber(fields[0]);
    if (!id || *id == 0 || fields[1].contains(u'+') || fields[1].contains(u'.'))
        return {};
    SlurmJob job;
    job.id = *id;
    if (fields[1].contains(u'_'))
        job.arrayId = fields[1];
    job.user = slurmText(fields[2]);
    job.partition = slurmText(fields[3]);
    job.state = jobState({fields[4]});
    job.reason = slurmText(fields[5]);
    job.submitTime = slurmTime(fields[6]);
    job.startTime = slurmTime(fields[7]);
    job.endTime = slurmTime(fields[8]);
    job.nodes = fields[9] == "None assigned"_L1 ? QString() : slurmText(fields[9]);
    job.gres = gresOf(fields[10]);
    job.comment = slurmText(fields[11]);
    job.name = fields[12];
    if (job.state.phase == JobPhase::ended && !job.nodes.isEmpty()) {
        const WaitStatus end = exitPair(fields[13]);
        // A cancelled job has 0:0 here, whatever its command did.
        if (job.state.end != JobEnd::cancelled || end.signal) {
            job.exitCode = end.exitCode;
            job.signal = end.signal;
        }
    }
    return job;
}

} // namespace

QStringList accountingCommand(const QList<qint64>& ids, const QString& mark)
{
    QStringList fields;
    for (const char* name : accountingFields)
        fields.append(QString::fromLatin1(name));
    QStringList numbers;
    for (const qint64 id : ids)
        numbers.append(QString::number(id));
    return {u"sacct"_s, u"--noheader"_s, u"--parsable2"_s, u"--allocations"_s, u"--delimiter="_s + mark,
        u"--jobs="_s + numbers.join(u','), u"--format="_s + fields.join(u',')};
}

Result<Accounting> readAccounting(const Reply& reply, const QString& mark)
{
    if (reply.err.contains("accounting storage is disabled"))
        return Accounting{.kept = false, .jobs = {}};
    if (reply.err.contains("Problem talking to the database") || reply.err.contains("slurm_persist_conn_open")
        || reply.err.contains("Problem talking to database"))
        return fail(Kind::network, u"Slurm's accounting database does not answer. It is asked again."_m,
            QString::fromUtf8(reply.err.left(4'096)));
    if (std::optional<Error> error = commandError(reply, u"sacct"_s))
        return tl::unexpected(*std::move(error));
    Accounting accounting;
    if (reply.out.isEmpty() && !reply.cut)
        return accounting;
    const QByteArray delimiter = mark.toUtf8();
    if (delimiter.isEmpty() || reply.cut || !reply.out.endsWith('\n'))
        return tl::unexpected(incompleteAccounting(reply.out));
    QStringList fields;
    for (qsizetype at = 0; at < reply.out.size();) {
        const bool last = fields.size() == accountingFieldCount - 1;
        const QByteArray end = last ? "\n"_ba : delimiter;
        const qsizetype to = reply.out.indexOf(end, at);
        if (to < 0)
            return tl::unexpected(incompleteAccounting(reply.out.mid(at)));
        fields.append(QString::fromUtf8(reply.out.mid(at, to - at)));
        at = to + end.size();
        if (last) {
            if (fields[0].contains(u'\n') || fields[4].isEmpty())
                return tl::unexpected(incompleteAccounting(reply.out));
            if (const std::optional<SlurmJob> job = accountedJob(fields))
                accounting.jobs.append(*job);
            fields.clear();
        }
    }
    if (!fields.isEmpty())
        return tl::unexpected(incompleteAccounting(reply.out));
    return accounting;
}

} // namespace platforms::slurm
