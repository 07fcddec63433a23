// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace ui {

/// The steps of a check as they come: result, what was found, and the remedy where there is one.
class CheckList : public QWidget
{
    Q_OBJECT
public:
    explicit CheckList(QWidget* parent = nullptr);

    /// Null: none was asked for.
    void setRequest(const core::RequestPtr& request);

private:
    void addStep(const core::CheckStep& step);

    core::RequestPtr m_request;
    QLabel* m_title;
    QVBoxLayout* m_steps;
};

} // namespace ui
