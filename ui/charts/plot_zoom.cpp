// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_zoom.h"

#include <algorithm>
#include <cmath>

namespace ui::charts {

namespace {

constexpr double leastDrag = 8; ///< pixels

bool isLongEnough(double low, double high)
{
    return high - low > std::max(std::abs(high), std::abs(low)) * 1e-12;
}

} // namespace

PlotRange scaledRange(const PlotRange& range, QPointF factor, QPointF around)
{
    PlotRange out = range;
    if (factor.x() != 1) {
        const double left = around.x() - around.x() * factor.x();
        out.left = range.xAt(left);
        out.right = range.xAt(left + factor.x());
    }
    if (factor.y() != 1) {
        const double low = around.y() - around.y() * factor.y();
        out.low = range.yAt(low);
        out.high = range.yAt(low + factor.y());
    }
    return out;
}

PlotRange movedRange(const PlotRange& range, QPointF by)
{
    PlotRange out = range;
    out.left = range.xAt(by.x());
    out.right = range.xAt(1 + by.x());
    out.low = range.yAt(by.y());
    out.high = range.yAt(1 + by.y());
    return out;
}

PlotRange rangeOfBox(const PlotRange& range, const QRectF& plot, const QRectF& box)
{
    const QRectF inside = box.normalized().intersected(plot);
    PlotRange out = range;
    if (plot.isEmpty() || inside.isEmpty())
        return out;
    if (inside.width() < plot.width()) {
        out.left = range.xAt((inside.left() - plot.left()) / plot.width());
        out.right = range.xAt((inside.right() - plot.left()) / plot.width());
    }
    if (inside.height() < plot.height()) {
        out.low = range.yAt((plot.bottom() - inside.bottom()) / plot.height());
        out.high = range.yAt((plot.bottom() - inside.top()) / plot.height());
    }
    return out;
}

QRectF boxOfDrag(const QRectF& plot, QPointF from, QPointF to)
{
    QRectF box = QRectF(from, to).normalized();
    const bool isWide = box.width() >= leastDrag;
    const bool isHigh = box.height() >= leastDrag;
    if (!isWide && !isHigh)
        return {};
    if (!isHigh) {
        box.setTop(plot.top());
        box.setBottom(plot.bottom());
    } else if (!isWide) {
        box.setLeft(plot.left());
        box.setRight(plot.right());
    }
    return box.intersected(plot);
}

bool isDrawable(const PlotRange& range)
{
    return isLongEnough(range.left, range.right) && isLongEnough(range.low, range.high);
}

bool coversX(const PlotRange& range, const PlotRange& whole)
{
    return range.left <= whole.left && range.right >= whole.right;
}

bool coversY(const PlotRange& range, const PlotRange& whole)
{
    return range.low <= whole.low && range.high >= whole.high;
}

} // namespace ui::charts
