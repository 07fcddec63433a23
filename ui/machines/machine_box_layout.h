// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a machine's box are. Pure: sizes in, rectangles out, all inside the box whatever its width.
#pragma once

#include <QList>
#include <QRect>

namespace ui {

/// What a box has to show.
struct BoxContent
{
    int cells = 0;  ///< GPUs
    int meters = 0; ///< bars of a machine without GPUs: processor, memory
    int processes = 0;
    bool isOpen = false;
    bool isSilent = false; ///< its load is a sentence
    bool operator==(const BoxContent&) const = default;
};

struct BoxLayout
{
    QRect box;
    QRect head;
    QRect name; ///< two lines: name with state, and model
    /// The load of a machine with GPUs, two lines at the right; null: it is the third line of `name`.
    QRect load;
    QRect
        menu; ///< the button of its menu: at the right, or below the chevron where that leaves room for more cells in a row
    QList<QRect> cells;
    QList<QRect> meters; ///< a line of text above a bar
    QRect message;       ///< at the right of the meters; null: no room
    QRect processHead;   ///< null: closed
    QList<QRect> processes;
    QRect noProcess; ///< the line that stands for none
};

inline constexpr int boxCellWidth = 72;
inline constexpr int boxCellHeight = 44;
inline constexpr int boxLeftWidth = 208; ///< of the part with the name

/// The box whose upper left corner is `at`, `width` pixels wide.
[[nodiscard]] BoxLayout layOutBox(const QPoint& at, int width, const BoxContent& content);

} // namespace ui
