// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_starts.h"

#include "agent_limits.h"
#include "agent_messages.h"
#include "wire_json.h"

#include "services/wire/protocol.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

namespace {

/// Room for the rest of a frame beside its trials.
constexpr qsizetype frameRoom = trialkeeper::maxFrame - 1'024;
constexpr qsizetype startBatchBytes = 256 * 1024;

StartOutcome takenBack(const QString& trial)
{
    return {.trial = trial, .error = Error{Kind::cancelled, u"It was cancelled before it was started."_m, {}}};
}

} // namespace

AgentStarts::AgentStarts(AgentWire& wire, WatchedTrials& watched, QObject* parent)
    : QObject(parent)
    , m_wire(wire)
    , m_watched(watched)
{
}

OneShot<StartOutcome> AgentStarts::ask(const QString& trial, QByteArray spec)
{
    OneShot<StartOutcome> shot;
    const AgentWire::State state = m_wire.state();
    const bool known = m_starts.contains(trial);
    if (state == AgentWire::State::closed) {
        shot.set(StartOutcome{.trial = trial, .error = m_wire.refusal()});
    } else if (spec.size() > frameRoom) {
        shot.set(StartOutcome{.trial = trial,
            .error = Error{Kind::invalid, u"The trial's parameters and environment are larger than 1 MiB."_m, {}}});
    } else if (state == AgentWire::State::lost && !known) {
        shot.set(StartOutcome{.trial = trial,
            .error = Error{
                Kind::network, u"There is no contact with the machine's agent."_m, m_wire.lastError().message.text()}});
    } else {
        Start& start = m_starts[trial];
        start.waiting.push_back(shot);
        start.abandoned = false;
        if (!known) {
            start.spec = std::move(spec);
            start.watched = m_watched.contains(trial);
            if (!start.watched)
                m_watched.insert(trial, {});
            m_order.append(trial);
            schedule();
        }
    }
    return shot;
}

void AgentStarts::schedule()
{
    if (m_scheduled || !m_wire.isUp() || m_order.isEmpty())
        return;
    m_scheduled = true;
    QMetaObject::invokeMethod(this, &AgentStarts::flush, Qt::QueuedConnection);
}

void AgentStarts::flush()
{
    m_scheduled = false;
    if (!m_wire.isUp())
        return;
    QByteArray batch;
    const auto sendBatch = [&] {
        if (!batch.isEmpty())
            m_wire.send("{\"m\":\"start\",\"trials\":[" + batch + "]}");
        batch.clear();
    };
    for (const QString& trial : std::exchange(m_order, {})) {
        const auto start = m_starts.find(trial);
        if (start == m_starts.end() || start->sent)
            continue;
        if (!batch.isEmpty() && batch.size() + start->spec.size() > startBatchBytes)
            sendBatch();
        if (!batch.isEmpty())
            batch += ',';
        batch += start->spec;
        start->sent = true;
        start->everSent = true;
    }
    sendBatch();
}

void AgentStarts::answer(const Json& results)
{
    std::vector<StartOutcome> outcomes;
    QHash<QString, AgentCursors> adopt;
    for (const Json& result : results) {
        StartOutcome outcome;
        outcome.trial = textOf(result, "trial");
        outcome.pid = numberOf(result, "pid");
        outcome.repeat = flagOf(result, "repeat");
        const auto start = m_starts.constFind(outcome.trial);
        if (start == m_starts.constEnd())
            continue;
        if (result.contains("kind")) {
            outcome.error = errorOf(result);
            outcome.gpu = lineOf(result, "gpu", limits::nameChars);
        } else if (outcome.repeat && !start->watched) {
            adopt.insert(outcome.trial, m_watched.value(outcome.trial));
        }
        outcomes.push_back(std::move(outcome));
    }
    if (!adopt.isEmpty())
        m_wire.send(messageText(message::adopt, Json{{"trials", trialsJson(adopt, 0, adopt.size())}}));
    const QPointer<AgentStarts> alive(this);
    for (const StartOutcome& outcome : outcomes) {
        resolve(outcome.trial, outcome);
        if (!alive)
            return;
    }
}

void AgentStarts::resolve(const QString& trial, const StartOutcome& outcome)
{
    const auto found = m_starts.find(trial);
    if (found == m_starts.end())
        return;
    const Start start = std::move(*found);
    m_starts.erase(found);
    if (outcome.error && !start.watched)
        m_watched.remove(trial);
    if (start.waiting.empty()) {
        emit resolvedLater(outcome);
        return;
    }
    for (OneShot<StartOutcome> shot : start.waiting)
        shot.set(outcome);
}

QStringList AgentStarts::cancel(const QStringList& trials)
{
    QStringList taken;
    for (const QString& trial : trials) {
        const auto start = m_starts.find(trial);
        if (start == m_starts.end())
            continue;
        if (start->everSent) {
            start->abandoned = true; // the cancel itself is asked again of a new agent, before a start would be
            continue;
        }
        m_order.removeAll(trial);
        resolve(trial, takenBack(trial));
        taken.append(trial);
    }
    return taken;
}

void AgentStarts::refuse(const Error& error)
{
    QStringList sent;
    for (auto it = m_starts.constBegin(); it != m_starts.constEnd(); ++it) {
        if (it->sent)
            sent.append(it.key());
    }
    const QPointer<AgentStarts> alive(this);
    for (const QString& trial : sent) {
        resolve(trial, StartOutcome{.trial = trial, .error = error});
        if (!alive)
            return;
    }
}

void AgentStarts::reconnected(const QHash<QString, QString>& onDisk)
{
    QStringList happened;
    QStringList never;
    m_order.clear();
    for (auto it = m_starts.begin(); it != m_starts.end(); ++it) {
        it->sent = false;
        if (isOnDisk(onDisk.value(it.key()))) {
            it->watched = true;
            happened.append(it.key());
        } else if (it->abandoned) {
            never.append(it.key());
        } else {
            m_order.append(it.key());
        }
    }
    // Ids sort in the order of acceptance, and so trials are asked for again in the order they came.
    m_order.sort();
    schedule();
    const QPointer<AgentStarts> alive(this);
    for (const QString& trial : happened) {
        resolve(trial, StartOutcome{.trial = trial, .repeat = true});
        if (!alive)
            return;
    }
    for (const QString& trial : never) {
        resolve(trial, takenBack(trial));
        if (!alive)
            return;
    }
}

std::function<void()> AgentStarts::drop(const Error& error, bool closing)
{
    std::vector<std::pair<OneShot<StartOutcome>, StartOutcome>> outcomes;
    for (auto it = m_starts.begin(); it != m_starts.end(); ++it) {
        const StartOutcome outcome{.trial = it.key(), .unknown = it->everSent, .error = error};
        for (const auto& shot : std::exchange(it->waiting, {}))
            outcomes.emplace_back(shot, outcome);
    }
    erase_if(m_starts, [closing](const auto& entry) { return closing || !entry.value().everSent; });
    m_order.removeIf([this](const QString& trial) { return !m_starts.contains(trial); });
    return [outcomes]() mutable {
        for (auto& [shot, outcome] : outcomes)
            shot.set(outcome);
    };
}

} // namespace transport
