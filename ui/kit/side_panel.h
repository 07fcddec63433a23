// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ui {

/// A panel of one page library that is shown in the inspector of another one's page: the queue beside the machines.
class SidePanel : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    [[nodiscard]] virtual bool isEmpty() const = 0;

signals:
    void closed();       ///< by the user
    void emptyChanged(); ///< the result of isEmpty() changed
};

} // namespace ui
