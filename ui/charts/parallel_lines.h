// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the lines of parallel coordinates. Pure functions; callable on any thread.
#pragma once

#include "services/core/ids.h"

#include <QColor>
#include <QHash>
#include <QPainter>
#include <QSet>

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace ui::charts {

struct ParallelLine
{
    core::TrialId trial;
    std::vector<float> places; ///< one per axis, 0 to 1; NaN: none
    int heat = -1;             ///< step of the objective's colour (Theme::heatStep()); -1: it has no value

    bool operator==(const ParallelLine&) const = default;
};

struct LinesJob
{
    std::shared_ptr<const std::vector<ParallelLine>> lines;
    std::vector<double> x; ///< of the axes
    double top = 0;
    double bottom = 0;
    QSet<core::TrialId> selected;
    core::TrialId current;
    core::TrialId best;
    QHash<core::TrialId, QColor> colors; ///< of the few trials that have one of their own
    QSet<core::TrialId> hidden;
    bool areAllHeated = false; ///< the colour of the objective is of all lines, otherwise of the selected ones
    QColor each;               ///< of lines without a colour of the objective
    std::vector<QColor> heat;  ///< by step, with alpha
    QColor accent;
    QColor ink;
};

/// The line that passes `at` most closely, at most `reach` pixels above or below it, between the two axes next to it; of those that are hidden
/// none, and of those that are selected or have a colour of their own before others. Null if there is none.
[[nodiscard]] const ParallelLine* lineNear(const LinesJob& job, QPointF at, double reach);

/// Worse lines first, so that the best are above; then those with a colour of their own, the current one and the best one.
void paintLines(QPainter& painter, const LinesJob& job);
/// One line above all others, with a dot on each axis and a rim in `rim`.
void paintMarkedLine(
    QPainter& painter, const LinesJob& job, const ParallelLine& line, const QColor& color, const QColor& rim);

} // namespace ui::charts
