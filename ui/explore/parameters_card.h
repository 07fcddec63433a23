// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_card.h"
#include "chart_selection.h"
#include "parallel_data.h"

class QComboBox;
class QStackedWidget;

namespace ui {

class HeatKey;
class LegendLabel;
class MarkupLabel;
namespace charts {
class DotChart;
}

/// A chart of parameters and results: parallel coordinates, in which ranges can be brushed, or a scatter plot of two columns.
class ParametersCard : public ChartCard
{
    Q_OBJECT
public:
    ParametersCard(const PageContext& context, const models::TrialModel& model, QWidget* parent = nullptr);

    /// Call for another experiment: resets axes and brushes.
    void reset();
    /// Updates the chart from the model's trials.
    void refresh();
    void setSelection(const ChartSelection& selection);

    /// The brushes as text; empty if the current selection was not made by brushes.
    [[nodiscard]] const BrushWords& brushed() const { return m_brushed; }
    [[nodiscard]] QSet<core::TrialId> brushedTrials() const;
    void clearBrushes();
    /// Call when the selection was made elsewhere.
    void forgetBrushWords() { m_brushed = {}; }

    [[nodiscard]] bool isScatter() const;
    /// Marks a trial over which the pointer is in another chart; an empty id: none.
    void setHovered(const core::TrialId& trial);
    /// The chart that is shown, and the numbers in it: number, id and the shown columns of each trial, in the format of the trials
    /// table's export.
    [[nodiscard]] core::Result<> exportImage(const QString& file);
    [[nodiscard]] QByteArray csv() const;
    [[nodiscard]] charts::ParallelCoordinates* parallel() const { return m_parallel; }
    [[nodiscard]] charts::DotChart* scatter() const { return m_scatter; }

signals:
    void brushesChanged();
    void trialPressed(const core::TrialId& trial, bool isAdded);
    /// The pointer is on another trial's dot, or on none (empty).
    void trialHovered(const core::TrialId& trial);

private:
    void showKind(int which);
    void showParallel();
    void showScatter();
    void fillBoxes();
    void showLegend();
    void openAxes();
    void setAxis(const QString& name, bool shown);
    void moveAxis(int from, int to);
    [[nodiscard]] bool hasHeat() const;
    [[nodiscard]] QStringList axisNames() const;
    [[nodiscard]] QList<int> shownColumns() const;
    [[nodiscard]] core::ExperimentPtr experiment() const;

    const models::TrialModel& m_model;
    ChartSelection m_selection;
    QStringList m_axes; ///< names in the user's order; empty: in column order
    BrushWords m_brushed;
    LegendLabel* m_hint;
    MarkupLabel* m_legend;
    HeatKey* m_key;
    QComboBox* m_across;
    QComboBox* m_up;
    QToolButton* m_axesButton;
    QStackedWidget* m_stack;
    charts::ParallelCoordinates* m_parallel;
    charts::DotChart* m_scatter;
};

} // namespace ui
