// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "code_snapshots.h"

#include "services/engine/trials/trial_supervisor.h"

namespace engine {

/// What an experiment's trials leave on their machines, and what of it cannot be reached. Service thread only.
class ExperimentCleanup
{
public:
    ExperimentCleanup(EngineState& state, PlatformManager& platforms, TrialSupervisor& supervisor, LeftBehind& left,
        CodeSnapshots& code);

    /// Kind::conflict that names the machines and trials (services/api/out_of_reach.h) if trials cannot be ended because nothing is
    /// heard of them or, with `folders`, what they left cannot be removed.
    [[nodiscard]] Result<> reached(const ExperimentId& id, bool folders) const;
    /// Whether one that has not ended could be asked to end now.
    [[nodiscard]] bool isReached(const TrialEntry& entry) const;
    /// Ends those here that cannot be asked to end. The experiment takes no trials any more.
    void giveUpSilent(const ExperimentId& id);
    /// Removes the folders of ended trials, and code that no other experiment uses; says in the request what it did. With `force` a
    /// machine that does not answer is no failure: what is there goes once it answers. Returns that, as `{machineId, trialIds[]}`.
    [[nodiscard]] Task<Json> run(ExperimentId id, OperationId request, bool force);

private:
    using Place = std::pair<PlatformId, MachineId>;
    using Refs = QMap<Place, QList<platforms::TrialRef>>;

    [[nodiscard]] static QString nameOf(const Place& place)
    {
        return place.second.isEmpty() ? place.first.value : place.second.value;
    }
    [[nodiscard]] Refs foldersOf(const Experiment& experiment) const;
    [[nodiscard]] bool isOutOfSettings(const Place& place) const;
    /// Keeps it for later, and says so.
    [[nodiscard]] Task<Result<>> leave(OperationId request, Place place, QList<platforms::TrialRef> refs);

    EngineState& m_state;
    PlatformManager& m_platforms;
    TrialSupervisor& m_supervisor;
    LeftBehind& m_left;
    CodeSnapshots& m_code;
};

} // namespace engine
