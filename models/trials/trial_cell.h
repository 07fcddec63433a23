// SPDX-License-Identifier: GPL-3.0-or-later
// How the columns of a TrialTable read. Pure.
#pragma once

#include "trial_table.h"

namespace models {

/// One of our own columns, or `parameter`.
[[nodiscard]] constexpr TrialColumn kindOf(int column)
{
    return column >= baseColumns ? TrialColumn::parameter : TrialColumn(column);
}
/// What stands above one of our own columns.
[[nodiscard]] QString columnTitle(TrialColumn column);
/// Words begin at the left, numbers end at the right.
[[nodiscard]] bool isLeftAligned(const TrialTable& table, int column);

/// A cell as a table shows it, or `whole`: as tool tips and screen readers tell it. Durations run up to `now`.
[[nodiscard]] QString cellText(const TrialTable& table, int column, quint32 row, qint64 now, bool whole);
/// The value of the objective that it reported last, NaN and infinity included.
[[nodiscard]] std::optional<double> lastValue(const TrialTable& table, quint32 row);

} // namespace models
