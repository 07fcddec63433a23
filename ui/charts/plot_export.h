// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of what is shown, into files.
#pragma once

#include "services/core/result.h"

#include <QSize>

#include <functional>

class QPainter;
class QRectF;
class QString;

namespace ui::charts {

class PlotView;

/// `.svg`: vectors; anything else: an image at twice the size on the screen. Kind::resource when it cannot be written.
[[nodiscard]] core::Result<> exportPicture(
    const QString& file, QSize size, const std::function<void(QPainter&, const QRectF&)>& paint);
[[nodiscard]] core::Result<> exportPlot(PlotView& plot, const QString& file);

} // namespace ui::charts
