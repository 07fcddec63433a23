// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/state/engine_state.h"

namespace engine {

/// Whether a trial that was handed to the platform has not ended.
[[nodiscard]] bool hasLiveTrials(const EngineState& state, const PlatformId& id);
/// Kind::conflict with their names (api::forceMark) if trials that were handed to these machines have not ended.
[[nodiscard]] Result<> noLiveTrials(const EngineState& state, const PlatformId& id, const QList<MachineId>& machines);

} // namespace engine
