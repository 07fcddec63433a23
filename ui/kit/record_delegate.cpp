// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_delegate.h"

#include "icons.h"

#include "models/printable.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

namespace ui {

namespace {

constexpr int margin = 8; ///< pixels at either side of a cell
constexpr int besideIcon = 6;
constexpr qsizetype mostCharacters = 400;

/// Whether no column of the table is shown behind this one (`step` 1), or before it (-1).
bool isOutermost(const QAbstractItemView& view, int column, int step)
{
    const auto* table = qobject_cast<const QTableView*>(&view);
    if (!table)
        return column == (step < 0 ? 0 : view.model()->columnCount() - 1);
    const QHeaderView* header = table->horizontalHeader();
    for (int at = header->visualIndex(column) + step; at >= 0 && at < header->count(); at += step)
        if (!header->isSectionHidden(header->logicalIndex(at)))
            return false;
    return true;
}

} // namespace

void RecordDelegate::setStateColumn(int column, LookOf lookOf)
{
    m_stateColumn = column;
    m_lookOf = std::move(lookOf);
}

QFont RecordDelegate::fontOf(const Theme& theme, int column) const
{
    return theme.font(TextSize::body, m_strong.contains(column) ? QFont::DemiBold : QFont::Normal);
}

QSize RecordDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isState = index.column() == m_stateColumn && m_lookOf;
    const StateLook look = isState ? m_lookOf(index) : StateLook();
    const QString words = isState ? look.word : models::printable(index.data().toString(), mostCharacters);
    const int icon = look.icon.isEmpty() ? 0 : metrics::icon + besideIcon;
    const Theme& theme = themeOf(*option.widget);
    const int width = QFontMetrics(fontOf(theme, index.column())).horizontalAdvance(words) + 2 * margin + icon;
    return {width + 1 + spaceBefore(option, index), theme.scaled(metrics::control)};
}

void RecordDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const Roles& c = theme.roles();
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const QRect r = option.rect;
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(r, c.select);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(r, c.hover);
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), c.line);
    if (view && view->hasFocus() && view->currentIndex().row() == index.row()
        && view->currentIndex().parent() == index.parent()) {
        // This cell's part of the focus ring around the row.
        painter->fillRect(QRect(r.left(), r.top(), r.width(), 2), c.accent);
        painter->fillRect(QRect(r.left(), r.bottom() - 1, r.width(), 2), c.accent);
        if (isOutermost(*view, index.column(), -1))
            painter->fillRect(QRect(r.left(), r.top(), 2, r.height()), c.accent);
        if (isOutermost(*view, index.column(), 1))
            painter->fillRect(QRect(r.right() - 1, r.top(), 2, r.height()), c.accent);
    }
    QRect text = r.adjusted(margin + spaceBefore(option, index), 0, -margin, 0);
    QColor color = m_quiet.contains(index.column()) ? c.text2 : c.text;
    QString words = models::printable(index.data().toString(), mostCharacters);
    if (index.column() == m_stateColumn && m_lookOf) {
        const StateLook look = m_lookOf(index);
        icons::paint(*painter, QRectF(text.left(), text.top(), metrics::icon, text.height()), look.icon, look.color(c));
        if (!look.icon.isEmpty())
            text.setLeft(text.left() + metrics::icon + besideIcon);
        color = look.color(c);
        words = look.word;
    }
    painter->setFont(fontOf(theme, index.column()));
    painter->setPen(color);
    const int align = index.data(Qt::TextAlignmentRole).toInt();
    painter->drawText(text, align ? align : int(Qt::AlignLeft | Qt::AlignVCenter),
        painter->fontMetrics().elidedText(words, Qt::ElideRight, text.width()));
    painter->restore();
}

} // namespace ui
