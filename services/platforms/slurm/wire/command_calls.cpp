// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_calls.h"

#include "services/platforms/slurm/slurm_commands.h"
#include "services/platforms/slurm/slurm_queue.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

CommandCalls::CommandCalls(CommandHost* host, QString slurmConf, std::stop_token stop)
    : m_host(host)
    , m_slurmConf(std::move(slurmConf))
    , m_stop(std::move(stop))
{
}

Message CommandCalls::title() const
{
    return u"Slurm's commands"_m;
}

Message CommandCalls::remedy() const
{
    return u"Install Slurm's commands (Debian: slurm-client) on %1, or choose a login node."_m.arg(m_host->name());
}

Task<Result<Reply>> CommandCalls::run(QStringList words, QByteArray input)
{
    CommandLine line;
    line.words = std::move(words);
    line.input = std::move(input);
    line.set = commandEnvironment(m_slurmConf);
    line.unset = unsetVariables();
    line.outputLimit = qint64(64) * 1024 * 1024;
    auto running = m_host->run(std::move(line), m_stop);
    const Result<CommandOutput> output = co_await running;
    if (!output)
        co_return fail(output);
    Reply reply;
    reply.exitCode = output->exitCode;
    reply.signal = output->signal;
    reply.out = output->output;
    reply.err = output->errors;
    reply.timedOut = output->timedOut;
    reply.cut = output->cut;
    co_return reply;
}

Task<> CommandCalls::close()
{
    co_return; // the host ends its commands
}

Task<Result<SlurmVersion>> CommandCalls::version()
{
    auto asking = run(versionCommand());
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    const Result<SlurmVersion> version = readVersion(*reply);
    if (version)
        m_version = *version;
    co_return version;
}

Task<SubmitAnswer> CommandCalls::submit(ScriptValues values, QByteArray script)
{
    Q_UNUSED(values)
    auto submitting = run(submitCommand(), script);
    const Result<Reply> reply = co_await submitting;
    if (reply)
        co_return readSubmit(*reply);
    SubmitAnswer answer;
    answer.outcome = isOutcomeUnknown(reply.error()) ? SubmitAnswer::Outcome::unknown : SubmitAnswer::Outcome::none;
    answer.error = reply.error();
    co_return answer;
}

Task<Result<QList<SlurmJob>>> CommandCalls::queue()
{
    const QString mark = queueMark(QRandomGenerator::system()->generate64());
    const bool isText = queueForm(m_version) == QueueForm::text;
    auto asking = run(isText ? queueTextCommand(mark) : queueJsonCommand());
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return isText ? readQueueText(*reply, mark) : readQueueJson(*reply);
}

Task<Result<Accounting>> CommandCalls::accounting(QList<qint64> ids)
{
    const QString mark = queueMark(QRandomGenerator::system()->generate64());
    auto asking = run(accountingCommand(ids, mark));
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return readAccounting(*reply, mark);
}

Task<Result<>> CommandCalls::cancel(QList<qint64> ids, QStringList names)
{
    QList<QStringList> commands;
    if (!ids.isEmpty())
        commands.append(cancelCommand(ids));
    for (const QString& name : names)
        commands.append(cancelByNameCommand(name));
    Result<> all;
    for (const QStringList& command : commands) {
        auto cancelling = run(command);
        const Result<Reply> reply = co_await cancelling;
        if (!reply && all)
            all = fail(reply);
        else if (reply)
            if (const auto error = commandError(*reply, u"scancel"_s); error && all)
                all = tl::unexpected(*error);
    }
    co_return all;
}

Task<Result<QList<SlurmPartition>>> CommandCalls::partitions()
{
    auto asking = run(partitionsCommand());
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return readPartitions(*reply);
}

Task<Result<QList<SlurmNode>>> CommandCalls::nodes()
{
    auto asking = run(nodesCommand());
    const Result<Reply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    co_return readNodes(*reply);
}

} // namespace platforms::slurm
