// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/io.h"
#include "app/trialkeeper/trial/environment.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace trialkeeper {

/// The shell for a text: bash where it exists, else sh; null: there is none.
[[nodiscard]] const char* podShell();

/// A command that was started, leader of its own process group, and our ends of its output. It dies with this process.
struct PodCommand
{
    pid_t pid = 0;
    Fd standardOutput, standardError; ///< not blocking
    int error = 0;                    ///< errno: it did not start, `pid` is 0
};

/// Starts argv[0], a path or a name to look for in the environment's PATH, in the folder `code`, with nothing to read on its standard
/// input. Its signals are as this process found them.
[[nodiscard]] PodCommand startPodCommand(
    const std::vector<std::string>& arguments, const Environment& environment, int code);

} // namespace trialkeeper
