// SPDX-License-Identifier: GPL-3.0-or-later
// The program's icons (resources/icons). Each is a mask that is painted in any colour, so that one set serves all themes.
#pragma once

#include "theme.h"

#include <QIcon>
#include <QPixmap>

class QPainter;
class QRectF;

namespace ui::icons {

/// Registers the icons' resources; call before the first use. Needed because they are in a static library, whose resources Qt
/// does not register automatically.
void load();
/// A pixmap for the given device pixel ratio; `size` is in device-independent pixels. Cached by name, colour, size and ratio.
/// Empty for an unknown name.
[[nodiscard]] QPixmap pixmap(const QString& name, const QColor& color, int size = 16, qreal ratio = 1);
/// For buttons and menus: painted in the theme's current colour for the role, or in its disabled colour. The theme must outlive
/// the icon.
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, QColor Roles::*role = &Roles::text2);
/// Paints the icon centred in `where`.
void paint(QPainter& painter, const QRectF& where, const QString& name, const QColor& color, int size = 16);

} // namespace ui::icons
