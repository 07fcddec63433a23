// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace models {
class ExperimentModel;
}

namespace ui {

class EmptyState;
class LimitFields;
class StateLabel;

/// The page of all experiments. The inspector shows the selected one: its command, its limits (which can be changed while it
/// runs), and actions such as pause, stop and remove.
class ExperimentsPage final : public Page
{
    Q_OBJECT
public:
    explicit ExperimentsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Experiments"); }
    [[nodiscard]] QWidget* inspector() override { return m_inspector; }
    void showRecord(const QString& id) override;
    void shown() override { refresh(); }
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitColumns();
    void buildInspector();
    void refresh();
    void showChosen();
    void saveLimits();
    void act(api::ExperimentAction action);
    void stop();
    void cleanUp();
    void remove();
    [[nodiscard]] core::ExperimentPtr chosen() const;

    models::ExperimentModel* m_model;
    QTableView* m_table;
    QTimer m_soon; ///< runs between a change and the refresh
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
    LimitFields* m_limits;
    QPushButton* m_save;
};

} // namespace ui
