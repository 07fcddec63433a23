// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plot_export.h"

#include "services/core/ids.h"

#include <QHash>
#include <QSet>
#include <QWidget>

#include <optional>
#include <vector>

namespace ui {
class Theme;
}

namespace ui::charts {

class PlotView;

struct TrialDot
{
    core::TrialId trial;
    double x = 0;
    double y = 0;
};

/// A chart with one dot per trial: one column over another, or the objective over the trials with a step line of the best so far.
/// GUI thread.
class DotChart : public QWidget
{
    Q_OBJECT
public:
    explicit DotChart(Theme& theme, QWidget* parent = nullptr);

    /// `steps` is a step line drawn above the dots; `marker` is a labelled point.
    void setDots(std::vector<TrialDot> dots, bool logX, bool logY);
    void setSteps(std::vector<QPointF> steps, std::optional<QPointF> marker, const QString& markerText);
    void setSelection(const QSet<core::TrialId>& selected, const core::TrialId& current = {});
    /// The few trials with a colour of their own, and those that are not drawn.
    void setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden = {});
    /// Marks a trial over which the pointer is in another chart; an empty id: none.
    void setHovered(const core::TrialId& trial);
    /// The function that returns the words about a dot under the pointer.
    void setHoverText(std::function<QString(const TrialDot&)> text) { m_text = std::move(text); }
    void setMessage(const QString& text);
    [[nodiscard]] PlotView* plot() const { return m_plot; }
    [[nodiscard]] core::Result<> exportImage(const QString& file, const PictureText& text);

signals:
    /// `isAdded`: with Ctrl, to add the trial to the selection or to take it out.
    void trialPressed(const core::TrialId& trial, bool isAdded);
    /// The pointer is on another dot, or on none (empty).
    void trialHovered(const core::TrialId& trial);
    void imageReady();

private:
    void apply();
    void showCrosshair();
    [[nodiscard]] const TrialDot* dotAt(QPointF at, QPointF reach) const;

    Theme& m_theme;
    PlotView* m_plot;
    std::vector<TrialDot> m_dots; ///< in ascending order of x
    QHash<core::TrialId, size_t> m_places;
    std::vector<QPointF> m_steps;
    QSet<core::TrialId> m_selected;
    core::TrialId m_current;
    QHash<core::TrialId, QColor> m_colors;
    QSet<core::TrialId> m_hidden;
    core::TrialId m_hovered;
    bool m_isHere = false; ///< the pointer is in this chart
    std::function<QString(const TrialDot&)> m_text;
};

} // namespace ui::charts
