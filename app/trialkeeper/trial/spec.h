// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch.h"

#include "app/trialkeeper/base/failure.h"
#include "app/trialkeeper/base/places.h"

#include <nlohmann/json_fwd.hpp>

namespace trialkeeper {

/// A spec (protocol.h, 2) made into what a keeper runs. Pure but for the given surroundings. False, with the first
/// fault, if the spec breaks a rule. `launch.codePath` of an archive is its folder in the code store, which the
/// caller checks.
[[nodiscard]] bool makeLaunch(const nlohmann::json& spec, const Places& places, const std::string& shell,
    const std::vector<std::string>& inherited, Launch& launch, Failure& failure);

/// What the agent must know of a spec to watch its trial.
enum class StdoutMode { None, Sdk, All };
[[nodiscard]] StdoutMode stdoutModeOf(const nlohmann::json& spec);

/// A message's JSON; discarded if it is none, or nested deeper than any message of ours (its text could then not be
/// written again safely).
[[nodiscard]] nlohmann::json parseMessage(std::string_view text);

/// A member's text, or `otherwise` where it is missing or no text.
[[nodiscard]] std::string textOf(const nlohmann::json& object, const char* name, const std::string& otherwise = {});
[[nodiscard]] std::int64_t numberOf(const nlohmann::json& object, const char* name, std::int64_t otherwise);
[[nodiscard]] bool flagOf(const nlohmann::json& object, const char* name);
/// A member's texts; what is no text is left out.
[[nodiscard]] std::vector<std::string> textsOf(const nlohmann::json& object, const char* name);

} // namespace trialkeeper
