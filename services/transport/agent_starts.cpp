// SPDX-License-Identifier: GPL-3.0-or-later
// Starts, adoptions and cancels of an AgentClient: what is answered trial by trial.
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

} // namespace

Task<StartOutcome> AgentClient::startTrial(QString trial, QByteArray spec)
{
    OneShot<StartOutcome> shot;
    if (m_closed) {
        shot.set(StartOutcome{.trial = trial, .error = Error{Kind::cancelled, u"The platform is being closed."_s, {}}});
    } else if (spec.size() > frameRoom) {
        shot.set(StartOutcome{.trial = trial,
            .error = Error{Kind::invalid, u"The trial's parameters and environment are larger than 1 MiB."_s, {}}});
    } else if (m_lostTold && !m_starts.contains(trial)) {
        shot.set(StartOutcome{.trial = trial,
            .error = Error{Kind::network, u"There is no contact with the machine's agent."_s, m_lastError.message}});
    } else {
        const bool known = m_starts.contains(trial);
        Start& start = m_starts[trial];
        start.waiting.push_back(shot);
        start.abandoned = false;
        if (!known) {
            start.spec = std::move(spec);
            start.watched = m_trials.contains(trial);
            // Watched from here on: records may arrive before the answer does.
            if (!start.watched)
                m_trials.insert(trial, {});
            m_startOrder.append(trial);
            scheduleStarts();
        }
    }
    co_return co_await shot.wait();
}

void AgentClient::scheduleStarts()
{
    if (m_startsScheduled || !m_up || m_startOrder.isEmpty())
        return;
    m_startsScheduled = true;
    QMetaObject::invokeMethod(this, &AgentClient::flushStarts, Qt::QueuedConnection);
}

void AgentClient::flushStarts()
{
    m_startsScheduled = false;
    if (!m_up)
        return;
    QByteArray batch;
    const auto sendBatch = [&] {
        if (!batch.isEmpty())
            sendJson("{\"m\":\"start\",\"trials\":[" + batch + "]}");
        batch.clear();
    };
    for (const QString& trial : std::exchange(m_startOrder, {})) {
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

void AgentClient::onStarted(const Json& json)
{
    std::vector<StartOutcome> outcomes;
    QHash<QString, AgentCursors> adopt;
    for (const Json& result : memberOf(json, "results")) {
        StartOutcome outcome;
        outcome.trial = textOf(result, "trial");
        outcome.pid = numberOf(result, "pid");
        outcome.repeat = flagOf(result, "repeat");
        const auto start = m_starts.constFind(outcome.trial);
        if (start == m_starts.constEnd())
            continue;
        if (result.contains("kind")) {
            outcome.error =
                Error{kindFromName(textOf(result, "kind")), textOf(result, "message"), textOf(result, "detail")};
        } else if (outcome.repeat && !start->watched) {
            adopt.insert(outcome.trial, m_trials.value(outcome.trial));
        }
        outcomes.push_back(std::move(outcome));
    }
    if (!adopt.isEmpty())
        sendJson(messageText(message::adopt, Json{{"trials", trialsJson(adopt, 0, adopt.size())}}));
    const QPointer<AgentClient> alive(this);
    for (StartOutcome& outcome : outcomes) {
        const QString trial = outcome.trial;
        resolveStart(trial, std::move(outcome));
        if (!alive)
            return;
    }
}

void AgentClient::resolveStart(const QString& trial, StartOutcome outcome)
{
    const auto found = m_starts.find(trial);
    if (found == m_starts.end())
        return;
    const Start start = std::move(*found);
    m_starts.erase(found);
    if (outcome.error && !start.watched)
        m_trials.remove(trial);
    if (start.waiting.empty()) {
        emit startResolved(outcome);
        return;
    }
    for (OneShot<StartOutcome> shot : start.waiting)
        shot.set(outcome);
}

AgentClient::BatchPtr AgentClient::sendBatch(std::list<BatchPtr>& batches, const QStringList& trials, QByteArray text)
{
    auto batch = std::make_shared<Batch>();
    batch->open = QSet<QString>(trials.begin(), trials.end());
    batch->message = std::move(text);
    if (m_closed) {
        batch->shot.set(fail(Kind::cancelled, u"The platform is being closed."_s));
    } else if (m_lostTold) {
        batch->shot.set(fail(Kind::network, u"There is no contact with the machine's agent."_s));
    } else if (trials.isEmpty()) {
        batch->shot.set(batch->states);
    } else {
        batches.push_back(batch);
        if (m_up)
            sendJson(batch->message);
    }
    return batch;
}

Task<Result<QHash<QString, QString>>> AgentClient::adopt(QHash<QString, AgentCursors> trials)
{
    QHash<QString, QString> states;
    for (auto it = trials.constBegin(); it != trials.constEnd(); ++it)
        m_trials.insert(it.key(), it.value());
    // All batches leave at once; the answers are awaited one after the other.
    std::vector<BatchPtr> sent;
    for (qsizetype from = 0; from < trials.size(); from += adoptBatch) {
        QStringList ids = trials.keys().mid(from, adoptBatch);
        sent.push_back(sendBatch(
            m_adopts, ids, messageText(message::adopt, Json{{"trials", trialsJson(trials, from, adoptBatch)}})));
    }
    const QPointer<AgentClient> alive(this);
    for (const BatchPtr& batch : sent) {
        const auto part = co_await batch->shot.wait();
        if (!part)
            co_return fail(part);
        states.insert(*part);
    }
    // What has no folder is not asked about again with each reconnection.
    for (auto it = states.constBegin(); alive && it != states.constEnd(); ++it) {
        if (!isOnDisk(it.value()) && !m_starts.contains(it.key()))
            m_trials.remove(it.key());
    }
    co_return states;
}

Task<Result<QHash<QString, QString>>> AgentClient::cancel(
    QStringList trials, QString intent, std::optional<int> graceMs)
{
    QHash<QString, QString> states;
    // A start that has not left yet does not leave any more; one that may have happened is not asked for again.
    for (const QString& trial : trials) {
        const auto start = m_starts.find(trial);
        if (start == m_starts.end())
            continue;
        if (start->everSent) {
            start->abandoned = !m_up;
            continue;
        }
        m_startOrder.removeAll(trial);
        resolveStart(trial,
            StartOutcome{
                .trial = trial, .error = Error{Kind::cancelled, u"It was cancelled before it was started."_s, {}}});
        states.insert(trial, u"unknown"_s);
    }
    trials.removeIf([&states](const QString& trial) { return states.contains(trial); });
    Json members{{"trials", Json::array()}, {"intent", intent}};
    for (const QString& trial : trials)
        members["trials"].push_back(trial);
    if (graceMs)
        members["graceMs"] = *graceMs;
    const auto batch = sendBatch(m_cancels, trials, messageText(message::cancel, members));
    const auto answered = co_await batch->shot.wait();
    if (!answered)
        co_return fail(answered);
    states.insert(*answered);
    co_return states;
}

void AgentClient::onBatchStates(std::list<BatchPtr>& batches, const Json& states)
{
    for (const Json& entry : states) {
        QString trial = textOf(entry, "id");
        if (trial.isEmpty())
            trial = textOf(entry, "trial");
        // The oldest that waits for this trial: answers keep the order of the questions.
        for (const BatchPtr& batch : batches) {
            if (!batch->open.remove(trial))
                continue;
            batch->states.insert(trial, textOf(entry, "state"));
            if (entry.contains("kind") && !batch->error)
                batch->error =
                    Error{kindFromName(textOf(entry, "kind")), textOf(entry, "message"), textOf(entry, "detail")};
            break;
        }
    }
    std::vector<BatchPtr> complete;
    batches.remove_if([&complete](const BatchPtr& batch) {
        if (!batch->open.isEmpty())
            return false;
        complete.push_back(batch);
        return true;
    });
    for (const BatchPtr& batch : complete)
        batch->shot.set(batch->error ? Result<QHash<QString, QString>>(tl::unexpected(*batch->error)) : batch->states);
}

} // namespace transport
