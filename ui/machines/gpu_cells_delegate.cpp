// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_cells_delegate.h"

#include "models/printable.h"
#include "ui/kit/gpu_paint.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int smallWidth = 24;
constexpr int smallHeight = 20;
constexpr int smallGap = 4;

void paintRing(QPainter& painter, const Theme& theme, const QRect& rect)
{
    painter.setPen(QPen(theme.roles().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

/// A cell with its holder: trial number of ours, the beginning of another's name.
void paintSmallCell(
    QPainter& painter, const Theme& theme, const QRect& rect, const models::GpuCell& cell, bool isChosen)
{
    const Roles& c = theme.roles();
    paintGpuColumn(painter, theme, rect, cell);
    const bool isOurs = cell.kind == models::CellKind::ours;
    if (isOurs || cell.kind == models::CellKind::foreign) {
        painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
        const QFontMetrics fonts = painter.fontMetrics();
        const QString holder = models::printable(cell.holder, 40);
        const bool isNumberCut = isOurs && fonts.horizontalAdvance(holder) > rect.width() - 2;
        const QString shown = isNumberCut ? u"…"_s : fonts.elidedText(holder, Qt::ElideNone, rect.width());
        const QRect where = rect.adjusted(1, isOurs ? 3 : 1, -1, -1);
        painter.setPen(isOurs ? c.text : c.foreign);
        if (!isOurs) {
            const int width = std::min(fonts.horizontalAdvance(shown), where.width() - 2);
            painter.fillRect(
                QRect(where.center().x() - width / 2, where.top() + 3, width + 1, where.height() - 6), c.base);
        }
        painter.setClipRect(where);
        painter.drawText(where, int(isOurs ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter), shown);
        painter.setClipping(false);
    }
    if (isChosen)
        paintRing(painter, theme, rect);
}

} // namespace

GpuCellsDelegate::GpuCellsDelegate(int column, GpusOf gpusOf, QObject* parent)
    : RecordDelegate(parent)
    , m_column(column)
    , m_gpusOf(std::move(gpusOf))
{
}

QList<QRect> GpuCellsDelegate::cellRects(const QRect& tableCell, qsizetype number)
{
    QList<QRect> rects;
    const int top = tableCell.top() + (tableCell.height() - smallHeight) / 2;
    for (qsizetype i = 0; i < number; ++i) {
        const QRect one(tableCell.left() + 8 + int(i) * (smallWidth + smallGap), top, smallWidth, smallHeight);
        if (one.right() > tableCell.right() - 4)
            break;
        rects.append(one);
    }
    return rects;
}

void GpuCellsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    RecordDelegate::paint(painter, option, index);
    if (index.column() != m_column)
        return;
    const Theme& theme = themeOf(*option.widget);
    const Gpus gpus = m_gpusOf(index);
    const QList<QRect> rects = cellRects(option.rect, gpus.cells.size());
    painter->save();
    for (qsizetype i = 0; i < rects.size(); ++i) {
        // The last one stands for those without room.
        if (i + 1 == rects.size() && rects.size() < gpus.cells.size()) {
            painter->setFont(theme.font(TextSize::caption));
            painter->setPen(theme.roles().text2);
            painter->drawText(rects[i], Qt::AlignCenter, u"+%1"_s.arg(gpus.cells.size() - i));
            if (std::any_of(gpus.cells.begin() + i, gpus.cells.end(),
                    [&](const models::GpuCell& cell) { return gpus.chosen == cell.index; }))
                paintRing(*painter, theme, rects[i]);
            break;
        }
        paintSmallCell(*painter, theme, rects[i], gpus.cells[i], gpus.chosen == gpus.cells[i].index);
    }
    painter->restore();
}

bool GpuCellsDelegate::editorEvent(
    QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() == QEvent::MouseButtonPress) {
        const QPoint at = static_cast<QMouseEvent*>(event)->pos();
        int gpu = -1;
        if (index.column() == m_column) {
            const Gpus gpus = m_gpusOf(index);
            const QList<QRect> rects = cellRects(option.rect, gpus.cells.size());
            for (qsizetype i = 0; i < rects.size(); ++i)
                if (rects[i].contains(at))
                    gpu = gpus.cells[i].index;
        }
        emit gpuPressed(index, gpu);
    }
    return RecordDelegate::editorEvent(event, model, option, index);
}

bool GpuCellsDelegate::helpEvent(
    QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() == QEvent::ToolTip && index.column() == m_column) {
        const Gpus gpus = m_gpusOf(index);
        const QList<QRect> rects = cellRects(option.rect, gpus.cells.size());
        for (qsizetype i = 0; i < rects.size(); ++i)
            if (rects[i].contains(event->pos()) && i < gpus.sentences.size()) {
                QToolTip::showText(event->globalPos(), gpus.sentences[i], view);
                return true;
            }
    }
    return RecordDelegate::helpEvent(event, view, option, index);
}

} // namespace ui
