// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_page.h"

#include "why_card.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/queue/queue_model.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QStackedLayout>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

using models::QueueModel;

namespace {

constexpr int widthOfNeeds = 96; ///< pixels at 100 %
constexpr int leastReason = 160;

} // namespace

QueuePage::QueuePage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new QueueModel(context.mirror, this))
    , m_table(new QTableView(this))
    , m_count(makeQuietLabel({}, TextSize::body, this))
    , m_empty(new EmptyState({}, {}, {}, this))
    , m_stack(new QStackedLayout)
    , m_card(new WhyCard(context))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* head = new FlowLayout(metrics::gap);
    head->setContentsMargins(16, 12, 16, 12);
    head->addWidget(makeLabel(title(), TextSize::title, QFont::DemiBold));
    head->addWidget(m_count);
    head->addStretch();
    const QList<KeyCommand> keys = keyCommands();
    const auto add = [&](const QString& text, const QString& id, const std::function<void()>& run) {
        const KeyCommand command = keyNamed(keys, id);
        QPushButton* button = makeButton(text, command.icon, this);
        setKeyTip(button, command.title, command);
        head->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
        addCommand(command, run, Reach::also_in_lists);
        m_buttons += button;
    };
    add(tr("Front"), u"queue/front"_s, [this] { moveTo(true); });
    add(tr("Raise"), u"queue/raise"_s, [this] { setPriority(1); });
    add(tr("Lower"), u"queue/lower"_s, [this] { setPriority(-1); });
    add(tr("End"), u"queue/end"_s, [this] { moveTo(false); });
    add(tr("Hold"), u"queue/hold"_s, [this] { setHold(); });
    layout->addLayout(head);
    layout->addLayout(m_stack, 1);
    setUpTable(m_table, title());
    m_table->setModel(m_model);
    auto* delegate = new RecordDelegate(m_table);
    delegate->setQuietColumns({QueueModel::PlaceColumn, QueueModel::ExperimentColumn, QueueModel::WaitedColumn});
    delegate->setStateColumn(QueueModel::NumberColumn, [this](const QModelIndex& index) {
        const auto trial = m_model->record(index);
        StateLook look = this->context().theme.state(core::TrialStatus::waiting);
        if (trial && trial->hold)
            look.icon = u"paused"_s;
        look.role = &Roles::text;
        look.word = index.data().toString();
        return look;
    });
    m_table->setItemDelegate(delegate);
    const int widths[] = {80, 64, 160, widthOfNeeds, 80, 90};
    for (int column = 0; column < QueueModel::ReasonColumn; ++column)
        m_table->setColumnWidth(column, context.theme.scaled(widths[column]));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    connect(m_empty, &EmptyState::pressed, this, [this] { this->context().actions.showExperiment({}); });
    connect(m_card, &WhyCard::closed, this, &Page::inspectorDone);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        showChosen();
        if (index.isValid())
            emit inspectorWanted();
    });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const auto trial = m_model->record(index))
            this->context().actions.showTrial(trial->id);
    });
    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(250); // limits updates, because text and buttons would flicker at the frame rate
    connect(later, &QTimer::timeout, this, &QueuePage::refresh);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this, later] {
        if (isVisible() && !later->isActive())
            later->start();
    });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, later, [later] {
            if (!later->isActive())
                later->start();
        });
    refresh();
}

/// The reason has the width that the others leave. Where that is too little for words it stands in the card alone.
void QueuePage::shareWidth()
{
    QHeaderView* header = m_table->horizontalHeader();
    int rest = width();
    for (int column = 0; column < QueueModel::ReasonColumn; ++column)
        if (!m_table->isColumnHidden(column))
            rest -=
                column == QueueModel::NeedsColumn ? context().theme.scaled(widthOfNeeds) : header->sectionSize(column);
    const bool hasReason = rest >= context().theme.scaled(leastReason);
    m_table->setColumnHidden(QueueModel::ReasonColumn, !hasReason);
    header->setStretchLastSection(hasReason);
    header->setSectionResizeMode(QueueModel::NeedsColumn, hasReason ? QHeaderView::Interactive : QHeaderView::Stretch);
    if (hasReason)
        header->resizeSection(QueueModel::NeedsColumn, context().theme.scaled(widthOfNeeds));
}

void QueuePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    shareWidth();
}

QWidget* QueuePage::inspector()
{
    return m_card;
}

void QueuePage::setExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_table->setColumnHidden(QueueModel::ExperimentColumn, !experiment.isEmpty());
    shareWidth();
    m_model->setExperiment(experiment);
    refresh();
}

void QueuePage::shown()
{
    refresh();
    if (m_model->rowCount() > 0)
        emit inspectorWanted();
}

void QueuePage::showRecord(const QString& id)
{
    QModelIndex index = m_model->find(core::TrialId(id));
    if (id.isEmpty() && m_model->rowCount() > 0)
        index = m_model->index(0, 0);
    const core::TrialPtr trial = context().mirror.state().trial(core::TrialId(id));
    if (trial && !index.isValid())
        context().actions.note(tr("Trial %1 no longer waits.").arg(trial->sequenceId));
    m_table->setCurrentIndex(index);
    showChosen();
    emit inspectorWanted();
}

void QueuePage::refresh()
{
    const int rows = m_model->rowCount();
    qint64 running = 0;
    qint64 allowed = 0;
    for (const auto& experiment : context().mirror.state().experiments().list())
        if (experiment->state == core::ExperimentState::running
            && (m_experiment.isEmpty() || experiment->id == m_experiment)) {
            running += experiment->count(core::TrialStatus::running);
            allowed += experiment->spec.trialConcurrency;
        }
    m_count->setText(allowed > 0
            ? tr("%1 waiting, %2 of %3 run at once")
                  .arg(models::countText(rows), models::countText(running), models::countText(allowed))
            : tr("%1 waiting").arg(models::countText(rows)));
    m_stack->setCurrentWidget(rows == 0 ? static_cast<QWidget*>(m_empty) : m_table);
    const qint64 elsewhere =
        m_experiment.isEmpty() ? 0 : context().mirror.state().counts()[size_t(core::TrialStatus::waiting)];
    if (elsewhere > 0)
        m_empty->setTexts(tr("Nothing of this experiment waits"),
            tr("%n trial(s) of other experiments wait.", nullptr, int(elsewhere)), tr("Show all experiments"));
    else
        m_empty->setTexts(tr("Nothing waits"),
            tr("A trial that cannot start yet stands here, with the reason, the numbers behind it and what would "
               "help."),
            {});
    for (QPushButton* button : std::as_const(m_buttons))
        button->setEnabled(rows > 0);
    if (!m_table->currentIndex().isValid() && rows > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    showChosen();
}

void QueuePage::showChosen()
{
    m_card->setTrial(m_model->record(m_table->currentIndex()), m_model->records());
}

QList<core::TrialPtr> QueuePage::selected() const
{
    QList<core::TrialPtr> trials;
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : std::as_const(rows))
        trials += m_model->record(row);
    return trials;
}

void QueuePage::moveTo(bool front)
{
    api::MoveQueue move;
    for (const core::TrialPtr& trial : selected())
        if (trial->machineId.isEmpty()) // trials with a machine are being started
            move.ids += trial->id.value;
    if (move.ids.isEmpty())
        return;
    if (front) {
        const auto& all = m_model->records();
        const auto other = std::find_if(all.begin(), all.end(),
            [chosen = QSet<QString>(move.ids.begin(), move.ids.end())](
                const core::TrialPtr& trial) { return !chosen.contains(trial->id.value); });
        if (other == all.end())
            return;
        move.before = (*other)->id.value;
    }
    context().mirror.execute(move);
}

void QueuePage::setHold()
{
    const QList<core::TrialPtr> trials = selected();
    if (trials.isEmpty())
        return;
    api::PatchTrials patch;
    for (const core::TrialPtr& trial : trials)
        patch.selection.ids += trial->id.value;
    patch.set.hold = !trials.first()->hold;
    context().mirror.execute(patch);
}

void QueuePage::setPriority(int step)
{
    for (const core::TrialPtr& trial : selected()) {
        api::PatchTrials patch;
        patch.selection.ids = {trial->id.value};
        patch.set.priority = trial->priority + step;
        context().mirror.execute(patch);
    }
}

QList<KeyCommand> QueuePage::keyCommands()
{
    return {{u"queue/front"_s, tr("Move before all others"), u"arrow-up"_s, {Qt::ALT | Qt::Key_Home}},
        {u"queue/raise"_s, tr("Raise the priority"), u"chevron-up"_s, {Qt::ALT | Qt::Key_Up}},
        {u"queue/lower"_s, tr("Lower the priority"), u"chevron-down"_s, {Qt::ALT | Qt::Key_Down}},
        {u"queue/end"_s, tr("Move behind all others"), u"arrow-down"_s, {Qt::ALT | Qt::Key_End}},
        {u"queue/hold"_s, tr("Hold back, or release"), u"pause"_s, {Qt::Key_H}}};
}

QList<std::pair<QString, QString>> QueuePage::keys() const
{
    return {{u"Enter"_s, tr("Show the trial")}};
}

} // namespace ui
