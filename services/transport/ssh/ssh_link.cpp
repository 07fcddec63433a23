// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_link.h"

#include "ssh_program.h"

#include "services/core/ssh_address.h"

#include <QLocale>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// Number of progress messages while the agent's program is sent.
constexpr int agentSteps = 20;
/// Standard error may come later than the line on standard output that was printed after it.
constexpr qint64 errorsWithinMs = 2'000;

} // namespace

SshLink::SshLink(SshHub* hub, SshLinkPlan plan, QObject* parent)
    : FrameLink(plan.wish.host, parent)
    , m_hub(hub)
    , m_plan(std::move(plan))
{
}

SshLink::~SshLink() = default;

void SshLink::start()
{
    m_hub->scope().spawn(
        [self = QPointer<SshLink>(this), hub = m_hub, plan = m_plan] { return enter(self, hub, plan); });
}

Task<> SshLink::enter(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan)
{
    const Result<QList<KeeperFile>> keepers = co_await hub->keepers(plan.ownKeeper);
    if (!self)
        co_return;
    if (!keepers) {
        self->end(keepers.error());
        co_return;
    }
    if (!plan.wish.byProgram)
        co_await logIn(self, hub, plan);
    if (self)
        self->begin(*keepers);
}

Task<> SshLink::logIn(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan)
{
    const Result<SshTarget> target = co_await hub->resolve(plan.wish);
    if (!self)
        co_return;
    if (!target) {
        self->end(target.error());
        co_return;
    }
    emit self->waiting(u"logging in as %1"_m.arg(target->user), false);
    SshAsk ask = [self, inner = plan.ask, user = target->user](Prompt prompt) -> Task<PromptAnswer> {
        if (self)
            emit self->waiting(prompt.text, true);
        const PromptAnswer answer = co_await inner(prompt);
        // An unanswered question ends the login, with an error of its own.
        if (self && !answer.cancel)
            emit self->waiting(u"logging in as %1"_m.arg(user), false);
        co_return answer;
    };
    const Result<std::shared_ptr<SshSession>> session = co_await hub->open(*target, ask);
    if (!self)
        co_return;
    if (!session) {
        const bool isKey = session.error().kind == Kind::conflict;
        emit self->examined(CheckStep{isKey ? u"hostKey"_s : u"login"_s, isKey ? u"Host key"_m : u"Log in"_m,
            CheckState::fail, session.error().message, {}});
        self->end(session.error());
        co_return;
    }
    const SshLoginReport& report = (*session)->report();
    emit self->examined(CheckStep{u"login"_s, u"Log in"_m, CheckState::ok,
        u"%1 s as %2, by %3"_m.arg(
            QString::number(double(report.elapsedMs) / 1'000, 'f', 1), target->user, report.method),
        {}});
    emit self->examined(CheckStep{u"hostKey"_s, u"Host key"_m, CheckState::ok,
        u"%1, %2 %3"_m.arg(report.hostKeyState, report.keyType, report.fingerprint), {}});
    if (!self)
        co_return;
    if ((*session)->isAlive())
        self->m_session = *session;
    else
        self->end(Error{Kind::network, u"The connection broke after the login."_m, {}});
}

void SshLink::begin(const QList<KeeperFile>& keepers)
{
    if (isOver())
        return;
    emit waiting(m_session ? u"starting the agent"_m : u"waiting for the program ssh"_m, false);
    const QByteArray nonce = QByteArray::number(QRandomGenerator::global()->generate(), 36);
    m_bootstrap = std::make_unique<AgentBootstrap>(keepers, m_plan.place, nonce);
    if (m_session) {
        attach(m_session->exec(m_bootstrap->command()));
    } else {
        auto opened = openBySshProgram(m_plan.wish, m_bootstrap->command());
        if (!opened) {
            end(opened.error());
            return;
        }
        attach(std::move(*opened));
    }
    channel()->write(m_bootstrap->preamble());
    restartDeadline();
}

void SshLink::restartDeadline()
{
    m_deadline = m_hub->clock().after(m_plan.startWithinMs, [this] { end(late()); });
}

/// What a person runs to see what the account's shell does with a command.
QString SshLink::byHand() const
{
    const SshWish& wish = m_plan.wish;
    QString words = u"ssh "_s;
    if (wish.port)
        words += u"-p %1 "_s.arg(*wish.port);
    if (!wish.keyFile.isEmpty())
        words += (isPlainShellWord(wish.keyFile) ? u"-i %1 "_s : u"-i \"%1\" "_s).arg(wish.keyFile);
    if (wish.user)
        words += *wish.user + u'@';
    return words + wish.host + u" echo yes"_s;
}

Error SshLink::late() const
{
    const QString seconds = QString::number(double(m_plan.startWithinMs) / 1'000);
    if (channel()->unwritten() > 0)
        return {Kind::timeout,
            u"Nothing more of the agent reached %1 for %2 seconds; the connection may be stuck."_m.arg(
                m_plan.wish.host, seconds),
            lastLogLine()};
    const QString printed = m_bootstrap ? m_bootstrap->lastPrinted() : QString();
    const QString said = quoted(printed + (printed.isEmpty() ? u""_s : u"\n"_s) + errorTail());
    return {Kind::timeout,
        u"The login shell did not start the agent within %1 seconds; %2. It must ask nothing and wait for nothing "
        u"where no person is: test it with %3"_m.arg(
            seconds, said.isEmpty() ? u"it printed nothing"_m : u"the last that it printed: "_m + said, byHand()),
        said};
}

void SshLink::failed()
{
    if (m_plan.place.setup.isEmpty()) {
        end(m_bootstrap->error());
        return;
    }
    m_failed = true;
    m_deadline = m_hub->clock().after(errorsWithinMs, [this] { end(m_bootstrap->failedAfter(errorTail())); });
}

void SshLink::wrote()
{
    if (!m_bootstrap || m_failed)
        return;
    restartDeadline();
    if (m_agentBytes <= 0)
        return;
    const int step = int((m_agentBytes - channel()->unwritten()) * agentSteps / m_agentBytes);
    if (std::exchange(m_agentStep, std::max(step, m_agentStep)) < step)
        emit waiting(u"sending the agent: %1 % of %2"_m.arg(step * 100 / agentSteps)
                         .arg(QLocale::c().formattedDataSize(m_agentBytes, 1, QLocale::DataSizeSIFormat)),
            false);
}

void SshLink::received(const QByteArray& bytes)
{
    if (isOver() || m_failed)
        return;
    if (!m_bootstrap) {
        m_spoken = true;
        readFrames(bytes);
        return;
    }
    // What asks for the agent and what refuses it may come together.
    const QPointer<SshLink> alive(this);
    QByteArray news = bytes;
    while (alive && !isOver()) {
        switch (m_bootstrap->feed(std::exchange(news, {}))) {
        case AgentBootstrap::Event::none:
            return;
        case AgentBootstrap::Event::failed:
            failed();
            return;
        case AgentBootstrap::Event::send:
            m_hub->scope().spawn(
                [self = alive, hub = m_hub, keeper = m_bootstrap->wanted()] { return bring(self, hub, keeper); });
            emit waiting(u"sending the agent"_m, false);
            break;
        case AgentBootstrap::Event::run:
            arrived();
            return;
        }
    }
}

/// The agent runs: what follows is frames.
void SshLink::arrived()
{
    const auto bootstrap = std::move(m_bootstrap);
    m_deadline.reset();
    const QString noise = bootstrap->noise();
    const QPointer<SshLink> alive(this);
    if (m_plan.wish.byProgram)
        emit examined(CheckStep{u"login"_s, u"Log in"_m, CheckState::ok, u"by the program ssh"_m, {}});
    if (!alive || isOver())
        return;
    emit examined(noise.isEmpty()
            ? CheckStep{u"cleanShell"_s, u"Clean shell"_m, CheckState::ok,
                bootstrap->sent() ? u"yes; the agent was brought"_m : u"yes"_m, {}}
            : CheckStep{u"cleanShell"_s, u"Clean shell"_m, CheckState::warn, u"It prints: %1"_m.arg(noise.left(200)),
                u"Let ~/.bashrc (or the like) print only for people: [ -t 1 ] before an echo. Trialdeck copes, other programs do not."_m});
    if (!alive || isOver())
        return;
    emit opened();
    if (!alive || isOver())
        return;
    letFramesTravel();
    if (const QByteArray rest = bootstrap->takeRest(); !rest.isEmpty()) {
        m_spoken = true;
        readFrames(rest);
    }
}

Task<> SshLink::bring(QPointer<SshLink> self, SshHub* hub, KeeperFile keeper)
{
    const Result<QByteArray> bytes = co_await hub->readKeeper(keeper);
    if (!self || self->isOver())
        co_return;
    if (bytes) {
        self->m_agentBytes = bytes->size();
        self->channel()->write(*bytes);
    } else {
        self->end(bytes.error());
    }
}

Error SshLink::endedEarly(int exitCode) const
{
    if (m_failed)
        return m_bootstrap->failedAfter(errorTail());
    if (m_plan.wish.byProgram && (m_bootstrap ? m_bootstrap->noise().isEmpty() : true))
        return sshProgramError(m_plan.wish.host, lastLogLine());
    if (m_bootstrap)
        return m_bootstrap->endedEarly(exitCode, errorTail(), byHand());
    Error error = FrameLink::endedEarly(exitCode);
    if (!m_spoken && !errorTail().isEmpty())
        error.message = u"The agent ended before its first word (exit code %1); the last that was printed: %2"_m.arg(
            QString::number(exitCode), quoted(errorTail()));
    return error;
}

/// A server that ends the connection after a login it took says why in its own log alone.
Error SshLink::brokenBy(const Error& error) const
{
    const bool silent = m_session && m_bootstrap && !m_bootstrap->sent() && m_bootstrap->lastPrinted().isEmpty();
    if (!silent || error.kind != Kind::network || !errorTail().isEmpty())
        return error;
    return {error.kind,
        u"%1 The login had succeeded, and the account's shell had said nothing. If it happens again, the log of the "
        u"server's sshd says why; test it with %2"_m.arg(error.message, byHand()),
        error.detail};
}

Error SshLink::noFrame() const
{
    return {Kind::platform,
        u"Something that is not the agent prints on its connection, which is opened again. It may be a program that "
        u"the login shell leaves in the background: test it with %1"_m.arg(byHand()),
        {}};
}

} // namespace transport
