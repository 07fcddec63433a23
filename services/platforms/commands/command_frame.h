// SPDX-License-Identifier: GPL-3.0-or-later
// A command as the text that a login shell of any kind is given, and its output between marks, so that what startup files print does not
// count. Pure.
#pragma once

#include "command_host.h"

namespace platforms {

/// What is particular to an account: texts of the person's, which travel on standard input, never on a command line.
struct CommandPlace
{
    QString path;  ///< goes before PATH; `~/` in front is the account's home
    QString setup; ///< a line of shell, run before each command (`module load slurm`)
};

/// For the account's shell: one line without \ and !, and ' only around the whole; sh then reads the rest from its standard input.
[[nodiscard]] QByteArray framedShell();
/// For standard input, before the input of the command itself. `mark`: of letters and digits, not to be guessed. On its standard output and
/// on its standard error the command stands between the lines `MARK s GROUP PID` and `MARK e CODE`; see FramedOutput.
[[nodiscard]] QByteArray framedCommand(const CommandLine& line, const CommandPlace& place, const QByteArray& mark);
/// A command for the account's shell that signals what a `MARK s` named: its whole process group, where it has one of its own.
[[nodiscard]] QByteArray framedSignal(qint64 pid, bool isGroup, bool kill);

/// Reads one of the two streams. Holds little beside what it passes on.
class FramedOutput
{
public:
    enum class State { before, inside, setupFailed, ended };

    explicit FramedOutput(const QByteArray& mark);

    /// Returns what is the command's of these bytes.
    [[nodiscard]] QByteArray feed(const QByteArray& bytes);
    /// The stream has ended: what could have begun the last mark is the command's.
    [[nodiscard]] QByteArray finish();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] int exitCode() const { return m_exitCode; } ///< of the command, or of the setup line
    [[nodiscard]] qint64 pid() const { return m_pid; }        ///< 0: not known
    [[nodiscard]] bool isGroup() const { return m_isGroup; }  ///< the process group `pid` is the command's alone
    /// The end of what was printed before the first mark.
    [[nodiscard]] const QByteArray& noise() const { return m_noise; }

private:
    QByteArray m_mark;
    QByteArray m_buffer;
    QByteArray m_noise;
    State m_state = State::before;
    qint64 m_pid = 0;
    bool m_isGroup = false;
    int m_exitCode = -1;
};

} // namespace platforms
