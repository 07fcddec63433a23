// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"
#include "services/trial/observation.h"

#include <optional>

namespace platforms {

using namespace core;
using trial::Observation;

/// The observation that an event of a trial's keeper yields (services/wire/protocol.h, event); nullopt for events without a visible effect.
/// Pure; missing members and members of another type are ignored.
[[nodiscard]] std::optional<Observation> observationOf(const TrialId& trial, const Json& event);

} // namespace platforms
