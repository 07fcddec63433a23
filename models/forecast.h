// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>
#include <utility>
#include <vector>

namespace models {

/// When the last of `remaining` trials will end, as a band in milliseconds since the epoch: from how long trials of this experiment
/// ran, the quick ones and the slow ones, `atOnce` of them at a time. Nothing with fewer than three to learn from. Pure.
[[nodiscard]] std::optional<std::pair<qint64, qint64>> forecastEnd(
    std::vector<qint64> durations, qint64 remaining, qint64 atOnce, qint64 now);

} // namespace models
