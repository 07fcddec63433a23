// SPDX-License-Identifier: GPL-3.0-or-later
#include "flow_layout.h"

#include <QSpacerItem>
#include <QStyle>
#include <QWidget>

namespace ui {

FlowLayout::FlowLayout(int spacing, QWidget* parent)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

void FlowLayout::addStretch()
{
    addItem(new QSpacerItem(0, 0));
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const
{
    return lay(QRect(0, 0, width, 0), false);
}

/// All items in one line.
QSize FlowLayout::sizeHint() const
{
    QSize size;
    int shown = 0;
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        size = QSize(size.width() + hint.width(), std::max(size.height(), hint.height()));
        ++shown;
    }
    const QMargins margins = contentsMargins();
    return size
        + QSize(
            std::max(0, shown - 1) * spacing() + margins.left() + margins.right(), margins.top() + margins.bottom());
}

/// Each item in a line of its own.
QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    lay(rect, true);
}

int FlowLayout::lay(const QRect& rect, bool place) const
{
    struct Placed
    {
        QLayoutItem* item = nullptr; ///< null: a stretch
        QRect box;
    };
    const QRect inside = rect.marginsRemoved(contentsMargins());
    const Qt::LayoutDirection direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    QList<Placed> line;
    int x = inside.left();
    int y = inside.top();
    int height = 0;
    const auto placeLine = [&] {
        const int rest = std::max(0, inside.right() + 1 + spacing() - x);
        int pushed = 0;
        for (const Placed& one : std::as_const(line)) {
            if (!one.item)
                pushed = rest;
            else // in the middle of the line's height
                one.item->setGeometry(
                    QStyle::visualRect(direction, inside, one.box.translated(pushed, (height - one.box.height()) / 2)));
        }
    };
    for (QLayoutItem* item : m_items) {
        if (item->spacerItem()) {
            line.append(Placed());
            continue;
        }
        if (item->isEmpty())
            continue;
        const int most = std::max(inside.width(), item->minimumSize().width());
        const QSize size(std::min(item->sizeHint().width(), most), item->sizeHint().height());
        if (x > inside.left() && x + size.width() > inside.right() + 1) {
            if (place)
                placeLine();
            line.clear();
            x = inside.left();
            y += height + spacing();
            height = 0;
        }
        line.append({item, QRect(QPoint(x, y), size)});
        x += size.width() + spacing();
        height = std::max(height, size.height());
    }
    if (place)
        placeLine();
    return y + height - inside.top() + contentsMargins().top() + contentsMargins().bottom();
}

} // namespace ui
