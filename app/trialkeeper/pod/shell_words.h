// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

/// The words of a command that means the same with and without a shell: no expansion, redirection, list, assignment or escape. Quotes
/// are taken away. Nothing: it needs a shell, or is empty. For images that have none.
[[nodiscard]] std::optional<std::vector<std::string>> shellWords(std::string_view command);

} // namespace trialkeeper
