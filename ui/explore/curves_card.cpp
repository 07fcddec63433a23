// SPDX-License-Identifier: GPL-3.0-or-later
#include "curves_card.h"

#include "legend_label.h"
#include "series_legend.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_model.h"
#include "ui/charts/curve_hover.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/plot_view.h"
#include "ui/kit/markup_label.h"

#include <QBoxLayout>
#include <QMenu>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace ui {

/// Loaded at once: with more, a change of one takes a second to be seen.
constexpr qsizetype mostCurves = 5000;

CurvesCard::CurvesCard(const PageContext& context, const models::TrialModel& model, QWidget* parent)
    : ChartCard(context, parent)
    , m_model(model)
    , m_title(new MarkupLabel(TextSize::body, QFont::DemiBold, bar()))
    , m_legend(new LegendLabel(TextSize::caption, Qt::AlignRight, bar()))
    , m_all(new QToolButton(bar()))
    , m_series(new SeriesLegend(this))
    , m_chart(new charts::MetricChart(context.theme, context.mirror.client(), this))
{
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
    m_all->setText(tr("All trials"));
    m_all->setToolTip(tr("Load the curves of all trials, not only of the newest. It takes longer."));
    m_all->setCheckable(true);
    m_all->setAutoRaise(true);
    m_all->hide();
    line()->addWidget(m_title);
    line()->addWidget(m_legend, 1);
    line()->addSpacing(metrics::gap);
    line()->addWidget(m_chart->plot()->resetButton());
    line()->addWidget(m_all);
    line()->addWidget(axis);
    line()->addWidget(logY);
    line()->addWidget(makeSmoothing());
    auto* body = new QWidget(this);
    auto* beside = new QHBoxLayout(body);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->addWidget(m_chart, 1);
    beside->addWidget(m_series);
    m_series->hide();
    setChart(body);
    m_chart->setNumbers([this](const core::TrialId& trial) { return numberOf(trial); });
    connect(m_chart->hover(), &charts::CurveHover::changed, this, &CurvesCard::showValues);
    connect(m_series, &SeriesLegend::hiddenChanged, this, &CurvesCard::hiddenChanged);
    connect(m_series, &SeriesLegend::trialPressed, this, &CurvesCard::trialPressed);
    connect(logY, &QToolButton::toggled, m_chart, &charts::MetricChart::setLogY);
    connect(m_all, &QToolButton::toggled, this, &CurvesCard::refresh);
    connect(m_chart, &charts::MetricChart::bandChanged, this, &CurvesCard::showTitle);
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

/// The trials to draw, in the order of their ids; `reporting`: how many have reported anything.
QList<core::TrialId> CurvesCard::chosenTrials(qsizetype& reporting) const
{
    const models::TrialTable& table = m_model.table();
    const core::TrialId best = m_model.bestTrial();
    const qsizetype most = m_all->isChecked() ? std::numeric_limits<qsizetype>::max() : mostCurves;
    QList<core::TrialId> trials;
    reporting = 0;
    for (quint32 row = table.size(); row-- > 0;) {
        const core::Trial& trial = table.trial(row);
        if (trial.metricCount == 0)
            continue;
        const bool isMarked =
            trial.id == best || trial.id == m_selection.current || m_selection.chosen.contains(trial.id);
        if (++reporting <= most || isMarked)
            trials.append(trial.id);
    }
    std::sort(trials.begin(), trials.end());
    return trials;
}

void CurvesCard::refresh()
{
    qsizetype reporting = 0;
    const QList<core::TrialId> trials = chosenTrials(reporting);
    m_all->setVisible(reporting > mostCurves);
    m_chart->setObjective(m_model.table().objective());
    m_chart->setTrials(trials, reporting);
    m_chart->refresh();
    showTitle();
}

void CurvesCard::setSelection(const ChartSelection& selection)
{
    m_selection = selection;
    m_chart->setColors(selection.colors, selection.hidden);
    m_chart->setSelection(selection.chosen, selection.current, selection.best);
    if (m_all->isVisibleTo(bar()) && !m_all->isChecked())
        refresh(); // what is selected is drawn, however old
    showSeries();
    showTitle();
}

/// The trials with a colour in the order of their colours, and the best one.
void CurvesCard::showSeries()
{
    QList<SeriesLegend::Row> rows;
    const QList<QColor> order(context().theme.roles().series.begin(), context().theme.roles().series.end());
    for (auto one = m_selection.colors.cbegin(); one != m_selection.colors.cend(); ++one)
        rows.append({one.key(), numberOf(one.key()), one.value(), one.key() == m_selection.best,
            m_selection.hidden.contains(one.key())});
    std::sort(rows.begin(), rows.end(),
        [&order](const auto& a, const auto& b) { return order.indexOf(a.color) < order.indexOf(b.color); });
    const core::TrialId& best = m_selection.best;
    if (!rows.isEmpty() && !best.isEmpty() && !m_selection.colors.contains(best))
        rows.append({best, numberOf(best), context().theme.roles().ink, true, m_selection.hidden.contains(best)});
    m_series->setRows(rows);
    m_series->setSelected(m_selection.hasOthers ? m_selection.colors.size() : 0, m_selection.chosen.size());
    m_series->setVisible(!rows.isEmpty());
    showValues();
}

void CurvesCard::showValues()
{
    if (m_series->rows().isEmpty())
        return;
    const charts::CurveHover& hover = *m_chart->hover();
    const bool isSmoothed = m_chart->smoothing() > 0;
    m_series->setValues(hover.placeText(), [&](const core::TrialId& trial) {
        SeriesLegend::Value value;
        if (const auto point = hover.valueOf(trial)) {
            value.shown = models::metricText(point->shown);
            value.raw = isSmoothed ? models::metricText(point->raw) : QString();
        }
        return value;
    });
}

core::Result<> CurvesCard::exportImage(const QString& file)
{
    const QString metric = m_model.table().objective().metric;
    charts::PictureText text =
        pictureText(m_model.experiment(), u"%1 %2"_s.arg(models::printable(metric, 40), axisWords()), m_selection);
    const models::SeriesAxis axis = m_chart->axis();
    text.across = axis == models::SeriesAxis::step ? tr("Step")
        : axis == models::SeriesAxis::relative     ? tr("Time since the start")
                                                   : tr("Clock");
    text.up = models::printable(metric, 40);
    const Roles& roles = context().theme.roles();
    if (m_chart->isSummary())
        text.legend.push_back({roles.curve, tr("median, 10–90 %, 25–75 %")});
    if (m_chart->bandCurves() > 1)
        text.legend.push_back({m_selection.colors.isEmpty() ? roles.accent : roles.curve,
            tr("mean of %n, band min to max", nullptr, m_chart->bandCurves())});
    return m_chart->exportImage(file, text);
}

QString CurvesCard::axisWords() const
{
    const models::SeriesAxis axis = m_chart->axis();
    return axis == models::SeriesAxis::step    ? tr("by step")
        : axis == models::SeriesAxis::relative ? tr("by time since the start")
                                               : tr("by clock");
}

void CurvesCard::showTitle()
{
    m_title->setMarkup(u"%1&nbsp; <span style=\"font-weight:400\">%2</span>"_s.arg(
        models::printable(m_model.table().objective().metric, 40).toHtmlEscaped(), coloured("text2", axisWords())));
    const int chosen = m_chart->bandCurves();
    const core::TrialId& current = m_selection.current;
    QString text = m_chart->isSummary()
        ? legend("curve", u"▒"_s, tr("10–90 %, 25–75 %")) + u"&nbsp;&nbsp; "_s + legend("curve", u"╌"_s, tr("median"))
        : legend("curve", u"—"_s, tr("each trial"));
    const char* const chosenRole = m_selection.colors.isEmpty() ? "accent" : "curve";
    const auto further = [&](const QString& words, const char* role = "accent") {
        text += u"&nbsp;&nbsp; "_s + legend(role, u"▬"_s, words);
    };
    if (chosen > 1)
        further(tr("mean of %n, band min to max", nullptr, chosen), chosenRole);
    if ((chosen <= 1 || m_selection.hasOthers) && !current.isEmpty() && current != m_selection.best
        && !m_selection.colors.contains(current) && m_model.table().find(current))
        further(nameOf(current).toHtmlEscaped());
    m_legend->setMarkup(text);
}

} // namespace ui
