// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments_page.h"

#include "give_up_dialog.h"
#include "limit_fields.h"

#include "models/machine_cells.h"
#include "models/engine_mirror.h"
#include "models/experiments/experiment_model.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QHeaderView>
#include <QPointer>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

using core::ExperimentState;
using models::ExperimentModel;

static constexpr int leastNameWidth = 140; ///< pixels at 100 %

ExperimentsPage::ExperimentsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new ExperimentModel(context.mirror, this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(tr("No experiments yet"),
          tr("An experiment is a command, the parameters to try, and where to run. They are listed here with what they "
             "found."),
          tr("Run the demo"), this))
    , m_stack(new QStackedLayout)
    , m_inspector(new QWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 16, 16, 12);
    head->addWidget(makeLabel(title(), TextSize::title, QFont::DemiBold));
    head->addStretch(1);
    layout->addLayout(head);
    layout->addLayout(m_stack, 1);
    setUpTable(m_table, title());
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setModel(m_model);
    auto* delegate = new RecordDelegate(m_table);
    delegate->setStateColumn(ExperimentModel::StateColumn, [this](const QModelIndex& index) {
        const auto experiment = m_model->record(index);
        return experiment ? this->context().theme.state(experiment->state) : StateLook();
    });
    delegate->setStrongColumns({ExperimentModel::NameColumn});
    delegate->setQuietColumns({ExperimentModel::PlatformColumn, ExperimentModel::CreatedColumn});
    m_table->setItemDelegate(delegate);
    m_table->viewport()->installEventFilter(this);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    buildInspector();

    connect(m_empty, &EmptyState::pressed, this, [this] { this->context().actions.runDemo(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showChosen();
        if (chosen())
            emit inspectorWanted();
    });
    connect(m_table, &QTableView::activated, this, [this] {
        if (const auto experiment = chosen()) {
            this->context().actions.showExperiment(experiment->id);
            this->context().actions.showPage(u"trials"_s);
        }
    });
    // The sentence about the chosen one counts its trials, so not at each frame.
    m_soon.setSingleShot(true);
    m_soon.setInterval(100);
    connect(&m_soon, &QTimer::timeout, this, &ExperimentsPage::refresh);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this] {
        if (isVisible() && !m_soon.isActive())
            m_soon.start();
    });
    refresh();
}

void ExperimentsPage::buildInspector()
{
    m_inspector->setAccessibleName(tr("The chosen experiment"));
    auto* scroll = new QScrollArea(m_inspector);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus); // its fields take the focus and are scrolled into view
    scroll->setAccessibleName(tr("The chosen experiment"));
    auto* whole = new QVBoxLayout(m_inspector);
    whole->setContentsMargins({});
    whole->addWidget(scroll);
    auto* content = new QWidget(scroll);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(metrics::gap);
    auto* head = new QHBoxLayout;
    m_name = makeLabel({}, TextSize::title, QFont::DemiBold, m_inspector);
    makeSelectable(m_name);
    m_state = new StateLabel(m_inspector);
    auto* close = makeIconButton(u"close"_s, tr("Close the inspector"), m_inspector);
    head->addWidget(m_name);
    head->addSpacing(8);
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(close);
    layout->addLayout(head);
    m_sentence = makeLabel({}, TextSize::body, QFont::Normal, m_inspector);
    m_sentence->setWordWrap(true);
    makeSelectable(m_sentence);
    layout->addWidget(m_sentence);
    auto* buttons = new FlowLayout(metrics::gap);
    m_pause = makeButton(tr("Pause"), u"pause"_s, m_inspector);
    m_stop = makeButton(tr("Stop"), u"stop"_s, m_inspector);
    m_copy = makeButton(tr("Copy with edits"), u"copy"_s, m_inspector);
    for (QPushButton* button : {m_pause, m_stop, m_copy})
        buttons->addWidget(button);
    layout->addLayout(buttons);

    layout->addSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Limits"), TextSize::body, QFont::DemiBold, m_inspector));
    m_limits = new LimitFields(m_inspector);
    layout->addWidget(m_limits);
    m_save = makePrimaryButton(tr("Change limits"), {}, m_inspector);
    m_save->setEnabled(false);
    layout->addWidget(m_save, 0, Qt::AlignLeft);

    layout->addSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("What it runs"), TextSize::body, QFont::DemiBold, m_inspector));
    m_details = makeLabel({}, TextSize::mono, QFont::Normal, m_inspector);
    m_details->setWordWrap(true);
    m_details->setForegroundRole(QPalette::PlaceholderText);
    makeSelectable(m_details);
    layout->addWidget(m_details);
    layout->addStretch(1);
    auto* last = new QHBoxLayout;
    m_cleanup = makeButton(tr("Clean up"), u"trash"_s, m_inspector);
    m_cleanup->setToolTip(tr("Removes what is ours on the platform; history stays."));
    m_delete = makeButton(tr("Delete"), u"trash"_s, m_inspector);
    m_delete->setToolTip(tr("Removes the experiment, its trials and their history."));
    last->addWidget(m_cleanup);
    last->addWidget(m_delete);
    last->addStretch(1);
    layout->addLayout(last);
    scroll->setWidget(content);

    connect(close, &QToolButton::clicked, this, &Page::inspectorDone);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        const auto experiment = chosen();
        if (experiment)
            act(experiment->state == ExperimentState::paused ? api::ExperimentAction::resume
                                                             : api::ExperimentAction::pause);
    });
    connect(m_stop, &QPushButton::clicked, this, &ExperimentsPage::stop);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (const auto experiment = chosen())
            context().actions.openNewExperiment(experiment->spec);
    });
    connect(m_cleanup, &QPushButton::clicked, this, &ExperimentsPage::cleanUp);
    connect(m_delete, &QPushButton::clicked, this, &ExperimentsPage::remove);
    connect(m_save, &QPushButton::clicked, this, &ExperimentsPage::saveLimits);
    connect(m_limits, &LimitFields::edited, this, [this] { m_save->setEnabled(true); });
}

core::ExperimentPtr ExperimentsPage::chosen() const
{
    return m_model->record(m_table->currentIndex());
}

void ExperimentsPage::showRecord(const QString& id)
{
    const QModelIndex index = m_model->find(core::ExperimentId(id));
    if (index.isValid())
        m_table->setCurrentIndex(index);
}

bool ExperimentsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitColumns();
    return Page::eventFilter(watched, event);
}

/// Every column is as wide as what is in it; the name takes the rest.
void ExperimentsPage::fitColumns()
{
    const int least = context().theme.scaled(leastNameWidth);
    const QAbstractItemView& view = *m_table; // where sizeHintForColumn() is public
    int others = 0;
    for (int column = 0; column < ExperimentModel::columns; ++column) {
        if (column == ExperimentModel::NameColumn)
            continue;
        const int width =
            std::max(view.sizeHintForColumn(column), m_table->horizontalHeader()->sectionSizeHint(column));
        m_table->setColumnWidth(column, width);
        others += width;
    }
    m_table->setColumnWidth(ExperimentModel::NameColumn, std::max(least, m_table->viewport()->width() - others));
}

void ExperimentsPage::refresh()
{
    fitColumns();
    m_stack->setCurrentWidget(m_model->rowCount() == 0 ? static_cast<QWidget*>(m_empty) : m_table);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    showChosen();
}

void ExperimentsPage::showChosen()
{
    const core::ExperimentPtr e = chosen();
    if (!e)
        return;
    m_name->setText(models::printable(e->spec.name, 60));
    m_state->setLook(context().theme.state(e->state));
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const models::Progress progress = models::progressOf(*e, context().mirror.state().trialsOf(e->id), now);
    QString sentence =
        tr("%1 of %2 trials ended").arg(models::countText(progress.ended), models::countText(progress.total));
    if (e->best) {
        const core::TrialPtr best = context().mirror.state().trial(e->best->trialId);
        sentence += best ? tr(", best %1 by trial %2").arg(models::metricText(e->best->value)).arg(best->sequenceId)
                         : tr(", best %1").arg(models::metricText(e->best->value));
    }
    sentence += u'.';
    if (!e->message.isEmpty())
        sentence += u' ' + models::printable(e->message, 500);
    m_sentence->setText(sentence);

    const bool open = e->state == ExperimentState::running || e->state == ExperimentState::paused
        || e->state == ExperimentState::preparing;
    m_pause->setEnabled(open);
    m_pause->setText(e->state == ExperimentState::paused ? tr("Resume") : tr("Pause"));
    m_stop->setEnabled(open);
    m_delete->setEnabled(!open);
    QStringList lines;
    lines += models::printable(e->spec.trialCommand, 2'000);
    if (!e->spec.codeDir.isEmpty())
        lines += tr("code %1").arg(models::printable(e->spec.codeDir));
    lines += tr("on %1").arg(models::platformName(e->spec.platformId));
    if (e->spec.gpuNumber)
        lines += tr("%n GPU(s) a trial", nullptr, *e->spec.gpuNumber);
    lines += (e->spec.objective.maximize ? tr("maximize %1") : tr("minimize %1"))
                 .arg(models::printable(e->spec.objective.metric, 40));
    if (!e->spec.tunerName.isEmpty())
        lines += tr("search by %1").arg(e->spec.tunerName);
    lines += tr("id %1").arg(e->id.value);
    m_details->setText(lines.join(u'\n'));

    m_limits->show(*e);
    m_save->setEnabled(m_limits->isEdited());
}

void ExperimentsPage::saveLimits()
{
    const std::optional<api::PatchExperiment> changes = m_limits->changes();
    if (!changes) {
        m_limits->drop();
        showChosen();
        return;
    }
    setBusy(m_save, true);
    context().mirror.execute(*changes, [this, alive = QPointer(this)](const auto& reply) {
        if (!alive)
            return;
        setBusy(m_save, false);
        if (reply) {
            m_limits->drop();
            context().actions.note(tr("The limits hold from now on."));
        }
        showChosen();
    });
}

void ExperimentsPage::act(api::ExperimentAction action)
{
    if (const auto experiment = chosen())
        askOrGiveUp(context(), {experiment->id, action}, this);
}

void ExperimentsPage::stop()
{
    const core::ExperimentPtr e = chosen();
    if (!e)
        return;
    const qint64 running = e->count(core::TrialStatus::running) + e->count(core::TrialStatus::unknown);
    const qint64 waiting = e->count(core::TrialStatus::waiting);
    context().actions.toastWithUndo(
        [name = models::printable(e->spec.name, 40), running, waiting](const QString& seconds) {
            return tr("%1 stops in %2 s: %3 running and %4 waiting trials are cancelled")
                .arg(name, seconds, models::countText(running), models::countText(waiting));
        },
        6,
        [this, id = e->id] {
            askOrGiveUp(context(), {id, api::ExperimentAction::stop}, this);
        });
}

void ExperimentsPage::cleanUp()
{
    const core::ExperimentPtr e = chosen();
    if (!e)
        return;
    qint64 open = 0;
    for (const core::TrialStatus status : core::allTrialStatuses)
        open += core::isFinal(status) ? 0 : e->count(status);
    context().actions.toastWithUndo(
        [name = models::printable(e->spec.name, 40), open](const QString& seconds) {
            return open > 0
                ? tr("%1 is cleaned up in %2 s: %3 trials are cancelled and all folders on the machines removed")
                      .arg(name, seconds, models::countText(open))
                : tr("%1 is cleaned up in %2 s: all folders on the machines are removed").arg(name, seconds);
        },
        6,
        [this, id = e->id] {
            askOrGiveUp(context(), {id, api::ExperimentAction::cleanup}, this);
        });
}

void ExperimentsPage::remove()
{
    const core::ExperimentPtr e = chosen();
    if (!e)
        return;
    context().actions.toastWithUndo(
        [name = models::printable(e->spec.name, 40)](
            const QString& seconds) { return tr("%1 and its trials are deleted in %2 s").arg(name, seconds); },
        6,
        [this, id = e->id] {
            askOrGiveUp(context(), {id, api::ExperimentAction::remove}, this);
        });
}

QList<std::pair<QString, QString>> ExperimentsPage::keys() const
{
    return {{u"Enter"_s, tr("Show the trials of the experiment")}};
}

} // namespace ui
