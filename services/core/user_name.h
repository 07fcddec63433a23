// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <pwd.h>

namespace core {

/// The name of a user of this computer; empty if the system knows none.
[[nodiscard]] inline QString userName(uint uid)
{
    passwd entry{};
    passwd* found = nullptr;
    char text[4096];
    return getpwuid_r(uid, &entry, text, sizeof text, &found) == 0 && found ? QString::fromLocal8Bit(found->pw_name)
                                                                            : QString();
}

/// In a sentence: `ada (user 1001)`, or `user 1001` without a name.
[[nodiscard]] inline QString userWords(uint uid)
{
    const QString name = userName(uid);
    return name.isEmpty() ? QStringLiteral("user %1").arg(uid) : QStringLiteral("%1 (user %2)").arg(name).arg(uid);
}

} // namespace core
