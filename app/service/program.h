// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/context.h"

#include <functional>

namespace app {

/// What a program does when it is called without verb and --serve; `program` is how it was called. The exit code.
using WithoutVerb = std::function<int(const CommandLine&, const QString& program)>;

/// The whole of a main(): reads the command line, runs the service, a verb or the demo, and gives the exit code. Makes the
/// QCoreApplication for these; `withoutVerb` makes its own. With `showsDemo` that shows the demo, too, where there is a display and
/// neither JSON nor ids are requested.
[[nodiscard]] int runProgram(int argc, char** argv, const WithoutVerb& withoutVerb, bool showsDemo = false);

/// What surrounds the process; needs an application object.
[[nodiscard]] commands::Surroundings surroundingsOfProcess(const QString& program);
/// A screen to show a window on, or a platform of Qt that was asked for.
[[nodiscard]] bool hasDisplay();

} // namespace app
