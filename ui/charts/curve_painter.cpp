// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_painter.h"

#include "curve_bands.h"

#include <QPainterPath>

#include <cmath>

namespace ui::charts {

using models::SeriesColumn;
using models::SeriesCurve;

namespace {

/// Of chosen curves; more of them are shown by their band alone.
constexpr qsizetype mostBesideSummary = 40;

double place(double value, double low, double high, bool isLog)
{
    return isLog ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)) : (value - low) / (high - low);
}

double valueAt(double place, double low, double high, bool isLog)
{
    return isLog ? std::exp(std::log(low) + place * (std::log(high) - std::log(low))) : low + place * (high - low);
}

QPointF pixel(const QPointF& point, const QRectF& plot, const PlotRange& range)
{
    // Clamp points far outside of the plot: large coordinates slow the rasterizer down.
    const double y = std::clamp(range.up(point.y()), -4.0, 5.0);
    return {
        plot.left() + std::clamp(range.across(point.x()), -4.0, 5.0) * plot.width(), plot.bottom() - y * plot.height()};
}

/// One path per curve, so that it does not become darker where it crosses itself.
QPainterPath pathOf(const std::vector<QPointF>& points, const QRectF& plot, const PlotRange& range)
{
    QPainterPath path;
    bool isOpen = false;
    QPointF former;
    for (const QPointF& point : points) {
        const double up = range.up(point.y());
        if (!std::isfinite(up) || !std::isfinite(range.across(point.x()))) {
            isOpen = false;
            continue;
        }
        const QPointF at = pixel(point, plot, range);
        if (!isOpen)
            path.moveTo(at);
        else if (std::abs(at.x() - former.x()) > 0.05 || std::abs(at.y() - former.y()) > 0.05)
            path.lineTo(at);
        else
            continue;
        isOpen = true;
        former = at;
    }
    return path;
}

/// Draws a single point as a dot, because it would not be visible as a line.
void paintLonePoints(QPainter& painter, const std::vector<QPointF>& points, const QRectF& plot, const PlotRange& range)
{
    if (points.size() != 1 || !std::isfinite(range.up(points[0].y())))
        return;
    painter.drawEllipse(pixel(points[0], plot, range), 1.5, 1.5);
}

/// Fills between the outer and the inner quantiles of all curves, and dashes their median.
void paintQuantiles(QPainter& painter, const QRectF& plot, const CurveJob& job)
{
    const Quantiles quantiles = quantilesOf(*job.data, job.range.left, job.range.right);
    const auto fill = [&](size_t low, size_t high) {
        QPainterPath area;
        bool isOpen = false;
        const auto line = [&](const QPointF& point) {
            // What a logarithmic axis cannot show lies below it.
            const double up = job.range.up(point.y());
            const QPointF at = pixel(std::isfinite(up) ? point : QPointF(point.x(), job.range.low), plot, job.range);
            if (std::exchange(isOpen, true))
                area.lineTo(at);
            else
                area.moveTo(at);
        };
        std::for_each(quantiles.lines[high].begin(), quantiles.lines[high].end(), line);
        std::for_each(quantiles.lines[low].rbegin(), quantiles.lines[low].rend(), line);
        painter.fillPath(area, job.quantiles);
    };
    fill(0, 4);
    fill(1, 3); // over the outer one, so it is darker
    QPen pen(job.median, 1.25);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawPath(pathOf(quantiles.lines[2], plot, job.range));
}

} // namespace

double PlotRange::across(double x) const
{
    return place(x, left, right, logX);
}

double PlotRange::up(double y) const
{
    return place(y, low, high, logY);
}

double PlotRange::xAt(double across) const
{
    return valueAt(across, left, right, logX);
}

double PlotRange::yAt(double up) const
{
    return valueAt(up, low, high, logY);
}

std::vector<QPointF> pointsOf(const SeriesCurve& curve)
{
    std::vector<QPointF> out;
    out.reserve(curve.columns.size() * 2);
    for (const SeriesColumn& column : curve.columns) {
        out.emplace_back(column.firstX, column.first);
        if (column.count > 2) {
            const double middle = (column.firstX + column.lastX) / 2;
            // The order of the extremes that gives the shorter path, so that a monotone curve stays monotone.
            const bool minFirst = std::abs(column.first - column.min) <= std::abs(column.first - column.max);
            out.emplace_back(middle, minFirst ? column.min : column.max);
            out.emplace_back(middle, minFirst ? column.max : column.min);
        }
        if (column.count > 1)
            out.emplace_back(column.lastX, column.last);
    }
    return out;
}

std::vector<QPointF> smoothed(std::vector<QPointF> points, double weight)
{
    // Divided by the sum of the weights so far, so that the result starts at the first value and not at zero.
    double sum = 0;
    double weights = 0;
    for (QPointF& point : points) {
        if (!std::isfinite(point.y()))
            continue;
        sum = weight * sum + (1 - weight) * point.y();
        weights = weight * weights + (1 - weight);
        point.setY(sum / weights);
    }
    return points;
}

void paintCurves(QPainter& painter, const QRectF& plot, const CurveJob& job)
{
    if (!job.data || job.range.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto draw = [&](const SeriesCurve& curve, QColor color, double width) {
        const std::vector<QPointF> points = pointsOf(curve);
        if (job.smoothing > 0) {
            QColor behind = color;
            behind.setAlphaF(color.alphaF() * float(rawBehind));
            painter.setPen(QPen(behind, 1));
            painter.drawPath(pathOf(points, plot, job.range));
            painter.setPen(QPen(color, width));
            painter.drawPath(pathOf(smoothed(points, job.smoothing), plot, job.range));
        } else {
            painter.setPen(QPen(color, width));
            painter.drawPath(pathOf(points, plot, job.range));
        }
        paintLonePoints(painter, points, plot, job.range);
    };
    const SeriesCurve* current = nullptr;
    const SeriesCurve* best = nullptr;
    std::vector<const SeriesCurve*> colored;
    if (job.isSummary)
        paintQuantiles(painter, plot, job);
    for (const SeriesCurve& curve : job.data->curves) {
        if (job.hidden.contains(curve.trial))
            continue;
        if (curve.trial == job.bestTrial)
            best = &curve;
        else if (curve.trial == job.currentTrial)
            current = &curve;
        else if (job.colors.contains(curve.trial))
            colored.push_back(&curve);
        else if (!job.isSummary && !job.selected.contains(curve.trial))
            draw(curve, job.each, 1);
    }
    const bool areFew = !job.isSummary || job.selected.size() <= mostBesideSummary;
    for (const SeriesCurve& curve : job.data->curves) {
        if (areFew && job.selected.contains(curve.trial) && !job.colors.contains(curve.trial) && &curve != current
            && &curve != best && !job.hidden.contains(curve.trial))
            draw(curve, job.chosen, 1);
    }
    for (const SeriesCurve* curve : colored)
        draw(*curve, job.colors.value(curve->trial), 1.5);
    if (current)
        draw(*current, job.colors.value(current->trial, job.current), 2.25);
    if (best)
        draw(*best, job.colors.value(best->trial, job.best), 1.75);
}

void paintDots(QPainter& painter, const QRectF& plot, const DotJob& job)
{
    if (job.range.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto draw = [&](const Dot& dot, double radius) {
        const double x = job.range.across(dot.x);
        const double y = job.range.up(dot.y);
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
            painter.drawEllipse(
                QPointF(plot.left() + x * plot.width(), plot.bottom() - y * plot.height()), radius, radius);
    };
    painter.setPen(Qt::NoPen);
    for (const bool isChosen : {false, true}) {
        painter.setBrush(isChosen ? job.chosen : job.each);
        for (const Dot& dot : job.dots) {
            if (dot.isChosen == isChosen && !dot.color.isValid())
                draw(dot, isChosen ? 3 : 2);
        }
    }
    painter.setPen(QPen(job.rim, 1));
    for (const Dot& dot : job.dots) {
        if (!dot.color.isValid())
            continue;
        painter.setBrush(dot.color);
        draw(dot, 4);
    }
}

std::vector<QPointF> bestSteps(const SeriesCurve& curve, bool maximize)
{
    std::vector<QPointF> out;
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const SeriesColumn& column : curve.columns) {
        const double value = maximize ? column.max : column.min;
        if (!std::isfinite(value) || !(std::isnan(best) || (maximize ? value > best : value < best)))
            continue;
        const double x = column.count == 1 || value == column.first ? column.firstX : column.lastX;
        if (!out.empty())
            out.emplace_back(x, best);
        out.emplace_back(x, value);
        best = value;
    }
    if (!out.empty() && !curve.columns.empty() && curve.columns.back().lastX > out.back().x())
        out.emplace_back(curve.columns.back().lastX, best);
    return out;
}

} // namespace ui::charts
