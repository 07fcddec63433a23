// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/record_kinds.h"
#include "services/core/newest_by_id.h"

#include <functional>
#include <map>

namespace engine {

using namespace api;

/// Collects what changed and gives it to the listeners as one Change, each record once in its newest form. Service thread only.
class ChangeFeed
{
public:
    /// `schedule` is called when something became pending; it must see to it that flush() is called soon.
    /// `fillState` fills the lists of a full change.
    ChangeFeed(QString epoch, std::function<void()> schedule, std::function<void(Change&)> fillState);

    int listen(std::function<void(ChangePtr)> changed); ///< calls `changed` with the full state before it returns
    void stopListening(int listener);

    template <typename Record>
    void touch(const std::shared_ptr<const Record>& record)
    {
        m_latest.of<Record>().put(record->id, record);
        pending();
    }
    void metrics(const MetricBatchPtr& batch);
    void removed(const ExperimentId& id) { drop<Experiment>(id); }
    void removed(const TrialId& id) { drop<Trial>(id); }
    void removed(const PlatformId& id) { drop<Platform>(id); }
    void removed(const MachineId& id) { drop<Machine>(id); }
    void removed(const PromptId& id) { drop<Prompt>(id); }

    /// Gives what is pending to the listeners; does nothing when nothing is.
    void flush();
    /// Whether the state is ahead of what the listeners know.
    [[nodiscard]] bool isPending() const { return m_isPending; }
    /// Of the last change that was given out.
    [[nodiscard]] qint64 revision() const { return m_revision; }
    [[nodiscard]] const QString& epoch() const { return m_epoch; }

private:
    template <typename Record>
    using Latest = NewestById<decltype(Record::id), std::shared_ptr<const Record>>;
    template <typename Record>
    void drop(const decltype(Record::id)& id)
    {
        m_latest.of<Record>().drop(id);
        (m_removed.*kindOf<Record>().removed).append(id);
        pending();
    }
    void pending();

    QString m_epoch;
    qint64 m_revision = 0;
    std::function<void()> m_schedule;
    std::function<void(Change&)> m_fillState;
    std::map<int, std::function<void(ChangePtr)>> m_listeners;
    int m_nextListener = 1;
    bool m_isPending = false;

    PerRecordKind<Latest> m_latest;
    QList<MetricBatchPtr> m_metrics;
    Removed m_removed;
};

} // namespace engine
