// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_mirror.h"

#include "services/api/record_kinds.h"
#include "services/core/newest_by_id.h"

#include <QPointer>

#include <algorithm>
#include <span>

namespace models {

using namespace core;
using api::Change;
using api::ChangePtr;

namespace {

constexpr int frameMs = 16;

/// Replaces records of `to` by those of later changes with the same id. A kind that none of them touches costs nothing.
void mergeRecords(Change& to, std::span<const ChangePtr> later)
{
    api::forEachRecordKind([&]<typename Record>(const api::RecordKind<Record>& kind) {
        const bool touched = std::any_of(later.begin(), later.end(), [&](const ChangePtr& change) {
            return !((*change).*kind.records).isEmpty() || (kind.removed && !(change->removed.*kind.removed).isEmpty());
        });
        if (!touched)
            return;
        core::NewestById<typename api::RecordKind<Record>::Id, std::shared_ptr<const Record>> newest;
        for (auto& record : std::exchange(to.*kind.records, {}))
            newest.put(record->id, record);
        for (const ChangePtr& change : later) {
            api::forEachRemoved(kind, change->removed, [&](const auto& id) {
                newest.drop(id);
                (to.removed.*kind.removed).append(id);
            });
            for (const auto& record : (*change).*kind.records)
                newest.put(record->id, record);
        }
        to.*kind.records = newest.take();
    });
}

} // namespace

ChangePtr merged(const QList<ChangePtr>& changes)
{
    Q_ASSERT(!changes.isEmpty());
    // Changes before the last full state are superseded by it.
    qsizetype first = changes.size() - 1;
    while (first > 0 && !changes[first]->full)
        --first;
    if (first == changes.size() - 1)
        return changes.last();
    auto result = std::make_shared<Change>(*changes[first]);
    const std::span later = std::span(changes).subspan(size_t(first) + 1);
    mergeRecords(*result, later);
    for (const ChangePtr& change : later) {
        result->epoch = change->epoch;
        result->revision = change->revision;
        result->metrics += change->metrics;
        result->gaps += change->gaps;
    }
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
    // The first change after a pause is emitted at once; changes within a frame are collected.
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
    m_sinceFlush.start(); // After the slots ran, so that their run time does not shorten the next frame.
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
            self->flush(); // The service sends a command's change before its answer.
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
    // The current second is incomplete and not counted.
    double sum = 0;
    for (qint64 s = std::max<qint64>(0, second - qint64(m_values.size()) + 1); s < second; ++s)
        if (s <= m_second && m_second - s < qint64(m_values.size()))
            sum += double(m_values[size_t(s) % m_values.size()]);
    return sum / double(m_values.size() - 1);
}

} // namespace models
