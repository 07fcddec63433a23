// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QWidget>

namespace ui {

/// An icon beside words, in a colour of the theme that is shown. It says nothing by itself: the words do.
class IconLabel : public QWidget
{
    Q_OBJECT
public:
    explicit IconLabel(QWidget* parent = nullptr);
    IconLabel(const QString& icon, QColor Roles::*role, int size = metrics::icon, QWidget* parent = nullptr);

    /// An empty name shows nothing and keeps the room.
    void setIcon(const QString& icon, QColor Roles::*role);
    [[nodiscard]] QSize sizeHint() const override { return {m_size, m_size}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_icon;
    QColor Roles::*m_role = &Roles::text2;
    int m_size = metrics::icon;
};

} // namespace ui
