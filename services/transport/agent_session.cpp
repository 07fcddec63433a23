// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_session.h"

#include "agent_limits.h"
#include "agent_messages.h"
#include "wire_json.h"

#include "services/core/logging.h"
#include "services/wire/protocol.h"

#include <QPointer>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

namespace {

constexpr qint64 helloTimeoutMs = 10'000;
/// An agent that lived so long did not fail because of how it was started.
constexpr qint64 steadyAfterMs = 5'000;
constexpr qint64 closeTimeoutMs = 2'000;

/// Only a person can mend this.
bool isRefusal(const Error& error)
{
    return error.kind == Kind::auth || error.kind == Kind::conflict || error.kind == Kind::invalid;
}

} // namespace

AgentSession::AgentSession(
    Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, const WatchedTrials& watched)
    : m_clock(clock)
    , m_makeLink(std::move(makeLink))
    , m_serviceId(std::move(serviceId))
    , m_machineId(std::move(machineId))
    , m_watched(watched)
{
}

AgentSession::~AgentSession() = default;

AgentWire::State AgentSession::state() const
{
    if (m_closed)
        return State::closed;
    if (m_up)
        return State::up;
    return m_lost ? State::lost : State::connecting;
}

void AgentSession::start()
{
    m_downSince = m_clock->nowMs();
    m_lostTimer = m_clock->after(lostAfterMs, [this] { onSilence(); });
    connectLink();
}

void AgentSession::connectLink()
{
    m_reconnect.reset();
    m_link = m_makeLink();
    connect(m_link.get(), &AgentLink::opened, this, &AgentSession::sendHello);
    connect(m_link.get(), &AgentLink::frame, this, &AgentSession::onFrame);
    connect(m_link.get(), &AgentLink::closed, this, &AgentSession::onClosed);
    connect(m_link.get(), &AgentLink::waiting, this, [this](const Message& what, bool forPerson) {
        if (std::exchange(m_asks, forPerson) && !forPerson)
            m_refusals = 0; // a question was answered
        emit waiting(what, forPerson);
    });
    connect(m_link.get(), &AgentLink::examined, this, &AgentSession::examined);
    m_link->start();
}

void AgentSession::reconnectNow()
{
    m_refusals = 0;
    if (!m_reconnect)
        return;
    m_failures = 0;
    connectLink();
}

void AgentSession::sendHello()
{
    // A hello that would break a frame's limit goes on in adopts; it is complete when these are answered too.
    m_linkOpen = true;
    m_hello.reset();
    m_helloAdopts = 0;
    m_streamed = 0;
    m_helloTimeout = m_clock->after(helloTimeoutMs, [this] {
        abandonLink(Error{Kind::timeout, u"The agent did not answer within 10 seconds."_m, {}});
    });
    send(messageText(message::hello,
        Json{{"version", trialkeeper::protocolVersion}, {"serviceId", m_serviceId}, {"machineId", m_machineId},
            {"trials", trialsJson(m_watched, 0, adoptBatch)}}));
    for (qsizetype from = adoptBatch; from < m_watched.size(); from += adoptBatch, ++m_helloAdopts)
        send(messageText(message::adopt, Json{{"trials", trialsJson(m_watched, from, adoptBatch)}}));
}

void AgentSession::send(const QByteArray& json)
{
    if (m_link && !m_link->send(json))
        qCWarning(lcAgent) << "a message of" << json.size() << "bytes is too large for a frame";
}

void AgentSession::sendBulk(const QByteArray& json, const QByteArray& raw)
{
    const bool fits = m_link->send(json, raw, true);
    Q_ASSERT(fits);
}

void AgentSession::linkAnew(const Error& error)
{
    if (!m_link)
        return;
    qCWarning(lcAgent).noquote() << "agent of" << m_machineId << "is connected anew:" << error.message;
    abandonLink(error);
}

void AgentSession::abandonLink(const Error& error)
{
    // An agent that hangs does not end its link, so the link is dropped rather than closed.
    m_link->disconnect(this);
    onClosed(error);
}

void AgentSession::onFrame(const QByteArray& text, const QByteArray& raw)
{
    const auto parsed = parseJson(text);
    const QString name = parsed && parsed->is_object() ? textOf(*parsed, message::name) : QString();
    const auto is = [&name](const char* word) { return name == QLatin1StringView(word); };
    if (name.isEmpty()) {
        qCWarning(lcAgent) << "the agent sent a frame that is no message; it is connected anew";
        abandonLink(Error{Kind::platform, u"The agent sent something that is no message."_m, {}});
    } else if (parsed->contains("seq") && numberOf(*parsed, "seq") != ++m_streamed) {
        linkAnew(Error{Kind::platform, u"The agent's messages do not follow each other."_m, name});
    } else if (is(message::hello)) {
        onHello(*parsed);
    } else if (is("helloFailed")) {
        const Error refusal = errorOf(*parsed);
        abandonLink(Error{refusal.kind, u"The agent refused the service: %1"_m.arg(refusal.message), {}});
    } else if (is(message::adopted) && m_hello && m_helloAdopts > 0) {
        onAdopted(*parsed);
    } else {
        emit received(name, *parsed, raw);
    }
}

void AgentSession::onHello(const Json& json)
{
    if (m_up || m_hello)
        return;
    AgentHello& hello = m_hello.emplace();
    hello.arch = lineOf(json, "arch", limits::nameChars);
    hello.bootId = lineOf(json, "bootId", limits::nameChars);
    hello.hostname = lineOf(json, "hostname", limits::nameChars);
    hello.user = lineOf(json, "user", limits::nameChars);
    hello.base = lineOf(json, "base", limits::pathChars);
    hello.cpuCount = int(std::clamp<qint64>(numberOf(json, "cpuCount"), 0, limits::mostCpus));
    hello.memoryTotal = std::max<qint64>(numberOf(json, "memoryTotal"), 0);
    hello.time = numberOf(json, "time");
    m_strangers = 0;
    takeStates(memberOf(json, "trials"));
    if (m_helloAdopts == 0)
        finishHello();
}

void AgentSession::onAdopted(const Json& json)
{
    takeStates(memberOf(json, "trials"));
    if (--m_helloAdopts == 0)
        finishHello();
}

void AgentSession::takeStates(const Json& trials)
{
    for (const Json& trial : trials) {
        const QString id = textOf(trial, "id");
        const bool isNamed = m_watched.contains(id);
        if (!isNamed && (id.size() > limits::idChars || m_strangers == limits::mostStrangers))
            continue;
        m_strangers += isNamed || m_hello->trials.contains(id) ? 0 : 1;
        m_hello->trials.insert(id, lineOf(trial, "state", limits::wordChars));
    }
}

void AgentSession::finishHello()
{
    const AgentHello hello = std::move(*m_hello);
    m_hello.reset();
    m_helloTimeout.reset();
    m_lostTimer.reset();
    m_up = true;
    m_refusals = 0;
    m_lost = false;
    m_upSteady = m_clock->steadyMs();
    emit established(hello);
}

void AgentSession::onClosed(const Error& error)
{
    m_helloTimeout.reset();
    if (m_link)
        m_link.release()->deleteLater(); // it may be the caller
    if (m_closed) {
        m_linkEnded.set(true);
        return;
    }
    m_linkOpen = false;
    m_hello.reset();
    if (std::exchange(m_asks, false))
        emit waiting({}, false);
    const bool lived = m_up && m_clock->steadyMs() - m_upSteady >= steadyAfterMs;
    if (m_up || m_downSince == 0)
        m_downSince = m_clock->nowMs();
    m_up = false;
    const bool isNews = m_lost && error.message != m_lastError.message;
    m_lastError = error;
    m_failures = lived ? 0 : m_failures;
    qint64 delay = std::min(m_reconnecting.firstMs << std::min(m_failures, 10), m_reconnecting.longestMs);
    const bool refused = isRefusal(error);
    if (refused) {
        const qint64 longest = std::max(m_reconnecting.longestPersonMs, m_reconnecting.personMs);
        delay = std::max(delay, std::min(m_reconnecting.personMs << std::min(m_refusals, 10), longest));
        ++m_refusals;
    }
    delay += qint64(QRandomGenerator::global()->generateDouble() * m_reconnecting.jitter * double(delay));
    ++m_failures;
    qCInfo(lcAgent).noquote() << "agent of" << m_machineId << "is gone:" << error.message << error.detail << "again in"
                              << delay << "ms";
    m_reconnect = m_clock->after(delay, [this] { connectLink(); });
    if (!m_lostTimer && !m_lost)
        m_lostTimer = m_clock->after(lostAfterMs, [this] { onSilence(); });
    const QPointer<AgentSession> alive(this);
    emit broken();
    if (!alive)
        return;
    if (isNews)
        emit lost(m_lastError, m_downSince);
    else if (refused && !m_lost)
        onSilence(); // it does not come back by itself, so a person hears of it at once
}

void AgentSession::onSilence()
{
    m_lostTimer.reset();
    if (m_up || m_closed)
        return;
    if (m_linkOpen) {
        // It runs and is looking through its folders; how long that may take is the hello's own limit.
        m_lostTimer = m_clock->after(lostAfterMs, [this] { onSilence(); });
        return;
    }
    m_lost = true;
    const QPointer<AgentSession> alive(this);
    emit silenced(Error{Kind::network,
        m_lastError.message.isEmpty() ? u"The agent does not answer."_m : m_lastError.message, m_lastError.detail});
    if (alive)
        emit lost(m_lastError, m_downSince);
}

void AgentSession::beginClose()
{
    m_closed = true;
    m_up = false;
    m_reconnect.reset();
    m_lostTimer.reset();
    m_helloTimeout.reset();
}

Task<> AgentSession::endLink()
{
    if (!m_link)
        co_return;
    disconnect(m_link.get(), &AgentLink::frame, this, nullptr);
    disconnect(m_link.get(), &AgentLink::opened, this, nullptr);
    auto deadline = m_clock->after(closeTimeoutMs, [shot = m_linkEnded]() mutable { shot.set(false); });
    m_link->close();
    co_await m_linkEnded.wait();
    deadline.reset();
    m_link.reset();
}

} // namespace transport
