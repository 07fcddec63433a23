// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_progress.h"

#include "models/engine_mirror.h"
#include "models/forecast.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_table.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDateTime>

#include <numeric>

using namespace Qt::StringLiterals;

namespace ui {

/// Number of trials, the newest ones, whose durations are used for the forecast.
constexpr size_t learntFrom = 500;

TrialProgress::TrialProgress(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_started(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_forecast(makeQuietLabel({}, TextSize::body, this))
    , m_bestBox(new QWidget(this))
    , m_best(new MarkupLabel(TextSize::body, QFont::Normal, m_bestBox))
    , m_bar(new StateBar(this))
    , m_counts(makeQuietLabel({}, TextSize::header, this))
{
    m_counts->setWordWrap(true);
    auto* best = new QHBoxLayout(m_bestBox);
    best->setContentsMargins({});
    best->setSpacing(metrics::gap);
    best->addWidget(new IconLabel(u"star"_s, &Roles::ink, 14, m_bestBox));
    best->addWidget(m_best);
    auto* top = new FlowLayout(metrics::gap);
    top->addWidget(m_started);
    top->addWidget(m_forecast);
    top->addStretch();
    top->addWidget(m_bestBox);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::margin, 12, metrics::margin, metrics::gap);
    layout->setSpacing(metrics::gap);
    layout->addLayout(top);
    layout->addWidget(m_bar);
    layout->addWidget(m_counts);
}

void TrialProgress::showProgress(const core::ExperimentId& id, const models::TrialTable& table)
{
    const api::Mirror& state = m_context.mirror.state();
    const core::ExperimentPtr experiment = state.experiments().find(id);
    const auto counts = experiment ? experiment->counts : state.counts();
    const qint64 total = std::accumulate(counts.begin(), counts.end(), qint64(0));
    const qint64 started = total - counts[size_t(core::TrialStatus::waiting)];
    const qint64 planned = experiment ? models::plannedTrials(*experiment) : total;
    m_started->setText(tr("%1 of %2 started").arg(models::countText(started), models::countText(planned)));
    m_bar->setCounts(counts, planned);
    m_counts->setText(countsSentence(counts));
    const bool hasBest = experiment && experiment->best;
    m_bestBox->setVisible(hasBest);
    if (hasBest)
        showBest(*experiment);
    const bool goesOn = experiment && experiment->state == core::ExperimentState::running && planned > 0;
    m_forecast->setText(goesOn ? forecast(*experiment, table) : QString());
}

void TrialProgress::showBest(const core::Experiment& experiment)
{
    const core::Objective& objective = experiment.spec.objective;
    const QString aim = (objective.maximize ? tr("%1, maximize") : tr("%1, minimize"))
                            .arg(models::printable(objective.metric, 40).toHtmlEscaped());
    m_best->setMarkup(u"<b>%1</b> %2"_s.arg(models::metricText(experiment.best->value), coloured("text2", aim)));
}

QString TrialProgress::forecast(const core::Experiment& experiment, const models::TrialTable& table) const
{
    std::vector<qint64> durations;
    for (quint32 row = table.size(); row-- > 0 && durations.size() < learntFrom;) {
        const core::Trial& trial = table.trial(row);
        if (trial.status == core::TrialStatus::succeeded && trial.startTime && trial.endTime)
            durations.push_back(*trial.endTime - *trial.startTime);
    }
    const qint64 planned = experiment.spec.maxTrialNumber.value_or(experiment.nextSequenceId);
    qint64 ended = 0;
    for (const core::TrialStatus status : core::allTrialStatuses)
        ended += core::isFinal(status) ? experiment.count(status) : 0;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto band = models::forecastEnd(std::move(durations), planned - ended, experiment.spec.trialConcurrency, now);
    if (!band || band->second - now < 60'000)
        return {};
    return tr("Forecast: done %1").arg(models::bandText(*band, now));
}

} // namespace ui
