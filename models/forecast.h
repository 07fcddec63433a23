// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <optional>
#include <utility>
#include <vector>

namespace models {

/// Earliest and latest end of the last of `remaining` trials, in milliseconds since the epoch, if `atOnce` trials run at a time.
/// `durations` (ms) are those of finished trials; with fewer than three of them the result is nullopt. Pure.
[[nodiscard]] std::optional<std::pair<qint64, qint64>> forecastEnd(
    std::vector<qint64> durations, qint64 remaining, qint64 atOnce, qint64 now);

/// How many trials the experiment has, or will have if it has not ended: a search makes more up to its limit, which retries may exceed. Pure.
[[nodiscard]] qint64 plannedTrials(const core::Experiment& experiment);

} // namespace models
