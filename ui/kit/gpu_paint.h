// SPDX-License-Identifier: GPL-3.0-or-later
// How a GPU looks, small in the strip and large in a machine's box: the same marks.
#pragma once

#include "models/machine_cells.h"

#include <QRectF>

class QPainter;

namespace ui {

class Theme;
struct Roles;

/// 45°, 2 of 6 px, over `rect`: another user's.
void paintHatch(QPainter& painter, const Roles& roles, const QRectF& rect, double opacity);
void paintGpuColumn(QPainter& painter, const Theme& theme, const QRectF& rect, const models::GpuCell& cell);
/// 72 × 44.
void paintGpuCell(QPainter& painter, const Theme& theme, const QRectF& rect, const models::GpuCell& cell, bool selected,
    bool focused);

} // namespace ui
