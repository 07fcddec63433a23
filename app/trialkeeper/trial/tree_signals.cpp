// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree_signals.h"

#include "app/trialkeeper/base/proc.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>
#include <vector>

namespace trialkeeper {

static bool contains(const std::vector<pid_t>& list, pid_t id)
{
    return std::find(list.begin(), list.end(), id) != list.end();
}

/// `target`: a process, or a group as a negative number.
static void terminate(pid_t target)
{
    ::kill(target, SIGTERM);
    ::kill(target, SIGCONT);
}

int Termination::send(const std::vector<pid_t>& tree)
{
    const std::vector<pid_t> before = m_groups;
    int count = 0;
    for (const pid_t pid : tree) {
        ProcessStat stat;
        if (!readStat(pid, stat) || contains(before, stat.group) || contains(m_processes, pid))
            continue;
        ++count;
        ProcessStat leader;
        if (contains(m_groups, stat.group))
            continue;
        if (contains(tree, stat.group) || !readStat(stat.group, leader)) {
            m_groups.push_back(stat.group);
            terminate(-stat.group);
        } else {
            m_processes.push_back(pid);
            terminate(pid);
        }
    }
    return count;
}

int terminateTree()
{
    constexpr int mostRounds = 8;
    Termination termination;
    int count = 0;
    for (int round = 0; round < mostRounds; ++round) {
        const int more = termination.send(descendantsOf(::getpid()));
        if (more == 0)
            break;
        count += more;
    }
    return count;
}

void killTree()
{
    for (const pid_t pid : descendantsOf(::getpid()))
        ::kill(pid, SIGKILL);
}

} // namespace trialkeeper
