// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallel_lines.h"

#include <QPainterPath>

#include <cmath>
#include <optional>

namespace ui::charts {

namespace {

/// With more lines than this they cannot be distinguished, and only every n-th is drawn.
constexpr size_t mostLines = 20'000;
constexpr size_t mostCurved = 4'000;

std::optional<QPointF> pointOf(const ParallelLine& line, const LinesJob& job, size_t axis)
{
    const double place = double(line.places[axis]);
    if (std::isnan(place))
        return {};
    return QPointF(job.x[axis], job.bottom - place * (job.bottom - job.top));
}

QPainterPath pathOfLine(const ParallelLine& line, const LinesJob& job, bool isCurved)
{
    QPainterPath path;
    std::optional<QPointF> former;
    for (size_t i = 0; i < job.x.size() && i < line.places.size(); ++i) {
        const std::optional<QPointF> at = pointOf(line, job, i);
        if (at && !former) {
            path.moveTo(*at);
        } else if (at && isCurved) {
            const double middle = (former->x() + at->x()) / 2;
            path.cubicTo(QPointF(middle, former->y()), QPointF(middle, at->y()), *at);
        } else if (at) {
            path.lineTo(*at);
        }
        former = at;
    }
    return path;
}

} // namespace

void paintLines(QPainter& painter, const LinesJob& job)
{
    if (!job.lines || job.x.empty())
        return;
    const bool isCurved = job.lines->size() <= mostCurved;
    const size_t stride = job.lines->size() / mostLines + 1;
    painter.setRenderHint(QPainter::Antialiasing, isCurved);
    painter.setBrush(Qt::NoBrush);
    const ParallelLine* current = nullptr;
    const ParallelLine* best = nullptr;
    std::vector<const ParallelLine*> colored;
    std::vector<std::vector<const ParallelLine*>> byHeat(job.heat.size());
    painter.setPen(QPen(job.each, 1));
    for (size_t i = 0; i < job.lines->size(); ++i) {
        const ParallelLine& line = (*job.lines)[i];
        const bool isSelected = job.selected.contains(line.trial);
        if (job.hidden.contains(line.trial))
            continue;
        if (line.trial == job.best)
            best = &line;
        else if (line.trial == job.current)
            current = &line;
        else if (job.colors.contains(line.trial))
            colored.push_back(&line);
        else if ((isSelected || (job.areAllHeated && i % stride == 0)) && line.heat >= 0
            && size_t(line.heat) < byHeat.size())
            byHeat[size_t(line.heat)].push_back(&line);
        else if (isSelected || i % stride == 0)
            painter.drawPath(pathOfLine(line, job, isCurved));
    }
    for (size_t step = 0; step < byHeat.size(); ++step) {
        painter.setPen(QPen(job.heat[step], job.areAllHeated ? 1 : 1.25));
        for (const ParallelLine* line : byHeat[step])
            painter.drawPath(pathOfLine(*line, job, isCurved));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ParallelLine* line : colored) {
        painter.setPen(QPen(job.colors.value(line->trial), 1.5));
        painter.drawPath(pathOfLine(*line, job, isCurved));
    }
    for (const auto& [line, color] : {std::pair(current, job.accent), std::pair(best, job.ink)}) {
        if (!line)
            continue;
        painter.setPen(QPen(job.colors.value(line->trial, color), 2));
        painter.drawPath(pathOfLine(*line, job, isCurved));
    }
}

void paintMarkedLine(
    QPainter& painter, const LinesJob& job, const ParallelLine& line, const QColor& color, const QColor& rim)
{
    const QPainterPath path = pathOfLine(line, job, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(rim, 5));
    painter.drawPath(path);
    painter.setPen(QPen(color, 2.25));
    painter.drawPath(path);
    painter.setPen(QPen(rim, 1.5));
    painter.setBrush(color);
    for (size_t i = 0; i < job.x.size() && i < line.places.size(); ++i) {
        if (const std::optional<QPointF> at = pointOf(line, job, i))
            painter.drawEllipse(*at, 4.5, 4.5);
    }
}

} // namespace ui::charts
