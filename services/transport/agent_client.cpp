// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_client.h"

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

} // namespace

AgentClient::AgentClient(
    Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, qint64 reportIntervalMs, QObject* parent)
    : QObject(parent)
    , m_clock(clock)
    , m_makeLink(std::move(makeLink))
    , m_serviceId(std::move(serviceId))
    , m_machineId(std::move(machineId))
    , m_reportIntervalMs(reportIntervalMs)
{
}

AgentClient::~AgentClient()
{
    m_closed = true;
    abandon();
}

void AgentClient::start()
{
    m_downSince = m_clock->nowMs();
    m_lostTimer = m_clock->after(lostAfterMs, [this] { onLost(); });
    connectLink();
}

void AgentClient::connectLink()
{
    m_reconnect.reset();
    m_link = m_makeLink();
    connect(m_link.get(), &AgentLink::opened, this, &AgentClient::sendHello);
    connect(m_link.get(), &AgentLink::frame, this, &AgentClient::onFrame);
    connect(m_link.get(), &AgentLink::closed, this, &AgentClient::onClosed);
    connect(m_link.get(), &AgentLink::waiting, this, [this](const QString& what, bool forPerson) {
        m_asks = forPerson;
        emit waiting(what, forPerson);
    });
    connect(m_link.get(), &AgentLink::examined, this, &AgentClient::examined);
    m_link->start();
}

void AgentClient::reconnectNow()
{
    if (!m_reconnect)
        return;
    m_failures = 0;
    connectLink();
}

void AgentClient::sendHello()
{
    // A hello that would break a frame's limit goes on in adopts; it is complete when these are answered too.
    m_linkOpen = true;
    m_hello.reset();
    m_helloAdopts = 0;
    m_helloTimeout = m_clock->after(helloTimeoutMs, [this] {
        // The link may never tell its end when the agent hangs, so it is dropped rather than closed.
        m_link->disconnect(this);
        onClosed(Error{Kind::timeout, u"The agent did not answer within 10 seconds."_s, {}});
    });
    sendJson(messageText(message::hello,
        Json{{"version", trialkeeper::protocolVersion}, {"serviceId", m_serviceId}, {"machineId", m_machineId},
            {"trials", trialsJson(m_trials, 0, adoptBatch)}}));
    for (qsizetype from = adoptBatch; from < m_trials.size(); from += adoptBatch, ++m_helloAdopts)
        sendJson(messageText(message::adopt, Json{{"trials", trialsJson(m_trials, from, adoptBatch)}}));
}

void AgentClient::sendJson(const QByteArray& text)
{
    if (m_link && !m_link->send(text))
        qCWarning(lcAgent) << "a message of" << text.size() << "bytes is too large for a frame";
}

void AgentClient::onFrame(const QByteArray& text, const QByteArray& raw)
{
    const auto parsed = parseJson(text);
    const QString name = parsed && parsed->is_object() ? textOf(*parsed, message::name) : QString();
    if (name.isEmpty()) {
        qCWarning(lcAgent) << "the agent sent a frame that is no message; it is connected anew";
        m_link->disconnect(this);
        onClosed(Error{Kind::platform, u"The agent sent something that is no message."_s, {}});
        return;
    }
    dispatch(name, *parsed, raw);
}

void AgentClient::dispatch(const QString& name, const Json& json, const QByteArray& raw)
{
    const auto is = [&name](const char* word) { return name == QLatin1StringView(word); };
    if (is(message::records)) {
        onRecords(json, raw);
    } else if (is(message::event)) {
        onEvent(json);
    } else if (is(message::started)) {
        onStarted(json);
    } else if (is(message::hello)) {
        onHello(json);
    } else if (is("helloFailed")) {
        m_link->disconnect(this);
        onClosed(Error{kindFromName(textOf(json, "kind")),
            u"The agent refused the service: %1"_s.arg(textOf(json, "message")), {}});
    } else if (is(message::cancelled)) {
        onBatchStates(m_cancels, memberOf(json, "results"));
    } else if (is(message::adopted)) {
        onAdopted(json);
    } else if (is(message::load)) {
        emit load(json);
    } else if (is(message::gpu)) {
        m_gpuXml += raw;
        if (!flagOf(json, "more"))
            emit gpu(json, std::exchange(m_gpuXml, {}));
    } else if (is(message::finding) && !json.contains("req")) {
        emit finding(textOf(json, "trial"), textOf(json, "text"));
    } else if (is(message::has) || is("putAck") || is("putDone") || is("putFailed")) {
        onUpload(name, json);
    } else if (is(message::failed) && !json.contains("req")) {
        onFailed(json);
    } else {
        onReply(name, json, raw);
    }
}

void AgentClient::onHello(const Json& json)
{
    if (m_up || m_hello)
        return;
    AgentHello& hello = m_hello.emplace();
    hello.arch = textOf(json, "arch");
    hello.bootId = textOf(json, "bootId");
    hello.hostname = textOf(json, "hostname");
    hello.user = textOf(json, "user");
    hello.base = textOf(json, "base");
    hello.cpuCount = int(numberOf(json, "cpuCount"));
    hello.memoryTotal = numberOf(json, "memoryTotal");
    hello.time = numberOf(json, "time");
    for (const Json& trial : memberOf(json, "trials"))
        hello.trials.insert(textOf(trial, "id"), textOf(trial, "state"));
    if (m_helloAdopts == 0)
        finishHello();
}

void AgentClient::onAdopted(const Json& json)
{
    const Json& states = memberOf(json, "trials");
    if (!m_hello || m_helloAdopts == 0) {
        onBatchStates(m_adopts, states);
        return;
    }
    for (const Json& trial : states)
        m_hello->trials.insert(textOf(trial, "id"), textOf(trial, "state"));
    if (--m_helloAdopts == 0)
        finishHello();
}

void AgentClient::finishHello()
{
    const AgentHello hello = std::move(*m_hello);
    m_hello.reset();
    m_helloTimeout.reset();
    m_lostTimer.reset();
    m_up = true;
    m_lostTold = false;
    m_upSteady = m_clock->steadyMs();
    m_gpuXml.clear();

    if (m_reportIntervalMs > 0) {
        sendJson(messageText(message::host, Json{{"intervalMs", m_reportIntervalMs}}));
        sendJson(messageText(message::gpu, Json{{"intervalMs", m_reportIntervalMs}}));
    }
    for (const auto& [number, open] : m_requests)
        sendJson(open.message);
    for (const BatchPtr& cancel : m_cancels)
        sendJson(cancel->message);

    const QPointer<AgentClient> alive(this);
    // Whoever waits for an adoption learns the states from the list: its trials were in this hello.
    for (const BatchPtr& adopt : std::exchange(m_adopts, {})) {
        for (const QString& trial : std::as_const(adopt->open))
            adopt->states.insert(trial, hello.trials.value(trial, u"unknown"_s));
        adopt->shot.set(adopt->states);
        if (!alive)
            return;
    }
    QStringList happened;
    QStringList never;
    m_startOrder.clear();
    for (auto it = m_starts.begin(); it != m_starts.end(); ++it) {
        it->sent = false;
        if (isOnDisk(hello.trials.value(it.key()))) {
            it->watched = true;
            happened.append(it.key());
        } else if (it->abandoned) {
            never.append(it.key());
        } else {
            m_startOrder.append(it.key());
        }
    }
    // Ids sort in the order of acceptance, and so trials are asked for again in the order they came.
    m_startOrder.sort();
    for (const QString& trial : happened)
        resolveStart(trial, StartOutcome{.trial = trial, .repeat = true});
    for (const QString& trial : never) {
        resolveStart(trial,
            StartOutcome{
                .trial = trial, .error = Error{Kind::cancelled, u"It was cancelled before it was started."_s, {}}});
    }
    scheduleStarts();
    if (alive)
        emit up(hello);
}

void AgentClient::onClosed(const Error& error)
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
    const bool isNews = m_lostTold && error.message != m_lastError.message;
    m_lastError = error;
    m_failures = lived ? 0 : m_failures;
    qint64 delay = std::min(m_reconnecting.firstMs << std::min(m_failures, 10), m_reconnecting.longestMs);
    const bool refused = error.kind == Kind::auth || error.kind == Kind::conflict || error.kind == Kind::invalid;
    if (refused)
        delay = std::max(delay, m_reconnecting.personMs);
    delay += qint64(QRandomGenerator::global()->generateDouble() * m_reconnecting.jitter * double(delay));
    ++m_failures;
    qCInfo(lcAgent).noquote() << "agent of" << m_machineId << "is gone:" << error.message << error.detail << "again in"
                              << delay << "ms";
    m_reconnect = m_clock->after(delay, [this] { connectLink(); });
    if (!m_lostTimer && !m_lostTold)
        m_lostTimer = m_clock->after(lostAfterMs, [this] { onLost(); });
    // An upload goes on nowhere but where it began.
    for (const UploadPtr& upload : std::exchange(m_uploads, {})) {
        upload->result = fail(Kind::network, u"The connection to the agent broke during an upload."_s);
        upload->wake.set(true);
    }
    if (isNews)
        emit lost(m_lastError, m_downSince);
    else if (refused && !m_lostTold)
        onLost(); // it does not come back by itself: whoever may mend it hears of it at once
}

void AgentClient::onLost()
{
    m_lostTimer.reset();
    if (m_up || m_closed)
        return;
    if (m_linkOpen) {
        // It runs and is looking through its folders; how long that may take is the hello's own limit.
        m_lostTimer = m_clock->after(lostAfterMs, [this] { onLost(); });
        return;
    }
    m_lostTold = true;
    const QPointer<AgentClient> alive(this);
    failOpen(Error{Kind::network, m_lastError.message.isEmpty() ? u"The agent does not answer."_s : m_lastError.message,
                 m_lastError.detail},
        false);
    if (alive)
        emit lost(m_lastError, m_downSince);
}

void AgentClient::failOpen(const Error& error, bool closing)
{
    // Everything is taken out first: who is told may ask for more, or destroy this.
    std::vector<std::pair<OneShot<StartOutcome>, StartOutcome>> starts;
    for (auto it = m_starts.begin(); it != m_starts.end(); ++it) {
        StartOutcome outcome{.trial = it.key(), .unknown = it->everSent, .error = error};
        for (const auto& shot : std::exchange(it->waiting, {}))
            starts.emplace_back(shot, outcome);
    }
    // A start that never left is refused and forgotten; another one may have happened and stays until the agent tells.
    erase_if(m_starts, [closing](const auto& entry) { return closing || !entry.value().everSent; });
    m_startOrder.removeIf([this](const QString& trial) { return !m_starts.contains(trial); });
    auto requests = std::exchange(m_requests, {});
    auto adopts = std::exchange(m_adopts, {});
    auto cancels = std::exchange(m_cancels, {});
    auto uploads = std::exchange(m_uploads, {});
    for (auto& [shot, outcome] : starts)
        shot.set(outcome);
    for (auto& [number, open] : requests)
        open.done(tl::unexpected(error));
    for (const auto& batches : {adopts, cancels}) {
        for (const BatchPtr& batch : batches)
            batch->shot.set(tl::unexpected(error));
    }
    for (const UploadPtr& upload : uploads) {
        upload->result = tl::unexpected(error);
        upload->wake.set(true);
    }
}

void AgentClient::abandon()
{
    failOpen(Error{Kind::cancelled, u"The platform is being closed."_s, {}}, true);
}

Task<> AgentClient::close()
{
    if (m_closed)
        co_return;
    m_closed = true;
    m_up = false;
    m_reconnect.reset();
    m_lostTimer.reset();
    m_helloTimeout.reset();
    abandon();
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

// --------------------------------------------------------------------------------------------------------- facts, replies

void AgentClient::onRecords(const Json& json, const QByteArray& raw)
{
    AgentRecords out;
    out.trial = textOf(json, "trial");
    const auto trial = m_trials.find(out.trial);
    if (trial == m_trials.end())
        return;
    out.stream = textOf(json, "stream");
    out.offset = numberOf(json, "offset");
    out.next = numberOf(json, "next");
    out.time = numberOf(json, "time");
    out.reset = flagOf(json, "reset");
    out.bytes = raw;
    if (out.stream == QLatin1StringView(trialkeeper::stream::nni))
        trial->nni = out.next;
    else if (out.stream == QLatin1StringView(trialkeeper::stream::file))
        trial->file = out.next;
    else
        trial->standardOutput = out.next;
    emit records(out);
}

void AgentClient::onEvent(const Json& json)
{
    const QString trial = textOf(json, "trial");
    const auto found = m_trials.find(trial);
    if (found == m_trials.end())
        return;
    found->journal = numberOf(json, "next");
    if (flagOf(json, "final"))
        m_trials.erase(found);
    emit event(trial, json);
}

void AgentClient::onReply(const QString& name, const Json& json, const QByteArray& raw)
{
    const auto found = m_requests.find(numberOf(json, "req"));
    if (found == m_requests.end())
        return; // what comes after a readStop, or from a newer agent
    const bool isData = name == QLatin1StringView(message::data);
    if (found->second.part)
        found->second.part(json, raw);
    if (name == QLatin1StringView(message::finding))
        return;
    if (isData && !flagOf(json, "eof")) {
        if (!found->second.firstBytes || raw.isEmpty())
            return;
        sendJson(messageText(message::readStop, Json{{"req", found->first}}));
    }
    const auto done = std::move(found->second.done);
    m_requests.erase(found);
    if (name == QLatin1StringView(message::failed) || name == QLatin1StringView(message::readFailed))
        done(fail(kindFromName(textOf(json, "kind")), textOf(json, "message")));
    else
        done(json);
}

void AgentClient::onFailed(const Json& json)
{
    const QString re = textOf(json, "re");
    const Error error{kindFromName(textOf(json, "kind")), textOf(json, "message"), re};
    qCWarning(lcAgent).noquote() << "the agent refused" << re << ":" << error.message;
    // It does not say which of them, so all that it may mean are told.
    if (re == QLatin1StringView(message::start)) {
        QStringList sent;
        for (auto it = m_starts.constBegin(); it != m_starts.constEnd(); ++it) {
            if (it->sent)
                sent.append(it.key());
        }
        for (const QString& trial : sent)
            resolveStart(trial, StartOutcome{.trial = trial, .error = error});
    } else if (re == QLatin1StringView(message::cancel) || re == QLatin1StringView(message::adopt)) {
        for (const BatchPtr& batch : std::exchange(re == QLatin1StringView(message::cancel) ? m_cancels : m_adopts, {}))
            batch->shot.set(tl::unexpected(error));
    } else if (re == QLatin1StringView(message::put) || re == QLatin1StringView(message::has)) {
        for (const UploadPtr& upload : std::exchange(m_uploads, {})) {
            upload->result = tl::unexpected(error);
            upload->wake.set(true);
        }
    }
}

} // namespace transport
