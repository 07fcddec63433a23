// SPDX-License-Identifier: GPL-3.0-or-later
// Ages such as "3 min ago" in a list, which go on while it is looked at. GUI thread.
#pragma once

#include <QtGlobal>

class QTreeWidget;
class QTreeWidgetItem;

namespace ui {

/// Shows how long ago `time` was, in milliseconds since the epoch; 0: nothing. The tool tip says when it was.
void setAge(QTreeWidgetItem& item, int column, qint64 time);
/// Rewrites the ages of a column every few seconds while the list is visible.
void keepAges(QTreeWidget& list, int column);

} // namespace ui
