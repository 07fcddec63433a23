// SPDX-License-Identifier: GPL-3.0-or-later
// What many curves are together: mean and extremes of some, quantiles of all. Pure functions; callable on any thread.
#pragma once

#include "models/series_loader.h"

#include <QPointF>
#include <QSet>

#include <array>

namespace ui::charts {

/// Mean, minimum and maximum of several curves at common values of x; a curve contributes only within its own range of x.
struct Band
{
    std::vector<QPointF> mean;
    std::vector<QPointF> low;
    std::vector<QPointF> high;
    int curves = 0; ///< with a value in the range
};
[[nodiscard]] Band bandOf(const models::SeriesData& data, const QSet<core::TrialId>& trials, double left, double right);

/// Values below which 10, 25, 50, 75 and 90 of 100 curves lie, at common values of x; a curve contributes only within its own range.
struct Quantiles
{
    static constexpr std::array<double, 5> parts{0.1, 0.25, 0.5, 0.75, 0.9};
    std::array<std::vector<QPointF>, 5> lines; ///< as parts
};
[[nodiscard]] Quantiles quantilesOf(const models::SeriesData& data, double left, double right);

} // namespace ui::charts
