// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace models {
class CheckMatrix;
}

namespace ui {

/// Creates the view of a CheckMatrix: the names of checks are fixed at the left, a cell has the state's icon and a word, and the
/// current cell a focus ring. `matrix` is not owned and must outlive the view.
[[nodiscard]] QTableView* makeCheckView(models::CheckMatrix& matrix, QWidget* parent = nullptr);

/// Paints the cells of the view.
class CheckDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ui
