// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_summary_tab.h"

#include "note_view.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "models/trials/parameters_text.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/log_view.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QSettings>

using namespace Qt::StringLiterals;

namespace ui {

constexpr int mostValues = 4;

TrialSummaryTab::TrialSummaryTab(const PageContext& context, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_context(context)
{
    m_curve = new charts::MetricChart(context.theme, context.mirror.client(), this);
    m_note = new NoteView(context, this);
    m_title = new MarkupLabel(TextSize::body, QFont::DemiBold, this);
    m_values = new QWidget(this);
    auto* upper = new QWidget(this);
    auto* layout = new QVBoxLayout(upper);
    layout->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::gap);
    layout->setSpacing(metrics::tight);
    layout->addWidget(m_note);
    layout->addWidget(m_title);
    layout->addWidget(m_curve, 1);
    layout->addWidget(m_values);
    m_log = new LogView(context.theme, context.mirror.client(), this);
    setChildrenCollapsible(false);
    addWidget(upper);
    addWidget(m_log);
    // Additional height goes to the log first.
    setStretchFactor(0, 1);
    setStretchFactor(1, 2);
    setSizes({280, 300});
    const QString key = u"window/summarySplitter"_s;
    restoreState(QSettings().value(key).toByteArray());
    setOrientation(Qt::Vertical); // whatever a settings file of another program says
    connect(this, &QSplitter::splitterMoved, this, [this, key] { QSettings().setValue(key, saveState()); });
    connect(&context.theme, &Theme::changed, this, &TrialSummaryTab::showTitle);
}

void TrialSummaryTab::setTrial(const core::TrialPtr& trial, const core::ExperimentPtr& experiment)
{
    m_log->setTrial(trial.get());
    m_note->setTrial(trial);
    if (experiment && experiment->spec.objective.metric != m_metric) {
        m_metric = experiment->spec.objective.metric;
        showTitle();
    }
    const QByteArray parameters = trial ? trial->parameters : QByteArray();
    if (parameters != m_parameters) {
        m_parameters = parameters;
        showParameters();
    }
}

void TrialSummaryTab::showTitle()
{
    m_title->setMarkup(u"%1 <span style=\"font-weight:400\">%2</span>"_s.arg(
        models::printable(m_metric, 40).toHtmlEscaped(), coloured("text2", tr("by step"))));
}

/// Shows the first few parameters in a row below the curve.
void TrialSummaryTab::showParameters()
{
    delete m_values->layout();
    qDeleteAll(m_values->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    auto* grid = new QGridLayout(m_values);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(metrics::margin);
    grid->setVerticalSpacing(0);
    int column = 0;
    for (const auto& [name, value] : models::parameterList(m_parameters).mid(0, mostValues)) {
        grid->addWidget(makeQuietLabel(models::printable(name, 24), TextSize::header, m_values), 0, column);
        QLabel* shown = makeLabel(models::shortParameter(value), TextSize::body, QFont::Normal, m_values);
        shown->setToolTip(models::printable(value, 2000));
        makeSelectable(shown);
        grid->addWidget(shown, 1, column++);
    }
    grid->setColumnStretch(column, 1);
    m_values->setVisible(column > 0);
}

} // namespace ui
