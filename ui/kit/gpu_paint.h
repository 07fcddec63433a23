// SPDX-License-Identifier: GPL-3.0-or-later
// Paints GPUs, small in the GPU strip and large in a machine's box, with the same marks.
#pragma once

#include "models/machine_cells.h"

#include <QRectF>

class QPainter;

namespace ui {

class Theme;
struct Roles;

/// Fills `rect` with the hatch of GPUs that other users occupy: 45°, 2 of 6 px.
void paintHatch(QPainter& painter, const Roles& roles, const QRectF& rect, double opacity);
void paintGpuColumn(QPainter& painter, const Theme& theme, const QRectF& rect, const models::GpuCell& cell);
/// `rect` is 72 × 44 px at 100 %.
void paintGpuCell(QPainter& painter, const Theme& theme, const QRectF& rect, const models::GpuCell& cell, bool selected,
    bool focused);

} // namespace ui
