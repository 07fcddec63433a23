// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ui {

/// Moves the focus `step` regions on from the one that has `focus`, in a circle; regions that cannot be seen or take no focus are passed
/// over. A region that takes no focus itself gives it to the first widget in it that does.
void focusRegion(const QList<QWidget*>& regions, const QWidget* focus, int step);

} // namespace ui
