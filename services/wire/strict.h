// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trialkeeper {

// Why an agent does not use a folder or a program that others could change (as sshd's StrictModes has it): the sentences of the
// bootstrap, which knows what `ls` prints, and of the agent itself.

/// "ada (user 1001)", or "user 1001" for a user without a name.
[[nodiscard]] std::string userText(std::string_view uid, std::string_view name);
/// `user`: as userText() says it.
[[nodiscard]] std::string belongsToAnother(std::string_view path, std::string_view user);
/// What stands at `path` can be written by others, or is not what belongs there. `mode`: as `ls` prints it, drwxrwxrwx.
[[nodiscard]] std::string notOursAlone(std::string_view path, std::string_view mode);

} // namespace trialkeeper
