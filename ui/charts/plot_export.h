// SPDX-License-Identifier: GPL-3.0-or-later
// Writes charts to image files.
#pragma once

#include "services/core/result.h"

#include <QSize>

#include <functional>

class QPainter;
class QRectF;
class QString;

namespace ui::charts {

class PlotView;

/// `.svg`: vectors; other formats: an image of twice the size in pixels. Kind::resource if the file cannot be written.
[[nodiscard]] core::Result<> exportPicture(
    const QString& file, QSize size, const std::function<void(QPainter&, const QRectF&)>& paint);
[[nodiscard]] core::Result<> exportPlot(PlotView& plot, const QString& file);

} // namespace ui::charts
