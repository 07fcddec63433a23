// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace ui {

class Theme;
class TrialDelegate;

/// Rows of a table whose row under the pointer is shown, and whose current row has the focus ring.
class RowsView : public QTableView
{
    Q_OBJECT
public:
    RowsView(const Theme& theme, TrialDelegate& delegate, QWidget* parent = nullptr);

signals:
    /// A key or the pointer acted.
    void acted();

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void setHovered(int row);

    const Theme& m_theme;
    TrialDelegate& m_delegate;
};

} // namespace ui
