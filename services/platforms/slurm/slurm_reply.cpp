// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_reply.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr qsizetype maxRead = 64 * 1024; ///< bytes of standard error that are looked at
constexpr qsizetype maxWords = 500;      ///< characters of it in a sentence
constexpr int notFound = 127;
constexpr int notExecutable = 126;

bool says(QByteArrayView err, std::initializer_list<const char*> texts)
{
    const QByteArray lower = err.first(std::min(err.size(), maxRead)).toByteArray().toLower();
    return std::any_of(texts.begin(), texts.end(), [&lower](const char* text) { return lower.contains(text); });
}

/// "sbatch: error: Batch job submission failed: Invalid qos" without what is in front of the fact.
QString withoutHead(QString line)
{
    static const QLatin1StringView heads[] = {"error: "_L1, "fatal: "_L1, "Batch job submission failed: "_L1};
    const qsizetype colon = line.indexOf(": "_L1);
    if (colon > 0 && QStringView(line).first(colon).indexOf(u' ') < 0
        && (QStringView(line).sliced(colon + 2).startsWith("error: "_L1)
            || QStringView(line).sliced(colon + 2).startsWith("fatal: "_L1)))
        line.remove(0, colon + 2);
    for (const QLatin1StringView head : heads) {
        if (line.startsWith(head))
            line.remove(0, head.size());
    }
    return line.trimmed();
}

} // namespace

QString slurmWords(QByteArrayView err)
{
    QStringList lines;
    const QList<QByteArray> all = err.first(std::min(err.size(), maxRead)).toByteArray().split('\n');
    for (const QByteArray& bytes : all) {
        const QString line = withoutHead(core::printable(QString::fromUtf8(bytes)).trimmed());
        if (!line.isEmpty() && !lines.contains(line))
            lines.append(line);
        if (lines.size() == 20)
            break;
    }
    QString words = lines.join(u"; "_s);
    if (words.size() > maxWords)
        words = words.left(maxWords - 1) + u'…';
    return words;
}

std::optional<Error> commandError(const Reply& reply, const QString& command)
{
    const QString detail = QString::fromUtf8(reply.err.left(maxRead));
    const auto error = [&detail](Kind kind, Message message) { return Error{kind, std::move(message), detail}; };
    if (reply.timedOut
        || says(reply.err, {"socket timed out", "zero bytes were transmitted", "message receive failure"}))
        return error(Kind::timeout,
            u"Slurm's controller did not answer %1 in time. It is asked again, less often; if this lasts, see `scontrol ping`."_m
                .arg(command));
    if (reply.signal != 0)
        return error(Kind::timeout,
            u"The command %1 was killed by signal %2 before it answered."_m.arg(command).arg(reply.signal));
    if (reply.exitCode == 0)
        return {};
    if (says(reply.err,
            {"unable to contact slurm controller", "communication connection failure", "controller is in standby mode",
                "slurm backup controller in standby", "message send failure", "connection refused",
                "connection timed out"}))
        return error(Kind::network,
            u"Slurm's controller does not answer. Jobs that run are not affected; it is asked again. See `scontrol ping`."_m);
    if (says(reply.err, {"could not establish a configuration source", "unable to process configuration file"}))
        return error(Kind::invalid,
            u"The command %1 finds no slurm.conf (%2). Name it in the settings (slurmConf), or choose a login node of the cluster."_m
                .arg(command, slurmWords(reply.err)));
    if (says(reply.err, {"munge", "protocol authentication error", "zero uid"}))
        return error(Kind::auth,
            u"Slurm refuses who asks (%1). The service munge must run on the computer where %2 is called, with the cluster's key."_m
                .arg(slurmWords(reply.err), command));
    if (says(reply.err, {"access/permission denied", "user's group not permitted"}))
        return error(Kind::auth,
            u"Slurm does not permit this (%1). See with whose account %2 is called."_m.arg(
                slurmWords(reply.err), command));
    if (reply.exitCode == notFound || reply.exitCode == notExecutable)
        return error(Kind::invalid,
            u"The command %1 cannot be run there. Install Slurm's client commands, or name a login node that has them."_m
                .arg(command));
    const QString words = slurmWords(reply.err);
    return error(Kind::platform,
        words.isEmpty()
            ? u"The command %1 failed with exit code %2 and said nothing."_m.arg(command).arg(reply.exitCode)
            : u"The command %1 failed: %2."_m.arg(command, words.endsWith(u'.') ? words.chopped(1) : words));
}

} // namespace platforms::slurm
