// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QLabel>

namespace ui {

/// Wraps `html` in a colour of the theme, for a MarkupLabel. `role` is the name of a member of Roles, such as `text2`.
[[nodiscard]] QString coloured(const char* role, const QString& html);

/// Rich text whose colours follow the theme. Untrusted text must be escaped by the caller (QString::toHtmlEscaped).
class MarkupLabel : public QLabel
{
    Q_OBJECT
public:
    explicit MarkupLabel(TextSize size, int weight = QFont::Normal, QWidget* parent = nullptr);

    void setMarkup(const QString& markup);

private:
    void render();

    QString m_markup;
};

} // namespace ui
