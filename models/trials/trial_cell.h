// SPDX-License-Identifier: GPL-3.0-or-later
// Titles and texts of a TrialTable's columns. Pure functions.
#pragma once

#include "trial_table.h"

namespace models {

/// The fixed column, or `parameter`.
[[nodiscard]] constexpr TrialColumn kindOf(int column)
{
    return column >= baseColumns ? TrialColumn::parameter : TrialColumn(column);
}
/// The header of a fixed column.
[[nodiscard]] QString columnTitle(TrialColumn column);
/// Text is left-aligned, numbers are right-aligned.
[[nodiscard]] bool isLeftAligned(const TrialTable& table, int column);

/// A cell's text for a table, or with `whole` the full text for tool tips and screen readers. Running durations end at `now`
/// (milliseconds since the epoch).
[[nodiscard]] QString cellText(const TrialTable& table, int column, quint32 row, qint64 now, bool whole);
/// The trial's last value of the objective; may be NaN or infinite.
[[nodiscard]] std::optional<double> lastValue(const TrialTable& table, quint32 row);

} // namespace models
