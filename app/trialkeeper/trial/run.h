// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

/// `trialkeeper run DIR`: the keeper of one trial. Takes what to run from launchFd, reports the start on reportFd,
/// forks the wrapper, writes the journal, carries cancels. With `adopt` it takes over a trial whose keeper has died.
/// `ticket` is the agent's number of this start.
int runKeeper(const char* folder, unsigned ticket, bool adopt);

} // namespace trialkeeper
