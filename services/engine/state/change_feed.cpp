// SPDX-License-Identifier: GPL-3.0-or-later
#include "change_feed.h"

namespace engine {

ChangeFeed::ChangeFeed(QString epoch, std::function<void()> schedule, std::function<void(Change&)> fillState)
    : m_epoch(std::move(epoch))
    , m_schedule(std::move(schedule))
    , m_fillState(std::move(fillState))
{
}

int ChangeFeed::listen(std::function<void(ChangePtr)> changed)
{
    // What is pending goes out first: the full state is then exactly the state at the current revision.
    flush();
    auto full = std::make_shared<Change>();
    full->epoch = m_epoch;
    full->revision = m_revision;
    full->full = true;
    m_fillState(*full);
    const int listener = m_nextListener++;
    changed(full);
    m_listeners.emplace(listener, std::move(changed));
    return listener;
}

void ChangeFeed::stopListening(int listener)
{
    m_listeners.erase(listener);
}

void ChangeFeed::pending()
{
    if (m_isPending)
        return;
    m_isPending = true;
    m_schedule();
}

void ChangeFeed::metrics(const MetricBatchPtr& batch)
{
    m_metrics.append(batch);
    pending();
}

void ChangeFeed::flush()
{
    if (!m_isPending)
        return;
    m_isPending = false;
    auto change = std::make_shared<Change>();
    change->epoch = m_epoch;
    change->revision = ++m_revision;
    forEachRecordKind([&]<typename Record>(
                          const RecordKind<Record>& kind) { (*change).*kind.records = m_latest.of<Record>().take(); });
    change->metrics = std::exchange(m_metrics, {});
    change->removed = std::exchange(m_removed, {});
    const ChangePtr shared = change;
    // A listener may leave from inside its own call.
    const auto listeners = m_listeners;
    for (const auto& [number, changed] : listeners)
        if (m_listeners.contains(number))
            changed(shared);
}

} // namespace engine
