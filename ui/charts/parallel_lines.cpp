// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallel_lines.h"

#include <QPainterPath>

#include <algorithm>
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

/// How far a curve between two axes has come from the one to the other, at `across` of the way between them (0 to 1): what pathOfLine() draws.
double riseAt(double across)
{
    double low = 0;
    double high = 1;
    for (int i = 0; i < 20; ++i) {
        const double t = (low + high) / 2;
        (1.5 * t * (1 - t) + t * t * t < across ? low : high) = t;
    }
    return low * low * (3 - 2 * low);
}

} // namespace

const ParallelLine* lineNear(const LinesJob& job, QPointF at, double reach)
{
    if (!job.lines || job.x.size() < 2 || at.x() < job.x.front() || at.x() > job.x.back())
        return nullptr;
    const auto after = std::upper_bound(job.x.begin(), job.x.end(), at.x());
    const size_t right = std::min(size_t(after - job.x.begin()), job.x.size() - 1);
    const double across = (at.x() - job.x[right - 1]) / (job.x[right] - job.x[right - 1]);
    const double rise = job.lines->size() <= mostCurved ? riseAt(across) : across;
    const double wanted = (job.bottom - at.y()) / std::max(1.0, job.bottom - job.top);
    const double most = reach / std::max(1.0, job.bottom - job.top);
    const ParallelLine* nearest = nullptr;
    double least = most;
    bool isChosen = false;
    for (const ParallelLine& line : *job.lines) {
        if (line.places.size() <= right)
            continue;
        const double from = double(line.places[right - 1]);
        const double far = std::abs(from + (double(line.places[right]) - from) * rise - wanted);
        if (!(far <= most) || (isChosen && far >= least)) // not, where a place is NaN
            continue;
        const bool isOne = job.selected.contains(line.trial) || job.colors.contains(line.trial);
        if ((!isOne && (isChosen || (nearest && far >= least))) || job.hidden.contains(line.trial))
            continue;
        nearest = &line;
        least = far;
        isChosen = isOne;
    }
    return nearest;
}

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
