// SPDX-License-Identifier: GPL-3.0-or-later
// Paints curves and dots for which Qt Charts is too slow. Pure functions; callable on any thread.
#pragma once

#include "models/series_loader.h"

#include <QColor>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QSet>

namespace ui::charts {

/// The visible range of a plot, in the units of its axes.
struct PlotRange
{
    double left = 0;
    double right = 1;
    double low = 0;
    double high = 1;
    bool logX = false;
    bool logY = false;

    bool operator==(const PlotRange&) const = default;
    [[nodiscard]] bool isEmpty() const { return !(right > left) || !(high > low); }
    /// Map units to 0..1 of the width and of the height (upwards); the result is not finite for values that a log axis cannot
    /// show.
    [[nodiscard]] double across(double x) const;
    [[nodiscard]] double up(double y) const;
    [[nodiscard]] double xAt(double across) const;
    [[nodiscard]] double yAt(double up) const;
};

struct CurveJob
{
    models::SeriesDataPtr data;
    PlotRange range;
    double smoothing = 0; ///< weight of the previous values, 0 to 0.99; above 0 the raw line is drawn paler behind
    QColor each;          ///< of curves that are not selected, with alpha
    QColor chosen;
    QColor current; ///< of currentTrial
    QColor best;
    QSet<core::TrialId> selected;
    core::TrialId currentTrial;
    core::TrialId bestTrial;             ///< drawn above all others
    QHash<core::TrialId, QColor> colors; ///< of the few trials that have one of their own
    QSet<core::TrialId> hidden;          ///< not drawn
    /// Of so many curves that only quantiles of all of them are readable; the best, the current and a few chosen ones are drawn above.
    bool isSummary = false;
    QColor quantiles; ///< fills 10 to 90 % and, again, 25 to 75 %
    QColor median;

    bool operator==(const CurveJob&) const = default;
};

struct Dot
{
    double x = 0;
    double y = 0;
    bool isChosen = false;
    QColor color; ///< if valid: its own colour, drawn above the others

    bool operator==(const Dot&) const = default;
};

struct DotJob
{
    std::vector<Dot> dots;
    PlotRange range;
    QColor each;
    QColor chosen;
    QColor rim; ///< around dots with a colour of their own

    bool operator==(const DotJob&) const = default;
};

void paintCurves(QPainter& painter, const QRectF& plot, const CurveJob& job);
void paintDots(QPainter& painter, const QRectF& plot, const DotJob& job);

/// Paints the job on a new image of `size` device pixels.
template <typename Job>
[[nodiscard]] QImage imageOf(const Job& job, QSize size, qreal ratio)
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const QRectF plot(QPointF(), QSizeF(size) / ratio);
    if constexpr (std::is_same_v<Job, CurveJob>)
        paintCurves(painter, plot, job);
    else
        paintDots(painter, plot, job);
    return image;
}

/// The points of a curve's line: all values if a column has at most two, else its first value, extremes and last value. NaN
/// interrupts the line.
[[nodiscard]] std::vector<QPointF> pointsOf(const models::SeriesCurve& curve);
/// The opacity of the raw line behind a smoothed one.
inline constexpr double rawBehind = 0.36;
/// Exponential smoothing; non-finite points are copied and do not contribute.
[[nodiscard]] std::vector<QPointF> smoothed(std::vector<QPointF> points, double weight);

/// The best value up to each x, as a step line.
[[nodiscard]] std::vector<QPointF> bestSteps(const models::SeriesCurve& curve, bool maximize);

} // namespace ui::charts
