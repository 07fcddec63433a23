// SPDX-License-Identifier: GPL-3.0-or-later
// The computer where a cluster's commands (sbatch, squeue, …) are: this one, or a login node behind SSH.
#pragma once

#include "services/core/clock.h"
#include "services/core/one_shot.h"
#include "services/core/result.h"
#include "services/core/scope.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>
#include <optional>
#include <stop_token>

namespace platforms {

using namespace core;

/// The next piece of a command's standard input; empty: there is no more.
using CommandInput = std::function<Task<Result<QByteArray>>()>;

struct CommandLine
{
    QStringList words; ///< the program, found through PATH unless it has a slash, and its arguments
    QByteArray input;  ///< standard input; that behind it is asked of `moreInput`, where there is one
    CommandInput moreInput;
    qint64 timeoutMs = 60'000;                    ///< from the start, and again from each time that input was taken
    qint64 outputLimit = qint64(8) * 1024 * 1024; ///< bytes of standard output and error together
    QMap<QString, QString> set;                   ///< environment; names are [A-Za-z_][A-Za-z0-9_]*
    QStringList unset;
};

/// How a command ended. A program that is not there has exit code 127, one that cannot be executed 126, as with a shell.
struct CommandOutput
{
    int exitCode = -1; ///< -1: ended by a signal, timed out, or cut
    int signal = 0;    ///< that ended it; over SSH also that of an exit code of 129 to 192, as shells report one
    QByteArray output;
    QByteArray errors;
    bool timedOut = false; ///< it was ended after its time
    bool cut = false;      ///< it was ended as it printed more than its limit; the first bytes are here

    [[nodiscard]] bool succeeded() const { return exitCode == 0 && signal == 0 && !timedOut && !cut; }
};

/// Whether the command of a failed run() may have run, wholly or in part: its `detail` begins with outcomeUnknownName.
[[nodiscard]] bool isOutcomeUnknown(const Error& error);
inline constexpr QStringView outcomeUnknownName = u"OUTCOME-UNKNOWN";

/// The same error, marked so that isOutcomeUnknown() holds.
[[nodiscard]] Error withUnknownOutcome(Error error);

/// Variables that change what Slurm's commands do or print, and are taken from the environment of every command: SQUEUE_*, SACCT_*, SBATCH_*,
/// SCANCEL_*, SINFO_*, SLURM_* but SLURM_CONF. Source: the section INPUT ENVIRONMENT VARIABLES of each command's manual page.
[[nodiscard]] bool isCommandOption(QStringView variable);
inline constexpr const char* commandOptionPrefixes[] = {"SQUEUE_", "SACCT_", "SBATCH_", "SCANCEL_", "SINFO_", "SLURM_"};
inline constexpr const char* keptCommandVariable = "SLURM_CONF";

/// Runs commands, four at a time; more wait in the order of their calls. Every command has LC_ALL=C, and a process group of its own that
/// is ended as a whole. Its working directory is not defined: paths are absolute. Lives on the service thread, where stop tokens are
/// triggered, too. Before it is destroyed, close() must have returned.
class CommandHost : public QObject
{
    Q_OBJECT
public:
    static constexpr int mostAtOnce = 4;

    explicit CommandHost(QObject* parent = nullptr);
    ~CommandHost() override;

    /// An error means that the command did not run, or that how it ended is not known (isOutcomeUnknown()): Kind::network, timeout
    /// and auth of a connection, cancelled after the stop token or close(), invalid of a command line that cannot be.
    [[nodiscard]] Task<Result<CommandOutput>> run(CommandLine line, std::stop_token stop = {});
    /// Connects, where there is something to connect; also after a login that was refused. Every call tries at once.
    [[nodiscard]] virtual Task<Result<>> open();
    /// Ends all commands and the connection. No command runs afterwards.
    [[nodiscard]] Task<> close();

    /// Whether paths of these commands are paths of this computer.
    [[nodiscard]] virtual bool isHere() const = 0;
    [[nodiscard]] virtual bool isConnected() const { return true; }
    /// For sentences: `this computer`, or the host as it was named.
    [[nodiscard]] virtual Message name() const = 0;

signals:
    void connected();
    /// No command reaches the host since `since` (milliseconds since the epoch), and why. Once for each loss.
    void lost(qint64 since, const core::Error& error);

protected:
    /// Called on at most `mostAtOnce` command lines at a time, none of them empty. `stop` ends it with Kind::cancelled.
    [[nodiscard]] virtual Task<Result<CommandOutput>> execute(CommandLine line, std::stop_token stop) = 0;
    /// Ends the connection: the last part of close(); no command runs.
    virtual void disconnectHost() { }
    [[nodiscard]] Scope& scope() { return m_scope; }
    [[nodiscard]] bool isClosing() const { return m_stop.stop_requested(); }

private:
    Task<Result<CommandOutput>> inTurn(CommandLine line, std::stop_token stop);
    void nextTurns();

    std::stop_source m_stop;
    std::deque<OneShot<bool>> m_waiting; ///< true: its turn; false: cancelled
    int m_running = 0;
    int m_calls = 0; ///< of run() that have not returned
    std::optional<OneShot<bool>> m_idle;
    Scope m_scope;
};

} // namespace platforms
