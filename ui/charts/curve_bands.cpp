// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_bands.h"

#include "curve_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui::charts {

using models::SeriesCurve;

namespace {

constexpr int gridPlaces = 240; ///< of x, beside the first

std::vector<QPointF> finitePointsOf(const SeriesCurve& curve)
{
    std::vector<QPointF> points = pointsOf(curve);
    std::erase_if(points, [](const QPointF& p) { return !std::isfinite(p.y()); });
    return points;
}

/// Calls `use(place, y)` for each place within the curve's own range of x, with the value on its line there.
template <typename Use>
void atPlaces(const std::vector<QPointF>& points, double left, double step, Use use)
{
    size_t next = 0;
    for (int i = 0; i <= gridPlaces; ++i) {
        const double x = left + i * step;
        if (x < points.front().x() - step / 2 || x > points.back().x() + step / 2)
            continue;
        while (next < points.size() && points[next].x() < x)
            ++next;
        if (next == 0) {
            use(i, points.front().y());
        } else if (next == points.size()) {
            use(i, points.back().y());
        } else {
            const QPointF& a = points[next - 1];
            const QPointF& b = points[next];
            use(i, b.x() > a.x() ? a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()) : b.y());
        }
    }
}

} // namespace

Band bandOf(const models::SeriesData& data, const QSet<core::TrialId>& trials, double left, double right)
{
    struct Sum
    {
        double sum = 0;
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        int count = 0;
    };
    std::vector<Sum> sums(gridPlaces + 1);
    Band band;
    if (!(right > left))
        return band;
    const double step = (right - left) / gridPlaces;
    for (const SeriesCurve& curve : data.curves) {
        if (!trials.contains(curve.trial))
            continue;
        const std::vector<QPointF> points = finitePointsOf(curve);
        if (points.empty())
            continue;
        bool isSeen = false;
        atPlaces(points, left, step, [&](int i, double y) {
            Sum& sum = sums[size_t(i)];
            sum.sum += y;
            ++sum.count;
            sum.low = std::min(sum.low, y);
            sum.high = std::max(sum.high, y);
            isSeen = true;
        });
        band.curves += isSeen ? 1 : 0;
        // A point between two places counts for the nearest one, so that a spike widens the band there.
        for (const QPointF& point : points) {
            const double at = std::round((point.x() - left) / step);
            if (at < 0 || at > gridPlaces)
                continue;
            Sum& sum = sums[size_t(at)];
            sum.low = std::min(sum.low, point.y());
            sum.high = std::max(sum.high, point.y());
        }
    }
    for (int i = 0; i <= gridPlaces; ++i) {
        const Sum& sum = sums[size_t(i)];
        if (sum.count == 0)
            continue;
        const double x = left + i * step;
        band.mean.emplace_back(x, sum.sum / sum.count);
        band.low.emplace_back(x, sum.low);
        band.high.emplace_back(x, sum.high);
    }
    return band;
}

Quantiles quantilesOf(const models::SeriesData& data, double left, double right)
{
    Quantiles quantiles;
    if (!(right > left))
        return quantiles;
    const double step = (right - left) / gridPlaces;
    std::vector<std::vector<float>> values(gridPlaces + 1);
    for (const SeriesCurve& curve : data.curves) {
        const std::vector<QPointF> points = finitePointsOf(curve);
        if (!points.empty())
            atPlaces(points, left, step, [&](int i, double y) { values[size_t(i)].push_back(float(y)); });
    }
    for (int i = 0; i <= gridPlaces; ++i) {
        std::vector<float>& here = values[size_t(i)];
        if (here.empty())
            continue;
        auto from = here.begin();
        for (size_t part = 0; part < Quantiles::parts.size(); ++part) {
            const auto at = here.begin() + std::llround(Quantiles::parts[part] * double(here.size() - 1));
            std::nth_element(from, at, here.end());
            quantiles.lines[part].emplace_back(left + i * step, double(*at));
            from = at;
        }
    }
    return quantiles;
}

} // namespace ui::charts
