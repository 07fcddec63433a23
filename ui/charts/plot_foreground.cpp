// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_foreground.h"

#include "ui/kit/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui::charts {

namespace {

struct PlotWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::charts::PlotWords)
};

constexpr double rowHeight = 18;
constexpr double boxMargin = 8;

QPointF pixelOf(QPointF at, const QRectF& plot, const PlotRange& range)
{
    return {plot.left() + range.across(at.x()) * plot.width(), plot.bottom() - range.up(at.y()) * plot.height()};
}

void paintPlate(QPainter& painter, const Theme& theme, const QRectF& plot, double x, const QString& text)
{
    painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12;
    QRectF plate(x - width / 2, plot.bottom() + 2, width, 16);
    plate.moveLeft(std::clamp(plate.left(), 1.0, std::max(1.0, plot.right() + 10 - width)));
    painter.setPen(QPen(theme.roles().text2, 1));
    painter.setBrush(theme.roles().base);
    painter.drawRoundedRect(plate, metrics::radiusSmall, metrics::radiusSmall);
    painter.setPen(theme.roles().text);
    painter.drawText(plate, Qt::AlignCenter, text);
}

/// The list in the upper or lower corner that is farther from the line.
void paintList(QPainter& painter, const Theme& theme, const QRectF& plot, double x, const Crosshair& crosshair)
{
    const Roles& roles = theme.roles();
    const QFont plain = theme.font(TextSize::header);
    const QFont strong = theme.font(TextSize::header, QFont::DemiBold);
    const QFontMetricsF wide(strong);
    const auto widest = [&](auto text) {
        double width = 0;
        for (const Crosshair::Row& row : crosshair.rows)
            width = std::max(width, wide.horizontalAdvance(text(row)));
        return width;
    };
    const double names = widest([](const Crosshair::Row& row) { return row.name; });
    const double values = widest([](const Crosshair::Row& row) { return row.value; });
    const double origins = widest([](const Crosshair::Row& row) { return row.origin; });
    const QString more = crosshair.more > 0
        ? PlotWords::tr("and %n more", nullptr, int(std::min<qsizetype>(crosshair.more, 1'000'000)))
        : QString();
    double width = crosshair.rows.empty() ? 0 : 16 + names + 16 + values + (origins > 0 ? 12 + origins : 0);
    width = std::max({width, wide.horizontalAdvance(crosshair.title), wide.horizontalAdvance(more)}) + 2 * boxMargin;
    const double lines = 1 + double(crosshair.rows.size()) + (more.isEmpty() ? 0 : 1);
    QRectF box(0, plot.top() + 4, width, lines * rowHeight + boxMargin);
    box.moveLeft(x + 12 + width <= plot.right() ? x + 12 : x - 12 - width);
    if (box.left() < plot.left())
        box.moveLeft(std::max(plot.left(), plot.right() - width));
    painter.setPen(QPen(roles.line2, 1));
    painter.setBrush(Theme::alpha(roles.base, 0.95));
    painter.drawRoundedRect(box, metrics::radiusControl, metrics::radiusControl);
    QRectF line(box.left() + boxMargin, box.top() + boxMargin / 2, width - 2 * boxMargin, rowHeight);
    painter.setFont(strong);
    painter.setPen(roles.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, crosshair.title);
    for (const Crosshair::Row& row : crosshair.rows) {
        line.translate(0, rowHeight);
        if (row.isNearest)
            painter.fillRect(line.adjusted(-4, 0, 4, 0), roles.select);
        painter.setPen(Qt::NoPen);
        painter.setBrush(row.color);
        painter.drawEllipse(QPointF(line.left() + 5, line.center().y()), 4, 4);
        painter.setFont(row.isNearest ? strong : plain);
        painter.setPen(roles.text);
        painter.drawText(line.adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(QRectF(line.left() + 16 + names + 16, line.top(), values, rowHeight),
            Qt::AlignRight | Qt::AlignVCenter, row.value);
        painter.setFont(strong);
        painter.setPen(roles.unknown);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.origin);
    }
    if (!more.isEmpty()) {
        painter.setFont(plain);
        painter.setPen(roles.text2);
        painter.drawText(line.translated(0, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, more);
    }
}

} // namespace

void paintCrosshair(
    QPainter& painter, const Theme& theme, const QRectF& plot, const PlotRange& range, const Crosshair& crosshair)
{
    if (range.isEmpty() || plot.isEmpty())
        return;
    const Roles& roles = theme.roles();
    const double x = crosshair.x ? plot.left() + range.across(*crosshair.x) * plot.width() : 0;
    const bool hasLine = crosshair.x && std::isfinite(x) && x >= plot.left() - 1 && x <= plot.right() + 1;
    if (hasLine) {
        painter.setPen(QPen(roles.text2, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    for (const bool isNearest : {false, true}) {
        for (const Crosshair::Mark& mark : crosshair.marks) {
            const QPointF at = pixelOf(mark.at, plot, range);
            if (mark.isNearest != isNearest || !plot.adjusted(-4, -4, 4, 4).contains(at))
                continue;
            painter.setPen(QPen(roles.base, 1.5));
            painter.setBrush(mark.color);
            const double radius = isNearest ? 5 : 3.5;
            painter.drawEllipse(at, radius, radius);
        }
    }
    if (hasLine && !crosshair.place.isEmpty())
        paintPlate(painter, theme, plot, x, crosshair.place);
    if (!crosshair.title.isEmpty())
        paintList(painter, theme, plot, hasLine ? x : plot.left(), crosshair);
}

void paintMarker(QPainter& painter, const Theme& theme, const QRectF& plot, double top, const QRectF& taken, QPointF at,
    const QString& label)
{
    if (!plot.adjusted(-4, -4, 4, 4).contains(at))
        return;
    const Roles& roles = theme.roles();
    painter.setPen(QPen(roles.ink, 2));
    painter.setBrush(roles.base);
    painter.drawEllipse(at, 4, 4);
    painter.setFont(theme.font(TextSize::header, QFont::DemiBold));
    const QRectF words = painter.fontMetrics().boundingRect(label);
    double x = std::clamp(at.x() - words.width() / 2, plot.left(), std::max(plot.left(), plot.right() - words.width()));
    double y = at.y() - 10;
    if (y - words.height() < top)
        y = at.y() + words.height() + 6;
    if (taken.intersects(QRectF(x - 3, y - words.height() + 3, words.width() + 6, words.height()))) {
        x = std::max(plot.left(), at.x() - words.width() - 10);
        y = at.y() + words.height() / 3;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::alpha(roles.base, 0.8));
    painter.drawRoundedRect(QRectF(x - 3, y - words.height() + 3, words.width() + 6, words.height()), 3, 3);
    painter.setPen(roles.text);
    painter.drawText(QPointF(x, y), label);
}

QRectF badgeBox(const Theme& theme, const QRectF& plot, const QString& text)
{
    const double width = QFontMetrics(theme.font(TextSize::caption)).horizontalAdvance(text) + 12;
    return {plot.right() - width - 0.5, plot.bottom() - 26.5, width, 18};
}

void paintBadge(QPainter& painter, const Theme& theme, const QRectF& plot, const QString& text)
{
    painter.setFont(theme.font(TextSize::caption));
    const QRectF box = badgeBox(theme, plot, text);
    painter.setPen(QPen(theme.roles().line2, 1));
    painter.setBrush(Theme::alpha(theme.roles().base, 0.9));
    painter.drawRoundedRect(box, metrics::radiusSmall, metrics::radiusSmall);
    painter.setPen(theme.roles().text2);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace ui::charts
