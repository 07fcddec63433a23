// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"
#include "services/core/result.h"

namespace api {

using namespace core;

/// Why a command for an experiment was refused: the detail of the error and, over HTTP, the problem document have a member
/// `outOfReach`, a list of `{machineId, trialIds[]}`. With `force` the command is carried out without these machines.
[[nodiscard]] Error outOfReachError(const Message& message, const Json& machines);
/// That list; empty for any other error.
[[nodiscard]] Json outOfReachOf(const Error& error);

} // namespace api
