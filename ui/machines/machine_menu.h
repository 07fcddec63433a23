// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/terminal_command.h"
#include "services/api/command.h"
#include "ui/kit/page.h"

#include <memory>

class QMenu;

namespace ui {

/// What can be done with a machine, and the menu of it: the same for its box, its row and the inspector. GUI thread.
class MachineMenu : public QObject
{
    Q_OBJECT
public:
    using StartProgram = std::function<bool(const models::ProgramStart& start)>;

    /// `page`: the parent of its menus and dialogs; it owns this.
    MachineMenu(const PageContext& context, QWidget* page);

    /// How programs are found and started: by default on this computer's PATH, and apart from this process.
    void setPrograms(models::FindProgram find, StartProgram start);

    /// The menu of a machine, and of one of its GPUs if one is chosen.
    [[nodiscard]] std::unique_ptr<QMenu> make(const core::Machine& machine, std::optional<int> gpu);

    void check(const core::MachineId& machine);
    void toggleDrain(const core::Machine& machine);
    /// Reserves the GPU, or gives it back.
    void toggleReservation(const core::Machine& machine, int gpu);
    void remove(const core::Machine& machine);
    /// This computer is always there; other kinds than SSH bring their machines themselves.
    [[nodiscard]] bool isRemovable(const core::Machine& machine) const;
    /// Whether the service chooses what runs there, so that draining it and reserving its GPUs mean something.
    [[nodiscard]] bool isOursToPlace(const core::Machine& machine) const;

    [[nodiscard]] static QString drainText(const core::Machine& machine);
    [[nodiscard]] static QString drainHelp(const core::Machine& machine);
    [[nodiscard]] static KeyCommand drainKey();
    /// `Reserve GPU 2`, or `Give back GPU 2`.
    [[nodiscard]] static QString reservationText(const core::Machine& machine, int gpu);

signals:
    void checked(const core::MachineId& machine);

private:
    void act(const core::MachineId& machine, api::MachineAction action);
    void addReservations(QMenu& menu, const core::Machine& machine, std::optional<int> gpu);
    void addTerminal(QMenu& menu, const core::Machine& machine);
    [[nodiscard]] static bool isReserved(const core::Machine& machine, int gpu);

    PageContext m_context;
    QWidget* m_page;
    models::FindProgram m_find;
    StartProgram m_start;
};

} // namespace ui
