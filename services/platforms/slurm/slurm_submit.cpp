// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_submit.h"

#include "slurm_values.h"

#include <QRegularExpression>

#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

struct Refusal
{
    const char* words; ///< of Slurm, lower case
    Message (*sentence)(const QString& said);
};

// slurm_errno of 22.05 to 24.11. Checked in this order: sbatch prints a fact of its own before the general sentence.
const Refusal refusals[] = {
    {"invalid partition name",
        [](const QString& said) {
            return u"Slurm has no such partition, or it is not open to this account (%1). Choose one that `sinfo` lists."_m
                .arg(said);
        }},
    {"invalid account or account/partition combination",
        [](const QString& said) {
            return u"The account is not known, or may not use this partition (%1). See `sacctmgr show assoc user=$USER`."_m
                .arg(said);
        }},
    {"invalid qos",
        [](const QString& said) {
            return u"The QOS is not known, or not open to this account (%1). See `sacctmgr show assoc user=$USER format=qos`."_m
                .arg(said);
        }},
    {"reservation",
        [](const QString& said) {
            return u"The reservation cannot be used (%1). See `scontrol show reservation`, or leave it out."_m.arg(
                said);
        }},
    {"memory specification can not be satisfied",
        [](const QString& said) {
            return u"No node has so much memory (%1). Ask for less, or choose another partition."_m.arg(said);
        }},
    {"invalid feature specification",
        [](const QString& said) {
            return u"No node has the features of the constraint (%1). See `sinfo -o '%N %f'`."_m.arg(said);
        }},
    {"generic resource",
        [](const QString& said) {
            return u"Slurm does not know such GPUs (%1). Correct the GPU type, or see `sinfo -o '%N %G'`."_m.arg(said);
        }},
    {"requested time limit is invalid",
        [](const QString& said) {
            return u"The time limit is missing, or above what the partition allows (%1). Set timeLimit within it."_m
                .arg(said);
        }},
    {"node configuration is not available",
        [](const QString& said) {
            return u"No node can fulfil what the trial asks for (%1). Ask for fewer GPUs or CPUs or less memory, or choose another partition."_m
                .arg(said);
        }},
    {"more processors requested than permitted",
        [](const QString& said) {
            return u"It asks for more CPUs than one node, or the partition, gives (%1). Ask for fewer."_m.arg(said);
        }},
    {"node count specification invalid",
        [](const QString& said) {
            return u"The partition does not take jobs of this many nodes (%1). Choose another one."_m.arg(said);
        }},
    {"job violates accounting/qos policy",
        [](const QString& said) {
            return u"It asks for more than a limit of the account or the QOS allows (%1). Ask for less, or choose another account or QOS."_m
                .arg(said);
        }},
    {"specification",
        [](const QString& said) {
            return u"Slurm does not understand a value of the settings (%1). Correct it."_m.arg(said);
        }},
    {"unrecognized option",
        [](const QString& said) {
            return u"This Slurm does not know an option of the extra arguments (%1). Correct extraArgs."_m.arg(said);
        }},
    {"does not look like a batch script",
        [](const QString& said) { return u"Slurm does not take the job's script for one (%1)."_m.arg(said); }},
};

QByteArray lowered(const QByteArray& err)
{
    return err.left(64 * 1'024).toLower();
}

bool saysAny(const QByteArray& err, std::initializer_list<const char*> texts)
{
    return std::any_of(texts.begin(), texts.end(), [&err](const char* text) { return err.contains(text); });
}

/// Limits on how many jobs may be in the queue: one of ours that ends makes room.
bool isSubmitLimit(const QByteArray& err)
{
    return saysAny(err,
               {"submitjob", "maxsubmit", "slurm temporarily unable to accept job", "resource temporarily unavailable",
                   "job update not available right now", "jobs at max", "try again later"})
        && !saysAny(err, {"mem_limit"});
}

SubmitAnswer notAccepted(SubmitAnswer::Outcome outcome, Error error)
{
    return SubmitAnswer{.outcome = outcome, .id = 0, .cluster = {}, .error = std::move(error)};
}

SubmitAnswer unknownOutcome(const Reply& reply, const Message& why)
{
    return notAccepted(SubmitAnswer::Outcome::unknown,
        Error{Kind::timeout,
            u"It is not known whether Slurm took the job (%1). The queue is searched for it before anything is submitted again."_m
                .arg(why),
            QString::fromUtf8(reply.err.left(4'096))});
}

/// The line `123` or `123;cluster`; others, of the site's own wrappers, are skipped. Nothing where there is none, or more than one.
std::optional<SubmitAnswer> acceptedJob(const QByteArray& out)
{
    static const QRegularExpression form(u"\\A([0-9]{1,18})(?:;([^;\\s]{1,100}))?\\z"_s);
    std::optional<SubmitAnswer> found;
    for (const QByteArray& line : out.left(64 * 1'024).split('\n')) {
        const QRegularExpressionMatch match = form.match(QString::fromUtf8(line.trimmed()));
        if (!match.hasMatch() || match.captured(1).toLongLong() == 0)
            continue;
        if (found)
            return {};
        found = SubmitAnswer{.outcome = SubmitAnswer::Outcome::accepted,
            .id = match.captured(1).toLongLong(),
            .cluster = match.captured(2),
            .error = {}};
    }
    return found;
}

} // namespace

QStringList submitCommand()
{
    return {u"sbatch"_s, u"--parsable"_s};
}

SubmitAnswer readSubmit(const Reply& reply)
{
    const QString said = slurmWords(reply.err);
    if (reply.exitCode == 0 && reply.signal == 0 && !reply.timedOut && !reply.cut) {
        if (const std::optional<SubmitAnswer> accepted = acceptedJob(reply.out))
            return *accepted;
        return unknownOutcome(reply, u"sbatch printed no id"_m);
    }
    if (reply.timedOut || reply.cut || reply.signal != 0)
        return unknownOutcome(
            reply, reply.signal != 0 && !reply.timedOut ? u"sbatch was killed"_m : u"no whole answer in time"_m);
    // An id and an error: sbatch got it, and then something failed.
    if (acceptedJob(reply.out))
        return unknownOutcome(reply, said.isEmpty() ? u"exit code %1"_m.arg(reply.exitCode) : Message(said));

    const QByteArray err = lowered(reply.err);
    if (saysAny(err, {"(send failure)", "(receive failure)", "(timeout)", "message send failure"}))
        return unknownOutcome(reply, said);
    Error error = *commandError(reply, u"sbatch"_s);
    if (error.kind == Kind::timeout)
        return unknownOutcome(reply, said);
    if (error.kind == Kind::network) {
        error.message =
            u"Slurm's controller does not answer, so nothing was submitted. It is tried again; see `scontrol ping`."_m;
        return notAccepted(SubmitAnswer::Outcome::none, std::move(error));
    }
    if (isSubmitLimit(err)) {
        error = Error{Kind::resource,
            u"Slurm takes no more jobs of yours at the moment (%1). The trial is submitted when one of them ends."_m
                .arg(said),
            error.detail};
        return notAccepted(SubmitAnswer::Outcome::later, std::move(error));
    }
    if (saysAny(err, {"i/o error writing script", "unspecified error", "connection timed out"})) {
        error = Error{Kind::network,
            u"Slurm's controller could not keep the job (%1), so nothing was submitted. It is tried again."_m.arg(said),
            error.detail};
        return notAccepted(SubmitAnswer::Outcome::none, std::move(error));
    }
    for (const Refusal& refusal : refusals) {
        if (err.contains(refusal.words)) {
            error = Error{Kind::invalid, refusal.sentence(said), error.detail};
            return notAccepted(SubmitAnswer::Outcome::refused, std::move(error));
        }
    }
    if (error.kind == Kind::platform)
        error.kind = Kind::invalid;
    return notAccepted(SubmitAnswer::Outcome::refused, std::move(error));
}

} // namespace platforms::slurm
