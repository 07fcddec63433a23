// SPDX-License-Identifier: GPL-3.0-or-later
#include "change_feed.h"

namespace engine {

template <typename IdType, typename Ptr>
void ChangeFeed::Latest<IdType, Ptr>::put(const IdType& id, const Ptr& record)
{
    const auto it = at.constFind(id);
    if (it != at.cend()) {
        list[*it] = record;
        return;
    }
    at.insert(id, list.size());
    list.append(record);
}

template <typename IdType, typename Ptr>
void ChangeFeed::Latest<IdType, Ptr>::drop(const IdType& id)
{
    const auto it = at.constFind(id);
    if (it == at.cend())
        return;
    // Left as a hole, so that the other places stay valid; take() closes it.
    list[*it].reset();
    at.erase(it);
}

template <typename IdType, typename Ptr>
QList<Ptr> ChangeFeed::Latest<IdType, Ptr>::take()
{
    if (at.size() != list.size())
        list.removeIf([](const Ptr& record) { return !record; });
    at.clear();
    return std::exchange(list, {});
}

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

void ChangeFeed::touch(const TrialPtr& trial)
{
    m_trials.put(trial->id, trial);
    pending();
}

void ChangeFeed::touch(const ExperimentPtr& experiment)
{
    m_experiments.put(experiment->id, experiment);
    pending();
}

void ChangeFeed::touch(const PlatformPtr& platform)
{
    m_platforms.put(platform->id, platform);
    pending();
}

void ChangeFeed::touch(const MachinePtr& machine)
{
    m_machines.put(machine->id, machine);
    pending();
}

void ChangeFeed::touch(const PromptPtr& prompt)
{
    m_prompts.put(prompt->id, prompt);
    pending();
}

void ChangeFeed::touch(const OperationPtr& request)
{
    m_requests.put(request->id, request);
    pending();
}

void ChangeFeed::metrics(const MetricBatchPtr& batch)
{
    m_metrics.append(batch);
    pending();
}

void ChangeFeed::removed(const ExperimentId& id)
{
    m_experiments.drop(id);
    m_removed.experiments.append(id);
    pending();
}

void ChangeFeed::removed(const TrialId& id)
{
    m_trials.drop(id);
    m_removed.trials.append(id);
    pending();
}

void ChangeFeed::removed(const PlatformId& id)
{
    m_platforms.drop(id);
    m_removed.platforms.append(id);
    pending();
}

void ChangeFeed::removed(const MachineId& id)
{
    m_machines.drop(id);
    m_removed.machines.append(id);
    pending();
}

void ChangeFeed::removed(const PromptId& id)
{
    m_prompts.drop(id);
    m_removed.prompts.append(id);
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
    change->trials = m_trials.take();
    change->experiments = m_experiments.take();
    change->platforms = m_platforms.take();
    change->machines = m_machines.take();
    change->prompts = m_prompts.take();
    change->requests = m_requests.take();
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
