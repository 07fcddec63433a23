// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace ui {

/// Rows of words under headings, to be read and copied. `name` is for those who cannot see it.
class FactList : public QTreeWidget
{
    Q_OBJECT
public:
    FactList(const QStringList& headings, const QString& name, QWidget* parent = nullptr);
};

} // namespace ui
