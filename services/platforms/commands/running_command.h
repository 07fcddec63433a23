// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_host.h"

#include <QPointer>

namespace platforms {

/// One command in progress, wherever it runs: gathers its output up to the limit, gives it its input, and ends it when its time is over,
/// when it prints too much or when it is cancelled. Derived classes start, signal and report it. Lives on the service thread;
/// destroyed by deleteLater() (Later), as it is its own signals that end it.
class RunningCommand : public QObject
{
    Q_OBJECT
public:
    /// After a request to end, and again after the kill, a command has so long until it is given up, milliseconds.
    static constexpr qint64 endWithinMs = 2'000;
    /// More input is asked for while less than so much waits to be taken, bytes.
    static constexpr qint64 inputAhead = 1024 * 1024;

    struct Later
    {
        void operator()(RunningCommand* command) const { command->deleteLater(); }
    };

    RunningCommand(CommandLine line, Clock* clock, Scope* scope);
    ~RunningCommand() override;

    /// Starts it; done() follows, never from inside this call.
    void begin();
    void cancel();
    [[nodiscard]] OneShot<Result<CommandOutput>>::Awaiter done() const { return m_done.wait(); }

protected:
    virtual void start() = 0;
    virtual void writeInput(const QByteArray& bytes) = 0;
    [[nodiscard]] virtual qint64 unwrittenInput() const = 0;
    virtual void endInput() = 0;
    /// Asks the whole process group to end (SIGTERM), or kills it (SIGKILL). Called only after start().
    virtual void terminate(bool kill) = 0;

    // What derived classes report.
    void inputTaken();
    void addOutput(const QByteArray& bytes) { add(m_output.output, bytes); }
    void addErrors(const QByteArray& bytes) { add(m_output.errors, bytes); }
    /// The end of the command: exit code, or the signal that ended it.
    void ended(int exitCode, int signal);
    /// It did not run, or how it ended is not known.
    void failed(const Error& error);

    [[nodiscard]] const CommandLine& line() const { return m_line; }
    [[nodiscard]] Clock& clock() const { return *m_clock; }
    [[nodiscard]] bool isOver() const { return m_over; }
    /// The command is being ended by us.
    [[nodiscard]] bool isEnding() const { return m_ending != Ending::no; }
    /// Why a command that is over its time and did not end when killed did not run; by default it did run, and timed out.
    [[nodiscard]] virtual std::optional<Error> unanswered() const { return std::nullopt; }

private:
    enum class Ending { no, timeout, cut, cancel, input };
    static Task<> feed(QPointer<RunningCommand> self, CommandInput more);
    void restartDeadline();
    void end(Ending why);
    void askToEnd(int times);
    void kill();
    void settle(Result<CommandOutput> result);
    [[nodiscard]] Result<CommandOutput> endedResult() const;
    void add(QByteArray& to, const QByteArray& bytes);

    CommandLine m_line;
    Clock* m_clock;
    Scope* m_scope;
    CommandOutput m_output;
    Ending m_ending = Ending::no;
    Error m_inputError;
    OneShot<Result<CommandOutput>> m_done;
    std::optional<OneShot<bool>> m_room; ///< feed() waits for it
    std::unique_ptr<TimerHandle> m_timer;
    bool m_isStarted = false;
    bool m_over = false;
};

} // namespace platforms
