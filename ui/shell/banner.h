// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/theme.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ui {

/// A bar under the tool bar with a problem, the age of the data, and one button. It moves the page down and is not modal.
class Banner : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    void tell(bool isError, const QString& what, const QString& more, const QString& button);

signals:
    void pressed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isError = false;
    QLabel* m_what;
    QLabel* m_more;
    QPushButton* m_button;
};

} // namespace ui
