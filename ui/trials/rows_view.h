// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPersistentModelIndex>
#include <QTableView>

namespace ui {

class Theme;
class TrialDelegate;

/// A table view that highlights the row under the pointer and paints a focus ring around the current row. Space selects the current row beside
/// those that are selected, or lets it go; from then on keys move the current row alone, until the pointer or Escape is used. Shift+Space selects
/// all rows from the last one that Space was pressed on.
class RowsView : public QTableView
{
    Q_OBJECT
public:
    RowsView(const Theme& theme, TrialDelegate& delegate, QWidget* parent = nullptr);

signals:
    /// The user pressed a key or used the pointer.
    void acted();

protected:
    [[nodiscard]] QItemSelectionModel::SelectionFlags selectionCommand(
        const QModelIndex& index, const QEvent* event) const override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void setHovered(int row);
    void mark(bool isRange);

    const Theme& m_theme;
    TrialDelegate& m_delegate;
    QPersistentModelIndex m_marked; ///< where Space was pressed last; valid while rows are marked
    bool m_isMoving = false;        ///< a key is being handled
};

} // namespace ui
