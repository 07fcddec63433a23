// SPDX-License-Identifier: GPL-3.0-or-later
// The mathematics of one parameter, shared by both explorers. Source of the formulas: NNI's parameter expressions.
#pragma once

#include "search_space.h"

namespace search {

/// The standard normal value below which the share `p` lies; minus and plus infinity for 0 and 1. About one unit in the
/// last place.
[[nodiscard]] double inverseNormal(double p);

/// The value below which the share `p` of a numeric parameter's distribution lies, on the scale on which it is
/// distributed: the logarithm for the log kinds. May be infinite for normal kinds.
[[nodiscard]] double quantile(const Parameter& parameter, double p);

/// From that scale to what a trial gets: exponential for the log kinds, rounded half to even to a multiple of q,
/// clipped to the ends where there are ends. Always finite for a finite argument.
[[nodiscard]] double reported(const Parameter& parameter, double x);

} // namespace search
