// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/machines/machine_registry.h"
#include "services/engine/platforms/platform_manager.h"

namespace engine {

/// What was given up on machines that do not answer: trials that may run on there, and folders that were to be removed. It is stored
/// apart from the trials, whose records may be gone by then, and settled once the machine answers: processes are ended, folders
/// removed. The machine's record says how much of it there is. Service thread only.
class LeftBehind : public QObject
{
    Q_OBJECT
public:
    LeftBehind(
        EngineState& state, store::Store& store, PlatformManager& platforms, MachineRegistry& machines, Scope& scope);
    ~LeftBehind() override;

    void restore(const QMap<QString, QByteArray>& values);
    /// Trials that have ended here and may run there. `folders`: what they left there is to be removed, too. Committed in the
    /// background, before any later commit.
    void add(const PlatformId& platform, const QList<platforms::TrialRef>& trials, bool folders);
    /// The same as an await, for what must be durable before the next step.
    [[nodiscard]] Task<Result<>> added(PlatformId platform, QList<platforms::TrialRef> trials, bool folders);
    /// The machines as a platform reports them, after the registry has them: settles what is left on those that answer.
    void seen(const QList<Machine>& machines);
    /// Whether requests to this place can be answered now. An empty machine: the platform itself.
    [[nodiscard]] bool answers(const PlatformId& platform, const MachineId& machine) const;

private:
    struct Item
    {
        PlatformId platform;
        MachineId machine;
        ExperimentId experiment;
        QString handle;
        bool folder = false; ///< is to be removed

        bool operator==(const Item&) const = default;
    };
    using Items = QHash<TrialId, Item>;

    [[nodiscard]] store::Batch take(const PlatformId& platform, const QList<platforms::TrialRef>& trials, bool folders);
    [[nodiscard]] Items itemsOn(const MachineId& machine) const;
    /// Begins to settle, unless that is under way or nothing is left there.
    void begin(const MachineId& machine);
    [[nodiscard]] Task<> settle(MachineId machine);
    void tryLater(const MachineId& machine);
    /// These are settled; one that was changed meanwhile stays.
    void drop(const Items& items);
    void dropAll(const std::function<bool(const Item&)>& which);
    void note(const MachineId& machine);

    EngineState& m_state;
    store::Store& m_store;
    PlatformManager& m_platforms;
    MachineRegistry& m_machines;
    Scope& m_scope;
    Items m_items;
    QSet<MachineId> m_settling;
    QHash<MachineId, int> m_failures; ///< in a row
    std::map<MachineId, std::unique_ptr<TimerHandle>> m_retries;
};

} // namespace engine
