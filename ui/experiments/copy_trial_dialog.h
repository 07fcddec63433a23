// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QDialog>

class QLineEdit;
class QSpinBox;
class QPushButton;
class QTableWidget;

namespace ui {

class ProblemLabel;

/// Creates a trial of the same experiment with the parameters of another trial, which can be edited.
class CopyTrialDialog : public QDialog
{
    Q_OBJECT
public:
    CopyTrialDialog(const PageContext& context, const core::Trial& trial, QWidget* parent = nullptr);

    /// The edited parameters as a JSON object. Values that were not edited are copied byte for byte.
    [[nodiscard]] core::Result<QByteArray> parameters() const;

private:
    void submit();

    PageContext m_context;
    core::Trial m_trial;
    QTableWidget* m_table;
    QSpinBox* m_gpus;
    QSpinBox* m_priority;
    QLineEdit* m_tags;
    ProblemLabel* m_problem;
    QPushButton* m_run;
};

} // namespace ui
