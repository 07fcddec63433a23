// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace models {
class MachineInquiry;
class MachineModel;
class MachineSort;
class ReadySince;
class RunningTrials;
} // namespace models

namespace ui {

class AddMachines;
class CheckList;
class EmptyState;
class FilterField;
class GpuUsageChart;
class MachineBoxes;
class MachineMenu;
class MachineTable;
class SidePanel;
class StateLabel;

/// The page of machines as boxes or as a table. The inspector shows the queue, or the selected machine with its actions and the
/// findings of its doctor. Also contains the view for adding machines.
class MachinesPage final : public Page
{
    Q_OBJECT
public:
    /// `queue`: shown in the inspector while trials wait; the page takes ownership.
    MachinesPage(const PageContext& context, SidePanel* queue, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Machines"); }
    [[nodiscard]] QWidget* inspector() override;
    void applyFilter(const QString& text) override;
    [[nodiscard]] QString filter() const override;
    void focusFilter() override;
    void shown() override;
    void showRecord(const QString& id) override; ///< empty: adds machines
    [[nodiscard]] bool showsPrompt(const core::PromptId& prompt) const override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;
    [[nodiscard]] static QList<KeyCommand> keyCommands();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildInspector();
    void showInquiry();
    void beginAdding();
    void offerQueue();
    void refresh();
    void choose(const core::MachineId& machine);
    void showChosen();
    void showTable(bool table);
    void showUsage();
    void reserve();
    void showMenu(const QPoint& globalPos);
    [[nodiscard]] core::MachinePtr chosen() const;
    [[nodiscard]] std::optional<int> chosenGpu() const;
    [[nodiscard]] QString sentenceOf(const core::Machine& machine, int gpu) const;
    [[nodiscard]] std::function<void()> withChosen(void (MachineMenu::*act)(const core::Machine&));

    models::MachineModel* m_model;
    models::MachineSort* m_sort; ///< what the table shows
    MachineMenu* m_menu;
    models::MachineInquiry* m_inquiry;
    models::RunningTrials* m_running;
    models::ReadySince* m_readySince;
    QPushButton* m_ask;
    QStackedWidget* m_sides; ///< the machines, or the view for adding machines
    AddMachines* m_adding = nullptr;
    FilterField* m_filter;
    MachineBoxes* m_boxes;
    MachineTable* m_table;
    GpuUsageChart* m_usage;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    bool m_asTable = false;
    core::MachineId m_chosen;
    QStackedWidget* m_inspector; ///< the queue, or the chosen machine
    SidePanel* m_queue;
    QLabel* m_name;
    StateLabel* m_state;
    QLabel* m_facts;
    QPushButton* m_check;
    QPushButton* m_drain;
    QPushButton* m_reserve;
    QToolButton* m_more;
    QLabel* m_place;
    CheckList* m_steps;
};

} // namespace ui
