// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_card.h"
#include "chart_selection.h"
#include "parallel_data.h"

class QComboBox;
class QStackedWidget;

namespace ui {

class MarkupLabel;
namespace charts {
class DotChart;
}

/// Parameters against results: all of them side by side, where ranges can be brushed, or two of them as a scatter.
class ParametersCard : public ChartCard
{
    Q_OBJECT
public:
    ParametersCard(const PageContext& context, const models::TrialModel& model, QWidget* parent = nullptr);

    /// Another experiment: axes are chosen anew, brushes are gone.
    void reset();
    /// The trials of the model as they are now.
    void refresh();
    void setSelection(const ChartSelection& selection);

    /// What the brushes say, as long as they are what the choice came from.
    [[nodiscard]] const BrushWords& brushed() const { return m_brushed; }
    [[nodiscard]] QSet<core::TrialId> brushedTrials() const;
    void clearBrushes();
    /// The choice comes from somewhere else now.
    void forgetBrushWords() { m_brushed = {}; }

    [[nodiscard]] bool isScatter() const;
    [[nodiscard]] charts::ParallelCoordinates* parallel() const { return m_parallel; }
    [[nodiscard]] charts::DotChart* scatter() const { return m_scatter; }

signals:
    void brushesChanged();
    void trialPressed(const core::TrialId& trial);

private:
    void showKind(int which);
    void showParallel();
    void showScatter();
    void fillBoxes();
    void showLegend();
    void openAxes();
    void setAxis(const QString& name, bool shown);
    void moveAxis(int from, int to);
    [[nodiscard]] QStringList axisNames() const;
    [[nodiscard]] QList<int> shownColumns() const;
    [[nodiscard]] core::ExperimentPtr experiment() const;

    const models::TrialModel& m_model;
    core::TrialId m_best;
    QStringList m_axes; ///< names in the order of the person; empty: as they come
    BrushWords m_brushed;
    QLabel* m_hint;
    MarkupLabel* m_legend;
    QComboBox* m_across;
    QComboBox* m_up;
    QToolButton* m_axesButton;
    QStackedWidget* m_stack;
    charts::ParallelCoordinates* m_parallel;
    charts::DotChart* m_scatter;
};

} // namespace ui
