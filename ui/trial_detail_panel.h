// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "page.h"

#include "services/core/records.h"
#include "services/engine/change.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QTabWidget;
class QToolButton;
class QTreeWidget;

namespace models {
class TrialDetails;
}

namespace ui {

class LogView;
class StateLabel;
namespace charts {
class MetricChart;
}

/// What is known of one trial: a sentence first, then its curve, log, parameters, events and files. Follows the current trial of
/// the selection. GUI thread.
class TrialDetailPanel : public QWidget
{
    Q_OBJECT
public:
    enum Tab { summary_tab, curve_tab, log_tab, parameters_tab, events_tab, files_tab };

    explicit TrialDetailPanel(const PageContext& context, QWidget* parent = nullptr);

    void showTab(Tab tab);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void closeWanted();
    void trialChanged();
    /// A sharp curve stands (or there is none to draw).
    void ready();

private:
    void follow();
    void take(const engine::Change& change);
    void showHeader();
    void showParameters();
    void showEvents();
    void showFiles();
    void openMenu();
    void openFile(const QString& path, bool save);
    void tabChanged();
    [[nodiscard]] QString sentence(const core::Trial& trial) const;
    [[nodiscard]] QString nextSentence(const core::Trial& trial) const;
    [[nodiscard]] core::ExperimentPtr experiment() const;

    PageContext m_context;
    core::TrialPtr m_trial;
    models::TrialDetails* m_details;
    QTimer m_clock;
    QWidget* m_body;
    QLabel* m_nothing;
    QLabel* m_star;
    QLabel* m_title;
    StateLabel* m_state;
    QLabel* m_sentence;
    QLabel* m_next;
    QPushButton* m_act;
    QPushButton* m_copy;
    QPushButton* m_open;
    QTabWidget* m_tabs;
    QLabel* m_metric;
    charts::MetricChart* m_smallCurve;
    charts::MetricChart* m_curve;
    QWidget* m_values; ///< the first parameters, below the curve
    LogView* m_smallLog;
    LogView* m_log;
    QTreeWidget* m_parameters;
    QTreeWidget* m_events;
    QTreeWidget* m_files;
    QLabel* m_filesMessage;
};

} // namespace ui
