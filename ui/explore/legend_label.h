// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/markup_label.h"

namespace ui {

/// Words in a card's bar that are left out where the bar is too narrow for them; they take the room that the controls leave.
class LegendLabel : public MarkupLabel
{
    Q_OBJECT
public:
    explicit LegendLabel(TextSize size, Qt::Alignment alignment, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ui
