// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell_legend.h"

#include "machine_boxes.h"

#include "ui/kit/gpu_paint.h"
#include "ui/kit/theme.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

void paintCellLegend(QPainter& painter, const Theme& theme, int top, int pageWidth)
{
    const Roles& c = theme.roles();
    painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
    painter.setPen(c.text2);
    painter.drawText(QRect(16, top + 8, 300, 16), Qt::AlignVCenter, MachineBoxes::tr("How to read a cell"));
    models::GpuCell cells[3];
    cells[0] = {1, models::CellKind::ours, u"143"_s, {}, 94, 0.5, {}};
    cells[1] = {3, models::CellKind::foreign, MachineBoxes::tr("someone"), {}, 91, 0.8, {}};
    cells[2] = {1, models::CellKind::reserved, MachineBoxes::tr("you"), {}, {}, 0, {}};
    const QString texts[] = {
        MachineBoxes::tr("GPU index and use; who holds it: a trial number, a user, or you. The foot is memory, "
                         "the height of the tint is use."),
        MachineBoxes::tr("Hatched: another user. It is avoided unless its platform says otherwise."),
        MachineBoxes::tr("Padlock: reserved, no trial is placed.")};
    const int width = (pageWidth - 32) / 3;
    for (int i = 0; i < 3; ++i) {
        const int x = 16 + i * width;
        paintGpuCell(painter, theme, QRectF(x, top + 32, boxCellWidth, boxCellHeight), cells[i], false, false);
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text2);
        painter.drawText(QRect(x + boxCellWidth + 12, top + 26, width - boxCellWidth - 28, 56),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, texts[i]);
    }
}

} // namespace ui
