// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_frame.h"
#include "running_command.h"

#include "services/transport/command_channel.h"

namespace platforms {

/// A framed command on a channel to another computer.
class ChannelCommand : public RunningCommand
{
    Q_OBJECT
public:
    struct Far
    {
        QString host;
        bool byProgram = false; ///< the channel is a child process `ssh`
        QByteArray preamble;    ///< framedCommand()
        QByteArray mark;
        std::function<void(const QByteArray& command)> signal; ///< runs framedSignal() beside it
    };

    ChannelCommand(
        CommandLine line, Clock* clock, Scope* scope, std::unique_ptr<transport::CommandChannel> channel, Far far);
    ~ChannelCommand() override;

    /// What was printed before the command began.
    [[nodiscard]] QByteArray noise() const { return m_out.noise(); }

protected:
    void start() override;
    void writeInput(const QByteArray& bytes) override { m_channel->write(bytes); }
    [[nodiscard]] qint64 unwrittenInput() const override { return m_channel->unwritten(); }
    void endInput() override { m_channel->sendEof(); }
    void terminate(bool kill) override;
    [[nodiscard]] std::optional<Error> unanswered() const override;

private:
    void received(FramedOutput& stream, const QByteArray& bytes);
    void look();
    void finished();
    void closed(int exitCode, const Error& error);
    [[nodiscard]] Error notStarted(int exitCode) const;
    [[nodiscard]] QByteArray printed() const;

    std::unique_ptr<transport::CommandChannel> m_channel;
    Far m_far;
    FramedOutput m_out;
    FramedOutput m_errors;
    std::unique_ptr<TimerHandle> m_late; ///< standard error may end after standard output
    bool m_isOpen = false;               ///< the command may have been started
};

} // namespace platforms
