// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trialkeeper {

// What may become a part of a path. Ids and paths that arrive over the wire or in an archive are never trusted.

/// [A-Za-z0-9._-], 1 to maxId characters, not starting with a dot, no "..".
[[nodiscard]] bool isSafeId(std::string_view text);
/// 64 lower-case hexadecimal digits.
[[nodiscard]] bool isSha256(std::string_view text);
/// A relative path that stays below its start: not empty, not absolute, no ".." component, no NUL, at most 4,000 bytes.
[[nodiscard]] bool isSafeRelativePath(std::string_view path);
/// Whether a symbolic link at `linkPath` (relative to a root, safe) with this target, followed by its text, stays
/// below the root.
[[nodiscard]] bool linkStaysInside(std::string_view linkPath, std::string_view target);
/// A name that may be set in an environment: not empty, no '=', no NUL.
[[nodiscard]] bool isEnvironmentName(std::string_view text);

/// How a login's command starts the agent (transport's agent_bootstrap): words by which its shell is known among processes.
inline constexpr std::string_view agentStart = "exec ./trialkeeper host";

} // namespace trialkeeper
