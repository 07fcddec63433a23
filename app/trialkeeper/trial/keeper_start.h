// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch.h"

#include "app/trialkeeper/base/children.h"
#include "app/trialkeeper/base/places.h"

#include <functional>

namespace trialkeeper {

/// Starts `trialkeeper run` for this launch, detached: it outlives the agent. `report` (10 or higher) is the pipe for
/// its StartReport, or -1. The keeper's pid, or -1 with errno.
[[nodiscard]] pid_t startKeeper(Children& children, const Places& places, const Launch& launch, std::uint32_t ticket,
    int report, std::function<void(pid_t keeper)> ended);

/// Starts `trialkeeper run --adopt` for a trial whose keeper has died while something of it lives.
[[nodiscard]] pid_t startAdoptingKeeper(
    Children& children, const Places& places, const std::string& trialFolder, std::function<void(pid_t keeper)> ended);

} // namespace trialkeeper
