// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/change.h"

#include <QHash>

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

    void touch(const TrialPtr& trial);
    void touch(const ExperimentPtr& experiment);
    void touch(const PlatformPtr& platform);
    void touch(const MachinePtr& machine);
    void touch(const PromptPtr& prompt);
    void touch(const OperationPtr& request);
    void metrics(const MetricBatchPtr& batch);
    void removed(const ExperimentId& id);
    void removed(const TrialId& id);
    void removed(const PlatformId& id);
    void removed(const MachineId& id);
    void removed(const PromptId& id);

    /// Gives what is pending to the listeners; does nothing when nothing is.
    void flush();
    /// Of the last change that was given out.
    [[nodiscard]] qint64 revision() const { return m_revision; }
    [[nodiscard]] const QString& epoch() const { return m_epoch; }

private:
    template <typename IdType, typename Ptr>
    struct Latest
    {
        QList<Ptr> list;
        QHash<IdType, qsizetype> at;
        void put(const IdType& id, const Ptr& record);
        void drop(const IdType& id);
        QList<Ptr> take();
    };
    void pending();

    QString m_epoch;
    qint64 m_revision = 0;
    std::function<void()> m_schedule;
    std::function<void(Change&)> m_fillState;
    std::map<int, std::function<void(ChangePtr)>> m_listeners;
    int m_nextListener = 1;
    bool m_isPending = false;

    Latest<TrialId, TrialPtr> m_trials;
    Latest<ExperimentId, ExperimentPtr> m_experiments;
    Latest<PlatformId, PlatformPtr> m_platforms;
    Latest<MachineId, MachinePtr> m_machines;
    Latest<PromptId, PromptPtr> m_prompts;
    Latest<OperationId, OperationPtr> m_requests;
    QList<MetricBatchPtr> m_metrics;
    Removed m_removed;
};

} // namespace engine
