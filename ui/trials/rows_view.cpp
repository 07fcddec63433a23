// SPDX-License-Identifier: GPL-3.0-or-later
#include "rows_view.h"

#include "trial_delegate.h"

#include "ui/keys/list_keys.h"
#include "ui/kit/theme.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>

namespace ui {

RowsView::RowsView(const Theme& theme, TrialDelegate& delegate, QWidget* parent)
    : QTableView(parent)
    , m_theme(theme)
    , m_delegate(delegate)
{
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(theme.scaled(metrics::control));
    horizontalHeader()->setMinimumSectionSize(32);
    setMouseTracking(true);
}

void RowsView::setHovered(int row)
{
    const int before = m_delegate.hoveredRow();
    if (row == before)
        return;
    m_delegate.setHoveredRow(row);
    for (const int changed : {before, row}) {
        if (changed >= 0)
            viewport()->update(0, rowViewportPosition(changed), viewport()->width(), rowHeight(changed));
    }
}

void RowsView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(rowAt(event->pos().y()));
    if (event->buttons() != Qt::NoButton)
        emit acted();
    QTableView::mouseMoveEvent(event);
}

void RowsView::leaveEvent(QEvent* event)
{
    setHovered(-1);
    QTableView::leaveEvent(event);
}

void RowsView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    // Extend each row to the right edge, beyond its last column.
    const int end = horizontalHeader()->length() - horizontalHeader()->offset();
    if (end < viewport()->width()) {
        const Roles& roles = m_theme.roles();
        const int last = rowAt(viewport()->height() - 1);
        for (int row = std::max(0, rowAt(0)); row <= (last < 0 ? model()->rowCount() - 1 : last); ++row) {
            const QRect rest(end, rowViewportPosition(row), viewport()->width() - end, rowHeight(row));
            painter.fillRect(rest,
                selectionModel()->isSelected(model()->index(row, 0)) ? roles.select
                    : row == m_delegate.hoveredRow()                 ? roles.hover
                                                                     : roles.base);
            painter.setPen(QPen(roles.line, 1));
            painter.drawLine(rest.bottomLeft(), rest.bottomRight());
        }
    }
    const QModelIndex current = currentIndex();
    if (!hasFocus() || !current.isValid())
        return;
    painter.setPen(QPen(m_theme.roles().accent, 2));
    painter.drawRect(QRectF(0, rowViewportPosition(current.row()), viewport()->width(), rowHeight(current.row()))
                         .adjusted(1, 1, -1, -1));
}

void RowsView::keyPressEvent(QKeyEvent* event)
{
    emit acted();
    if (event->key() == Qt::Key_Space && (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier) {
        mark(event->modifiers() == Qt::ShiftModifier);
        return;
    }
    if (event->key() == Qt::Key_Escape)
        m_marked = QPersistentModelIndex();
    m_isMoving = true;
    if (!takeListKey(*this, *event))
        QTableView::keyPressEvent(event);
    m_isMoving = false;
}

void RowsView::mark(bool isRange)
{
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return;
    constexpr auto rows = QItemSelectionModel::Rows;
    if (isRange && m_marked.isValid()) {
        const int first = std::min(m_marked.row(), current.row());
        const int last = std::max(m_marked.row(), current.row());
        selectionModel()->select(
            {model()->index(first, 0), model()->index(last, 0)}, QItemSelectionModel::Select | rows);
    } else {
        // The first mark is of the row that keys or the pointer have selected on their way: it stays selected.
        const bool isFirst = !m_marked.isValid() && selectionModel()->selectedRows().size() < 2;
        selectionModel()->select(
            current, (isFirst ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::Toggle) | rows);
    }
    m_marked = selectionModel()->hasSelection() ? QPersistentModelIndex(current) : QPersistentModelIndex();
}

QItemSelectionModel::SelectionFlags RowsView::selectionCommand(const QModelIndex& index, const QEvent* event) const
{
    const auto* key = event && event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event) : nullptr;
    if (m_marked.isValid() && m_isMoving
        && (!key || key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::KeypadModifier))
        return QItemSelectionModel::NoUpdate;
    return QTableView::selectionCommand(index, event);
}

void RowsView::mousePressEvent(QMouseEvent* event)
{
    m_marked = QPersistentModelIndex();
    emit acted();
    QTableView::mousePressEvent(event);
}

void RowsView::wheelEvent(QWheelEvent* event)
{
    emit acted();
    QTableView::wheelEvent(event);
}

} // namespace ui
