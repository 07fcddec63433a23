// SPDX-License-Identifier: GPL-3.0-or-later
// Writes charts to image files, with the words that the window shows around them.
#pragma once

#include "services/core/result.h"

#include <QColor>
#include <QSize>
#include <QString>

#include <functional>
#include <vector>

class QPainter;
class QRectF;

namespace ui {
class Theme;
}

namespace ui::charts {

class PlotView;

/// The words of a picture. Empty ones take no room.
struct PictureText
{
    struct Entry
    {
        QColor color;
        QString text;
    };
    QString title;
    QString across; ///< name of the x axis
    QString up;     ///< name of the y axis
    std::vector<Entry> legend;
};

/// Paints a chart of `size` with its words around it. `.svg`: vectors; other formats: an image of twice the size in pixels.
/// Kind::resource if the file cannot be written.
[[nodiscard]] core::Result<> exportPicture(const QString& file, const Theme& theme, QSize size, const PictureText& text,
    const std::function<void(QPainter&, const QRectF&)>& paint);
[[nodiscard]] core::Result<> exportPlot(
    PlotView& plot, const Theme& theme, const PictureText& text, const QString& file);

} // namespace ui::charts
