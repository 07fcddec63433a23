// SPDX-License-Identifier: GPL-3.0-or-later
#include "exec_token_source.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

ExecTokenSource::ExecTokenSource(PluginLogin login, CommandHost* commands, Clock* clock)
    : m_login(std::move(login))
    , m_commands(commands)
    , m_clock(clock)
{
}

bool ExecTokenSource::isKept() const
{
    return m_kept && (!m_kept->expiresMs || m_clock->nowMs() < *m_kept->expiresMs - leewayMs);
}

Error ExecTokenSource::noted(Error error)
{
    if (error.kind != Kind::cancelled) {
        m_failure = error;
        m_failedMs = m_clock->steadyMs();
    }
    return error;
}

Task<Result<ExecCredential>> ExecTokenSource::run(std::stop_token stop)
{
    CommandLine line;
    line.words = QStringList{m_login.plugin.command} + m_login.plugin.arguments;
    line.timeoutMs = limitMs;
    line.outputLimit = mostOutput;
    line.unset = QStringList{u"LC_ALL"_s}; // what it prints for a person may be in any language
    for (const auto& [name, value] : m_login.plugin.environment)
        line.set.insert(name, value);
    line.set.insert(u"KUBERNETES_EXEC_INFO"_s, QString::fromUtf8(execInfo(m_login.plugin.apiVersion, m_login.cluster)));
    auto running = m_commands->run(line, stop);
    const Result<CommandOutput> output = co_await running;
    if (!output)
        co_return fail(output);
    if (output->succeeded())
        co_return readExecCredential(output->output, m_login.plugin.apiVersion);
    ExecEnd end;
    end.exitCode = output->exitCode;
    end.timedOut = output->timedOut;
    end.cut = output->cut;
    end.errors = output->errors;
    co_return tl::unexpected(execError(m_login.plugin, end));
}

Task<Result<ExecCredential>> ExecTokenSource::checkedRun(std::stop_token stop)
{
    auto running = run(stop);
    Result<ExecCredential> given = co_await running;
    if (!given)
        co_return tl::unexpected(noted(given.error()));
    if (given->expiresMs && *given->expiresMs <= m_clock->nowMs())
        co_return tl::unexpected(noted({Kind::auth,
            u"The program %1 gave credentials of the cluster that have expired already. Log in with it again."_m.arg(
                printable(m_login.plugin.command, 150)),
            {}}));
    m_failure.reset();
    m_kept = *given;
    co_return given;
}

Task<Result<ExecCredential>> ExecTokenSource::credential(std::stop_token stop)
{
    if (m_isRunning) {
        const OneShot<Result<ExecCredential>> shot;
        m_waiting.push_back(shot);
        co_return co_await shot.wait();
    }
    if (isKept())
        co_return ExecCredential(*m_kept);
    m_kept.reset();
    if (m_failure && m_clock->steadyMs() - m_failedMs < pauseMs)
        co_return tl::unexpected(Error(*m_failure));
    m_isRunning = true;
    auto running = checkedRun(stop);
    const Result<ExecCredential> given = co_await running;
    m_isRunning = false;
    auto waiting = std::exchange(m_waiting, {});
    for (auto& shot : waiting)
        shot.set(given);
    co_return given;
}

Task<Result<QByteArray>> ExecTokenSource::authorization(QByteArray rejected, std::stop_token stop)
{
    if (!rejected.isEmpty())
        forget();
    auto asking = credential(stop);
    const Result<ExecCredential> given = co_await asking;
    if (!given)
        co_return fail(given);
    const QByteArray value = given->token.isEmpty() ? QByteArray() : "Bearer " + given->token;
    if (!rejected.isEmpty() && value == rejected) {
        forget();
        co_return tl::unexpected(noted({Kind::auth,
            u"The cluster does not accept what the program %1 gives (401), and it gave the same again. Log in with it anew."_m
                .arg(printable(m_login.plugin.command, 150)),
            {}}));
    }
    co_return value;
}

} // namespace platforms::kubernetes
