// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_export.h"

#include "plot_view.h"

#include <QCoreApplication>
#include <QSaveFile>
#include <QSvgGenerator>

namespace ui::charts {

namespace {

core::Result<> notWritten(const QString& file, const QString& why)
{
    return core::fail(
        core::Kind::resource, QCoreApplication::translate("ui::Export", "%1 could not be written: %2.").arg(file, why));
}

} // namespace

core::Result<> exportPicture(
    const QString& file, QSize size, const std::function<void(QPainter&, const QRectF&)>& paint)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return notWritten(file, out.errorString());
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
        if (!image.save(&out, "PNG"))
            return notWritten(file, out.errorString());
    }
    if (!out.commit())
        return notWritten(file, out.errorString());
    return {};
}

core::Result<> exportPlot(PlotView& plot, const QString& file)
{
    return exportPicture(
        file, plot.viewport()->size(), [&](QPainter& painter, const QRectF& target) { plot.render(painter, target); });
}

} // namespace ui::charts
