// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_table.h"

#include "gpu_cells_delegate.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/machines/machine_model.h"
#include "models/machines/machine_sort.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>

namespace ui {

using models::GpuCell;
using models::MachineModel;

MachineTable::MachineTable(const PageContext& context, models::MachineSort& machines, QWidget* parent)
    : QTableView(parent)
    , m_context(context)
    , m_machines(machines)
{
    setUpTable(this, tr("Machines"));
    setModel(&machines);
    auto* delegate = new GpuCellsDelegate(
        MachineModel::GpusColumn,
        [this](const QModelIndex& index) {
            GpuCellsDelegate::Gpus gpus;
            if (const core::MachinePtr machine = m_machines.record(index)) {
                const api::Mirror& state = m_context.mirror.state();
                gpus.cells = models::gpuCells(*machine, state);
                for (const GpuCell& cell : std::as_const(gpus.cells))
                    gpus.sentences += models::cellSentence(cell, *machine, state);
                if (machine->id == m_machine)
                    gpus.chosen = m_gpu;
            }
            return gpus;
        },
        this);
    delegate->setStateColumn(MachineModel::StateColumn, [this](const QModelIndex& index) {
        const core::MachinePtr machine = m_machines.record(index);
        return machine ? m_context.theme.state(machine->state) : StateLook();
    });
    delegate->setStrongColumns({MachineModel::NameColumn});
    delegate->setQuietColumns({MachineModel::PlatformColumn, MachineModel::ModelColumn, MachineModel::ContactColumn});
    setItemDelegate(delegate);
    const int widths[] = {140, 104, 240, 76, 92, 150, 80, 72, 92, 104, 190, 110};
    static_assert(std::size(widths) == MachineModel::columns);
    for (int column = 0; column < MachineModel::columns; ++column)
        setColumnWidth(column, context.theme.scaled(widths[column]));
    horizontalHeader()->setSortIndicatorClearable(true); // back to the order of the settings
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(delegate, &GpuCellsDelegate::gpuPressed, this,
        [this](const QModelIndex& index, int gpu) { choose(index, gpu < 0 ? std::nullopt : std::optional(gpu)); });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        const core::MachinePtr machine = m_machines.record(index);
        if (machine && machine->id != m_machine)
            choose(index, std::nullopt);
    });
}

core::MachinePtr MachineTable::chosenMachine() const
{
    return m_context.mirror.state().machines().find(m_machine);
}

QList<GpuCell> MachineTable::cells() const
{
    const core::MachinePtr machine = chosenMachine();
    return machine ? models::gpuCells(*machine, m_context.mirror.state()) : QList<GpuCell>();
}

void MachineTable::showMachine(const core::MachineId& machine)
{
    const QModelIndex index = m_machines.find(machine);
    if (!index.isValid())
        return;
    m_machine = machine;
    m_gpu.reset();
    setCurrentIndex(index);
}

void MachineTable::choose(const QModelIndex& index, std::optional<int> gpu)
{
    const core::MachinePtr machine = m_machines.record(index);
    if (!machine)
        return;
    m_machine = machine->id;
    m_gpu = gpu;
    describe();
    viewport()->update();
    emit chosen(m_machine);
}

/// Goes to the next GPU of the chosen machine, or the one before; false when there is none.
bool MachineTable::step(int by)
{
    const QList<GpuCell> all = cells();
    int at = -1; // before the first
    for (int i = 0; i < int(all.size()); ++i)
        if (m_gpu == all[i].index)
            at = i;
    const QModelIndex row = m_machines.find(m_machine);
    const int next = at + by;
    if (!row.isValid() || next < -1 || next >= int(all.size()))
        return false;
    setCurrentIndex(row.siblingAtColumn(next < 0 ? int(MachineModel::NameColumn) : int(MachineModel::GpusColumn)));
    choose(row, next < 0 ? std::nullopt : std::optional(all[next].index));
    return true;
}

void MachineTable::activateChosen()
{
    for (const GpuCell& cell : cells())
        if (m_gpu == cell.index && !cell.trials.isEmpty()) {
            emit trialChosen(cell.trials.first());
            return;
        }
    if (!m_machine.isEmpty())
        emit chosen(m_machine);
}

void MachineTable::describe()
{
    const core::MachinePtr machine = chosenMachine();
    QString sentence;
    for (const GpuCell& cell : cells())
        if (m_gpu == cell.index)
            sentence = models::cellSentence(cell, *machine, m_context.mirror.state());
    if (sentence == accessibleDescription())
        return;
    setAccessibleDescription(sentence);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void MachineTable::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (isPlain && event->key() == Qt::Key_Right && step(1))
        return;
    if (isPlain && event->key() == Qt::Key_Left && m_gpu && step(-1))
        return;
    if (isPlain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        activateChosen();
    else
        QTableView::keyPressEvent(event);
}

/// In coordinates of the viewport: the cell of the chosen GPU, or the machine's name.
QRect MachineTable::chosenRect() const
{
    const QModelIndex row = m_machines.find(m_machine);
    if (!row.isValid())
        return {};
    const QList<GpuCell> all = cells();
    const QList<QRect> rects =
        GpuCellsDelegate::cellRects(visualRect(row.siblingAtColumn(MachineModel::GpusColumn)), all.size());
    for (int i = 0; i < int(all.size()); ++i)
        if (m_gpu == all[i].index && !rects.isEmpty())
            return rects[std::min(i, int(rects.size()) - 1)];
    return visualRect(row.siblingAtColumn(MachineModel::NameColumn));
}

void MachineTable::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (indexAt(event->pos()).isValid())
            emit menuWanted(event->globalPos());
    } else if (const QRect at = chosenRect(); at.isValid()) {
        emit menuWanted(viewport()->mapToGlobal(at.bottomLeft()));
    }
}

} // namespace ui
