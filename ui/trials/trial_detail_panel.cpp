// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_detail_panel.h"

#include "trial_events_tab.h"
#include "trial_files_tab.h"
#include "trial_header.h"
#include "trial_parameters_tab.h"
#include "trial_summary_tab.h"

#include "models/engine_mirror.h"
#include "models/selection.h"
#include "models/trials/trial_details.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/log_view.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QTabBar>
#include <QTabWidget>

namespace ui {

namespace {

/// A tab bar without scroll arrows; its six tabs fit into the narrowest inspector.
class NarrowTabBar : public QTabBar
{
public:
    using QTabBar::QTabBar;

protected:
    QSize tabSizeHint(int index) const override
    {
        return {fontMetrics().horizontalAdvance(tabText(index)) + 12, QTabBar::tabSizeHint(index).height()};
    }
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
};

class NarrowTabs : public QTabWidget
{
public:
    explicit NarrowTabs(QWidget* parent)
        : QTabWidget(parent)
    {
        setTabBar(new NarrowTabBar(this));
    }
};

} // namespace

TrialDetailPanel::TrialDetailPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_details(new models::TrialDetails(context.mirror.client(), this))
    , m_nothing(makeQuietLabel(tr("Select a trial to see its curve, log and files."), TextSize::body, this))
    , m_body(new QWidget(this))
    , m_header(new TrialHeader(context, m_body))
    , m_tabs(new NarrowTabs(m_body))
{
    setMinimumWidth(metrics::inspectorLeast);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    makeTabs();
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(m_header);
    body->addWidget(m_tabs, 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_nothing);
    whole->addWidget(m_body);

    connect(m_header, &TrialHeader::closeWanted, this, &TrialDetailPanel::closeWanted);
    connect(m_tabs, &QTabWidget::currentChanged, this, &TrialDetailPanel::readTab);
    connect(m_details, &models::TrialDetails::logNamesChanged, this, [this] {
        for (LogView* log : {m_summary->log(), m_log})
            log->setNames(m_details->logNames(), m_details->outputLog());
    });
    for (LogView* log : {m_summary->log(), m_log})
        connect(log, &LogView::namesWanted, m_details, &models::TrialDetails::readLogNames);
    connect(m_summary->curve(), &charts::MetricChart::ready, this, &TrialDetailPanel::ready);
    connect(&context.selection, &models::Selection::currentChanged, this, &TrialDetailPanel::follow);
    connect(
        &context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) { take(*change); });
    follow();
}

/// In the order of `Tab`.
void TrialDetailPanel::makeTabs()
{
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("What is known of the trial"));
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setDrawBase(true);
    m_summary = new TrialSummaryTab(m_context, this);
    m_curve = new charts::MetricChart(m_context.theme, m_context.mirror.client(), this);
    auto* curvePage = new QWidget(this);
    auto* curveLayout = new QVBoxLayout(curvePage);
    curveLayout->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::margin);
    curveLayout->addWidget(m_curve);
    m_log = new LogView(m_context.theme, m_context.mirror.client(), this);
    m_parameters = new TrialParametersTab(this);
    m_tabs->addTab(m_summary, tr("Summary"));
    m_tabs->addTab(curvePage, tr("Curve"));
    m_tabs->addTab(m_log, tr("Log"));
    m_tabs->addTab(m_parameters, tr("Parameters"));
    m_tabs->addTab(new TrialEventsTab(*m_details, this), tr("Events"));
    m_tabs->addTab(new TrialFilesTab(m_context, *m_details, this), tr("Files"));
}

QSize TrialDetailPanel::sizeHint() const
{
    return {440, 600};
}

void TrialDetailPanel::setExperimentNamed(bool isNamed)
{
    m_header->setExperimentNamed(isNamed);
}

core::ExperimentPtr TrialDetailPanel::experiment() const
{
    return m_trial ? m_context.mirror.state().experiments().find(m_trial->experimentId) : nullptr;
}

void TrialDetailPanel::follow()
{
    const core::TrialPtr trial = m_context.mirror.state().trial(m_context.selection.current());
    const bool isOther = !trial || !m_trial || trial->id != m_trial->id;
    m_trial = trial;
    m_nothing->setVisible(!trial);
    m_body->setVisible(bool(trial));
    if (isOther) {
        m_details->setTrial(trial ? trial->id : core::TrialId());
        const core::ExperimentPtr of = experiment();
        for (charts::MetricChart* chart : {m_summary->curve(), m_curve}) {
            if (of)
                chart->setObjective(of->spec.objective);
            chart->setTrials(trial ? QList<core::TrialId>{trial->id} : QList<core::TrialId>());
        }
        m_details->readLogNames();
        readTab();
        emit trialChanged();
    }
    showTrial();
}

void TrialDetailPanel::take(const api::Change& change)
{
    if (change.full) {
        follow();
        return;
    }
    for (const core::TrialPtr& trial : change.trials) {
        if (!m_trial || trial->id != m_trial->id)
            continue;
        const core::TrialPtr before = m_trial;
        m_trial = trial;
        showTrial();
        if (trial->metricCount != before->metricCount) {
            m_summary->curve()->refresh();
            m_curve->refresh();
        }
        if (trial->startTime != before->startTime)
            m_details->readLogNames();
        if (trial->status != before->status || trial->reason != before->reason)
            readTab();
    }
}

void TrialDetailPanel::showTrial()
{
    m_header->setTrial(m_trial);
    m_summary->setTrial(m_trial, experiment());
    m_log->setTrial(m_trial.get());
    m_parameters->setTrial(m_trial, experiment());
}

/// Requests the data of the current tab that is only read when it is shown.
void TrialDetailPanel::readTab()
{
    if (m_tabs->currentIndex() == events_tab)
        m_details->readEvents();
    else if (m_tabs->currentIndex() == files_tab)
        m_details->readFiles();
}

void TrialDetailPanel::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
    if (tab == log_tab)
        m_log->setFocus();
}

} // namespace ui
