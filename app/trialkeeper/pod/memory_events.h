// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// How many processes of this one's control group, and of those below it, were killed for memory: by cgroup v2's memory.events or v1's
/// memory.oom_control; 0 where neither can be read. The kernel's count for the whole machine says nothing of one container.
[[nodiscard]] std::uint64_t oomKillsOfGroup();
/// The number behind "oom_kill" in such a file; 0 where there is none.
[[nodiscard]] std::uint64_t oomKillsIn(std::string_view text);
/// The path of the group of a v2 hierarchy, of /proc/self/cgroup; "/" where there is none.
[[nodiscard]] std::string groupPathIn(std::string_view text);

} // namespace trialkeeper
