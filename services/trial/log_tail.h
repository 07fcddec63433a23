// SPDX-License-Identifier: GPL-3.0-or-later
// The lines at the end of a log. Pure.
#pragma once

#include <QByteArrayView>
#include <QStringList>

namespace trial {

/// The last lines that are not blank, oldest first: UTF-8 with replacements, without colour codes, of a line that was
/// overwritten (\r) what one saw last. `tail` may begin inside a line.
[[nodiscard]] QStringList lastTextLines(QByteArrayView tail, int lines);

} // namespace trial
