// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/series_loader.h"

#include <QHash>
#include <QPointF>

#include <memory>
#include <optional>

namespace ui::charts {

/// A value of a curve, and the same smoothed.
struct CurvePoint
{
    const models::SeriesCurve* curve = nullptr;
    double x = 0;
    double raw = 0;
    double shown = 0; ///< smoothed, if the curves are

    [[nodiscard]] QPointF at() const { return {x, shown}; }
    bool operator==(const CurvePoint&) const = default;
};

/// Finds the curves near a place in a time that does not grow with their number. Immutable, so it can be built on one thread and used
/// on another; building takes about as long as drawing the curves once.
class CurveIndex
{
public:
    /// Of the curves between `left` and `right`. `smoothing` as in CurveJob.
    CurveIndex(models::SeriesDataPtr data, double left, double right, double smoothing);

    /// The values at a place of the curves that pass it within `reach`, the nearest curve first, and how many more there are.
    struct Near
    {
        std::vector<CurvePoint> points;
        qsizetype more = 0;
    };
    [[nodiscard]] Near near(QPointF at, QPointF reach, size_t most) const;
    /// The curve's value that was reported nearest to x; none if the curve has ended or not begun there, or is not known.
    [[nodiscard]] std::optional<CurvePoint> valueAt(const core::TrialId& trial, double x) const;
    /// The curve's largest or smallest value.
    [[nodiscard]] std::optional<CurvePoint> bestOf(const core::TrialId& trial, bool maximize) const;
    [[nodiscard]] const std::vector<models::SeriesCurve>& curves() const { return m_data->curves; }
    [[nodiscard]] const models::SeriesCurve* curve(const core::TrialId& trial) const;

private:
    struct Entry
    {
        float y = 0;
        quint32 curve = 0;
    };
    /// Both in ascending order of y.
    struct Cell
    {
        std::vector<Entry> lines;  ///< one per curve that passes: its value there, between two reported ones if need be
        std::vector<Entry> spikes; ///< extremes inside of the cell that the line does not show
    };

    void add(quint32 number, const models::SeriesCurve& curve);
    [[nodiscard]] std::optional<CurvePoint> nearestValue(
        const models::SeriesCurve& curve, QPointF at, QPointF reach) const;
    [[nodiscard]] double shownAt(const models::SeriesCurve& curve, double x, double raw) const;

    models::SeriesDataPtr m_data;
    double m_left;
    double m_step; ///< width of a cell
    double m_smoothing;
    std::vector<Cell> m_cells;
    QHash<core::TrialId, quint32> m_numbers;
};

} // namespace ui::charts
