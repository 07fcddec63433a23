// SPDX-License-Identifier: GPL-3.0-or-later
#include "curves_card.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "models/trials/trial_model.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/markup_label.h"

#include <QBoxLayout>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace ui {

/// With more curves than this the chart is not readable.
constexpr int mostCurves = 400;

CurvesCard::CurvesCard(const PageContext& context, const models::TrialModel& model, QWidget* parent)
    : ChartCard(context, parent)
    , m_model(model)
    , m_title(new MarkupLabel(TextSize::body, QFont::DemiBold, bar()))
    , m_legend(new MarkupLabel(TextSize::caption, QFont::Normal, bar()))
    , m_chart(new charts::MetricChart(context.theme, context.mirror.client(), this))
{
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    QWidget* axis = makeSegments(
        {tr("Step"), tr("Relative"), tr("Clock")}, 0,
        [this](int which) {
            m_chart->setAxis(models::SeriesAxis(which));
            showTitle();
        },
        bar());
    auto* logY = new QToolButton(bar());
    logY->setText(tr("Log Y"));
    logY->setCheckable(true);
    logY->setAutoRaise(true);
    line()->addWidget(m_title);
    line()->addStretch();
    line()->addWidget(m_legend);
    line()->addSpacing(metrics::gap);
    line()->addWidget(axis);
    line()->addWidget(logY);
    line()->addWidget(makeSmoothing());
    setChart(m_chart);
    m_chart->setNames([this](const core::TrialId& trial) { return nameOf(trial); });
    connect(logY, &QToolButton::toggled, m_chart, &charts::MetricChart::setLogY);
    connect(m_chart, &charts::MetricChart::ready, this, &CurvesCard::ready);
    connect(m_chart, &charts::MetricChart::trialPressed, this, &CurvesCard::trialPressed);
    connect(&context.theme, &Theme::changed, this, &CurvesCard::showTitle);
}

QToolButton* CurvesCard::makeSmoothing()
{
    auto* button = new QToolButton(bar());
    button->setText(tr("Smooth 0"));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMinimumWidth(button->fontMetrics().horizontalAdvance(tr("Smooth %1").arg(0.97)) + 40);
    auto* menu = new QMenu(button);
    for (const double weight : {0.0, 0.3, 0.6, 0.8, 0.9, 0.97}) {
        menu->addAction(QString::number(weight), this, [this, button, weight] {
            m_chart->setSmoothing(weight);
            button->setText(tr("Smooth %1").arg(weight));
        });
    }
    button->setMenu(menu);
    return button;
}

void CurvesCard::refresh()
{
    const models::TrialTable& table = m_model.table();
    QList<core::TrialId> trials;
    for (quint32 row = table.size(); row-- > 0 && trials.size() < mostCurves;) {
        if (table.trial(row).metricCount > 0)
            trials.append(table.trial(row).id);
    }
    const core::TrialId best = m_model.bestTrial();
    if (!best.isEmpty() && !trials.contains(best))
        trials.append(best);
    std::sort(trials.begin(), trials.end());
    m_chart->setObjective(table.objective());
    m_chart->setTrials(trials);
    m_chart->refresh();
    showTitle();
}

void CurvesCard::setSelection(const ChartSelection& selection)
{
    m_selection = selection;
    m_chart->setSelection(selection.chosen, selection.current, selection.best);
    showTitle();
}

void CurvesCard::showTitle()
{
    const models::SeriesAxis axis = m_chart->axis();
    const QString by = axis == models::SeriesAxis::step ? tr("by step")
        : axis == models::SeriesAxis::relative          ? tr("by time since the start")
                                                        : tr("by clock");
    m_title->setMarkup(u"%1&nbsp; <span style=\"font-weight:400\">%2</span>"_s.arg(
        models::printable(m_model.table().objective().metric, 40).toHtmlEscaped(), coloured("text2", by)));
    const int chosen = int(m_selection.chosen.size());
    const core::TrialId& current = m_selection.current;
    QString text = legend("curve", u"—"_s, tr("each trial"));
    const auto further = [&](const QString& words) { text += u"&nbsp;&nbsp; "_s + legend("accent", u"▬"_s, words); };
    if (chosen > 1)
        further(tr("mean of %n, band min to max", nullptr, chosen));
    else if (!current.isEmpty() && current != m_selection.best && m_model.table().find(current))
        further(nameOf(current).toHtmlEscaped());
    m_legend->setMarkup(text);
}

} // namespace ui
