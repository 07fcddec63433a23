// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace ui {

/// The steps of a check as they arrive: first failures and warnings with their remedies, then the other steps, one line each.
/// With several machines the steps are grouped by machine, and passed ones are combined in one line.
class CheckList : public QWidget
{
    Q_OBJECT
public:
    explicit CheckList(QWidget* parent = nullptr);

    /// Null: no check was requested.
    void setRequest(const core::OperationPtr& request);

private:
    void addMachine(const core::Operation& request, const core::MachineId& machine, bool isOneOfMany);
    void addFinding(const core::CheckStep& step);
    void addLine(const core::CheckStep& step);

    core::OperationPtr m_request;
    QLabel* m_title;
    QVBoxLayout* m_steps;
};

} // namespace ui
