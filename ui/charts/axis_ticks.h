// SPDX-License-Identifier: GPL-3.0-or-later
// Places and labels of an axis' ticks. Pure functions.
#pragma once

#include <QString>

#include <vector>

namespace ui::charts {

enum class AxisUnit {
    number,
    duration, ///< milliseconds, shown in the unit that fits
    clock     ///< milliseconds since the epoch
};

struct Tick
{
    double value = 0;
    QString label;
};

/// About `wanted` ticks at round values between the ends, at most twice as many. On a logarithmic axis: powers of ten, with
/// factors 2 and 5 if there is room. Labels are distinct.
[[nodiscard]] std::vector<Tick> ticksOf(
    double low, double high, int wanted, AxisUnit unit = AxisUnit::number, bool isLog = false);

/// The range extended at both ends by `share` of its length; a range of one value gets a width. Logarithmic ranges stay above
/// zero.
[[nodiscard]] std::pair<double, double> aired(double low, double high, double share = 0.04, bool isLog = false);

/// The range extended to the next round values if they are near, so that the axis begins and ends with a tick.
[[nodiscard]] std::pair<double, double> rounded(double low, double high, int wanted, bool isLog);

} // namespace ui::charts
