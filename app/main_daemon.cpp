// SPDX-License-Identifier: GPL-3.0-or-later
// trialdeckd: the service and the command line, for computers without a display.
#include "app/service/program.h"

#include <cstdio>

int main(int argc, char** argv)
{
    return app::runProgram(argc, argv, [](const app::CommandLine&, const QString&) {
        std::fputs(
            "trialdeckd has no window. `trialdeckd --serve` runs the service; `trialdeckd --help` shows the verbs.\n",
            stderr);
        return commands::exits::usage;
    });
}
