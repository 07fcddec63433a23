// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/change.h"
#include "services/core/records.h"
#include "ui/kit/page.h"

class QLabel;
class QTabWidget;

namespace models {
class TrialDetails;
}

namespace ui {

class LogView;
class TrialHeader;
class TrialParametersTab;
class TrialSummaryTab;
namespace charts {
class MetricChart;
}

/// Details of one trial: sentences in a header, then tabs with its curve, log, parameters, events and files. Follows the current
/// trial of the selection. GUI thread.
class TrialDetailPanel : public QWidget
{
    Q_OBJECT
public:
    enum Tab { summary_tab, curve_tab, log_tab, parameters_tab, events_tab, files_tab };

    explicit TrialDetailPanel(const PageContext& context, QWidget* parent = nullptr);

    void showTab(Tab tab);
    /// Whether the header names the trial's experiment.
    void setExperimentNamed(bool isNamed);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void closeWanted();
    void trialChanged();
    /// The curve was painted, or there is none to paint.
    void ready();

private:
    void makeTabs();
    void follow();
    void take(const api::Change& change);
    void showTrial();
    void readTab();
    [[nodiscard]] core::ExperimentPtr experiment() const;

    PageContext m_context;
    core::TrialPtr m_trial;
    models::TrialDetails* m_details;
    QLabel* m_nothing;
    QWidget* m_body;
    TrialHeader* m_header;
    QTabWidget* m_tabs;
    TrialSummaryTab* m_summary;
    charts::MetricChart* m_curve;
    LogView* m_log;
    TrialParametersTab* m_parameters;
};

} // namespace ui
