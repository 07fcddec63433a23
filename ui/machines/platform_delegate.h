// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ui {

/// Paints a platform of a list: the icon of its state, its name, and below it the word of its state.
class PlatformDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    static constexpr int WordRole = Qt::UserRole + 1; ///< the word of the state, a QString
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ui
