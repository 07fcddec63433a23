// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "end_state.h"
#include "launch.h"

#include "app/trialkeeper/base/proc.h"
#include "services/wire/protocol.h"

#include <sys/types.h>

namespace trialkeeper {

/// An accepted cancel: <trial>/cancel, "intent graceMs\n".
struct Cancel
{
    char intent[16] = {};
    int graceMs = defaultGraceMs;
};
[[nodiscard]] bool readCancel(int trialFolder, Cancel& cancel);

/// Journals that a cancel has begun (once; `told` records it) and signals the wrapper. Nothing happens if no cancel was accepted.
void handOnCancel(int trialFolder, int journal, pid_t wrapper, bool& told);

/// Makes the end durable: the exit file and the final record. A full disk is waited for. The keeper's exit code.
int recordEnd(int trialFolder, int journal, const EndState& end, std::uint64_t oomBefore);
/// The same, once, without waiting. False: the record could not be written, try again later. The exit file is written
/// only if it is missing.
[[nodiscard]] bool tryRecordEnd(int trialFolder, int journal, const EndState& end, std::uint64_t oomBefore);

/// State of a trial whose keeper is not known to live, as read from its journal.
struct JournalSummary
{
    bool final = false;
    ProcessIdentity wrapper; ///< pid 0: no identity was recorded
    std::uint64_t oomKills = 0;
    std::size_t validEnd = 0;
};
[[nodiscard]] JournalSummary summarize(std::string_view journal);

/// The wrapper of a trial: by its journal or, where that has no record of it, as the parent of what is left of the trial. pid 0: none.
[[nodiscard]] ProcessIdentity wrapperOf(const JournalSummary& journal, const std::string& path);
/// Whether no process of the trial is left; then its end, from the exit file in its folder, else lost. For a
/// trial with a token whose keeper is dead.
[[nodiscard]] bool endOfDeadTrial(
    int trialFolder, const std::string& path, const JournalSummary& journal, EndState& end);

/// The life of an adopting keeper: takes the lock, cuts a torn tail, waits for what is left of the trial, records its
/// end.
int adoptTrial(const LaunchView& launch);

} // namespace trialkeeper
