// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_command_host.h"

#include "channel_command.h"

#include "services/core/random_text.h"
#include "services/transport/ssh/ssh_program.h"

#include <QRandomGenerator>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::CommandChannel;
using transport::SshHub;
using transport::SshSession;
using transport::SshTarget;

namespace {

/// Commands that end others wait for no more than so many.
constexpr size_t mostSignals = 8;

bool isForGood(Kind kind)
{
    return kind == Kind::auth || kind == Kind::conflict || kind == Kind::invalid;
}

} // namespace

SshCommandHost::SshCommandHost(SshHub* hub, SshCommandPlan plan, SshCommandReconnect reconnect, QObject* parent)
    : CommandHost(parent)
    , m_hub(hub)
    , m_plan(std::move(plan))
    , m_reconnect(reconnect)
{
}

SshCommandHost::~SshCommandHost() = default;

Task<Result<>> SshCommandHost::open()
{
    if (isClosing())
        co_return fail(Kind::cancelled, u"The connection to %1 was closed."_m.arg(m_plan.wish.host));
    if (m_isUp)
        co_return Result<>{};
    OneShot<Result<>> outcome;
    m_joined.push_back(outcome);
    m_isRefused = false;
    m_attempts = 0;
    beginLogin();
    co_return co_await outcome.wait();
}

Task<Result<>> SshCommandHost::trust(QString fingerprint)
{
    if (m_plan.wish.byProgram)
        co_return fail(Kind::invalid,
            u"%1 is reached by the program ssh, which keeps its own list of host keys: log in there once in a terminal."_m
                .arg(m_plan.wish.host));
    SshHub* const hub = m_hub;
    auto resolving = hub->resolve(m_plan.wish);
    const Result<SshTarget> target = co_await resolving;
    if (!target)
        co_return fail(target);
    auto trusting = hub->trust(*target, fingerprint);
    const Result<> trusted = co_await trusting;
    co_return trusted;
}

void SshCommandHost::beginLogin()
{
    if (m_isLoggingIn || m_isUp)
        return;
    m_isLoggingIn = true;
    m_retry.reset();
    if (m_plan.wish.byProgram) {
        scope().spawn([this] { return tryProgram(); });
        return;
    }
    // In the hub's scope: a login may outlast this object, a question for a person in particular.
    m_hub->scope().spawn(
        [self = QPointer<SshCommandHost>(this), hub = m_hub, plan = m_plan] { return logIn(self, hub, plan); });
}

Task<> SshCommandHost::logIn(QPointer<SshCommandHost> self, SshHub* hub, SshCommandPlan plan)
{
    auto resolving = hub->resolve(plan.wish);
    const Result<SshTarget> target = co_await resolving;
    if (!self)
        co_return;
    if (!target) {
        self->loggedIn(fail(target));
        co_return;
    }
    auto opening = hub->open(*target, plan.ask);
    const Result<Session> session = co_await opening;
    if (self)
        self->loggedIn(session);
}

/// Whether `ssh` gets in shows with a command.
Task<> SshCommandHost::tryProgram()
{
    CommandLine line;
    line.words = {u"true"_s};
    line.timeoutMs = 30'000;
    auto running = runFramed(std::move(line), scope().stopToken());
    const Result<CommandOutput> output = co_await running;
    if (output && output->timedOut)
        loggedIn(fail(Kind::timeout, u"`ssh` did not get in to %1 within 30 seconds."_m.arg(name())));
    else if (!output)
        loggedIn(fail(output));
    else
        loggedIn(Session());
}

void SshCommandHost::loggedIn(const Result<Session>& session)
{
    m_isLoggingIn = false;
    if (isClosing())
        return; // disconnectHost() has answered, or will
    if (session && *session && !(*session)->isAlive()) {
        loggedIn(fail(Kind::network, u"The connection broke after the login."_m));
        return;
    }
    if (session) {
        m_session = *session;
        m_isUp = true;
        m_attempts = 0;
        m_isRefused = false;
        if (m_session) {
            m_report = m_session->report();
            connect(m_session.get(), &SshSession::ended, this, &SshCommandHost::onLost);
        }
        emit connected();
        settleLogin({});
        return;
    }
    m_lastError = session.error();
    m_isRefused = isForGood(m_lastError.kind) || m_lastError.kind == Kind::cancelled;
    if (m_isRefused)
        emit refused(m_lastError);
    else
        retryLater();
    settleLogin(fail(session));
}

void SshCommandHost::settleLogin(const Result<>& result)
{
    for (OneShot<Result<>>& each : std::exchange(m_joined, {}))
        each.set(result);
}

void SshCommandHost::onLost(const Error& error)
{
    if (!m_isUp)
        return;
    m_isUp = false;
    m_lastError = error;
    if (m_session) {
        m_session->disconnect(this);
        // It is its own signal that is being handled.
        QMetaObject::invokeMethod(
            this, [session = std::exchange(m_session, nullptr)] {}, Qt::QueuedConnection);
    }
    retryLater();
    emit lost(m_hub->clock().nowMs(), error);
}

void SshCommandHost::retryLater()
{
    if (isClosing())
        return;
    const qint64 shift = std::min(m_attempts++, 16);
    const double wait = double(std::min(m_reconnect.firstMs << shift, m_reconnect.longestMs));
    const double chance = 1 + m_reconnect.jitter * (2 * QRandomGenerator::global()->generateDouble() - 1);
    m_retry = m_hub->clock().after(qint64(wait * chance), [this] { beginLogin(); });
}

/// A connection, or why there is none.
Task<Result<>> SshCommandHost::ready(std::stop_token stop)
{
    if (m_isUp)
        co_return Result<>{};
    if (m_isRefused || m_retry)
        co_return tl::unexpected(m_lastError);
    OneShot<Result<>> outcome;
    m_joined.push_back(outcome);
    const std::stop_callback stopping(
        stop, [outcome]() mutable { outcome.set(fail(Kind::cancelled, u"The command was cancelled."_m)); });
    beginLogin();
    co_return co_await outcome.wait();
}

Task<Result<CommandOutput>> SshCommandHost::execute(CommandLine line, std::stop_token stop)
{
    auto connecting = ready(stop);
    const Result<> connection = co_await connecting;
    if (!connection)
        co_return fail(connection);
    auto running = runFramed(std::move(line), stop);
    Result<CommandOutput> output = co_await running;
    // Without a session of ours it is a command that shows that there is no connection any more.
    if (!output && m_plan.wish.byProgram && !isClosing() && output.error().kind != Kind::cancelled
        && output.error().kind != Kind::platform)
        onLost(output.error());
    co_return output;
}

Task<Result<CommandOutput>> SshCommandHost::runFramed(CommandLine line, std::stop_token stop)
{
    auto channel = openChannel(framedShell());
    if (!channel)
        co_return fail(channel);
    const QByteArray mark = "td" + randomText(24, "abcdefghijklmnopqrstuvwxyz0123456789");
    ChannelCommand::Far far;
    far.host = m_plan.wish.host;
    far.byProgram = m_plan.wish.byProgram;
    far.preamble = framedCommand(line, m_plan.place, mark);
    far.mark = mark;
    far.signal = [this](const QByteArray& command) { signalFar(command); };
    const std::unique_ptr<ChannelCommand, RunningCommand::Later> command(
        new ChannelCommand(std::move(line), &m_hub->clock(), &scope(), std::move(*channel), std::move(far)));
    const std::stop_callback stopping(stop, [at = command.get()] { at->cancel(); });
    command->begin();
    Result<CommandOutput> output = co_await command->done();
    if (const QByteArray noise = command->noise().trimmed(); !noise.isEmpty())
        m_noise = noise;
    co_return output;
}

Result<std::unique_ptr<CommandChannel>> SshCommandHost::openChannel(const QByteArray& command)
{
    if (m_plan.wish.byProgram)
        return transport::openBySshProgram(m_plan.wish, command);
    if (!m_session)
        return fail(Kind::network, u"The connection to %1 has ended."_m.arg(m_plan.wish.host));
    return std::unique_ptr<CommandChannel>(m_session->exec(command));
}

void SshCommandHost::signalFar(const QByteArray& command)
{
    if (m_signals.size() >= mostSignals)
        return;
    auto channel = openChannel(command);
    if (!channel)
        return;
    const int id = m_nextSignal++;
    connect(channel->get(), &CommandChannel::closed, this, [this, id] {
        if (auto ended = m_signals.extract(id))
            ended.mapped().release()->deleteLater(); // it is the caller
    });
    (*channel)->sendEof();
    m_signals[id] = std::move(*channel);
}

void SshCommandHost::disconnectHost()
{
    m_retry.reset();
    m_signals.clear();
    m_isUp = false;
    if (m_session)
        m_session->disconnect(this);
    m_session.reset();
    settleLogin(fail(Kind::cancelled, u"The connection to %1 was closed."_m.arg(m_plan.wish.host)));
}

} // namespace platforms
