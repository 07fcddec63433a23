// SPDX-License-Identifier: GPL-3.0-or-later
// The list of processes in a machine's box: which columns there is room for, and how a row is painted.
#pragma once

#include "models/machines/machine_processes.h"

#include <QList>
#include <QRect>

class QPainter;

namespace ui {

class Theme;

/// A column of the list; places are relative to the row's left.
struct ProcessColumn
{
    enum class Kind { gpu, name, user, trial, pid, memory, time };
    Kind kind;
    int x = 0;
    int width = 0;
    bool isRight = false;
    bool operator==(const ProcessColumn&) const = default;
};

/// The columns for a list of this width in pixels. Those that matter least are left out of a narrow list; the name gets the rest.
[[nodiscard]] QList<ProcessColumn> processColumns(int width, bool hasGpus);

void paintProcessHead(QPainter& painter, const Theme& theme, const QRect& rect, bool hasGpus);
/// `now`: milliseconds since the epoch.
void paintProcess(QPainter& painter, const Theme& theme, const QRect& rect, const models::MachineProcess& process,
    bool hasGpus, bool isSelected, qint64 now);

} // namespace ui
