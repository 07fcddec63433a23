// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted above the lines of a plot. Pure functions; coordinates are pixels of the plot's view.
#pragma once

#include "curve_painter.h"

#include <optional>

namespace ui {
class Theme;
}

namespace ui::charts {

/// What a plot shows for the place under the pointer: a line over its height, marked points, and a list of values.
struct Crosshair
{
    struct Mark
    {
        QPointF at; ///< in the plot's units
        QColor color;
        bool isNearest = false;

        bool operator==(const Mark&) const = default;
    };
    struct Row
    {
        QString name;
        QString value;
        QString origin; ///< where the value is from, if that is not the crosshair's place
        QColor color;
        bool isNearest = false;

        bool operator==(const Row&) const = default;
    };
    std::optional<double> x; ///< of the line; without: marks only
    QString place;           ///< on a plate at the foot of the line
    QString title;           ///< of the list; without: no list
    std::vector<Row> rows;
    qsizetype more = 0; ///< further ones that are not listed
    std::vector<Mark> marks;

    bool operator==(const Crosshair&) const = default;
};

void paintCrosshair(
    QPainter& painter, const Theme& theme, const QRectF& plot, const PlotRange& range, const Crosshair& crosshair);
/// A ring at a point, with a label beside it that does not lie on `taken`.
void paintMarker(QPainter& painter, const Theme& theme, const QRectF& plot, double top, const QRectF& taken, QPointF at,
    const QString& label);
/// Where a badge with this text stands: in the lower right corner of the plot.
[[nodiscard]] QRectF badgeBox(const Theme& theme, const QRectF& plot, const QString& text);
void paintBadge(QPainter& painter, const Theme& theme, const QRectF& plot, const QString& text);

} // namespace ui::charts
