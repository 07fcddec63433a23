// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_mirror.h"

#include <QPointer>

#include <algorithm>

namespace models {

using namespace core;
using api::Change;
using api::ChangePtr;

namespace {

constexpr int frameMs = 16;

/// Puts records of later changes over those of earlier ones, by id, in the order in which they first came.
template <typename IdType, typename Ptr>
class Over
{
public:
    explicit Over(QList<Ptr>& list)
        : m_list(list)
    {
    }

    void put(const QList<Ptr>& records)
    {
        if (records.isEmpty())
            return;
        index();
        for (const Ptr& record : records) {
            const auto it = m_at.constFind(record->id);
            if (it != m_at.cend()) {
                m_list[*it] = record;
                continue;
            }
            m_at.insert(record->id, m_list.size());
            m_list.append(record);
        }
    }
    void remove(const QList<IdType>& ids)
    {
        if (ids.isEmpty())
            return;
        index();
        bool any = false;
        for (const IdType& id : ids)
            if (const auto it = m_at.constFind(id); it != m_at.cend()) {
                m_list[*it].reset();
                m_at.erase(it);
                any = true;
            }
        if (!any)
            return;
        m_list.removeIf([](const Ptr& record) { return !record; });
        m_at.clear();
        m_indexed = false;
    }

private:
    void index()
    {
        if (m_indexed)
            return;
        m_indexed = true;
        for (qsizetype i = 0; i < m_list.size(); ++i)
            m_at.insert(m_list[i]->id, i);
    }

    QList<Ptr>& m_list;
    QHash<IdType, qsizetype> m_at;
    bool m_indexed = false;
};

struct Merging
{
    Change& to;
    Over<PlatformId, PlatformPtr> platforms{to.platforms};
    Over<MachineId, MachinePtr> machines{to.machines};
    Over<ExperimentId, ExperimentPtr> experiments{to.experiments};
    Over<TrialId, TrialPtr> trials{to.trials};
    Over<PromptId, PromptPtr> prompts{to.prompts};
    Over<OperationId, OperationPtr> requests{to.requests};

    void add(const Change& change)
    {
        to.epoch = change.epoch;
        to.revision = change.revision;
        platforms.remove(change.removed.platforms);
        machines.remove(change.removed.machines);
        experiments.remove(change.removed.experiments);
        trials.remove(change.removed.trials);
        prompts.remove(change.removed.prompts);
        to.removed.platforms += change.removed.platforms;
        to.removed.machines += change.removed.machines;
        to.removed.experiments += change.removed.experiments;
        to.removed.trials += change.removed.trials;
        to.removed.prompts += change.removed.prompts;
        platforms.put(change.platforms);
        machines.put(change.machines);
        experiments.put(change.experiments);
        trials.put(change.trials);
        prompts.put(change.prompts);
        requests.put(change.requests);
        to.metrics += change.metrics;
        to.gaps += change.gaps;
    }
};

} // namespace

ChangePtr merged(const QList<ChangePtr>& changes)
{
    Q_ASSERT(!changes.isEmpty());
    // What came before a full state is of no interest any more.
    qsizetype first = changes.size() - 1;
    while (first > 0 && !changes[first]->full)
        --first;
    if (first == changes.size() - 1)
        return changes.last();
    auto result = std::make_shared<Change>(*changes[first]);
    Merging merging{*result};
    for (qsizetype i = first + 1; i < changes.size(); ++i)
        merging.add(*changes[i]);
    return result;
}

EngineMirror::EngineMirror(client::EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
    m_frame.setSingleShot(true);
    m_frame.setTimerType(Qt::PreciseTimer);
    m_clock.start();
    connect(&m_frame, &QTimer::timeout, this, &EngineMirror::flush);
    connect(&client, &client::EngineClient::changed, this, &EngineMirror::take);
    connect(&client, &client::EngineClient::linkChanged, this,
        [this](client::EngineClient::LinkState state, const QString& message, qint64 lastContact) {
            m_link = state;
            m_linkMessage = message;
            m_lastContact = lastContact;
            emit linkChanged(state, message, lastContact);
        });
}

void EngineMirror::take(const ChangePtr& change)
{
    if (change->full)
        m_waiting.clear();
    m_waiting.append(change);
    if (m_frame.isActive())
        return;
    // The first after a pause at once, those that follow closely with the frame.
    const qint64 since = m_sinceFlush.isValid() ? m_sinceFlush.elapsed() : frameMs;
    if (since >= frameMs)
        flush();
    else
        m_frame.start(int(frameMs - since));
}

void EngineMirror::flush()
{
    if (m_waiting.isEmpty())
        return;
    const ChangePtr change = merged(std::exchange(m_waiting, {}));
    countValues(*change);
    m_state.apply(*change);
    emit changed(change);
    m_sinceFlush.start(); // After the listeners: what they cost does not eat the next frame.
}

void EngineMirror::execute(api::Command command, std::function<void(Result<api::Reply>)> done)
{
    post(std::move(command), std::move(done), true);
}

void EngineMirror::ask(api::Command command, std::function<void(Result<api::Reply>)> done)
{
    post(std::move(command), std::move(done), false);
}

void EngineMirror::post(api::Command command, std::function<void(Result<api::Reply>)> done, bool tellFailure)
{
    emit pendingChanged(++m_pending);
    m_client.execute(std::move(command),
        [self = QPointer(this), done = std::move(done), tellFailure](const Result<api::Reply>& reply) {
            if (!self)
                return;
            emit self->pendingChanged(--self->m_pending);
            self->flush(); // The change that the command caused came before its answer.
            if (!self)
                return;
            if (done)
                done(reply);
            if (self && !reply && tellFailure)
                emit self->commandFailed(reply.error());
        });
}

void EngineMirror::countValues(const Change& change)
{
    const qint64 second = m_clock.elapsed() / 1'000;
    for (qint64 s = std::max(m_second + 1, second - qint64(m_values.size()) + 1); s <= second; ++s)
        m_values[size_t(s) % m_values.size()] = 0;
    m_second = second;
    if (change.full)
        return;
    qint64& sum = m_values[size_t(second) % m_values.size()];
    for (const TrialPtr& trial : change.trials) {
        const TrialPtr before = m_state.trial(trial->id);
        sum += std::max<qint64>(0, trial->metricCount - (before ? before->metricCount : 0));
    }
}

double EngineMirror::valuesPerSecond() const
{
    const qint64 second = m_clock.elapsed() / 1'000;
    // The current second is not over, so it does not count.
    double sum = 0;
    for (qint64 s = std::max<qint64>(0, second - qint64(m_values.size()) + 1); s < second; ++s)
        if (s <= m_second && m_second - s < qint64(m_values.size()))
            sum += double(m_values[size_t(s) % m_values.size()]);
    return sum / double(m_values.size() - 1);
}

} // namespace models
