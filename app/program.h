// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/context.h"

#include <functional>

namespace app {

/// What a program does when it is called without verb, --serve and --demo. The exit code.
using WithoutVerb = std::function<int(const CommandLine&, const commands::Surroundings&)>;

/// The whole of a main(): reads the command line, runs the service, a verb or the demo, and gives the exit code. Makes the
/// QCoreApplication for these; `withoutVerb` makes its own.
[[nodiscard]] int runProgram(int argc, char** argv, const WithoutVerb& withoutVerb);

} // namespace app
