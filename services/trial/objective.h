// SPDX-License-Identifier: GPL-3.0-or-later
// What a metric is worth to an experiment's objective. Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// The number that the objective looks at: for the metric `default` a plain number or an object's member `default`; for
/// any other name the object's member of that name. Numbers that JSON cannot write count when they stand as "NaN",
/// "Infinity",
/// "-Infinity". Nothing when the metric does not tell it; a NaN that was reported is a NaN.
[[nodiscard]] std::optional<double> objectiveValue(const MetricValue& value, const Objective& objective);

/// A NaN is never better than anything; anything else is better than nothing or a NaN. Equal is not better.
[[nodiscard]] bool isBetter(double candidate, std::optional<double> best, const Objective& objective);

/// Takes a metric into account; whether it became the best.
bool takeBest(std::optional<double>& best, const MetricValue& value, const Objective& objective);

} // namespace trial
