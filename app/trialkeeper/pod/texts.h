// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/trial/environment.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace trialkeeper {

inline constexpr std::size_t maxPodText = 1024 * 1024; ///< bytes of a text that is given to `trialkeeper pod`

/// The text that an option means: itself, or base64:TEXT, env:NAME, file:PATH, text:TEXT. A variable's value may be base64:TEXT again; the
/// variable is taken out of `environment`, it is not the trial's. False: `message` is a sentence.
[[nodiscard]] bool resolveText(
    std::string_view given, Environment& environment, std::string& text, std::string& message);
/// RFC 4648, with line ends and blanks between, with or without padding. False: it is not.
[[nodiscard]] bool decodeBase64(std::string_view text, std::string& bytes);
/// parameter.cfg as NNI writes it (reference: nni.md 2.3), around the JSON text of the parameters, which stays as it is.
[[nodiscard]] std::string parameterCfgOf(std::string_view parameters, std::string_view sequenceId);
/// The text as a string of JSON, with its quotes. What is not printable ASCII is replaced.
[[nodiscard]] std::string jsonString(std::string_view text);

} // namespace trialkeeper
