// SPDX-License-Identifier: GPL-3.0-or-later
// What another program said, as a part of a sentence. Pure.
#pragma once

#include "services/core/printable.h"

namespace platforms::kubernetes {

/// One line without its full stop, cut where it is long.
[[nodiscard]] inline QString causeLine(const QString& text)
{
    QString line = core::printable(text.trimmed(), 400);
    if (line.endsWith(u'.'))
        line.chop(1);
    return line;
}

} // namespace platforms::kubernetes
