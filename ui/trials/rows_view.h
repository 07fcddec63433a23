// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace ui {

class Theme;
class TrialDelegate;

/// A table view that highlights the row under the pointer and paints a focus ring around the current row.
class RowsView : public QTableView
{
    Q_OBJECT
public:
    RowsView(const Theme& theme, TrialDelegate& delegate, QWidget* parent = nullptr);

signals:
    /// The user pressed a key or used the pointer.
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
