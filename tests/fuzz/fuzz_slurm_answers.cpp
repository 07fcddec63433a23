// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm's commands and slurmrestd answer: queue, accounting, submission, nodes, partitions, version.
#include "fuzz_driver.h"

#include "services/platforms/slurm/slurm_accounting.h"
#include "services/platforms/slurm/slurm_nodes.h"
#include "services/platforms/slurm/slurm_queue.h"
#include "services/platforms/slurm/slurm_reasons.h"
#include "services/platforms/slurm/slurm_rest.h"
#include "services/platforms/slurm/slurm_submit.h"
#include "services/platforms/slurm/slurm_version.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

const QString mark = u"|f2b9c05e|"_s; ///< that the seeds were recorded with

void checkJobs(const QList<SlurmJob>& jobs)
{
    for (const SlurmJob& job : jobs) {
        require(job.id > 0, "a job has an id");
        require(job.state == jobState(job.state.words), "a state is what its words mean");
        require(!job.exitCode || (*job.exitCode >= 0 && *job.exitCode <= 255), "an exit code is a byte");
        require(!job.signal || (*job.signal > 0 && *job.signal < 128), "a signal is one");
        require(!job.exitCode || !job.signal, "a command ends in one way");
        require(job.state.phase == JobPhase::ended || (!job.exitCode && !job.signal),
            "only what has ended has an exit code");
        require((job.state.end == JobEnd::none) || job.state.phase == JobPhase::ended
                || job.state.phase == JobPhase::completing,
            "only what ends has an end");
        for (const auto& time : {job.submitTime, job.startTime, job.endTime})
            require(!time || *time > 0, "times are after 1970");
        const PendingReason reason = pendingReason(job.reason);
        require(!reason.message.contains(u"\n"), "a reason is one line");
    }
}

void checkGres(const QList<SlurmGres>& gres)
{
    for (const SlurmGres& one : gres) {
        require(!one.name.isEmpty() && one.total >= 0 && one.used >= 0, "a resource has a name and counts");
        require(std::is_sorted(one.usedIndices.begin(), one.usedIndices.end()), "indices are sorted");
        for (const int index : one.usedIndices)
            require(index >= 0 && index < 1'024, "an index is one of a node's");
    }
}

void checkNodes(const QList<SlurmNode>& nodes)
{
    QSet<QString> names;
    for (const SlurmNode& node : nodes) {
        require(!node.name.isEmpty() && !names.contains(node.name), "nodes have names of their own");
        names.insert(node.name);
        require(node.cpus >= 0 && node.memoryMb >= 0, "a node's numbers are none below 0");
        checkGres(node.gres);
    }
}

/// Of slurmrestd. No answer with an error in it is an empty cluster.
void checkRest(const QByteArray& text)
{
    for (const int status : {200, 500}) {
        const Reply reply = restReply(status, text);
        const auto nodes = readRestNodes(reply);
        const auto partitions = readRestPartitions(reply);
        if (nodes)
            checkNodes(*nodes);
        require(status == 200 || (!nodes && !partitions && !readQueueJson(reply)), "an HTTP error is one");
        require(nodes || !nodes.error().message.isEmpty(), "an error has a sentence");
        require(partitions || !partitions.error().message.isEmpty(), "an error has a sentence");
        const SubmitAnswer answer = readRestSubmit(reply);
        require((answer.outcome == SubmitAnswer::Outcome::accepted) == (answer.id > 0), "what was accepted has an id");
        require(status == 200 || answer.outcome != SubmitAnswer::Outcome::accepted, "a failure is none");
        const auto version = readRestVersion(reply);
        require(!version || version->major >= 0, "a version has numbers");
        require(status == 200 || !restCancelError(reply) || restError(reply).has_value(), "an error is one");
    }
}

/// Text in a reply is never "nothing there".
template <typename T>
void checkEmpty(const Result<T>& read, const QByteArray& text)
{
    require(read || !read.error().message.isEmpty(), "an error has a sentence");
    require(!read || !text.isEmpty() || read->isEmpty(), "of nothing comes nothing");
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const Reply reply{.out = text};
    const auto byText = readQueueText(reply, mark);
    checkEmpty(byText, text);
    if (byText) {
        checkJobs(*byText);
        require(text.isEmpty() || text.endsWith(".|f2b9c05e|\n"), "a cut queue is an error");
    }
    const auto byJson = readQueueJson(reply);
    if (byJson)
        checkJobs(*byJson);
    require(byJson || !byJson.error().message.isEmpty(), "an error has a sentence");
    const auto accounting = readAccounting(reply, mark);
    if (accounting)
        checkJobs(accounting->jobs);

    const auto nodes = readNodes(reply);
    checkEmpty(nodes, text);
    if (nodes)
        checkNodes(*nodes);
    checkEmpty(readPartitions(reply), text);
    const QString words = QString::fromUtf8(text);
    checkGres(readGres(words, words));

    checkRest(text);

    const SubmitAnswer accepted = readSubmit(reply);
    require((accepted.outcome == SubmitAnswer::Outcome::accepted) == (accepted.id > 0), "what was accepted has an id");
    const SubmitAnswer refused = readSubmit({.exitCode = 1, .err = text});
    require(
        refused.outcome != SubmitAnswer::Outcome::accepted && !refused.error.message.isEmpty(), "a failure is none");
    require(commandError({.exitCode = 1, .err = text}, u"squeue"_s).has_value(), "an exit code is an error");
    const auto version = readVersion(reply);
    require(!version || version->major >= 0, "a version has numbers");
    require(jobState(words.split(u'\n')).words == words.split(u'\n'), "words are kept");
    require(pendingReason(words).message.isEmpty() || pendingReason(words).message.hasKey(),
        "a reason is a sentence of ours");
}
