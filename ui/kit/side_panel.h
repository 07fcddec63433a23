// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ui {

/// What one family of pages shows in the inspector of another's page: the queue beside the machines.
class SidePanel : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] virtual bool isEmpty() const = 0;

signals:
    void closed();       ///< by the person
    void emptyChanged(); ///< the first row came, or the last went
};

} // namespace ui
