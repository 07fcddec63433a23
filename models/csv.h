// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace models {

/// One line of comma-separated values with its line end, in UTF-8. A cell that a spreadsheet would take for a formula (it begins
/// with = + - @, a tab or a line end, and is no number) gets an apostrophe in front. Pure.
[[nodiscard]] QByteArray csvLine(const QStringList& cells, char separator = ',');

/// A number in full precision, such that it reads back the same; `NaN` as tables show it.
[[nodiscard]] QString csvNumber(double value);

} // namespace models
