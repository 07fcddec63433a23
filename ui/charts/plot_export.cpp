// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_export.h"

#include "plot_view.h"

#include "ui/kit/save_as.h"

#include <QBuffer>
#include <QSvgGenerator>

namespace ui::charts {

core::Result<> exportPicture(
    const QString& file, QSize size, const std::function<void(QPainter&, const QRectF&)>& paint)
{
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        QPainter painter(&generator);
        paint(painter, QRectF(QPointF(), QSizeF(size)));
    } else {
        QImage image(size * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            paint(painter, QRectF(QPointF(), QSizeF(size)));
        }
        image.save(&out, "PNG");
    }
    return writeFile(file, out.data());
}

core::Result<> exportPlot(PlotView& plot, const QString& file)
{
    return exportPicture(
        file, plot.viewport()->size(), [&](QPainter& painter, const QRectF& target) { plot.render(painter, target); });
}

} // namespace ui::charts
