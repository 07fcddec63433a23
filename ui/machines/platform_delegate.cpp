// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_delegate.h"

#include "models/printable.h"
#include "ui/kit/theme.h"

#include <QAbstractItemView>
#include <QIcon>
#include <QPainter>

namespace ui {

void PlatformDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const Roles& c = theme.roles();
    const QRect r = option.rect;
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(r, c.select);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(r, c.hover);
    if (view && view->hasFocus() && view->currentIndex() == index) {
        painter->setPen(QPen(c.accent, 2));
        painter->drawRect(r.adjusted(1, 1, -1, -1));
    }
    const QRect icon(r.left() + 16, r.center().y() - metrics::icon / 2, metrics::icon, metrics::icon);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);
    const QRect text(icon.right() + 13, r.top(), r.right() - icon.right() - 20, r.height());
    const int line = theme.scaled(18);
    const QRect name(text.left(), text.center().y() - line, text.width(), line);
    const bool isChosen = option.state.testFlag(QStyle::State_Selected);
    painter->setFont(theme.font(TextSize::body, isChosen ? QFont::DemiBold : QFont::Normal));
    painter->setPen(c.text);
    painter->drawText(name, int(Qt::AlignLeft | Qt::AlignVCenter),
        painter->fontMetrics().elidedText(
            models::printable(index.data().toString(), 120), Qt::ElideRight, name.width()));
    painter->setFont(theme.font(TextSize::header));
    painter->setPen(c.text2);
    painter->drawText(name.translated(0, line), int(Qt::AlignLeft | Qt::AlignVCenter),
        painter->fontMetrics().elidedText(index.data(WordRole).toString(), Qt::ElideRight, name.width()));
    painter->restore();
}

QSize PlatformDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {100, themeOf(*option.widget).scaled(48)};
}

} // namespace ui
