// SPDX-License-Identifier: GPL-3.0-or-later
#include "best_card.h"

#include "legend_label.h"

#include "models/format.h"
#include "models/trials/trial_table.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/plot_view.h"

#include <QBoxLayout>
#include <QToolButton>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

BestCard::BestCard(const PageContext& context, QWidget* parent)
    : ChartCard(context, parent)
    , m_legend(new LegendLabel(TextSize::caption, Qt::AlignRight, bar()))
    , m_chart(new charts::DotChart(context.theme, this))
{
    line()->addWidget(makeLabel(tr("Best so far"), TextSize::body, QFont::DemiBold, bar()));
    line()->addWidget(makeQuietLabel(tr("by trial"), TextSize::body, bar()));
    line()->addWidget(m_legend, 1);
    m_chart->plot()->resetButton()->setToolButtonStyle(Qt::ToolButtonIconOnly); // the bar is narrow
    line()->addWidget(m_chart->plot()->resetButton());
    setChart(m_chart);
    m_chart->setHoverText(
        [this](const charts::TrialDot& dot) { return tr("%1: %2").arg(nameOf(dot.trial), models::metricText(dot.y)); });
    connect(m_chart, &charts::DotChart::trialPressed, this, &BestCard::trialPressed);
    connect(&context.theme, &Theme::changed, this, &BestCard::showLegend);
    showLegend();
}

void BestCard::showTrials(const models::TrialTable& table, const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_metric = table.objective().metric;
    m_best = {};
    const bool maximize = table.objective().maximize;
    std::vector<charts::TrialDot> dots;
    std::vector<QPointF> steps;
    double last = 0;
    m_best = {};
    for (quint32 row = 0; row < table.size(); ++row) {
        const core::Trial& trial = table.trial(row);
        if (!trial.bestMetric || !std::isfinite(*trial.bestMetric))
            continue;
        const QPointF at(double(trial.sequenceId), *trial.bestMetric);
        dots.push_back({trial.id, at.x(), at.y()});
        last = std::max(last, at.x());
        if (!steps.empty()) {
            const double best = steps.back().y();
            if (!(maximize ? at.y() > best : at.y() < best))
                continue;
            steps.emplace_back(at.x(), best);
        }
        steps.push_back(at);
        m_best = trial.id;
    }
    std::optional<QPointF> reached;
    QString words;
    if (!steps.empty()) {
        reached = steps.back();
        words = tr("%1, trial %2").arg(models::metricText(reached->y())).arg(qint64(reached->x()));
        steps.emplace_back(std::max(last, reached->x()), reached->y());
    }
    m_chart->setDots(std::move(dots), false, false);
    m_chart->setSteps(std::move(steps), reached, words);
}

void BestCard::setSelection(const ChartSelection& selection)
{
    m_selection = selection;
    showLegend();
    m_chart->setColors(selection.colors, selection.hidden);
    m_chart->setSelection(selection.chosen, selection.current);
}

core::Result<> BestCard::exportImage(const QString& file)
{
    charts::PictureText text = pictureText(m_experiment, tr("Best so far by trial"), m_selection);
    text.across = tr("Trial");
    text.up = m_metric;
    return m_chart->exportImage(file, text);
}

void BestCard::showLegend()
{
    const QString best = legend("ink", u"▬"_s, tr("best"));
    m_legend->setMarkup(
        !m_selection.colors.isEmpty() ? best : legend("accent", u"●"_s, tr("selected")) + u"&nbsp;&nbsp; "_s + best);
}

} // namespace ui
