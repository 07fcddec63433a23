// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <vector>

namespace trialkeeper {

// How the reaper of a trial's tree ends what is left of it, all in milliseconds.
inline constexpr int settleMs = 1000; ///< what ends by itself just after the command (`> >(tee log)`) is let finish
inline constexpr int leftoverGraceMs = 1000;
inline constexpr int killPauseMs = 20;

/// SIGTERM for the processes of a tree, each process group by one call of kill(2): no process of the group can fork meanwhile, so none is
/// missed, and what a handler starts then, to tidy up, does not get the signal.
class Termination
{
public:
    /// SIGTERM, then SIGCONT (a stopped process would never see it), to those of `tree` whose group has not got it, and to the others of
    /// these groups. A group whose leader is there and not in `tree` may be another's: of it only the processes in `tree`. Returns how
    /// many of `tree` got it.
    int send(const std::vector<pid_t>& tree);

private:
    std::vector<pid_t> m_groups;
    std::vector<pid_t> m_processes; ///< those that got it alone
};

// Both find the tree, the living descendants of this process, in /proc; without it they find nothing.

/// A Termination of the tree, with the groups that appear meanwhile. Returns how many processes got it.
int terminateTree();
/// SIGKILL to every process of the tree that is there now.
void killTree();

} // namespace trialkeeper
