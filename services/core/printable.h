// SPDX-License-Identifier: GPL-3.0-or-later
// Makes text from untrusted sources safe to display: in the window, and on a terminal. Pure.
#pragma once

#include "message/message.h"

#include <QString>

namespace core {

/// What is shown instead of a character: pictures for control characters (␛), ⏎ for line ends, a space for a tab, U+FFFD for C1
/// controls, line and paragraph separators, bidirectional marks and noncharacters. Any other character is itself.
[[nodiscard]] QChar printable(QChar c);

/// The text as one line, each character as printable(QChar) shows it, cut at `longest` characters.
[[nodiscard]] QString printable(const QString& text, qsizetype longest = 500);

/// The text with its lines, each as printable(QString) shows it.
[[nodiscard]] QString printableLines(const QString& text, qsizetype longestLine = 500);

/// Of a message, in the language of the installed translators (message/localized.h).
[[nodiscard]] QString printable(const Message& message, qsizetype longest = 500);
[[nodiscard]] QString printableLines(const Message& message, qsizetype longestLine = 500);

} // namespace core
