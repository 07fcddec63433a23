// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

class QGridLayout;
class QLabel;
class QStackedLayout;
class QTableWidget;
class QVBoxLayout;

namespace ui {

class BestChart;
class MarkupLabel;
class StateBar;
class StateLabel;

/// Overview of one experiment: progress, forecast, best trial, objective over trials, failures, and latest events. Before the
/// first experiment it shows the four cards of the first run.
class OverviewPage : public Page
{
    Q_OBJECT
public:
    /// `start`: shown while there is no experiment; it becomes a child of the page.
    OverviewPage(const PageContext& context, QWidget* start, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Overview"); }
    void setExperiment(const core::ExperimentId& experiment) override;
    void showRecord(const QString& id) override; ///< `start`: the cards of the first run
    void shown() override;

private:
    QWidget* buildOverview();
    void refreshSoon();
    void refresh();
    void refreshBest(const std::vector<core::TrialPtr>& trials, const core::Experiment* experiment);
    void refreshFailures(const std::vector<core::TrialPtr>& trials);

    core::ExperimentId m_experiment;
    bool m_wantsStart = false;
    QTimer* m_later;
    QStackedLayout* m_stack;
    QWidget* m_start;
    QWidget* m_overview;
    QLabel* m_name;
    StateLabel* m_state;
    QLabel* m_started;
    QLabel* m_forecast;
    MarkupLabel* m_bestText;
    StateBar* m_bar;
    QLabel* m_counts;
    QLabel* m_chartTitle;
    BestChart* m_chart;
    QTableWidget* m_best;
    QVBoxLayout* m_failures;
    QLabel* m_message;
};

} // namespace ui
