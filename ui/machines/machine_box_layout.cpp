// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_box_layout.h"

#include <algorithm>

namespace ui {

namespace {

constexpr int boxLoadWidth = 178;
constexpr int silentWidth = 264;
constexpr int cellGap = 4;
constexpr int menuSize = 28;
constexpr int boxHead = 68;
constexpr int meterHeight = 30;
constexpr int meterMost = 180;
constexpr int meterLeast = 120;
constexpr int meterGap = 32;
constexpr int processHeadHeight = 28;
constexpr int processRow = 24;
constexpr int leastMessage = 80;

int cellsIn(int room)
{
    return (room + cellGap) / (boxCellWidth + cellGap);
}

/// Puts the meters beside each other if there is room, else below each other; returns the bottom of the lowest.
int putMeters(BoxLayout& out, int count, const QRect& room)
{
    const int beside = (room.width() - meterGap * (count - 1)) / std::max(1, count);
    const bool isRow = beside >= meterLeast;
    const int width = std::clamp(isRow ? beside : room.width(), 0, meterMost);
    for (int i = 0; i < count; ++i)
        out.meters.append(isRow ? QRect(room.left() + i * (width + meterGap), room.top(), width, meterHeight)
                                : QRect(room.left(), room.top() + i * (meterHeight + 6), width, meterHeight));
    const int right = out.meters.isEmpty() ? room.left() : out.meters.last().right() + 16;
    if (room.right() - right >= leastMessage)
        out.message = QRect(QPoint(right, room.top() - 6), QPoint(room.right(), room.top() + boxHead - 22));
    return out.meters.isEmpty() ? room.top() : out.meters.last().bottom();
}

} // namespace

BoxLayout layOutBox(const QPoint& at, int width, const BoxContent& content)
{
    BoxLayout out;
    const int left = at.x();
    const int right = at.x() + width;
    out.menu = QRect(right - menuSize - 8, at.y() + 12, menuSize, menuSize);
    const int rightOfRest = out.menu.left() - 8;
    const int besideName = rightOfRest - (left + boxLeftWidth);
    int height = boxHead;
    int nameWidth = boxLeftWidth - 44;
    if (content.cells > 0) {
        // All cells in one row leave room for the load at the right; else it goes below the name.
        const int loadWidth = content.isSilent ? silentWidth : boxLoadWidth;
        const bool loadAtRight = cellsIn(besideName - loadWidth) >= content.cells;
        const bool isBelow = besideName < boxCellWidth;
        const int wide = right - 12 - (left + boxLeftWidth);
        const bool isMenuLeft = !isBelow && cellsIn(besideName) < content.cells && cellsIn(wide) > cellsIn(besideName);
        if (loadAtRight)
            out.load = QRect(rightOfRest - loadWidth + 12, at.y() + 14, loadWidth - 12, 40);
        if (isBelow)
            nameWidth = rightOfRest - left - 36;
        if (isMenuLeft)
            out.menu = QRect(left + 6, at.y() + 43, menuSize, 24);
        const QRect room = isBelow ? QRect(left + 12, at.y() + 64, width - 24, 1)
                                   : QRect(left + boxLeftWidth, at.y() + 12, isMenuLeft ? wide : besideName, 1);
        const int aRow = std::max(1, cellsIn(room.width()));
        for (int i = 0; i < content.cells; ++i)
            out.cells.append(QRect(room.left() + i % aRow * (boxCellWidth + cellGap),
                room.top() + i / aRow * (boxCellHeight + cellGap), boxCellWidth, boxCellHeight));
        height = std::max(boxHead, out.cells.last().bottom() - at.y() + 13);
    } else {
        const bool isBelow = besideName < meterLeast;
        if (isBelow)
            nameWidth = rightOfRest - left - 36;
        const QRect room = isBelow ? QRect(left + 36, at.y() + 58, width - 52, 1)
                                   : QRect(left + boxLeftWidth, at.y() + 14, besideName, 1);
        const int bottom = putMeters(out, content.meters, room);
        if (isBelow)
            out.message = {};
        height = std::max(boxHead, bottom - at.y() + 13);
    }
    const bool isThreeLines = content.cells > 0 && out.load.isNull();
    out.name = QRect(left + 36, at.y() + (isThreeLines ? 6 : 14), std::max(0, nameWidth), isThreeLines ? 56 : 40);
    out.head = QRect(left, at.y(), width, height);
    if (content.isOpen) {
        out.processHead = QRect(left + 1, at.y() + height, width - 2, processHeadHeight);
        height += processHeadHeight;
        for (int i = 0; i < content.processes; ++i)
            out.processes.append(QRect(left + 1, at.y() + height + i * processRow, width - 2, processRow));
        if (content.processes == 0)
            out.noProcess = QRect(left + 16, at.y() + height, width - 32, processRow);
        height += std::max(1, content.processes) * processRow + 4;
    }
    out.box = QRect(left, at.y(), width, height);
    return out;
}

} // namespace ui
