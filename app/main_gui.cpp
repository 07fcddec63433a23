// SPDX-License-Identifier: GPL-3.0-or-later
// trialdeck: the window; with --serve or a verb the same service and command line as trialdeckd.
#include "app/service/program.h"
#include "app/window/run_window.h"

int main(int argc, char** argv)
{
    return app::runProgram(
        argc, argv,
        [argc, argv](
            const app::CommandLine& line, const QString& program) { return app::runWindow(argc, argv, line, program); },
        true);
}
