// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QTableView>

namespace models {
class MachineSort;
struct GpuCell;
} // namespace models

namespace ui {

/// The machines as rows, each with its GPUs as small cells. Left and Right go through the GPUs of the current machine, then scroll; Enter
/// shows the GPU's trial, or the machine.
class MachineTable : public QTableView
{
    Q_OBJECT
public:
    MachineTable(const PageContext& context, models::MachineSort& machines, QWidget* parent = nullptr);

    [[nodiscard]] core::MachineId machine() const { return m_machine; } ///< the chosen one; empty: none
    [[nodiscard]] std::optional<int> gpu() const { return m_gpu; }      ///< of that machine
    void showMachine(const core::MachineId& machine);

signals:
    void chosen(const core::MachineId& machine); ///< the machine, or a GPU of it
    void trialChosen(const core::TrialId& trial);
    void menuWanted(const QPoint& globalPos);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void choose(const QModelIndex& index, std::optional<int> gpu);
    [[nodiscard]] bool step(int by);
    void activateChosen();
    void describe();
    [[nodiscard]] core::MachinePtr chosenMachine() const;
    [[nodiscard]] QList<models::GpuCell> cells() const;
    [[nodiscard]] QRect chosenRect() const;

    PageContext m_context;
    models::MachineSort& m_machines;
    core::MachineId m_machine;
    std::optional<int> m_gpu;
};

} // namespace ui
