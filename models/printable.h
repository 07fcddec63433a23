// SPDX-License-Identifier: GPL-3.0-or-later
// Makes text from untrusted sources safe to display. Pure.
#pragma once

#include <QString>

namespace models {

/// Returns the text as one line: control characters replaced by pictures (␛), line ends by ⏎, bidirectional marks removed,
/// cut at `longest` characters.
[[nodiscard]] QString printable(const QString& text, qsizetype longest = 500);

} // namespace models
