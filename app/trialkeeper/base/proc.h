// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace trialkeeper {

/// A process that cannot be mistaken for a later one with the same pid.
struct ProcessIdentity
{
    pid_t pid = 0;
    std::uint64_t start = 0; ///< clock ticks since boot, field 22 of /proc/<pid>/stat
    char bootId[40] = {};    ///< /proc/sys/kernel/random/boot_id
};

/// Whether /proc is mounted: without it no program of ours can be started, and no process found.
[[nodiscard]] bool hasProc();
inline constexpr const char* procMissing =
    "/proc is not mounted, so no trial can be started, and nothing is known of those that may run.";
inline constexpr const char* procRemedy = "Have it mounted by root: mount -t proc proc /proc";

/// Empty where /proc is not there. Read once.
[[nodiscard]] const char* bootId();
/// Of /proc/PID/stat; `start` is in clock ticks since the boot.
struct ProcessStat
{
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    char state = 0;
    std::uint64_t start = 0;
};
/// Of the file's text, which ends with a NUL; false if it is none. Allocates nothing.
[[nodiscard]] bool parseStat(const char* text, ProcessStat& stat);
/// False if there is no such process (or no /proc). Allocates nothing.
[[nodiscard]] bool readStat(pid_t pid, ProcessStat& stat);
[[nodiscard]] ProcessIdentity identityOf(pid_t pid);
/// Whether that very process is there and not a zombie.
[[nodiscard]] bool isAlive(const ProcessIdentity& identity);
/// "pid start bootId"; into at least 96 bytes. Its length.
int formatIdentity(char* out, std::size_t size, const ProcessIdentity& identity);
[[nodiscard]] bool parseIdentity(std::string_view text, ProcessIdentity& identity);

/// All living descendants of `root` (not itself), parents before children.
[[nodiscard]] std::vector<pid_t> descendantsOf(pid_t root);
/// The trials' metrics files that the environments of running processes name.
[[nodiscard]] std::set<std::string> metricsFilesOfProcesses();
/// Processes that are left of a trial whose wrapper and keeper are dead: those whose environment names the trial's
/// metrics file, and their descendants. (Not those of the wrapper's session: its number may be another's by now.)
[[nodiscard]] std::vector<pid_t> survivorsOf(const std::string& metricsFile);

/// Whether a shell of this account, with the HOME of this process, runs a command (`-c`) with these words in it.
[[nodiscard]] bool isInAShellsCommand(std::string_view words);

/// A descriptor that becomes readable when the process ends; -1 where the kernel has none (errno ENOSYS) or the
/// process is gone.
[[nodiscard]] int openPidfd(pid_t pid);
/// How many processes the kernel has killed for memory since boot; 0 where it does not tell.
[[nodiscard]] std::uint64_t oomKills();

} // namespace trialkeeper
