// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QStyledItemDelegate>

#include <functional>

namespace ui {

/// Paints rows of tables of records: a line between rows, the selection, a focus ring around the current row, and in one column
/// the icon and name of a state.
class RecordDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using LookOf = std::function<StateLook(const QModelIndex& index)>;
    using QStyledItemDelegate::QStyledItemDelegate;

    void setStateColumn(int column, LookOf lookOf);
    /// Columns whose text is in the second colour.
    void setQuietColumns(const QList<int>& columns) { m_quiet = columns; }
    void setStrongColumns(const QList<int>& columns) { m_strong = columns; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// Pixels at the left of a cell's text that a subclass paints in.
    [[nodiscard]] virtual int spaceBefore(const QStyleOptionViewItem& option, const QModelIndex& index) const
    {
        Q_UNUSED(option)
        Q_UNUSED(index)
        return 0;
    }

private:
    [[nodiscard]] QFont fontOf(const Theme& theme, int column) const;

    int m_stateColumn = -1;
    LookOf m_lookOf;
    QList<int> m_quiet;
    QList<int> m_strong;
};

} // namespace ui
