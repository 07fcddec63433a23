// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_regions.h"

namespace ui {

void focusRegion(const QList<QWidget*>& regions, const QWidget* focus, int step)
{
    int now = 0;
    for (qsizetype i = 0; i < regions.size(); ++i)
        if (focus && (focus == regions[i] || regions[i]->isAncestorOf(focus)))
            now = int(i);
    const int count = int(regions.size());
    for (int tried = 1; tried <= count; ++tried) {
        QWidget* region = regions[(now + step * tried + 2 * count) % count];
        if (!region->isVisible())
            continue;
        if (region->focusPolicy() != Qt::NoFocus) {
            region->setFocus(Qt::TabFocusReason);
            return;
        }
        for (QWidget* child : region->findChildren<QWidget*>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
                child->setFocus(Qt::TabFocusReason);
                return;
            }
    }
}

} // namespace ui
