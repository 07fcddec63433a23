// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <pwd.h>

namespace core {

/// A user of this computer in a sentence: `ada (user 1001)`, or `user 1001` if the system knows no name.
[[nodiscard]] inline QString userWords(uint uid)
{
    passwd entry{};
    passwd* found = nullptr;
    char text[4096];
    if (getpwuid_r(uid, &entry, text, sizeof text, &found) == 0 && found)
        return QStringLiteral("%1 (user %2)").arg(QString::fromLocal8Bit(found->pw_name)).arg(uid);
    return QStringLiteral("user %1").arg(uid);
}

} // namespace core
