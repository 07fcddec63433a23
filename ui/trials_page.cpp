// SPDX-License-Identifier: GPL-3.0-or-later
#include "trials_page.h"

#include "actions.h"
#include "compare_dialog.h"
#include "format.h"
#include "icons.h"
#include "style.h"
#include "theme.h"
#include "trial_actions.h"
#include "trial_detail_panel.h"
#include "trial_table_view.h"
#include "widgets.h"

#include "models/engine_mirror.h"
#include "models/forecast.h"
#include "models/selection.h"
#include "models/spark_cache.h"
#include "models/trial_model.h"
#include "models/trial_text.h"

#include <QClipboard>
#include <QDateTime>
#include <QFileDialog>
#include <QGuiApplication>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QSaveFile>
#include <QStackedLayout>
#include <QWidgetAction>

#include <chrono>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui {

using models::TrialColumn;
using models::TrialFilter;

namespace {

/// Trials from which a forecast learns; the newest tell most.
constexpr qsizetype learntFrom = 500;

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
    m_progress = makeLabel({}, TextSize::title, QFont::DemiBold, this);
    m_forecast = makeQuietLabel({}, TextSize::body, this);
    m_bestStar = new QLabel(this);
    m_best = makeLabel({}, TextSize::body, QFont::Normal, this);
    m_best->setTextFormat(Qt::RichText);
    m_bar = new StateBar(this);
    m_counts = makeQuietLabel({}, TextSize::header, this);
    auto* top = new QHBoxLayout;
    top->setSpacing(metrics::gap);
    top->addWidget(m_progress);
    top->addWidget(m_forecast);
    top->addStretch();
    top->addWidget(m_bestStar);
    top->addWidget(m_best);
    auto* summary = new QVBoxLayout;
    summary->setContentsMargins(metrics::margin, 12, metrics::margin, metrics::gap);
    summary->setSpacing(metrics::gap);
    summary->addLayout(top);
    summary->addWidget(m_bar);
    summary->addWidget(m_counts);

    m_filter = new FilterField(tr("Filter, for example lr>0.01 state:failed"), this);
    m_filter->setAccessibleName(tr("Filter of the trials"));
    m_filterError = makeLabel({}, TextSize::header, QFont::Normal, this);
    m_filterError->hide();
    QPushButton* save = makeButton(tr("Save filter"), u"bookmark"_s, this);
    save->setFlat(true);
    QPushButton* columns = makeButton(tr("Columns"), u"columns"_s, this);
    columns->setFlat(true);
    auto* filters = new QHBoxLayout;
    filters->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::gap);
    filters->setSpacing(metrics::gap);
    filters->addWidget(m_filter, 1);
    filters->addWidget(save);
    filters->addWidget(columns);

    m_table = new TrialTableView(context.theme, *m_model, *m_sparks, context.selection, this);
    m_empty = new EmptyState(
        tr("No trials yet"), tr("Trials appear here as soon as an experiment has some."), tr("New experiment"), this);
    auto* centre = new QWidget(this);
    m_stack = new QStackedLayout(centre);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);

    m_footLeft = makeLabel({}, TextSize::header, QFont::Normal, this);
    m_footLeft->setTextFormat(Qt::RichText);
    m_footRight = makeQuietLabel({}, TextSize::header, this);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(metrics::margin, metrics::tight, metrics::margin, metrics::tight);
    foot->addWidget(m_footLeft);
    foot->addStretch();
    foot->addWidget(m_footRight);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(summary);
    layout->addLayout(filters);
    layout->addWidget(m_filterError);
    layout->addWidget(centre, 1);
    layout->addLayout(foot);
    m_filterError->setContentsMargins(metrics::margin, 0, metrics::margin, metrics::gap);
    setFocusProxy(m_table);
    m_filter->setList(m_table);

    m_panel->hide();
    m_summarySoon.setSingleShot(true);
    m_summarySoon.setInterval(100);
    connect(&m_summarySoon, &QTimer::timeout, this, &TrialsPage::showSummary);
    connect(&context.mirror, &models::EngineMirror::changed, this,
        [this](const engine::ChangePtr& change) { take(*change); });
    connect(m_filter, &FilterField::filterChanged, this, &TrialsPage::filterTyped);
    connect(save, &QPushButton::clicked, this, &TrialsPage::saveFilter);
    connect(columns, &QPushButton::clicked, this,
        [this, columns] { openColumns(columns->mapToGlobal(QPoint(0, columns->height()))); });
    connect(m_table, &TrialTableView::columnsWanted, this, &TrialsPage::openColumns);
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
    connect(&context.selection, &models::Selection::currentChanged, this, [this](QObject* origin) {
        // The best stands pinned above the rows; what is newest stays in view.
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
    // Durations of running trials run.
    connect(&m_clock, &QTimer::timeout, this, [this] {
        m_model->setNow(now());
        if (isVisible())
            m_table->updateDurations();
    });
    m_clock.start(1s);
    setExperiment({});
}

TrialsPage::~TrialsPage() = default;

QWidget* TrialsPage::inspector()
{
    return m_panel;
}

void TrialsPage::setExperiment(const core::ExperimentId& experiment)
{
    const core::ExperimentPtr record = context().mirror.state().experiments().find(experiment);
    if (experiment != m_model->experiment())
        m_sparks->clear(); // rows compare within one experiment
    if (record)
        m_sparks->setObjective(record->spec.objective);
    m_model->setNow(now());
    m_model->load(context().mirror.state(), experiment);
    if (isVisible())
        chooseFirst();
    showSummary();
}

void TrialsPage::shown()
{
    chooseFirst();
    m_table->setFocus();
}

/// The best is what a person wants to see first.
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

void TrialsPage::take(const engine::Change& change)
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
    filterTyped(text);
}

QString TrialsPage::filter() const
{
    return m_filter->text();
}

void TrialsPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void TrialsPage::filterTyped(const QString& text)
{
    emit filterEdited();
    auto parsed = TrialFilter::parse(text);
    setInvalid(m_filter, !parsed);
    const Roles& roles = context().theme.roles();
    if (!parsed) {
        m_filterError->setText(
            u"<span style=\"color:%1\">✕ %2</span>"_s.arg(roles.failed.name(), parsed.error().message.toHtmlEscaped()));
        m_filterError->show();
        return;
    }
    parsed->bind(m_model->table());
    const QStringList unknown = parsed->unknownNames();
    m_filterError->setVisible(!unknown.isEmpty() && m_model->table().size() > 0);
    if (!unknown.isEmpty())
        m_filterError->setText(u"<span style=\"color:%1\">%2</span>"_s.arg(
            roles.unknown.name(), tr("No trial has a parameter %1.").arg(unknown.join(u", "_s)).toHtmlEscaped()));
    m_model->setFilter(*parsed);
    showSummary();
}

void TrialsPage::saveFilter()
{
    if (!TrialFilter::parse(m_filter->text()) || m_filter->text().trimmed().isEmpty()) {
        context().actions.note(tr("Type a filter first; then it can be saved under a name."));
        return;
    }
    bool good = false;
    const QString name = QInputDialog::getText(this, tr("Save filter"),
        tr("Name of the filter %1").arg(m_filter->text()), QLineEdit::Normal, m_filter->text(), &good);
    if (good && !name.trimmed().isEmpty())
        context().actions.saveFilter(name.trimmed(), m_filter->text().trimmed());
}

// -------------------------------------------------------------------------------------------------------------- the summary

void TrialsPage::showSummary()
{
    const core::ExperimentPtr experiment = context().mirror.state().experiments().find(m_model->experiment());
    const models::TrialTable& table = m_model->table();
    std::array<qint64, core::trialStatusCount> counts{};
    if (experiment) {
        counts = experiment->counts;
    } else {
        const engine::Mirror& state = context().mirror.state();
        counts = state.counts();
    }
    qint64 total = 0;
    for (const qint64 count : counts)
        total += count;
    const qint64 started = total - counts[size_t(core::TrialStatus::waiting)];
    const qint64 planned =
        experiment && experiment->spec.maxTrialNumber ? std::max(total, *experiment->spec.maxTrialNumber) : total;
    const QLocale locale;
    m_progress->setText(tr("%1 of %2 started").arg(locale.toString(started), locale.toString(planned)));
    m_bar->setCounts(counts, planned);
    m_counts->setText(countsSentence(counts));
    const bool hasBest = experiment && experiment->best;
    m_best->setVisible(hasBest);
    m_bestStar->setVisible(hasBest);
    if (hasBest) {
        const Roles& roles = context().theme.roles();
        m_bestStar->setPixmap(icons::pixmap(u"star"_s, roles.ink, 14, devicePixelRatioF()));
        m_best->setText(
            u"<b>%1</b> <span style=\"color:%3\">%2</span>"_s.arg(models::metricText(experiment->best->value),
                (experiment->spec.objective.maximize ? tr("%1, maximize") : tr("%1, minimize"))
                    .arg(safeText(experiment->spec.objective.metric, 40).toHtmlEscaped()),
                roles.text2.name()));
    }
    m_forecast->clear();
    if (experiment && experiment->state == core::ExperimentState::running && planned > 0)
        showForecast(*experiment);

    const bool isEmpty = m_model->rowCount() == 0;
    if (isEmpty) {
        if (table.size() == 0)
            m_empty->setTexts(
                tr("No trials yet"), tr("Trials appear here as soon as an experiment has some."), tr("New experiment"));
        else
            m_empty->setTexts(tr("No trial fits the filter"),
                tr("%n trial(s) are hidden by it.", nullptr, int(table.size())), tr("Show all trials"));
    }
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    showFoot();
}

void TrialsPage::showForecast(const core::Experiment& experiment)
{
    const models::TrialTable& table = m_model->table();
    std::vector<qint64> durations;
    for (quint32 row = table.size(); row-- > 0 && durations.size() < size_t(learntFrom);) {
        const core::Trial& trial = table.trial(row);
        if (trial.status == core::TrialStatus::succeeded && trial.startTime && trial.endTime)
            durations.push_back(*trial.endTime - *trial.startTime);
    }
    const qint64 planned = experiment.spec.maxTrialNumber.value_or(experiment.nextSequenceId);
    qint64 ended = 0;
    for (const core::TrialStatus status : core::allTrialStatuses)
        ended += core::isFinal(status) ? experiment.count(status) : 0;
    const auto band =
        models::forecastEnd(std::move(durations), planned - ended, experiment.spec.trialConcurrency, now());
    if (!band || band->second - now() < 60'000)
        return;
    m_forecast->setText(tr("Forecast: done %1").arg(bandText(*band, now())));
}

void TrialsPage::showFoot()
{
    const QLocale locale;
    const Roles& roles = context().theme.roles();
    const qsizetype selected = chosen().size();
    const QString shown = m_model->rowCount() == int(m_model->table().size())
        ? tr("%n trial(s)", nullptr, m_model->rowCount())
        : tr("%1 of %2 trials").arg(locale.toString(m_model->rowCount()), locale.toString(m_model->table().size()));
    m_footLeft->setText(u"%1, %2 &nbsp; <span style=\"color:%4\">%3</span>"_s.arg(shown,
        tr("%1 selected").arg(locale.toString(selected)),
        tr("%1 columns, %2 shown").arg(m_model->columnCount()).arg(m_table->shownColumns()), roles.text2.name()));
    const bool down = m_model->sortOrder() == Qt::DescendingOrder;
    if (m_model->sortColumn() == int(TrialColumn::number)) {
        m_footRight->setText(down ? tr("Newest first") : tr("Oldest first"));
    } else {
        const QString column = m_model->headerData(m_model->sortColumn(), Qt::Horizontal, Qt::DisplayRole).toString();
        m_footRight->setText((down ? tr("%1, highest first") : tr("%1, lowest first")).arg(column));
    }
}

// ------------------------------------------------------------------------------------------------------------------- menus

/// What a filter hides may be chosen still, in the charts; an action here is about what is seen here.
QSet<core::TrialId> TrialsPage::chosen() const
{
    QSet<core::TrialId> shown;
    for (const core::TrialId& id : context().selection.trials())
        if (m_model->rowOf(id) >= 0)
            shown.insert(id);
    // The best stands above them all, also where the filter leaves it out: chosen there, it is meant.
    if (shown.isEmpty() && context().selection.trials().contains(m_model->bestTrial()))
        shown.insert(m_model->bestTrial());
    return shown;
}

void TrialsPage::openColumns(const QPoint& global)
{
    QMenu menu(this);
    const auto add = [&](QMenu& to, int column) {
        QAction* action = to.addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(m_table->isColumnShown(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            m_table->setColumnShown(column, on);
            showFoot();
        });
    };
    for (int column = 1; column < models::baseColumns; ++column)
        add(menu, column);
    if (m_model->columnCount() > models::baseColumns) {
        // Many parameters in groups that fit on a screen.
        constexpr int groupSize = 30;
        menu.addSection(tr("Parameters"));
        QMenu* group = &menu;
        for (int column = models::baseColumns; column < m_model->columnCount(); ++column) {
            const int number = column - models::baseColumns;
            if (m_model->columnCount() - models::baseColumns > groupSize && number % groupSize == 0)
                group = menu.addMenu(tr("Parameters from %1").arg(m_model->table().parameterName(column)));
            add(*group, column);
        }
    }
    menu.exec(global);
}

void TrialsPage::openMenu(const QPoint& global)
{
    const QSet<core::TrialId> ids = chosen();
    const core::TrialPtr current = context().mirror.state().trial(context().selection.current());
    if (ids.isEmpty() || !current)
        return;
    const int running = int(cancellable(context(), ids).trials.size());
    const int ended = int(retryable(context(), ids).trials.size());
    QMenu menu(this);
    menu.addAction(icons::icon(u"stop"_s), tr("Cancel %n trial(s)", nullptr, running), this,
            [this, ids] { cancelTrials(context(), ids, this); })
        ->setEnabled(running > 0);
    menu.addAction(icons::icon(u"early-stopped"_s), tr("Stop %n trial(s) early", nullptr, running), this,
            [this, ids] { cancelTrials(context(), ids, this, true); })
        ->setEnabled(running > 0);
    menu.addAction(icons::icon(u"retry"_s), tr("Retry %n trial(s)", nullptr, ended), this,
            [this, ids] { retryTrials(context(), ids, this); })
        ->setEnabled(ended > 0);
    menu.addAction(icons::icon(u"copy"_s), tr("Copy with edits…"), this, [this, current] {
        if (const auto from = context().mirror.state().experiments().find(current->experimentId))
            context().actions.openNewExperiment(from->spec, current->id);
    });
    menu.addSeparator();
    menu.addAction(icons::icon(u"compare"_s), tr("Compare"), this, [this, ids] { compareTrials(context(), ids, this); })
        ->setEnabled(ids.size() > 1);
    menu.addAction(
        icons::icon(u"charts"_s), tr("Show in charts"), this, [this] { context().actions.showPage(u"charts"_s); });
    if (current->status == core::TrialStatus::waiting)
        menu.addAction(icons::icon(u"waiting"_s), tr("Why is it waiting?"), this,
            [this, current] { context().actions.showWhyWaiting(current->id); });
    if (!current->machineId.isEmpty())
        menu.addAction(icons::icon(u"machines"_s), tr("Show its machine"), this,
            [this, current] { context().actions.showMachine(current->machineId); });
    menu.addSeparator();
    menu.addAction(icons::icon(u"tag"_s), tr("Tags…"), this, [this, ids, current] {
        bool good = false;
        const QString text = QInputDialog::getText(this, tr("Tags"),
            tr("Tags of %n trial(s), with commas between them", nullptr, int(ids.size())), QLineEdit::Normal,
            current->tags.join(u", "_s), &good);
        if (!good)
            return;
        engine::PatchTrials command;
        for (const core::TrialId& id : ids)
            command.selection.ids.append(id.value);
        QStringList tags;
        for (const QString& tag : text.split(u',', Qt::SkipEmptyParts))
            tags.append(tag.trimmed());
        command.set.tags = tags;
        context().mirror.execute(std::move(command));
    });
    menu.addAction(icons::icon(u"copy"_s), tr("Copy ids"), this, [ids] {
        QStringList text;
        for (const core::TrialId& id : ids)
            text.append(id.value);
        text.sort();
        QGuiApplication::clipboard()->setText(text.join(u'\n'));
    });
    menu.addAction(icons::icon(u"export"_s), tr("Export table…"), this, &TrialsPage::exportTable);
    menu.exec(global);
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
    bool good = false;
    const int number =
        QInputDialog::getInt(this, tr("Go to trial"), tr("Number of the trial"), 0, 0, 1'000'000'000, 1, &good);
    if (!good)
        return;
    const models::TrialTable& table = m_model->table();
    for (quint32 row = table.size(); row-- > 0;) {
        if (table.trial(row).sequenceId != number)
            continue;
        if (m_model->rowOf(table.trial(row).id) < 0)
            applyFilter({});
        context().selection.set({table.trial(row).id}, this);
        context().selection.setCurrent(table.trial(row).id, this);
        return;
    }
    context().actions.note(tr("There is no trial %1.").arg(number));
}

void TrialsPage::exportTable()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export table"), u"trials.csv"_s, tr("Table (*.csv)"));
    if (file.isEmpty())
        return;
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) {
        context().actions.error(
            {core::Kind::resource, tr("%1 could not be written: %2.").arg(file, out.errorString()), {}});
        return;
    }
    QList<int> columns;
    for (const int column : m_table->columnsInOrder()) {
        if (m_table->isColumnShown(column) && column != int(TrialColumn::curve))
            columns.append(column);
    }
    const auto quoted = [](QString text) {
        if (text.contains(u',') || text.contains(u'"') || text.contains(u'\n'))
            return u'"' + text.replace(u"\""_s, u"\"\""_s) + u'"';
        return text;
    };
    QStringList line;
    for (const int column : std::as_const(columns))
        line.append(quoted(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
    out.write(line.join(u',').toUtf8() + '\n');
    for (int row = 0; row < m_model->rowCount(); ++row) {
        line.clear();
        const quint32 source = m_model->sourceRow(row);
        for (const int column : std::as_const(columns)) {
            const double number = m_model->table().number(column, source, m_model->now());
            const bool isWord = column == int(TrialColumn::state) || std::isnan(number);
            line.append(isWord ? quoted(m_model->cell(column, source, Qt::DisplayRole).toString())
                               : QString::number(number, 'g', 17));
        }
        out.write(line.join(u',').toUtf8() + '\n');
    }
    if (out.commit())
        context().actions.note(tr("Saved %1").arg(file));
    else
        context().actions.error(
            {core::Kind::resource, tr("%1 could not be written: %2.").arg(file, out.errorString()), {}});
}

// -------------------------------------------------------------------------------------------------------------------- keys

QList<std::pair<QString, QString>> TrialsPage::keys() const
{
    return {{u"/"_s, tr("Filter")}, {tr("J, K"), tr("Next, previous row")}, {tr("Enter"), tr("Open in the inspector")},
        {u"R"_s, tr("Retry the selection")}, {u"S"_s, tr("Cancel the selection")},
        {tr("Shift+S"), tr("Stop the selection early")}, {u"L C P E"_s, tr("Log, curve, parameters, events")},
        {u"[ ]"_s, tr("Previous, next failure")}, {u"W"_s, tr("Why is it waiting?")},
        {u"G"_s, tr("Go to a trial by its number")}, {tr("Ctrl+Alt+C"), tr("Compare the selection")},
        {tr("Ctrl+E"), tr("Export the table")}};
}

void TrialsPage::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    const bool isShift = event->modifiers() == Qt::ShiftModifier;
    const auto tab = [this](TrialDetailPanel::Tab which) {
        emit inspectorWanted();
        m_panel->showTab(which);
    };
    if (event->key() == Qt::Key_E && event->modifiers() == Qt::ControlModifier) {
        exportTable();
        return;
    }
    if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::AltModifier)) {
        compareTrials(context(), chosen(), this);
        return;
    }
    if (isShift && event->key() == Qt::Key_S) {
        cancelTrials(context(), chosen(), this, true);
        return;
    }
    if (!isPlain) {
        Page::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_R:
        retryTrials(context(), chosen(), this);
        return;
    case Qt::Key_S:
        cancelTrials(context(), chosen(), this);
        return;
    case Qt::Key_L:
        tab(TrialDetailPanel::log_tab);
        return;
    case Qt::Key_C:
        tab(TrialDetailPanel::curve_tab);
        return;
    case Qt::Key_P:
        tab(TrialDetailPanel::parameters_tab);
        return;
    case Qt::Key_E:
        tab(TrialDetailPanel::events_tab);
        return;
    case Qt::Key_BracketLeft:
        goToFailure(-1);
        return;
    case Qt::Key_BracketRight:
        goToFailure(1);
        return;
    case Qt::Key_W:
        context().actions.showWhyWaiting(context().selection.current());
        return;
    case Qt::Key_G:
        goToNumber();
        return;
    case Qt::Key_Escape:
        if (!m_filter->text().isEmpty()) {
            applyFilter({});
            return;
        }
        emit inspectorDone();
        return;
    default:
        Page::keyPressEvent(event);
    }
}

} // namespace ui
