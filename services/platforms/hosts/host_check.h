// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_connection.h"

namespace platforms {

/// A machine's check with an agent of its own, whether the machine is open or not: the way there, the agent, what its doctor finds,
/// and a trial of one second. Steps go to the context's sink, under `named`; nothing is left on the machine. Ends early, with
/// Kind::cancelled, when the context's stop is requested.
[[nodiscard]] Task<Result<>> checkHost(
    OperationId request, HostSetup setup, Context context, MachineId named, QString kind);

/// A finding of an agent's doctor as a step.
[[nodiscard]] CheckStep checkStepOf(const Json& finding, const MachineId& machine);

} // namespace platforms
