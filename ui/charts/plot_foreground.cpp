// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_foreground.h"

#include "ui/kit/theme.h"

#include <algorithm>

namespace ui::charts {

void paintMarker(
    QPainter& painter, const Theme& theme, const QRectF& plot, double top, QPointF at, const QString& label)
{
    if (!plot.adjusted(-4, -4, 4, 4).contains(at))
        return;
    const Roles& roles = theme.roles();
    painter.setPen(QPen(roles.ink, 2));
    painter.setBrush(roles.base);
    painter.drawEllipse(at, 4, 4);
    painter.setFont(theme.font(TextSize::header, QFont::DemiBold));
    const QRectF words = painter.fontMetrics().boundingRect(label);
    const double x =
        std::clamp(at.x() - words.width() / 2, plot.left(), std::max(plot.left(), plot.right() - words.width()));
    double y = at.y() - 10;
    if (y - words.height() < top)
        y = at.y() + words.height() + 6;
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::alpha(roles.base, 0.8));
    painter.drawRoundedRect(QRectF(x - 3, y - words.height() + 3, words.width() + 6, words.height()), 3, 3);
    painter.setPen(roles.text);
    painter.drawText(QPointF(x, y), label);
}

void paintBadge(QPainter& painter, const Theme& theme, const QRectF& plot, const QString& text)
{
    painter.setFont(theme.font(TextSize::caption));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const QRectF box(plot.right() - width - 0.5, plot.bottom() - 26.5, width, 18);
    painter.setPen(QPen(theme.roles().line2, 1));
    painter.setBrush(Theme::alpha(theme.roles().base, 0.9));
    painter.drawRoundedRect(box, metrics::radiusSmall, metrics::radiusSmall);
    painter.setPen(theme.roles().text2);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace ui::charts
