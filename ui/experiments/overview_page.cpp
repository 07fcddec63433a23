// SPDX-License-Identifier: GPL-3.0-or-later
#include "overview_page.h"

#include "best_chart.h"

#include "models/engine_mirror.h"
#include "models/experiments/experiment_model.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/parameters_text.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QHeaderView>
#include <QStackedLayout>
#include <QTableWidget>

#include <cmath>
#include <map>

using namespace Qt::StringLiterals;

namespace ui {

using core::TrialStatus;

namespace {

constexpr int bestRows = 8;
constexpr int failureRows = 4;

} // namespace

OverviewPage::OverviewPage(const PageContext& context, QWidget* start, QWidget* parent)
    : Page(context, parent)
    , m_later(new QTimer(this))
    , m_stack(new QStackedLayout(this))
    , m_start(start)
    , m_overview(buildOverview())
{
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_overview);
    m_later->setSingleShot(true);
    m_later->setInterval(150);
    connect(m_later, &QTimer::timeout, this, &OverviewPage::refresh);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->trials.isEmpty() || !change->experiments.isEmpty() || !change->removed.isEmpty())
            refreshSoon();
    });
    refresh();
}

QWidget* OverviewPage::buildOverview()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(metrics::gap);
    auto* head = new QHBoxLayout;
    m_name = new ElidedLabel(TextSize::pageTitle, QFont::DemiBold, page);
    m_state = new StateLabel(page);
    head->addWidget(m_name);
    head->addSpacing(8);
    head->addWidget(m_state);
    head->addStretch(1);
    layout->addLayout(head);
    auto* line = new FlowLayout(metrics::gap);
    m_started = makeLabel({}, TextSize::title, QFont::DemiBold, page);
    m_forecast = makeQuietLabel({}, TextSize::body, page);
    m_bestText = new MarkupLabel(TextSize::body, QFont::Normal, page);
    makeSelectable(m_bestText);
    line->addWidget(m_started);
    line->addWidget(m_forecast);
    line->addStretch();
    line->addWidget(m_bestText);
    layout->addLayout(line);
    m_bar = new StateBar(page);
    layout->addWidget(m_bar);
    m_counts = makeQuietLabel({}, TextSize::header, page);
    m_counts->setWordWrap(true);
    layout->addWidget(m_counts);
    m_message = makeQuietLabel({}, TextSize::body, page);
    m_message->setWordWrap(true);
    QSizePolicy anyWidth = m_message->sizePolicy(); // a long word must not widen the window
    anyWidth.setHorizontalPolicy(QSizePolicy::Ignored);
    m_message->setSizePolicy(anyWidth);
    makeSelectable(m_message);
    layout->addWidget(m_message);
    layout->addSpacing(metrics::gap);

    auto* middle = new QHBoxLayout;
    middle->setSpacing(metrics::margin);
    auto* chartCard = new Card(page);
    auto* chartLayout = new QVBoxLayout(chartCard);
    chartLayout->setContentsMargins(12, 12, 12, 8);
    m_chartTitle = makeLabel({}, TextSize::body, QFont::DemiBold, chartCard);
    chartLayout->addWidget(m_chartTitle);
    m_chart = new BestChart(chartCard);
    chartLayout->addWidget(m_chart, 1);
    middle->addWidget(chartCard, 3);

    auto* bestCard = new Card(page);
    auto* bestLayout = new QVBoxLayout(bestCard);
    bestLayout->setContentsMargins(1, 12, 1, 8);
    QLabel* bestTitle = makeLabel(tr("Best trials"), TextSize::body, QFont::DemiBold, bestCard);
    bestTitle->setContentsMargins(12, 0, 12, 0);
    bestLayout->addWidget(bestTitle);
    bestCard->setMinimumWidth(context().theme.scaled(400)); // else nothing is left for the parameters in a small window
    m_best = new QTableWidget(0, 4, bestCard);
    setUpTable(m_best, tr("Best trials"));
    m_best->setHorizontalHeaderLabels({tr("#"), tr("Best"), tr("State"), tr("Parameters")});
    m_best->setColumnWidth(0, context().theme.scaled(56));
    m_best->setColumnWidth(1, context().theme.scaled(84));
    m_best->setColumnWidth(2, context().theme.scaled(96));
    m_best->horizontalHeader()->setStretchLastSection(false);
    m_best->horizontalHeader()->setSectionResizeMode(3, QHeaderView::Stretch);
    m_best->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    bestLayout->addWidget(m_best, 1);
    middle->addWidget(bestCard, 2);
    layout->addLayout(middle, 1);
    layout->addSpacing(metrics::gap);

    auto* failureCard = new Card(page);
    auto* failureLayout = new QVBoxLayout(failureCard);
    failureLayout->setContentsMargins(12, 12, 12, 12);
    failureLayout->setSpacing(metrics::tight);
    auto* failureHead = new QHBoxLayout;
    failureHead->addWidget(makeLabel(tr("What failed"), TextSize::body, QFont::DemiBold, failureCard));
    failureHead->addStretch(1);
    QPushButton* failures = makeButton(tr("Show failures"), u"failures"_s, failureCard);
    failureHead->addWidget(failures);
    failureLayout->addLayout(failureHead);
    m_failures = new QVBoxLayout;
    m_failures->setSpacing(metrics::tight);
    failureLayout->addLayout(m_failures);
    layout->addWidget(failureCard);

    connect(
        m_chart, &BestChart::trialChosen, this, [this](const core::TrialId& id) { context().actions.showTrial(id); });
    connect(m_best, &QTableWidget::itemActivated, this, [this](QTableWidgetItem* item) {
        context().actions.showTrial(core::TrialId(m_best->item(item->row(), 0)->data(Qt::UserRole).toString()));
    });
    connect(failures, &QPushButton::clicked, this, [this] { context().actions.showPage(u"failures"_s); });
    return page;
}

void OverviewPage::setExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_wantsStart = false;
    refresh();
}

void OverviewPage::showRecord(const QString& id)
{
    m_wantsStart = id == u"start"_s;
    refresh();
}

void OverviewPage::shown()
{
    refresh();
}

void OverviewPage::refreshSoon()
{
    if (!m_later->isActive())
        m_later->start();
}

void OverviewPage::refresh()
{
    const api::Mirror& state = context().mirror.state();
    const bool start = m_wantsStart || state.experiments().list().isEmpty();
    m_stack->setCurrentWidget(start ? m_start : m_overview);
    if (start || !isVisible())
        return;
    const core::ExperimentPtr experiment = state.experiments().find(m_experiment);
    const std::vector<core::TrialPtr> trials = experiment ? state.trialsOf(experiment->id) : state.trials();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_state->setVisible(experiment != nullptr);
    m_message->setVisible(experiment && !experiment->message.isEmpty());
    std::array<qint64, core::trialStatusCount> counts = state.counts();
    models::Progress progress;
    const QString metric = experiment ? models::printable(experiment->spec.objective.metric, 40) : QString();
    if (experiment) {
        counts = experiment->counts;
        progress = models::progressOf(*experiment, trials, now);
        m_name->setText(models::printable(experiment->spec.name, 80));
        m_state->setLook(context().theme.state(experiment->state));
        m_message->setText(models::printable(experiment->message, 600));
    } else {
        m_name->setText(tr("All experiments"));
        for (const core::TrialStatus status : core::allTrialStatuses) {
            progress.total += counts[size_t(status)];
            progress.started += status == TrialStatus::waiting ? 0 : counts[size_t(status)];
        }
    }
    m_started->setText(
        tr("%1 of %2 started").arg(models::countText(progress.started), models::countText(progress.total)));
    m_forecast->setText(progress.end ? tr("Forecast: done %1").arg(models::bandText(*progress.end, now)) : QString());
    m_bar->setCounts(counts, progress.total);
    m_counts->setText(countsSentence(counts));
    m_bestText->setMarkup({});
    if (experiment && experiment->best) {
        const core::TrialPtr best = state.trial(experiment->best->trialId);
        const QString aim =
            (experiment->spec.objective.maximize ? tr("%1, maximize") : tr("%1, minimize")).arg(metric.toHtmlEscaped());
        m_bestText->setMarkup(
            tr("★ %1  %2, trial %3")
                .arg(u"<b>%1</b>"_s.arg(models::metricText(experiment->best->value)), coloured("text2", aim),
                    best ? QString::number(best->sequenceId) : experiment->best->trialId.value.toHtmlEscaped()));
    }
    m_chartTitle->setText(experiment ? tr("%1 by trial").arg(metric) : tr("Objective by trial"));
    m_chart->setTrials(trials, !experiment || experiment->spec.objective.maximize);
    refreshBest(trials, experiment.get());
    refreshFailures(trials);
}

void OverviewPage::refreshBest(const std::vector<core::TrialPtr>& trials, const core::Experiment* experiment)
{
    const bool maximize = !experiment || experiment->spec.objective.maximize;
    std::vector<core::TrialPtr> best;
    for (const core::TrialPtr& trial : trials)
        if (trial->bestMetric && !std::isnan(*trial->bestMetric))
            best.push_back(trial);
    const size_t rows = std::min<size_t>(bestRows, best.size());
    std::partial_sort(best.begin(), best.begin() + qsizetype(rows), best.end(), [&](const auto& a, const auto& b) {
        return maximize ? *a->bestMetric > *b->bestMetric : *a->bestMetric < *b->bestMetric;
    });
    m_best->setRowCount(int(rows));
    for (size_t row = 0; row < rows; ++row) {
        const core::Trial& trial = *best[row];
        const QString texts[] = {QString::number(trial.sequenceId), models::metricText(*trial.bestMetric),
            context().theme.state(trial.status).word, models::parametersText(trial.parameters)};
        for (int column = 0; column < 4; ++column) {
            QTableWidgetItem* item = m_best->item(int(row), column);
            if (!item) {
                item = new QTableWidgetItem;
                m_best->setItem(int(row), column, item);
            }
            item->setText(texts[column]);
            item->setToolTip(column == 3 ? texts[3] : QString());
        }
        m_best->item(int(row), 0)->setData(Qt::UserRole, trial.id.value);
    }
}

void OverviewPage::refreshFailures(const std::vector<core::TrialPtr>& trials)
{
    // Grouped by the trial's reason; the failures page groups by the contents of the logs.
    std::map<QString, int> groups;
    for (const core::TrialPtr& trial : trials)
        if (trial->status == TrialStatus::failed)
            ++groups[models::printable(trial->reason, 160)];
    std::vector<std::pair<int, QString>> sorted;
    sorted.reserve(groups.size());
    for (const auto& [reason, count] : groups)
        sorted.emplace_back(count, reason);
    std::sort(sorted.rbegin(), sorted.rend());
    QStringList lines;
    for (size_t i = 0; i < std::min<size_t>(failureRows, sorted.size()); ++i)
        lines += u"%1 ×  %2"_s.arg(models::countText(sorted[i].first), sorted[i].second);
    if (sorted.size() > failureRows)
        lines += tr("%n more cause(s)", nullptr, int(sorted.size()) - failureRows);
    if (lines.isEmpty())
        lines += tr("Nothing failed.");
    while (m_failures->count() > lines.size()) {
        QLayoutItem* item = m_failures->takeAt(m_failures->count() - 1);
        delete item->widget();
        delete item;
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i >= m_failures->count()) {
            auto* label = new ElidedLabel(TextSize::body, QFont::Normal, m_overview);
            label->setForegroundRole(QPalette::PlaceholderText);
            m_failures->addWidget(label);
        }
        qobject_cast<QLabel*>(m_failures->itemAt(int(i))->widget())->setText(lines[i]);
    }
}

} // namespace ui
