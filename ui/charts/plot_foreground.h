// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted above the lines of a plot. Pure functions; coordinates are pixels of the plot's view.
#pragma once

#include <QPainter>

namespace ui {
class Theme;
}

namespace ui::charts {

/// A ring at a point, with a label beside it.
void paintMarker(
    QPainter& painter, const Theme& theme, const QRectF& plot, double top, QPointF at, const QString& label);
/// A text in the lower right corner of the plot.
void paintBadge(QPainter& painter, const Theme& theme, const QRectF& plot, const QString& text);

} // namespace ui::charts
