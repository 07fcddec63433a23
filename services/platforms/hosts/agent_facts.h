// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent says, in the words of the service. Pure; members that are missing or of another type read as nothing.
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// What a record of a trial's journal tells of the trial; nothing for records that change nothing anybody sees.
[[nodiscard]] std::optional<Observation> observationOf(const TrialId& trial, const Json& event);

/// The wire's word.
[[nodiscard]] const char* intentWord(CancelIntent intent);

/// Takes over a `load` message. True when something changed that a person would notice (whole percents, 16 MiB, 0.1 of load).
bool applyLoad(Machine& machine, const Json& load);

/// Takes over a `gpu` message with nvidia-smi's XML: the table of GPUs, or gpuMessage, which says why there is none. True when
/// anything changed.
bool applyGpus(Machine& machine, const Json& gpu, const QByteArray& xml);

/// A name that readLog() takes: `stdout`, `stderr`, `trial.log`, or `output/PATH` that stays inside the output folder.
[[nodiscard]] bool isLogName(const QString& name);

} // namespace platforms
