// SPDX-License-Identifier: GPL-3.0-or-later
#include "icon_label.h"

#include "icons.h"

#include <QPainter>

namespace ui {

IconLabel::IconLabel(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

IconLabel::IconLabel(const QString& icon, QColor Roles::*role, int size, QWidget* parent)
    : IconLabel(parent)
{
    m_size = size;
    setIcon(icon, role);
}

void IconLabel::setIcon(const QString& icon, QColor Roles::*role)
{
    m_icon = icon;
    m_role = role;
    update();
}

void IconLabel::paintEvent(QPaintEvent*)
{
    if (m_icon.isEmpty())
        return;
    QPainter painter(this);
    icons::paint(painter, rect(), m_icon, themeOf(*this).roles().*m_role, m_size);
}

} // namespace ui
