// SPDX-License-Identifier: GPL-3.0-or-later
#include "getting_started.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace ui {

static QString leftRunningKey()
{
    return u"gettingStarted/leftRunning"_s;
}

void markLeftRunning()
{
    QSettings().setValue(leftRunningKey(), true);
}

bool wasLeftRunning()
{
    return QSettings().value(leftRunningKey(), false).toBool();
}

} // namespace ui
