// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree_signals.h"

#include "app/trialkeeper/base/proc.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>
#include <vector>

namespace trialkeeper {

int terminateTree()
{
    std::vector<pid_t> told;
    for (int round = 0; round < 8; ++round) {
        bool news = false;
        for (const pid_t pid : descendantsOf(::getpid())) {
            if (std::find(told.begin(), told.end(), pid) != told.end())
                continue;
            told.push_back(pid);
            news = true;
            ::kill(pid, SIGTERM);
            ::kill(pid, SIGCONT); // a stopped process would never see it
        }
        if (!news)
            break;
    }
    return int(told.size());
}

void killTree()
{
    for (const pid_t pid : descendantsOf(::getpid()))
        ::kill(pid, SIGKILL);
}

} // namespace trialkeeper
