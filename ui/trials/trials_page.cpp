// SPDX-License-Identifier: GPL-3.0-or-later
#include "trials_page.h"

#include "column_chooser.h"
#include "selection_actions.h"
#include "trial_detail_panel.h"
#include "trial_filter_bar.h"
#include "trial_menu.h"
#include "trial_progress.h"
#include "trial_table_view.h"
#include "trial_window.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/selection.h"
#include "models/trials/selection_summary.h"
#include "models/trials/spark_cache.h"
#include "models/trials/trial_csv.h"
#include "models/trials/trial_model.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/icons.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/save_as.h"
#include "ui/kit/theme.h"
#include "ui/kit/trial_actions.h"
#include "ui/kit/widgets.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QShortcut>
#include <QStackedLayout>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui {

using models::TrialColumn;
using models::TrialFilter;

namespace {

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

TrialsPage::TrialsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new models::TrialModel(this))
    , m_sparks(new models::SparkCache(context.mirror.client(), this))
    , m_panel(new TrialDetailPanel(context, this))
{
    m_progress = new TrialProgress(context, this);
    m_filter = new TrialFilterBar(context, this);
    m_table = new TrialTableView(context.theme, *m_model, *m_sparks, context.selection, this);
    m_filter->setList(m_table);
    m_empty = new EmptyState(
        tr("No trials yet"), tr("Trials appear here as soon as an experiment has some."), tr("New experiment"), this);
    auto* centre = new QWidget(this);
    m_stack = new QStackedLayout(centre);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_progress);
    layout->addWidget(m_filter);
    layout->addWidget(centre, 1);
    m_actions = new SelectionActions(context, this);
    layout->addWidget(m_actions);
    layout->addLayout(makeFoot());

    m_panel->hide();
    m_summarySoon.setSingleShot(true);
    m_summarySoon.setInterval(100);
    connect(&m_summarySoon, &QTimer::timeout, this, &TrialsPage::showSummary);
    connect(
        &context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) { take(*change); });
    connect(m_filter, &TrialFilterBar::edited, this, &TrialsPage::filterTyped);
    connect(m_filter, &TrialFilterBar::columnsWanted, this, &TrialsPage::openColumns);
    connect(m_table, &TrialTableView::columnMenuWanted, this, &TrialsPage::openColumnMenu);
    connect(m_table, &TrialTableView::columnsChanged, this, &TrialsPage::showFoot);
    connect(m_table, &TrialTableView::contextMenuWanted, this, &TrialsPage::openMenu);
    connect(m_table, &TrialTableView::acted, this, [this] { m_model->hold(); });
    connect(m_table, &TrialTableView::activated, this, [this] { emit inspectorWanted(); });
    connect(m_panel, &TrialDetailPanel::closeWanted, this, &Page::inspectorDone);
    connect(m_model, &models::TrialModel::summaryChanged, this, [this] {
        if (!m_summarySoon.isActive())
            m_summarySoon.start();
    });
    connect(m_model, &QAbstractItemModel::layoutChanged, this, &TrialsPage::showFoot);
    connect(&context.selection, &models::Selection::changed, this, &TrialsPage::showFoot);
    // The table's own copies one cell.
    auto* copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(copy, &QShortcut::activated, this, &TrialsPage::copyRows);
    connect(&context.selection, &models::Selection::currentChanged, this, [this](QObject* origin) {
        // Do not scroll to the best trial: it is pinned above the rows.
        const core::TrialId& current = this->context().selection.current();
        if (origin != m_table && (origin != this || current != m_model->bestTrial()))
            m_table->scrollTo(current);
    });
    connect(m_empty, &EmptyState::pressed, this, [this] {
        if (m_model->table().size() > 0)
            applyFilter({});
        else
            this->context().actions.openNewExperiment();
    });
    // Update the durations of running trials.
    connect(&m_clock, &QTimer::timeout, this, [this] {
        m_model->setNow(now());
        if (isVisible())
            m_table->updateDurations();
    });
    m_clock.start(1s);
    addCommands();
    setExperiment({});
}

TrialsPage::~TrialsPage() = default;

QLayout* TrialsPage::makeFoot()
{
    m_footLeft = new MarkupLabel(TextSize::header, QFont::Normal, this);
    m_footRight = makeQuietLabel({}, TextSize::header, this);
    auto* foot = new FlowLayout(metrics::tight);
    foot->setContentsMargins(metrics::margin, metrics::tight, metrics::margin, metrics::tight);
    foot->addWidget(m_footLeft);
    foot->addStretch();
    foot->addWidget(m_footRight);
    return foot;
}

QWidget* TrialsPage::inspector()
{
    return m_panel;
}

void TrialsPage::setExperiment(const core::ExperimentId& experiment)
{
    const core::ExperimentPtr record = context().mirror.state().experiments().find(experiment);
    if (experiment != m_model->experiment())
        m_sparks->clear(); // curves share their ranges within one experiment
    if (record)
        m_sparks->setObjective(record->spec.objective);
    m_model->setNow(now());
    m_model->load(context().mirror.state(), experiment);
    m_panel->setExperimentNamed(experiment.isEmpty());
    if (isVisible())
        chooseFirst();
    showSummary();
}

void TrialsPage::shown()
{
    chooseFirst();
    m_table->setFocus();
}

/// Selects the best trial if no shown trial is current.
void TrialsPage::chooseFirst()
{
    const core::TrialPtr current = context().mirror.state().trial(context().selection.current());
    if (m_model->rowCount() == 0 || (current && m_model->rowOf(current->id) >= 0))
        return;
    const core::TrialId best =
        m_model->rowOf(m_model->bestTrial()) >= 0 ? m_model->bestTrial() : m_model->trialAt(0)->id;
    context().selection.set({best}, this);
    context().selection.setCurrent(best, this);
    emit inspectorWanted();
}

void TrialsPage::take(const api::Change& change)
{
    const bool hadNone = m_model->table().size() == 0;
    const core::ExperimentPtr record = context().mirror.state().experiments().find(m_model->experiment());
    if (record)
        m_sparks->setObjective(record->spec.objective);
    if (change.full)
        m_sparks->clear();
    m_model->setNow(now());
    m_model->apply(context().mirror.state(), change);
    if (hadNone && isVisible())
        chooseFirst();
    if (!change.experiments.isEmpty() && !m_summarySoon.isActive())
        m_summarySoon.start();
}

// --------------------------------------------------------------------------------------------------------------- the filter

void TrialsPage::applyFilter(const QString& text)
{
    m_filter->setText(text);
    filterTyped();
}

QString TrialsPage::filter() const
{
    return m_filter->text();
}

void TrialsPage::focusFilter()
{
    m_filter->focusField();
}

void TrialsPage::filterTyped()
{
    emit filterEdited();
    const std::optional<TrialFilter> filter = m_filter->filterFor(m_model->table());
    if (!filter)
        return;
    m_model->setFilter(*filter);
    showSummary();
}

// -------------------------------------------------------------------------------------------------------------- the summary

void TrialsPage::showSummary()
{
    const models::TrialTable& table = m_model->table();
    m_progress->showProgress(m_model->experiment(), table);
    const bool isEmpty = m_model->rowCount() == 0;
    if (isEmpty && table.size() == 0)
        m_empty->setTexts(
            tr("No trials yet"), tr("Trials appear here as soon as an experiment has some."), tr("New experiment"));
    else if (isEmpty)
        m_empty->setTexts(tr("No trial fits the filter"),
            tr("%n trial(s) are hidden by it.", nullptr, int(table.size())), tr("Show all trials"));
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    // Without an experiment there is nothing to progress, nothing to filter and nothing to count.
    const bool isAny = table.size() > 0 || !context().mirror.state().experiments().list().isEmpty();
    for (QWidget* part : std::initializer_list<QWidget*>{m_progress, m_filter, m_footLeft, m_footRight})
        part->setVisible(isAny);
    showFoot();
}

void TrialsPage::showFoot()
{
    const QLocale locale;
    const QSet<core::TrialId> selected = chosen();
    m_actions->setTrials(selected);
    const QString shown = m_model->rowCount() == int(m_model->table().size())
        ? tr("%n trial(s)", nullptr, m_model->rowCount())
        : tr("%1 of %2 trials").arg(locale.toString(m_model->rowCount()), locale.toString(m_model->table().size()));
    const QString columns = tr("%1 columns, %2 shown").arg(m_model->columnCount()).arg(m_table->shownColumns());
    QString chosenWords = tr("%1 selected").arg(locale.toString(selected.size()));
    const models::SelectionSummary summary =
        models::summaryOf(context().mirror.state(), selected, m_model->table().objective().maximize);
    if (selected.size() > 1 && summary.values > 0)
        chosenWords += tr(": best %1, mean %2").arg(models::metricText(summary.best), models::metricText(summary.mean));
    m_footLeft->setMarkup(u"%1, %2 &nbsp; %3"_s.arg(shown, chosenWords, coloured("text2", columns)));
    const bool down = m_model->sortOrder() == Qt::DescendingOrder;
    if (m_model->sortColumn() == int(TrialColumn::number)) {
        m_footRight->setText(down ? tr("Newest first") : tr("Oldest first"));
    } else {
        const QString column = m_model->headerData(m_model->sortColumn(), Qt::Horizontal, Qt::DisplayRole).toString();
        m_footRight->setText((down ? tr("%1, highest first") : tr("%1, lowest first")).arg(column));
    }
}

// ------------------------------------------------------------------------------------------------------------------- menus

/// The selected trials that this page shows. The selection may include trials that the filter hides; actions here must not apply
/// to them.
QSet<core::TrialId> TrialsPage::chosen() const
{
    QSet<core::TrialId> shown;
    for (const core::TrialId& id : context().selection.trials())
        if (m_model->rowOf(id) >= 0)
            shown.insert(id);
    // The pinned best trial is shown even if the filter does not match it, so it may be selected.
    if (shown.isEmpty() && context().selection.trials().contains(m_model->bestTrial()))
        shown.insert(m_model->bestTrial());
    return shown;
}

void TrialsPage::openColumns()
{
    if (!m_columns) {
        m_columns = new ColumnChooser(*m_table, *m_model, this);
        m_columns->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_columns->show();
    m_columns->raise();
    m_columns->activateWindow();
}

void TrialsPage::openColumnMenu(int column, const QPoint& global)
{
    QMenu menu(this);
    if (column > 0) {
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        menu.addAction(tr("Hide “%1”").arg(title), this, [this, column] { m_table->chooseColumn(column, false); });
    }
    menu.addAction(tr("Choose columns…"), this, &TrialsPage::openColumns);
    menu.addAction(tr("Usual columns"), m_table, &TrialTableView::useUsualColumns);
    menu.exec(global);
}

void TrialsPage::openMenu(const QPoint& global)
{
    const QSet<core::TrialId> ids = chosen();
    QMenu menu(this);
    addTrialActions(menu, context(), ids, context().selection.current(), this);
    if (ids.isEmpty() || menu.isEmpty())
        return;
    menu.addAction(
        icons::icon(themeOf(*this), u"info"_s), tr("Open in a window of its own"), this, &TrialsPage::openWindow);
    menu.addAction(icons::icon(themeOf(*this), u"copy"_s), tr("Copy %n row(s)", nullptr, int(ids.size())), this,
        &TrialsPage::copyRows);
    menu.addAction(icons::icon(themeOf(*this), u"export"_s), tr("Export table…"), this, &TrialsPage::exportTable);
    menu.exec(global);
}

void TrialsPage::openWindow()
{
    if (const core::TrialId trial = context().selection.current(); context().mirror.state().trial(trial))
        (new TrialWindow(context(), trial, this))->show();
}

void TrialsPage::goToFailure(int direction)
{
    const int rows = m_model->rowCount();
    const int from = m_table->rows()->currentIndex().row();
    for (int i = 1; i <= rows; ++i) {
        const int row = ((from + direction * i) % rows + rows) % rows;
        if (m_model->trialAt(row)->status != core::TrialStatus::failed)
            continue;
        m_table->rows()->setCurrentIndex(m_model->index(row, 0));
        return;
    }
    context().actions.note(tr("No trial failed."));
}

void TrialsPage::goToNumber()
{
    askForText(this, tr("Go to trial"), tr("Number of the trial"), {}, [this](const QString& text) {
        bool isNumber = false;
        const qint64 number = text.trimmed().toLongLong(&isNumber);
        if (isNumber)
            showNumber(number);
        else if (!text.trimmed().isEmpty())
            context().actions.note(tr("There is no trial %1.").arg(text.trimmed()));
    });
}

void TrialsPage::showRecord(const QString& id)
{
    const core::TrialId trial(id);
    if (m_model->table().find(trial) && m_model->rowOf(trial) < 0)
        applyFilter({});
    context().selection.set({trial}, this);
    context().selection.setCurrent(trial, this);
}

void TrialsPage::showNumber(qint64 number)
{
    const models::TrialTable& table = m_model->table();
    for (quint32 row = table.size(); row-- > 0;) {
        if (table.trial(row).sequenceId != number)
            continue;
        showRecord(table.trial(row).id.value);
        return;
    }
    context().actions.note(tr("There is no trial %1.").arg(number));
}

QList<int> TrialsPage::textColumns() const
{
    QList<int> columns = m_table->columnsInOrder();
    columns.removeIf(
        [this](int column) { return !m_table->isColumnShown(column) || column == int(TrialColumn::curve); });
    return columns;
}

void TrialsPage::copyRows()
{
    const QSet<core::TrialId> ids = chosen();
    if (ids.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(QString::fromUtf8(models::trialTsv(*m_model, textColumns(), ids)));
    context().actions.note(tr("Copied %n row(s), with their header.", nullptr, int(ids.size())));
}

void TrialsPage::exportTable()
{
    const QList<int> columns = textColumns();
    saveAs(this, context().actions, tr("Export table"), u"trials.csv"_s, tr("Table (*.csv)"),
        [&](const QString& file) { return writeFile(file, models::trialCsv(*m_model, columns)); });
}

// -------------------------------------------------------------------------------------------------------------------- keys

QList<KeyCommand> TrialsPage::keyCommands()
{
    return {{u"trials/retry"_s, tr("Retry the selection"), u"retry"_s, {Qt::Key_R}},
        {u"trials/cancel"_s, tr("Cancel the selection"), u"stop"_s, {Qt::Key_S}},
        {u"trials/stopEarly"_s, tr("Stop the selection early"), u"early-stopped"_s, {Qt::SHIFT | Qt::Key_S}},
        {u"trials/tags"_s, tr("Tags of the selection"), u"tag"_s, {Qt::Key_T}},
        {u"trials/compare"_s, tr("Compare the selection"), u"compare"_s, {Qt::CTRL | Qt::ALT | Qt::Key_C}},
        {u"trials/log"_s, tr("Log of the trial"), u"log"_s, {Qt::Key_L}},
        {u"trials/curve"_s, tr("Curve of the trial"), u"charts"_s, {Qt::Key_C}},
        {u"trials/parameters"_s, tr("Parameters of the trial"), u"sliders"_s, {Qt::Key_P}},
        {u"trials/events"_s, tr("Events of the trial"), u"events"_s, {Qt::Key_E}},
        {u"trials/window"_s, tr("Open in a window of its own"), u"info"_s, {Qt::CTRL | Qt::Key_Return}},
        {u"trials/previousFailure"_s, tr("Previous failure"), u"failures"_s, {Qt::Key_BracketLeft}},
        {u"trials/nextFailure"_s, tr("Next failure"), u"failures"_s, {Qt::Key_BracketRight}},
        {u"trials/goTo"_s, tr("Go to a trial by its number"), u"search"_s, {Qt::Key_G}},
        {u"trials/export"_s, tr("Export the table"), u"export"_s, {Qt::CTRL | Qt::Key_E}}};
}

QList<std::pair<QString, QString>> TrialsPage::keys() const
{
    return {{tr("J, K"), tr("Next, previous row")}, {tr("Enter"), tr("Open in the inspector")},
        {tr("Space · Shift+Space"), tr("Mark the row · the rows since the last mark")},
        {tr("Ctrl+C"), tr("Copy the selected rows")}};
}

void TrialsPage::addCommands()
{
    const auto open = [this](TrialDetailPanel::Tab which) {
        return [this, which] {
            emit inspectorWanted();
            m_panel->showTab(which);
        };
    };
    const QHash<QString, std::function<void()>> runs = {
        {u"trials/retry"_s, [this] { retryTrials(context(), chosen(), this); }},
        {u"trials/cancel"_s, [this] { cancelTrials(context(), chosen(), this); }},
        {u"trials/stopEarly"_s, [this] { cancelTrials(context(), chosen(), this, true); }},
        {u"trials/tags"_s, [this] { editTags(context(), chosen(), this); }},
        {u"trials/compare"_s, [this] { context().actions.compareTrials(chosen()); }},
        {u"trials/log"_s, open(TrialDetailPanel::log_tab)},
        {u"trials/curve"_s, open(TrialDetailPanel::curve_tab)},
        {u"trials/parameters"_s, open(TrialDetailPanel::parameters_tab)},
        {u"trials/events"_s, open(TrialDetailPanel::events_tab)},
        {u"trials/window"_s, [this] { openWindow(); }},
        {u"trials/previousFailure"_s, [this] { goToFailure(-1); }},
        {u"trials/nextFailure"_s, [this] { goToFailure(1); }},
        {u"trials/goTo"_s, [this] { goToNumber(); }},
        {u"trials/export"_s, [this] { exportTable(); }},
    };
    for (const KeyCommand& command : keyCommands())
        addCommand(command, runs.value(command.id));
}

void TrialsPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape)
        Page::keyPressEvent(event);
    else if (m_filter->text().isEmpty())
        emit inspectorDone();
    else
        applyFilter({});
}

} // namespace ui
