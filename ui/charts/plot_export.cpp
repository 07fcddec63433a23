// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_export.h"

#include "plot_view.h"

#include "ui/kit/save_as.h"
#include "ui/kit/theme.h"

#include <QBuffer>
#include <QSvgGenerator>

namespace ui::charts {

namespace {

constexpr int pictureMargin = 12;
constexpr int titleHeight = 28;
constexpr int legendRow = 20;
constexpr int axisName = 20;
constexpr int legendMark = 18; ///< width of a mark with the gap behind it
constexpr int legendGap = 20;

/// Where the parts of a picture are.
struct PictureLayout
{
    QSize whole;
    QRectF title;
    std::vector<QRectF> entries; ///< as PictureText::legend
    QRectF chart;
};

PictureLayout layoutOf(const Theme& theme, QSize size, const PictureText& text)
{
    PictureLayout out;
    const int left = pictureMargin + (text.up.isEmpty() ? 0 : axisName);
    int y = pictureMargin;
    if (!text.title.isEmpty()) {
        out.title = QRectF(left, y, size.width(), titleHeight);
        y += titleHeight;
    }
    const QFontMetricsF metrics(theme.font(TextSize::header));
    double x = left;
    for (const PictureText::Entry& entry : text.legend) {
        const double width = legendMark + metrics.horizontalAdvance(entry.text) + 2;
        if (x > left && x + width > left + size.width()) {
            x = left;
            y += legendRow;
        }
        out.entries.emplace_back(x, y, width, legendRow);
        x += width + legendGap;
    }
    y += text.legend.empty() ? 0 : legendRow + 4;
    out.chart = QRectF(QPointF(left, y), QSizeF(size));
    out.whole = QSize(left + size.width() + pictureMargin,
        y + size.height() + (text.across.isEmpty() ? 0 : axisName) + pictureMargin);
    return out;
}

void paintWords(QPainter& painter, const Theme& theme, const PictureText& text, const PictureLayout& layout)
{
    const Roles& roles = theme.roles();
    painter.setPen(roles.text);
    painter.setFont(theme.font(TextSize::title, QFont::DemiBold));
    painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignVCenter, text.title);
    painter.setFont(theme.font(TextSize::header));
    for (size_t i = 0; i < text.legend.size(); ++i) {
        const QRectF& box = layout.entries[i];
        painter.fillRect(QRectF(box.left(), box.center().y() - 1.5, legendMark - 6, 3), text.legend[i].color);
        painter.setPen(roles.text);
        painter.drawText(box.adjusted(legendMark, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text.legend[i].text);
    }
    painter.setPen(roles.text2);
    if (!text.across.isEmpty())
        painter.drawText(QRectF(layout.chart.left(), layout.chart.bottom(), layout.chart.width(), axisName),
            Qt::AlignCenter, text.across);
    if (!text.up.isEmpty()) {
        painter.save();
        painter.translate(pictureMargin, layout.chart.bottom());
        painter.rotate(-90);
        painter.drawText(QRectF(0, 0, layout.chart.height(), axisName), Qt::AlignCenter, text.up);
        painter.restore();
    }
}

} // namespace

core::Result<> exportPicture(const QString& file, const Theme& theme, QSize size, const PictureText& text,
    const std::function<void(QPainter&, const QRectF&)>& paint)
{
    const PictureLayout layout = layoutOf(theme, size, text);
    const auto paintAll = [&](QPainter& painter) {
        painter.fillRect(QRectF(QPointF(), QSizeF(layout.whole)), theme.roles().base);
        painter.save();
        paint(painter, layout.chart);
        painter.restore();
        paintWords(painter, theme, text, layout);
    };
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(layout.whole);
        generator.setViewBox(QRect(QPoint(), layout.whole));
        generator.setTitle(text.title);
        QPainter painter(&generator);
        paintAll(painter);
    } else {
        QImage image(layout.whole * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        {
            QPainter painter(&image);
            paintAll(painter);
        }
        image.save(&out, "PNG");
    }
    return writeFile(file, out.data());
}

core::Result<> exportPlot(PlotView& plot, const Theme& theme, const PictureText& text, const QString& file)
{
    return exportPicture(file, theme, plot.viewport()->size(), text,
        [&](QPainter& painter, const QRectF& target) { plot.render(painter, target); });
}

} // namespace ui::charts
