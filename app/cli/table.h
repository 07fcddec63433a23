// SPDX-License-Identifier: GPL-3.0-or-later
// Text in columns. Pure. What comes from elsewhere (names, reasons, log lines) is shown by oneLine(): a row stays a row.
#pragma once

#include "console.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace app {

/// Columns of a terminal that the text takes: 2 for wide characters, 0 for combining ones.
[[nodiscard]] int displayWidth(QStringView text);
/// At most `width` columns, with `…` at the end when something was cut.
[[nodiscard]] QString elided(const QString& text, int width);

struct Cell
{
    QString text;
    Role role = Role::plain;

    Cell() = default;
    Cell(QString t, Role r = Role::plain)
        : text(std::move(t))
        , role(r)
    {
    }
};

struct Column
{
    QString title;
    bool right = false;   ///< numbers
    bool elastic = false; ///< gives way when the line is wider than the terminal
};

/// The table as lines. Columns without any text are left out. `width` 0: as wide as it needs. An empty table is its head alone.
[[nodiscard]] QStringList tableLines(
    const QList<Column>& columns, const QList<QList<Cell>>& rows, int width, bool colour);

/// `name   value` lines, aligned; pairs with an empty value are left out.
[[nodiscard]] QStringList pairLines(const QList<std::pair<QString, Cell>>& pairs, bool colour);

} // namespace app
