// SPDX-License-Identifier: GPL-3.0-or-later
// Curves and dots onto a painter: what Qt Charts is too slow for. Pure; runs on any thread.
#pragma once

#include "models/series_loader.h"

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QSet>

namespace ui::charts {

/// What a plot shows, in its own units.
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
    /// From units to 0..1 of width and height, upwards; not finite for what a log axis cannot show.
    [[nodiscard]] double across(double x) const;
    [[nodiscard]] double up(double y) const;
    [[nodiscard]] double xAt(double across) const;
    [[nodiscard]] double yAt(double up) const;
};

struct CurveJob
{
    models::SeriesDataPtr data;
    PlotRange range;
    double smoothing = 0; ///< weight of what was before, 0 to 0.99; above 0 the raw line stays behind, paler
    QColor each;          ///< of a curve that is not chosen, with its alpha
    QColor chosen;
    QColor current; ///< of the one trial that is looked at
    QColor best;
    QSet<core::TrialId> selected;
    core::TrialId currentTrial;
    core::TrialId bestTrial; ///< above all others

    bool operator==(const CurveJob&) const = default;
};

struct Dot
{
    double x = 0;
    double y = 0;
    bool isChosen = false;

    bool operator==(const Dot&) const = default;
};

struct DotJob
{
    std::vector<Dot> dots;
    PlotRange range;
    QColor each;
    QColor chosen;

    bool operator==(const DotJob&) const = default;
};

void paintCurves(QPainter& painter, const QRectF& plot, const CurveJob& job);
void paintDots(QPainter& painter, const QRectF& plot, const DotJob& job);

/// On an image of `size` device pixels.
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

/// The points that a curve is drawn through: every value while there are at most two a column, else first, extremes and last of
/// each. NaN breaks the line.
[[nodiscard]] std::vector<QPointF> pointsOf(const models::SeriesCurve& curve);
/// Exponential smoothing; a point that is no number is passed on and does not count.
[[nodiscard]] std::vector<QPointF> smoothed(std::vector<QPointF> points, double weight);

/// Mean, smallest and largest of several curves at places of x, each curve taken only where it has values.
struct Band
{
    std::vector<QPointF> mean;
    std::vector<QPointF> low;
    std::vector<QPointF> high;
};
[[nodiscard]] Band bandOf(const models::SeriesData& data, const QSet<core::TrialId>& trials, double left, double right);

/// The best value up to each x, as a line of steps.
[[nodiscard]] std::vector<QPointF> bestSteps(const models::SeriesCurve& curve, bool maximize);

} // namespace ui::charts
