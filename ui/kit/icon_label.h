// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QWidget>

namespace ui {

/// An icon next to a text, in a colour of the current theme. It has no accessible name: the text has the information.
class IconLabel : public QWidget
{
    Q_OBJECT
public:
    explicit IconLabel(QWidget* parent = nullptr);
    IconLabel(const QString& icon, QColor Roles::*role, int size = metrics::icon, QWidget* parent = nullptr);

    /// An empty name shows no icon but keeps its space.
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
