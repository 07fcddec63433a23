// SPDX-License-Identifier: GPL-3.0-or-later
// The range of a plot after zooming and moving by hand. Pure functions.
#pragma once

#include "curve_painter.h"

namespace ui::charts {

/// The range scaled around a place. `factor` is per axis: below 1 magnifies, 1 leaves the axis as it is. `around` is the fixed place,
/// 0 to 1 across and up. On a logarithmic axis the scale is that of the logarithm.
[[nodiscard]] PlotRange scaledRange(const PlotRange& range, QPointF factor, QPointF around);
/// The range moved by shares of its width and height.
[[nodiscard]] PlotRange movedRange(const PlotRange& range, QPointF by);
/// The part of the range that a rectangle of the plot shows, both in pixels; clipped to the plot.
[[nodiscard]] PlotRange rangeOfBox(const PlotRange& range, const QRectF& plot, const QRectF& box);

/// The rectangle that a drag from one pixel to another means: a narrow one spans the whole height or width of the plot, so that it
/// zooms in one axis. A null rectangle: it was a press.
[[nodiscard]] QRectF boxOfDrag(const QRectF& plot, QPointF from, QPointF to);

/// Whether the two ends of each axis differ in double precision.
[[nodiscard]] bool isDrawable(const PlotRange& range);
/// Whether the range shows all of `whole` in x; in y.
[[nodiscard]] bool coversX(const PlotRange& range, const PlotRange& whole);
[[nodiscard]] bool coversY(const PlotRange& range, const PlotRange& whole);

} // namespace ui::charts
