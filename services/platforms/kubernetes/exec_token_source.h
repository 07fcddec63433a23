// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exec_credential.h"

#include "services/platforms/commands/command_host.h"
#include "services/transport/http/token_source.h"

namespace platforms::kubernetes {

/// Credentials that a program of this computer gives (exec plugin). It is run without a shell and without a terminal, one run at a time,
/// with an empty standard input and a minute to end. What it gave is kept until it expires or the server refuses it. One that fails is
/// run again after `pauseMs` at the earliest: it may open a browser each time. On the client's thread.
class ExecTokenSource : public transport::TokenSource
{
public:
    static constexpr qint64 limitMs = 60'000;
    static constexpr qint64 leewayMs = 10'000; ///< before what it gave expires
    static constexpr qint64 pauseMs = 30'000;
    static constexpr qint64 mostOutput = 1024 * 1024; ///< bytes

    /// `commands` runs programs of this computer; neither it nor the clock is owned.
    ExecTokenSource(PluginLogin login, CommandHost* commands, Clock* clock);

    /// An empty value where the plugin gives a client certificate alone.
    [[nodiscard]] Task<Result<QByteArray>> authorization(QByteArray rejected, std::stop_token stop) override;

    /// What is kept, or what a run gives; those who ask during a run get what it gives.
    [[nodiscard]] Task<Result<ExecCredential>> credential(std::stop_token stop);
    /// The server refused what is kept: the next call runs the program.
    void forget() { m_kept.reset(); }
    [[nodiscard]] bool isKept() const; ///< and has not expired

private:
    [[nodiscard]] Task<Result<ExecCredential>> run(std::stop_token stop);
    [[nodiscard]] Task<Result<ExecCredential>> checkedRun(std::stop_token stop);
    [[nodiscard]] Error noted(Error error);

    PluginLogin m_login;
    CommandHost* m_commands;
    Clock* m_clock;
    std::optional<ExecCredential> m_kept;
    bool m_isRunning = false;
    std::vector<OneShot<Result<ExecCredential>>> m_waiting; ///< for the run
    std::optional<Error> m_failure;                         ///< of the last run
    qint64 m_failedMs = 0;                                  ///< of the steady clock
};

} // namespace platforms::kubernetes
