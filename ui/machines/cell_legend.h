// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;

namespace ui {

class Theme;

inline constexpr int legendHeight = 110; ///< pixels

/// Explains the marks of GPU cells, below the boxes of a page that is `pageWidth` pixels wide.
void paintCellLegend(QPainter& painter, const Theme& theme, int top, int pageWidth);

} // namespace ui
