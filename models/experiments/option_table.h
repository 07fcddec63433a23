// SPDX-License-Identifier: GPL-3.0-or-later
// A field of type `table` among an experiment's options (experimentFields of GET /platform-kinds): its rows, their cells, and what is wrong
// with them. `field` and `item` are as the service describes them; `beside` are the values of the fields beside the table. Pure functions.
#pragma once

#include "services/core/json.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace models {

/// One object of the list, with all its members, also those that are no item of the table.
using TableRow = core::Json;

[[nodiscard]] bool isTable(const core::Json& field);

/// The rows of a value: a list of objects, or a text with such a list in YAML. None of null and of an empty text. Nothing: it is no such
/// list, or has more rows than a table can show.
[[nodiscard]] std::optional<QList<TableRow>> tableRows(const core::Json& value);
/// The value of these rows; null where there is none.
[[nodiscard]] core::Json tableValue(const QList<TableRow>& rows);

[[nodiscard]] QString cellText(const TableRow& row, const core::Json& item);
/// An empty text takes the member away. A whole number is one where the item wants it; the service refuses other text there.
void setCell(TableRow& row, const core::Json& item, const QString& text);

/// What may stand in the cells of an item; empty: any text.
[[nodiscard]] QStringList cellWords(const core::Json& item, const core::Json& beside);
/// The row whose part of a trial has its metrics and its end (Field::leadBy); -1: there is none.
[[nodiscard]] qsizetype leadingRow(const core::Json& field, const QList<TableRow>& rows, const core::Json& beside);

struct TableProblem
{
    qsizetype row = -1; ///< -1: the table as a whole
    QString item;       ///< the name of the item; empty: the row as a whole
    QString message;    ///< a sentence

    bool operator==(const TableProblem&) const = default;
};

/// What can be seen without the service. At most one a cell.
[[nodiscard]] QList<TableProblem> tableProblems(
    const core::Json& field, const QList<TableRow>& rows, const core::Json& beside);
/// What an error of the service says of this table, by its places: `roles[1].count: …`. The places are taken off the messages.
[[nodiscard]] QList<TableProblem> problemsInError(const core::Json& field, const QString& message);

struct PodCount
{
    qint64 pods = 0;
    qint64 gpus = 0; ///< of all of them

    bool operator==(const PodCount&) const = default;
};

/// What a trial with these roles has: `count` pods of each, 1 where a row says nothing, and `gpus` in each pod, else `gpus`.
[[nodiscard]] PodCount podsOf(const QList<TableRow>& rows, int gpus);

/// Whether rows say all that runs, so that the experiment needs no command of its own (KindDescription::ownRoles).
[[nodiscard]] bool haveCommands(const QList<TableRow>& rows);

} // namespace models
