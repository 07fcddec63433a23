// SPDX-License-Identifier: GPL-3.0-or-later
#include "channel_command.h"

#include "services/transport/agent_bootstrap.h"
#include "services/transport/ssh/ssh_program.h"
#include "services/transport/ssh/ssh_session.h"

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr qint64 errorsWithinMs = 1'000;
constexpr int signalExit = 128;
constexpr int mostSignalNumber = 64;

} // namespace

ChannelCommand::ChannelCommand(
    CommandLine line, Clock* clock, Scope* scope, std::unique_ptr<transport::CommandChannel> channel, Far far)
    : RunningCommand(std::move(line), clock, scope)
    , m_channel(std::move(channel))
    , m_far(std::move(far))
    , m_out(m_far.mark)
    , m_errors(m_far.mark)
{
}

ChannelCommand::~ChannelCommand()
{
    m_channel->disconnect(this);
}

void ChannelCommand::start()
{
    connect(m_channel.get(), &transport::CommandChannel::data, this, [this](const QByteArray& bytes) {
        addOutput(m_out.feed(bytes));
        look();
    });
    connect(m_channel.get(), &transport::CommandChannel::errorData, this, [this](const QByteArray& bytes) {
        addErrors(m_errors.feed(bytes));
        look();
    });
    connect(m_channel.get(), &transport::CommandChannel::written, this, [this] { inputTaken(); });
    connect(m_channel.get(), &transport::CommandChannel::closed, this, &ChannelCommand::closed);
    if (const auto* ssh = qobject_cast<transport::SshChannel*>(m_channel.get()))
        connect(ssh, &transport::SshChannel::opened, this, [this] { m_isOpen = true; });
    else
        m_isOpen = true;
    m_channel->write(m_far.preamble);
}

void ChannelCommand::terminate(bool kill)
{
    if (m_out.pid() > 0)
        m_far.signal(framedSignal(m_out.pid(), m_out.isGroup(), kill));
    else if (!m_isOpen)
        failed({Kind::timeout, u"%1 did not start the command in time."_m.arg(m_far.host), {}});
}

std::optional<Error> ChannelCommand::unanswered() const
{
    if (m_out.state() != FramedOutput::State::before)
        return std::nullopt;
    const QString said = transport::quoted(QString::fromUtf8(printed()));
    return withUnknownOutcome({Kind::timeout,
        u"The login shell on %1 did not start the command in time; %2."_m.arg(
            m_far.host, said.isEmpty() ? u"it printed nothing"_m : u"the last that it printed: "_m + said),
        said});
}

QByteArray ChannelCommand::printed() const
{
    const QByteArray errors = m_errors.noise().trimmed();
    return errors.isEmpty() ? m_out.noise().trimmed() : errors;
}

/// The command's end is in its output: what it leaves in the background may hold the channel open.
void ChannelCommand::look()
{
    if (isOver() || m_late)
        return;
    if (m_out.state() == FramedOutput::State::ended || m_out.state() == FramedOutput::State::setupFailed) {
        if (m_errors.state() == m_out.state())
            finished();
        else
            m_late = clock().after(errorsWithinMs, [this] { finished(); });
    }
}

void ChannelCommand::finished()
{
    if (m_out.state() == FramedOutput::State::setupFailed) {
        const QString said = transport::quoted(QString::fromUtf8(printed()));
        failed({Kind::platform,
            u"The command that %1 runs before each other one failed with exit code %2%3"_m.arg(
                m_far.host, m_out.exitCode(), said.isEmpty() ? u"."_s : u": "_s + said),
            said});
        return;
    }
    addErrors(m_errors.finish());
    const int number = m_out.exitCode() - signalExit;
    ended(m_out.exitCode(), number > 0 && number <= mostSignalNumber ? number : 0);
}

Error ChannelCommand::notStarted(int exitCode) const
{
    const QString said = QString::fromUtf8(printed());
    if (m_far.byProgram && m_out.noise().isEmpty()) // the exit code of a child is not known here
        return transport::sshProgramError(m_far.host, said);
    return {Kind::platform,
        u"The account's shell on %1 did not run the command (exit code %2); %3. Test it with: ssh %1 echo yes"_m.arg(
            m_far.host, QString::number(exitCode),
            said.isEmpty() ? u"it printed nothing"_m : u"it said: "_m + transport::quoted(said)),
        said};
}

void ChannelCommand::closed(int exitCode, const Error& error)
{
    if (isOver())
        return;
    if (m_out.state() == FramedOutput::State::ended || m_out.state() == FramedOutput::State::setupFailed) {
        finished();
        return;
    }
    if (!error.message.isEmpty()) {
        // A lost session, or a server that refused the command.
        failed(m_isOpen ? withUnknownOutcome(error) : error);
        return;
    }
    if (m_out.state() == FramedOutput::State::before) {
        failed(notStarted(exitCode));
        return;
    }
    if (isEnding()) {
        ended(-1, 0);
        return;
    }
    failed(withUnknownOutcome({Kind::network,
        u"The command on %1 ended without a word: its shell was killed, or the connection broke."_m.arg(m_far.host),
        QString::fromUtf8(m_errors.finish())}));
}

} // namespace platforms
