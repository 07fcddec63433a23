// SPDX-License-Identifier: GPL-3.0-or-later
#include "legend_label.h"

namespace ui {

LegendLabel::LegendLabel(TextSize size, Qt::Alignment alignment, QWidget* parent)
    : MarkupLabel(size, QFont::Normal, parent)
{
    setForegroundRole(QPalette::PlaceholderText);
    setAlignment(alignment | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void LegendLabel::paintEvent(QPaintEvent* event)
{
    if (width() >= sizeHint().width())
        MarkupLabel::paintEvent(event);
}

} // namespace ui
