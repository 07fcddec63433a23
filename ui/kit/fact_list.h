// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace ui {

/// A read-only table of text that can be copied. `name` is the accessible name.
class FactList : public QTreeWidget
{
    Q_OBJECT
public:
    FactList(const QStringList& headings, const QString& name, QWidget* parent = nullptr);
};

} // namespace ui
