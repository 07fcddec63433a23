// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "end_state.h"
#include "launch.h"

#include "app/trialkeeper/base/lock.h"

#include <csignal>
#include <sys/types.h>

namespace trialkeeper {

/// A page that keeper and wrapper share: the end is known to the keeper even if the disk takes no exit file, and the
/// command's pid even if the wrapper is killed.
struct SharedState
{
    volatile pid_t commandPid = 0;            ///< set by the child itself before it executes the command
    volatile int startError = 0;              ///< errno of the step that failed
    const char* volatile startStep = nullptr; ///< sentence about it; set means: nothing runs
    volatile bool repeated = false;           ///< another wrapper had made the token first: nothing was started by us
    volatile bool running = false;            ///< the start is in the journal and was reported
    volatile bool commandEnded = false;       ///< `end` holds code, signal and endMs; the rest of the tree may live
    volatile bool done = false;               ///< `end` holds all
    std::int64_t startMs = 0;
    EndState end;
};

/// What /proc/PID/comm has of a wrapper.
inline constexpr const char* wrapperName = "trialwrapper";

/// The open files of a trial that is being started.
struct TrialFiles
{
    Fd folder;
    Fd journal;
    Fd standardOutput;
    Fd standardError;
    Fd code; ///< working directory
};

/// Appends one record to a journal by one write; a short write (full disk) is taken back. False: nothing was added,
/// errno is set.
[[nodiscard]] bool appendJournal(int journal, std::string_view json);
/// Sends a report to the agent that asked for the start, if it is still there.
void sendReport(const StartReport& report);
/// Blocks the signals that keeper and wrapper wait for or must survive; the command gets none of this.
void blockSignals();

/// The life of a wrapper, the child of its keeper: makes the start token durable, runs the command in its own process
/// group with this process as reaper of the whole tree, waits until no process of the tree is left, writes the exit
/// file. Never returns.
/// `lock` is the keeper's lock; this process shares it until the token exists. While either holds it, the trial must not be reported
/// as not started. `folder`: the path of the trial's folder.
[[noreturn]] void runWrapper(LaunchView& launch, std::string_view mapped, TrialFiles& files, SharedState& shared,
    KeeperLock& lock, const std::string& folder, std::uint32_t ticket, pid_t keeper);

/// Waits, as the reaper of a tree whose command is `command`, until the whole tree is gone, and fills `end`. SIGUSR1
/// cancels: SIGTERM to all, after the grace SIGKILL until none is left. What outlives the command is ended likewise.
/// `graceOf` gives the grace (ms) of a SIGUSR1, or -1 to ignore it. False if the command's end was not seen. If
/// shared.commandEnded is set already, only the rest is ended.
[[nodiscard]] bool superviseTree(SharedState& shared, int (*graceOf)(const siginfo_t&));

} // namespace trialkeeper
