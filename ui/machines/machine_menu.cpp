// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_menu.h"

#include "remove_machine.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QMenu>
#include <QProcess>
#include <QStandardPaths>
#include <QSysInfo>

using namespace Qt::StringLiterals;

namespace ui {

using core::Machine;
using core::MachineId;
using core::MachineState;

MachineMenu::MachineMenu(const PageContext& context, QWidget* page)
    : QObject(page)
    , m_context(context)
    , m_page(page)
    , m_find([](const QString& name) { return QStandardPaths::findExecutable(name); })
    , m_start([](const models::ProgramStart& start) {
        return QProcess::startDetached(start.program, start.arguments, QDir::homePath());
    })
{
}

void MachineMenu::setPrograms(models::FindProgram find, StartProgram start)
{
    m_find = std::move(find);
    m_start = std::move(start);
}

std::unique_ptr<QMenu> MachineMenu::make(const Machine& machine, std::optional<int> gpu)
{
    auto menu = std::make_unique<QMenu>(m_page);
    menu->setToolTipsVisible(true);
    const Theme& theme = themeOf(*m_page);
    // The record may be replaced while the menu is open: commands take the newest.
    const auto withNewest = [this, id = machine.id](const std::function<void(const Machine&)>& run) {
        return [this, id, run] {
            if (const core::MachinePtr newest = m_context.mirror.state().machines().find(id))
                run(*newest);
        };
    };
    menu->addAction(icons::icon(theme, u"check"_s), tr("Check again"), this, [this, id = machine.id] { check(id); });
    if (isOursToPlace(machine)) {
        QAction* drain = menu->addAction(icons::icon(theme, u"pause"_s), drainText(machine), this,
            withNewest([this](const Machine& newest) { toggleDrain(newest); }));
        drain->setToolTip(drainHelp(machine));
        addReservations(*menu, machine, gpu);
    }
    menu->addSeparator();
    addTerminal(*menu, machine);
    menu->addAction(icons::icon(theme, u"copy"_s), tr("Copy address"), this,
        [address = machine.address] { QGuiApplication::clipboard()->setText(address); });
    if (isRemovable(machine)) {
        menu->addSeparator();
        menu->addAction(icons::icon(theme, u"trash"_s), tr("Remove …"), this,
            withNewest([this](const Machine& newest) { remove(newest); }));
    }
    return menu;
}

void MachineMenu::addReservations(QMenu& menu, const Machine& machine, std::optional<int> gpu)
{
    const QIcon lock = icons::icon(themeOf(*m_page), u"lock"_s);
    const auto toggle = [this, id = machine.id](int index) {
        return [this, id, index] {
            if (const core::MachinePtr newest = m_context.mirror.state().machines().find(id))
                toggleReservation(*newest, index);
        };
    };
    if (gpu)
        menu.addAction(lock, reservationText(machine, *gpu), this, toggle(*gpu));
    if (machine.gpus.isEmpty() || (gpu && machine.gpus.size() == 1))
        return;
    QMenu* all = menu.addMenu(lock, tr("Reserve GPUs"));
    for (const models::GpuCell& cell : models::gpuCells(machine, m_context.mirror.state())) {
        QAction* one = all->addAction(
            tr("GPU %1: %2").arg(cell.index).arg(models::printable(cell.holder, 40)), this, toggle(cell.index));
        one->setCheckable(true);
        one->setChecked(isReserved(machine, cell.index));
    }
}

void MachineMenu::addTerminal(QMenu& menu, const Machine& machine)
{
    const core::Result<models::ProgramStart> start = models::terminalStart(
        machine, m_context.mirror.state().platforms().find(machine.platformId), QSysInfo::machineHostName(), m_find);
    QAction* open = menu.addAction(icons::icon(themeOf(*m_page), u"computer"_s), tr("Open a terminal"));
    open->setEnabled(start.has_value());
    if (!start) {
        // Menus show no tool tip of a disabled entry on every desktop: the reason is part of its text.
        open->setText(tr("Open a terminal: %1").arg(models::printable(start.error().message, 120)));
        return;
    }
    connect(open, &QAction::triggered, this, [this, wanted = *start] {
        if (!m_start(wanted))
            m_context.actions.error({core::Kind::platform, tr("%1 could not be started.").arg(wanted.program), {}});
    });
}

bool MachineMenu::isRemovable(const Machine& machine) const
{
    const auto platform = m_context.mirror.state().platforms().find(machine.platformId);
    return platform && platform->kind == u"remote"_s;
}

bool MachineMenu::isOursToPlace(const Machine& machine) const
{
    const auto platform = m_context.mirror.state().platforms().find(machine.platformId);
    return !platform || platform->capabilities.placement;
}

QString MachineMenu::drainText(const Machine& machine)
{
    return machine.state == MachineState::drained ? tr("Accept trials again") : tr("Drain");
}

QString MachineMenu::drainHelp(const Machine& machine)
{
    const QString help =
        machine.state == MachineState::drained ? tr("It takes trials again") : tr("No new trials; running ones go on");
    const QString keys = keysText(keysOf(drainKey()));
    return keys.isEmpty() ? help : tr("%1 (%2)").arg(help, keys);
}

KeyCommand MachineMenu::drainKey()
{
    return {u"machines/drain"_s, tr("Drain, or accept trials again"), u"pause"_s, {Qt::Key_D}};
}

bool MachineMenu::isReserved(const Machine& machine, int gpu)
{
    return std::any_of(machine.gpus.begin(), machine.gpus.end(), [&](const core::Gpu& one) {
        return one.index == gpu
            && std::any_of(one.reservations.begin(), one.reservations.end(),
                [](const core::GpuReservation& held) { return held.holder == core::GpuHolder::person; });
    });
}

QString MachineMenu::reservationText(const Machine& machine, int gpu)
{
    return (isReserved(machine, gpu) ? tr("Give back GPU %1") : tr("Reserve GPU %1")).arg(gpu);
}

void MachineMenu::check(const MachineId& machine)
{
    act(machine, api::MachineAction::check);
    emit checked(machine);
}

void MachineMenu::toggleDrain(const Machine& machine)
{
    act(machine.id, machine.state == MachineState::drained ? api::MachineAction::undrain : api::MachineAction::drain);
}

void MachineMenu::toggleReservation(const Machine& machine, int gpu)
{
    m_context.mirror.execute(api::ReserveGpu{machine.id, gpu, {}, isReserved(machine, gpu)});
}

void MachineMenu::remove(const Machine& machine)
{
    RemoveMachine(m_context, machine, m_page).exec();
}

void MachineMenu::act(const MachineId& machine, api::MachineAction action)
{
    m_context.mirror.execute(api::ActOnMachine{machine, action, {}});
}

} // namespace ui
