// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/platforms/platform_manager.h"

namespace engine {

/// The log that has what a trial's program prints: stdout, unless NNI's SDK has put it into trial.log instead. The one rule for clients
/// that name no log and for the reasons of failures. stdout where nothing can be read. `platforms` outlives the call.
[[nodiscard]] Task<QString> outputLog(PlatformManager* platforms, PlatformId platform, platforms::TrialRef trial);

} // namespace engine
