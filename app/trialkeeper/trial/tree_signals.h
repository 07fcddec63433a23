// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

// How the reaper of a trial's tree ends what is left of it, all in milliseconds.
inline constexpr int settleMs = 1000; ///< what ends by itself just after the command (`> >(tee log)`) is let finish
inline constexpr int leftoverGraceMs = 1000;
inline constexpr int killPauseMs = 20;

// Both find the tree, the living descendants of this process, in /proc; without it they find nothing.

/// SIGTERM to every process of the tree, once each, also those that appear meanwhile. Returns how many.
int terminateTree();
/// SIGKILL to every process of the tree that is there now.
void killTree();

} // namespace trialkeeper
