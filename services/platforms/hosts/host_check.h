// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_connection.h"

namespace platforms {

/// Checks a machine with a separate agent, whether the machine is open or not: the connection, the agent, the findings of its
/// doctor, and a trial of one second. Steps are reported to the context's sink under `named`; the check's files are removed from
/// the machine. Returns early with Kind::cancelled when the context's stop is requested.
[[nodiscard]] Task<Result<>> checkHost(
    OperationId request, HostSetup setup, Context context, MachineId named, QString kind);

/// What a person can do about a machine that was not reached; never the error again. `sshAddress`: `[user@]host[:port]`, empty for this
/// computer. Pure.
[[nodiscard]] core::Message remedyFor(const Error& error, const QString& sshAddress);

/// Converts a finding of an agent's doctor to a check step.
[[nodiscard]] CheckStep checkStepOf(const Json& finding, const MachineId& machine);

} // namespace platforms
