// SPDX-License-Identifier: GPL-3.0-or-later
// Where an axis is marked, and what stands there. Pure.
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

/// About `wanted` round places between the ends, never more than twice as many; powers of ten, with 2 and 5 where there is room, on
/// a logarithmic axis. Labels differ from each other.
[[nodiscard]] std::vector<Tick> ticksOf(
    double low, double high, int wanted, AxisUnit unit = AxisUnit::number, bool isLog = false);

/// The range with a little air at both ends; a range of one value gets some width. Logarithmic ranges stay above zero.
[[nodiscard]] std::pair<double, double> aired(double low, double high, double share = 0.04, bool isLog = false);

/// The same range out to the round places around it, when those are near; so an axis begins and ends with a mark.
[[nodiscard]] std::pair<double, double> rounded(double low, double high, int wanted, bool isLog);

} // namespace ui::charts
