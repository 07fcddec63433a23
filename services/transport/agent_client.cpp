// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_client.h"

#include "agent_limits.h"
#include "agent_messages.h"
#include "wire_json.h"

#include "services/core/logging.h"
#include "services/wire/protocol.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

namespace {

Result<> nothingOf(const Result<Json>& reply)
{
    if (!reply)
        return fail(reply);
    return {};
}

/// Of `removed`: what could not be removed makes it fail.
Result<> removedOf(const Result<Json>& reply)
{
    if (!reply)
        return fail(reply);
    const Json& failed = memberOf(*reply, "failed");
    if (!failed.is_array() || failed.empty())
        return {};
    Message text = linesOf(failed.front(), "message", limits::messageChars);
    if (failed.size() > 1)
        text = u"%1 (and %2 more)"_m.arg(text).arg(failed.size() - 1);
    return fail(Kind::conflict, text, lineOf(failed.front(), "id", limits::idChars));
}

Json listOf(const QStringList& texts)
{
    Json list = Json::array();
    for (const QString& text : texts)
        list.push_back(text);
    return list;
}

} // namespace

AgentClient::AgentClient(
    Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, qint64 reportIntervalMs, QObject* parent)
    : QObject(parent)
    , m_reportIntervalMs(reportIntervalMs)
    , m_machineId(machineId)
    , m_session(clock, std::move(makeLink), std::move(serviceId), std::move(machineId), m_trials)
    , m_starts(m_session, m_trials)
    , m_adopts(m_session)
    , m_cancels(m_session)
    , m_requests(m_session)
    , m_uploads(m_session)
{
    connect(&m_session, &AgentSession::established, this, &AgentClient::onEstablished);
    connect(&m_session, &AgentSession::received, this, &AgentClient::dispatch);
    connect(&m_session, &AgentSession::broken, this, [this] {
        m_uploads.drop(Error{Kind::network, u"The connection to the agent broke during an upload."_m, {}})();
    });
    connect(&m_session, &AgentSession::silenced, this, [this](const Error& error) { failOpen(error, false); });
    connect(&m_session, &AgentSession::lost, this, &AgentClient::lost);
    connect(&m_session, &AgentSession::waiting, this, &AgentClient::waiting);
    connect(&m_session, &AgentSession::examined, this, &AgentClient::examined);
    connect(&m_starts, &AgentStarts::resolvedLater, this, &AgentClient::startResolved);
}

AgentClient::~AgentClient()
{
    m_session.beginClose();
    abandon();
}

void AgentClient::onEstablished(const AgentHello& hello)
{
    m_gpuXml.clear();
    m_gpuDropped = false;
    if (m_reportIntervalMs > 0) {
        m_session.send(messageText(message::host, Json{{"intervalMs", m_reportIntervalMs}}));
        m_session.send(messageText(message::gpu, Json{{"intervalMs", m_reportIntervalMs}}));
    }
    m_requests.resend();
    m_cancels.resend();
    const QPointer<AgentClient> alive(this);
    // The trials of an adoption that is open were in this hello, so it is answered from the list.
    m_adopts.answerFrom(hello.trials)();
    if (alive)
        m_starts.reconnected(hello.trials);
    if (alive)
        emit up(hello);
}

void AgentClient::dispatch(const QString& name, const Json& json, const QByteArray& raw)
{
    const auto is = [&name](const char* word) { return name == QLatin1StringView(word); };
    if (is(message::records)) {
        onRecords(json, raw);
    } else if (is(message::event)) {
        onEvent(json);
    } else if (is(message::started)) {
        m_starts.answer(memberOf(json, "results"));
    } else if (is(message::cancelled)) {
        m_cancels.answer(memberOf(json, "results"));
    } else if (is(message::adopted)) {
        m_adopts.answer(memberOf(json, "trials"));
    } else if (is(message::load)) {
        emit load(json);
    } else if (is(message::gpu)) {
        onGpu(json, raw);
    } else if (is(message::finding) && !json.contains("req")) {
        onFinding(json);
    } else if (is(message::has) || is("putAck") || is("putDone") || is("putFailed")) {
        m_uploads.answer(name, json);
    } else if (is(message::failed) && !json.contains("req")) {
        onFailed(json);
    } else {
        m_requests.answer(name, json, raw);
    }
}

void AgentClient::passOver(const QString& trial)
{
    // Also of one that was forgotten a moment ago; once, so that an agent cannot fill the log.
    if (!std::exchange(m_passedOver, true))
        qCInfo(lcAgent).noquote() << "the agent of" << m_machineId << "speaks of trial"
                                  << withoutControls(trial, limits::idChars, false)
                                  << "which is not one that is watched there; that and more like it does not count";
}

void AgentClient::onGpu(const Json& json, const QByteArray& raw)
{
    const bool more = flagOf(json, "more");
    if (m_gpuDropped) {
        m_gpuDropped = more;
    } else if (m_gpuXml.size() + raw.size() > limits::gpuTableBytes) {
        m_gpuXml = {};
        m_gpuDropped = more;
        emit gpu(Json{{"state", limits::gpuTooLarge}}, {});
    } else {
        m_gpuXml += raw;
        if (!more)
            emit gpu(json, std::exchange(m_gpuXml, {}));
    }
}

void AgentClient::onFinding(const Json& json)
{
    const QString trial = textOf(json, "trial");
    if (!trial.isEmpty() && !m_trials.contains(trial)) {
        passOver(trial);
        return;
    }
    const int most = trial.isEmpty() ? limits::mostMachineFindings : limits::mostTrialFindings;
    int& count = m_received[trial].findings;
    if (count == most)
        return;
    ++count;
    emit finding(trial,
        count == most ? u"The machine's agent found more than that; no more of them are kept."_m
                      : Message(lineOf(json, "text", limits::findingChars)));
}

void AgentClient::onRecords(const Json& json, const QByteArray& raw)
{
    AgentRecords out;
    out.trial = textOf(json, "trial");
    const auto trial = m_trials.find(out.trial);
    if (trial == m_trials.end()) {
        passOver(out.trial);
        return;
    }
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
    if (found == m_trials.end()) {
        passOver(trial);
        return;
    }
    const bool isFinal = flagOf(json, "final");
    int& count = m_received[trial].events;
    if (count == limits::mostEvents && !isFinal)
        return;
    ++count;
    found->journal = numberOf(json, "next");
    if (isFinal)
        forget(trial);
    emit trialEvent(trial, json);
}

void AgentClient::onFailed(const Json& json)
{
    const QString re = lineOf(json, "re", limits::wordChars);
    const auto is = [&re](const char* word) { return re == QLatin1StringView(word); };
    Error error = errorOf(json);
    error.detail = re;
    qCWarning(lcAgent).noquote() << "the agent refused" << re << ":" << error.message;
    // It does not say which of them, so all that it may mean fail.
    if (is(message::start))
        m_starts.refuse(error);
    else if (is(message::cancel))
        m_cancels.drop(error)();
    else if (is(message::adopt))
        m_adopts.drop(error)();
    else if (is(message::put) || is(message::has))
        m_uploads.drop(error)();
}

void AgentClient::failOpen(const Error& error, bool closing)
{
    // Everything is taken out first: a caller that hears of it may ask for more, or destroy this.
    const std::vector<std::function<void()>> reports{m_starts.drop(error, closing), m_requests.drop(error),
        m_adopts.drop(error), m_cancels.drop(error), m_uploads.drop(error)};
    for (const auto& report : reports)
        report();
}

void AgentClient::abandon()
{
    failOpen(Error{Kind::cancelled, u"The platform is being closed."_m, {}}, true);
}

Task<> AgentClient::close()
{
    if (m_session.state() == AgentWire::State::closed)
        co_return;
    m_session.beginClose();
    abandon();
    co_await m_session.endLink();
}

// ------------------------------------------------------------------------------------------------------------- questions

Task<StartOutcome> AgentClient::startTrial(QString trial, QByteArray spec)
{
    const auto shot = m_starts.ask(trial, std::move(spec));
    co_return co_await shot.wait();
}

Task<Result<QHash<QString, QString>>> AgentClient::adopt(QHash<QString, AgentCursors> trials)
{
    QHash<QString, QString> states;
    for (auto it = trials.constBegin(); it != trials.constEnd(); ++it)
        m_trials.insert(it.key(), it.value());
    // All batches leave at once; the answers are awaited one after the other.
    std::vector<OneShot<Result<QHash<QString, QString>>>> sent;
    for (qsizetype from = 0; from < trials.size(); from += adoptBatch) {
        const QStringList ids = trials.keys().mid(from, adoptBatch);
        sent.push_back(
            m_adopts.ask(ids, messageText(message::adopt, Json{{"trials", trialsJson(trials, from, adoptBatch)}})));
    }
    const QPointer<AgentClient> alive(this);
    for (const auto& shot : sent) {
        const auto part = co_await shot.wait();
        if (!part)
            co_return fail(part);
        states.insert(*part);
    }
    // What has no folder is not asked about again with each reconnection.
    for (auto it = states.constBegin(); alive && it != states.constEnd(); ++it) {
        if (!isOnDisk(it.value()) && !m_starts.contains(it.key()))
            forget(it.key());
    }
    co_return states;
}

Task<Result<QHash<QString, QString>>> AgentClient::cancel(
    QStringList trials, QString intent, std::optional<int> graceMs)
{
    QHash<QString, QString> states;
    for (const QString& taken : m_starts.cancel(trials))
        states.insert(taken, u"unknown"_s);
    trials.removeIf([&states](const QString& trial) { return states.contains(trial); });
    Json members{{"trials", listOf(trials)}, {"intent", intent}};
    if (graceMs)
        members["graceMs"] = *graceMs;
    const auto shot = m_cancels.ask(trials, messageText(message::cancel, members));
    const auto answered = co_await shot.wait();
    if (!answered)
        co_return fail(answered);
    states.insert(*answered);
    co_return states;
}

Task<Result<>> AgentClient::put(QString sha, qint64 size, Source source, Progress progress)
{
    return m_uploads.put(std::move(sha), size, std::move(source), std::move(progress));
}

Task<Result<>> AgentClient::sendParameter(QString trial, int index, QByteArray text)
{
    Json json{{"m", message::parameter}, {"trial", trial}, {"index", index}, {"text", text.toStdString()}};
    const auto shot = m_requests.ask(std::move(json));
    const auto reply = co_await shot.wait();
    co_return nothingOf(reply);
}

Task<Result<AgentData>> AgentClient::read(QString trial, QString name, qint64 offset, qint64 limit, bool follow)
{
    auto data = std::make_shared<AgentData>();
    Json json{{"m", message::read}, {"trial", trial}, {"name", name}, {"offset", offset}, {"limit", limit},
        {"follow", follow}};
    using Taken = AgentRequests::Taken;
    const auto take = [data, offset, limit, follow](const Json& part, const QByteArray& raw, bool isFirst) {
        if (textOf(part, message::name) != QLatin1StringView(message::data))
            return Taken::more;
        const qint64 at = numberOf(part, "offset");
        const qint64 size = numberOf(part, "size");
        // Asked again on another connection, the answer begins anew.
        const qint64 begin = offset >= 0 ? offset : std::max<qint64>(0, size + offset);
        const qint64 next = isFirst ? begin : data->offset + data->bytes.size();
        const bool wasCut = follow && at == 0; // a followed file that was cut begins again
        if (at != next && !wasCut)
            return Taken::damaged;
        if (isFirst || at != next) {
            data->offset = at;
            data->bytes = raw;
        } else {
            data->bytes += raw;
        }
        data->size = size;
        data->ended = flagOf(part, "eof");
        const bool within = data->bytes.size() <= limit;
        data->bytes.truncate(limit);
        return within ? Taken::more : Taken::enough;
    };
    const auto shot = m_requests.ask(std::move(json), follow, take);
    const auto reply = co_await shot.wait();
    if (!reply)
        co_return fail(reply);
    data->ended = follow && data->ended && data->bytes.isEmpty();
    co_return std::move(*data);
}

Task<Result<AgentFiles>> AgentClient::list(QString trial, QString after, qint64 limit)
{
    Json json{{"m", message::list}, {"trial", trial}, {"limit", limit}};
    if (!after.isEmpty())
        json["after"] = after;
    const auto shot = m_requests.ask(std::move(json));
    const auto reply = co_await shot.wait();
    if (!reply)
        co_return fail(reply);
    AgentFiles files;
    for (const Json& entry : memberOf(*reply, "entries")) {
        if (files.files.size() == qsizetype(trialkeeper::maxListEntries))
            break;
        AgentFile file{textOf(entry, "path"), numberOf(entry, "size"), numberOf(entry, "mtime"),
            textOf(entry, "type").left(limits::wordChars), textOf(entry, "message").left(limits::messageChars)};
        // A name is used as it is: of one that is too long for a path, only the beginning is shown.
        if (file.path.size() > limits::pathChars) {
            file.path.truncate(limits::pathChars);
            file.type = u"other"_s;
            file.message = u"Its path is too long."_m;
        }
        files.files.append(std::move(file));
    }
    // The next page's start is a path of which each byte may take three characters.
    files.next = textOf(*reply, "next");
    if (files.next.size() > 3 * limits::pathChars || files.next == after)
        files.next.clear();
    co_return files;
}

Task<Result<>> AgentClient::removeCode(QStringList shas)
{
    Json json{{"m", message::removeCode}, {"shas", listOf(shas)}};
    const auto shot = m_requests.ask(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

Task<Result<>> AgentClient::doctor(std::function<void(const Json&)> step)
{
    Json json{{"m", message::doctor}};
    auto count = std::make_shared<int>(0);
    using Taken = AgentRequests::Taken;
    const auto shot = m_requests.ask(std::move(json), false, [step, count](const Json& part, const QByteArray&, bool) {
        if (!part.contains("state"))
            return Taken::more;
        if (++*count <= limits::mostDoctorSteps) {
            step(part);
            return Taken::more;
        }
        step(Json{{"id", "findings"}, {"title", "Findings"}, {"state", "warn"},
            {"detail",
                u"The machine's agent sent more than %1 findings; the others are not shown."_m
                    .arg(limits::mostDoctorSteps)
                    .text()}});
        return Taken::enough;
    });
    const auto reply = co_await shot.wait();
    co_return nothingOf(reply);
}

Task<Result<>> AgentClient::remove(QStringList trials)
{
    // A trial that we still watch (it ended, and the event has not come yet) is removed all the same: the agent judges.
    Json json{{"m", message::remove}, {"trials", listOf(trials)}};
    const auto shot = m_requests.ask(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

Task<Result<>> AgentClient::removeAll()
{
    Json json{{"m", message::remove}, {"all", true}};
    const auto shot = m_requests.ask(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

} // namespace transport
