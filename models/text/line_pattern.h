// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a regular expression (PCRE's) from its text, without running it. Pure.
#pragma once

#include <QString>

namespace models {

/// Whether the expression is made of parts that are known not to match a line end: letters, `.`, \d, \w, \b, escaped punctuation, classes that
/// name what they match, groups, alternatives, quantifiers, ^ and $. Then many texts can be searched as lines of one. False if in doubt, also
/// for an expression that matches the empty text.
[[nodiscard]] bool staysInLine(const QString& expression);
/// The longest text that every match contains, if the expression stays in line and such a text can be seen; else empty.
[[nodiscard]] QString literalOf(const QString& expression);

} // namespace models
