// SPDX-License-Identifier: GPL-3.0-or-later
// Converts an agent's messages to the service's types. Pure functions; missing members and members of another type are ignored.
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// The intent's name in the wire protocol.
[[nodiscard]] const char* intentWord(CancelIntent intent);

/// Applies a `load` message. Returns true if a value changed by a visible step (one percent, 16 MiB, 0.1 of load average).
bool applyLoad(Machine& machine, const Json& load);

/// Applies a `gpu` message with nvidia-smi's XML: sets the table of GPUs, or gpuMessage with the reason why there is none.
/// Returns true if anything changed.
bool applyGpus(Machine& machine, const Json& gpu, const QByteArray& xml);

/// Whether readLog() accepts the name: `stdout`, `stderr`, `trial.log`, or `output/PATH` that stays inside the output folder.
[[nodiscard]] bool isLogName(const QString& name);

} // namespace platforms
