// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace trialkeeper {

using UserNames = std::map<uid_t, std::string>;

/// What nvidia-smi does not tell of the processes in its table, as far as this machine shows it: [{pid, user, command, trial?}].
/// `trials` is our folder of trials: what has one of them in its environment belongs to it. A user that neither `users` nor
/// /etc/passwd names is put into `unknown`, and reported as `uid N`.
[[nodiscard]] nlohmann::json gpuProcesses(
    std::string_view xml, const std::string& trials, const UserNames& users, std::vector<uid_t>& unknown);

/// Lines of passwd(5), from the file or from getent.
void readUsers(std::string_view lines, UserNames& users);

} // namespace trialkeeper
