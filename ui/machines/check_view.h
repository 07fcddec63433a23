// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace models {
class CheckMatrix;
}

namespace ui {

/// The table of a CheckMatrix: names of checks stay at the left, a cell is the state's icon and a word, the chosen one has a ring.
[[nodiscard]] QTableView* makeCheckView(models::CheckMatrix& matrix, QWidget* parent = nullptr);

/// One cell of it.
class CheckDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ui
