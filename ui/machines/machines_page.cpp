// SPDX-License-Identifier: GPL-3.0-or-later
#include "machines_page.h"

#include "add_machines.h"
#include "check_list.h"
#include "cluster_queues.h"
#include "gpu_usage_chart.h"
#include "machine_boxes.h"
#include "machine_menu.h"
#include "machine_table.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/format.h"
#include "models/machines/check_matrix.h"
#include "models/machines/machine_inquiry.h"
#include "models/machines/machine_sort.h"
#include "models/machines/ready_since.h"
#include "models/machines/running_trials.h"
#include "models/printable.h"
#include "models/selection.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/actions.h"
#include "ui/kit/icons.h"
#include "ui/kit/side_panel.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QMenu>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace ui {

using models::MachineModel;

namespace {

constexpr int tableBeyond = 64;   ///< with more machines than this the table is shown at first
constexpr int roomForUsage = 640; ///< smallest height of the page, in pixels at 100 %, with the usage chart

} // namespace

MachinesPage::MachinesPage(const PageContext& context, SidePanel* queue, QWidget* parent)
    : Page(context, parent)
    , m_model(new MachineModel(context.mirror, this))
    , m_sort(new models::MachineSort(*m_model, this))
    , m_menu(new MachineMenu(context, this))
    , m_inquiry(new models::MachineInquiry(context.mirror, this))
    , m_running(new models::RunningTrials(context.mirror, this))
    , m_readySince(new models::ReadySince(context.mirror, this))
    , m_sides(new QStackedWidget(this))
    , m_filter(new FilterField(tr("Filter, for example free>0"), this))
    , m_boxes(new MachineBoxes(context.mirror, *m_model, *m_running, this))
    , m_table(new MachineTable(context, *m_sort, this))
    , m_usage(new GpuUsageChart(context, this))
    , m_empty(new EmptyState(tr("No machines"),
          tr("Machines of your platforms are shown here: every GPU, who holds it, and how busy it is."),
          tr("Add machines"), this))
    , m_stack(new QStackedLayout)
    , m_inspector(new QStackedWidget)
    , m_queue(queue)
{
    m_asTable = m_model->rowCount() > tableBeyond;
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins({});
    outer->addWidget(m_sides);
    auto* machines = new QWidget(m_sides);
    m_sides->addWidget(machines);
    auto* layout = new QVBoxLayout(machines);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* head = new FlowLayout(12);
    head->setContentsMargins(16, 12, 16, 12);
    head->addWidget(makeLabel(title(), TextSize::title, QFont::DemiBold));
    head->addWidget(makeSegments(
        {tr("Boxes"), tr("Table")}, m_asTable ? 1 : 0, [this](int which) { showTable(which == 1); }, this));
    m_filter->setFixedWidth(context.theme.scaled(240));
    head->addWidget(m_filter);
    head->addStretch();
    m_ask = makeButton(tr("Ask now"), u"refresh"_s, this);
    setKeyTip(m_ask, tr("Asks every machine at once"), askMachinesKey());
    QPushButton* add = makeButton(tr("Add machines"), u"plus"_s, this);
    head->addWidget(m_ask);
    head->addWidget(add);
    layout->addLayout(head);
    auto* queues = new QVBoxLayout;
    queues->setContentsMargins(16, 0, 16, 0);
    queues->addWidget(new ClusterQueues(context.mirror, machines));
    layout->addLayout(queues);
    layout->addLayout(m_stack, 1);
    layout->addSpacing(metrics::tight);
    layout->addWidget(m_usage);
    layout->addSpacing(metrics::gap);
    m_model->countTrials(*m_running);
    m_stack->addWidget(m_boxes);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    buildInspector();

    connect(m_ask, &QPushButton::clicked, m_inquiry, &models::MachineInquiry::ask);
    connect(m_inquiry, &models::MachineInquiry::progressed, this, &MachinesPage::showInquiry);
    connect(m_inquiry, &models::MachineInquiry::ended, this, [this](const QString& sentence) {
        showInquiry();
        this->context().actions.note(sentence);
    });
    connect(add, &QPushButton::clicked, this, &MachinesPage::beginAdding);
    connect(m_empty, &EmptyState::pressed, this, &MachinesPage::beginAdding);
    m_filter->setList(m_boxes);
    connect(m_filter, &FilterField::filterChanged, m_model, &MachineModel::setFilter);
    connect(m_boxes, &MachineBoxes::trialChosen, this,
        [this](const core::TrialId& id) { this->context().actions.showTrial(id); });
    connect(m_boxes, &MachineBoxes::machineChosen, this, &MachinesPage::choose);
    connect(m_table, &MachineTable::trialChosen, this,
        [this](const core::TrialId& id) { this->context().actions.showTrial(id); });
    connect(m_table, &MachineTable::chosen, this, &MachinesPage::choose);
    connect(m_table, &MachineTable::menuWanted, this, &MachinesPage::showMenu);
    connect(m_boxes, &MachineBoxes::currentChanged, this, &MachinesPage::showChosen);
    connect(m_boxes, &MachineBoxes::menuWanted, this, &MachinesPage::showMenu);
    connect(&context.selection, &models::Selection::changed, this,
        [this] { m_boxes->setSelectedTrials(this->context().selection.trials()); });
    const QList<KeyCommand> keys = keyCommands();
    addCommand(
        keyNamed(keys, u"machines/reserve"_s), [this] { reserve(); }, Reach::also_in_lists);
    addCommand(keyNamed(keys, u"machines/drain"_s), withChosen(&MachineMenu::toggleDrain), Reach::also_in_lists);
    addCommand(
        keyNamed(keys, u"machines/doctor"_s), [this] { m_menu->check(m_chosen); }, Reach::also_in_lists);
    connect(m_menu, &MachineMenu::checked, this, &MachinesPage::choose);
    connect(&context.theme, &Theme::changed, this, &MachinesPage::showChosen);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->machines.isEmpty() || !change->removed.machines.isEmpty())
            refresh();
        else if (!change->requests.isEmpty())
            showChosen();
    });
    refresh();
}

/// The GPU that is chosen in what is shown, boxes or table.
std::optional<int> MachinesPage::chosenGpu() const
{
    return m_asTable ? m_table->gpu() : m_boxes->currentGpu();
}

std::function<void()> MachinesPage::withChosen(void (MachineMenu::*act)(const core::Machine&))
{
    return [this, act] {
        if (const auto machine = chosen())
            (m_menu->*act)(*machine);
    };
}

void MachinesPage::buildInspector()
{
    m_inspector->setAccessibleName(tr("The chosen machine, or the queue"));
    m_inspector->addWidget(m_queue);
    connect(m_queue, &SidePanel::closed, this, &Page::inspectorDone);
    connect(m_queue, &SidePanel::emptyChanged, this, &MachinesPage::offerQueue);
    auto* scroll = new QScrollArea(m_inspector);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("The chosen machine"));
    auto* content = new QWidget(scroll);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    auto* head = new QHBoxLayout;
    m_name = makeLabel({}, TextSize::title, QFont::DemiBold, content);
    m_state = new StateLabel(content);
    auto* close = makeIconButton(u"close"_s, tr("Close the inspector"), content);
    auto* words = new FlowLayout(metrics::gap);
    words->addWidget(m_name);
    words->addWidget(m_state);
    head->addLayout(words, 1);
    head->addWidget(close, 0, Qt::AlignTop);
    layout->addLayout(head);
    m_facts = makeLabel({}, TextSize::body, QFont::Normal, content);
    m_facts->setWordWrap(true);
    makeSelectable(m_facts);
    layout->addWidget(m_facts);
    auto* buttons = new FlowLayout(metrics::gap);
    m_check = makeButton(tr("Check again"), u"check"_s, content);
    setKeyTip(m_check, tr("Runs the doctor"), keyNamed(keyCommands(), u"machines/doctor"_s));
    m_drain = makeButton(tr("Drain"), u"pause"_s, content);
    m_reserve = makeButton(tr("Reserve GPU"), u"lock"_s, content);
    for (QPushButton* button : {m_check, m_drain, m_reserve})
        buttons->addWidget(button);
    m_more = makeIconButton(u"more"_s, tr("What can be done with the machine"), content);
    buttons->addWidget(m_more);
    layout->addLayout(buttons);
    m_place = makeQuietLabel({}, TextSize::header, content);
    m_place->setWordWrap(true);
    layout->addWidget(m_place);
    m_steps = new CheckList(content);
    layout->addWidget(m_steps);
    layout->addStretch(1);
    scroll->setWidget(content);
    m_inspector->addWidget(scroll);
    connect(close, &QToolButton::clicked, this, [this] {
        m_inspector->setCurrentWidget(m_queue);
        m_queue->isEmpty() ? emit inspectorDone() : emit inspectorWanted();
    });
    connect(m_check, &QPushButton::clicked, this, [this] { m_menu->check(m_chosen); });
    connect(m_drain, &QPushButton::clicked, this, withChosen(&MachineMenu::toggleDrain));
    connect(m_reserve, &QPushButton::clicked, this, &MachinesPage::reserve);
    connect(
        m_more, &QToolButton::clicked, this, [this] { showMenu(m_more->mapToGlobal(m_more->rect().bottomLeft())); });
}

void MachinesPage::showInquiry()
{
    const models::MachineInquiry::Progress& progress = m_inquiry->progress();
    m_ask->setEnabled(!m_inquiry->isAsking());
    m_ask->setText(!m_inquiry->isAsking()
            ? tr("Ask now")
            : tr("%1 of %2 answered").arg(progress.answered + progress.silent).arg(progress.asked));
}

core::MachinePtr MachinesPage::chosen() const
{
    return context().mirror.state().machines().find(m_chosen);
}

void MachinesPage::refresh()
{
    const bool none = context().mirror.state().machines().list().isEmpty();
    m_stack->setCurrentWidget(none ? static_cast<QWidget*>(m_empty)
            : m_asTable            ? static_cast<QWidget*>(m_table)
                                   : m_boxes);
    showUsage();
    showChosen();
}

/// Hides the usage chart if the page is not high enough.
void MachinesPage::showUsage()
{
    const bool any = models::gpuCountsOf(context().mirror.state()).gpus > 0;
    m_usage->setVisible(any && height() >= context().theme.scaled(roomForUsage));
}

void MachinesPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    showUsage();
}

void MachinesPage::showTable(bool table)
{
    m_asTable = table;
    m_filter->setList(table ? static_cast<QWidget*>(m_table) : m_boxes);
    refresh();
}

QWidget* MachinesPage::inspector()
{
    return m_inspector;
}

void MachinesPage::shown()
{
    offerQueue();
}

/// Shows the queue in the inspector while trials wait, unless a machine is selected.
void MachinesPage::offerQueue()
{
    const bool adding = m_adding && m_sides->currentWidget() == m_adding;
    if (adding || m_inspector->currentWidget() != m_queue)
        return;
    if (m_queue->isEmpty())
        emit inspectorDone();
    else
        emit inspectorWanted();
}

void MachinesPage::choose(const core::MachineId& machine)
{
    m_chosen = machine;
    m_inspector->setCurrentIndex(1);
    showChosen();
    emit inspectorWanted();
}

void MachinesPage::showChosen()
{
    if (const core::MachineId current = m_boxes->currentMachine(); !m_asTable && !current.isEmpty())
        m_chosen = current;
    const core::MachinePtr machine = chosen();
    m_inspector->widget(1)->setEnabled(machine != nullptr);
    if (!machine)
        return;
    const api::Mirror& state = context().mirror.state();
    m_name->setText(models::printable(models::machineName(*machine, state), 40));
    m_state->setLook(context().theme.state(machine->state));
    QStringList facts;
    facts += tr("Address %1, platform %2")
                 .arg(models::printable(machine->address, 80), models::platformNameWithId(machine->platformId));
    facts += models::modelLine(*machine);
    QStringList load;
    if (machine->cpuCount > 0)
        load += tr("%n core(s)", nullptr, machine->cpuCount);
    if (machine->loadAverage)
        load += tr("load %1").arg(QString::number(*machine->loadAverage, 'f', 1));
    if (machine->diskFree > 0)
        load += tr("%1 of disk free").arg(models::bytesText(machine->diskFree));
    facts += load.join(u", "_s);
    if (!machine->message.isEmpty())
        facts += models::printable(machine->message, 400);
    facts +=
        tr("Last contact %1").arg(models::clockText(machine->lastContact, QDateTime::currentMSecsSinceEpoch(), true));
    facts.removeAll(QString());
    m_facts->setText(facts.join(u'\n'));
    const bool isOurs = m_menu->isOursToPlace(*machine);
    m_drain->setVisible(isOurs);
    m_drain->setText(MachineMenu::drainText(*machine));
    m_drain->setToolTip(MachineMenu::drainHelp(*machine));
    const std::optional<int> gpu = chosenGpu();
    m_reserve->setVisible(isOurs && !machine->gpus.isEmpty());
    m_reserve->setEnabled(gpu.has_value());
    if (gpu)
        m_reserve->setText(MachineMenu::reservationText(*machine, *gpu));
    m_place->setVisible(!machine->gpus.isEmpty());
    m_place->setText(gpu ? sentenceOf(*machine, *gpu)
            : isOurs     ? tr("Choose a GPU to reserve it or to give it back.")
                         : tr("The cluster's own scheduler decides what runs here."));
    const core::OperationPtr check = models::latestCheck(state.requests().list(), *machine);
    m_steps->setRequest(check && models::isOvertaken(*check, *m_readySince) ? nullptr : check);
}

QString MachinesPage::sentenceOf(const core::Machine& machine, int gpu) const
{
    const api::Mirror& state = context().mirror.state();
    for (const models::GpuCell& cell : models::gpuCells(machine, state))
        if (cell.index == gpu)
            return models::cellSentence(cell, machine, state);
    return {};
}

void MachinesPage::reserve()
{
    const auto machine = chosen();
    if (const std::optional<int> gpu = chosenGpu(); machine && gpu)
        m_menu->toggleReservation(*machine, *gpu);
}

void MachinesPage::showMenu(const QPoint& globalPos)
{
    if (const auto machine = chosen())
        m_menu->make(*machine, chosenGpu())->exec(globalPos);
}

void MachinesPage::applyFilter(const QString& text)
{
    m_filter->setText(text);
    m_model->setFilter(text);
}

QString MachinesPage::filter() const
{
    return m_filter->text();
}

void MachinesPage::focusFilter()
{
    if (m_adding && m_sides->currentWidget() == m_adding)
        m_adding->focusFilter();
    else
        m_filter->setFocus(Qt::ShortcutFocusReason);
}

void MachinesPage::beginAdding()
{
    if (!m_adding) {
        m_adding = new AddMachines(context(), m_sides);
        m_sides->addWidget(m_adding);
        connect(m_adding, &AddMachines::done, this, [this] {
            m_sides->setCurrentIndex(0);
            m_boxes->setFocus(Qt::OtherFocusReason);
            offerQueue();
        });
    }
    if (m_sides->currentWidget() != m_adding) {
        m_sides->setCurrentWidget(m_adding);
        m_adding->begin();
    }
    emit inspectorDone();
}

bool MachinesPage::showsPrompt(const core::PromptId& prompt) const
{
    if (!m_adding || m_sides->currentWidget() != m_adding)
        return false;
    const auto prompts = m_adding->intake().prompts();
    return std::any_of(prompts.begin(), prompts.end(), [&prompt](const auto& one) { return one.second->id == prompt; });
}

void MachinesPage::showRecord(const QString& id)
{
    if (id.isEmpty()) {
        beginAdding();
        return;
    }
    m_sides->setCurrentIndex(0);
    m_boxes->showMachine(core::MachineId(id), true);
    m_table->showMachine(core::MachineId(id));
    choose(core::MachineId(id));
}

QList<KeyCommand> MachinesPage::keyCommands()
{
    return {{u"machines/reserve"_s, tr("Reserve the GPU, or give it back"), u"lock"_s, {Qt::Key_R}},
        MachineMenu::drainKey(),
        {u"machines/doctor"_s, tr("Machine doctor"), u"check"_s, {Qt::CTRL | Qt::SHIFT | Qt::Key_D}}};
}

QList<std::pair<QString, QString>> MachinesPage::keys() const
{
    return {{u"↑ ↓ ← →"_s, tr("Machines, and the GPUs of one")},
        {u"Enter"_s, tr("Open the machine, or show the GPU's trial")}};
}

} // namespace ui
