// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns for what the cluster's parts say to people. Pure.
#pragma once

#include <QRegularExpression>

namespace platforms::kubernetes {

/// Upper and lower case are the same to it, and a line end is a character as any other.
[[nodiscard]] inline QRegularExpression answerPattern(QLatin1StringView pattern)
{
    return QRegularExpression(
        pattern, QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
}

} // namespace platforms::kubernetes
