// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "curve_index.h"

#include <QColor>
#include <QObject>
#include <QSet>

namespace ui {
class Theme;
}

namespace ui::charts {

class PlotView;

/// The crosshair of a plot of curves: the values of the curves near the pointer, as a list and as marks, and the values of a few trials
/// at its place. Curves are looked up in an index, which is built on a pool thread when the pointer comes and after the curves have
/// changed; until it is ready the former one serves. GUI thread.
class CurveHover : public QObject
{
    Q_OBJECT
public:
    CurveHover(Theme& theme, PlotView& plot, QObject* parent = nullptr);

    /// `data` may be null. `smoothing` as in CurveJob.
    void setCurves(const models::SeriesDataPtr& data, double smoothing);
    /// The trials with a colour of their own, which are marked wherever the pointer is, and those that are not drawn.
    void setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden);
    void setNumbers(std::function<QString(const core::TrialId&)> number) { m_number = std::move(number); }
    void setPlaces(std::function<QString(double)> text) { m_placeText = std::move(text); }
    /// Marks the best value of a trial over which the pointer is in another chart; an empty id: of none.
    void showTrial(const core::TrialId& trial, bool maximize);

    /// The place on the x axis; none while the pointer is elsewhere.
    [[nodiscard]] std::optional<double> place() const { return m_place; }
    [[nodiscard]] QString placeText() const;
    [[nodiscard]] std::optional<CurvePoint> valueOf(const core::TrialId& trial) const;
    /// Null while the curves have not been looked up yet, or if the trial has none.
    [[nodiscard]] const models::SeriesCurve* curve(const core::TrialId& trial) const
    {
        return m_index ? m_index->curve(trial) : nullptr;
    }
    /// The trial whose curve is nearest to the pointer; empty: none is near.
    [[nodiscard]] const core::TrialId& nearest() const { return m_nearest; }
    [[nodiscard]] bool isReady() const { return m_index && !m_isStale; }

signals:
    /// The pointer is on the curve of another trial, or on none (empty).
    void trialHovered(const core::TrialId& trial);
    /// The place, or a value there, has changed.
    void changed();

private:
    void build();
    void show();
    void addFew(std::vector<CurvePoint>& points, double x) const;
    void leave();
    void setNearest(const core::TrialId& trial);
    [[nodiscard]] QColor colorOf(const core::TrialId& trial) const;

    Theme& m_theme;
    PlotView& m_plot;
    models::SeriesDataPtr m_data;
    double m_smoothing = 0;
    std::shared_ptr<const CurveIndex> m_index;
    bool m_isStale = true; ///< the index is of former curves
    bool m_isBuilding = false;
    QHash<core::TrialId, QColor> m_colors;
    QSet<core::TrialId> m_hidden;
    std::function<QString(const core::TrialId&)> m_number;
    std::function<QString(double)> m_placeText;
    std::optional<std::pair<QPointF, QPointF>> m_pointer; ///< in units, with the reach
    std::optional<double> m_place;
    core::TrialId m_nearest;
    core::TrialId m_elsewhere; ///< hovered in another chart
    bool m_maximize = true;
};

} // namespace ui::charts
