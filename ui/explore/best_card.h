// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_card.h"
#include "chart_selection.h"

namespace models {
class TrialTable;
}

namespace ui {

class LegendLabel;
namespace charts {
class DotChart;
}

/// A chart of each trial's best value over trial numbers, with the best so far as a step line.
class BestCard : public ChartCard
{
    Q_OBJECT
public:
    explicit BestCard(const PageContext& context, QWidget* parent = nullptr);

    void showTrials(const models::TrialTable& table, const core::ExperimentId& experiment);
    void setSelection(const ChartSelection& selection);
    /// The trial of the last step of the line; empty if there are no values.
    [[nodiscard]] const core::TrialId& bestTrial() const { return m_best; }
    [[nodiscard]] charts::DotChart* chart() const { return m_chart; }
    [[nodiscard]] core::Result<> exportImage(const QString& file);

signals:
    void trialPressed(const core::TrialId& trial, bool isAdded);

private:
    void showLegend();

    LegendLabel* m_legend;
    charts::DotChart* m_chart;
    core::TrialId m_best;
    core::ExperimentId m_experiment;
    QString m_metric;
    ChartSelection m_selection;
};

} // namespace ui
