// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/state/engine_state.h"

namespace engine {

/// Whether a trial that was handed to the platform has not ended.
[[nodiscard]] bool hasLiveTrials(const EngineState& state, const PlatformId& id);
/// Kind::conflict with their names (api::forceMark) if trials that were handed to these machines have not ended.
[[nodiscard]] Result<> noLiveTrials(const EngineState& state, const PlatformId& id, const QList<MachineId>& machines);

/// Where they are, with an empty id for those of which it is not known.
[[nodiscard]] QList<MachineId> machinesOfLive(const EngineState& state, const PlatformId& id);

} // namespace engine
