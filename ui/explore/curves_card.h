// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_card.h"
#include "chart_selection.h"

namespace models {
class TrialModel;
}

namespace ui {

class LegendLabel;
class MarkupLabel;
class SeriesLegend;
namespace charts {
class MetricChart;
}

/// The curves of all trials, by step or time, optionally smoothed. Of more than can be loaded at once the newest ones, the best and the
/// selected ones, until all are asked for.
class CurvesCard : public ChartCard
{
    Q_OBJECT
public:
    CurvesCard(const PageContext& context, const models::TrialModel& model, QWidget* parent = nullptr);

    /// Requests the curves of the model's trials again.
    void refresh();
    void setSelection(const ChartSelection& selection);
    [[nodiscard]] charts::MetricChart* chart() const { return m_chart; }
    [[nodiscard]] core::Result<> exportImage(const QString& file);

signals:
    void ready();
    void trialPressed(const core::TrialId& trial, bool isAdded);
    void hiddenChanged(const core::TrialId& trial, bool isHidden);

private:
    [[nodiscard]] QToolButton* makeSmoothing();
    [[nodiscard]] QList<core::TrialId> chosenTrials(qsizetype& reporting) const;
    void showTitle();
    void showSeries();
    void showValues();
    [[nodiscard]] QString axisWords() const;

    const models::TrialModel& m_model;
    ChartSelection m_selection;
    MarkupLabel* m_title;
    LegendLabel* m_legend;
    QToolButton* m_all;
    SeriesLegend* m_series;
    charts::MetricChart* m_chart;
};

} // namespace ui
