// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/core/records.h"
#include "ui/kit/page.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedLayout;
class QTableView;

namespace models {
class ExperimentModel;
}

namespace ui {

class EmptyState;
class StateLabel;

/// The page of all experiments. The inspector shows the selected one: its command, its limits (which can be changed while it
/// runs), and actions such as pause, stop and remove.
class ExperimentsPage : public Page
{
    Q_OBJECT
public:
    explicit ExperimentsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Experiments"); }
    [[nodiscard]] QWidget* inspector() override { return m_inspector; }
    void showRecord(const QString& id) override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;

private:
    void buildInspector();
    void refresh();
    void showChosen();
    void saveLimits();
    void act(api::ExperimentAction action);
    void stop();
    void remove();
    [[nodiscard]] core::ExperimentPtr chosen() const;

    models::ExperimentModel* m_model;
    QTableView* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QWidget* m_inspector;
    QLabel* m_name;
    StateLabel* m_state;
    QLabel* m_sentence;
    QLabel* m_details;
    QPushButton* m_pause;
    QPushButton* m_stop;
    QPushButton* m_copy;
    QPushButton* m_cleanup;
    QPushButton* m_delete;
    QSpinBox* m_concurrency;
    QSpinBox* m_most;
    QSpinBox* m_minutes;
    QSpinBox* m_trialMinutes;
    QLineEdit* m_tags;
    QPushButton* m_save;
    core::ExperimentId m_shown; ///< the experiment whose limits are in the fields
    bool m_edited = false;
};

} // namespace ui
