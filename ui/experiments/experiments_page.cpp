// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments_page.h"

#include "give_up_dialog.h"

#include "models/engine_mirror.h"
#include "models/experiments/experiment_model.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QSpinBox>
#include <QStackedLayout>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

using core::ExperimentState;
using models::ExperimentModel;

namespace {

QSpinBox* makeLimit(const QString& name, const QString& none, const QString& suffix, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(none.isEmpty() ? 1 : 0, 1'000'000);
    box->setSpecialValueText(none);
    box->setSuffix(suffix);
    box->setAccessibleName(name);
    box->setGroupSeparatorShown(true);
    return box;
}

} // namespace

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
    const int widths[] = {104, 200, 84, 72, 72, 72, 64, 72, 110};
    for (int column = 0; column < ExperimentModel::columns; ++column)
        m_table->setColumnWidth(column, context.theme.scaled(widths[column]));
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
    connect(&context.mirror, &models::EngineMirror::changed, this, &ExperimentsPage::refresh);
    refresh();
}

void ExperimentsPage::buildInspector()
{
    m_inspector->setAccessibleName(tr("The chosen experiment"));
    auto* layout = new QVBoxLayout(m_inspector);
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
    auto* buttons = new QHBoxLayout;
    m_pause = makeButton(tr("Pause"), u"pause"_s, m_inspector);
    m_stop = makeButton(tr("Stop"), u"stop"_s, m_inspector);
    m_copy = makeButton(tr("Copy with edits"), u"copy"_s, m_inspector);
    for (QPushButton* button : {m_pause, m_stop, m_copy})
        buttons->addWidget(button);
    buttons->addStretch(1);
    layout->addLayout(buttons);

    layout->addSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Limits"), TextSize::body, QFont::DemiBold, m_inspector));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(metrics::margin);
    m_concurrency = makeLimit(tr("At once"), {}, {}, m_inspector);
    m_most = makeLimit(tr("Trials"), tr("no limit"), {}, m_inspector);
    m_minutes = makeLimit(tr("Time"), tr("no limit"), tr(" min"), m_inspector);
    m_trialMinutes = makeLimit(tr("Time a trial"), tr("no limit"), tr(" min"), m_inspector);
    m_tags = new QLineEdit(m_inspector);
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setPlaceholderText(tr("separated by commas"));
    form->addRow(tr("At once"), m_concurrency);
    form->addRow(tr("Trials"), m_most);
    form->addRow(tr("Time"), m_minutes);
    form->addRow(tr("Time a trial"), m_trialMinutes);
    form->addRow(tr("Tags"), m_tags);
    layout->addLayout(form);
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
    connect(m_cleanup, &QPushButton::clicked, this, [this] { act(api::ExperimentAction::cleanup); });
    connect(m_delete, &QPushButton::clicked, this, &ExperimentsPage::remove);
    connect(m_save, &QPushButton::clicked, this, &ExperimentsPage::saveLimits);
    const auto edited = [this] {
        m_edited = true;
        m_save->setEnabled(true);
    };
    for (QSpinBox* box : {m_concurrency, m_most, m_minutes, m_trialMinutes})
        connect(box, &QSpinBox::valueChanged, this, edited);
    connect(m_tags, &QLineEdit::textEdited, this, edited);
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

void ExperimentsPage::refresh()
{
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
    lines += tr("on %1").arg(e->spec.platformId.value);
    if (e->spec.gpuNumber)
        lines += tr("%n GPU(s) a trial", nullptr, *e->spec.gpuNumber);
    lines += (e->spec.objective.maximize ? tr("maximize %1") : tr("minimize %1"))
                 .arg(models::printable(e->spec.objective.metric, 40));
    if (!e->spec.tunerName.isEmpty())
        lines += tr("search by %1").arg(e->spec.tunerName);
    lines += tr("id %1").arg(e->id.value);
    m_details->setText(lines.join(u'\n'));

    // Do not overwrite fields that the user is editing.
    if (m_edited && m_shown == e->id)
        return;
    m_shown = e->id;
    const auto set = [](QSpinBox* box, qint64 value) {
        const QSignalBlocker quiet(box);
        box->setValue(int(std::min<qint64>(value, box->maximum())));
    };
    set(m_concurrency, e->spec.trialConcurrency);
    set(m_most, e->spec.maxTrialNumber.value_or(0));
    set(m_minutes, (e->spec.maxDurationSeconds.value_or(0) + 59) / 60);
    set(m_trialMinutes, (e->spec.maxTrialDurationSeconds.value_or(0) + 59) / 60);
    m_tags->setText(e->spec.tags.join(u", "_s));
    m_edited = false;
    m_save->setEnabled(false);
}

void ExperimentsPage::saveLimits()
{
    const core::ExperimentPtr e = chosen();
    if (!e)
        return;
    api::PatchExperiment patch;
    patch.id = e->id;
    const auto limit = [](int value, int unit) {
        return value == 0 ? std::optional<qint64>() : std::optional<qint64>(qint64(value) * unit);
    };
    if (m_concurrency->value() != e->spec.trialConcurrency)
        patch.trialConcurrency = m_concurrency->value();
    if (limit(m_most->value(), 1) != e->spec.maxTrialNumber)
        patch.maxTrialNumber = limit(m_most->value(), 1);
    if (limit(m_minutes->value(), 60) != e->spec.maxDurationSeconds)
        patch.maxDurationSeconds = limit(m_minutes->value(), 60);
    if (limit(m_trialMinutes->value(), 60) != e->spec.maxTrialDurationSeconds)
        patch.maxTrialDurationSeconds = limit(m_trialMinutes->value(), 60);
    QStringList tags;
    for (const QString& tag : m_tags->text().split(u',', Qt::SkipEmptyParts))
        tags += tag.trimmed();
    if (tags != e->spec.tags)
        patch.tags = tags;
    setBusy(m_save, true);
    context().mirror.execute(patch, [this, alive = QPointer(this)](const auto& reply) {
        if (!alive)
            return;
        setBusy(m_save, false);
        if (reply) {
            m_edited = false;
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
