// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/engine/platforms/platform_manager.h"

namespace engine {

/// The logs that have what a trial's program prints: stdout, or where NNI's SDK has put it into trial.log that one, or both, where the
/// command prints besides. The first stands for all. The one rule for clients that name no log and for the reasons of failures. stdout
/// where nothing was printed or can be read. `platforms` outlives the call.
[[nodiscard]] Task<QStringList> outputLogs(PlatformManager* platforms, PlatformId platform, platforms::TrialRef trial);

} // namespace engine
