// SPDX-License-Identifier: GPL-3.0-or-later
// Text that others gave, fit to be shown. Pure.
#pragma once

#include <QString>

namespace models {

/// Fit for one line: control characters as pictures (␛), line ends as ⏎, marks of direction taken out, cut at `longest` characters.
[[nodiscard]] QString printable(const QString& text, qsizetype longest = 500);

} // namespace models
