// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_paint.h"

#include "icons.h"
#include "theme.h"

#include "models/printable.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

using models::CellKind;
using models::GpuCell;

namespace {

QColor lineOf(const Roles& c, CellKind kind)
{
    switch (kind) {
    case CellKind::ours:
        return c.accent;
    case CellKind::foreign:
    case CellKind::service:
        return c.foreign;
    case CellKind::silent:
        return c.unknown;
    case CellKind::reserved:
    case CellKind::free:
        break;
    }
    return c.control;
}

QColor textOf(const Roles& c, CellKind kind)
{
    if (kind == CellKind::free)
        return c.text2;
    return kind == CellKind::reserved ? c.text : lineOf(c, kind);
}

} // namespace

void paintHatch(QPainter& painter, const Roles& roles, const QRectF& rect, double opacity)
{
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setPen(QPen(Theme::alpha(roles.foreign, opacity), 2));
    constexpr double apart = 6;
    const int lines = int(std::ceil((rect.width() + rect.height()) / apart)) + 1;
    for (int i = 0; i < lines; ++i) {
        const double x = rect.left() - rect.height() + i * apart;
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    }
    painter.restore();
}

void paintGpuColumn(QPainter& painter, const Theme& theme, const QRectF& rect, const GpuCell& cell)
{
    const Roles& c = theme.roles();
    const QRectF r = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.fillRect(r, c.base);
    QPen pen(lineOf(c, cell.kind), 1);
    if (cell.kind == CellKind::silent)
        pen.setStyle(Qt::DotLine);
    if (cell.kind == CellKind::ours) {
        const double use = std::clamp(cell.use.value_or(100) / 100.0, 0.0, 1.0);
        painter.fillRect(
            QRectF(r.left(), r.bottom() - r.height() * use, r.width(), r.height() * use), Theme::alpha(c.accent, 0.5));
    }
    if (cell.kind == CellKind::foreign || cell.kind == CellKind::service)
        paintHatch(painter, c, r, 0.6);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(r);
    if (cell.kind == CellKind::ours)
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), std::min(3.0, rect.height() / 4)), c.accent);
    if (cell.kind == CellKind::reserved && rect.width() >= 12)
        icons::paint(painter, rect, u"lock"_s, c.text, rect.width() >= 20 ? 12 : 9);
    if (cell.kind == CellKind::silent && rect.width() >= 12) {
        painter.setPen(c.unknown);
        painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
        painter.drawText(rect, Qt::AlignCenter, u"?"_s);
    }
}

void paintGpuCell(
    QPainter& painter, const Theme& theme, const QRectF& rect, const GpuCell& cell, bool selected, bool focused)
{
    const Roles& c = theme.roles();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF r = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath shape;
    shape.addRoundedRect(r, metrics::radiusControl, metrics::radiusControl);
    painter.fillPath(shape, c.base);
    painter.setClipPath(shape);
    if (cell.kind == CellKind::ours) {
        const double use = std::clamp(cell.use.value_or(100) / 100.0, 0.0, 1.0);
        const double height = 3 + (r.height() - 3) * use;
        painter.fillRect(QRectF(r.left(), r.bottom() - height, r.width(), height), Theme::alpha(c.accent, 0.09));
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 3), c.accent);
    }
    if (cell.kind == CellKind::foreign || cell.kind == CellKind::service)
        paintHatch(painter, c, r, 0.45);
    painter.setClipping(false);

    const QRectF top(r.left() + 6, r.top() + 4, r.width() - 11, 14);
    const QRectF middle(r.left() + 6, r.top() + 18, r.width() - 11, 16);
    const auto write = [&](const QRectF& where, const QString& text, Qt::Alignment align, const QColor& color,
                           const QFont& font) {
        painter.setFont(font);
        const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, int(where.width()));
        if (cell.kind == CellKind::foreign || cell.kind == CellKind::service) {
            // Clear the background of the text, so that the hatch does not cross it.
            const double w = painter.fontMetrics().horizontalAdvance(shown);
            const double x = align & Qt::AlignRight ? where.right() - w : where.left();
            painter.fillRect(QRectF(x - 2, where.top(), w + 4, where.height()), c.base);
        }
        painter.setPen(color);
        painter.drawText(where, int(align | Qt::AlignVCenter), shown);
    };
    const QFont caption = theme.font(TextSize::caption);
    write(
        top, QString::number(cell.index), Qt::AlignLeft, cell.kind == CellKind::silent ? c.unknown : c.text2, caption);
    if (cell.kind == CellKind::reserved)
        icons::paint(painter, QRectF(r.right() - 19, r.top() + 3, 16, 16), u"lock"_s, c.text, 13);
    else if (cell.use && cell.kind != CellKind::silent && cell.kind != CellKind::free)
        write(top, QCoreApplication::translate("ui::GpuCell", "%1 %").arg(*cell.use), Qt::AlignRight, c.text, caption);
    write(middle, models::printable(cell.holder, 40), Qt::AlignLeft, textOf(c, cell.kind),
        theme.font(TextSize::header, QFont::DemiBold));
    if (cell.kind != CellKind::silent) {
        const QRectF bar(r.left() + 6, r.bottom() - 6, r.width() - 12, 3);
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.line2);
        painter.drawRoundedRect(bar, 1.5, 1.5);
        if (cell.memory > 0) {
            painter.setBrush(cell.kind == CellKind::foreign ? c.foreign : c.accent);
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * cell.memory, bar.height()), 1.5, 1.5);
        }
    }
    QPen pen(lineOf(c, cell.kind), selected ? 2 : 1);
    if (cell.kind == CellKind::silent)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(
        selected ? r.adjusted(0.5, 0.5, -0.5, -0.5) : r, metrics::radiusControl, metrics::radiusControl);
    if (focused) {
        painter.setPen(QPen(c.accent, 2));
        painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), metrics::radiusBox, metrics::radiusBox);
    }
    painter.restore();
}

} // namespace ui
