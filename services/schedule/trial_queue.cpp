// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_queue.h"

namespace schedule {

size_t qHash(const PlacementClass& key, size_t seed) noexcept
{
    return qHashMulti(
        seed, key.experiment.value, key.platform.value, key.hold, key.gpuNumber.value_or(-1), key.wantedMachine.value);
}

void TrialQueue::put(const PlacementRequest& request)
{
    remove(request.trial);
    const PlacementClass what{
        request.experiment, request.platform, request.hold, request.gpuNumber, request.wantedMachine};
    ClassId& classId = m_classIds[what];
    if (classId == 0) {
        classId = m_nextClassId++;
        m_classes.emplace(classId, ClassQueue{what, {}});
    }
    const QueuePosition position{request.priority, request.order, request.trial};
    m_classes.at(classId).waiting.insert(position);
    m_entries.insert(request.trial, Entry{classId, position});
}

void TrialQueue::remove(const TrialId& trial)
{
    const auto entry = m_entries.constFind(trial);
    if (entry == m_entries.cend())
        return;
    const auto queue = m_classes.find(entry->classId);
    queue->second.waiting.erase(entry->position);
    if (queue->second.waiting.empty()) {
        m_classIds.remove(queue->second.what);
        m_classes.erase(queue);
    }
    m_entries.erase(entry);
}

std::optional<PlacementRequest> TrialQueue::find(const TrialId& trial) const
{
    const auto entry = m_entries.constFind(trial);
    if (entry == m_entries.cend())
        return std::nullopt;
    const PlacementClass& what = m_classes.at(entry->classId).what;
    return PlacementRequest{trial, what.experiment, what.platform, entry->position.priority, entry->position.order,
        what.hold, what.gpuNumber, what.wantedMachine};
}

std::optional<ClassId> TrialQueue::classOf(const TrialId& trial) const
{
    const auto entry = m_entries.constFind(trial);
    return entry == m_entries.cend() ? std::nullopt : std::optional(entry->classId);
}

QList<TrialId> TrialQueue::ordered() const
{
    std::vector<const QueuePosition*> all;
    all.reserve(size_t(m_entries.size()));
    for (const auto& [id, queue] : m_classes) {
        for (const QueuePosition& position : queue.waiting)
            all.push_back(&position);
    }
    std::sort(all.begin(), all.end(), [](const QueuePosition* a, const QueuePosition* b) { return *a < *b; });
    QList<TrialId> trials;
    trials.reserve(m_entries.size());
    for (const QueuePosition* position : all)
        trials.append(position->trial);
    return trials;
}

} // namespace schedule
