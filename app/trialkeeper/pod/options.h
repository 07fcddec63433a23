// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/wire/protocol.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

/// What `trialkeeper pod` was called with.
struct PodOptions
{
    enum class Action { Run, Help, Version } action = Action::Run;
    std::string id;
    std::string folder;
    std::string output; ///< empty: <folder>/output
    std::string code;   ///< empty: the current folder
    std::string termination;
    std::string pieces; ///< a folder for what else goes to standard output; empty: it goes there
    // Texts as resolveText() takes them.
    std::optional<std::string> parameters;
    std::optional<std::string> parameterCfg;
    std::optional<std::string> shell;
    std::vector<std::string> arguments; ///< of the command; empty with `shell`
    int graceMs = defaultGraceMs;
    int lingerMs = 0;
    bool shared = false;
    bool again = false;
};

/// Reads the words behind `pod`. False: `message` is a sentence.
[[nodiscard]] bool parsePodOptions(
    const std::vector<std::string_view>& words, PodOptions& options, std::string& message);
/// What `trialkeeper pod --help` prints.
[[nodiscard]] const char* podHelp();

} // namespace trialkeeper
