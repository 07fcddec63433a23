// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns a table of trials shows, in which order and how wide. Pure functions.
#pragma once

#include "trial_table.h"

#include <utility>

namespace models {

/// Of parameters that nothing was chosen for, this many are shown, in order of appearance.
inline constexpr int parametersAtFirst = 6;

/// What was chosen for a column.
struct ColumnChoice
{
    QString name; ///< columnName()
    bool isShown = true;
    int width = 0; ///< in pixels; 0: as usual
    friend bool operator==(const ColumnChoice&, const ColumnChoice&) = default;
};
/// Columns from left to right. Those that are not listed have their usual place.
using ColumnLayout = QList<ColumnChoice>;

/// A column of a table where a layout puts it.
struct PlacedColumn
{
    int column = 0;
    bool isShown = true;
    int width = 0; ///< in pixels; 0: as usual
};

/// The column's name in settings, which does not depend on the language: `state`, `parameter/lr`.
[[nodiscard]] QString columnName(const TrialTable& table, int column);
/// Whether a fixed column is shown when nothing was chosen for it: that of the experiment only where trials of several are.
[[nodiscard]] bool isShownAtFirst(TrialColumn column, const TrialTable& table);

/// All columns of `table` from left to right. New parameters follow the last parameter, or the curve.
[[nodiscard]] std::vector<PlacedColumn> placeColumns(const ColumnLayout& chosen, const TrialTable& table);

/// The fixed columns of a layout.
[[nodiscard]] ColumnLayout withoutParameters(const ColumnLayout& layout);
/// What another experiment, or the table of all, can start with: the fixed columns but that of the experiment.
[[nodiscard]] ColumnLayout forAnotherExperiment(const ColumnLayout& layout);

/// A layout as one line of text, and back. What is not a layout is an empty one.
[[nodiscard]] QString layoutText(const ColumnLayout& layout);
[[nodiscard]] ColumnLayout layoutOf(const QString& text);

/// The fewest moves of one entry, from and to an index, that turn `order` into `wanted`, a permutation of it.
[[nodiscard]] std::vector<std::pair<int, int>> movesBetween(std::vector<int> order, const std::vector<int>& wanted);

} // namespace models
