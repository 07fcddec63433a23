// SPDX-License-Identifier: GPL-3.0-or-later
// All log text, Qt's own too, into a rotating file of the state directory; to stderr when asked, and to the journal when systemd
// runs us.
#pragma once

#include "services/core/result.h"

#include <QString>

namespace app {

using core::Result;

struct LogConfig
{
    QString file;
    bool toStderr = false;
    bool journal = false; ///< stderr is the journal: no time, the priority as `<3>`
    qint64 fileBytes = 10 * 1024 * 1024;
    int files = 5; ///< with the current one
};

/// Installs the message handler for the whole process. Any thread may log afterwards.
[[nodiscard]] Result<> setUpLog(const LogConfig& config);
/// Back to Qt's own handler; the file is closed.
void endLog();

/// The last `lines` of a text file, for showing why a program in the background did not start.
[[nodiscard]] QString lastLines(const QString& file, int lines);

} // namespace app
