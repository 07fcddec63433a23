// SPDX-License-Identifier: GPL-3.0-or-later
// trialdeck: the same service and command line, and the place of the window.
#include "program.h"

#include <cstdio>

int main(int argc, char** argv)
{
    return app::runProgram(argc, argv, [](const app::CommandLine&, const commands::Surroundings&) {
        std::fputs("This build of Trialdeck has no window yet. `trialdeck --serve` runs the service, `trialdeck "
                   "--demo` shows it at work,\n"
                   "and `trialdeck --help` shows the verbs.\n",
            stderr);
        return commands::exits::usage;
    });
}
