// SPDX-License-Identifier: GPL-3.0-or-later
// Our own drawings (resources/icons), each a mask that takes any colour, so a theme needs no second set.
#pragma once

#include "theme.h"

#include <QIcon>
#include <QPixmap>

class QPainter;
class QRectF;

namespace ui::icons {

/// Makes the drawings known to the program; before the first of them. They lie in a static library, which Qt does not do by itself.
void load();
/// Sharp for the given ratio of device pixels. Cached by name, colour, size and ratio. A name that does not exist gives an empty one.
[[nodiscard]] QPixmap pixmap(const QString& name, const QColor& color, int size = 16, qreal ratio = 1);
/// For buttons and menus: in a role of the theme, whatever scheme that shows, and in its disabled colour when disabled. The theme
/// outlives the icon.
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, QColor Roles::*role = &Roles::text2);
/// Paints it into the middle of `where`.
void paint(QPainter& painter, const QRectF& where, const QString& name, const QColor& color, int size = 16);

} // namespace ui::icons
