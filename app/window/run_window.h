// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"

namespace app {

/// The window, until it is closed: with its own engine, or attached to the service of the data directory or of --connect. Makes the
/// QApplication. The exit code.
[[nodiscard]] int runWindow(int argc, char** argv, const CommandLine& line, const QString& program);

} // namespace app
