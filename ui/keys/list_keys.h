// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;
class QKeyEvent;

namespace ui {

/// Handles characters in a list: J and K move the current row; others are the page's shortcuts and must not start Qt's keyboard
/// search. Returns true if the view must not handle the event; for other characters the event is also ignored, so that it reaches
/// the page.
bool takeListKey(QAbstractItemView& view, QKeyEvent& event);
/// Installs an event filter that calls takeListKey() for the view.
void useListKeys(QAbstractItemView* view);

} // namespace ui
