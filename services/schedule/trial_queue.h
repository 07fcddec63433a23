// SPDX-License-Identifier: GPL-3.0-or-later
// The trials that wait for a place, kept in order and by class: requests that ask for the same are placed, or wait,
// alike. So a pass of the scheduler costs as much as there are classes and placements, not as there are waiting trials.
// Not thread-safe; lives with its owner on the service thread.
#pragma once

#include "services/core/records.h"

#include <QHash>

#include <map>
#include <set>

namespace schedule {

using namespace core;

/// What a waiting trial asks for.
struct PlacementRequest
{
    TrialId trial;
    ExperimentId experiment;
    PlatformId platform;
    int priority = 0; ///< higher goes first
    qint64 order = 0; ///< place in the queue: among equal priorities, lower goes first
    bool hold = false;
    std::optional<int> gpuNumber; ///< absent and 0: reserves none
    MachineId wantedMachine;      ///< empty: anywhere on the platform

    bool operator==(const PlacementRequest&) const = default;
};

/// What two requests have in common when one reason answers both.
struct PlacementClass
{
    ExperimentId experiment;
    PlatformId platform;
    bool hold = false;
    std::optional<int> gpuNumber;
    MachineId wantedMachine;

    bool operator==(const PlacementClass&) const = default;
};
[[nodiscard]] size_t qHash(const PlacementClass& key, size_t seed = 0) noexcept;

/// Where a trial stands in the queue; sorts as it is served.
struct QueuePosition
{
    int priority = 0;
    qint64 order = 0;
    TrialId trial;

    bool operator==(const QueuePosition&) const = default;
    bool operator<(const QueuePosition& other) const
    {
        if (priority != other.priority)
            return priority > other.priority;
        return order != other.order ? order < other.order : trial < other.trial;
    }
};

/// Number of a class within its queue; a number is never used for another class.
using ClassId = qint64;

struct ClassQueue
{
    PlacementClass what;
    std::set<QueuePosition> waiting; ///< never empty
};

class TrialQueue
{
public:
    /// Adds a request, or replaces that of the same trial.
    void put(const PlacementRequest& request);
    /// No error if it is not there.
    void remove(const TrialId& trial);

    [[nodiscard]] qsizetype size() const { return m_entries.size(); }
    [[nodiscard]] bool contains(const TrialId& trial) const { return m_entries.contains(trial); }
    [[nodiscard]] std::optional<PlacementRequest> find(const TrialId& trial) const;
    [[nodiscard]] std::optional<ClassId> classOf(const TrialId& trial) const;
    [[nodiscard]] const std::map<ClassId, ClassQueue>& classes() const { return m_classes; }
    /// Every waiting trial in the order of service. Costs n log n: for a page, not for a pass.
    [[nodiscard]] QList<TrialId> ordered() const;

private:
    struct Entry
    {
        ClassId classId = 0;
        QueuePosition position;
    };

    QHash<TrialId, Entry> m_entries;
    std::map<ClassId, ClassQueue> m_classes;
    QHash<PlacementClass, ClassId> m_classIds;
    ClassId m_nextClassId = 1;
};

} // namespace schedule
