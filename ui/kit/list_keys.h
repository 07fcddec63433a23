// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;
class QKeyEvent;

namespace ui {

/// In every list of this window J and K move; other letters are for the page's actions, not for searching. True when the key is
/// none of the view's business any more; an action's key is left ignored, so that it goes on to the page.
bool takeListKey(QAbstractItemView& view, QKeyEvent& event);
/// The same for a view of any class, from now on.
void useListKeys(QAbstractItemView* view);

} // namespace ui
