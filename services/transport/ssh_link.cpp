// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_link.h"

#include "services/core/logging.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// From the login to the agent's first word, and between steps of bringing it; a slow login shell is given its time.
constexpr qint64 startWithinMs = 30'000;
/// So much is given to the session at once: what is behind can still be overtaken.
constexpr qint64 mostUnwritten = 256 * 1024;
constexpr qsizetype longestLogLine = 4 * 1024;

} // namespace

SshLink::SshLink(SshHub* hub, SshLinkPlan plan, QObject* parent)
    : AgentLink(parent)
    , m_hub(hub)
    , m_plan(std::move(plan))
{
}

SshLink::~SshLink() = default;

void SshLink::start()
{
    m_startedMs = m_hub->clock().steadyMs();
    m_hub->scope().spawn(
        [self = QPointer<SshLink>(this), hub = m_hub, plan = m_plan] { return enter(self, hub, plan); });
}

Task<> SshLink::enter(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan)
{
    const Result<SshTarget> target = co_await hub->resolve(plan.wish);
    if (!self)
        co_return;
    if (!target) {
        self->end(target.error());
        co_return;
    }
    emit self->waiting(u"logging in as %1"_s.arg(target->user), false);
    SshAsk ask = [self, inner = plan.ask](Prompt prompt) -> Task<PromptAnswer> {
        if (self)
            emit self->waiting(prompt.text, true);
        const PromptAnswer answer = co_await inner(prompt);
        co_return answer;
    };
    const Result<std::shared_ptr<SshSession>> session = co_await hub->open(*target, ask);
    if (!self)
        co_return;
    if (!session) {
        const bool isKey = session.error().kind == Kind::conflict;
        emit self->examined(CheckStep{isKey ? u"hostKey"_s : u"login"_s, isKey ? u"Host key"_s : u"Log in"_s, u"fail"_s,
            session.error().message, {}});
        self->end(session.error());
        co_return;
    }
    const SshLoginReport& report = (*session)->report();
    emit self->examined(CheckStep{u"login"_s, u"Log in"_s, u"ok"_s,
        u"%1 s as %2, by %3"_s.arg(
            QString::number(double(report.elapsedMs) / 1'000, 'f', 1), target->user, report.method),
        {}});
    emit self->examined(CheckStep{u"hostKey"_s, u"Host key"_s, u"ok"_s,
        u"%1, %2 %3"_s.arg(report.hostKeyState, report.keyType, report.fingerprint), {}});
    const Result<QList<KeeperFile>> keepers = co_await hub->keepers(plan.ownKeeper);
    if (!self)
        co_return;
    if (!keepers)
        self->end(keepers.error());
    else if (!(*session)->isAlive())
        self->end(Error{Kind::network, u"The connection broke after the login."_s, {}});
    else
        self->begin(*session, *keepers);
}

void SshLink::begin(std::shared_ptr<SshSession> session, const QList<KeeperFile>& keepers)
{
    if (m_over)
        return;
    emit waiting(u"starting the agent"_s, false);
    m_session = std::move(session);
    const QByteArray nonce = QByteArray::number(QRandomGenerator::global()->generate(), 36);
    m_bootstrap = std::make_unique<AgentBootstrap>(keepers, m_plan.place, nonce);
    m_channel = m_session->exec(m_bootstrap->command());
    connect(m_channel.get(), &SshChannel::data, this, &SshLink::onData);
    connect(m_channel.get(), &SshChannel::errorData, this, &SshLink::onErrorData);
    connect(m_channel.get(), &SshChannel::closed, this, &SshLink::onClosed);
    connect(m_channel.get(), &SshChannel::written, this, [this] {
        if (!m_open)
            restartDeadline();
        flush();
    });
    m_channel->write(m_bootstrap->preamble());
    restartDeadline();
}

void SshLink::restartDeadline()
{
    m_deadline = m_hub->clock().after(startWithinMs, [this] {
        end(Error{Kind::timeout,
            u"The login shell did not start the agent within %1 seconds."_s.arg(startWithinMs / 1'000), m_lastLogLine});
    });
}

void SshLink::onData(const QByteArray& bytes)
{
    if (m_over)
        return;
    if (!m_bootstrap) {
        readFrames(bytes);
        return;
    }
    switch (m_bootstrap->feed(bytes)) {
    case AgentBootstrap::Event::none:
        return;
    case AgentBootstrap::Event::failed:
        end(m_bootstrap->error());
        return;
    case AgentBootstrap::Event::send:
        emit waiting(u"sending the agent"_s, false);
        m_hub->scope().spawn([self = QPointer<SshLink>(this), hub = m_hub, keeper = m_bootstrap->wanted()] {
            return bring(self, hub, keeper);
        });
        return;
    case AgentBootstrap::Event::run:
        break;
    }
    const QByteArray rest = m_bootstrap->takeRest();
    const QString noise = m_bootstrap->noise();
    const QPointer<SshLink> alive(this);
    emit examined(noise.isEmpty()
            ? CheckStep{u"shell"_s, u"Clean shell"_s, u"ok"_s,
                m_bootstrap->sent() ? u"yes; the agent was brought"_s : u"yes"_s, {}}
            : CheckStep{u"shell"_s, u"Clean shell"_s, u"warn"_s, u"It prints: %1"_s.arg(noise.left(200)),
                u"Let ~/.bashrc (or the like) print only for people: [ -t 1 ] before an echo. Trialdeck copes, other programs do not."_s});
    if (!alive || m_over)
        return;
    m_bootstrap.reset();
    m_deadline.reset();
    m_open = true;
    emit opened();
    if (!alive || m_over)
        return;
    flush();
    if (!rest.isEmpty())
        readFrames(rest);
}

Task<> SshLink::bring(QPointer<SshLink> self, SshHub* hub, KeeperFile keeper)
{
    const Result<QByteArray> bytes = co_await hub->readKeeper(keeper);
    if (!self || self->m_over)
        co_return;
    if (bytes)
        self->m_channel->write(*bytes);
    else
        self->end(bytes.error());
}

void SshLink::readFrames(const QByteArray& bytes)
{
    const QPointer<SshLink> alive(this);
    m_decoder.feed({bytes.constData(), size_t(bytes.size())});
    trialkeeper::FrameView view;
    auto status = trialkeeper::FrameDecoder::Status::NeedMore;
    while ((status = m_decoder.next(view)) == trialkeeper::FrameDecoder::Status::Frame) {
        emit frame(QByteArray(view.json.data(), qsizetype(view.json.size())),
            QByteArray(view.raw.data(), qsizetype(view.raw.size())));
        if (!alive || m_over)
            return;
    }
    if (status == trialkeeper::FrameDecoder::Status::Error)
        end(Error{Kind::platform, u"The agent sent something that is no frame; it is started again."_s, {}});
}

void SshLink::onErrorData(const QByteArray& bytes)
{
    m_logTail += bytes;
    qsizetype begin = 0;
    for (qsizetype end = 0; (end = m_logTail.indexOf('\n', begin)) >= 0; begin = end + 1) {
        m_lastLogLine = QString::fromUtf8(m_logTail.mid(begin, std::min(end - begin, longestLogLine))).trimmed();
        qCInfo(lcAgent).noquote() << m_plan.wish.host << ":" << m_lastLogLine;
    }
    m_logTail.remove(0, begin);
    if (m_logTail.size() > longestLogLine)
        m_lastLogLine = QString::fromUtf8(std::exchange(m_logTail, {}).left(longestLogLine));
}

void SshLink::onClosed(int exitCode, const Error& error)
{
    if (m_closing)
        end(Error{Kind::cancelled, u"The connection to the agent was closed."_s, {}});
    else if (!error.message.isEmpty())
        end(error);
    else if (m_bootstrap)
        end(m_bootstrap->endedEarly(exitCode, m_lastLogLine));
    else
        end(Error{Kind::network, u"The agent that runs trials ended unexpectedly."_s, m_lastLogLine});
}

bool SshLink::send(const QByteArray& json, const QByteArray& raw, bool bulk)
{
    const auto view = [](const QByteArray& bytes) { return std::string_view(bytes.constData(), size_t(bytes.size())); };
    if (bulk) {
        std::string frame;
        if (!trialkeeper::appendFrame(frame, view(json), view(raw)))
            return false;
        m_bulkBytes += qint64(frame.size());
        m_bulk.push_back(std::move(frame));
    } else if (!trialkeeper::appendFrame(m_control, view(json), view(raw))) {
        return false;
    }
    flush();
    return true;
}

void SshLink::flush()
{
    if (!m_open || m_over || !m_channel)
        return;
    if (!m_control.empty())
        m_channel->write(QByteArray::fromStdString(std::exchange(m_control, {})));
    while (!m_closing && !m_bulk.empty() && m_channel->unwritten() < mostUnwritten) {
        const std::string frame = std::move(m_bulk.front());
        m_bulk.pop_front();
        m_bulkBytes -= qint64(frame.size());
        m_channel->write(QByteArray::fromStdString(frame));
    }
}

void SshLink::close()
{
    if (m_closing || m_over)
        return;
    m_closing = true;
    m_bulk.clear();
    m_bulkBytes = 0;
    if (m_open) {
        flush();
        m_channel->sendEof(); // the agent ends, and with it the channel
        return;
    }
    QMetaObject::invokeMethod(
        this,
        [this] {
            end(Error{Kind::cancelled, u"The connection to the agent was closed."_s, {}});
        },
        Qt::QueuedConnection);
}

void SshLink::end(const Error& error)
{
    if (m_over)
        return;
    m_over = true;
    m_deadline.reset();
    m_control.clear();
    m_bulk.clear();
    m_bulkBytes = 0;
    if (m_channel) {
        // It may be the caller.
        m_channel->disconnect(this);
        m_channel.release()->deleteLater();
    }
    emit closed(error);
}

} // namespace transport
