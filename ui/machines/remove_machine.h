// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;

namespace ui {

/// Asks before a machine is taken out of its platform: shows what would be deleted there and which trials would be given up, as the
/// service says. With trials under way, removing needs a tick. Closes when the machine is removed; a failure is shown here.
class RemoveMachine : public QDialog
{
    Q_OBJECT
public:
    RemoveMachine(const PageContext& context, const core::Machine& machine, QWidget* parent = nullptr);

private:
    void showPlan(const core::Json& plan);
    void showError(const core::Error& error);
    void remove();

    PageContext m_context;
    core::MachineId m_machine;
    QLabel* m_text;
    QCheckBox* m_giveUp; ///< shown with trials under way
    QLabel* m_error;
    QPushButton* m_remove;
};

} // namespace ui
