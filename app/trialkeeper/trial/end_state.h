// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/io.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// Why there is no exit state of a command.
enum class Lost {
    no,
    withKeeper,  ///< killed together with its keeper
    withMachine, ///< the machine was restarted meanwhile
};
[[nodiscard]] const char* failureWord(Lost lost); ///< its word of failureClass (protocol.h); null for `no`

/// How a trial's command ended, as its wrapper saw it. Plain data: it also lives in a page that wrapper and keeper
/// share.
struct EndState
{
    int code = 0; ///< exit code; 0 if ended by a signal
    int signal = 0;
    bool cancelled = false; ///< a cancel had begun before the command ended
    int leftovers = 0;      ///< processes of its tree that had to be ended after it
    std::int64_t startMs = 0;
    std::int64_t endMs = 0;
    std::int64_t peakKiB = 0; ///< of the largest process
    std::int64_t userMs = 0;
    std::int64_t systemMs = 0;
    Lost lost = Lost::no;
};

/// The text of the `exit` file:
///     "exit <code> <signal> <cancelled> <leftovers> <startMs> <endMs> <peakKiB> <userMs> <systemMs>\n"
///     "lost <failureClass> <endMs>\n"
/// Into at least 200 bytes; its length.
int formatExitFile(char* out, std::size_t size, const EndState& state);
/// Writes it as `exit`, whole at once, into the room that was set aside in `.exit` at the start (a disk may be full
/// by now). False: errno.
[[nodiscard]] bool writeExitFile(int trialFolder, const EndState& state);
/// Whether the open folder was deleted. Only the trial itself can have done it: the agent removes folders that have an exit file.
[[nodiscard]] bool isDeleted(int folder);
/// The trial's folder anew, with a token, for the end of one that has deleted its own. Invalid: errno;
/// ENOENT where it has put something else in its place.
[[nodiscard]] Fd makeFolderAgain(const std::string& path);
inline constexpr const char* exitReserve = ".exit";
/// False for what no wrapper writes: the trial's command can write the file, too.
[[nodiscard]] bool parseExitFile(std::string_view text, EndState& state);

/// What shows that a trial met a full disk.
enum class FullDisk {
    no,
    atTheEnd, ///< that of its folder was full when it had ended
    printed,  ///< the end of its stderr says so
};
[[nodiscard]] FullDisk fullDiskOf(int trialFolder);

/// The JSON of the final journal record (protocol.h, event). `intent` is that of a cancel, or empty; `outOfMemory`
/// is whether the kernel killed processes for memory meanwhile. Into at least 1024 bytes; its length.
int formatFinalRecord(char* out, std::size_t size, const EndState& state, std::string_view intent, bool outOfMemory,
    FullDisk fullDisk = FullDisk::no);

/// Whether an out-of-memory kill could explain this end: then the caller looks for evidence.
[[nodiscard]] bool mayBeOutOfMemory(const EndState& state);

} // namespace trialkeeper
