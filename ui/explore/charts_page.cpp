// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts_page.h"

#include "best_card.h"
#include "compare_dialog.h"
#include "compare_table.h"
#include "curves_card.h"
#include "parameters_card.h"
#include "selection_bar.h"

#include "models/engine_mirror.h"
#include "models/selection.h"
#include "models/trials/trial_csv.h"
#include "models/trials/trial_model.h"
#include "ui/charts/chart_keys.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/actions.h"
#include "ui/kit/save_as.h"
#include "ui/kit/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace ui {

ChartsPage::ChartsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new models::TrialModel(this))
    , m_bar(new SelectionBar(context, this))
    , m_curves(new CurvesCard(context, *m_model, this))
    , m_best(new BestCard(context, this))
    , m_parameters(new ParametersCard(context, *m_model, this))
    , m_empty(new EmptyState(tr("No curves yet"),
          tr("Curves, the best so far and parameters against results appear here as trials report values."),
          tr("New experiment"), this))
    , m_stack(new QStackedWidget(this))
{
    m_model->sort(int(models::TrialColumn::number), Qt::AscendingOrder);
    m_stack->addWidget(makeCards());
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    m_soon.setSingleShot(true);
    const QList<KeyCommand> keys = keyCommands();
    addCommand(keyNamed(keys, u"charts/export"_s), [this] { exportCharts(); });
    addCommand(keyNamed(keys, u"charts/compare"_s),
        [this] { compareTrials(this->context(), this->context().selection.trials(), this, m_model->experiment()); });
    follow();
    setExperiment({});
}

QWidget* ChartsPage::makeCards()
{
    auto* upper = new QHBoxLayout;
    upper->setSpacing(metrics::margin);
    upper->addWidget(m_curves, 2);
    upper->addWidget(m_best, 1);
    auto* cards = new QWidget(this);
    auto* layout = new QVBoxLayout(cards);
    layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    layout->setSpacing(metrics::margin);
    layout->addLayout(upper, 11);
    layout->addWidget(m_parameters, 10);
    return cards;
}

void ChartsPage::follow()
{
    models::Selection& selection = context().selection;
    connect(&m_soon, &QTimer::timeout, this, &ChartsPage::showAll);
    connect(m_empty, &EmptyState::pressed, this, [this] { context().actions.openNewExperiment(); });
    connect(m_bar, &SelectionBar::clearWanted, this, &ChartsPage::clearSelection);
    connect(m_bar, &SelectionBar::exportWanted, this, &ChartsPage::exportCharts);
    connect(m_curves, &CurvesCard::ready, this, &ChartsPage::ready);
    connect(m_curves, &CurvesCard::trialPressed, this, &ChartsPage::lookAt);
    connect(m_parameters, &ParametersCard::trialPressed, this, &ChartsPage::lookAt);
    connect(m_best, &BestCard::trialPressed, this, &ChartsPage::lookAt);
    connect(m_curves, &CurvesCard::hiddenChanged, this, [this](const core::TrialId& trial, bool isHidden) {
        if (isHidden)
            m_hidden.insert(trial);
        else
            m_hidden.remove(trial);
        showSelection();
    });
    const auto hover = [this](const QWidget* from, const core::TrialId& trial) {
        if (from != m_curves)
            m_curves->chart()->setHovered(trial);
        if (from != m_best)
            m_best->chart()->setHovered(trial);
        m_parameters->setHovered(trial);
    };
    connect(m_curves->chart(), &charts::MetricChart::trialHovered, this,
        [this, hover](const core::TrialId& trial) { hover(m_curves, trial); });
    connect(m_best->chart(), &charts::DotChart::trialHovered, this,
        [this, hover](const core::TrialId& trial) { hover(m_best, trial); });
    connect(m_parameters, &ParametersCard::trialHovered, this,
        [this, hover](const core::TrialId& trial) { hover(m_parameters, trial); });
    connect(&context().theme, &Theme::changed, this, &ChartsPage::showSelection);
    connect(m_parameters, &ParametersCard::brushesChanged, this, [this] {
        context().selection.set(m_parameters->brushedTrials(), m_parameters);
        showSelection();
    });
    connect(&selection, &models::Selection::changed, this, [this](QObject* origin) {
        if (origin != m_parameters)
            m_parameters->forgetBrushWords();
        showSelection();
    });
    connect(&selection, &models::Selection::currentChanged, this, &ChartsPage::showSelection);
    connect(&context().mirror, &models::EngineMirror::changed, this,
        [this](const api::ChangePtr& change) { take(*change); });
}

void ChartsPage::setExperiment(const core::ExperimentId& experiment)
{
    m_parameters->reset();
    m_model->load(context().mirror.state(), experiment);
    showAll();
}

void ChartsPage::applyFilter(const QString& text)
{
    auto filter = models::TrialFilter::parse(text);
    if (!filter)
        return;
    filter->bind(m_model->table());
    QSet<core::TrialId> trials;
    for (quint32 row = 0; !text.isEmpty() && row < m_model->table().size(); ++row) {
        if (filter->matches(m_model->table(), row, m_model->now()))
            trials.insert(m_model->table().trial(row).id);
    }
    context().selection.set(trials, this);
}

void ChartsPage::shown()
{
    showAll();
    m_curves->chart()->setFocus();
}

void ChartsPage::take(const api::Change& change)
{
    m_model->apply(context().mirror.state(), change);
    const bool concerns = change.full || !change.trials.isEmpty() || !change.experiments.isEmpty();
    // The delay grows with the number of trials, and so with the cost of an update.
    if (concerns && isVisible() && !m_soon.isActive())
        m_soon.start(400 + int(m_model->table().size() / 20));
}

void ChartsPage::showAll()
{
    const models::TrialTable& table = m_model->table();
    quint32 row = 0;
    while (row < table.size() && table.trial(row).metricCount == 0)
        ++row;
    m_stack->setCurrentIndex(row < table.size() ? 0 : 1);
    m_bar->setVisible(row < table.size());
    m_curves->refresh();
    m_best->showTrials(table, m_model->experiment());
    m_parameters->refresh();
    showSelection();
}

// ----------------------------------------------------------------------------------------------------------------- selection

void ChartsPage::showSelection()
{
    const QSet<core::TrialId>& trials = context().selection.trials();
    const BrushWords& brushed = m_parameters->brushed();
    ChartSelection selection;
    if (trials.size() > 1 || !brushed.filter.isEmpty())
        selection.chosen = trials;
    selection.current = context().selection.current();
    selection.best = m_best->bestTrial();
    if (selection.chosen.size() > models::Selection::mostColors) {
        QList<core::TrialPtr> known;
        for (const core::TrialId& id : trials)
            if (const std::optional<quint32> row = m_model->table().find(id))
                known += m_model->table().trialPtr(*row);
        QList<core::TrialId> best;
        for (const core::TrialPtr& trial :
            bestOf(known, m_model->table().objective().maximize, models::Selection::mostColors))
            best += trial->id;
        context().selection.colorSome(best);
        selection.hasOthers = true;
    }
    const QHash<core::TrialId, int>& colors = context().selection.colors();
    for (auto one = colors.cbegin(); !selection.chosen.isEmpty() && one != colors.cend(); ++one)
        selection.colors.insert(one.key(), context().theme.roles().series[size_t(one.value())]);
    m_hidden.removeIf([&selection](const core::TrialId& trial) {
        return !selection.colors.contains(trial) && (selection.colors.isEmpty() || trial != selection.best);
    });
    selection.hidden = m_hidden;
    m_curves->setSelection(selection);
    m_best->setSelection(selection);
    m_parameters->setSelection(selection);
    m_bar->showSelection(*m_model, selection.chosen, brushed);
}

/// A press marks the trial everywhere and leaves a selection of several as it is; with Ctrl it is added to that or taken out of it.
void ChartsPage::lookAt(const core::TrialId& trial, bool isAdded)
{
    QSet<core::TrialId> trials = context().selection.trials();
    if (isAdded) {
        if (!trials.remove(trial))
            trials.insert(trial);
    } else if (trials.size() < 2 && m_parameters->brushed().filter.isEmpty()) {
        trials = {trial};
    }
    context().selection.set(trials, this);
    context().selection.setCurrent(trial, this);
    showSelection();
}

void ChartsPage::clearSelection()
{
    m_parameters->clearBrushes();
    context().selection.set({}, this);
}

// -------------------------------------------------------------------------------------------------------------------- export

QByteArray ChartsPage::bestCsv() const
{
    using models::TrialColumn;
    return models::trialCsv(*m_model, {int(TrialColumn::number), int(TrialColumn::id), int(TrialColumn::best)});
}

void ChartsPage::exportCharts()
{
    QMenu menu(this);
    const auto offer = [this, &menu](const QString& title, const QString& name, auto write) {
        menu.addAction(title, this, [this, title, name, write] {
            const bool isTable = name.endsWith(u".csv"_s);
            saveAs(this, context().actions, title, name, isTable ? tr("Table (*.csv)") : tr("Picture (*.svg *.png)"),
                write);
        });
    };
    const auto picture = [](auto* card) { return [card](const QString& file) { return card->exportImage(file); }; };
    const auto table = [](auto* chart) {
        return [chart](const QString& file) { return writeFile(file, chart->csv()); };
    };
    offer(tr("Curves as picture…"), u"curves.svg"_s, picture(m_curves));
    offer(tr("Curves as table…"), u"curves.csv"_s, table(m_curves->chart()));
    offer(tr("Best so far as picture…"), u"best.svg"_s, picture(m_best));
    offer(
        tr("Best so far as table…"), u"best.csv"_s, [this](const QString& file) { return writeFile(file, bestCsv()); });
    const bool isScatter = m_parameters->isScatter();
    offer(isScatter ? tr("Scatter as picture…") : tr("Parallel coordinates as picture…"),
        isScatter ? u"scatter.svg"_s : u"parallel.svg"_s, picture(m_parameters));
    offer(isScatter ? tr("Scatter as table…") : tr("Parallel coordinates as table…"),
        isScatter ? u"scatter.csv"_s : u"parallel.csv"_s, table(m_parameters));
    menu.exec(QCursor::pos());
}

// ---------------------------------------------------------------------------------------------------------------------- keys

QList<KeyCommand> ChartsPage::keyCommands()
{
    return {{u"charts/export"_s, tr("Export"), u"export"_s, {Qt::CTRL | Qt::Key_E}},
        {u"charts/compare"_s, tr("Compare the selection"), u"compare"_s, {Qt::CTRL | Qt::ALT | Qt::Key_C}}};
}

QList<std::pair<QString, QString>> ChartsPage::keys() const
{
    QList<std::pair<QString, QString>> keys;
    for (const KeyCommand& command : charts::chartKeyCommands())
        keys.append({keysText(keysOf(command)), command.title});
    keys.append({tr("Arrows on an axis"), tr("Choose and move a range; Shift changes its end; Delete lets go")});
    return keys;
}

void ChartsPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !context().selection.trials().isEmpty())
        clearSelection();
    else
        Page::keyPressEvent(event);
}

} // namespace ui
