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

    void showTrials(const models::TrialTable& table);
    void setSelection(const ChartSelection& selection);
    /// The trial of the last step of the line; empty if there are no values.
    [[nodiscard]] const core::TrialId& bestTrial() const { return m_best; }
    [[nodiscard]] charts::DotChart* chart() const { return m_chart; }

signals:
    void trialPressed(const core::TrialId& trial, bool isAdded);

private:
    void showLegend();

    LegendLabel* m_legend;
    charts::DotChart* m_chart;
    core::TrialId m_best;
};

} // namespace ui
