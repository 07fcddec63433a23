// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/context.h"

namespace app {

/// `--serve`: the service on the main thread, until SIGTERM, SIGINT or SIGHUP; trials go on. Needs a QCoreApplication. The exit code:
/// 0 ended as asked, 1 it could not start.
[[nodiscard]] int runDaemon(const CommandLine& line, const commands::Surroundings& around);

} // namespace app
