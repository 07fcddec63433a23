// SPDX-License-Identifier: GPL-3.0-or-later
#include "running_command.h"

using namespace Qt::StringLiterals;

namespace platforms {

static constexpr int mostAsks = 4; ///< requests to end before the kill

RunningCommand::RunningCommand(CommandLine line, Clock* clock, Scope* scope)
    : m_line(std::move(line))
    , m_clock(clock)
    , m_scope(scope)
{
}

RunningCommand::~RunningCommand()
{
    if (m_room)
        m_room->set(true);
}

void RunningCommand::begin()
{
    if (isEnding()) {
        settle(tl::unexpected(Error{Kind::cancelled, u"The command was cancelled."_m, {}}));
        return;
    }
    m_isStarted = true;
    restartDeadline();
    start();
    if (m_over)
        return;
    if (!m_line.input.isEmpty())
        writeInput(m_line.input);
    if (m_line.moreInput)
        m_scope->spawn([self = QPointer<RunningCommand>(this), more = m_line.moreInput] { return feed(self, more); });
    else
        endInput();
}

Task<> RunningCommand::feed(QPointer<RunningCommand> self, CommandInput more)
{
    while (self && !self->m_over && !self->isEnding()) {
        if (self->unwrittenInput() >= inputAhead) {
            OneShot<bool> room;
            self->m_room = room;
            co_await room.wait();
            continue;
        }
        auto asking = more();
        const Result<QByteArray> piece = co_await asking;
        if (!self || self->m_over || self->isEnding())
            co_return;
        if (!piece) {
            self->m_inputError = piece.error();
            self->end(Ending::input);
            co_return;
        }
        if (piece->isEmpty()) {
            self->endInput();
            co_return;
        }
        self->writeInput(*piece);
    }
}

void RunningCommand::restartDeadline()
{
    m_timer = m_clock->after(m_line.timeoutMs, [this] { end(Ending::timeout); });
}

void RunningCommand::inputTaken()
{
    if (m_over || isEnding())
        return;
    restartDeadline();
    if (m_room && unwrittenInput() < inputAhead) {
        OneShot<bool> room = *m_room;
        m_room.reset();
        room.set(true);
    }
}

void RunningCommand::add(QByteArray& to, const QByteArray& bytes)
{
    if (m_over || isEnding())
        return;
    const qint64 room = m_line.outputLimit - m_output.output.size() - m_output.errors.size();
    to += bytes.size() <= room ? bytes : bytes.left(std::max<qint64>(room, 0));
    if (bytes.size() > room)
        end(Ending::cut);
}

void RunningCommand::cancel()
{
    end(Ending::cancel);
}

void RunningCommand::end(Ending why)
{
    if (m_over || isEnding())
        return;
    m_ending = why;
    if (!m_isStarted)
        return;
    if (m_room)
        std::exchange(m_room, std::nullopt)->set(true);
    askToEnd(mostAsks);
}

/// The first signal may be lost: a shell's child drops it between fork and exec, and what a far side runs may not be known yet.
void RunningCommand::askToEnd(int times)
{
    if (times == 0) {
        kill();
        return;
    }
    m_timer = m_clock->after(endWithinMs / mostAsks, [this, times] { askToEnd(times - 1); });
    terminate(false);
}

void RunningCommand::kill()
{
    // One that does not end even so hangs in the kernel (a dead NFS server), or its computer does not answer.
    m_timer = m_clock->after(endWithinMs, [this] {
        const std::optional<Error> error = m_ending == Ending::timeout ? unanswered() : std::nullopt;
        if (error)
            settle(tl::unexpected(*error));
        else
            settle(endedResult());
    });
    terminate(true);
}

void RunningCommand::ended(int exitCode, int signal)
{
    if (m_over)
        return;
    if (isEnding()) {
        settle(endedResult());
        return;
    }
    m_output.exitCode = exitCode;
    m_output.signal = signal;
    settle(m_output);
}

void RunningCommand::failed(const Error& error)
{
    if (isEnding() && m_ending != Ending::timeout)
        settle(endedResult());
    else
        settle(tl::unexpected(error));
}

Result<CommandOutput> RunningCommand::endedResult() const
{
    if (m_ending == Ending::cancel)
        return tl::unexpected(withUnknownOutcome({Kind::cancelled, u"The command was cancelled."_m, {}}));
    if (m_ending == Ending::input)
        return tl::unexpected(withUnknownOutcome(m_inputError));
    CommandOutput output = m_output;
    output.timedOut = m_ending == Ending::timeout;
    output.cut = m_ending == Ending::cut;
    return output;
}

void RunningCommand::settle(Result<CommandOutput> result)
{
    if (m_over)
        return;
    m_over = true;
    m_timer.reset();
    if (m_room)
        std::exchange(m_room, std::nullopt)->set(true);
    // Its caller may be a signal of what this object owns.
    QMetaObject::invokeMethod(
        this, [done = m_done, result = std::move(result)]() mutable { done.set(std::move(result)); },
        Qt::QueuedConnection);
}

} // namespace platforms
